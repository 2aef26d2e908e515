"""How well an independent clusterer predicts its own clusters of other rows, by number of features."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score

from fewer.core.criteria.error_curve import ErrorCurve
from fewer.core.records.result_table import ResultTable
from fewer.core.runners import progress
from fewer.methods.unsupervised._clusters import as_clusterer
from fewer.methods.unsupervised._distance_sums import DistanceRows

N_HALVES = 5


class AgreementCurve(ErrorCurve):
    """Agreement of clusters by number of features."""

    @property
    def table(self) -> ResultTable:
        """The curve as a table."""
        columns = {"features": self.sizes, "mean agreement": self.means, "standard error": self.errors}
        return ResultTable("Agreement of clusters on rows held out, by number of features", columns, "curve")

    def words(self, size: int, choose: str) -> str:
        """Return why a size was chosen."""
        near = " within one standard error of the best" if choose == "parsimonious" else ""
        what = "1 feature has" if size == 1 else f"{size} features have"
        place = self.sizes.index(size)
        return f"clusters of {what} agreement {self.means[place]:.4g} on rows held out, the fewest as good{near}"


def held_out_curve(
    rows: DistanceRows, order: np.ndarray, sizes: list[int], clusterer: Any, rng: np.random.Generator
) -> AgreementCurve:
    """Cluster halves of the rows on the first features of an order, each apart from the other.

    The clusters that the model of one half predicts for the other half are compared with those found there, by the
    adjusted Rand index; one number per pair of halves, the mean of both directions.
    """
    n, seed = len(rows.X), int(rng.integers(2**31 - 1))
    halves = [np.array_split(rng.permutation(n), 2) for _ in range(N_HALVES)]
    scores = np.empty((N_HALVES, len(sizes)))
    for k, size in enumerate(sizes):
        points = rows.points(np.sort(order[:size]))
        for h, (a, b) in enumerate(halves):
            first, second = (as_clusterer(clusterer, len(half), seed).fit(points[half]) for half in (a, b))
            forth = adjusted_rand_score(first.predict(points[b]), second.predict(points[b]))
            back = adjusted_rand_score(second.predict(points[a]), first.predict(points[a]))
            scores[h, k] = (forth + back) / 2
        progress.report("clustering halves of the rows", k + 1, len(sizes))
    return AgreementCurve(list(sizes), scores)
