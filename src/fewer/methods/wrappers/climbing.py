"""Best-first search and hill climbing."""

from __future__ import annotations

from typing import Any

from fewer.core.search.by_name import BestFirst, HillClimbing
from fewer.methods.wrappers._search_selector import RANDOM_TAGS, SearchSelector, constraints_with, keep


class BestFirstSelector(SearchSelector):
    """Expand the most promising subset, and go back to others when it leads nowhere.

    All subsets that differ from an expanded one by one feature are evaluated and remembered; the search ends after some
    expansions without a better subset.

    Parameters
    ----------
    estimator : estimator, str, criterion or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. None is naive
        Bayes on classes and ridge on numbers; criteria are "cfs", "inconsistency", "mutual_information", "separability"
        and "mahalanobis".
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); "parsimonious" is
        the smallest within one standard error of the best; None keeps all.
    direction : {"forward", "backward", "both"}, default="forward"
        Whether expanding a subset adds each feature, removes each, or both.
    patience : int, default=5
        How many steps in a row may fail to find a better subset: expansions.
    epsilon : float, default=0.0
        By how much the best value must rise to count as improved.
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
    SequentialSelector : Looks at the neighbours of the last subset only.

    References
    ----------
    .. [1] R. Kohavi and G. H. John, "Wrappers for feature subset selection", Artificial Intelligence 97, 1997.
    .. [2] E. P. Xing, "Feature selection in microarray analysis", 2003, section 2.4.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> BestFirstSelector("cfs", discretizer="mdl").fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    _search_by = BestFirst
    _parameter_constraints: dict = constraints_with(BestFirst)

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: Any = "best",
        *,
        direction: str = "forward",
        patience: int = 5,
        epsilon: float = 0.0,
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


class HillClimbingSelector(SearchSelector):
    """Put in or take out the feature that helps most, until none helps.

    With one allowed size features change places instead.

    Parameters
    ----------
    estimator : estimator, str, criterion or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. None is naive
        Bayes on classes and ridge on numbers; criteria are "cfs", "inconsistency", "mutual_information", "separability"
        and "mahalanobis".
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); "parsimonious" is
        the smallest within one standard error of the best; None keeps all.
    start : {"empty", "full", "random"} or sequence of int, default="empty"
        First subset.
    restarts : int, default=0
        How many more climbs are made from random subsets.
    tol : float, default=0.0
        What a step must gain.
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
    RMHCSelector : Climbs by random steps.

    References
    ----------
    .. [1] E. P. Xing, "Feature selection in microarray analysis", 2003, section 2.4.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> HillClimbingSelector(restarts=2, random_state=0).fit(X, y).selection_.indices.tolist()
    [12, 9, 6, 0, 3, 5, 2, 4]
    """

    method_tags = RANDOM_TAGS
    _search_by = HillClimbing
    _parameter_constraints: dict = constraints_with(HillClimbing)

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: Any = "best",
        *,
        start: Any = "empty",
        restarts: int = 0,
        tol: float = 0.0,
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
