"""Whole-number logarithms of counts."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy.special import xlogy

from fewer.core.measures.count_logs import CountLogs, SumLogs


@pytest.mark.parametrize("n", [0, 1, 2, 72, 5000, 200_000])
def test_terms_are_x_log_x(n):
    logs = CountLogs.up_to(n)
    x = np.arange(len(logs.terms), dtype=float)
    assert len(x) >= n + 1
    np.testing.assert_allclose(logs.terms / logs.scale, xlogy(x, x), rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(np.cumsum(logs.growth), logs.terms[1:])
    # The sum over any division of the rows is at most this term, and four of them must not overflow.
    assert 0 <= logs.terms[-1] < 2**61


def test_more_rows_than_counters_hold_are_refused():
    with pytest.raises(ValueError, match="2,147,483,648 rows"):
        CountLogs.up_to(2**31)


def test_nats_are_per_row_and_not_negative():
    logs = CountLogs.up_to(8)
    assert logs.nats(np.array([logs.terms[8], -3]), 8).tolist() == [pytest.approx(np.log(8)), 0.0]


@pytest.mark.parametrize("n", [2, 1000, 2**30, 2**52])
def test_terms_of_large_sums(n):
    logs = SumLogs.up_to(n)
    x = np.unique(np.geomspace(1, n, 50).astype(np.int64))
    terms = logs.of(x)
    assert terms.dtype == np.int64
    np.testing.assert_allclose(terms / logs.scale, xlogy(x.astype(float), x), rtol=1e-14, atol=1.0 / logs.scale)
    assert logs.of(np.zeros(1, np.int64)) == 0
    assert 0 <= terms.max() < 2**61 + 2**36
    if n <= 1000:
        assert logs.scale == CountLogs.up_to(n).scale


def test_a_table_of_many_counts_takes_little_beside_itself():
    n, before = 1_000_000, tracemalloc.is_tracing()
    CountLogs.up_to(10)
    tracemalloc.start()
    logs = CountLogs.up_to(n)
    most = tracemalloc.get_traced_memory()[1]
    if not before:
        tracemalloc.stop()
    assert most < 1.6 * logs.terms.nbytes
