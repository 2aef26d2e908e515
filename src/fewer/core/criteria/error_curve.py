"""How good so many features are, by cross-validation, and which number of them is enough."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.records.numerals import numeral
from fewer.core.records.result_table import ResultTable


@dataclass(frozen=True, eq=False)
class ErrorCurve:
    """Scores of an estimator by number of features.

    Attributes
    ----------
    sizes : list of int
        Numbers of features, ascending.
    scores : ndarray of shape (n_folds, n_sizes)
        Score in every fold; NaN where the estimator failed.
    """

    sizes: list[int]
    scores: np.ndarray

    @property
    def means(self) -> np.ndarray:
        """Mean score by size; minus infinity where a fold failed."""
        means = np.ascontiguousarray(self.scores.T).mean(axis=1)
        return np.where(np.isnan(means), -np.inf, means)

    @property
    def errors(self) -> np.ndarray:
        """Standard error of the mean by size: the standard deviation over the folds over the root of their number."""
        n = len(self.scores)
        return self.scores.std(axis=0, ddof=1) / np.sqrt(n) if n > 1 else np.zeros(len(self.sizes))

    @property
    def table(self) -> ResultTable:
        """The curve as a table."""
        columns = {"features": self.sizes, "mean score": self.means, "standard error": self.errors}
        return ResultTable("Cross-validated score by number of features", columns, "curve")

    def words(self, size: int, choose: str) -> str:
        """Return why a size was chosen."""
        near = " within one standard error of the best" if choose == "parsimonious" else ""
        what = "1 feature scores" if size == 1 else f"{size} features score"
        return f"{what} {numeral(self.means[self.sizes.index(size)])} by cross-validation, the fewest as good{near}"

    def smallest(self, choose: str) -> int:
        """Return the place of the smallest size that is best, or within one standard error of the best."""
        means = self.means
        best = int(np.argmax(means))
        if choose == "best" or not np.isfinite(self.errors[best]):
            return best
        return int(np.flatnonzero(means >= means[best] - self.errors[best])[0])
