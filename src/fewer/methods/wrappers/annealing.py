"""Random steps from subset to subset: annealing and random mutation."""

from __future__ import annotations

from typing import Any

from fewer.core.search.by_name import Annealing, RandomMutation
from fewer.methods.wrappers._search_selector import RANDOM_TAGS, SearchSelector, constraints_with, keep


class AnnealingSelector(SearchSelector):
    """Move to random neighbours: always to better ones, to worse ones as long as it is hot.

    A loss is accepted with probability exp(-loss / temperature); the temperature falls by a constant factor, and with
    it the number of features that move at once, from a quarter of them to one.

    Parameters
    ----------
    estimator : estimator, str, criterion or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. None is naive
        Bayes on classes and ridge on numbers; criteria are "cfs", "inconsistency", "mutual_information", "separability"
        and "mahalanobis".
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); "parsimonious" is
        the smallest within one standard error of the best; None keeps all.
    initial_temperature : float or None, default=None
        None takes twice the standard deviation of the values of 20 random subsets.
    final_temperature : float or None, default=None
        None takes a thousandth of the initial one.
    cooling : float, default=0.95
        Factor from one temperature to the next; large is slow.
    moves : int, default=1
        Moves tried at each temperature.
    start : {"random", "empty", "full"} or sequence of int, default="random"
        First subset.
    return_current : bool, default=False
        Whether to answer with the subset where the search ends rather than with the best one seen.
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
    RMHCSelector : Accepts no loss.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 3.6.3.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> AnnealingSelector(random_state=0).fit(X, y).selection_.indices.tolist()
    [12, 9, 6, 0, 3, 5, 2, 4]
    """

    method_tags = RANDOM_TAGS
    _search_by = Annealing
    _parameter_constraints: dict = constraints_with(Annealing)

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: Any = "best",
        *,
        initial_temperature: float | None = None,
        final_temperature: float | None = None,
        cooling: float = 0.95,
        moves: int = 1,
        start: Any = "random",
        return_current: bool = False,
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


class RMHCSelector(SearchSelector):
    """Flip a random feature and keep that if it helps: random mutation hill climbing.

    A climb that cannot be improved by one flip stays where it is; restarts go on from other subsets.

    Parameters
    ----------
    estimator : estimator, str, criterion or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. None is naive
        Bayes on classes and ridge on numbers; criteria are "cfs", "inconsistency", "mutual_information", "separability"
        and "mahalanobis".
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); "parsimonious" is
        the smallest within one standard error of the best; None keeps all.
    max_iter : int, default=200
        Most iterations: flips tried in each climb.
    flips : int, default=1
        Features that move in each of them.
    accept_equal : bool, default=False
        Whether a flip that changes nothing is kept, too.
    restarts : int, default=0
        How many more climbs are made from random subsets.
    start : {"random", "empty", "full"} or sequence of int, default="random"
        First subset.
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
    AnnealingSelector : Accepts losses at first.

    Notes
    -----
    The figure in [1]_ never takes a failed flip back; its text does, and so does this search.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 3.6.3, Fig. 3.5.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> RMHCSelector(random_state=0).fit(X, y).selection_.indices.tolist()
    [12, 9, 6, 0, 3, 5, 2, 4]
    """

    method_tags = RANDOM_TAGS
    _search_by = RandomMutation
    _parameter_constraints: dict = constraints_with(RandomMutation)

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: Any = "best",
        *,
        max_iter: int = 200,
        flips: int = 1,
        accept_equal: bool = False,
        restarts: int = 0,
        start: Any = "random",
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
