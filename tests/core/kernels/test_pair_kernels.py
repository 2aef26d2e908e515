"""Kernels of the small filters against plain loops over pairs of rows; long runs of strips, ties and few rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import digamma

from fewer.core.kernels import distance_products, gaussian_pairs, near_counts, rank_steps
from oracles import small_filters as plain


def columns(rng, n, rounded):
    x, y, z = rng.normal(size=(3, n))
    z[:2] = (-1.0, 1.0)[:n]
    return (np.rint(2 * x) / 2, np.rint(2 * y) / 2, np.rint(z)) if rounded else (x, y, z)


def strips(column, width):
    n = len(column)
    ranks, rows = np.empty((2, n), np.int64)
    low, high = np.empty((2, -(-n // width)))
    by_column = np.argsort(column, kind="stable")
    near_counts.in_strips(column, by_column, width, ranks, rows, low, high)
    return by_column, ranks, rows, (low, high, width)


def estimate(times):
    """Of counts of digamma, n rows to 0."""
    values = np.concatenate([[0.0], digamma(np.arange(1, len(times)))])
    n = len(times) - 1
    return max(0.0, values[n] + times @ values / n)


@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize(("n", "width", "k"), [(2, 1, 1), (30, 4, 3), (30, 30, 5), (61, 7, 60), (150, 12, 3)])
def test_near_rows_of_numbers_and_of_pairs(rng, rounded, n, width, k):
    x, y, z = columns(rng, n, rounded)
    order = np.argsort(y, kind="stable")
    x, y, z = x[order], y[order], z[order]
    spread = [np.std(one) or 1.0 for one in (x, y, z)]
    scales = 1.0 / np.array(spread)
    by_x, ranks, rows, cut = strips(x, width)
    times = np.zeros(n + 1, np.int64)
    zeros = np.zeros(n, np.int64)
    near_counts.count_numbers(x[rows], y[rows], ranks[rows], rows, x[by_x], y, zeros, *cut, scales, k, times)
    assert estimate(times) == pytest.approx(plain.near_information([x], y, k, False), abs=1e-9)
    times[:] = 0
    by_z = np.argsort(z, kind="stable")
    places = np.argsort(by_z)
    none = np.empty(0, np.int64)
    near_counts.count_pairs(x[rows], y[rows], z[rows], places[rows], z[by_z], zeros, none, *cut, scales, k, times)
    assert estimate(times) == pytest.approx(plain.near_information([x, y], z, k, False), abs=1e-9)


@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize(("n", "k"), [(6, 1), (40, 3), (90, 20)])
def test_near_rows_of_classes(rng, rounded, n, k):
    x, y, _ = columns(rng, n, rounded)
    c = np.arange(n) % 3
    sizes, order = np.bincount(c), np.argsort(x, kind="stable")
    times = np.zeros(n + 1, np.int64)
    near_counts.count_classes(x[order], c[order], sizes, k, times)
    assert estimate(times) == pytest.approx(plain.near_information([x], c, k, True), abs=1e-9)
    by_y = np.argsort(y, kind="stable")
    x, y, c = x[by_y], y[by_y], c[by_y]
    _, _, rows, cut = strips(x, 8)
    times[:] = 0
    scales = 1.0 / np.array([np.std(x), np.std(y), 1.0])
    zeros = np.zeros(n)
    near_counts.count_pairs(x[rows], y[rows], zeros, rows, zeros, c[rows], sizes, *cut, scales, k, times)
    assert estimate(times) == pytest.approx(plain.near_information([x, y], c, k, True), abs=1e-9)


@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 31, 64])
def test_sums_over_distances(rng, rounded, n):
    x, y, _ = columns(rng, n, rounded)
    x = np.sort(x)
    a, b = np.abs(x[:, None] - x), np.abs(y[:, None] - y)
    sums = np.empty(n)
    assert distance_products.distance_sums(x, sums) == pytest.approx(a.sum(), abs=1e-9)
    np.testing.assert_allclose(sums, a.sum(axis=1), atol=1e-9)
    assert distance_products.distance_product(x, y, np.empty((4, n))) == pytest.approx((a * b).sum(), abs=1e-8)
    c = rng.integers(0, 3, n)
    assert distance_products.distance_within(x, c, 3) == pytest.approx(a[c[:, None] == c].sum(), abs=1e-9)


@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 30])
def test_median_difference_and_gaussian_kernel(rng, rounded, n):
    x, y, _ = columns(rng, n, rounded)
    differences = np.abs(x[:, None] - x)[np.triu_indices(n, 1)]
    assert gaussian_pairs.median_difference(np.sort(x)) == np.median(differences)
    upper, sums = np.zeros((n, n)), np.empty(n)
    gaussian_pairs.fill_gaussian(x, 0.7, upper, sums)
    full = np.exp(-((0.7 * (x[:, None] - x)) ** 2))
    np.testing.assert_allclose(upper, np.triu(full, 1))
    np.testing.assert_allclose(sums, full.sum(axis=1) - 1)
    target, order, means = np.add.outer(y, y), rng.permutation(n), full.mean(axis=1)
    above = np.triu_indices(n, 1)
    assert gaussian_pairs.centred_products(upper, target) == pytest.approx((full * target)[above].sum())
    moved = target[np.ix_(order, order)]
    assert gaussian_pairs.permuted_products(upper, target, order) == pytest.approx((full * moved)[above].sum())
    centred = full - means - means[:, None] + means.mean()
    found = gaussian_pairs.centred_squares(upper, means, means.mean())
    assert found == pytest.approx((centred[above] ** 2).sum())


@pytest.mark.parametrize("levels", [1, 2, 3, 9])
def test_steps_between_ranks_are_their_mean_over_orders_of_ties(rng, levels):
    x, y = rng.integers(0, levels, 7).astype(float), rng.integers(0, 5, 7)
    ranks = np.array([np.sum(y <= one) for one in y])
    room = np.empty(7, np.int64)
    found = rank_steps.expected_steps(x, np.argsort(x, kind="stable"), ranks, room)
    l = np.array([np.sum(y >= one) for one in y])
    whole = 2 * (l * (7 - l)).sum()
    assert 1 - 7 * found / whole == pytest.approx(plain.xi(x, y), abs=1e-12)
