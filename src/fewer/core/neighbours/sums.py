"""Sums of differences between every row and its nearest ones: what the Relief family is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.neighbours.device_marks import DeviceSpace, device_parts
from fewer.core.neighbours.joint_space import SpacePart
from fewer.core.neighbours.kept_distances import keep_distances
from fewer.core.neighbours.spaces import Space
from fewer.core.neighbours.topk import QUERIES_AT_ONCE, Neighbours, Slots, nearest, panel, sharpen

Multiply = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class PairSums:
    """Weighted sums over pairs: ``differences`` per feature (n_sums, n_features), ``weights`` alone (n_sums,)."""

    differences: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True, eq=False)
class NeighbourSums:
    """Sums over a range of queries, their slots and the neighbours in them of factor * share * difference.

    The fractions of the neighbours in one slot of one query add up to 1. Made once, then called for ranges of queries
    on any runner; the results of ranges add up.

    Attributes
    ----------
    queries, candidates : Space
        The rows.
    k : int
        Neighbours per slot; fewer where a slot has fewer.
    slots : Slots
        The lists of every query.
    factor : ndarray of shape (n_kinds, n_slots)
        What a slot counts for a query of a kind.
    own : ndarray of int of shape (n_queries,)
        The candidate that is the query itself.
    sigma : float, optional
        Shares fall with the rank r from 1 as exp(-(r / sigma)^2); equal distances have the first rank of their group.
        Without it all neighbours have equal fractions.
    average_ties : bool, default=False
        Whether all candidates as far as the last neighbour divide the remaining places among them; otherwise the
        lowest row numbers take them.
    multiply : callable, optional
        Called with row numbers of queries and of candidates, returns further factors of these pairs
        (n_sums, n_pairs), for several sums at once.
    """

    queries: Space
    candidates: Space
    k: int
    slots: Slots
    factor: np.ndarray
    own: np.ndarray
    sigma: float | None = None
    average_ties: bool = False
    multiply: Multiply | None = None

    def __call__(self, start: int, stop: int) -> PairSums:
        """Sum over the queries ``start`` to ``stop``."""
        ordered = self.sigma is not None or self.average_ties
        found = nearest(self.queries, self.candidates, self.k, start, stop, self.slots, self.own, ordered)
        shares = neighbour_shares(found, self.sigma)
        rows, slot, place = np.nonzero(found.index >= 0)
        others, weights = found.index[rows, slot, place], shares[rows, slot, place]
        if self.average_ties:
            rows, slot, others, weights = self._with_ties(found, shares, start, stop)
        weights = weights * self.factor[self.slots.kind[rows + start], slot]
        factors = np.ones((1, len(rows))) if self.multiply is None else self.multiply(rows + start, others)
        starts = np.searchsorted(rows, np.arange(stop - start + 1))
        everyone = np.arange(start, stop)
        sums = [self.candidates.add_pairs(self.queries, everyone, starts, others, weights * f) for f in factors]
        return PairSums(np.array(sums), np.array([(weights * f).sum() for f in factors]))

    def _with_ties(
        self, found: Neighbours, shares: np.ndarray, start: int, stop: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Replace the neighbours at the largest distance of a list by all candidates at that distance."""
        n, n_slots = found.index.shape[:2]
        reached = np.where(np.isfinite(found.distance), found.distance, -np.inf).max(axis=2)
        distance = panel(self.queries, self.candidates, start, stop)
        slot_of = self.slots.table[self.slots.kind[start:stop]][:, self.slots.group]
        mine = self.own[start:stop]
        slot_of[mine >= 0, mine[mine >= 0]] = -1
        limit = np.where(slot_of >= 0, np.take_along_axis(reached, np.maximum(slot_of, 0), 1), -1.0)
        sharpen(distance, limit, self.queries, self.candidates, start)
        last = found.distance == reached[:, :, None]
        rows, slot, place = np.nonzero((found.index >= 0) & ~last)
        tied_rows, tied = np.nonzero(distance == limit)
        tied_slot = slot_of[tied_rows, tied]
        sizes = np.bincount(tied_rows * n_slots + tied_slot, minlength=n * n_slots).reshape(n, n_slots)
        each = np.where(last, shares, 0.0).sum(axis=2) / np.maximum(sizes, 1)
        rows, slot = np.concatenate([rows, tied_rows]), np.concatenate([slot, tied_slot])
        others = np.concatenate([found.index[~last & (found.index >= 0)], tied])
        weights = np.concatenate([shares[~last & (found.index >= 0)], each[tied_rows, tied_slot]])
        order = np.argsort(rows, kind="stable")
        return rows[order], slot[order], others[order], weights[order]


def neighbour_shares(found: Neighbours, sigma: float | None = None) -> np.ndarray:
    """Return the fraction of every neighbour in its list: equal, or falling with the rank; 0 where there is none."""
    there = found.index >= 0
    if sigma is None:
        share = there.astype(np.float64)
    else:
        place = np.arange(1.0, found.index.shape[2] + 1.0)
        first = np.ones(there.shape, bool)
        first[:, :, 1:] = found.distance[:, :, 1:] > found.distance[:, :, :-1]
        rank = np.maximum.accumulate(np.where(first, place, 0.0), axis=2)
        # Less the exponent of the first rank, which all share, so that a small sigma leaves the nearest.
        share = np.where(there, np.exp((1.0 - rank**2) / sigma**2), 0.0)
    return share / np.maximum(share.sum(axis=2, keepdims=True), np.finfo(float).tiny)


def neighbour_sums(
    run: Any,
    space: Space,
    k: int,
    slots: Slots,
    factor: np.ndarray,
    *,
    rows: np.ndarray | None = None,
    sigma: float | None = None,
    average_ties: bool = False,
    multiply: Multiply | None = None,
    part: tuple[int, int] | None = None,
) -> PairSums:
    """Sum differences between rows and their neighbours among all rows; see `NeighbourSums`.

    Parameters
    ----------
    run : Runner
        Its threads do the work.
    space : Space
        The rows.
    k, slots, factor, sigma, average_ties, multiply
        As in `NeighbourSums`; ``slots.kind`` is that of all rows, and ``multiply`` gets row numbers of the space.
    rows : ndarray of int, optional
        The rows that ask for neighbours; all if not given.
    part : tuple of int, optional
        The range of those rows that is summed here, where others are summed elsewhere; all if not given.
    """
    there = device_parts(run, space)
    each_group = np.array_equal(slots.table, np.tile(np.arange(slots.table.shape[1]), (len(slots.table), 1)))
    plain = part is None and rows is None and sigma is None and multiply is None and not average_ties
    if there is not None and each_group and plain:
        return run.attempt(lambda: _sums_on_device(run, space, there, k, slots, factor))
    own = np.arange(space.n_rows)
    if rows is None:
        # A part measures few pairs twice.
        queries = space = keep_distances(run, space) if part is None else space
    else:
        queries, own = space.take(rows), rows
        slots = Slots(slots.group, slots.kind[rows], slots.table)
        given = multiply
        multiply = None if given is None else lambda a, b: given(own[a], b)
    work = NeighbourSums(queries, space, k, slots, factor, own, sigma, average_ties, multiply)
    begin, end = (0, len(own)) if part is None else part
    found = run.scan(lambda a, b: work(begin + a, begin + b), end - begin, QUERIES_AT_ONCE)
    # Added in the order of the rows, so that the number of threads changes nothing.
    total = PairSums(found[0].differences.copy(), found[0].weights.copy())
    for one in found[1:]:
        total.differences[...] += one.differences
        total.weights[...] += one.weights
    return total


def _sums_on_device(
    run: Any, space: Space, parts: list[SpacePart], k: int, slots: Slots, factor: np.ndarray
) -> PairSums:
    """Sum differences between all rows and their k nearest of every group, equal shares, on a device."""
    there = DeviceSpace(run, space, parts, slots.group, slots.table.shape[1])
    sums, weights = np.zeros(space.n_features), 0.0
    for first in range(0, space.n_rows, there.queries_at_once):
        last = min(first + there.queries_at_once, space.n_rows)
        marks = there.nearest(there.distances(first, last), first, k)
        values = factor[slots.kind[first:last]].T / np.maximum(marks.counts, 1)
        sums += there.differences(marks, values, first)
        weights += float((values * marks.counts).sum())
    return PairSums(sums[None], np.array([weights]))
