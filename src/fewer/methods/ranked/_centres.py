"""Elimination by class centres: which feature can go so that the classes stay as far apart as they were."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from fewer.core.kernels import centres as kernels
from fewer.core.runners.base import Runner
from fewer.core.summaries.orders import OrderCounts, PairOrders
from fewer.core.views.view import View

# Candidates that are looked at together, and the share of gone features at which the tables are cut anew.
LANES = 256
TASKS = 4
STALE = 0.06


class _Centre:
    """The centre of one class over the features that are left, and the tables that say how it would change."""

    def __init__(self, balance: np.ndarray, n_rows: int) -> None:
        self.balance, self.reach = balance, 2 * n_rows
        # Twice the rank sums, less the same number for all features.
        self.all_keys = -balance.sum(axis=1, dtype=np.int64)

    def cut(self, numbers: np.ndarray) -> None:
        """Keep only the given features, in this order, in tables of LANES candidates each."""
        n = len(numbers)
        n_slabs = -(-n // LANES)
        self.slabs = np.empty((n_slabs, n, LANES), self.balance.dtype)
        self.lowest, self.highest = np.empty((2, n_slabs, n), self.balance.dtype)
        kernels.cut_slabs(self.balance, numbers, self.slabs, self.lowest, self.highest)
        self.low, self.high = self.lowest.min(axis=0), self.highest.max(axis=0)
        self.keys = self.all_keys[numbers]
        self.order = np.argsort(self.keys, kind="stable")
        # Candidates past the last feature have a place too, which nobody reads.
        self.place = np.zeros(n_slabs * LANES, np.int32)
        self.rank = np.zeros(n, np.int64)
        self.sort()

    def sort(self) -> None:
        """Bring the order up to date with the keys."""
        kernels.resort(self.keys, self.order)
        kernels.places(self.keys, self.order, self.place, self.rank)

    def meet(self) -> int:
        """List the pairs that may change places; return the largest number of them that one feature is in."""
        room = 4 * len(self.order)
        while True:
            pairs, gaps = np.empty((room, 2), np.int32), np.empty(room, np.int32)
            found = kernels.near_pairs(self.keys, self.order, self.reach, self.low, self.high, pairs, gaps)
            if found <= room:
                break
            room = found
        self.pairs, self.gaps = pairs[:found], gaps[:found]
        return int(np.bincount(self.pairs.ravel(), minlength=1).max()) if found else 0

    def drop(self, at: int, number: int) -> None:
        """Take a feature away."""
        self.keys -= self.slabs[at // LANES, :, at % LANES]
        self.all_keys -= self.balance[number]
        self.order = self.order[self.order != at]
        self.sort()


class _Scratch:
    """What one thread writes on: changes of ranks per class, feature and candidate."""

    def __init__(self, n_classes: int, n: int, dtype: type) -> None:
        self.change: np.ndarray = np.zeros((n_classes, n, LANES), dtype)
        self.touched = np.zeros((n_classes, n), bool)


class CentreDistances:
    r"""Remove the feature without which the distances between the class centres are nearest to the first ones.

    Four times Spearman's distance between the centres of two classes is a sum of squares of whole numbers. The rank
    sums without k are those with k less one row of the table of pair counts, so neighbours in a centre change
    places only if their rank sums differ by no more than that row says; all other ranks are known from the
    ranks with k. Values are exact, and no instance is read.
    """

    value = 0.0

    def start(self, view: View) -> None:
        """Find the class centres over all features."""
        self._begin(view.fold(OrderCounts(view.n_classes)), view.run)

    def _begin(self, counts: PairOrders, run: Runner) -> None:
        self.run, self.n = run, counts.before.shape[1]
        present = np.flatnonzero(counts.rows)
        self.centres = [_Centre(counts.balance(int(c)), int(counts.rows[c])) for c in present]
        self.pairs = list(combinations(range(len(self.centres)), 2))
        self.numbers = np.arange(self.n)
        self.alive = np.ones(self.n, bool)
        self._cut()
        self.target = [self._distance(a, b) for a, b in self.pairs]

    def _cut(self) -> None:
        left = self.numbers[self.alive]
        # Neighbours in a centre resemble each other, so that the bounds of a table are narrow.
        self.numbers = left[np.argsort(self.centres[0].all_keys[left], kind="stable")]
        self.alive = np.ones(len(self.numbers), bool)
        self.spare: list[_Scratch] = []
        for centre in self.centres:
            centre.cut(self.numbers)

    def _distance(self, a: int, b: int) -> int:
        x = self.centres[a].rank - self.centres[b].rank
        return int((x[self.alive] ** 2).sum())

    def worst(self, left: np.ndarray) -> int:
        """Return the feature without which the distances are nearest to the first ones."""
        worst, self.value = pick(*self.candidates())
        return worst

    def candidates(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the features and, per pair of classes, the difference of four times the distance from the first."""
        n = len(self.numbers)
        values = np.zeros((len(self.pairs), -(-n // LANES) * LANES), np.int64)
        widest = max(1, *(centre.meet() for centre in self.centres))
        dtype = np.int8 if 4 * widest < 127 else np.int32
        # The largest term z (2 (X - s) + z), with two changes of at most two per neighbour each.
        safe = 2**31 // (4 * widest * (4 * n + 8 + 4 * widest)) if dtype is np.int8 else 1

        def work(start: int, stop: int) -> None:
            scratch = self._scratch(dtype)
            for t in range(start, stop):
                self._flips(t, scratch, safe, values)
            # Appending and popping are atomic; a thread never meets the scratch of another.
            self.spare.append(scratch)

        self.run.scan(work, len(self.centres[0].slabs), max(1, -(-len(self.centres[0].slabs) // TASKS)))
        tree, sums, base = np.zeros(n + 2, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
        for at, (a, b) in enumerate(self.pairs):
            one, two = self.centres[a], self.centres[b]
            kernels.unflipped(one.order, one.place, one.rank, two.order, two.place, two.rank, tree, sums, base)
            values[at, :n] += base - self.target[at]
        return self.numbers[self.alive], values[:, :n][:, self.alive]

    def _scratch(self, dtype: type) -> _Scratch:
        """Return scratch that is all zero, used before if possible: fresh memory is slow."""
        while self.spare:
            scratch = self.spare.pop()
            if scratch.change.dtype == dtype:
                return scratch
        return _Scratch(len(self.centres), len(self.numbers), dtype)

    def _flips(self, t: int, scratch: _Scratch, safe: int, values: np.ndarray) -> None:
        first, change, touched = t * LANES, scratch.change, scratch.touched
        for c, centre in enumerate(self.centres):
            slab, diff = centre.slabs[t], np.empty(LANES, centre.slabs.dtype)
            chosen = np.empty(len(centre.gaps) + 1, np.int32)
            some = kernels.turning(slab, centre.lowest[t], centre.highest[t], centre.pairs, centre.gaps, chosen)
            kernels.turn(slab, centre.pairs, centre.gaps, chosen[:some], first, diff, change[c], touched[c])
        for at, (a, b) in enumerate(self.pairs):
            one, two = self.centres[a], self.centres[b]
            kernels.flipped_distance(
                one.order,
                touched[a],
                touched[b],
                change[a],
                change[b],
                one.place,
                two.place,
                one.rank,
                two.rank,
                first,
                safe,
                values[at, first : first + LANES],
            )
        kernels.clear(touched, change)

    def remove(self, feature: int) -> None:
        """Take a feature away."""
        at = int(np.flatnonzero(self.numbers == feature)[0])
        self.alive[at] = False
        for centre in self.centres:
            centre.drop(at, feature)
        if self.alive.sum() < (1 - STALE) * len(self.numbers):
            self._cut()


def pick(numbers: np.ndarray, away: np.ndarray) -> tuple[int, float]:
    """Return the feature with the smallest Euclidean length of ``away``, of equal ones the highest, and the length.

    Squares of such numbers do not fit 64 bits, so lengths that agree to about 12 digits are compared as integers
    of any size.
    """
    if not len(away):
        return int(numbers.max()), 0.0
    rough = np.sqrt((away.astype(float) ** 2).sum(axis=0))
    near = np.flatnonzero(rough <= rough.min() * (1 + 1e-12))
    best = min(near, key=lambda at: (sum(int(v) ** 2 for v in away[:, at]), -int(numbers[at])))
    return int(numbers[best]), float(rough[best]) / 4.0
