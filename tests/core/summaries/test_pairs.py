"""Co-occurrence counts: sets of rows, and the same on every runner."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

from fewer.core.runners.cluster import DaskRunner
from fewer.core.runners.stream import ChangedBlocks, StreamRunner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries import pairs as pairs_module
from fewer.core.summaries.pairs import PresencePairs
from fewer.core.views.blocks import CodesBlock, SparseCodesBlock

N, D, CLASSES, COLUMNS = 120, 9, 3, (7, 0, 3, 4, 8)


def make_block(kind, codes, y, weight):
    levels = np.full(codes.shape[1], 3)
    if kind == "codes":
        return CodesBlock(codes.astype(np.uint8), levels, y, weight)
    zero = np.zeros(codes.shape[1], np.int64)
    if kind == "zero is present":
        zero[3] = 1
    stored = scipy.sparse.csc_array((codes != zero) * (codes + 1)).astype(np.uint8)
    stored.data -= 1
    return SparseCodesBlock(stored, zero, levels, y, weight)


def data(weighted):
    rng = np.random.default_rng(0)
    codes = rng.choice(3, (N, D), p=[0.6, 0.3, 0.1])
    codes[:, 4] = 0
    return codes, rng.integers(0, CLASSES, N), rng.integers(0, 4, N) / 2 if weighted else None


def by_sets(codes, y, weight):
    weight = np.ones(len(y)) if weight is None else weight
    rows = [set(np.flatnonzero(codes[:, j] == 1)) for j in COLUMNS]
    return np.array([
        [[sum(weight[i] for i in a & b if y[i] == c) for b in rows] for a in rows] for c in range(CLASSES)
    ])  # fmt: skip


def as_array(found):
    return np.array([part.toarray() if scipy.sparse.issparse(part) else part for part in found.pairs])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["codes", "sparse codes", "zero is present"])
@pytest.mark.parametrize("runner", ["one thread", "two threads", "stream", "dask"])
def test_counts_are_those_of_sets_on_every_runner(runner, kind, weighted):
    codes, y, weight = data(weighted)
    summary = PresencePairs(CLASSES, COLUMNS)
    cuts = [0, 1, 8, 50, 51, N]
    blocks = [
        make_block(kind, codes[a:b], y[a:b], None if weight is None else weight[a:b])
        for a, b in zip(cuts[:-1], cuts[1:])
    ]
    if runner in ("one thread", "two threads"):
        with ThreadRunner(1 if runner == "one thread" else 2) as run:
            found = run.fold(summary, [make_block(kind, codes, y, weight)])
    elif runner == "stream":
        with StreamRunner(1) as run:
            found = run.fold(summary, ChangedBlocks(blocks, lambda b: b))
    else:
        run = DaskRunner()
        found = run.fold(summary, run.scatter(blocks))
    assert scipy.sparse.issparse(found.pairs[0]) == (kind != "codes")
    np.testing.assert_array_equal(as_array(found), by_sets(codes, y, weight))
    assert found.pairs[0].dtype == (np.float64 if weighted else np.int64)


def test_tiles_are_small_enough_for_memory_and_join_again(monkeypatch):
    codes, y, weight = data(False)
    monkeypatch.setattr(pairs_module, "ROWS_AT_ONCE", 7)
    for kind in ("codes", "sparse codes"):
        block, summary = make_block(kind, codes, y, weight), PresencePairs(CLASSES, COLUMNS)
        tiles = [summary.tile(block, start, stop) for start, stop in ((0, 1), (1, 4), (4, 5))]
        np.testing.assert_array_equal(as_array(summary.join(tiles)), by_sets(codes, y, weight))


def test_a_class_without_rows():
    codes, y, _ = data(False)
    y = np.where(y == 1, 0, y)
    for kind in ("codes", "sparse codes"):
        found = as_array(PresencePairs(CLASSES, COLUMNS).whole(make_block(kind, codes, y, None)))
        assert not found[1].any()
        np.testing.assert_array_equal(found, by_sets(codes, y, None))


def test_sparse_results_hold_only_pairs_that_occur():
    codes = np.zeros((4, 3), int)
    codes[0, 0] = codes[1, 1] = codes[2, 1] = codes[2, 2] = 1
    block = make_block("sparse codes", codes, np.array([0, 0, 1, 1]), np.array([1.0, 0.0, 1.0, 1.0]))
    found = PresencePairs(2, (0, 1, 2)).whole(block)
    assert [part.nnz for part in found.pairs] == [1, 4]
