"""What all filters of this family share: they leave columns out for what is wrong with them, and say what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector
from fewer.core.hygiene.examine import kept_columns, settled
from fewer.core.records.ranking import Ranking
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.search import top_ranked
from fewer.core.views.view import View

FILTER_CONSTRAINTS: dict[str, Any] = {
    **COMMON_CONSTRAINTS,
    "categorical_features": ["array-like", None],
    # The look at the columns reads it.
    "keep": ["array-like", str, None],
}
# Filters count rows, whatever their weight.
TAGS = MethodTags(
    targets=("none",),
    views=("codes",),
    handles_sparse=True,
    handles_nan=True,
    handles_nominal=True,
    streams=True,
    invariance=("row_order", "scale", "monotone"),
)


@dataclass(frozen=True)
class ColumnsFound:
    """A score of every column, what is wrong with some, in words, and which repeat another."""

    scores: np.ndarray
    wrong: Mapping[int, str]
    copies: dict[int, int] = field(default_factory=dict)


class HygieneFilter(BaseSelector):
    """Leaves out what `_found` finds wrong, unless it is listed in ``keep``."""

    _asks_again = False
    _parameter_constraints: dict = FILTER_CONSTRAINTS
    kind: ClassVar[str]

    def __init__(
        self,
        n_features_to_select: Any = None,
        *,
        categorical_features: Any = None,
        keep: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.categorical_features = categorical_features
        self.keep = keep
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _found(self, data: View) -> ColumnsFound:
        """Look at all columns."""
        raise NotImplementedError

    def _select(self, data: View, parts: Parts) -> Selection:
        found = self._found(data)
        listed = [(self.kind, int(j), words, found.copies.get(j)) for j, words in found.wrong.items()]
        findings = settled(data, listed, found.copies, {self.kind}, kept_columns(self.keep, data), {self.kind})
        chosen = top_ranked(lambda: Ranking(found.scores[findings.left]), parts.size)
        return replace(findings.widened(chosen, data), scores=found.scores)
