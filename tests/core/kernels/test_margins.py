"""Tiles of distances and the sums over them against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.special import logsumexp

from fewer.core.kernels import margins
from fewer.core.kernels import simba as simba_kernel


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("p", [1, 5, margins.LANES, margins.LANES + 7])
def test_distances(rng, squared, p):
    Z, tile = rng.random((23, p)), np.full((margins.TILE, margins.TILE), np.nan)
    margins.distances(Z, 2, 9, 5, 22, squared, tile)
    expected = cdist(Z[2:9], Z[5:22], "sqeuclidean" if squared else "cityblock")
    np.testing.assert_allclose(tile[:7, :17], expected, rtol=1e-12, atol=1e-14)
    assert np.isnan(tile[7:]).all()


def test_nearest_hits_and_misses(rng):
    # Whole numbers: many ties, of which the first row counts.
    Z, y = rng.integers(0, 3, (130, 3)).astype(float), np.append(rng.integers(0, 2, 129), 2)
    neighbour, distance = np.empty((100, 2), np.int64), np.empty((100, 2))
    margins.nearest_hits_and_misses(Z, y, False, 30, 130, neighbour, distance)
    D = cdist(Z, Z, "cityblock")
    np.fill_diagonal(D, np.inf)
    for i in range(30, 130):
        for g, same in enumerate((True, False)):
            d = np.where((y == y[i]) == same, D[i], np.inf)
            assert distance[i - 30, g] == d.min()
            assert neighbour[i - 30, g] == (np.argmin(d) if np.isfinite(d.min()) else -1)


@pytest.mark.parametrize("width", [1e-5, 0.3, 50.0])
def test_log_sums_of_stretches_add_up(rng, width):
    n = 2 * margins.TILE + 9
    Z, y = rng.random((n, 3)), rng.integers(0, 3, n)
    sums = np.full((n, 3), -np.inf)
    for start in range(0, n, margins.TILE):
        out = np.empty((n - start, 3))
        margins.class_log_sums(Z, y, width, start, min(start + margins.TILE, n), out)
        sums[start:] = np.logaddexp(sums[start:], out)
    exponents = -cdist(Z, Z, "cityblock") / width
    np.fill_diagonal(exponents, -np.inf)
    expected = np.column_stack([logsumexp(exponents[:, y == c], axis=1) for c in range(3)])
    np.testing.assert_allclose(sums, expected, rtol=1e-10)


def test_equal_columns_get_equal_sums(rng):
    """To the last bit, wherever they stand: of equal scores the lower number must win."""
    X = rng.random((70, 1))[:, np.zeros(margins.LANES + 5, int)].copy()
    y, scale, out = rng.integers(0, 2, 70), rng.normal(size=(70, 2)), np.empty(X.shape[1])
    margins.weighted_differences(X, X[:, :3].copy(), y, scale, 1.0, 0, margins.TILE, out)
    assert len(set(out)) == 1
    margins.row_differences(X, 3, 0, 70, rng.random(70), out)
    assert len(set(out)) == 1


def test_weighted_row_distances_and_differences(rng):
    X, w, scale = rng.random((11, 600)), rng.random(600), rng.random(6)
    d, out = np.empty(6), np.empty(600)
    margins.row_distances(X, w, 4, 3, 9, d)
    np.testing.assert_allclose(d, (w * np.abs(X[4] - X[3:9])).sum(axis=1))
    margins.row_differences(X, 4, 3, 9, scale, out)
    np.testing.assert_allclose(out, (scale[:, None] * np.abs(X[4] - X[3:9])).sum(axis=0))


def test_a_distance_is_given_up_at_its_bound(rng):
    x, z = rng.random(500), rng.random(500)
    whole = ((x - z) ** 2).sum()
    assert simba_kernel._distance_below(x, z, np.ones(500), np.inf) == pytest.approx(whole)
    assert simba_kernel._distance_below(x, z, np.ones(500), whole / 2) == np.inf
