"""Distances and sums by bits against plain comparisons of level numbers."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from fewer.core.kernels import level_planes
from fewer.core.neighbours.level_space import MOST_LEVELS, RowPlaces, level_space


def differing(columns):
    """Return which features of every pair of rows differ, (n_rows, n_rows, n_features)."""
    rows = columns.T
    return rows[:, None, :] != rows[None, :, :]


def levels_of(rng, n_features, n_rows, most):
    sizes = rng.integers(1, most + 1, n_features)
    return (rng.random((n_features, n_rows)) * sizes[:, None]).astype(np.uint8), sizes


@pytest.mark.parametrize("most", [1, 2, 3, 4, 5, 8, 9, MOST_LEVELS])
@pytest.mark.parametrize("n_features", [1, 63, 64, 65, 200])
def test_distances_count_differing_features(rng, n_features, most):
    columns, sizes = levels_of(rng, n_features, 23, most)
    space = level_space(columns, sizes)
    expected = differing(columns).sum(axis=2)
    np.testing.assert_array_equal(space.tile(space, 0, 23, 0, 23), expected)
    np.testing.assert_array_equal(space.tile(space, 3, 9, 20, 23), expected[3:9, 20:23])
    chosen = space.take(np.array([22, 0]))
    np.testing.assert_array_equal(space.tile(chosen, 0, 2, 0, 23), expected[[22, 0]])
    np.testing.assert_array_equal(space.exact(space, np.array([4, 5]), np.array([5, 4])), [expected[4, 5]] * 2)
    off = ~np.eye(23, dtype=bool)
    assert space.mean_distance() == pytest.approx(expected[off].mean())


def test_more_words_than_pass_at_once(rng):
    n_features = 64 * level_planes.WORDS_AT_ONCE + 70
    columns, sizes = levels_of(rng, n_features, 4, 3)
    columns[:, 3] = columns[:, 0]
    space = level_space(columns, sizes)
    np.testing.assert_array_equal(space.tile(space, 0, 4, 0, 4), differing(columns).sum(axis=2))


def test_sums_of_differences_follow_the_order_of_the_features(rng):
    columns, sizes = levels_of(rng, 70, 12, MOST_LEVELS)
    space = level_space(columns, sizes)
    weights = rng.normal(size=(5, 6)) * (rng.random((5, 6)) < 0.6)
    expected = np.einsum("ij,ijf->f", weights, differing(columns)[2:7, 4:10])
    np.testing.assert_allclose(space.add_tile(space, 2, 7, 4, weights), expected, atol=1e-13)


@pytest.mark.parametrize("sizes", [(1, 1), (64, 64), (65, 3, 0, 130), (400, 7)])
def test_rows_of_a_class_share_words(rng, sizes):
    y = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    places = RowPlaces.by_class(y, len(sizes))
    assert len(set(places.of_row.tolist())) == len(y)
    for c in range(len(sizes)):
        words = places.of_row[y == c] // 64
        assert ((words >= places.ends[c]) & (words < places.ends[c + 1])).all()


@pytest.mark.parametrize("sizes", [(9, 14), (70, 1, 66), (300, 20)])
@pytest.mark.parametrize("far", [False, True])
def test_masks_hold_what_the_weights_of_rows_hold(rng, sizes, far):
    from fewer.core.kernels import tiles

    y = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    n, start, stop = len(y), 3, min(len(y), 20)
    distance = rng.integers(0, 9, (stop - start, n)).astype(float)
    own, shares = np.arange(start, stop), np.bincount(y) / n
    # Rows that lie at the limit itself are on neither side.
    limit = rng.integers(2, 7, stop - start).astype(float)
    weights, scratch = np.zeros(distance.shape), np.empty(len(sizes))
    balance = tiles.side_weights(distance, own, y, y[start:stop], shares, limit, far, scratch, weights)
    places = RowPlaces.by_class(y, len(sizes))
    masks = np.empty((places.n_bits // 64, stop - start), np.uint64)
    values = np.empty((len(sizes), stop - start))
    found = level_planes.side_masks(distance, own, y, places.of_row, y[start:stop], shares, limit, far, masks, values)
    assert found == balance
    bits = (masks[places.of_row >> 6].T >> (places.of_row & 63).astype(np.uint64)) & np.uint64(1)
    np.testing.assert_array_equal(bits * values[y].T, weights)
    assert np.bitwise_count(masks).sum() == bits.sum()


@pytest.mark.parametrize("sizes", [(9, 14), (70, 1, 66), (300, 20)])
def test_agreements_count_marked_rows_of_the_same_level(rng, sizes):
    y = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    n, start, stop = len(y), 5, min(len(y), 19)
    columns, levels = levels_of(rng, 40, n, 6)
    space, places = level_space(columns, levels), RowPlaces.by_class(y, len(sizes))
    marked = rng.random((stop - start, n)) < 0.4
    values = rng.normal(size=(len(sizes), stop - start))
    masks = np.zeros((places.n_bits // 64, stop - start), np.uint64)
    for i, j in zip(*np.nonzero(marked)):
        masks[places.of_row[j] >> 6, i] |= np.uint64(1) << np.uint64(places.of_row[j] & 63)
    sums = space.agreements(places, [SimpleNamespace(start=start, masks=masks, values=values)], 0, 40)
    same = ~differing(columns)[start:stop]
    expected = np.einsum("ij,ijf->f", marked * values[y].T, same)
    np.testing.assert_allclose(space.in_order(sums), expected, atol=1e-12)
