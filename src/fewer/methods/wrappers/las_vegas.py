"""Random subsets: the Las Vegas filter and wrapper."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any

from fewer.core.search.by_name import LasVegasFilter, LasVegasWrapper
from fewer.methods.wrappers._search_selector import RANDOM_TAGS, SearchSelector, constraints_with, keep

LEVEL_TAGS = replace(
    RANDOM_TAGS,
    targets=("classes",),
    views=("codes",),
    handles_nan=True,
    handles_nominal=True,
    weights_count_rows=True,
    invariance=("scale", "monotone"),
)


class LVF(SearchSelector):
    """Look for the smallest subset that is as consistent with the classes as all features.

    Random subsets of at most the best size take over if their inconsistency is allowed and they are smaller, or as
    small and more consistent.

    Parameters
    ----------
    estimator : estimator, str, criterion or None, default="inconsistency"
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. The Las Vegas
        filter counts rows that look alike and differ in class; with anything else "best" is the smallest subset that
        reaches the goal.
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). "best" is the
        smallest subset that is good enough, a range the smallest within. None keeps all.
    max_iter : int, default=1000
        Most iterations: random subsets. The rule of thumb is 77 d**5 for d features.
    threshold : float or None, default=None
        Value that is good enough, 1 - gamma for an allowed inconsistency rate gamma; None takes that of all features.
    sampling : {"size_first", "uniform"}, default="size_first"
        Whether a size is drawn first, or every subset is as likely.
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
        A file to which evaluations are written, and from which a search that was stopped goes on. Needs a number as
        ``random_state``.
    max_evaluations : int, default=None
        Most subsets to evaluate; then the best so far is the answer.
    max_seconds : float, default=None
        Most seconds to search; then the best so far is the answer.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    LVW : Evaluates by an estimator.
    Consistency : The greedy search of the same criterion.

    Notes
    -----
    The pseudo-code in [1]_ draws a size first, its text draws every subset with the same probability; both are offered.
    If not even all features are good enough, all of them are the answer.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 3.6.1, Fig. 3.2.
    .. [2] H. Liu and R. Setiono, "A probabilistic approach to feature selection", ICML 1996.

    Examples
    --------
    >>> from fewer.synth import make_parity
    >>> data = make_parity(2, 6)
    >>> sorted(LVF(discretizer=None, random_state=0).fit(data.X, data.y).selection_.indices.tolist())
    [0, 1]
    """

    method_tags = LEVEL_TAGS
    _search_by = LasVegasFilter
    _parameter_constraints: dict = constraints_with(LasVegasFilter, threshold=[None, Real])

    def __init__(
        self,
        estimator: Any = "inconsistency",
        n_features_to_select: Any = "best",
        *,
        max_iter: int = 1000,
        threshold: float | None = None,
        sampling: str = "size_first",
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
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        keep(self, locals())

    def _search(self) -> LasVegasFilter:
        return replace(super()._search(), goal=self.threshold)


class LVW(SearchSelector):
    """Draw random subsets until none has been better for long: the Las Vegas wrapper.

    Starts with all features; a subset is better if its score is higher, or equal with fewer features.

    Parameters
    ----------
    estimator : estimator, str, criterion or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. None is naive
        Bayes on classes and ridge on numbers; criteria are "cfs", "inconsistency", "mutual_information", "separability"
        and "mahalanobis".
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); "parsimonious" is
        the smallest within one standard error of the best; None keeps all.
    patience : int, default=100
        How many steps in a row may fail to find a better subset: random subsets.
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
        A file to which evaluations are written, and from which a search that was stopped goes on. Needs a number as
        ``random_state``.
    max_evaluations : int, default=None
        Most subsets to evaluate; then the best so far is the answer.
    max_seconds : float, default=None
        Most seconds to search; then the best so far is the answer.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    LVF : Evaluates by consistency.

    References
    ----------
    .. [1] H. Liu and R. Setiono, "Feature selection and classification: a probabilistic wrapper approach", IEA-AIE
       1996.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> LVW(random_state=0).fit(X, y).selection_.indices.tolist()
    [9, 6, 0, 12, 4, 5, 2]
    """

    method_tags = RANDOM_TAGS
    _search_by = LasVegasWrapper
    _parameter_constraints: dict = constraints_with(LasVegasWrapper)

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: Any = "best",
        *,
        patience: int = 100,
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
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        keep(self, locals())
