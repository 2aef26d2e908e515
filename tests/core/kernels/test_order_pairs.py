from __future__ import annotations

import numpy as np
import pytest

from fewer.core.kernels.order_pairs import add_before, add_differing_bits, pack_orders, sum_before


def some_rows(rng, n_features=9):
    rows = rng.integers(0, 5, (12, n_features)).astype(float)
    rows[rng.random(rows.shape) < 0.1] = np.nan
    return rows


def test_add_before_counts_weights_by_group(rng):
    rows, groups, weight = some_rows(rng), rng.integers(0, 3, 12), rng.random(12)
    out = np.zeros((3, 9, 9))
    add_before(rows, groups, weight, 0, 4, out)
    add_before(rows, groups, weight, 4, 9, out)
    truth = np.zeros((3, 9, 9))
    for r in range(12):
        truth[groups[r]] += weight[r] * (rows[r][:, None] < rows[r][None, :])
    np.testing.assert_allclose(out, truth, rtol=1e-12)


def test_sum_before_adds_the_weights_of_true_pairs(rng):
    rows, weights = some_rows(rng), rng.normal(size=(2, 9, 9))
    out = np.full((12, 2), np.nan)
    sum_before(rows, 0, 5, weights, out)
    sum_before(rows, 5, 12, weights, out)
    truth = [[w[row[:, None] < row[None, :]].sum() for w in weights] for row in rows]
    np.testing.assert_allclose(out, truth, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("n_features", [2, 12, 65, 140])
@pytest.mark.parametrize("both", [False, True])
def test_packed_bits_are_the_boolean_orders(rng, n_features, both):
    rows = rng.integers(0, 9, (4, n_features)).astype(float)
    bits = [[] for _ in rows]
    for r, row in enumerate(rows):
        for i in range(n_features - 1):
            bits[r] += (row[i] < row[i + 1 :]).tolist()
            bits[r] += (row[i] > row[i + 1 :]).tolist() if both else []
    n_words = -(-len(bits[0]) // 64)
    words = np.zeros((4, n_words), np.uint64)
    pack_orders(rows, -rows, 0, n_features - 1, both, 0, 4, words)
    seen = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")[:, : len(bits[0])]
    np.testing.assert_array_equal(seen, np.array(bits))


def test_differing_bits_add_up(rng):
    left, right = (rng.integers(0, 2**63, (n, 3), dtype=np.uint64) for n in (5, 4))
    out = np.ones((5, 4), np.int64)
    add_differing_bits(left, right, 0, 2, out)
    add_differing_bits(left, right, 2, 5, out)
    truth = [[1 + sum(int(a ^ b).bit_count() for a, b in zip(one, other)) for other in right] for one in left]
    np.testing.assert_array_equal(out, truth)
