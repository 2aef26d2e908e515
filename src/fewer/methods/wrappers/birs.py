"""The best incremental ranked subset."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fewer.core.estimators.parts import Parts
from fewer.core.search import Units
from fewer.core.views.view import View
from fewer.methods.wrappers._ranked_searches import Increments
from fewer.methods.wrappers._rankers import check_ranker, order_of, ranked, sized, unit_order
from fewer.methods.wrappers._search_selector import SearchSelector, constraints_with, keep


class BIRS(SearchSelector):
    """Go down a ranking once and take each feature that makes the subset significantly better.

    With an estimator, features are ranked by the score that the estimator reaches with each alone, and one joins if
    Student's paired t-test over the folds finds the subset with it better. With a criterion such as "cfs", they are
    ranked by the criterion, and one joins if it gains enough. The first feature always joins.

    Parameters
    ----------
    estimator : estimator, str, criterion or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. None is naive
        Bayes on classes and ridge on numbers; criteria are "cfs", "inconsistency", "mutual_information", "separability"
        and "mahalanobis".
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). It is the most
        that may join; "best" sets no bound.
    ranker : str, selector or None, default=None
        What ranks the features: the name of a method, or a selector; None takes the value of each feature alone.
    alpha : float, default=0.1
        Level of the t-test, two-tailed, for estimators.
    min_improvement : float, default=0.005
        What a feature must gain, for criteria without folds.
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
    RankSearch : Takes a prefix of the ranking.
    SequentialSelector : Evaluates all features in every step.

    Notes
    -----
    Two evaluations per feature in all. A dropped feature is irrelevant if it is worth no more alone than nothing,
    otherwise redundant to the features that were in when it was tried.

    References
    ----------
    .. [1] R. Ruiz, J. S. Aguilar-Ruiz and J. C. Riquelme, "Efficient incremental-ranked feature selection in massive
       data", in "Computational Methods of Feature Selection", 2008, chapter 8.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> BIRS("cfs", discretizer="mdl").fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    _search_by = Increments
    _parameter_constraints: dict = constraints_with(Increments, ranker="no_validation")

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: Any = "best",
        *,
        ranker: Any = None,
        alpha: float = 0.1,
        min_improvement: float = 0.005,
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

    def _search(self) -> Increments:
        if self.ranker is not None:
            check_ranker(type(self).__name__, self.ranker)
        return super()._search()

    def _with_data(self, parts: Parts, data: View, units: Units) -> Increments:
        if self.ranker is None:
            return parts.search
        ranker = sized(self.ranker, data.n_features)
        return replace(parts.search, order=unit_order(order_of(ranker, ranked(ranker, data), data.n_features), units))
