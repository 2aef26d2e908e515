"""Units that must not share a group: places for them in a sweep of k-means, and repairs after it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from fewer.core.records.rounding import TOLERANCE


def best_two(first: np.ndarray, second: np.ndarray) -> tuple[int, int]:
    """Return the two different groups in which two units are worth most together.

    Only the best and second best group of each can be in it; of equal sums the first unit keeps its best. Minus
    infinity is where a unit must not go; if both may go to the same one group only, they share it.

    Examples
    --------
    >>> best_two(np.array([0.9, 0.8, 0.1]), np.array([0.85, 0.2, 0.3]))
    (1, 0)
    >>> best_two(np.array([0.9, 0.1]), np.array([0.8, -np.inf]))
    (1, 0)
    """
    g, h = int(np.argmax(first)), int(np.argmax(second))
    if g != h:
        return g, h
    rest_first, rest_second = _without(first, g), _without(second, g)
    stays, goes = first[g] + rest_second.max(), rest_first.max() + second[g]
    if not np.isfinite(max(stays, goes)):
        return g, g
    if not np.isfinite(goes) or stays >= goes - TOLERANCE * abs(goes):
        return g, int(np.argmax(rest_second))
    return int(np.argmax(rest_first)), g


@dataclass(frozen=True, eq=False)
class PartedUnits:
    """Pairs of units that belong apart, in the order in which they were given.

    Attributes
    ----------
    pairs : ndarray of int64, shape (n_pairs, 2)
        Numbers of units.
    units : ndarray of int64
        The units that are in some pair, each once.
    partners : mapping of int to list of int
        With whom each unit must not be.
    """

    pairs: np.ndarray
    units: np.ndarray
    partners: dict[int, list[int]]

    @classmethod
    def of(cls, pairs: np.ndarray) -> PartedUnits:
        """Return pairs with what is looked up in them."""
        partners: dict[int, list[int]] = defaultdict(list)
        for a, b in pairs.tolist():
            partners[a].append(b)
            partners[b].append(a)
        return cls(pairs, np.unique(pairs), dict(partners))

    def violations(self, labels: np.ndarray) -> int:
        """Return how many pairs share a group."""
        return int((labels[self.pairs[:, 0]] == labels[self.pairs[:, 1]]).sum())

    def place(self, labels: np.ndarray, near: np.ndarray) -> int:
        """Place the units of all pairs, in place, and return how many pairs share a group nevertheless.

        Pair by pair: two units without a place take the two groups that are best together; a unit that has one keeps
        it, and the other takes the best group that none of its placed partners is in, or the best at all if none is
        left.

        Parameters
        ----------
        labels : ndarray of int, shape (n_units,)
            Groups of all units.
        near : ndarray of shape (len(units), n_groups)
            How near the units of pairs are to all groups.
        """
        at = {int(unit): i for i, unit in enumerate(self.units)}
        placed: dict[int, int] = {}

        def allowed(unit: int) -> np.ndarray:
            taken = {placed[other] for other in self.partners[unit] if other in placed}
            return near[at[unit]] if len(taken) == near.shape[1] else _without(near[at[unit]], *taken)

        for a, b in self.pairs.tolist():
            if a in placed and b in placed:
                continue
            if a not in placed and b not in placed:
                placed[a], placed[b] = best_two(allowed(a), allowed(b))
                if placed[a] == placed[b]:
                    # One group is left for both: the second takes the best at all.
                    placed[b] = int(np.argmax(near[at[b]]))
            else:
                new = b if a in placed else a
                placed[new] = int(np.argmax(allowed(new)))
        for unit, group in placed.items():
            labels[unit] = group
        return self.violations(labels)

    def repair(self, labels: np.ndarray, far: np.ndarray) -> int:
        """Part the pairs that share a group, in place: the unit that is farther from it goes; return what is left.

        It goes to the nearest group that holds none of its partners, or to the nearest other one if each does; of
        groups that are infinitely far to the first.

        Parameters
        ----------
        labels : ndarray of int, shape (n_units,)
            Groups of all units.
        far : ndarray of shape (len(units), n_groups)
            How far the units of pairs are from all groups.
        """
        at = {int(unit): i for i, unit in enumerate(self.units)}
        for a, b in self.pairs.tolist():
            here = int(labels[a])
            if labels[b] != here:
                continue
            goes = a if far[at[a], here] > far[at[b], here] * (1 + TOLERANCE) else b
            held = {int(labels[other]) for other in self.partners[goes]} | {here}
            for barred in (held, {here}):
                others = [group for group in range(far.shape[1]) if group not in barred]
                if others:
                    labels[goes] = min(others, key=far[at[goes]].__getitem__)
                    break
        return self.violations(labels)


def _without(worth: np.ndarray, *groups: int) -> np.ndarray:
    out = worth.copy()
    out[list(groups)] = -np.inf
    return out
