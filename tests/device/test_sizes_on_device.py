"""Sizes that fill no word, tile or block of a kernel; in the simulator a read beyond an array is an error."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.neighbours import device_marks
from fewer.core.runners import device_counts
from fewer.core.runners.context import use
from fewer.core.runners.device import DeviceRunner, DeviceStreamRunner
from fewer.core.runners.memory import Memory
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries.counts import PairCounts, TargetCounts
from fewer.core.summaries.moments import ClassMoments
from fewer.core.summaries.products import FeatureProducts
from fewer.core.views.blocks import CodesBlock, DenseBlock
from fewer.methods.rank_order.class_centres.device_engine import DeviceCentres
from fewer.methods.rank_order.rank_elimination import RankOrderElimination
from fewer.methods.relief.relieff import ReliefF
from fewer.methods.relief.surf import MultiSURFStar

SIZES = [1, 31, 32, 33, 63, 65]
# One level, whole and broken powers of two, the last that is counted by places, and more.
LEVELS = [np.array([1]), np.arange(1, 18), np.array([16, 300, 17, 2, 256])]


def coded(n, levels, n_classes, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.column_stack([rng.integers(0, k, n) for k in levels])
    # Every column has its highest level, which needs all its places.
    rows[-1] = levels - 1
    return CodesBlock(
        rows.astype(np.uint8 if levels.max() <= 256 else np.uint16), levels, rng.integers(0, n_classes, n)
    )


@pytest.mark.parametrize("n", [pytest.param(n, marks=pytest.mark.simulated) if n == 33 else n for n in SIZES])
@pytest.mark.parametrize("which", range(len(LEVELS)))
@pytest.mark.parametrize("n_classes", [1, 3])
def test_counts_of_broken_sizes_are_equal(n, which, n_classes):
    levels = LEVELS[which].astype(np.int64)
    block, last = coded(n, levels, n_classes), len(levels) - 1
    with ThreadRunner(1) as here, DeviceRunner(1) as there:
        for summary in (TargetCounts(n_classes), PairCounts(0), PairCounts(last, n_classes)):
            expected = here.fold(summary, [block])
            np.testing.assert_array_equal(there.fold(summary, [block]).table, expected.table)


@pytest.mark.parametrize("n", [2, 17, 33])
@pytest.mark.parametrize("d", [1, 15, 16, 17])
def test_sums_of_broken_sizes_agree(n, d):
    rng = np.random.default_rng(n + d)
    block = DenseBlock(rng.normal(size=(n, d)), np.arange(n) % 2)
    with ThreadRunner(1) as here, DeviceRunner(1) as there:
        for summary in (ClassMoments(2), ClassMoments(3), FeatureProducts()):
            expected, got = here.fold(summary, [block]), there.fold(summary, [block])
            for name in vars(expected):
                np.testing.assert_allclose(getattr(got, name), getattr(expected, name), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("n", "d"), [(2, 64), (31, 65), (33, 127), (34, 64)])
@pytest.mark.parametrize("method", [MultiSURFStar, ReliefF])
def test_weights_of_broken_sizes_agree(n, d, method):
    rng = np.random.default_rng(n)
    X = rng.integers(0, 3, (n, d)).astype(np.int8)
    y = np.arange(n) % 2
    expected = method(3).fit(X, y)
    with use("cuda"):
        got = method(3).fit(X, y)
    np.testing.assert_allclose(got.scores_, expected.scores_, rtol=1e-9, atol=1e-12)


def test_no_more_rows_at_once_than_a_device_numbers(monkeypatch):
    monkeypatch.setattr("fewer.core.runners.device_memory.MOST_ROWS", 32)
    block = coded(70, LEVELS[1].astype(np.int64), 2)
    with ThreadRunner(1) as here, DeviceRunner(1) as there:
        assert there.memory.pieces(70, 1) == [(0, 32), (32, 64), (64, 70)]
        expected = here.fold(PairCounts(3, 2), [block])
        np.testing.assert_array_equal(there.fold(PairCounts(3, 2), [block]).table, expected.table)


@pytest.mark.simulated
def test_codes_that_the_device_has_no_room_for_are_streamed(monkeypatch):
    """It may have less room when they come than it said before."""

    class Kept(list):
        kept, n_bytes, n_rows = True, 100, 40

    blocks = Kept([coded(20, LEVELS[1].astype(np.int64), 2, seed) for seed in (1, 2)])
    real, rooms = device_counts.held_codes, iter([True, False])

    def held(block):
        if not next(rooms):
            raise MemoryError("CUDA_ERROR_OUT_OF_MEMORY")
        return real(block)

    monkeypatch.setattr(device_counts, "held_codes", held)
    with ThreadRunner(1) as here, DeviceStreamRunner(1) as there:
        expected = here.fold(PairCounts(5, 2), blocks)
        for _ in range(2):
            np.testing.assert_array_equal(there.fold(PairCounts(5, 2), blocks).table, expected.table)
        assert there._held[id(blocks)][1] == []


@pytest.mark.simulated
def test_batches_of_a_stream_leave_the_device_and_this_memory():
    """What is made of rows for later must not hold them, or a file would be in memory in the end."""
    with ThreadRunner(1) as here, DeviceStreamRunner(1) as there:
        kept = []

        class Batches:
            n_rows = 80

            def __iter__(self):
                for seed in range(4):
                    kept.append(len(there.device.memory._kept))
                    yield coded(20, LEVELS[1].astype(np.int64), 2, seed)

        expected = here.fold(PairCounts(5, 2), Batches())
        kept.clear()
        np.testing.assert_array_equal(there.fold(PairCounts(5, 2), Batches()).table, expected.table)
        assert kept == [0, 0, 0, 0]
        assert not there.device.memory._kept


@pytest.mark.simulated
def test_a_stream_to_the_device_keeps_its_budget():
    budget = Memory.of("500MB")
    with DeviceStreamRunner(1, budget=budget) as run:
        assert run.device.budget == budget


@pytest.mark.simulated
def test_a_device_numbers_the_squares_of_pairs_of_many_rows():
    """In the second direction it takes 65,535 blocks; few rows ask at once, but they are compared with all."""
    blocks = device_marks.tiles_of(3_000_000, 512, 16)
    assert blocks == (187_500, 32)
    assert blocks[1] < 2**16


@pytest.mark.simulated
def test_columns_stand_upright_in_as_many_parts_as_the_memory_asks_for(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (9, 70)).astype(np.int8), np.arange(9) % 2
    expected, seen = MultiSURFStar(3).fit(X, y), []
    real = device_marks.DeviceSpace.columns_at_once.fget

    def columns(space):
        seen.append(real(space))
        return seen[-1]

    monkeypatch.setattr(device_marks, "SHARE", 1e-5)
    monkeypatch.setattr(device_marks.DeviceSpace, "columns_at_once", property(columns))
    with use("cuda"):
        got = MultiSURFStar(3).fit(X, y)
    assert max(seen) < X.shape[1]
    np.testing.assert_allclose(got.scores_, expected.scores_, rtol=1e-9, atol=1e-12)


@pytest.mark.simulated
@pytest.mark.parametrize("when", [0, 1])
def test_an_elimination_goes_on_without_the_device_when_it_has_no_room_left(when, monkeypatch):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(5, 4)), np.arange(5) % 2
    expected = RankOrderElimination(1, criterion="cdv").fit(X, y).selection_
    real, rounds = DeviceCentres._cut, []

    def cut(centres, kept):
        rounds.append(len(kept))
        if len(rounds) > when:
            raise MemoryError("CUDA_ERROR_OUT_OF_MEMORY")
        real(centres, kept)

    monkeypatch.setattr(DeviceCentres, "_cut", cut)
    with use("cuda"):
        got = RankOrderElimination(1, criterion="cdv").fit(X, y).selection_
    assert rounds
    assert got.order.tolist() == expected.order.tolist()
    np.testing.assert_array_equal(got.trace.values, expected.trace.values)
