"""A population of subsets that is selected, crossed and mutated."""

from __future__ import annotations

from typing import Any

from fewer.core.estimators.parts import Parts
from fewer.core.records.params import FRACTION
from fewer.core.search.by_name import Genetic
from fewer.core.search.setgen import SetGen
from fewer.core.views.view import View
from fewer.methods.wrappers._search_selector import RANDOM_TAGS, SearchSelector, constraints_with, keep


class GeneticSelector(SearchSelector):
    """Evolve a population of subsets.

    Each generation draws parents by fitness, crosses them in pairs and flips features of the children; the answer is
    the best subset ever seen.

    Parameters
    ----------
    estimator : estimator, str, criterion or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. None is naive
        Bayes on classes and ridge on numbers; criteria are "cfs", "inconsistency", "mutual_information", "separability"
        and "mahalanobis".
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); "parsimonious" is
        the smallest within one standard error of the best; None keeps all.
    population : int, default=30
        Subsets in each generation, an even number.
    generations : int, default=30
        Most generations after the first.
    crossover : {"one-point", "uniform"}, default="one-point"
        How two parents make two children.
    crossover_rate : float, default=0.9
        Fraction of pairs that are crossed; the others are copied.
    mutation_rate : float or None, default=None
        Fraction of features that flip in a child; None is one divided by their number.
    selection : {"rank", "proportional", "tournament"}, default="rank"
        Whether parents are drawn by rank, in proportion to fitness, or as the better of two.
    elite : int, default=1
        How many of the best are copied unchanged into the next generation.
    goal : float or None, default=None
        A value that is good enough to end the search.
    patience : int or None, default=10
        How many steps in a row may fail to find a better subset: generations; None sets no bound.
    size_weight : float, default=0.0
        How much few features count beside the score: the fitness of SET-Gen, which takes 0.25.
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
    EBNASelector : Learns which features go together.

    Notes
    -----
    The figure in [1]_ selects in proportion to fitness, which hardly tells accuracies of 0.90 and 0.93 apart; ranks do.
    The fitness of SET-Gen is (1 - w) A + w (1 - (S + F) / 2) with the score A, the fraction of features F, the weight
    w, and F in place of the size S of the model.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 3.6.4, Fig. 3.7.
    .. [2] K. J. Cherkauer and J. W. Shavlik, "Growing simpler decision trees to facilitate knowledge discovery", KDD
       1996.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> GeneticSelector(random_state=0).fit(X, y).selection_.indices.tolist()
    [6, 12, 0, 10, 2, 9, 3, 4]
    """

    method_tags = RANDOM_TAGS
    _search_by = Genetic
    _parameter_constraints: dict = constraints_with(Genetic, size_weight=[FRACTION])

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: Any = "best",
        *,
        population: int = 30,
        generations: int = 30,
        crossover: str = "one-point",
        crossover_rate: float = 0.9,
        mutation_rate: float | None = None,
        selection: str = "rank",
        elite: int = 1,
        goal: float | None = None,
        patience: int | None = 10,
        size_weight: float = 0.0,
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

    def _judge(self, data: View, parts: Parts) -> tuple[Any, View]:
        criterion, view = super()._judge(data, parts)
        return (SetGen(criterion, 1.0 - self.size_weight) if self.size_weight else criterion), view
