"""Weights from all rows within a radius, on a CUDA device."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.neighbours.device_marks import DeviceSpace
from fewer.core.neighbours.joint_space import SpacePart
from fewer.core.neighbours.spaces import Space


def device_sums(
    run: Any,
    space: Space,
    parts: list[SpacePart],
    y: np.ndarray,
    shares: np.ndarray,
    radius: float | None,
    far: bool,
) -> tuple[np.ndarray, int]:
    """Add up what `RadiusSums` adds up: the same rows count as much, added in another order."""
    there = DeviceSpace(run, space, parts, y, len(shares))
    sums, balance = np.zeros(space.n_features), 0
    for first in range(0, space.n_rows, there.queries_at_once):
        last = min(first + there.queries_at_once, space.n_rows)
        distance = there.distances(first, last)
        if radius is None:
            mean, deviation = there.limits(distance, first)
            limits = [space.on_grid(mean - deviation / 2), space.on_grid(mean + deviation / 2)]
        else:
            limits = 2 * [space.on_grid(np.full(last - first, radius))]
        for limit, beyond in zip(limits, (False, True)[: 1 + far]):
            marks = there.within(distance, first, limit, beyond)
            values, misses_less_hits = side_values(marks.counts, y[first:last], shares, beyond)
            sums += there.differences(marks, values, first)
            balance += misses_less_hits if beyond else 0
    return sums, balance


def side_values(counts: np.ndarray, mine: np.ndarray, shares: np.ndarray, far: bool) -> tuple[np.ndarray, int]:
    """Return what a marked row of every class counts for each row that asks, and how many have misses less hits.

    As `level_planes.side_masks`: hits -1 / number, misses of class c share[c] / number, fractions of classes that are
    there adding up to 1; the opposite signs for far rows.
    """
    sign, total = -1.0 if far else 1.0, np.zeros(len(mine))
    here = np.arange(len(mine))
    for c in range(len(shares)):
        total += np.where((c != mine) & (counts[c] > 0), shares[c], 0.0)
    values = np.zeros(counts.shape)
    for c in range(len(shares)):
        some, number = counts[c] > 0, np.maximum(counts[c], 1).astype(np.float64)
        miss = sign * shares[c] / np.where(total > 0, total, 1.0) / number
        values[c] = np.where(some, np.where(c == mine, -sign / number, miss), 0.0)
    return values, int((total > 0).sum()) - int((counts[mine, here] > 0).sum())
