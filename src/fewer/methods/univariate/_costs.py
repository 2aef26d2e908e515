"""The constructor of scores that may know what errors cost."""

from __future__ import annotations

from typing import Any, ClassVar

from fewer.core.estimators.rankers import CODES_CONSTRAINTS, CodesScore
from fewer.core.estimators.selector import WeightedFit
from fewer.core.stop import Stop
from fewer.methods.univariate._criteria import CostMeasure, CostScore


class CostCodesScore(WeightedFit, CodesScore):
    """A score of codes in which class fractions may be weighed by what errors cost (section 9.4.2 of the book)."""

    cost_measure: ClassVar[CostMeasure]
    _parameter_constraints: dict = {**CODES_CONSTRAINTS, "cost_matrix": ["array-like", None]}

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        discretizer: Any = "quantile",
        bins: int = 10,
        cost_matrix: Any = None,
        categorical_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            n_features_to_select,
            discretizer=discretizer,
            bins=bins,
            categorical_features=categorical_features,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        self.cost_matrix = cost_matrix

    def _criterion(self) -> Any:
        if self.cost_matrix is None:
            return self.criterion
        return CostScore(type(self).__name__, type(self).cost_measure, self.cost_matrix)
