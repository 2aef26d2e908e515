"""Medoids that each have columns of their own: which columns, which rows, which medoids to replace (PROCLUS)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


def segmental(rows: np.ndarray, point: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return the mean absolute difference of every row to a point over some columns (Manhattan segmental distance)."""
    return np.abs(rows[:, columns] - point[columns]).mean(axis=1)


def farthest_first(rows: np.ndarray, first: int, count: int) -> np.ndarray:
    """Return numbers of rows, each the farthest from those before it; of equally far ones the first."""
    chosen = [first]
    every = np.arange(rows.shape[1])
    near = segmental(rows, rows[first], every)
    while len(chosen) < min(count, len(rows)):
        near[chosen] = -1.0
        chosen.append(int(near.argmax()))
        near = np.minimum(near, segmental(rows, rows[chosen[-1]], every))
    return np.array(chosen, np.int64)


def chosen_columns(spread: np.ndarray, total: int) -> list[np.ndarray]:
    """Return the columns of every medoid: the smallest standardized spreads of all, two or more of each.

    Parameters
    ----------
    spread : ndarray of shape (n_medoids, n_columns)
        Mean absolute difference to the medoid in every column.
    total : int
        How many columns all medoids have together.
    """
    k, d = spread.shape
    around = spread - spread.mean(axis=1, keepdims=True)
    deviation = np.sqrt((around**2).sum(axis=1, keepdims=True) / max(1, d - 1))
    z = np.divide(around, deviation, out=np.zeros_like(around), where=deviation > 0)
    taken = np.zeros((k, d), bool)
    for i in range(k):
        taken[i, np.argsort(z[i], kind="stable")[: min(2, d)]] = True
    rest = np.argsort(np.where(taken, np.inf, z).ravel(), kind="stable")
    more = max(0, min(total, k * d) - int(taken.sum()))
    taken.ravel()[rest[:more]] = True
    return [np.flatnonzero(row) for row in taken]


@dataclass(frozen=True, eq=False)
class Projected:
    """Medoids, their columns, the cluster of every row, and the mean distance of rows to the centre of their own."""

    medoids: np.ndarray
    columns: list[np.ndarray]
    labels: np.ndarray
    cost: float


@dataclass(eq=False)
class MedoidSearch:
    """Hill climbing over medoids drawn from a pool.

    Attributes
    ----------
    rows : ndarray of shape (n_rows, n_columns)
        The data, on one scale.
    n_clusters, total : int
        Number of medoids, and of their columns together.
    min_fraction : float
        A cluster with less than this fraction of an equal share of the rows has a bad medoid.
    max_failures : int
        How many replacements in a row may fail to lower the cost.
    rng : Generator
        Source of randomness.
    """

    rows: np.ndarray
    n_clusters: int
    total: int
    min_fraction: float
    max_failures: int
    rng: np.random.Generator

    def run(self, medoids: np.ndarray, pool: np.ndarray) -> tuple[Projected, list[float]]:
        """Return the best medoids found, and the costs of all that were the best for a time."""
        best = self.around(medoids)
        costs, failures = [best.cost], 0
        while failures < self.max_failures:
            bad = self._bad(best.labels)
            free = np.setdiff1d(pool, best.medoids)
            if not len(free):
                break
            medoids = best.medoids.copy()
            bad = bad[: len(free)]
            medoids[bad] = self.rng.choice(free, len(bad), replace=False)
            here = self.around(medoids)
            if here.cost < best.cost:
                best, failures = here, 0
                costs.append(best.cost)
            else:
                failures += 1
        return best, costs

    def around(self, medoids: np.ndarray) -> Projected:
        """Return columns by the rows nearer to each medoid than any other medoid is, and the clusters they give."""
        every = np.arange(self.rows.shape[1])
        spread = np.empty((len(medoids), len(every)))
        for i, medoid in enumerate(medoids):
            far = segmental(self.rows, self.rows[medoid], every)
            others = np.delete(medoids, i)
            near = far <= far[others].min(initial=np.inf)
            spread[i] = np.abs(self.rows[near] - self.rows[medoid]).mean(axis=0)
        return self._clustered(medoids, chosen_columns(spread, self.total))

    def refined(self, found: Projected) -> Projected:
        """Return columns by the clusters themselves, and the clusters these give."""
        spread = np.zeros((len(found.medoids), self.rows.shape[1]))
        for i, medoid in enumerate(found.medoids):
            mine = self.rows[found.labels == i]
            if len(mine):
                spread[i] = np.abs(mine - self.rows[medoid]).mean(axis=0)
        return self._clustered(found.medoids, chosen_columns(spread, self.total))

    def _clustered(self, medoids: np.ndarray, columns: list[np.ndarray]) -> Projected:
        away = distances_to(self.rows, self.rows[medoids], columns)
        labels = away.argmin(axis=1)
        cost = 0.0
        for i, mine in enumerate(columns):
            part = self.rows[labels == i][:, mine]
            if len(part):
                cost += float(np.abs(part - part.mean(axis=0)).mean(axis=1).sum())
        return Projected(medoids, columns, labels, cost / len(self.rows))

    def _bad(self, labels: np.ndarray) -> np.ndarray:
        """Return the medoid of the smallest cluster, and those of clusters with very few rows."""
        sizes = np.bincount(labels, minlength=self.n_clusters)
        bad = sizes < self.min_fraction * len(labels) / self.n_clusters
        bad[sizes.argmin()] = True
        return np.flatnonzero(bad)


def distances_to(rows: np.ndarray, medoids: np.ndarray, columns: list[np.ndarray]) -> np.ndarray:
    """Return the distance of every row to every medoid, each in its own columns."""
    return np.column_stack([segmental(rows, point, mine) for point, mine in zip(medoids, columns)])


def reach(medoids: np.ndarray, columns: list[np.ndarray]) -> np.ndarray:
    """Return how far each medoid is from the nearest other one, in its own columns; rows beyond all are outliers."""
    out = np.full(len(medoids), np.inf)
    for i, mine in enumerate(columns):
        out[i] = np.delete(segmental(medoids, medoids[i], mine), i).min(initial=np.inf)
    return out
