"""Which way of counting is fastest for so many levels and rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

FEATURES_PER_PLAN = 64

# Nanoseconds per row and feature, measured with benchmarks/counting.py; only their ratios matter.
LANE = 0.022  # per level: one byte comparison in a SIMD lane, rows grouped by the other variable
PLANE = 0.0018  # per cell of the table: AND and popcount of 64 rows at once
PLANE_BUILD = 1.0  # setting one bit, once per block
COLUMN = 1.0  # one increment, features by columns
TRANSPOSE = 1.7  # making the columns, once per block
PLACE = 0.0025  # the same, the places of binary numbers made levels first
OPEN = 0.4  # making a code of its places
ROW = 1.45  # one increment, along the rows


def places_pay(n_levels: Any, n_other: int) -> bool:
    """Return whether codes kept as places of binary numbers are best counted as such, not one by one."""
    levels = int(n_levels.max(initial=1))
    return PLACE * (levels - 1) * n_other < LANE * levels + OPEN


def stretches(block: Any, start: int, stop: int, n_other: int, uses: int) -> Iterator[tuple[int, int, str]]:
    """Cut features ``start`` to ``stop`` into stretches that are best counted in one way: (first, last, way).

    Stretches are as long as possible, because a pass along the rows is fastest when it reads whole rows.
    """
    first, way, levels = start, "", 0
    for left in range(start, stop, FEATURES_PER_PLAN):
        here = int(block.n_levels[left : min(left + FEATURES_PER_PLAN, stop)].max(initial=1))
        best = plan(block, here, n_other, uses)
        # Lanes compare every feature with as many levels as the richest one has.
        if best != way or (way == "lanes" and not levels / 1.5 <= here <= levels * 1.5):
            if left > first:
                yield first, left, way
            first, way, levels = left, best, here
        levels = max(levels, here)
    if stop > first:
        yield first, stop, way


def plan(block: Any, n_levels: int, n_other: int, uses: int) -> str:
    """Return the cheapest of ``lanes``, ``planes``, ``columns`` and ``rows``.

    Parameters
    ----------
    block : CodesBlock
        The rows; what it has built already costs nothing more.
    n_levels, n_other : int
        Levels of the features and of the other variable.
    uses : int
        How many such tables are likely to be made of this block.
    """
    built = vars(block)
    columns = 0.0 if "columns" in built else TRANSPOSE / uses
    costs = {
        "rows": ROW,
        "columns": COLUMN + columns,
        "planes": PLANE * n_levels * n_other + (0.0 if "planes" in built else PLANE_BUILD / uses + columns),
    }
    if block.rows.dtype.itemsize == 1:
        # Emptying the byte counters of a group costs as much as about eight rows.
        rows_per_group = max(1.0, block.n_rows / n_other)
        costs["lanes"] = LANE * n_levels * (1.0 + 8.0 / rows_per_group)
    return min(costs, key=lambda way: costs[way])
