"""Good subsets teach a distribution, which proposes new ones."""

from __future__ import annotations

from typing import Any

from fewer.core.search.by_name import EBNA, DependenceTree
from fewer.methods.wrappers._search_selector import RANDOM_TAGS, SearchSelector, constraints_with, keep


class DependenceTreeSelector(SearchSelector):
    """Draw subsets from a tree of dependent bits that good subsets teach: COMIT.

    The best fraction of each population updates how often features and pairs of them are in, where older populations
    fade. The tree of pairs with the largest total mutual information gives the next population.

    Parameters
    ----------
    estimator : estimator, str, criterion or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. None is naive
        Bayes on classes and ridge on numbers; criteria are "cfs", "inconsistency", "mutual_information", "separability"
        and "mahalanobis".
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); "parsimonious" is
        the smallest within one standard error of the best; None keeps all.
    population : int, default=50
        Subsets in each generation.
    generations : int, default=20
        Most generations.
    best_fraction : float, default=0.2
        Fraction of the population that teaches the tree.
    decay : float, default=0.7
        Weight of earlier populations when a new one comes.
    patience : int, default=5
        How many steps in a row may fail to find a better subset: generations.
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
    EBNASelector : Learns a network instead of a tree.

    References
    ----------
    .. [1] S. Baluja and S. Davies, "Combining multiple optimization runs with optimal dependency trees", 1997.
    .. [2] E. P. Xing, "Feature selection in microarray analysis", 2003, Fig. 6.3.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> DependenceTreeSelector(random_state=0).fit(X, y).selection_.indices.tolist()
    [12, 9, 6, 0, 3, 5, 2, 4]
    """

    method_tags = RANDOM_TAGS
    _search_by = DependenceTree
    _parameter_constraints: dict = constraints_with(DependenceTree)

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: Any = "best",
        *,
        population: int = 50,
        generations: int = 20,
        best_fraction: float = 0.2,
        decay: float = 0.7,
        patience: int = 5,
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


class EBNASelector(SearchSelector):
    """Draw subsets from a Bayesian network that good subsets teach: FSS-EBNA.

    The better half of the population teaches a network over the features, arc by arc as long as the BIC rises; the best
    of old and new subsets live on.

    Parameters
    ----------
    estimator : estimator, str, criterion or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. None is naive
        Bayes on classes and ridge on numbers; criteria are "cfs", "inconsistency", "mutual_information", "separability"
        and "mahalanobis".
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); "parsimonious" is
        the smallest within one standard error of the best; None keeps all.
    population : int, default=100
        Subsets in each generation; the literature takes 1000.
    generations : int, default=20
        Most generations.
    max_parents : int or None, default=None
        Most parents of a feature; 0 takes them as independent. None is 2, and 0 for more than 300 features.
    smoothing : float, default=1.0
        Added to the counts of what is in and what is out.
    patience : int, default=2
        How many steps in a row may fail to find a better subset: generations.
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
    DependenceTreeSelector : Learns a tree.

    References
    ----------
    .. [1] I. Inza, P. Larranaga, R. Etxeberria and B. Sierra, "Feature subset selection by Bayesian network-based
       optimization", Artificial Intelligence 123, 2000.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> EBNASelector(random_state=0).fit(X, y).selection_.indices.tolist()
    [9, 6, 12, 3, 0, 2, 4, 10, 7]
    """

    method_tags = RANDOM_TAGS
    _search_by = EBNA
    _parameter_constraints: dict = constraints_with(EBNA)

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: Any = "best",
        *,
        population: int = 100,
        generations: int = 20,
        max_parents: int | None = None,
        smoothing: float = 1.0,
        patience: int = 2,
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
