"""Distance tiles, lists of neighbours and weighted differences beside plain numpy in float64."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewer.core.kernels import differences, distances, mixed, tiles

SHAPES = [(1, 1, 1), (3, 5, 7), (4, 4, 16), (9, 2, 600), (2, 9, 1100), (13, 17, 512)]


def l1(left, right):
    return np.abs(left[:, None].astype(float) - right[None].astype(float)).sum(axis=2)


def tile(left, right, grid=0.0):
    out = np.full((len(left), len(right)), np.nan)
    sums = left.sum(axis=1, dtype=float), right.sum(axis=1, dtype=float)
    distances.l1_tile(left, right, *sums, left.dtype.type(1), grid, out)
    return out


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_l1_tile(shape, dtype):
    m, t, p = shape
    rng = np.random.default_rng(0)
    left, right = rng.random((m, p)).astype(dtype), rng.normal(size=(t, p)).astype(dtype)
    # The worst order of the sums is that of a plain loop.
    tol = np.finfo(dtype).eps * p * max(p, 8)
    np.testing.assert_allclose(tile(left, right), l1(left, right), rtol=0, atol=tol)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_squared_tile(shape, dtype):
    m, t, p = shape
    rng = np.random.default_rng(0)
    left, right = rng.random((m, p)).astype(dtype), rng.random((t, p)).astype(dtype)
    out = np.empty((m, t))
    distances.squared_tile(left, right, 0.0, out)
    want = ((left[:, None].astype(float) - right[None]) ** 2).sum(axis=2)
    np.testing.assert_allclose(out, want, rtol=0, atol=np.finfo(dtype).eps * p * max(p, 8))


def test_a_grid_makes_equal_what_is_equal_on_paper():
    thirds = np.array([[0.0, 1 / 3, 2 / 3], [1 / 3, 2 / 3, 0.0]])
    a, b = np.zeros((1, 3)), np.ones((1, 3)) / 3
    rough, even = tile(a, thirds), tile(a, thirds, 2.0**30)
    assert even[0, 0] == even[0, 1] == 1.0
    np.testing.assert_allclose(rough, even, atol=1e-9)
    assert tile(b, thirds, 2.0**30)[0, 0] == tile(b, thirds, 2.0**30)[0, 1]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_exact_pairs_and_weighted_differences(dtype):
    rng = np.random.default_rng(1)
    left, right = rng.normal(size=(7, 1500)).astype(dtype), rng.normal(size=(9, 1500)).astype(dtype)
    factor = rng.random(1500)
    rows, others = np.array([0, 0, 3, 6]), np.array([8, 2, 2, 0])
    gaps = np.abs(left[rows].astype(float) - right[others])
    out = np.empty(4)
    distances.exact_l1(left, right, factor, rows, others, 2.0**30, out)
    np.testing.assert_allclose(out, gaps @ factor, atol=1e-9)
    distances.exact_squared(left, right, factor, rows, others, 2.0**30, out)
    np.testing.assert_allclose(out, (gaps**2) @ factor**2, atol=1e-9)
    weights, starts = rng.normal(size=4), np.array([0, 2, 3, 4])
    rows, total = np.array([0, 3, 6]), np.zeros(1500)
    differences.add_l1_pairs(left, right, rows, starts, others, weights, total)
    np.testing.assert_allclose(total, weights @ gaps, atol=1e-12)
    total = np.zeros(1500)
    differences.add_squared_pairs(left, right, factor, rows, starts, others, weights, total)
    np.testing.assert_allclose(total, weights @ (factor * gaps) ** 2, atol=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_weighted_differences_of_a_tile(shape, dtype):
    m, t, p = shape
    rng = np.random.default_rng(2)
    left, right = rng.random((m, p)).astype(dtype), rng.random((t, p)).astype(dtype)
    weights = np.where(rng.random((m, t)) < 0.5, rng.normal(size=(m, t)), 0.0)
    out = np.zeros(p)
    differences.add_l1_tile(left, right, weights, out)
    want = np.einsum("ij,ijf->f", weights, np.abs(left[:, None].astype(float) - right[None]))
    np.testing.assert_allclose(out, want, atol=1e-12 if dtype is np.float64 else 1e-5)


def kept(parts, own, slots, kind, group, size, room):
    m, n_slots = len(kind), int(slots.max()) + 1
    counts, limits = np.zeros((m, n_slots), np.int64), np.full((m, n_slots), np.inf)
    distance, index, first = np.empty((m, n_slots, room)), np.empty((m, n_slots, room), np.int64), 0
    for part in parts:
        tiles.keep_nearest(part, first, own, slots, kind, group, size, counts, limits, distance, index)
        first += part.shape[1]
    if room > size:
        tiles.cut_lists(size, counts, limits, distance, index)
    return counts, limits, index


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 9), st.integers(1, 12), st.sampled_from([0, 1, 2, 40, 300])
)
def test_lists_keep_the_nearest_and_of_equal_ones_the_lowest_number(seed, n_groups, size, step, more):
    rng = np.random.default_rng(seed)
    m, n = 3, 30
    distance = rng.integers(0, 6, (m, n)).astype(float)
    group, kind = rng.integers(0, n_groups, n), rng.integers(0, 2, m)
    slots = rng.integers(-1, 3, (2, n_groups))
    slots[0, 0] = 0
    own = rng.integers(-1, n, m)
    tiles = [np.ascontiguousarray(distance[:, a : a + step]) for a in range(0, n, step)]
    counts, limits, index = kept(tiles, own, slots, kind, group, size, size + more)
    for i in range(m):
        for s in range(index.shape[1]):
            among = [j for j in range(n) if j != own[i] and slots[kind[i], group[j]] == s]
            want = sorted(among, key=lambda j: (distance[i, j], j))[:size]
            assert sorted(index[i, s, : counts[i, s]].tolist()) == sorted(want)
            assert counts[i, s] == len(want)
            if more == 0:
                assert index[i, s, : len(want)].tolist() == want
            if len(want) == size:
                assert limits[i, s] == distance[i, want[-1]]
            else:
                assert limits[i, s] == np.inf


@pytest.mark.parametrize("n", [1, 2, 7, 400])
@pytest.mark.parametrize("levels", [1, 3, 10**6])
def test_the_first_k_of_a_long_list(n, levels):
    rng = np.random.default_rng(n)
    for k in {1, (n + 1) // 2, n}:
        distance, index = rng.integers(0, levels, n).astype(float), rng.permutation(n)
        want = sorted(zip(distance, index))[:k]
        tiles._first_k(distance, index, n, k)
        assert sorted(zip(distance[:k], index[:k])) == want
        assert (distance[k - 1], index[k - 1]) == want[-1]


def test_spread_leaves_out_the_query():
    distance = np.array([[0.0, 1.0, 4.0], [9.0, 9.0, 9.0]])
    mean, deviation = np.empty(2), np.empty(2)
    tiles.spread(distance, np.array([0, -1]), mean, deviation)
    assert mean.tolist() == [2.5, 9.0]
    assert deviation.tolist() == [1.5, 0.0]


@pytest.mark.parametrize("far", [False, True])
def test_weights_of_one_side(far):
    distance = np.array([[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]])
    y, shares = np.array([0, 0, 1, 2, 2, 0]), np.array([0.5, 1 / 6, 1 / 3])
    weights = np.zeros((1, 6))
    limit = np.array([2.0 if far else 3.5])
    balance = tiles.side_weights(distance, np.array([0]), y, y[:1], shares, limit, far, np.empty(3), weights)
    # Near are rows 1 (hit), 2 and 3 (misses of two classes); far are 3 and 4 (misses of one class) and 5 (hit).
    want = [0, 0, 0, -0.5, -0.5, 1] if far else [0, -1, 1 / 3, 2 / 3, 0, 0]
    np.testing.assert_allclose(weights[0], want)
    assert balance == 0
    limit = np.array([4.5 if far else 1.5])
    weights[:] = 0.0
    balance = tiles.side_weights(distance, np.array([0]), y, y[:1], shares, limit, far, np.empty(3), weights)
    assert balance == -1
    assert np.count_nonzero(weights) == 1


def test_pairs_near_a_limit():
    distance = np.array([[1.0, 2.0, 3.0], [2.1, 2.0, 1.9]])
    rows, others = np.empty(2, np.int64), np.empty(2, np.int64)
    assert tiles.doubtful_pairs(distance, np.array([[1.0], [2.0]]), 0.2, rows, others) == 4
    assert (rows.tolist(), others.tolist()) == ([0, 1], [0, 0])
    assert tiles.doubtful_pairs(distance, distance + 1.0, 0.5, rows, others) == 0


def plain_ramp(x, y, a, b):
    return np.clip((np.abs(x - y) - a) * b, 0.0, 1.0)


@pytest.mark.parametrize("squared", [None, True])
@pytest.mark.parametrize("t", [1, 4, 7])
def test_ramps(t, squared):
    rng = np.random.default_rng(3)
    left, right = rng.random((3, 700)), rng.random((t, 700))
    a, b = 0.2 * rng.random(700), 1 + 5 * rng.random(700)
    want = plain_ramp(left[:, None], right[None], a, b) ** (2 if squared else 1)
    out = np.ones((3, t))
    mixed.add_ramp_tile(left, right, a, b, squared, out)
    np.testing.assert_allclose(out, 1 + want.sum(axis=2), rtol=1e-12)
    total = np.zeros(700)
    weights = rng.normal(size=(3, t))
    starts, others = np.arange(4) * t, np.tile(np.arange(t), 3)
    mixed.add_ramp_pairs(left, right, a, b, squared, np.arange(3), starts, others, weights.ravel(), total)
    np.testing.assert_allclose(total, np.einsum("ij,ijf->f", weights, want), atol=1e-12)
