"""What the methods share that compare rows with near rows of their own and of other classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS, ScoreBase
from fewer.core.neighbours.row_space import as_ramp
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.views.gathered_rows import gathered
from fewer.core.views.view import View

TAGS = MethodTags(
    targets=("classes",),
    views=("dense",),
    handles_nan=True,
    handles_nominal=True,
    invariance=("row_order_untied", "scale"),
    cost="n^2*d",
)
RELIEF_CONSTRAINTS: dict[str, Any] = {
    **COMMON_CONSTRAINTS,
    # as_ramp reads it and says in one sentence what is allowed.
    "ramp": "no_validation",
    "categorical_features": ["array-like", None],
}
SAMPLE_CONSTRAINTS: dict[str, Any] = {
    "n_samples": [Interval(Integral, 1, None, closed="left"), None],
    "ties": [StrOptions({"first", "average"})],
    "random_state": [None, Interval(Integral, 0, None, closed="left"), np.random.Generator],
}
NEIGHBOUR_CONSTRAINTS: dict[str, Any] = {
    "n_neighbors": [Interval(Integral, 1, None, closed="left"), StrOptions({"log"})],
    "neighbor_weights": [StrOptions({"equal", "exponential"})],
    "sigma": [Interval(Real, 0, None, closed="neither")],
}


@dataclass(frozen=True, eq=False)
class ReliefCriterion(RankingCriterion):
    """A ranking by a function of the view."""

    weigh: Callable[[View], np.ndarray]
    requires = ("dense",)

    def scores(self, view: View) -> Ranking:
        """Return the weights as scores."""
        return Ranking(self.weigh(view))


class ReliefBase(ScoreBase):
    """Ranks features by weights that `_weights` computes."""

    _parameter_constraints: dict = RELIEF_CONSTRAINTS
    ramp: Any

    def _tags_in_use(self) -> MethodTags:
        if getattr(self, "n_samples", None) is not None:
            return replace(self.method_tags.unchanged_only_by(("scale",)), deterministic=False)
        if getattr(self, "ties", "first") == "average":
            return replace(self.method_tags, invariance=("row_order", "scale"))
        return self.method_tags

    def _parts(self) -> Parts:
        as_ramp(type(self).__name__, self.ramp)
        return super()._parts()

    def _reads_batches(self, parts: Parts) -> bool:
        return True

    def _reads_clusters(self, parts: Parts) -> bool:
        return True

    def _select(self, data: View, parts: Parts) -> Selection:
        return super()._select(self._together(data, parts), parts)

    def _together(self, data: View, parts: Parts) -> View:
        """Return the rows in one place, in as few bytes as hold them: every one is compared with all others."""
        return gathered(data, self.n_jobs)

    def _criterion(self) -> Any:
        return ReliefCriterion(self._weights)

    def _weights(self, view: View) -> np.ndarray:
        """Return one weight per feature."""
        raise NotImplementedError


def as_neighbours(n_neighbors: int | str, n_rows: int) -> int:
    """Return the number of neighbours; "log" stands for the natural logarithm of the number of rows, rounded."""
    return max(1, round(float(np.log(n_rows)))) if n_neighbors == "log" else int(n_neighbors)
