"""Rows that stand for all others: how well they do, and a climb over their numbers and the features they use."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fewer.core.records.errors import InputError
from fewer.core.records.trace import Step, Trace
from fewer.core.runners import progress
from fewer.core.stop import Wanted


def squared_distances(columns: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Return the squared distance of each row to a point; columns are (n_features, n_rows).

    Differences are squared, not products subtracted: the distance to an equal row is exactly 0.
    """
    differences = columns - point[:, None]
    differences *= differences
    return differences.sum(axis=0)


def checked_count(name: str, n_prototypes: int | None, n_classes: int, n_rows: int) -> int:
    """Return the number of prototypes, one per class if none is given; raise if there are fewer rows."""
    count = n_classes if n_prototypes is None else n_prototypes
    if count > n_rows:
        raise InputError(
            f"{name} got n_prototypes={count}, but X has {n_rows} rows and prototypes are rows of X; "
            "choose a smaller n_prototypes or add rows."
        )
    return count


@dataclass(frozen=True, eq=False)
class State:
    """One bit string: a code per prototype, a mark per feature, the distances (n_prototypes, n_rows), the hits."""

    codes: np.ndarray
    mask: np.ndarray
    distances: np.ndarray
    right: int


@dataclass(eq=False)
class PrototypeClimb:
    """Random mutation hill climbing over prototypes and features (Fig. 3.5, with failed flips taken back).

    Attributes
    ----------
    columns : ndarray of shape (n_features, n_rows)
        The data, one feature after the other.
    y : ndarray of shape (n_rows,)
        Class numbers.
    n_prototypes : int
        Number of rows that stand for all.
    wanted : Wanted
        How many features there shall be.
    rng : Generator
        Source of randomness.
    """

    columns: np.ndarray
    y: np.ndarray
    n_prototypes: int
    wanted: Wanted
    rng: np.random.Generator

    def __post_init__(self) -> None:
        self.n_features, self.n_rows = self.columns.shape
        self.width = (self.n_rows - 1).bit_length()
        self.code_bits = self.n_prototypes * self.width
        # With all features wanted there is nothing to flip among them.
        self.n_bits = self.code_bits + (self.n_features if self.wanted.low < self.n_features else 0)
        self.trace = Trace()
        self.n_flips = 0

    def run(self, max_iter: int, accept_equal: bool) -> State:
        """Flip one random bit at a time; what is not better is taken back."""
        here = self._start()
        self._record(State(here.codes, np.zeros_like(here.mask), here.distances, 0), here, 1)
        last = 0
        for flip in range(1, max_iter + 1):
            if here.right == self.n_rows and not accept_equal:
                break
            self.n_flips = flip
            there = self._flipped(here)
            if there is not None and (there.right > here.right or (accept_equal and there.right == here.right)):
                self._record(here, there, flip - last)
                here, last = there, flip
            progress.report("flipping bits", flip, max_iter)
        return here

    def rows(self, codes: np.ndarray) -> np.ndarray:
        """Return the row numbers that codes stand for; codes beyond the last row begin again at the first.

        A bit is worth less than the number of rows, so that a flip always leads to another row.
        """
        return codes % self.n_rows

    def changes(self, state: State) -> np.ndarray:
        """Return what each kept feature adds to the accuracy, and what each dropped one would add."""
        rows, gains = self.rows(state.codes), np.empty(self.n_features)
        for j, column in enumerate(self.columns):
            share = (column - column[rows, None]) ** 2
            if not state.mask[j]:
                gains[j] = self._right(rows, state.distances + share) - state.right
            else:
                others = self._right(rows, state.distances - share) if state.mask.sum() > 1 else 0
                gains[j] = state.right - others
        return gains / self.n_rows

    def tells_nothing(self, state: State) -> np.ndarray:
        """Return which features are constant, or alone do not beat the most frequent class with the same prototypes.

        What adds nothing may still repeat a kept feature; alone it shows, if the prototypes are any good.
        """
        rows, most = self.rows(state.codes), int(np.bincount(self.y).max())
        constant = (self.columns == self.columns[:, :1]).all(axis=1)
        if state.right <= most:
            return constant
        right = np.array([self._right(rows, (column - column[rows, None]) ** 2) for column in self.columns])
        return constant | (right <= most)

    def _start(self) -> State:
        bits = self.rng.integers(0, 2, (self.n_prototypes, self.width))
        codes = bits @ (1 << np.arange(self.width)[::-1])
        mask = np.ones(self.n_features, bool)
        if self.n_bits > self.code_bits:
            mask = self.rng.integers(0, 2, self.n_features).astype(bool)
        inside, outside = np.flatnonzero(mask), np.flatnonzero(~mask)
        mask[self.rng.permutation(inside)[self.wanted.high :]] = False
        mask[self.rng.permutation(outside)[: max(0, self.wanted.low - len(inside))]] = True
        return self._state(codes, mask)

    def _state(self, codes: np.ndarray, mask: np.ndarray) -> State:
        used, rows = self.columns[mask], self.rows(codes)
        distances = np.array([squared_distances(used, used[:, row]) for row in rows])
        return State(codes, mask, distances, self._right(rows, distances))

    def _right(self, rows: np.ndarray, distances: np.ndarray) -> int:
        """Return how many rows are of the class of their nearest prototype; of equal distances the first is nearest."""
        return int(np.count_nonzero(self.y[rows[distances.argmin(axis=0)]] == self.y))

    def _flipped(self, here: State) -> State | None:
        """Return the state with one random bit flipped, or None if no feature would be left."""
        position = int(self.rng.integers(self.n_bits))
        if position >= self.code_bits:
            mask = self._mutated(here.mask, position - self.code_bits)
            return self._state(here.codes, mask) if mask.any() else None
        which, bit = divmod(position, self.width)
        codes, distances = here.codes.copy(), here.distances.copy()
        codes[which] ^= 1 << (self.width - 1 - bit)
        rows, used = self.rows(codes), self.columns[here.mask]
        distances[which] = squared_distances(used, used[:, rows[which]])
        return replace(here, codes=codes, distances=distances, right=self._right(rows, distances))

    def _mutated(self, mask: np.ndarray, j: int) -> np.ndarray:
        """Return the features with one flipped; where that breaks a given size, a random other one makes up for it."""
        mask = mask.copy()
        mask[j] = not mask[j]
        size = int(mask.sum())
        if not self.wanted.free and not self.wanted.low <= size <= self.wanted.high:
            others = np.flatnonzero(mask == mask[j])
            others = others[others != j]
            other = int(self.rng.choice(others))
            mask[other] = not mask[other]
        return mask

    def _record(self, before: State, after: State, evaluations: int) -> None:
        added, removed = (np.flatnonzero(m).tolist() for m in (after.mask & ~before.mask, before.mask & ~after.mask))
        self.trace.append(Step(tuple(added), tuple(removed), after.right / self.n_rows, evaluations))
