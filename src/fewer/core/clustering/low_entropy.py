"""Subspaces of a grid in which rows crowd into few cells: entropy, interest, and a search from single columns up."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from scipy.special import chdtri

from fewer.core.clustering.dense_units import joins, too_many
from fewer.core.summaries.counts import joint_ids

# A table of so many cells for each row is counted at once; a larger one is mostly empty, and its cells are hashed.
CELLS_PER_ROW = 4
# Interest that is worth telling in nats, and how often chance may look like more on all subspaces of one size.
LEAST_INTEREST, FALSE_ALARMS = 0.1, 0.01


def entropy_of_counts(counts: np.ndarray) -> float:
    """Return the entropy in nats of numbers of rows per cell; it does not depend on their order.

    Examples
    --------
    >>> round(entropy_of_counts(np.array([2, 2])), 4)
    0.6931
    """
    times = np.bincount(counts)
    times[0] = 0
    sizes = np.flatnonzero(times)
    times = times[sizes]
    n = int((sizes * times).sum())
    return max(0.0, float(np.log(n) - (times * sizes * np.log(sizes)).sum() / n))


def chance_degrees(levels: list[int], minimal: bool) -> int:
    """Return the degrees of freedom of the interest of independent columns, or of its smallest gain by one of them.

    Examples
    --------
    >>> chance_degrees([3, 4, 5], True), chance_degrees([3, 4, 5], False)
    (50, 38)
    """
    cells = math.prod(levels)
    if minimal:
        return cells - 1 - sum(level - 1 for level in levels)
    return min((level - 1) * (cells // level - 1) for level in levels)


@cache
def chance_interest(degrees: int, n_rows: int, n_subspaces: int) -> float:
    """Return the interest in nats that one of so many subspaces of independent columns hardly exceeds.

    2 n times the interest is about chi-squared; in cells of few rows it is larger, but hardly twice what is expected.
    """
    rare = float(chdtri(degrees, FALSE_ALARMS / n_subspaces))
    return max(LEAST_INTEREST, max(2.0 * degrees, rare) / (2.0 * n_rows))


@dataclass(frozen=True, eq=False)
class Subspace:
    """A subspace with its entropy, interest (total correlation) and what interest its last column added at least."""

    columns: tuple[int, ...]
    entropy: float
    interest: float
    gain: float


@dataclass(eq=False)
class EntropySearch:
    """Apriori search for subspaces of low entropy.

    Attributes
    ----------
    codes : ndarray of shape (n_rows, n_features)
        Bins.
    max_entropy : float
        Subspaces of at least this entropy, and all that have them as a part, are passed over.
    min_interest : float or None
        What interest, or gain of interest, must exceed; None is what chance explains.
    minimal : bool
        Whether subspaces of enough interest are reported and not extended; or all are extended, and those of enough
        gain reported.
    max_dim, max_units, name
        Bounds, and who asks.
    """

    codes: np.ndarray
    max_entropy: float
    min_interest: float | None
    minimal: bool
    max_dim: int | None
    max_units: int
    name: str
    found: list[Subspace] = field(default_factory=list)

    def run(self) -> list[Subspace]:
        """Return the reported subspaces, those of most interest (or gain) first."""
        self.codes = np.ascontiguousarray(self.codes.T)
        counts = [np.bincount(column) for column in self.codes]
        self.levels = [len(count) for count in counts]
        self.used = [int(np.count_nonzero(count)) for count in counts]
        single = np.array([entropy_of_counts(count) for count in counts])
        # A column with all rows in one bin adds nothing to any subspace.
        several = np.array([count.max() < count.sum() for count in counts], bool)
        self.n_several = int(several.sum())
        sets = np.flatnonzero(several & (single < self.max_entropy)).astype(np.int64)[:, None]
        interest = dict.fromkeys(map(tuple, sets.tolist()), 0.0)
        total = len(sets)
        while len(sets) > 1 and (self.max_dim is None or sets.shape[1] < self.max_dim):
            sets, interest = self._next(sets, interest, single, total)
            total += len(sets)
        key = (lambda s: s.interest) if self.minimal else (lambda s: s.gain)
        return sorted(self.found, key=lambda s: (-key(s), s.columns))

    def _next(
        self, sets: np.ndarray, before: dict[tuple[int, ...], float], single: np.ndarray, total: int
    ) -> tuple[np.ndarray, dict[tuple[int, ...], float]]:
        """Look at all subspaces with one column more, and return those to extend."""
        kept, interest = [], {}
        for candidates in joins(sets, np.arange(len(self.codes))):
            for columns, entropy in self._entropies(candidates):
                if not entropy < self.max_entropy:
                    continue
                shared = max(0.0, float(single[list(columns)].sum()) - entropy)
                parts = [before[columns[:p] + columns[p + 1 :]] for p in range(len(columns))]
                here = Subspace(columns, entropy, shared, shared - max(parts))
                enough = (here.interest if self.minimal else here.gain) > self._line(columns)
                if enough:
                    self.found.append(here)
                if not (enough and self.minimal):
                    kept.append(columns)
                    interest[columns] = shared
                if total + len(kept) + len(self.found) > self.max_units:
                    raise too_many(self.name, "subspaces", len(columns), self.max_units, "lower max_entropy")
        return np.array(kept, np.int64).reshape(len(kept), sets.shape[1] + 1), interest

    def _line(self, columns: tuple[int, ...]) -> float:
        """Return what interest, or gain, of these columns must exceed."""
        if self.min_interest is not None:
            return self.min_interest
        degrees = chance_degrees([self.used[j] for j in columns], self.minimal)
        return chance_interest(degrees, self.codes.shape[1], math.comb(self.n_several, len(columns)))

    def _entropies(self, candidates: np.ndarray) -> Iterator[tuple[tuple[int, ...], float]]:
        """Yield every candidate with its entropy; the cells of all but the last column are numbered once."""
        n, last = self.codes.shape[1], None
        ids, n_ids = np.zeros(n, np.int64), 1
        for columns in map(tuple, candidates.tolist()):
            if columns[:-1] != last:
                last = columns[:-1]
                ids, first = joint_ids([self.codes[j] for j in last], [self.levels[j] for j in last], n)
                n_ids = len(first)
            codes, levels = self.codes[columns[-1]], self.levels[columns[-1]]
            if n_ids * levels <= CELLS_PER_ROW * n:
                counts = np.bincount(ids * levels + codes)
            else:
                counts = np.bincount(joint_ids([ids, codes], [n_ids, levels], n)[0])
            yield columns, entropy_of_counts(counts)


def cells_of(codes: np.ndarray, columns: tuple[int, ...], least: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the cells of a subspace that hold more than so many rows, sorted, and their rows."""
    cells, counts = np.unique(codes[:, list(columns)], axis=0, return_counts=True)
    dense = counts > least
    return cells[dense].astype(np.int64), counts[dense]
