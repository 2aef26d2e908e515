"""Neighbours of rows of levels, with ties that share, and tallies of changes, against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewer.core.kernels import level_pairs as lp


def shares(distance, me, rank_weights):
    """Weights by the definition: sorted ranks, groups of equal distance, normalised."""
    others = sorted((d, i) for i, d in enumerate(distance) if i != me)
    raw = {}
    for d, i in others:
        ranks = [r for r, (e, _) in enumerate(others) if e == d]
        inside = [r for r in ranks if r < len(rank_weights)]
        if inside:
            raw[i] = rank_weights[ranks[0]] * len(inside) / len(ranks)
    total = sum(raw.values())
    return {i: w / total for i, w in raw.items()}


@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.integers(1, 15), st.booleans())
def test_neighbours_share_their_places(seed, n, k, fades):
    rng = np.random.default_rng(seed)
    places = rng.integers(0, 3, (n, 2)).astype(np.int32)
    rank_weights = np.exp(-np.arange(k) / 3.0) if fades else np.ones(k)
    counts, found, weights = np.zeros(n, np.int64), np.empty(n * n, np.int64), np.empty(n * n)
    none = np.zeros((1, 1), np.int64)
    assert lp.nearest_rows(places, none, False, np.arange(n), rank_weights, counts, found, weights) == n
    ends = np.concatenate([[0], np.cumsum(counts)])
    for i in range(n):
        distance = np.abs(places - places[i]).sum(axis=1)
        truth = shares(distance.tolist(), i, rank_weights)
        near = found[ends[i] : ends[i + 1]]
        assert near.tolist() == sorted(truth, key=lambda j: (distance[j], j))
        np.testing.assert_allclose(weights[ends[i] : ends[i + 1]], [truth[j] for j in near])


def test_missing_places_count_what_is_expected():
    places = np.array([[0, 5], [-1, 5], [4, -1], [-1, -1]])
    expected = np.array([[10, 20], [30, 21], [11, 40], [30, 40]])
    counts, found, weights = np.zeros(4, np.int64), np.empty(12, np.int64), np.empty(12)
    lp.nearest_rows(places, expected, True, np.arange(4), np.ones(1), counts, found, weights)
    # Distances of row 0: 10 + 0, 4 + 20, 10 + 20. Of row 1: 10 + 0, 11 + 21, 30 + 21.
    # Of row 2: 4 + 20, 11 + 21, 11 + 40. Of row 3: 10 + 20, 30 + 21, 11 + 40.
    assert found[:4].tolist() == [1, 0, 0, 0]


def test_full_space_ends_the_work_before_a_row():
    places = np.zeros((5, 1), np.int32)
    counts, found, weights = np.zeros(5, np.int64), np.empty(9, np.int64), np.empty(9)
    none = np.zeros((1, 1), np.int64)
    assert lp.nearest_rows(places, none, False, np.arange(5), np.ones(2), counts, found, weights) == 2
    assert counts.tolist() == [4, 4, 0, 0, 0]
    assert found[:8].tolist() == [1, 2, 3, 4, 0, 2, 3, 4]
    np.testing.assert_allclose(weights[:8], 0.25)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_tallies_name_the_nine_changes(dtype):
    """One row against neighbours with every combination of a feature and a target that fall, stay or rise."""
    levels = np.array([[1]] + [[there] for there in (0, 1, 2) for _ in range(3)] + [[-1]], np.int16)
    target = np.array([1] + [0, 1, 2] * 3 + [0], dtype)
    weights = np.array([1.0, 2, 4, 8, 16, 32, 64, 128, 256, 512])
    out = np.zeros((3, lp.N_TALLIES))
    near = np.arange(1, 11)
    lp.tally_changes(levels, target, np.array([0]), np.array([10]), near, weights, np.array([0]), 0, 1, out)
    assert not out[[0, 2]].any()
    wanted = {
        lp.ROSE: 7, lp.ROSE_UP: 1, lp.ROSE_DOWN: 4,
        lp.STAYED: 56, lp.STAYED_EQUAL: 16,
        lp.FELL: 448, lp.FELL_DOWN: 256, lp.FELL_UP: 64,
    }  # fmt: skip
    assert {k: out[1, k] for k in wanted} == wanted
