"""What only large sizes reach in kernels, reached by small ones: more blocks, pieces, groups beyond a launch, ties."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.kernels.device import centre_choice, cuda_compiling, row_agreements, row_tiles
from fewer.core.neighbours.device_marks import tiles_of
from fewer.core.runners import device_counts, device_sums
from fewer.core.runners.device import DeviceRunner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries.counts import PairCounts
from fewer.core.summaries.moments import ClassMoments
from fewer.core.summaries.products import FeatureProducts
from fewer.core.views.blocks import CodesBlock, DenseBlock

pytestmark = pytest.mark.simulated


def both(summary, block):
    with ThreadRunner(1) as here, DeviceRunner(1) as there:
        return here.fold(summary, [block]), there.fold(summary, [block])


def test_counts_in_many_blocks_portions_and_groups(monkeypatch):
    """180 groups are two launches, the second of which begins within a level; rows come in portions of 32."""
    monkeypatch.setattr(device_counts, "LEAST_WORDS", 2)
    monkeypatch.setattr(device_counts, "MOST_WORDS", 2)
    monkeypatch.setattr(device_counts, "PORTION", 96)
    rng, levels = np.random.default_rng(0), np.array([2, 5, 60])
    rows = np.column_stack([rng.integers(0, n, 131) for n in levels]).astype(np.uint8)
    expected, got = both(PairCounts(2, 3), CodesBlock(rows, levels, rng.integers(0, 3, 131)))
    np.testing.assert_array_equal(got.table, expected.table)


def test_sums_in_many_chunks(monkeypatch):
    monkeypatch.setattr(device_sums, "FEWEST_ROWS", 3)
    monkeypatch.setattr(device_sums, "ROWS_AT_ONCE", 16)
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 37)
    block = DenseBlock(rng.normal(size=(37, 3)) + 5.0 * y[:, None], y)
    for summary in (ClassMoments(3), FeatureProducts()):
        expected, got = both(summary, block)
        for name in vars(expected):
            np.testing.assert_allclose(getattr(got, name), getattr(expected, name), rtol=1e-9, atol=1e-9)


def test_distances_of_more_rows_than_a_square():
    rng = np.random.default_rng(2)
    planes, first, m = rng.integers(0, 2**32, (35, 2), dtype=np.uint32), 3, 20
    out, half = np.zeros((35, m)), row_tiles.SIDE // row_tiles.EACH
    row_tiles.add_differing[tiles_of(35, m, row_tiles.SIDE), (half, half)](planes, np.array([0, 1]), 1, first, 1.0, out)
    one, two = (planes[:, None, b] ^ planes[None, first : first + m, b] for b in range(2))
    np.testing.assert_array_equal(out, np.bitwise_count(one | two))


def test_distances_of_numbers_of_more_rows_than_a_square():
    rng = np.random.default_rng(3)
    X, factor, first, m = rng.normal(size=(18, 17)), rng.random(17), 1, 17
    out, half = np.zeros((18, m)), row_tiles.SIDE // row_tiles.EACH
    row_tiles.add_l1[tiles_of(18, m, half), (half, half)](X, factor, 2.0**30, first, 2.0, out)
    expected = 2.0 * (np.abs(X[:, None] - X[None, first:]) * factor).sum(axis=2)
    np.testing.assert_allclose(out, expected, atol=1e-8)


def test_sums_over_more_queries_than_threads():
    rng, threads = np.random.default_rng(4), cuda_compiling.THREADS
    n_queries, ends = threads + 3, np.array([0, 1, 3])
    upright = rng.integers(0, 2**32, (2 * 4, 3), dtype=np.uint32)
    masks = rng.integers(0, 2**32, (3, n_queries), dtype=np.uint32)
    values, places, out = rng.normal(size=(2, n_queries)), rng.integers(0, 96, n_queries), np.zeros(3)
    row_agreements.agreements(2, 2)[2, threads](upright, 4, places, masks, values, ends, out)
    bits = np.unpackbits(upright.view(np.uint8), axis=1, bitorder="little").reshape(2, 4, 96)[:, :3]
    level = bits[0] + 2 * bits[1].astype(int)
    marked = np.unpackbits(np.ascontiguousarray(masks.T).view(np.uint8), axis=1, bitorder="little")
    worth = np.repeat(values.T, [32, 64], axis=1) * marked
    expected = [(worth * (one[None] == one[places][:, None])).sum() for one in level]
    np.testing.assert_allclose(out, expected, rtol=1e-9)


def test_of_equally_near_rows_the_lower_numbers_count():
    distance = np.array([[0.0], [2.0], [1.0], [1.0], [1.0], [0.5], [2.0], [2.0]])
    row_at = np.full(64, -1, np.int32)
    row_at[:5], row_at[32:35] = np.arange(5), np.arange(5, 8)
    masks, counts = np.zeros((2, 1), np.uint32), np.zeros((2, 1), np.int32)
    ends, own = np.array([0, 1, 2]), np.array([0])
    row_tiles.mark_nearest[1, (1, 2)](distance, row_at, ends, own, 2, masks)
    row_tiles.count_marked[1, (1, 2)](masks, ends, counts)
    assert masks[:, 0].tolist() == [0b01100, 0b011]
    assert counts[:, 0].tolist() == [2, 2]


@pytest.mark.parametrize(
    ("lengths", "leaves"),
    [([7, 3, 3, 9, 8, 7, 7, 7, 3, 9], 8), ([2**40 + 1, 2**40, 2**40 + 2, *[2**41] * 7], 1), ([5] * 10, 9)],
)
def test_the_shortest_leaves_and_of_equal_ones_the_last(lengths, leaves):
    threads, n = 8, 10
    totals, target, keys = -np.array([lengths], np.int64), np.zeros(1, np.int64), np.zeros((2, n), np.int32)
    upper, lower = np.zeros(2, np.uint64), np.zeros(2, np.uint64)
    which, gone, removed = np.zeros(2, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32)
    away, done = np.zeros((1, 1), np.int64), np.zeros(1, np.int32)
    centre_choice.best_of_blocks[2, threads](totals, target, keys, upper, lower, which)
    centre_choice.best_of_all[1, threads](totals, target, upper, lower, which, gone, removed, away, done)
    assert (gone[0], removed[0], away[0, 0], done[0]) == (leaves, leaves, -lengths[leaves], 1)
