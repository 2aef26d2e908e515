"""Groups of columns by their similarity: around medoids, or by joining the most similar groups again and again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.records.rounding import exceeds, steady


@dataclass(frozen=True, eq=False)
class Grouping:
    """Columns in groups, each with the column that stands for it.

    Attributes
    ----------
    medoids : ndarray of int, ascending
        The columns that stand for their groups.
    member : ndarray of int of shape (n_columns,)
        The medoid of the group of every column.
    course : tuple of float
        The sum of the similarities of columns to their medoids after every step.
    """

    medoids: np.ndarray
    member: np.ndarray
    course: tuple[float, ...]

    @property
    def value(self) -> float:
        """The sum of the similarities of columns to their medoids."""
        return self.course[-1]


def assigned(similar: np.ndarray, medoids: np.ndarray) -> np.ndarray:
    """Return the medoid most similar to every column, of equal ones the lowest; medoids stay with themselves."""
    medoids = np.sort(medoids)
    member = medoids[np.argmax(similar[:, medoids], axis=1)]
    member[medoids] = medoids
    return member


def central(similar: np.ndarray, group: np.ndarray) -> int:
    """Return the column of a group most similar to its members, of equal ones the lowest."""
    return int(group[np.argmax(steady(similar[np.ix_(group, group)].sum(axis=1)))])


def farthest_first(similar: np.ndarray, first: int, k: int) -> np.ndarray:
    """Return k columns, each the one least similar to the nearest of those before it."""
    chosen, nearest = [first], similar[:, first].copy()
    while len(chosen) < k:
        nearest[chosen] = np.inf
        chosen.append(int(np.argmin(nearest)))
        nearest = np.maximum(nearest, similar[:, chosen[-1]])
    return np.array(chosen)


def around_medoids(similar: np.ndarray, first: int, k: int) -> Grouping:
    """Group columns around k medoids, starting from those farthest from each other."""
    medoids = np.sort(farthest_first(similar, first, k))
    member, seen, course = assigned(similar, medoids), set[bytes](), list[float]()
    # Ties could lead in a circle.
    while medoids.tobytes() not in seen:
        seen.add(medoids.tobytes())
        course.append(_value(similar, member))
        medoids = np.sort([central(similar, np.flatnonzero(member == m)) for m in medoids])
        member = assigned(similar, medoids)
    return Grouping(medoids, member, tuple(course))


def best_medoids(similar: np.ndarray, k: int, n_starts: int) -> Grouping:
    """Return the best of several groupings, of equal ones the first.

    Starts begin with the column that is most similar to all others, then with the next one, and so on.
    """
    firsts = np.argsort(-steady(similar.sum(axis=1)), kind="stable")[:n_starts]
    best = around_medoids(similar, int(firsts[0]), k)
    for first in firsts[1:].tolist():
        found = around_medoids(similar, first, k)
        best = found if exceeds(found.value, best.value) else best
    return best


@dataclass(frozen=True, eq=False)
class Dendrogram:
    """Which groups of columns were joined, the most similar ones first.

    Attributes
    ----------
    merges : ndarray of shape (n_columns - 1, 4)
        Scipy's linkage matrix of the dissimilarities 1 - similarity.
    n_columns : int
        Number of columns.
    """

    merges: np.ndarray
    n_columns: int

    @classmethod
    def of(cls, similar: np.ndarray, linkage: str) -> Dendrogram:
        """Join groups by the linkage "average", "complete" or "single"."""
        from scipy.cluster import hierarchy
        from scipy.spatial.distance import squareform

        if len(similar) < 2:
            return cls(np.empty((0, 4)), len(similar))
        return cls(hierarchy.linkage(squareform(1.0 - similar, checks=False), linkage), len(similar))

    def lowest(self) -> np.ndarray:
        """Return the lowest column of every node, columns first, then joined groups."""
        lowest = [*range(self.n_columns)]
        for a, b in self.merges[:, :2].astype(int).tolist():
            lowest.append(min(lowest[a], lowest[b]))
        return np.array(lowest)

    def cut(self, k: int) -> np.ndarray:
        """Return the group of every column where k groups are left, as its lowest column."""
        group, low = np.arange(self.n_columns), self.lowest()
        for a, b in self.merges[: self.n_columns - k, :2].astype(int).tolist():
            first, second = sorted((low[a], low[b]))
            group[group == second] = first
        return group


def by_linkage(similar: np.ndarray, tree: Dendrogram, k: int) -> Grouping:
    """Cut a dendrogram into k groups, each with its central column."""
    groups, member = tree.cut(k), np.empty(len(similar), np.int64)
    for low in np.unique(groups):
        group = np.flatnonzero(groups == low)
        member[group] = central(similar, group)
    return Grouping(np.unique(member), member, (_value(similar, member),))


def _value(similar: np.ndarray, member: np.ndarray) -> float:
    return float(similar[np.arange(len(similar)), member].sum())
