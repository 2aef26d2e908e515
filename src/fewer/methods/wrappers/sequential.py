"""Step by step: forward, backward, alternating and floating selection."""

from __future__ import annotations

from typing import Any

from fewer.core.records.errors import ParameterError
from fewer.core.records.params import StrOptions
from fewer.core.search import SubsetSearch
from fewer.core.search.by_name import Bidirectional, Floating, PlusLMinusR, Sequential
from fewer.methods.wrappers._search_selector import SearchSelector, constraints_with, keep


class SequentialSelector(SearchSelector):
    """Add the feature that helps most again and again, or remove the one that helps least.

    Forward and backward selection, both towards each other, and plus-l-minus-r, on whatever evaluates subsets. A search
    for the best size ends when a step gains nothing.

    Parameters
    ----------
    estimator : estimator, str, criterion or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. None is naive
        Bayes on classes and ridge on numbers; criteria are "cfs", "inconsistency", "mutual_information", "separability"
        and "mahalanobis".
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). Rules are
        "gain:0.01" and "patience:3". None keeps all.
    direction : {"forward", "backward", "bidirectional", "alternating"}, default="forward"
        Whether features are added, removed, both in turn until the two searches meet, or ``plus`` are added and
        ``minus`` removed in turn.
    step : int or float, default=1
        How many features move at once, or which fraction of those that may move. Each is evaluated alone.
    tol : float, default=0.0
        What a forward step must gain, and what a backward step may lose, against the best value so far.
    patience : int or None, default=1
        How many steps in a row may fail to find a better subset; None goes on to the last size and takes the best.
    plus : int, default=2
        Features added in a row with direction="alternating".
    minus : int, default=1
        Features removed in a row with direction="alternating".
    give_up : bool, default=False
        Whether an estimator leaves a candidate as soon as it cannot be the best of its step any more; forward and
        backward with step=1 only. The choice stays the same, scores of dropped features become upper bounds.
    scoring : str, callable or None, default=None
        Score of the estimator, as for ``cross_val_score``; None is its own, but balanced accuracy instead of accuracy
        if one class holds more than 80 % of the rows.
    cv : int, str, splitter, iterable or None, default=None
        Splits of the rows, the same for all subsets; None is five folds, rare classes spread over them.
    feature_groups : sequence of sequences of int or str, or array-like of shape (n_features,), default=None
        Columns that move as one and count as one, by number or name; or one label per column.
    fixed_features : sequence of int or str, or array-like of bool, default=None
        Columns that are always in; they count.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already. For criteria on bins.
    bins : int, default=10
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    checkpoint : str or path, default=None
        A file to which evaluations are written, and from which a search that was stopped goes on.
    max_evaluations : int, default=None
        Most subsets to evaluate; then the best so far is the answer.
    max_seconds : float, default=None
        Most seconds to search; then the best so far is the answer.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    FloatingSelector : Steps back as long as that pays.
    OrderedFS : Follows a ranking, one evaluation per size.

    Notes
    -----
    Of equal values the lower number is added and the higher one removed. With nearest neighbours, naive Bayes, linear
    discriminants, ridge and least squares of scikit-learn candidates are scored without fitting anything, with the same
    result.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, sections 1.1 and 2.3.1.
    .. [2] S. D. Stearns, "On selecting features for pattern classifiers", ICPR 1976.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> SequentialSelector(KNeighborsClassifier(3), 2, cv=5).fit(X, y).selection_.indices.tolist()
    [3, 0]
    """

    _search_by = Sequential
    _parameter_constraints: dict = constraints_with(
        PlusLMinusR,
        **Sequential.constraints | {"direction": [StrOptions({"forward", "backward", "bidirectional", "alternating"})]},
        give_up=["boolean"],
    )

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: Any = "best",
        *,
        direction: str = "forward",
        step: int | float = 1,
        tol: float = 0.0,
        patience: int | None = 1,
        plus: int = 2,
        minus: int = 1,
        give_up: bool = False,
        scoring: Any = None,
        cv: Any = None,
        feature_groups: Any = None,
        fixed_features: Any = None,
        discretizer: Any = "quantile",
        bins: int = 10,
        categorical_features: Any = None,
        checkpoint: Any = None,
        max_evaluations: int | None = None,
        max_seconds: float | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        keep(self, locals())

    def _search(self) -> SubsetSearch:
        if self.give_up and (self.step != 1 or self.direction not in ("forward", "backward")):
            raise ParameterError(
                f"SequentialSelector got give_up=True with direction={self.direction!r} and step={self.step!r}, but it "
                "looks at the best candidate of each step only; pass step=1 and 'forward' or 'backward'."
            )
        if self.direction == "bidirectional":
            return Bidirectional()
        return PlusLMinusR(self.plus, self.minus) if self.direction == "alternating" else super()._search()


class FloatingSelector(SearchSelector):
    """Add features, and after each one remove others as long as that pays: SFFS; or the reverse: SBFS.

    After each step the search steps back while it finds a subset better than the best one of that size so far.

    Parameters
    ----------
    estimator : estimator, str, criterion or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. None is naive
        Bayes on classes and ridge on numbers; criteria are "cfs", "inconsistency", "mutual_information", "separability"
        and "mahalanobis".
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); "parsimonious" is
        the smallest within one standard error of the best; None keeps all.
    direction : {"forward", "backward"}, default="forward"
        Whether to start with no feature or with all.
    beyond : int, default=3
        By how many features the search overshoots, since coming back from there can improve results.
    patience : int or None, default=5
        How many steps in a row may fail to find a better subset; None goes on to the last size.
    scoring : str, callable or None, default=None
        Score of the estimator, as for ``cross_val_score``; None is its own, but balanced accuracy instead of accuracy
        if one class holds more than 80 % of the rows.
    cv : int, str, splitter, iterable or None, default=None
        Splits of the rows, the same for all subsets; None is five folds, rare classes spread over them.
    feature_groups : sequence of sequences of int or str, or array-like of shape (n_features,), default=None
        Columns that move as one and count as one, by number or name; or one label per column.
    fixed_features : sequence of int or str, or array-like of bool, default=None
        Columns that are always in; they count.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already. For criteria on bins.
    bins : int, default=10
        Number of bins for "quantile" and "uniform".
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    checkpoint : str or path, default=None
        A file to which evaluations are written, and from which a search that was stopped goes on.
    max_evaluations : int, default=None
        Most subsets to evaluate; then the best so far is the answer.
    max_seconds : float, default=None
        Most seconds to search; then the best so far is the answer.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    SequentialSelector : Never steps back.

    References
    ----------
    .. [1] P. Pudil, J. Novovicova and J. Kittler, "Floating search methods in feature selection", Pattern Recognition
       Letters 15, 1994.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> FloatingSelector("cfs").fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    _search_by = Floating
    _parameter_constraints: dict = constraints_with(Floating)

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: Any = "best",
        *,
        direction: str = "forward",
        beyond: int = 3,
        patience: int | None = 5,
        scoring: Any = None,
        cv: Any = None,
        feature_groups: Any = None,
        fixed_features: Any = None,
        discretizer: Any = "quantile",
        bins: int = 10,
        categorical_features: Any = None,
        checkpoint: Any = None,
        max_evaluations: int | None = None,
        max_seconds: float | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        keep(self, locals())
