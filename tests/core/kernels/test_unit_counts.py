"""Joins, counts and covers of sets of items against loops over all of them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from common.examples import EXAMPLES
from fewer.core.clustering import dense_units as engine
from fewer.core.clustering.dense_units import Grid, joins
from fewer.core.kernels.unit_counts import count_units, cover_units, join_sets, next_cells


def some_sets(rng, k, n_items, column):
    every = [s for s in combinations(range(n_items), k) if len({column[i] for i in s}) == k]
    kept = sorted(s for s in every if rng.random() < 0.6)
    return np.array(kept, np.int64).reshape(len(kept), k)


@pytest.mark.parametrize("seed", range(6 * EXAMPLES))
def test_joins_are_all_sets_whose_parts_are_there(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    column = np.sort(rng.integers(0, 6, 9))
    # Little room: blocks of a few joins must give the same as one block.
    monkeypatch.setattr(engine, "ROOM", int(rng.integers(1, 50)))
    for k in (1, 2, 3):
        sets = some_sets(rng, k, 9, column)
        have = set(map(tuple, sets.tolist()))
        want = [
            s
            for s in combinations(range(9), k + 1)
            if len({column[i] for i in s}) == k + 1 and all(part in have for part in combinations(s, k))
        ]
        found = [tuple(s) for block in joins(sets, column) for s in block.tolist()]
        assert found == want


def test_a_block_without_room_says_where_to_go_on():
    sets, out = np.arange(5)[:, None], np.empty((5, 2), np.int64)
    n, first = join_sets(sets, np.arange(5), 0, out)
    assert (n, first) == (4, 1)
    assert out[:n].tolist() == [[0, 1], [0, 2], [0, 3], [0, 4]]


@pytest.mark.parametrize("n_rows", [1, 63, 64, 65, 300])
def test_counts_and_covers_are_those_of_masks(n_rows):
    rng = np.random.default_rng(n_rows)
    codes = rng.integers(0, 3, (n_rows, 4))
    codes[0] = [0, 1, 2, 0]
    grid = Grid.of(np.vstack([codes, codes + 1]), 0.0)
    twice = np.vstack([codes, codes + 1])
    items = [[twice[:, j] == b for b in range(twice[:, j].max() + 1)] for j in range(4)]
    masks = [items[j][b] for j, b in zip(grid.column, grid.level)]
    assert grid.counts.tolist() == [int(mask.sum()) for mask in masks]
    for k in (1, 2, 3):
        units = some_sets(rng, k, len(masks), grid.column)
        both = [np.logical_and.reduce([masks[i] for i in unit]) for unit in units]
        assert grid.count(units).tolist() == [int(mask.sum()) for mask in both]
        words = np.zeros(grid.planes.shape[1], np.uint64)
        cover_units(grid.planes, units[:5], words)
        bits = np.unpackbits(words.view(np.uint8), bitorder="little")[: 2 * n_rows].astype(bool)
        np.testing.assert_array_equal(bits, np.logical_or.reduce(both[:5]))
        assert np.unpackbits(words.view(np.uint8), bitorder="little")[2 * n_rows :].sum() == 0


def test_next_cells_differ_by_one_bin_of_one_column():
    column, level = np.array([0, 0, 0, 1, 1]), np.array([0, 1, 3, 2, 3])
    grid = Grid(np.zeros((5, 1), np.uint64), column, level, np.zeros(5, np.int64), 1, 0.0)
    # Bin 3 does not follow bin 1, and a column does not go on in the next.
    assert grid.beside.tolist() == [1, -1, -1, 4, -1]
    units = np.array([[0, 3], [0, 4], [1, 3], [2, 4]])
    out = np.empty(4, np.int64)
    next_cells(units, grid.beside, 0, out)
    assert out.tolist() == [2, -1, -1, -1]
    next_cells(units, grid.beside, 1, out)
    assert out.tolist() == [1, -1, -1, -1]


def test_a_prefix_is_not_shared_by_mistake():
    planes = np.array([[0b1111], [0b0011], [0b0101]], np.uint64)
    units = np.array([[0, 1], [0, 2], [1, 2]])
    out = np.empty(3, np.int64)
    count_units(planes, units, np.empty(1, np.uint64), out)
    assert out.tolist() == [2, 2, 1]
