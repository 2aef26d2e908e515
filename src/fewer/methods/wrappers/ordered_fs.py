"""ORDERED-FS: a ranking, and a number of features by cross-validation."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.model_selection import check_cv

from fewer.core.criteria.error_curve import ErrorCurve
from fewer.core.criteria.splitters import check_scores, own_score, refuse_no_scores, splitter
from fewer.core.estimators.cv_results import as_results
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.routed import RoutedFit
from fewer.core.records.errors import ParameterError
from fewer.core.records.params import Interval
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, Reasons
from fewer.core.records.result import Selection, after
from fewer.core.records.tags import MethodTags
from fewer.core.records.trace import Step, Trace
from fewer.core.stop import Wanted
from fewer.core.views.view import View
from fewer.methods.wrappers._criteria import as_filter, check_estimator, default_estimator, tags_with
from fewer.methods.wrappers._curves import cross_validated_curve
from fewer.methods.wrappers._ranked_searches import prefix_sizes
from fewer.methods.wrappers._rankers import check_ranker, order_of, ranked, sized
from fewer.methods.wrappers._search_selector import TAGS

# Unless a size or a range is asked for, longer prefixes are not looked at.
MOST_SIZES = 100


class OrderedFS(RoutedFit):
    """Rank the features, and take as many as cross-validation finds best: ORDERED-FS.

    Any ranker with any estimator and any splitter. The ranking is made again from the training rows of every fold, so
    that the scores hold for new data; of equally good numbers the smallest is taken, or the smallest within one
    standard error of the best.

    Parameters
    ----------
    estimator : estimator or None, default=None
        What evaluates a subset: an estimator by its cross-validated score, or a criterion without one. Here an
        estimator; None is naive Bayes on classes and ridge on numbers.
    n_features_to_select : int, float, str, tuple, Stop or None, default="best"
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). "best" and
        "parsimonious" look at sizes up to 100. None keeps all.
    ranker : str or selector, default="JMI"
        What ranks the features: the name of a method, or a selector; a number of features that it has plays no part, a
        rule such as "threshold:0.3" limits the ranking.
    step : int, default=1
        How many features move at once, from one size to the next.
    nested : bool, default=True
        Whether every fold has its own ranking. One ranking of all rows is faster and has optimistic scores.
    scoring : str, callable or None, default=None
        Score of the estimator, as for ``cross_val_score``; None is its own, but balanced accuracy instead of accuracy
        if one class holds more than 80 % of the rows.
    cv : int, str, splitter, iterable or None, default=None
        Splits of the rows, the same for all subsets; None is five folds, rare classes spread over them. ORDERED-FS
        leaves one out.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    RankSearch : Ranks once, and takes criteria without an estimator, too.

    Notes
    -----
    Mean scores and their standard errors by number of features are in ``selection_.tables["curve"]``. The published
    ORDERED-FS is ``OrderedFS(estimator, ranker="InformationBlanketOrder", cv=LeaveOneOut(), nested=False)``; with
    ``ranker="ReliefF"`` this is the procedure of Hall and Holmes that section 9.7.1 of [2]_ recommends, and with
    ``ranker=Pearson("threshold:0.3"), step=5, cv=LeaveOneOut()`` the ranked-increment wrapper of its section 17.3.1.

    References
    ----------
    .. [1] E. P. Xing, "Feature selection in microarray analysis", 2003, Fig. 6.4.
    .. [2] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> OrderedFS(n_features_to_select="parsimonious").fit(X, y).selection_.indices.tolist()
    [6, 0, 9, 12, 11]
    """

    method_tags = TAGS
    _serves = ("subsets",)
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "estimator": "no_validation",
        "ranker": "no_validation",
        "step": [Interval(Integral, 1, None, closed="left")],
        "nested": ["boolean"],
        "scoring": "no_validation",
        "cv": "no_validation",
    }

    def __init__(
        self,
        estimator: Any = None,
        n_features_to_select: Any = "best",
        *,
        ranker: Any = "JMI",
        step: int = 1,
        nested: bool = True,
        scoring: Any = None,
        cv: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.n_features_to_select = n_features_to_select
        self.ranker = ranker
        self.step = step
        self.nested = nested
        self.scoring = scoring
        self.cv = cv
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _tags_in_use(self) -> MethodTags:
        return tags_with(self.estimator, self.method_tags)

    def _parts(self) -> Parts:
        check_estimator("OrderedFS", self.estimator)
        if as_filter(self.estimator) is not None:
            raise ParameterError(
                f"OrderedFS got estimator={self.estimator!r}, but cross-validates and so needs an estimator or None; "
                "pass one, or use RankSearch with this criterion."
            )
        check_ranker("OrderedFS", self.ranker)
        check_scores("OrderedFS", self.scoring, self.cv)
        parts = super()._parts()
        if parts.size.wanted(MOST_SIZES).patience is not None:
            raise ParameterError(
                f"OrderedFS got n_features_to_select={self.n_features_to_select!r}, but looks at all sizes up to a "
                "number; pass 'best', 'parsimonious', a range or a number."
            )
        return parts

    def _select(self, data: View, parts: Parts) -> Selection:
        wanted = parts.size.wanted(data.n_features)
        if wanted.free:
            wanted = replace(wanted, high=min(wanted.high, MOST_SIZES))
        ranker = sized(self.ranker, wanted.high)
        ranking = ranked(ranker, data)
        order = order_of(ranker, ranking, wanted.high)
        sizes = [k for k in prefix_sizes(wanted.low, wanted.high, self.step) if k <= len(order)] or [len(order)]
        curve = self._curve(data, order, sizes)
        if np.isneginf(curve.means).all():
            refuse_no_scores("OrderedFS", self.scoring)
        self.cv_results_ = as_results([tuple(sorted(order[:k].tolist())) for k in sizes], curve.scores.T)
        k = sizes[curve.smallest(wanted.choose)]
        return _selection(self._cut(data, ranking, order, k), ranking, order, k, curve, wanted)

    def _curve(self, data: View, order: np.ndarray, sizes: list[int]) -> ErrorCurve:
        """Cross-validate the sizes."""
        model, y = default_estimator(data) if self.estimator is None else self.estimator, np.asarray(data.target)
        given = {} if data.groups is None else {"groups": data.groups}
        folds = check_cv(splitter(self.cv, data), y, classifier=is_classifier(model))
        splits = [(np.asarray(a), np.asarray(b)) for a, b in folds.split(np.zeros((len(y), 1)), y, **given)]

        def order_of_rows(rows: np.ndarray) -> np.ndarray:
            if not self.nested:
                return order
            ranker = sized(self.ranker, sizes[-1])
            return order_of(ranker, ranked(ranker, data.rows(rows)), sizes[-1])

        scoring = own_score(model, self.scoring, data)
        return cross_validated_curve(data, order_of_rows, model, scoring, splits, sizes, data.fit_params)

    def _cut(self, data: View, ranking: Selection, order: np.ndarray, k: int) -> Reasons:
        """Return why features were dropped: what the ranker says when it ranks no more than are kept."""
        again = ranked(sized(self.ranker, k), data)
        return again.reasons if set(again.indices.tolist()) == set(order[:k].tolist()) else ranking.reasons


def _selection(
    said: Reasons, ranking: Selection, order: np.ndarray, k: int, curve: ErrorCurve, wanted: Wanted
) -> Selection:
    """Return the first k features of the order with what the ranker says of the others."""
    kept = order[:k]
    kind = np.where(said.kind == KEPT, NOT_REACHED, said.kind).astype(np.uint8)
    kind[kept] = KEPT
    place = curve.sizes.index(k)
    rule = curve.words(k, wanted.choose)
    # Other notes speak of the search of the ranker, not of this one.
    note = {j: words for j, words in said.note.items() if kind[j] == IRRELEVANT}
    reasons = replace(said, kind=kind, rule=rule, note=note)
    starts = [0, *curve.sizes[:-1]]
    steps = [
        Step(tuple(order[a:b].tolist()), (), float(m), len(curve.scores))
        for a, b, m in zip(starts, curve.sizes, curve.means)
    ]
    scores = np.full(ranking.n_features, np.nan) if ranking.scores is None else ranking.scores
    tables = {"curve": curve.table}
    meta = {"value": float(curve.means[place])}
    return Selection.build(kept, after(order, ranking.order), reasons, scores, Trace(steps), meta=meta, tables=tables)
