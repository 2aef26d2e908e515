"""Elimination by class centres: which feature can go so that the classes stay as far apart as they were."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from fewer.core.kernels import centre_turns as turns
from fewer.core.kernels import centres as kernels
from fewer.core.runners.base import Runner
from fewer.core.summaries.orders import OrderCounts, PairOrders
from fewer.core.views.view import View

LANES = turns.LANES
TASKS = 4
# The share of gone features at which the tables are cut anew.
STALE = 0.06
# Remembered pairs per feature; when there are more, they are looked at again.
PAIRS = 16


class _Centre:
    """The centre of one class over the features that are left, and what is known about pairs of neighbours."""

    def __init__(self, balance: np.ndarray, n_rows: int) -> None:
        self.balance, self.reach = balance, 2 * n_rows
        # Twice the rank sums, less the same number for all features.
        self.all_keys = -balance.sum(axis=1, dtype=np.int64)

    def cut(self, numbers: np.ndarray, slabs: np.ndarray, room: tuple[np.ndarray, ...]) -> None:
        """Keep only the given features, in this order; their ranks are written to the given room."""
        self.slabs, (self.row, self.place, self.rank) = slabs, room
        self.keys = self.all_keys[numbers]
        self.order = np.argsort(self.keys, kind="stable")
        # Pairs are looked at in the order of the centre, so that memory is read from front to back.
        self.row[self.order] = np.arange(len(numbers))
        turns.cut_slabs(self.balance, numbers, self.row, slabs)
        self.forget(PAIRS * len(numbers) + 64)
        self.sort()

    def forget(self, slots: int) -> None:
        """Forget what is known about pairs, and make room for so many."""
        self.tops, self.lows = np.empty((2, slots, len(self.slabs)), self.slabs.dtype)
        self.most, self.least = np.empty((2, slots), self.slabs.dtype)
        self.known = np.full(1 << (2 * slots).bit_length(), -1, np.int64)
        self.slot_of = np.empty(len(self.known), np.int32)
        self.filled, self.fresh = np.zeros(1, np.int64), True

    def sort(self) -> None:
        """Bring the order up to date with the keys."""
        kernels.resort(self.keys, self.order)
        kernels.places(self.keys, self.order, self.place, self.rank)

    def meet(self) -> None:
        """List the pairs that change places for some candidate."""
        room = 2 * len(self.order) + 2
        while True:
            pairs, gaps, slots = np.empty((room, 2), np.int32), np.empty(room, np.int32), np.empty(room, np.int32)
            found = turns.near_pairs(
                self.keys,
                self.order,
                self.reach,
                self.slabs,
                self.row,
                self.known,
                self.slot_of,
                self.filled,
                self.tops,
                self.lows,
                self.most,
                self.least,
                pairs,
                gaps,
                slots,
            )
            if found < 0:
                # Where an empty memory does not do, a larger one is needed.
                self.forget(2 * len(self.most) if self.fresh else len(self.most))
            elif found <= room:
                break
            else:
                room = found
        self.fresh = False
        self.pairs, self.gaps, n_slabs = pairs[:found], gaps[:found], len(self.slabs)
        self.ends, self.chosen = np.empty(n_slabs, np.int64), np.empty(found * n_slabs + 1, np.int32)
        turns.sift(self.pairs, self.gaps, slots[:found], self.tops, self.lows, self.ends, self.chosen)

    def lost(self, at: int) -> np.ndarray:
        """Return what the keys gain when a feature leaves."""
        return self.slabs[at // LANES, self.row, at % LANES]

    def drop(self, at: int, number: int) -> None:
        """Take a feature away."""
        self.keys += self.lost(at)
        self.all_keys -= self.balance[number]
        self.order = self.order[self.order != at]
        self.sort()


class CentreDistances:
    r"""Remove the feature without which the distances between the class centres are nearest to the first ones.

    Four times Spearman's distance between the centres of two classes is a sum of squares of whole numbers. The rank
    sums without k are those with k less one row of the table of pair counts, so neighbours in a centre change
    places only if their rank sums differ by no more than that row says; all other ranks are known from the
    ranks with k. How much a pair of neighbours can lose does not change from step to step and is remembered. Values
    are exact, and no instance is read.
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
        self.others = np.zeros((len(present), len(present)), np.int64)
        for d, (a, b) in enumerate(self.pairs):
            self.others[a, b] = self.others[b, a] = d
        self.numbers = np.arange(self.n)
        self.alive = np.ones(self.n, bool)
        self._cut()
        self.target = [self._distance(a, b) for a, b in self.pairs]

    def _cut(self) -> None:
        left = self.numbers[self.alive]
        # Neighbours in a centre resemble each other, so that the bounds of a run of candidates are narrow.
        self.numbers = left[np.argsort(self.centres[0].all_keys[left], kind="stable")]
        n, classes = len(left), len(self.centres)
        runs = -(-n // LANES)
        self.alive, self.met = np.ones(n, bool), False
        self.spare: list[tuple[np.ndarray, np.ndarray]] = []
        dtype = np.result_type(*(centre.balance.dtype for centre in self.centres))
        self.slabs, self.row = np.empty((classes, runs, n, LANES), dtype), np.zeros((classes, n), np.int64)
        # Candidates past the last feature have a place too, which nobody reads.
        place_type = np.int16 if n < 2**15 else np.int32
        self.place, self.rank = np.zeros((classes, runs * LANES), place_type), np.zeros((classes, n), np.int64)
        for c, centre in enumerate(self.centres):
            centre.cut(self.numbers, self.slabs[c], (self.row[c], self.place[c], self.rank[c]))
        tree = np.zeros(n + 2, np.int64)
        self.agreed = np.zeros((len(self.pairs), n), np.int64)
        for d, (a, b) in enumerate(self.pairs):
            one, two = self.centres[a], self.centres[b]
            kernels.agreement(one.order, one.place, two.place, two.rank, tree, self.agreed[d])

    def _distance(self, a: int, b: int) -> int:
        x = self.centres[a].rank - self.centres[b].rank
        return int((x[self.alive] ** 2).sum())

    def worst(self, left: np.ndarray) -> int:
        """Return the feature without which the distances are nearest to the first ones."""
        worst, self.value = pick(*self.candidates())
        return worst

    def candidates(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the features and, per pair of classes, the difference of four times the distance from the first."""
        n, runs = len(self.numbers), self.slabs.shape[1]
        self.values = np.zeros((len(self.pairs), runs * LANES), np.int64)
        self._meet()
        pairs = np.concatenate([centre.pairs for centre in self.centres])
        gaps = np.concatenate([centre.gaps for centre in self.centres])
        chosen = np.concatenate([centre.chosen[:-1] for centre in self.centres])
        ends = np.stack([centre.ends for centre in self.centres])
        starts = np.concatenate([[0], np.cumsum([len(centre.gaps) for centre in self.centres])])
        widest = int(np.bincount(pairs.ravel(), minlength=1).max()) if len(pairs) else 0
        dtype = np.int8 if 2 * widest < 64 else np.int32
        # The largest step 2 (|X_j - X_i| + 4 + change), with a change of at most two per pair that a feature is in.
        safe = max(1, 2**31 // (2 * (4 * n + 8 + 4 * widest)))

        def work(start: int, stop: int) -> None:
            change, touched = self._scratch(dtype, len(pairs))
            turns.candidates(
                start,
                stop,
                self.slabs,
                self.row,
                self.place,
                self.rank,
                self.others,
                pairs,
                gaps,
                chosen,
                ends,
                starts,
                change,
                touched,
                safe,
                self.values,
            )
            # Appending and popping are atomic; a thread never meets the scratch of another.
            self.spare.append((change, touched))

        self.run.scan(work, runs, max(1, -(-runs // TASKS)))
        self._add_unturned()
        return self.numbers[self.alive], self.values[:, :n][:, self.alive]

    def _meet(self) -> None:
        """List the pairs of neighbours that may change places, unless they are known since the last removal."""
        if self.met:
            return

        def work(start: int, stop: int) -> None:
            for centre in self.centres[start:stop]:
                centre.meet()

        self.run.scan(work, len(self.centres), 1)
        self.met = True

    def _add_unturned(self) -> None:
        """Add to the values what they would be if no neighbours changed places, less the first distances."""
        n = len(self.numbers)

        def work(start: int, stop: int) -> None:
            sums, base = np.zeros((2, n), np.int64)
            for d in range(start, stop):
                one, two = (self.centres[c] for c in self.pairs[d])
                kernels.unturned(
                    one.order, one.place, one.rank, two.order, two.place, two.rank, self.agreed[d], sums, base
                )
                self.values[d, :n] += base - self.target[d]

        self.run.scan(work, len(self.pairs), 1)

    def _scratch(self, dtype: type, n_pairs: int) -> tuple[np.ndarray, np.ndarray]:
        """Return scratch that is all zero, used before if possible: fresh memory is slow."""
        while self.spare:
            change, touched = self.spare.pop()
            if change.dtype == dtype and len(touched) >= 2 * n_pairs:
                return change, touched
        return np.zeros((len(self.pairs), len(self.numbers), LANES), dtype), np.empty(3 * n_pairs + 2, np.int32)

    def remove(self, feature: int) -> None:
        """Take a feature away."""
        at = int(np.flatnonzero(self.numbers == feature)[0])
        self.alive[at] = False
        if self.alive.sum() < (1 - STALE) * len(self.numbers):
            for centre in self.centres:
                centre.all_keys -= centre.balance[feature]
            self._cut()
            return
        self._meet()
        for d, (a, b) in enumerate(self.pairs):
            kernels.agreement_without(at, self.place[a], self.place[b], self.agreed[d])
        for c, centre in enumerate(self.centres):
            for o in range(len(self.centres)):
                if o != c:
                    agreed = self.agreed[self.others[c, o]]
                    kernels.agreement_turned(at, centre.lost(at), centre.pairs, centre.gaps, self.place[o], agreed)
            centre.drop(at, feature)
        self.met = False


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
