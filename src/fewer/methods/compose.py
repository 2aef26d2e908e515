"""The free product: any criterion with any search and any stop rule; and chains of selectors."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from fewer.core.base.errors import RequirementError
from fewer.core.base.params import Interval, StrOptions
from fewer.core.base.rankers import ScoreBase
from fewer.core.base.reasons import KEPT
from fewer.core.base.result import Selection
from fewer.core.base.selector import BaseSelector
from fewer.core.base.tags import MethodTags
from fewer.core.search import as_incremental, as_ranking, greedy_forward, top_ranked, turf
from fewer.core.stop import as_stop
from fewer.core.views.codes import codes_view, unchanged_by
from fewer.core.views.view import View


class Selector(BaseSelector):
    """Combine a criterion, a search and a stop rule.

    Parameters
    ----------
    criterion : object
        A ranking, incremental or weights criterion, such as ``fewer.InformationGain.criterion``. What it ``requires``
        decides the view it is given. Or a selector that ranks by scores, such as ``fewer.ReliefF(n_neighbors=20)``,
        which scores with its own parameters; its number of features plays no part.
    search : {"top", "greedy", "turf"}, default="top"
        Keep the best of a ranking, add the best feature step by step, or drop the worst, score the rest again, and so
        on; the last is what makes scores of the Relief family find few features among very many.
    n_features_to_select : int, float, str, Stop or None, default=10
        When it is enough.
    task : {"classification", "regression", "none"}, default="classification"
        What kind of target the criterion takes; a selector knows by itself.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are cut into levels if the criterion requires codes.
    bins : int, default=10
        Number of levels for "quantile" and "uniform".
    drop : int or float, default=0.1
        With search="turf": how many features leave per round, or which share of those that are left.
    n_jobs : int, default=None
        Number of threads.

    Examples
    --------
    >>> import fewer
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> fewer.Selector(fewer.GiniGain.criterion, n_features_to_select=2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    >>> turf = fewer.Selector(fewer.GiniGain.criterion, "turf", 1, drop=1).fit(X, y).selection_
    >>> turf.order.tolist(), [step.removed for step in turf.trace]
    ([3, 2, 0, 1], [(), (1,), (0,), (2,)])
    """

    method_tags: ClassVar[MethodTags] = MethodTags(
        kind="subset", task="classification", views=("codes", "dense"), handles_nominal=True, handles_nan=True
    )
    _parameter_constraints: dict = {
        "search": [StrOptions({"top", "greedy", "turf"})],
        "task": [StrOptions({"classification", "regression", "none"})],
        "drop": [Interval(Integral, 1, None, closed="left"), Interval(Real, 0, 1, closed="neither")],
    }

    def __init__(
        self,
        criterion: Any,
        search: str = "top",
        n_features_to_select: Any = 10,
        *,
        task: str = "classification",
        discretizer: Any = "quantile",
        bins: int = 10,
        drop: int | float = 0.1,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.search = search
        self.n_features_to_select = n_features_to_select
        self.task = task
        self.discretizer = discretizer
        self.bins = bins
        self.drop = drop
        self.n_jobs = n_jobs

    def _tags_in_use(self) -> MethodTags:
        if isinstance(self.criterion, ScoreBase):
            tags = replace(self.criterion._tags_in_use(), kind="subset")
            return replace(tags, handles_weights=False, weights_count_rows=False)
        codes = "codes" in getattr(self.criterion, "requires", ())
        tags = MethodTags(
            kind="subset",
            task=self.task,
            views=("codes",) if codes else ("dense",),
            handles_nominal=codes,
            handles_nan=codes,
            streams=codes,
        )
        return tags.unchanged_only_by(unchanged_by(self.discretizer)) if codes else tags

    def _check_parts(self) -> None:
        part = self.criterion
        if isinstance(part, ScoreBase):
            part._validate_params()
            part._check_parts()
            tested = getattr(part._criterion(), "has_pvalues", False) and not part._cuts_by_target()
        elif hasattr(part, "requires"):
            tested = getattr(part, "has_pvalues", False)
        else:
            raise RequirementError(
                f"Selector got criterion={part!r}, which does not say what view it requires; pass a criterion object, "
                "such as fewer.InformationGain.criterion, or a selector that scores features, such as fewer.ReliefF()."
            )
        offered = ["cut"] if self.search == "top" else ["done"]
        if self.search == "top" and tested:
            offered.append("p-values")
        as_stop(self.n_features_to_select).check(f"Selector with search={self.search!r}", offered)

    def _select(self, data: View) -> Selection:
        stop = as_stop(self.n_features_to_select)
        criterion, view = self.criterion, data
        if isinstance(criterion, ScoreBase):
            view, criterion = criterion._view(data), criterion._criterion()
        elif "codes" in criterion.requires:
            view = codes_view(data, self.discretizer, self.bins)
        if self.search == "greedy":
            return greedy_forward(view, as_incremental(criterion), stop)
        ranking = as_ranking(criterion)
        if self.search == "turf":
            return turf(view, ranking, stop, self.drop)
        return top_ranked(lambda: ranking.scores(view), stop)


class Chain(BaseSelector):
    """Apply selectors one after another; each sees only what the one before kept.

    Parameters
    ----------
    selectors : list of selectors
        At least one; the first sees all features.

    Examples
    --------
    >>> import fewer
    >>> from fewer.methods.compose import Chain
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> chain = Chain([fewer.FTest(3), fewer.InformationGain(1)])
    >>> chain.fit(X, y).selection_.indices.tolist()
    [3]
    """

    method_tags: ClassVar[MethodTags] = MethodTags(kind="subset", task="any", views=("dense",))
    _parameter_constraints: dict = {"selectors": [list, tuple]}

    def __init__(self, selectors: Any) -> None:
        self.selectors = selectors

    def _tags_in_use(self) -> MethodTags:
        return self.selectors[0]._tags_in_use()

    def _fit(self, X: Any, y: Any, weight: Any) -> Chain:
        from sklearn.base import clone

        if not self.selectors:
            raise RequirementError("Chain got no selectors; pass a list with at least one.")
        self._validate_params()
        left: np.ndarray | None = None
        fitted = []
        for selector in self.selectors:
            now = clone(selector)
            now.fit(X if left is None else _columns(X, left), y)
            fitted.append(now)
            kept = now.selection_.indices
            left = kept if left is None else left[kept]
        self.selectors_ = fitted
        self.n_features_in_ = fitted[0].n_features_in_
        if hasattr(fitted[0], "feature_names_in_"):
            self.feature_names_in_ = fitted[0].feature_names_in_
        self.selection_ = _joined([f.selection_ for f in fitted]).with_meta(method="Chain")
        self.support_, self.ranking_ = self.selection_.support, self.selection_.ranking
        return self


def _columns(X: Any, chosen: np.ndarray) -> Any:
    if hasattr(X, "iloc"):
        return X.iloc[:, chosen]
    if hasattr(X, "columns"):
        return X[[X.columns[j] for j in chosen]]
    return (X if hasattr(X, "shape") else np.asarray(X))[:, chosen]


def _joined(selections: list[Selection]) -> Selection:
    """Put the reasons of all selections on the numbering of the first."""
    first = selections[0]
    kind, note = first.reasons.kind.copy(), dict(first.reasons.note)
    related, amount, needs = dict(first.reasons.related), dict(first.reasons.amount), first.reasons.needs
    order_tail, numbers = [first.order[len(first.indices) :]], first.indices
    for step, selection in enumerate(selections[1:], start=2):
        method = selection.meta.get("method")
        told = replace(selection.reasons, needs=selection.reasons.score_need(f"score by {method}", selection.scores))
        reasons = told.spread(numbers, first.n_features)
        kind[numbers] = told.kind
        for j in numbers[told.kind != KEPT].tolist():
            words = f"dropped by selector {step}, {method}: {reasons.rule}"
            note[j] = f"{words}; {reasons.note[j]}" if reasons.note.get(j) else words
        related |= reasons.related
        amount |= reasons.amount
        needs = (*needs, *reasons.needs)
        order_tail.insert(0, numbers[selection.order[len(selection.indices) :]])
        numbers = numbers[selection.indices]
    reasons = replace(first.reasons, kind=kind, note=note, related=related, amount=amount, needs=needs)
    order = np.concatenate([numbers, *order_tail])
    return replace(first, indices=numbers, order=order, reasons=reasons).settled()
