"""Rows that the most frequent class of their group gets right, against plain loops."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest

from fewer.core.kernels.alike import rows_right
from fewer.core.kernels.contingency import group_rows


def by_loops(column, groups, y, weight):
    cells = defaultdict(Counter)
    for i in range(len(y)):
        cells[groups[i], column[i]][y[i]] += weight[i]
    return sum(max(cell.values()) for cell in cells.values())


@pytest.mark.parametrize("n_groups", [1, 4, 60])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("weighted", [False, True])
def test_plain_loops(n_groups, dtype, weighted):
    rng = np.random.default_rng(n_groups)
    n, n_levels, n_classes = 90, np.array([1, 2, 7, 250, 3]), 3
    columns = np.vstack([rng.integers(0, L, n) for L in n_levels]).astype(dtype)
    groups, y = rng.integers(0, n_groups, n), rng.integers(0, n_classes, n)
    weight = rng.integers(1, 9, n) / 4 if weighted else np.ones(n, np.int64)
    rows, bounds = np.empty(n, np.int64), np.empty(n_groups + 1, np.int64)
    group_rows(groups, n_groups, rows, bounds)
    for first, last in [(0, 5), (1, 4), (3, 3)]:
        out = np.full(last - first, -1, weight.dtype)
        rows_right(columns[first:last], n_levels, rows, bounds, y[rows], weight[rows], n_classes, first, last, out)
        # Weights are quarters, which add up exactly.
        expected = [by_loops(columns[j], groups, y, weight) for j in range(first, last)]
        np.testing.assert_array_equal(out, expected)
