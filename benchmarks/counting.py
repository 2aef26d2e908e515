"""The ways of counting against each other: where the constants of fewer/core/summaries/plan.py come from.

python benchmarks/counting.py
"""

from __future__ import annotations

import time

import numpy as np

from fewer.core.kernels import bits, contingency

ROWS, FEATURES = 10_000, 500


def nanoseconds(work) -> float:
    """Nanoseconds per row and feature of the fastest of several runs."""
    work()
    times = []
    for _ in range(9):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times) / ROWS / FEATURES * 1e9


def main() -> None:
    rng = np.random.default_rng(0)
    print(f"{'levels':>6} {'other':>5} {'lanes':>8} {'planes':>8} {'columns':>8} {'rows':>8}   ns per row and feature")
    for levels in (2, 5, 10, 20, 50):
        rows = rng.integers(0, levels, (ROWS, FEATURES)).astype(np.uint8)
        columns = np.ascontiguousarray(rows.T)
        offsets = np.arange(0, levels * FEATURES + 1, levels)
        planes = np.zeros((levels * FEATURES, (ROWS + 63) // 64), np.uint64)
        bits.pack_planes(columns, offsets, 0, FEATURES, planes)
        for n_other in (2, 5, 15):
            other = rng.integers(0, n_other, ROWS)
            order, bounds = np.empty(ROWS, np.int64), np.empty(n_other + 1, np.int64)
            contingency.group_rows(other, n_other, order, bounds)
            masks = np.zeros((n_other, planes.shape[1]), np.uint64)
            bits.pack_planes(other[None, :], np.array([0, n_other]), 0, 1, masks)
            cube = np.zeros((n_other, levels, FEATURES), np.int64)
            table = np.zeros((levels * FEATURES, n_other), np.int64)
            ways = [
                lambda: contingency.count_lanes(rows, order, bounds, levels, 0, FEATURES, cube),
                lambda: bits.count_planes(planes, masks, 0, len(planes), table),
                lambda: contingency.count_columns(columns, other, offsets, 0, FEATURES, table),
                lambda: contingency.count_rows(rows, other, offsets, 0, FEATURES, table),
            ]
            times = [nanoseconds(way) for way in ways]
            print(f"{levels:6} {n_other:5} " + " ".join(f"{t:8.3f}" for t in times))


if __name__ == "__main__":
    main()
