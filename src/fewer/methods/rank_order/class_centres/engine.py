"""Elimination by class centres: which feature can go so that the classes stay as far apart as they were."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations

import numpy as np

from fewer.core.records.errors import RequirementError
from fewer.core.runners.runner import Runner
from fewer.core.summaries.pair_orders import OrderCounts, PairOrders, narrowest
from fewer.core.views.view import View
from fewer.methods.rank_order.class_centres.device_engine import DeviceCentres, centres_on_device
from fewer.methods.rank_order.class_centres.kernels import centre_pairs as neighbours
from fewer.methods.rank_order.class_centres.kernels import centre_turns as turns
from fewer.methods.rank_order.class_centres.kernels import centres as kernels
from fewer.methods.rank_order.class_centres.kernels._lanes import LANES, aligned

# Parts that the candidates are cut into for threads, and the number of features from which on threads are used.
TASKS, SMALL = 8, 2000
# The fraction of gone features at which the tables are cut again.
STALE = 0.08
# Remembered pairs per feature, and lines of losses to begin with.
PAIRS, LINES = 16, 0.35
# Bytes that a remembered pair takes up at most: its place in the hash table, while it waits, and the most it loses.
PAIR_BYTES = 128
# What the lines may take up, and the remembered pairs.
MOST_GIB = 2
# Pairs of equal keys per feature that are many.
TIES = 4
# Parts that features are cut into by rank.
PARTS = 16
# Neighbours per feature that are found without a search.
RECENT = 16
# A feature in so many pairs changes by twice as many places at most: differences of two such numbers fit one byte.
FEW_PAIRS = 29


class _Centre:
    """The centre of one class over the features that are left, and what is known about pairs of neighbours."""

    def __init__(self, balance: np.ndarray, n_rows: int, numbers: np.ndarray, dtype: np.dtype) -> None:
        n, self.reach = len(numbers), 2 * n_rows
        # Twice the rank sums, less the same number for all features.
        self.keys = -balance.sum(axis=1, dtype=np.int64)[numbers]
        self.order = np.argsort(self.keys, kind="stable")
        self.width = -(-n // LANES) * LANES
        self.flat = aligned((n * self.width,), dtype)
        neighbours.first_table(balance, numbers, self.flat.reshape(n, self.width))
        self._find_extremes()

    @property
    def table(self) -> np.ndarray:
        """What the key of one feature gains when another leaves."""
        n = len(self.keys)
        return self.flat[: n * self.width].reshape(n, self.width)

    def forget(self, lines: np.ndarray, slots: int) -> None:
        """Forget what is known about pairs; from now on remember so many, and what they lose in ``lines``."""
        n, blocks, dtype, self.lines = len(self.keys), len(lines), self.flat.dtype, lines
        n_lines = lines.shape[1] - 1
        self.tops = np.zeros((n_lines + 1, -(-blocks // LANES) * LANES), dtype)
        self.most, self.line = np.empty(slots, dtype), np.empty(slots, np.int32)
        self.known = np.full((1 << (2 * slots).bit_length(), 2), -1, np.int64)
        self.recent = np.full((n, RECENT, 3), -1, np.int32)
        self.used, self.state = np.full((n_lines, 2), -1, np.int64), np.zeros(neighbours.STATE, np.int64)
        self.waiting, self.degree = np.empty((n, 3), np.int64), np.empty(n, np.int64)
        self.fresh = True

    def sort(self, place: np.ndarray, rank: np.ndarray, pos: np.ndarray, level: np.ndarray) -> None:
        """Bring the order up to date with the keys."""
        kernels.resort(self.keys, self.order)
        self.equal = int(kernels.places(self.keys, self.order, place, rank, pos, level))

    def meet(self, pairs: np.ndarray, limits: np.ndarray, bits: np.ndarray) -> int:
        """Find the pairs that change places for some candidate.

        Returns the largest number of pairs that one feature is in, or -1 where memory is short.
        """
        while not self._find(pairs, limits, bits):
            if self.fresh:
                return -1
            self.forget(self.lines, len(self.most))
        self.fresh = False
        return int(self.state[neighbours.WIDEST])

    def _find(self, pairs: np.ndarray, limits: np.ndarray, bits: np.ndarray) -> bool:
        """Find the pairs; return whether there was room."""
        extremes = self.high.reshape(-1, LANES), self.deep.reshape(-1, LANES)
        table, lines = self.table.reshape(-1, LANES), self.lines.reshape(-1, LANES)
        before = self.keys, self.order, self.reach, *extremes, table, self.width // LANES
        known = self.known, self.state, self.tops, self.most, self.line, lines, self.used, self.recent
        while not neighbours.meet(*before, *known, self.waiting, self.degree, pairs, limits, bits):
            n_waiting = int(self.state[neighbours.WAITING])
            # Too many to be remembered, whatever is forgotten; or no lines are left.
            if n_waiting > len(self.most) or n_waiting <= len(self.waiting):
                return False
            self.waiting = np.empty((2 * n_waiting, 3), np.int64)
        return True

    def cut(self, kept: np.ndarray, order: np.ndarray) -> None:
        """Keep only these features, which are in this order. What is known about pairs does not hold any more."""
        width = -(-len(kept) // LANES) * LANES
        neighbours.cut_table(self.flat, self.width, kept, width)
        self.width, self.keys, self.order = width, self.keys[kept], order
        self._find_extremes()

    def _find_extremes(self) -> None:
        blocks = self.width // LANES
        self.high, self.deep = np.zeros((2, len(self.keys), -(-blocks // LANES) * LANES), self.flat.dtype)
        neighbours.extremes(self.table.reshape(-1, LANES), blocks, self.high, self.deep)


class CentreDistances:
    r"""Remove the feature without which the distances between the class centres are nearest to the first ones.

    Four times Spearman's distance between the centres of two classes is a sum of squares of whole numbers. The rank
    sums without k are those with k less one row of the table of pair counts, so neighbours in a centre change
    places only if their rank sums differ by no more than that row says; all other ranks are known from the
    ranks with k. How much a pair of neighbours can lose does not change from step to step and is remembered. Values
    are exact, and no instance is read.
    """

    value = 0.0
    there: DeviceCentres | None = None

    def start(self, view: View) -> None:
        """Find the class centres over all features."""
        counts = view.fold(OrderCounts(view.n_classes))
        self.there, self.again = centres_on_device(view.run, counts), (counts, view.run)
        if self.there is None:
            self._begin(counts, view.run)

    def _back(self) -> None:
        """Go on where the device must stop, without what has left."""
        gone, self.there = [] if self.there is None else self.there.gone, None
        self._begin(*self.again)
        for feature in gone:
            self.remove(feature)

    def _begin(self, counts: PairOrders, run: Runner) -> None:
        self.run, n = run, counts.before.shape[1]
        present = [int(c) for c in np.flatnonzero(counts.rows)]
        self.pairs = list(combinations(range(len(present)), 2))
        self.others = np.zeros((len(present), len(present)), np.int64)
        for d, (a, b) in enumerate(self.pairs):
            self.others[a, b] = self.others[b, a] = d
        dtype = np.dtype(narrowest(2 * int(counts.rows.max()), signed=True))
        balances = [counts.balance(c) for c in present]
        self.numbers = alike(balances, counts.rows[present])
        self.centres = [_Centre(balances.pop(0), int(counts.rows[c]), self.numbers, dtype) for c in present]
        self.where, self.memory = np.empty(n, np.int64), aligned((0,), dtype)
        # Lines and remembered pairs per feature.
        self.room, self.kept = LINES, float(PAIRS)
        self.agreed = np.zeros((len(self.pairs), n), np.int64)
        self._make_room()
        for c, centre in enumerate(self.centres):
            centre.sort(self.place[c], self.rank[c], self.pos[c], self.level[c])
        tree = np.zeros(n + 2, np.int64)
        for d, (a, b) in enumerate(self.pairs):
            kernels.agreement(self.centres[a].order, self.place[a], self.place[b], self.rank[b], tree, self.agreed[d])
        ranks = self.rank.astype(np.int64)
        self.target = np.array([((ranks[a] - ranks[b]) ** 2).sum() for a, b in self.pairs], np.int64)

    def _make_room(self) -> None:
        """Make arrays for the features that are left, which have the numbers 0, 1, ... from now on."""
        n, classes = len(self.numbers), len(self.centres)
        self.where[self.numbers] = np.arange(n)
        self.alive, self.met, self.n_left = np.ones(n, bool), False, n
        self.blocks = -(-n // LANES)
        # Candidates past the last feature have a place too, which nobody reads.
        width = self.blocks * LANES
        self.place, self.rank = np.zeros((2, classes, width), np.int32)
        self.level = np.zeros((classes, width), bool)
        self.pos = np.zeros((classes, width), np.int16 if n < 2**15 else np.int32)
        self._make_lines()

    def _make_lines(self) -> None:
        """Make room for pairs and what they lose."""
        classes, lines = len(self.centres), -(-int(self.room * max(len(self.numbers), LANES)) // LANES) * LANES + LANES
        # One more than needed, for what is only counted: caches do not like strides that are powers of two.
        shape = (classes, self.blocks, lines + 1, LANES)
        size, slots = int(np.prod(shape)), int(self.kept * len(self.numbers)) + 2 * lines
        gib = max(size * self.memory.itemsize, classes * slots * PAIR_BYTES) / 2**30
        if gib > MOST_GIB:
            raise RequirementError(
                f"Elimination by class centres of {len(self.numbers)} features needs {gib:.1f} GiB, because {slots} "
                f"pairs of them may change places, but at most {MOST_GIB} GiB is used; keep the best features by a "
                "ranking such as KruskalWallis first, or use criterion='spoilers'."
            )
        if len(self.memory) < size:
            self.memory = aligned((size,), self.memory.dtype)
        self.lines = self.memory[:size].reshape(shape)
        self.near = np.zeros((classes, lines, 2), np.uint32)
        self.limits = np.empty((classes, lines, 2), self.memory.dtype)
        self.bits = np.empty((classes, -(-self.blocks // LANES) * LANES, lines // LANES), np.uint64)
        self.terms = np.zeros((classes, classes, lines * int(turns.TERMS)), self.pos.dtype)
        self.spare: list[tuple[np.ndarray, ...]] = []
        for c, centre in enumerate(self.centres):
            centre.forget(self.lines[c], slots)

    def worst(self, left: np.ndarray) -> int:
        """Return the feature without which the distances are nearest to the first ones."""
        if self.there is not None:
            found = self.there.next()
            if found is not None:
                self.value = found[1]
                return found[0]
            self._back()
        worst, self.value = pick(*self.candidates())
        return worst

    def candidates(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the features and, per pair of classes, the difference of four times the distance from the first."""
        n, classes = len(self.numbers), len(self.centres)
        self._meet()
        # With many ties it is better to look at them in all blocks than to mend the result for each.
        tied = sum(centre.equal for centre in self.centres) > TIES * n
        spots = self.place.astype(self.pos.dtype) if tied else self.pos
        for c in range(classes):
            turns.pair_terms(c, tied, self.near[c], self.place, self.rank, spots, self.terms[c])
        order = np.stack([centre.order for centre in self.centres])
        values = np.zeros((2, len(self.pairs), self.blocks * LANES), np.int64)
        base = np.zeros((len(self.pairs), n), np.int64)
        step = -(-self.blocks // TASKS)
        tasks: list[Callable[[], None]] = []
        if not tied:
            tasks.append(partial(self._between, order, values[1]))
        for start in range(0, self.blocks, step):
            tasks.append(partial(self._turned, start, min(start + step, self.blocks), tied, spots, values[0]))
        tasks += [partial(self._unturned, d, base[d]) for d in range(len(self.pairs))]
        self._do(tasks)
        away = (values.sum(axis=0)[:, :n] + base)[:, self.alive]
        return self.numbers[self.alive], away - self.target[:, None]

    def _do(self, tasks: list[Callable[[], None]]) -> None:
        """Do what does not depend on each other, on all threads unless handing it over would take longer."""

        def work(start: int, stop: int) -> None:
            for task in tasks[start:stop]:
                task()

        self.run.scan(work, len(tasks), 1 if self.n_left > SMALL else len(tasks))

    def _meet(self) -> None:
        """List the pairs of neighbours that may change places, unless they are known since the last removal."""
        if self.met:
            return
        widest = np.zeros(len(self.centres), np.int64)

        def meet(c: int) -> None:
            widest[c] = self.centres[c].meet(self.near[c], self.limits[c], self.bits[c])

        self._do([partial(meet, c) for c in range(len(self.centres))])
        if widest.min() < 0:
            self._widen([centre for centre, pairs in zip(self.centres, widest, strict=True) if pairs < 0])
            self._make_lines()
            self._meet()
            return
        self.met, self.small = True, widest.sum() <= FEW_PAIRS and self.pos.dtype == np.int16

    def _widen(self, short: list[_Centre]) -> None:
        """Ask for a quarter more than was short: lines, or remembered pairs, most of which may lose too little."""
        for centre in short:
            found, waiting = centre.state[[neighbours.FOUND, neighbours.WAITING]].tolist()
            if found > len(centre.used):
                self.room = max(self.room, 1.25 * found / len(self.numbers))
            else:
                self.kept = max(self.kept, 1.25 * waiting / len(self.numbers))

    def _between(self, order: np.ndarray, out: np.ndarray) -> None:
        """Add what a candidate changes that lies between a pair."""
        where = self.place, self.pos, self.level
        for c, centre in enumerate(self.centres):
            known = centre.reach, self.lines[c], self.near[c], self.limits[c]
            turns.between(c, *known, order, *where, self.others, out)

    def _turned(self, start: int, stop: int, tied: bool, spots: np.ndarray, out: np.ndarray) -> None:
        """Add what changed places add to the distances."""
        scratch, spots = self._scratch(), spots.reshape(-1, LANES)
        known = self.near, self.limits, self.bits, self.terms
        turns.candidates(start, stop, tied, self.lines, spots, self.others, *known, *scratch, out)
        # Appending and popping are atomic; a thread never meets the scratch of another.
        self.spare.append(scratch)

    def _unturned(self, d: int, out: np.ndarray) -> None:
        """Write the distance if no neighbours changed places."""
        a, b = self.pairs[d]
        one, two = self.centres[a].order, self.centres[b].order
        sums = np.zeros(len(out), np.int64)
        kernels.unturned(one, self.place[a], self.rank[a], two, self.place[b], self.rank[b], self.agreed[d], sums, out)

    def _scratch(self) -> tuple[np.ndarray, ...]:
        """Return scratch that is all zero, used before if possible: fresh memory is slow."""
        kind, wide = (np.int8, np.int16) if self.small else (np.int32, np.int64)
        while self.spare:
            spare = self.spare.pop()
            if spare[0].dtype == kind:
                return spare
        classes, lines = self.near.shape[:2]
        change = aligned((len(self.numbers), LANES), kind)
        change[:] = 0
        which = np.empty((2, classes, lines), np.uint32)
        return change, aligned((2, LANES), wide), which, np.zeros((2, classes), np.int64)

    def remove(self, feature: int) -> None:
        """Take a feature away."""
        if self.there is not None:
            self.there.leave()
            return
        at = int(self.where[feature])
        self._meet()
        self.alive[at] = False
        self.n_left -= 1
        for d, (a, b) in enumerate(self.pairs):
            kernels.agreement_without(at, self.place[a], self.place[b], self.agreed[d])
        for c, centre in enumerate(self.centres):
            # What the others gain is the opposite of what this one would gain by theirs.
            lost = -centre.table[at]
            for o in range(len(self.centres)):
                if o != c:
                    agreed = self.agreed[self.others[c, o]]
                    kernels.agreement_turned(at, lost, self.near[c], self.limits[c], self.place[o], agreed)
            # Changes in the next centre are counted by the new places in this one.
            centre.keys -= centre.table[at, : len(centre.keys)]
            centre.order = centre.order[centre.order != at]
            centre.sort(self.place[c], self.rank[c], self.pos[c], self.level[c])
        self.met = False
        if self.n_left < (1 - STALE) * len(self.numbers):
            self._cut()

    def _cut(self) -> None:
        """Leave the gone features out of all tables."""
        kept = np.flatnonzero(self.alive)
        new = np.cumsum(self.alive) - 1

        def cut(c: int) -> None:
            self.centres[c].cut(kept, new[self.centres[c].order])

        self._do([partial(cut, c) for c in range(len(self.centres))])
        self.numbers, self.agreed = self.numbers[kept], np.ascontiguousarray(self.agreed[:, kept])
        self._make_room()
        for c, centre in enumerate(self.centres):
            centre.sort(self.place[c], self.rank[c], self.pos[c], self.level[c])


def alike(balances: list[np.ndarray], n_rows: np.ndarray) -> np.ndarray:
    """Order the features so that neighbours resemble each other: then a pair changes places in few blocks.

    They are cut by their mean rank, and inside each part ordered by how firmly they stand, to and fro.
    """
    rank, firm = np.zeros((2, len(balances[0])))
    for balance, rows in zip(balances, n_rows, strict=True):
        rank -= balance.sum(axis=1, dtype=np.int64) / rows
        firm += np.abs(balance).sum(axis=1, dtype=np.int64) / rows
    part = np.empty(len(rank), np.int64)
    part[np.argsort(rank, kind="stable")] = np.arange(len(rank)) * PARTS // max(len(rank), 1)
    return np.lexsort((np.where(part % 2 == 0, firm, -firm), part))


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
