from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from fewer.core.hygiene.identifiers import KEPT_PRINTS, SmallestPrints
from fewer.core.hygiene.look import ColumnLook
from fewer.core.views.blocks import DenseBlock, SparseBlock
from oracles.hygiene import column_facts

CUTS = ((0, 1), (1, 40), (40, 41), (41, 90))


def table():
    rng = np.random.default_rng(3)
    X = rng.integers(0, 4, (90, 8)).astype(float)
    X[:, 1] = 1.7e9 + 3 * np.arange(90)
    X[:, 2] = X[:, 0]
    X[rng.random((90, 8)) < 0.1] = np.nan
    X[:, 3], X[:, 4], X[:, 2] = np.nan, rng.normal(size=90), X[:, 0]
    X[:, 1] = 1.7e9 + 3 * np.arange(90)
    # Of the two zeros of floating point there is one.
    X[:, 5], X[:, 6] = 0.0, -0.0
    return X, rng.integers(0, 3, 90)


def merged(summary, X, y, make):
    return summary.merge_all([summary.whole(make(X[a:b], y[a:b]), n_tiles=3) for a, b in CUTS if a < len(X)])


def dense(X, y):
    return DenseBlock(np.ascontiguousarray(X), y)


def columns_of(X, y):
    matrix = sparse.csc_array(X)
    matrix.eliminate_zeros()
    return SparseBlock(matrix, y)


def dense_numbers(X, _):
    return dense(X, None)


def columns_of_numbers(X, _):
    return columns_of(X, None)


def test_merged_blocks_tell_what_plain_counting_does():
    X, y = table()
    look = merged(ColumnLook(3), X, y, dense)
    for j in range(X.shape[1]):
        known = column_facts(X[:, j].tolist(), y.tolist())
        assert look.steps[j].tolist() == [known["missing"], known["parts"], known["ups"], known["downs"]]
        if known["range"] is not None:
            assert tuple(look.ranges[j]) == (*known["range"], *known["ends"])
        for c, bounds in known["by_class"].items():
            assert (look.low[j, c], look.high[j, c]) == bounds
    assert look.constant.tolist() == [False, False, False, True, False, True, True, False]
    assert np.sum(look.sizes, axis=0)[:3].tolist() == np.bincount(y).tolist()
    assert look.with_rows[1] == pytest.approx(1.0, abs=1e-12)
    assert look.with_rows[4] == pytest.approx(np.corrcoef(np.arange(90), X[:, 4])[0, 1])


def test_fingerprints_are_equal_for_equal_columns_only_and_do_not_depend_on_blocks():
    X, y = table()
    whole, parts = ColumnLook(3).whole(dense(X, y)), merged(ColumnLook(3), X, y, dense)
    assert (whole.prints == parts.prints).all()
    prints = [tuple(pair) for pair in whole.prints.tolist()]
    assert prints[0] == prints[2]
    assert prints[5] == prints[6]
    assert len(set(prints)) == 6
    # The same values in other rows.
    other = ColumnLook(3).whole(dense(X[::-1], y))
    assert not (other.prints[[0, 1, 4, 7]] == whole.prints[[0, 1, 4, 7]]).any()


def test_sparse_columns_are_seen_like_dense_ones():
    X, y = table()
    X = np.where(np.isnan(X), 0.0, X)
    X[3, 0] = np.nan
    one, other = merged(ColumnLook(3), X, y, dense), merged(ColumnLook(3), X, y, columns_of)
    for name in ("prints", "steps", "missing", "whole", "constant", "low", "high"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert np.array_equal(one.ranges, other.ranges)
    assert other.sums[1:] == pytest.approx(one.sums[1:], rel=1e-12)
    assert other.with_rows == pytest.approx(one.with_rows, abs=1e-12)


def test_steps_of_sparse_columns_are_those_of_plain_counting(rng):
    X = np.where(rng.random((60, 30)) < np.linspace(0, 1, 30), rng.integers(-3, 4, (60, 30)), 0).astype(float)
    X[rng.random((60, 30)) < 0.05] = np.nan
    X[:, 0], X[:, 1], X[:, 2] = np.nan, np.arange(60), np.arange(60)[::-1]
    look = merged(ColumnLook(0), X, [None] * 60, columns_of_numbers)
    for j in range(30):
        known = column_facts(X[:, j].tolist(), [0] * 60)
        assert look.steps[j].tolist() == [known["missing"], known["parts"], known["ups"], known["downs"]]
        if known["range"] is not None:
            assert tuple(look.ranges[j]) == (*known["range"], *known["ends"])
    assert look.with_rows[1:3] == pytest.approx([1.0, -1.0])


def test_different_values_of_sparse_columns_are_counted_like_dense_ones(rng):
    X = np.where(rng.random((90, 6)) < 0.5, rng.integers(-9, 9, (90, 6)), 0).astype(float)
    X[:, 0], X[4, 1] = np.arange(90), np.nan
    summary = SmallestPrints(tuple(range(6)))
    one, other = (merged(summary, X, [None] * 90, make) for make in (dense_numbers, columns_of_numbers))
    assert [len(prints) for prints in one] == [len(np.unique(x[~np.isnan(x)])) for x in X.T]
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_different_values_are_counted_exactly_up_to_a_bound_and_well_beyond():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 500, 30_000), rng.permutation(30_000)]).astype(float)
    summary = SmallestPrints((0, 1))
    few, many = summary.merge_all([summary.whole(dense(X[a : a + 9000], None)) for a in range(0, 30_000, 9000)])
    assert len(few) == 500
    assert len(many) == KEPT_PRINTS
    assert (KEPT_PRINTS - 1) / (float(many[-1]) / 2.0**64) == pytest.approx(30_000, rel=0.05)
