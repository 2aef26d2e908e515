"""Kernels of ordered classes: nearest rows above and below, pairs, cuts."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.kernels import dominance, monotone_splits
from oracles.ordinal_margins import broken_pairs, neighbours, rank_information


def logs(n):
    return np.log(np.maximum(np.arange(n + 1), 1).astype(float))


def test_insert_keeps_the_nearest_in_order_of_arrival():
    distances, rows, found = np.full((5, 3), np.nan), np.full((5, 3), -1), np.zeros(5, np.int64)
    for row, distance in enumerate([2.0, 1.0, 2.0, 1.0, 3.0, 0.5]):
        dominance.insert(distance, row, 1, distances, rows, found)
    assert found.tolist() == [0, 3, 0, 0, 0]
    assert rows[1].tolist() == [5, 1, 3]
    assert distances[1].tolist() == [0.5, 1.0, 1.0]


@pytest.mark.parametrize("by_dominance", [True, False])
def test_nearest_rows_of_both_sides(rng, by_dominance):
    X, y = rng.integers(0, 4, (30, 2)).astype(float), rng.integers(0, 3, 30)
    distances, rows, found = np.empty((5, 3)), np.empty((5, 3), np.int64), np.zeros(5, np.int64)
    hits = "dominance" if by_dominance else "nearest"
    for i in range(30):
        to_row = np.abs(X - X[i]).sum(axis=1)
        dominance.find_nearest(X, y, i, np.arange(2), by_dominance, to_row, distances, rows, found)
        below, above = neighbours(X, y, i, to_row, [1, 1], hits, 3)
        for side, truth in enumerate([below[0], above[0], below[1], above[1]]):
            assert rows[side, : found[side]].tolist() == truth


def test_nominal_columns_add_to_distances(rng):
    X = rng.integers(0, 3, (9, 4)).astype(float)
    out = np.zeros((2, 9))
    dominance.add_unequal(X, 1, np.array([3, 7]), out)
    np.testing.assert_array_equal(out, [(X[:, 1:] != X[i, 1:]).sum(axis=1) for i in (3, 7)])


def test_pairs_add_up_over_blocks_of_rows(rng):
    X, y = rng.integers(0, 4, (40, 2)).astype(float), rng.integers(0, 3, 40)
    whole = np.zeros(2, np.int64)
    for start, stop in ((0, 7), (7, 8), (8, 40)):
        monotone_splits.count_violations(X, y, start, stop, whole)
    assert tuple(whole) == broken_pairs(X, y)


def test_information_of_a_cut_is_that_of_a_feature_with_two_values(rng):
    y = rng.integers(0, 4, 25)
    total = np.bincount(y, minlength=4)
    for _ in range(10):
        above = rng.random(25) < 0.5
        if above.all() or not above.any():
            continue
        low = np.bincount(y[~above], minlength=4)
        for side, shares in {"ascending": (1.0, 0.0), "descending": (0.0, 1.0), "both": (0.5, 0.5)}.items():
            got = monotone_splits.cut_information(low, total, int((~above).sum()), 25, logs(25), *shares)
            assert got == pytest.approx(rank_information(above.astype(int), y, side))


def test_best_cuts(rng):
    columns = np.array([[1.0, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1], [7, 7, 7, 7, 7, 7]])
    y, rows = np.array([0, 0, 0, 1, 1, 1]), np.arange(6)
    gains, cuts, signs = np.empty(3), np.empty(3), np.zeros(3, np.int64)
    shares = (1.0, 0.0)
    monotone_splits.best_cuts(columns, rows, y, 2, np.array([1, 0, 1]), logs(6), *shares, 1, gains, cuts, signs)
    # Three rows reach 3 by the cut, 3 by the class, 3 by both.
    assert gains[:2] == pytest.approx([np.log(2) / 2] * 2)
    assert cuts[:2].tolist() == [3.5, 3.5]
    assert signs[:2].tolist() == [1, -1]
    assert gains[2] == -np.inf
    # Too few rows for two parts.
    monotone_splits.best_cuts(columns, rows, y, 2, np.array([1, 0, 1]), logs(6), *shares, 4, gains, cuts, signs)
    assert (gains == -np.inf).all()
