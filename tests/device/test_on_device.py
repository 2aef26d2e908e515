"""What a device computes is what the processor computes: whole numbers exactly, selections in every case."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import fewer
from fewer.core.runners.context import use
from fewer.core.runners.device import DeviceRunner, DeviceStreamRunner
from fewer.core.runners.device_summaries import on_device
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries.column_products import ProductsWithColumns
from fewer.core.summaries.counts import PairCounts, TargetCounts
from fewer.core.summaries.moments import ClassMoments
from fewer.core.summaries.pair_orders import OrderCounts
from fewer.core.summaries.products import FeatureProducts, ProductsWithTarget
from fewer.core.summaries.strata import CLASSES, CountsInStrata
from fewer.core.views.blocks import CodesBlock, DenseBlock
from fewer.core.views.row_ranks import RankBlock, order_codes
from fewer.methods.rank_order.rank_elimination import RankOrderElimination
from fewer.methods.relief.relieff import ReliefF
from fewer.methods.relief.surf import SURF, MultiSURF, SURFStar

LEVELS = np.array([1, 2, 5, 3, 17, 4], dtype=np.int64)


def coded(n, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.column_stack([rng.integers(0, k, n) for k in LEVELS]).astype(np.uint8)
    return CodesBlock(rows, LEVELS, rng.integers(0, 3, n))


def both(summary, block, memory=None):
    with ThreadRunner(1) as here, DeviceRunner(1, memory) as there:
        assert on_device(summary, block)
        return here.fold(summary, [block]), there.fold(summary, [block])


@pytest.mark.simulated
@pytest.mark.parametrize(("n", "memory"), [(33, None), (70, 100)])
def test_counts_are_equal(n, memory, size):
    block = coded(n * size)
    for summary in (TargetCounts(3), PairCounts(2), PairCounts(4, 3)):
        expected, got = both(summary, block, memory)
        np.testing.assert_array_equal(got.table, expected.table)
        np.testing.assert_array_equal(got.offsets, expected.offsets)
        assert got.table.dtype == expected.table.dtype


def test_counts_in_strata_are_equal(size):
    expected, got = both(CountsInStrata((1, 2, 4), (3,), CLASSES, 3), coded(50 * size))
    np.testing.assert_array_equal(got.cells, expected.cells)
    np.testing.assert_array_equal(got.counts.table, expected.counts.table)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("memory", [None, 1000])
def test_sums_agree(weighted, memory, size):
    n, rng = 75 * size, np.random.default_rng(1)
    # Numbers with a large common offset lose their digits unless they are measured from one of them.
    X = np.ascontiguousarray(rng.normal(size=(n, 5)) * [1, 1e-3, 1, 2, 0] + [0, 0, 1e9, 3, 5])
    weight = rng.integers(0, 3, n) / 2 if weighted else None
    classes = DenseBlock(X, rng.integers(0, 3, n), weight)
    numbers = replace(classes, y=rng.normal(size=n))
    given = [(ClassMoments(3), classes), (ClassMoments(), classes), (FeatureProducts(), classes)]
    for summary, block in [*given, (ProductsWithTarget(), numbers), (ProductsWithColumns((0, 3)), numbers)]:
        expected, got = both(summary, block, memory)
        # Means of pieces of products are merged without their origin, on every runner.
        near = 1e-6 if memory and isinstance(summary, FeatureProducts) else 1e-9
        pairs = zip(expected, got) if isinstance(expected, list) else [(expected, got)]
        for one, other in pairs:
            for name in vars(one):
                np.testing.assert_allclose(getattr(other, name), getattr(one, name), rtol=near, atol=near)


@pytest.mark.simulated
def test_orders_are_equal(size):
    rng = np.random.default_rng(2)
    X = rng.integers(0, 9, (12, 7 * size)).astype(float)
    X[0, 0] = np.nan
    expected, got = both(OrderCounts(2), RankBlock(order_codes(X), np.arange(12) % 2))
    np.testing.assert_array_equal(got.before, expected.before)
    assert got.before.dtype == expected.before.dtype


def genotypes(n, d, seed=3):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (n, d)).astype(np.int8)
    return X, (X[:, 0] + X[:, 1] + rng.integers(0, 2, n) > 2).astype(int) + (X[:, 2] == 0)


@pytest.mark.parametrize("method", [SURF, SURFStar, MultiSURF, ReliefF])
@pytest.mark.parametrize("kind", ["steps", "levels", "numbers"])
def test_relief_weights_agree(method, kind, size):
    X, y = genotypes(22 if size == 1 else 300, 66 if size == 1 else 300)
    more = {"categorical_features": np.arange(X.shape[1])} if kind == "levels" else {}
    if kind == "numbers":
        X = np.ascontiguousarray(X[:, :20] + np.random.default_rng(0).normal(size=(len(X), 20)))
    expected = method(5, **more).fit(X, y)
    with use("cuda"):
        got = method(5, **more).fit(X, y)
    assert got.selection_.meta["runner"] == "cuda"
    np.testing.assert_allclose(got.scores_, expected.scores_, rtol=1e-9, atol=1e-12)
    assert got.selection_.indices.tolist() == expected.selection_.indices.tolist()


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("tied", [False, True])
def test_elimination_by_class_centres_is_equal(n_classes, tied, size):
    rng = np.random.default_rng(n_classes)
    n, d = (6, 5) if size == 1 else (40, 300)
    X = rng.normal(size=(n, d)) + rng.normal(size=d)
    X = np.round(X) if tied else X
    y = np.arange(n) % n_classes
    expected = RankOrderElimination(3, criterion="cdv").fit(X, y).selection_
    with use("cuda"):
        got = RankOrderElimination(3, criterion="cdv").fit(X, y).selection_
    assert got.order.tolist() == expected.order.tolist()
    np.testing.assert_array_equal(got.trace.values, expected.trace.values)


def test_kept_codes_stay_on_the_device(size):
    class Kept(list):
        kept, n_bytes = True, 100

        @property
        def n_rows(self):
            return sum(block.n_rows for block in self)

    blocks = Kept([coded(40 * size, 1), coded(33, 2)])
    with ThreadRunner(1) as here, DeviceStreamRunner(1) as there:
        for summary in (PairCounts(2, 3), PairCounts(4)):
            expected = here.fold(summary, blocks)
            np.testing.assert_array_equal(there.fold(summary, blocks).table, expected.table)
        held = there._held[id(blocks)][1]
    np.testing.assert_array_equal(held[1].column(4), blocks[1].column(4))


@pytest.mark.simulated
def test_one_of_each_in_short(size):
    """Small enough for the simulator: bits, levels and numbers, sums, and an elimination."""
    if size > 1:
        pytest.skip("the tests above do more of it")
    X, y = genotypes(9, 64)
    for more in ({}, {"categorical_features": np.arange(64)}):
        test_case = MultiSURF(5, **more).fit(X, y)
        with use("cuda"):
            got = MultiSURF(5, **more).fit(X, y)
        np.testing.assert_allclose(got.scores_, test_case.scores_, rtol=1e-9, atol=1e-12)
    numbers = np.random.default_rng(0).normal(size=(9, 3))
    expected = ReliefF(2).fit(numbers, y)
    with use("cuda"):
        got = ReliefF(2).fit(numbers, y)
    np.testing.assert_allclose(got.scores_, expected.scores_, rtol=1e-9, atol=1e-12)
    block = DenseBlock(numbers, numbers[:, 0].copy())
    for summary in (ProductsWithTarget(), FeatureProducts()):
        one, other = both(summary, block)
        for name in vars(one):
            np.testing.assert_allclose(getattr(other, name), getattr(one, name), rtol=1e-9, atol=1e-9)
    expected = RankOrderElimination(1, criterion="cdv").fit(numbers, y > 0).selection_
    with use("cuda"):
        got = RankOrderElimination(1, criterion="cdv").fit(numbers, y > 0).selection_
    assert got.order.tolist() == expected.order.tolist()


@pytest.mark.parametrize("many_levels", [False, True])
@pytest.mark.parametrize("name", [pytest.param("MRMR", marks=pytest.mark.simulated), "JMI", "CMIM", "JIM"])
def test_steps_of_greedy_methods_are_counted_on_the_device(name, many_levels, monkeypatch):
    """Each anchor once; the tables that come back must be small, or tiles of them are made on threads."""
    asked, real = [], DeviceRunner.tiles

    def tiles(run, summary, block):
        asked.append(summary)
        return real(run, summary, block)

    monkeypatch.setattr(DeviceRunner, "tiles", tiles)
    rng = np.random.default_rng(4)
    X = rng.integers(0, 4, (70, 9)).astype(np.uint8)
    X[:, 8] = rng.integers(0, 18 if many_levels else 2, 70)
    y = (X[:, 0] + X[:, 1] + X[:, 8] > 5).astype(int)
    method = getattr(fewer, name)
    expected = method(4, discretizer=None).fit(X, y).selection_
    with use("cuda"):
        got = method(4, discretizer=None).fit(X, y).selection_
    assert got.indices.tolist() == expected.indices.tolist()
    np.testing.assert_array_equal(got.scores[got.indices], expected.scores[got.indices])
    np.testing.assert_array_equal(got.reasons.kind, expected.reasons.kind)
    assert got.reasons.amount == expected.reasons.amount
    anchors = [summary.anchor for summary in asked if isinstance(summary, PairCounts)]
    assert set(got.indices[:3].tolist()) <= set(anchors)
    assert len(anchors) == len(set(anchors))
    # Room for the tables with the classes, but for none with an anchor.
    monkeypatch.setattr("fewer.core.runners.device.MOST_BACK", 16 * int(X.max() + 1) * 2 * 9)
    asked.clear()
    with use("cuda"):
        again = method(4, discretizer=None).fit(X, y).selection_
    assert again.indices.tolist() == expected.indices.tolist()
    assert not any(isinstance(summary, PairCounts) for summary in asked)
