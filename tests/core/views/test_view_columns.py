"""Some columns of a view: every kind of block, every runner."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

from fewer.core.records.errors import RequirementError
from fewer.core.runners.stream import StreamRunner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries.counts import TargetCounts
from fewer.core.summaries.moments import ClassMoments
from fewer.core.views.blocks import CodesBlock, DenseBlock, SparseBlock, SparseCodesBlock
from fewer.core.views.view import View

LEVELS = np.array([2, 5, 3, 300, 4], dtype=np.int64)
SUBSET = [4, 0, 3]


def codes_of(rng, n=50):
    return np.column_stack([rng.integers(0, k, n) for k in LEVELS])


def block_of(kind, rng):
    codes, y, weight = codes_of(rng), rng.integers(0, 2, 50), rng.random(50)
    if kind == "dense":
        return DenseBlock(codes.astype(float), y, weight)
    if kind == "codes":
        return CodesBlock(codes.astype(np.uint16), LEVELS, y, weight)
    if kind == "sparse":
        return SparseBlock(scipy.sparse.csc_array(codes.astype(float)), y, weight)
    stored = scipy.sparse.csc_array(codes.astype(np.uint16))
    return SparseCodesBlock(stored, LEVELS - 1, LEVELS, y, weight)


def view_of(block, run=None, blocks=None):
    return View(
        run or ThreadRunner(1),
        blocks or [block],
        block.kind,
        block.n_rows,
        block.n_features,
        nominal=np.array([True, False, False, True, False]),
        classes=np.array([0, 1]),
        labels={0: np.array(["a", "b"]), 3: np.arange(300)},
        names=("p", "q", "r", "s", "t"),
        n_levels=block.n_levels if "codes" in block.kind else None,
    )


def table_of(block):
    if "codes" in block.kind:
        return np.column_stack([block.column(j) for j in range(block.n_features)])
    return block.X.toarray() if block.kind == "sparse" else block.X


@pytest.mark.parametrize("kind", ["dense", "codes", "sparse", "sparse codes"])
def test_chosen_columns_in_the_given_order(rng, kind):
    view = view_of(block_of(kind, rng))
    some = view.columns(SUBSET)
    block, whole = some.whole(), view.whole()
    np.testing.assert_array_equal(table_of(block), table_of(whole)[:, SUBSET])
    assert (some.n_features, some.n_rows, some.kind, block.kind) == (3, 50, kind, kind)
    assert some.nominal.tolist() == [False, True, True]
    assert some.names == ("t", "p", "s")
    assert sorted(some.labels) == [1, 2]
    assert some.labels[1].tolist() == ["a", "b"]
    # What does not change is shared.
    assert block.y is whole.y
    assert block.weight is whole.weight
    if kind == "dense":
        assert block.X.flags.c_contiguous
    elif kind == "codes":
        assert block.rows.flags.c_contiguous
    else:
        assert block.X.format == "csc"
        assert block.X.has_sorted_indices
    if "codes" in kind:
        assert some.n_levels.tolist() == block.n_levels.tolist() == LEVELS[SUBSET].tolist()


@pytest.mark.parametrize("kind", ["codes", "sparse codes"])
def test_summaries_of_codes_are_those_of_the_columns(rng, kind):
    view = view_of(block_of(kind, rng))
    whole = view.fold(TargetCounts(2))
    some = view.columns(SUBSET).fold(TargetCounts(2))
    ends = np.concatenate([[0], np.cumsum(LEVELS)])
    wanted = np.concatenate([whole.table[ends[j] : ends[j + 1]] for j in SUBSET])
    np.testing.assert_allclose(some.table, wanted)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_summaries_of_numbers_are_those_of_the_columns(rng, kind):
    view = view_of(block_of(kind, rng))
    np.testing.assert_allclose(view.columns(SUBSET).fold(ClassMoments(2)).mean, view.fold(ClassMoments(2)).mean[SUBSET])


def test_bit_planes_and_columns_are_made_anew(rng):
    view = view_of(block_of("codes", rng))
    view.whole().columns, view.whole().planes
    block = view.columns(SUBSET).whole()
    np.testing.assert_array_equal(block.columns, view.whole().columns[SUBSET])
    assert len(block.planes) == LEVELS[SUBSET].sum()


def test_all_columns_are_the_same_view(rng):
    view = view_of(block_of("dense", rng))
    assert view.columns(range(5)) is view
    assert view.columns([1, 0, 2, 3, 4]) is not view
    twice = view.columns(SUBSET).columns([2, 0])
    np.testing.assert_array_equal(twice.whole().X, view.whole().X[:, [3, 4]])


def test_batches_are_cut_when_they_come(rng):
    blocks = [block_of("codes", rng) for _ in range(3)]
    with StreamRunner() as run:
        streamed = view_of(blocks[0], run, blocks).columns(SUBSET)
        for made, block in zip(streamed.blocks, blocks):
            np.testing.assert_array_equal(made.rows, block.rows[:, SUBSET])


def test_other_views_are_refused(rng):
    block = block_of("dense", rng)
    view = view_of(block)
    object.__setattr__(block, "kind", "ranks")
    with pytest.raises(RequirementError, match="view holds ranks"):
        view.columns(SUBSET)


@pytest.mark.parametrize("kind", ["dense", "codes", "sparse", "sparse codes"])
def test_columns_of_another_view_stand_behind(rng, kind):
    view = view_of(block_of(kind, rng))
    order = rng.permutation(50)
    shuffled = view.reordered(order)
    joined = view.with_columns(shuffled)
    table = table_of(view.whole())
    np.testing.assert_array_equal(table_of(shuffled.whole()), table[order])
    np.testing.assert_array_equal(table_of(joined.whole()), np.hstack([table, table[order]]))
    for changed in (shuffled, joined):
        assert changed.whole().y is view.whole().y
        assert changed.whole().weight is view.whole().weight
    assert (joined.n_features, joined.names) == (10, (*"pqrst", *"pqrst"))
    np.testing.assert_array_equal(joined.nominal, np.tile(view.nominal, 2))
    assert {j: list(labels) for j, labels in joined.labels.items()} == {
        j + start: list(labels) for start in (0, 5) for j, labels in view.labels.items()
    }
    if "codes" in kind:
        np.testing.assert_array_equal(joined.n_levels, np.tile(LEVELS, 2))
        both, alone = (one.fold(TargetCounts(2)).table for one in (joined, shuffled))
        np.testing.assert_array_equal(both[LEVELS.sum() :], alone)
