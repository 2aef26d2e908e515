"""Lists of similar features against sorting."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.kernels.candidates import best_candidates, fill_blankets


@pytest.mark.parametrize("size", [1, 3, 12, 40])
def test_lists_are_sorted_with_ties_to_the_lower_number(rng, size):
    d = 20
    similarity = rng.integers(0, 4, (d, d))
    alive = rng.random(d) < 0.7
    out = np.full((d, size), 99, np.int32)
    best_candidates(similarity, np.arange(d), alive, out)
    for i in range(d):
        others = sorted((j for j in range(d) if alive[j] and j != i), key=lambda j: (-similarity[i, j], j))
        expected = (others + [-1] * size)[:size]
        assert out[i].tolist() == expected


def test_blankets_are_the_first_living_candidates():
    lists = np.array([[3, 1, 2], [2, 0, 3], [1, -1, -1], [0, 1, 2]], np.int32)
    alive = np.array([True, True, False, True])
    blankets = np.full((4, 2), 7, np.int64)
    short = fill_blankets(np.array([0, 1, 2]), lists, alive, blankets)
    assert blankets.tolist() == [[3, 1], [0, 3], [1, -1], [7, 7]]
    assert short.tolist() == [False, False, False]
    alive[:] = [False, True, False, False]
    short = fill_blankets(np.array([0, 2, 3]), lists, alive, blankets)
    # Only a list that does not say where it ends may hide living features.
    assert short.tolist() == [True, False, True]
    assert blankets[[0, 2, 3]].tolist() == [[1, -1], [1, -1], [1, -1]]
