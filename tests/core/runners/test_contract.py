"""The contract of the house: a summary is the same on every runner, exactly so for counts."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
import scipy.sparse

from fewer.core.runners.cluster import DaskRunner
from fewer.core.runners.stream import ChangedBlocks, StreamRunner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries.counts import PairCounts, SubsetCounts, TargetCounts
from fewer.core.summaries.moments import ClassMoments, TargetByLevel
from fewer.core.summaries.products import FeatureProducts, ProductsWithTarget
from fewer.core.summaries.results import LevelMoments, Moments, TargetProducts
from fewer.core.views.blocks import CodesBlock, DenseBlock, SparseBlock, SparseCodesBlock
from oracles import summaries as oracle

N, N_CLASSES = 501, 3
LEVELS = np.array([1, 2, 5, 3, 12, 60, 2, 4], dtype=np.int64)
ODD_SIZES = (1, 7, 64, 129, 300)
RUNNERS = ("one thread", "two threads", "stream", "cluster")

COUNTS = [
    TargetCounts(N_CLASSES),
    PairCounts(4),
    PairCounts(2, N_CLASSES),
    SubsetCounts((1, 2, 5), N_CLASSES),
]
NUMBERS = [ClassMoments(N_CLASSES), ClassMoments(), FeatureProducts()]
NUMERIC_TARGET = [ProductsWithTarget()]


def make_rows(weighted: bool):
    rng = np.random.default_rng(1)
    codes = np.column_stack([rng.integers(0, L, N) for L in LEVELS])
    numbers = rng.normal(size=(N, len(LEVELS))) * (rng.random((N, len(LEVELS))) < 0.4)
    y = rng.integers(0, N_CLASSES, N)
    # Halves add up exactly in binary, so that weighted counts can be compared exactly, too.
    weight = rng.integers(0, 5, N) / 2 if weighted else None
    return codes, numbers, y, weight


def make_block(kind: str, codes, numbers, y, weight, numeric_target=False):
    y = y.astype(float) * 1.5 - 1 if numeric_target else y
    if kind == "dense":
        return DenseBlock(np.ascontiguousarray(numbers), y, weight)
    if kind == "sparse":
        return SparseBlock(scipy.sparse.csc_array(numbers), y, weight)
    if kind == "codes":
        return CodesBlock(codes.astype(np.uint8), LEVELS, y, weight)
    if kind == "wide codes":
        return CodesBlock(codes.astype(np.uint16), LEVELS, y, weight)
    zero = np.minimum(1, LEVELS - 1)
    stored = scipy.sparse.csc_array(np.where(codes == zero, 0, codes + 1).astype(np.uint8))
    stored.data -= 1
    return SparseCodesBlock(stored, zero, LEVELS, y, weight)


def row_blocks(kind, rows, numeric_target):
    bounds = np.cumsum([0, *ODD_SIZES])
    assert bounds[-1] == N
    codes, numbers, y, weight = rows
    return [
        make_block(kind, codes[a:b], numbers[a:b], y[a:b], None if weight is None else weight[a:b], numeric_target)
        for a, b in zip(bounds[:-1], bounds[1:])
    ]


def compute(runner, summary, kind, rows, numeric_target, cluster):
    if runner in ("one thread", "two threads"):
        with ThreadRunner(1 if runner == "one thread" else 2) as run:
            return run.fold(summary, [make_block(kind, *rows, numeric_target)])
    blocks = row_blocks(kind, rows, numeric_target)
    if runner == "stream":
        with StreamRunner(2) as run:
            return run.fold(summary, run.place(ChangedBlocks(blocks, lambda b: b), lambda b: b))
    run = DaskRunner(cluster)
    return run.fold(summary, run.scatter(blocks))


def from_zero(found):
    """Return the same moments or products with means measured from 0; where rows begin, their origin may differ."""
    if isinstance(found, Moments):
        return replace(found, mean=found.mean + found.origin[:, None], origin=None)
    if isinstance(found, LevelMoments):
        return replace(found, mean=np.where(found.weight > 0, found.mean + found.origin, 0.0), origin=0.0)
    if isinstance(found, TargetProducts):
        mean_x, mean_y = found.mean_x + found.origin_x, found.mean_y + found.origin_y
        return replace(found, mean_x=mean_x, mean_y=mean_y, origin_x=None, origin_y=0.0)
    return found


def assert_same(got, expected, exact):
    got, expected = (got, expected) if exact else (from_zero(got), from_zero(expected))
    for field in fields(expected):
        a, b = getattr(got, field.name), getattr(expected, field.name)
        if a is b is None:
            continue
        if exact:
            np.testing.assert_array_equal(a, b)
            assert np.asarray(a).dtype == np.asarray(b).dtype
        else:
            np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10)


@pytest.mark.dask
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("kind", ["codes", "wide codes", "sparse codes"])
@pytest.mark.parametrize("runner", RUNNERS)
def test_counts_are_equal_on_every_runner(runner, kind, weighted, cluster):
    rows = make_rows(weighted)
    for summary in COUNTS:
        expected = compute("one thread", summary, kind, rows, False, cluster)
        assert_same(compute(runner, summary, kind, rows, False, cluster), expected, exact=True)
    expected = compute("one thread", TargetByLevel(), kind, rows, True, cluster)
    assert_same(compute(runner, TargetByLevel(), kind, rows, True, cluster), expected, exact=False)


@pytest.mark.dask
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("runner", RUNNERS)
def test_moments_and_products_are_equal_on_every_runner(runner, kind, weighted, cluster):
    rows = make_rows(weighted)
    for summary in NUMBERS + NUMERIC_TARGET:
        numeric = summary in NUMERIC_TARGET
        expected = compute("one thread", summary, kind, rows, numeric, cluster)
        # A feature is never cut, so threads change nothing at all; only matrix products may round otherwise.
        exact = runner == "two threads" and not isinstance(summary, FeatureProducts)
        assert_same(compute(runner, summary, kind, rows, numeric, cluster), expected, exact)


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("kind", ["codes", "wide codes", "sparse codes"])
def test_counts_agree_with_plain_loops(kind, weighted):
    codes, numbers, y, weight = make_rows(weighted)
    rows = (codes, numbers, y, weight)
    with_y = compute("one thread", TargetCounts(N_CLASSES), kind, rows, False, None)
    np.testing.assert_array_equal(with_y.table, oracle.counts(codes, y, LEVELS, N_CLASSES, weight))
    np.testing.assert_array_equal(np.diff(with_y.offsets), LEVELS)
    pair = compute("one thread", PairCounts(2, N_CLASSES), kind, rows, False, None)
    other = codes[:, 2] * N_CLASSES + y
    np.testing.assert_array_equal(pair.table, oracle.counts(codes, other, LEVELS, 5 * N_CLASSES, weight))
    by_level = from_zero(compute("one thread", TargetByLevel(), kind, rows, True, None))
    expected = oracle.level_moments(codes, y * 1.5 - 1, LEVELS, weight)
    np.testing.assert_allclose([by_level.weight, by_level.mean, by_level.m2], expected, atol=1e-9)
    if not weighted:
        joint = compute("one thread", SubsetCounts((1, 2, 5), N_CLASSES), kind, rows, False, None)
        cells, table = oracle.joint(codes, (1, 2, 5), y, N_CLASSES)
        np.testing.assert_array_equal(joint.cells, cells)
        np.testing.assert_array_equal(joint.table, table)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_moments_agree_with_plain_loops(kind):
    codes, numbers, y, weight = rows = make_rows(True)
    got = compute("one thread", ClassMoments(N_CLASSES), kind, rows, False, None)
    want = oracle.moments(numbers, y, N_CLASSES, weight)[1]
    np.testing.assert_allclose(got.mean + got.origin[:, None], want, atol=1e-12)
    np.testing.assert_allclose(got.m2, oracle.moments(numbers, y, N_CLASSES, weight)[2], atol=1e-9)
    gram = compute("one thread", FeatureProducts(), kind, rows, False, None)
    np.testing.assert_allclose(gram.c, oracle.products(numbers, weight)[2], atol=1e-9)


def test_planner_reaches_every_way_of_counting(rng):
    from fewer.core.summaries.plan import plan

    few = CodesBlock(rng.integers(0, 2, (4000, 3)).astype(np.uint8), np.array([2, 2, 2]))
    wide = CodesBlock(rng.integers(0, 300, (400, 3)).astype(np.uint16), np.array([300, 300, 300]))
    assert plan(few, 5, 3, 1) == "lanes"
    assert plan(wide, 300, 3, 1) == "rows"
    assert wide.columns.shape == (3, 400)
    assert plan(wide, 300, 3, 10) == "columns"
    assert few.planes.shape == (6, 63)
    assert plan(few, 2, 2, 10) == "planes"


def test_threads_report_an_error_of_a_block():
    class Broken(TargetCounts):
        def tile(self, block, start, stop):
            raise ValueError("broken block")

    codes, numbers, y, weight = make_rows(False)
    with ThreadRunner(2) as run, pytest.raises(ValueError, match="broken block"):
        run.fold(Broken(3), [make_block("codes", codes, numbers, y, weight)])


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("runner", ["one thread", "stream"])
def test_small_differences_of_large_numbers_survive_the_merging_of_rows(runner, kind):
    """Multiples of 2^-23 beside 1e9 are floats: the same numbers moved there have the same moments and products."""
    codes, _, y, weight = make_rows(True)
    X = (codes + 1.0) * 2.0**-23
    for summary, numeric in ((ClassMoments(N_CLASSES), False), (ProductsWithTarget(), True)):
        near = compute("one thread", summary, "dense", (codes, X, y, weight), numeric, None)
        far = compute(runner, summary, kind, (codes, 1e9 + X, y, weight), numeric, None)
        for name in ("m2",) if summary == ClassMoments(N_CLASSES) else ("m2_x", "c_xy"):
            np.testing.assert_allclose(getattr(far, name), getattr(near, name), rtol=1e-7, atol=1e-22)
        if summary == ClassMoments(N_CLASSES):
            # Distances between classes; what all of them are measured from differs.
            apart = [found.mean - found.mean[:, :1] for found in (near, far)]
            np.testing.assert_allclose(apart[1], apart[0], rtol=1e-7, atol=1e-15)
