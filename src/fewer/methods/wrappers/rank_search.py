"""The best prefix of a ranking."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fewer.core.estimators.parts import Parts
from fewer.core.search import Units
from fewer.core.views.view import View
from fewer.methods.wrappers._ranked_searches import Prefixes
from fewer.methods.wrappers._rankers import check_ranker, order_of, ranked, sized, unit_order
from fewer.methods.wrappers._search_selector import SearchSelector, constraints_with, keep


class RankSearch(SearchSelector):
    """Rank the features once and take the best prefix of the ranking.

    The subsets of the best, the two best, the three best features and so on are evaluated; of equally good ones the
    smallest is taken. One evaluation per size, by an estimator or by a criterion such as "cfs". With ``step=5``,
    leave-one-out and a ranking by correlation this is the ranked-increment selection of the 70-gene signature.

    Parameters
    ----------
    estimator : estimator, str, criterion or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. None is naive
        Bayes on classes and ridge on numbers; criteria are "cfs", "inconsistency", "mutual_information", "separability"
        and "mahalanobis".
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); "parsimonious" is
        the smallest within one standard error of the best; None keeps all.
    ranker : str or selector, default="MIM"
        What ranks the features: the name of a method, or a selector; a number of features that it has plays no part, a
        rule such as "threshold:0.3" limits the ranking.
    step : int, default=1
        How many features move at once.
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
    OrderedFS : Ranks again inside every fold, so that the scores are not optimistic.
    BIRS : Skips features of the ranking that do not help.

    Notes
    -----
    The ranking sees all rows, also those on which an estimator is tested: the scores in ``selection_.trace`` are
    optimistic.

    References
    ----------
    .. [1] M. A. Hall and G. Holmes, "Benchmarking attribute selection techniques for discrete class data mining", IEEE
       TKDE 15, 2003.
    .. [2] L. J. van 't Veer et al., "Gene expression profiling predicts clinical outcome of breast cancer", Nature 415,
       2002.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> RankSearch("cfs", discretizer="mdl").fit(X, y).selection_.indices.tolist()
    [3, 2]
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> RankSearch(KNeighborsClassifier(), ranker="FTest").fit(X, y).selection_.indices.tolist()
    [2, 3, 0, 1]
    """

    _search_by = Prefixes
    _parameter_constraints: dict = constraints_with(Prefixes, ranker="no_validation")

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: Any = "best",
        *,
        ranker: Any = "MIM",
        step: int = 1,
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

    def _search(self) -> Prefixes:
        check_ranker(type(self).__name__, self.ranker)
        return super()._search()

    def _with_data(self, parts: Parts, data: View, units: Units) -> Prefixes:
        # Groups move as one: all columns are ranked, since the best of a group may come late.
        high = parts.size.wanted(len(units) + units.n_fixed).high
        most = data.n_features if self.feature_groups is not None else min(high, data.n_features)
        ranker = sized(self.ranker, most + len(units.fixed_columns))
        ranking = ranked(ranker, data)
        order = unit_order(order_of(ranker, ranking, data.n_features), units)
        return replace(parts.search, order=order, ranking=ranking)
