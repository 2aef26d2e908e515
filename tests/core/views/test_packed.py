"""Codes kept as bits: they are the same codes, and are counted the same."""

from __future__ import annotations

import pickle
from types import SimpleNamespace

import numpy as np
import pytest

from fewer.core.discretize import code_cache
from fewer.core.kernels import places
from fewer.core.runners.memory import Memory
from fewer.core.runners.stream import StreamRunner
from fewer.core.summaries.counts import PairCounts, TargetCounts
from fewer.core.views.blocks import CodesBlock
from fewer.core.views.packed import MOST_LEVELS, PackedBlock, PackingBlocks, all_rows, ends_of
from fewer.core.views.view import TakeColumns


def codes(rng, n, levels, n_classes=3):
    rows = np.column_stack([rng.integers(0, k, n) for k in levels]).astype(np.uint8)
    return CodesBlock(rows, np.asarray(levels), rng.integers(0, n_classes, n))


def cut(block, sizes):
    ends = np.minimum(np.cumsum([0, *sizes]), block.n_rows)
    return [
        CodesBlock(block.rows[a:b], block.n_levels, None if block.y is None else block.y[a:b])
        for a, b in zip(ends, [*ends[1:], block.n_rows])
    ]


def packed(block, sizes=(), step=2**20, n_jobs=1):
    with StreamRunner(n_jobs) as run:
        return list(PackingBlocks(cut(block, sizes), block.n_levels, block.n_rows, step, run))


@pytest.mark.parametrize("n", [1, 63, 64, 65, 640, 1001])
@pytest.mark.parametrize("sizes", [(), (7, 64, 130), (0, 1, 1, 200, 0)], ids=str)
def test_packed_codes_are_the_same_codes(rng, n, sizes):
    levels = [1, 2, 3, 4, 5, 8, 9, MOST_LEVELS, 1]
    block = codes(rng, n, levels)
    found = packed(block, sizes, step=9 * 64)
    assert sum(one.n_rows for one in found) == n
    assert len(found) == 1 or n > 256
    np.testing.assert_array_equal(np.concatenate([one.rows for one in found]), block.rows)
    np.testing.assert_array_equal(np.concatenate([one.y for one in found]), block.y)
    np.testing.assert_array_equal(np.concatenate([one.columns for one in found], axis=1), block.columns)
    for j, n_levels in enumerate(levels):
        np.testing.assert_array_equal(np.concatenate([one.column(j) for one in found]), block.rows[:, j])
        counts = sum(one.in_level[one.n_levels[:j].sum() :][:n_levels] for one in found)
        np.testing.assert_array_equal(counts, np.bincount(block.rows[:, j], minlength=n_levels))
        for one in found:
            of_level = np.bitwise_count(one.levels_of(j)).sum(axis=1)
            np.testing.assert_array_equal(of_level, np.bincount(one.column(j), minlength=n_levels))


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("levels", [[5] * 70, [1, 2, 16, 3, 1, 7], [2] * 5, [1, 1], [16] * 4], ids=lambda k: str(k[:6]))
def test_they_are_counted_as_codes_are(rng, levels, n_jobs):
    block = codes(rng, 3001, levels, 4)
    blocks = packed(block, (1000, 333, 64), len(levels) * 256, n_jobs)
    assert len(blocks) > 1
    with StreamRunner(n_jobs) as run:
        anchors = {0, len(levels) - 1, len(levels) // 2}
        for summary in (TargetCounts(4), *(PairCounts(j, k) for j in anchors for k in (0, 4))):
            want, found = run.fold(summary, [block]), run.fold(summary, blocks)
            np.testing.assert_array_equal(found.table, want.table)
            np.testing.assert_array_equal(found.offsets, want.offsets)


def test_without_a_target_and_as_plain_codes(rng):
    block = codes(rng, 130, [3, 5, 2])
    (one,) = packed(CodesBlock(block.rows, block.n_levels))
    assert one.y is None
    assert PairCounts(1).whole(one).table.sum() == 3 * 130
    taken = TakeColumns(np.array([2, 0]))(one)
    np.testing.assert_array_equal(taken.rows, block.rows[:, [2, 0]])
    assert taken.n_levels.tolist() == [2, 3]


def test_what_was_opened_goes_with_the_plain_block(rng):
    (one,) = packed(codes(rng, 100, [5] * 8))
    size = len(pickle.dumps(one.plain()))
    assert one.rows is one.rows
    assert len(pickle.dumps(one)) > size + 800
    assert len(pickle.dumps(one.plain())) == size
    again = pickle.loads(pickle.dumps(one.plain()))
    assert isinstance(again, PackedBlock)
    np.testing.assert_array_equal(again.rows, one.rows)


def test_many_groups_are_counted_one_by_one(rng, monkeypatch):
    block = codes(rng, 250, [16, 16, 3], 60)
    (one,), want = packed(block), PairCounts(0, 60).whole(block).table
    (few,) = packed(codes(rng, 250, [16, 16, 3], 3))
    monkeypatch.setattr(places, "count_places", None)
    np.testing.assert_array_equal(PairCounts(0, 60).whole(one).table, want)
    with pytest.raises(TypeError):
        TargetCounts(3).whole(few)


def test_rows_that_do_not_say_what_they_are_do_not_say_it_packed(rng):
    block = codes(rng, 100, [3, 3])
    with StreamRunner() as run:
        packing = PackingBlocks([block], block.n_levels, 100, 2**20, run)
        with pytest.raises(TypeError, match="do not say what they are"):
            pickle.dumps(packing.identity)


def test_places_and_rows_in_words():
    assert ends_of(np.array([1, 2, 3, 4, 5, 16])).tolist() == [0, 0, 1, 3, 5, 8, 12]
    for n in (0, 1, 63, 64, 65, 200):
        assert np.bitwise_count(all_rows(n)).sum() == n


@pytest.mark.parametrize("shape", [(8, 8), (16, 24), (64, 128)], ids=str)
def test_bytes_are_turned(rng, shape):
    lines = rng.integers(0, 256, shape).astype(np.uint8)
    rows = np.empty(shape[::-1], np.uint8)
    places.turn_words(lines.view(np.uint64), rows.view(np.uint64))
    np.testing.assert_array_equal(rows, lines.T)


def test_bytes_are_counted(rng):
    rows = rng.integers(0, 256, (999, 6)).astype(np.uint8)
    counts = np.zeros((2, 256), np.int64)
    places.count_bytes(rows, np.array([4, 1]), counts)
    for k, j in enumerate((4, 1)):
        np.testing.assert_array_equal(counts[k], np.bincount(rows[:, j], minlength=256))


def test_bits_have_room_where_copies_would_be():
    made = Memory.of("2GB")
    assert made.codes < made.bits < made.free
    # 64,000,000 rows of 631 features of five levels.
    assert Memory.of("20GB").bits > 64_000_000 * 631 * 3 // 8
    assert made.with_codes(7).bits == 7


def test_bits_that_are_held_leave_room_for_the_classes_and_logarithms_of_their_rows():
    n_rows, n_bits = 6400, 12

    def fits(**room):
        view = SimpleNamespace(
            blocks=SimpleNamespace(packed=True), n_levels=np.full(4, 8), n_rows=n_rows, run=SimpleNamespace()
        )
        view.run.budget = Memory(**room)
        return code_cache._bits_fit(view)

    size = n_bits * n_rows // 8
    # What was said in bytes for codes is for codes; of what is for everything a row takes some more.
    assert fits(bits=size)
    assert not fits(bits=size - 1)
    assert fits(total=2**30, bits=size + code_cache.ROW_BYTES * n_rows)
    assert not fits(total=2**30, bits=size + code_cache.ROW_BYTES * n_rows - 1)
