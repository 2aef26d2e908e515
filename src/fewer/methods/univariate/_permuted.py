"""What scores with an approximate null distribution share: p-values by permutations of the target instead."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fewer.core.estimators.rankers import COMMON_CONSTRAINTS, NumberScore
from fewer.core.records.params import StrOptions
from fewer.core.stop import Stop

# Permutations at most, each of which takes as long as a score.
MOST_PERMUTATIONS = 9_999


class ApproximateScore(NumberScore):
    """A score whose p-values are approximate, or those of permutations."""

    _parameter_constraints: dict = {**COMMON_CONSTRAINTS, "pvalues": [StrOptions({"approximate", "permutation"})]}

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        pvalues: str = "approximate",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(n_features_to_select, n_jobs=n_jobs, verbose=verbose)
        self.pvalues = pvalues

    def _criterion(self) -> Any:
        return replace(self.criterion, permuted=self.pvalues == "permutation")
