"""Remove many features at random, and put them back if that hurts."""

from __future__ import annotations

from typing import Any

from fewer.core.search.by_name import RandomizedElimination as KnownSize
from fewer.core.search.by_name import RandomizedEliminationSearch as UnknownSize
from fewer.methods.wrappers._search_selector import RANDOM_TAGS, SearchSelector, constraints_with, keep


class RVE(SearchSelector):
    """Remove as many random features at once as is cheapest on average: randomized variable elimination.

    A removal stands if the score does not fall. How many are tried at once comes from a dynamic program that knows how
    many features are relevant.

    Parameters
    ----------
    estimator : estimator, str, criterion or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. None is naive
        Bayes on classes and ridge on numbers; criteria are "cfs", "inconsistency", "mutual_information", "separability"
        and "mahalanobis".
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). It is the number
        of relevant features, which must be known; if more are left in the end, those that cost least are removed, too.
        None keeps all.
    cost : {"unit", "linear"} or callable, default="unit"
        What an evaluation costs: always the same, as much as there are features, or a function of an array of their
        numbers.
    tol : float, default=0.0
        Loss that is accepted.
    strict : bool, default=False
        Whether a removal must raise the score; learners that ignore irrelevant features then never lose one.
    reference : {"latest", "best"}, default="latest"
        Whether losses count from the score after the last removal or from the best so far.
    max_iter : int or None, default=None
        Most iterations: removals tried.
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
    RVErS : The number of relevant features need not be known.

    Notes
    -----
    The text in [1]_ lets a removal stand only if the error falls, with which learners that ignore irrelevant features
    never end; here it may stay the same unless ``strict``.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 3.6.6, Fig. 3.8.
    .. [2] D. J. Stracuzzi and P. E. Utgoff, "Randomized variable elimination", JMLR 5, 2004.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> RVE(n_features_to_select=4, random_state=0).fit(X, y).selection_.indices.tolist()
    [6, 12, 9, 3]
    """

    method_tags = RANDOM_TAGS
    _search_by = KnownSize
    _parameter_constraints: dict = constraints_with(KnownSize)

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: Any = 10,
        *,
        cost: Any = "unit",
        tol: float = 0.0,
        strict: bool = False,
        reference: str = "latest",
        max_iter: int | None = None,
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


class RVErS(SearchSelector):
    """Randomized variable elimination that also searches for the number of relevant features.

    Failed removals in a row say that more features are relevant than assumed, successful ones that fewer are.

    Parameters
    ----------
    estimator : estimator, str, criterion or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. None is naive
        Bayes on classes and ridge on numbers; criteria are "cfs", "inconsistency", "mutual_information", "separability"
        and "mahalanobis".
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); "parsimonious" is
        the smallest within one standard error of the best; None keeps all.
    cost : {"unit", "linear"} or callable, default="unit"
        What an evaluation costs: always the same, as much as there are features, or a function of an array of their
        numbers.
    fail_factor : float, default=3.0
        How many times the expected failures are needed to raise the assumed number.
    success_factor : float, default=0.3
        How much of the difference of number and expected failures must succeed to lower it.
    tol : float, default=0.0
        Loss that is accepted.
    strict : bool, default=False
        Whether a removal must raise the score; learners that ignore irrelevant features then never lose one.
    reference : {"latest", "best"}, default="latest"
        Whether losses count from the score after the last removal or from the best so far.
    max_iter : int or None, default=None
        Most iterations: removals tried.
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
    RVE : The number of relevant features is known.

    Notes
    -----
    The published algorithm ends when its bounds have met, even if irrelevant features are left; here the search ends
    when single features resist.

    References
    ----------
    .. [1] D. J. Stracuzzi and P. E. Utgoff, "Randomized variable elimination", JMLR 5, 2004.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> RVErS(random_state=0).fit(X, y).selection_.indices.tolist()
    [6, 12, 9, 3, 0, 4, 2, 7]
    """

    method_tags = RANDOM_TAGS
    _search_by = UnknownSize
    _parameter_constraints: dict = constraints_with(UnknownSize)

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: Any = "best",
        *,
        cost: Any = "unit",
        fail_factor: float = 3.0,
        success_factor: float = 0.3,
        tol: float = 0.0,
        strict: bool = False,
        reference: str = "latest",
        max_iter: int | None = None,
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
