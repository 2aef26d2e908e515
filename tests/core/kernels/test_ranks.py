import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from fewer.core.kernels import column_order

VALUES = st.lists(st.integers(-3, 3), min_size=1, max_size=25)


@given(VALUES)
def test_average_ranks_are_midranks(values):
    column = np.array(values, float)
    out = np.empty(len(column))
    ties = column_order.average_ranks(column, np.argsort(column, kind="stable"), out)
    np.testing.assert_array_equal(out, scipy.stats.rankdata(column))
    sizes = np.unique(column, return_counts=True)[1]
    assert ties == pytest.approx(float((sizes**3 - sizes).sum()))


@given(VALUES)
def test_count_swaps_counts_inversions_and_sorts(values):
    column = np.array(values, np.int64)
    swaps = column_order.count_swaps(column, np.empty_like(column))
    pairs = sum(values[i] > values[j] for i in range(len(values)) for j in range(i + 1, len(values)))
    assert swaps == pairs
    assert column.tolist() == sorted(values)


@given(st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=1, max_size=20))
def test_kendall_pairs_count_what_they_say(points):
    x, y = np.array(points, float).T
    by_y = np.argsort(y, kind="stable")
    x, y = x[by_y], np.unique(y[by_y], return_inverse=True)[1].astype(np.int64)
    out = np.empty(3)
    order = np.argsort(x, kind="stable")
    column_order.kendall_pairs(x, order, y, np.empty(len(y), np.int64), np.empty(len(y), np.int64), out)
    n = len(x)
    balance = sum(np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]) for i in range(n) for j in range(i))
    sizes = np.unique(x, return_counts=True)[1]
    assert out.tolist() == [
        balance,
        float((sizes * (sizes - 1) // 2).sum()),
        float((sizes * (sizes - 1) * (sizes - 2)).sum()),
    ]
