"""Conditional information kernels against fractions and plain sums."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewer.core.kernels.conditional import additive_logs, conditional_information, table_terms
from fewer.core.measures.count_logs import CountLogs
from oracles.blankets import exact_information, information


def measured(codes, levels, y, n_classes, features, blankets):
    """codes are columns."""
    columns = np.ascontiguousarray(codes)
    logs, out = CountLogs.up_to(len(y)), np.empty(len(features), np.int64)
    conditional_information(
        columns,
        np.asarray(levels, np.int64),
        np.asarray(y, np.int64),
        n_classes,
        logs.growth,
        np.asarray(features, np.int64),
        np.asarray(blankets, np.int64).reshape(len(features), -1),
        out,
    )
    return out, logs


@pytest.mark.parametrize(("dtype", "levels"), [(np.uint8, 4), (np.uint8, 250), (np.uint16, 300), (np.uint16, 65536)])
@pytest.mark.parametrize("n_blanket", [0, 1, 2, 3])
def test_information_given_a_blanket(rng, dtype, levels, n_blanket):
    n, d = 60, 5
    codes = rng.integers(0, levels, (d, n)).astype(dtype)
    codes[1] = codes[0]
    # Few of the many levels repeat unless some are drawn again, and without repeats every information is the same.
    codes[2:] = rng.choice(codes[2:].ravel(), (3, n), p=rng.dirichlet(np.full(3 * n, 0.05)))
    y = rng.integers(0, 3, n)
    blankets = [rng.permutation([j for j in range(d) if j != f])[:n_blanket] for f in range(d)]
    got, logs = measured(codes, [levels] * d, y, 3, range(d), blankets)
    expected = [information(codes[f].tolist(), y.tolist(), [codes[m].tolist() for m in blankets[f]]) for f in range(d)]
    np.testing.assert_allclose(got / (logs.scale * n), expected, rtol=1e-9, atol=1e-12)


def test_more_classes_than_cells_of_the_table(rng):
    n = 40
    codes, y = rng.integers(0, 5, (3, n)).astype(np.uint8), rng.integers(0, 39, n)
    got, logs = measured(codes, [5, 5, 5], y, 10**6, [0, 1], [[1, 2], [2, 0]])
    expected = [
        information(codes[f].tolist(), y.tolist(), [codes[m].tolist() for m in given_])
        for f, given_ in ((0, (1, 2)), (1, (2, 0)))
    ]
    np.testing.assert_allclose(got / (logs.scale * n), expected, rtol=1e-9)


@given(st.data())
def test_equal_informations_are_equal_and_others_keep_their_order(data):
    n, d = data.draw(st.integers(2, 14)), 4
    rows = st.lists(st.integers(0, 2), min_size=n, max_size=n)
    codes = [data.draw(rows) for _ in range(d)]
    y = data.draw(rows)
    blankets = [[(f + 1) % d, (f + 2) % d if f % 2 else -1] for f in range(d)]
    got, _ = measured(np.array(codes, np.uint8), [3] * d, y, 3, range(d), blankets)
    exact = [exact_information(codes[f], y, [codes[m] for m in blankets[f] if m >= 0]) for f in range(d)]
    for a in range(d):
        assert (got[a] == 0) == (exact[a] == 1)
        for b in range(d):
            assert np.sign(got[a] - got[b]) == (exact[a] > exact[b]) - (exact[a] < exact[b])


def test_order_of_rows_and_of_the_blanket_changes_nothing(rng):
    n, d = 50, 4
    codes, y = rng.integers(0, 3, (d, n)).astype(np.uint8), rng.integers(0, 2, n)
    order = rng.permutation(n)
    one, _ = measured(codes, [3] * d, y, 2, [0, 1], [[2, 3, -1], [0, -1, 3]])
    two, _ = measured(codes[:, order], [3] * d, y[order], 2, [0, 1], [[-1, 3, 2], [3, 0, -1]])
    np.testing.assert_array_equal(one, two)


def test_logs_add_up_over_products():
    logs = np.zeros(400, np.int64)
    additive_logs(2.0**40, logs)
    for a in range(1, 20):
        for b in range(1, 20):
            assert logs[a * b] == logs[a] + logs[b]
    np.testing.assert_allclose(logs[1:] / 2.0**40, np.log(np.arange(1, 400)), atol=1e-11)


def test_terms_of_stacked_tables(rng):
    table, offsets = rng.integers(0, 9, (10, 3)), np.array([0, 4, 5, 10])
    terms, out = rng.integers(0, 10**6, 9), np.empty(3, np.int64)
    table_terms(table, offsets, terms, out)
    assert out.tolist() == [int(terms[table[a:b]].sum()) for a, b in zip(offsets[:-1], offsets[1:])]
