"""Rows with missing levels: distances and sums by bits against every pair by itself."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from fewer.core.neighbours.gapped_space import GAP, MOST_GAPPED_LEVELS, gapped_space
from fewer.core.neighbours.level_space import RowPlaces


def pair_differences(columns, label, squared):
    """Return the difference of every pair of rows in every feature, (n_rows, n_rows, n_features)."""
    n, out = columns.shape[1], []
    for column in columns:
        known = column != GAP
        pools = [column[known & (label == c)] for c in range(label.max() + 1)]
        pools = [pool if len(pool) else column[known] for pool in pools]
        # How often a row has each level: surely its own, or as often as its class.
        shares = [np.bincount(column[[i]] if known[i] else pools[label[i]], minlength=GAP) for i in range(n)]
        shares = np.array([share / share.sum() for share in shares])
        found = 1.0 - shares @ shares.T
        out.append(found**2 if squared else found)
    return np.stack(out, axis=2)


def gapped(rng, n_features, n_rows, n_classes, most):
    sizes = rng.integers(1, most + 1, n_features)
    columns = (rng.random((n_features, n_rows)) * sizes[:, None]).astype(np.uint8)
    columns[:, 1:][rng.random((n_features, n_rows - 1)) < 0.3] = GAP
    label = np.arange(n_rows) % n_classes
    # A class without any known value in one feature.
    columns[0, label == n_classes - 1] = GAP
    columns[0, 0] = 0
    return columns, sizes, label


CASES = [(1, 2, 1, 2), (5, 9, 1, 3), (66, 20, 2, 3), (70, 13, 4, MOST_GAPPED_LEVELS)]


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_distances_and_sums_of_pairs(rng, case, squared):
    columns, sizes, label = gapped(rng, *case)
    space, expected = gapped_space(columns, sizes, label, squared), pair_differences(columns, label, squared)
    n = case[1]
    np.testing.assert_allclose(space.tile(space, 0, n, 0, n), expected.sum(axis=2), atol=1e-12)
    np.testing.assert_allclose(space.tile(space, 1, 2, 0, n - 1), expected.sum(axis=2)[1:2, : n - 1], atol=1e-12)
    rows = np.array([n - 1, 0, n - 1])
    chosen = space.take(rows)
    np.testing.assert_allclose(space.tile(chosen, 0, 3, 0, n), expected.sum(axis=2)[rows], atol=1e-12)
    weights = rng.normal(size=(3, n)) * (rng.random((3, n)) < 0.7)
    sums = np.einsum("ij,ijf->f", weights, expected[rows])
    np.testing.assert_allclose(space.add_tile(chosen, 0, 3, 0, weights), sums, atol=1e-12)
    one = space.exact(space, np.array([1]), np.array([0]))
    np.testing.assert_array_equal(one, space.tile(space, 0, n, 0, n)[1, :1])


@pytest.mark.parametrize("one_label", [False, True])
@pytest.mark.parametrize("case", [(10, 70, 3, 4), (66, 67, 2, MOST_GAPPED_LEVELS)])
def test_marked_rows_count_by_what_they_have_in_common(rng, case, one_label):
    columns, sizes, y = gapped(rng, *case)
    label, n, n_classes = np.zeros_like(y) if one_label else y, case[1], case[2]
    space, places = gapped_space(columns, sizes, label, False), RowPlaces.by_class(y, n_classes)
    start, stop = 2, 12
    marked, values = rng.random((stop - start, n)) < 0.4, rng.normal(size=(n_classes, stop - start))
    masks = np.zeros((places.n_bits // 64, stop - start), np.uint64)
    for i, j in zip(*np.nonzero(marked)):
        masks[places.of_row[j] >> 6, i] |= np.uint64(1) << np.uint64(places.of_row[j] & 63)
    side = SimpleNamespace(start=start, masks=masks, values=values)
    found = np.concatenate([space.agreements(places, [side], 0, 7), space.agreements(places, [side], 7, case[0])])
    alike = 1.0 - pair_differences(columns, label, False)[start:stop]
    expected = np.einsum("ij,ijf->f", marked * values[y].T, alike)
    np.testing.assert_allclose(space.in_order(found), expected, atol=1e-11)
