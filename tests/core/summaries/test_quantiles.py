from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from fewer.core.runners.stream import StreamRunner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries import quantiles
from fewer.core.views.blocks import DenseBlock, SparseBlock
from fewer.core.views.weights import WeightGrid
from oracles.discretise import equal_frequency_edges


def blocks_of(X, sizes, weight=None, kind="dense"):
    """Cut rows into blocks of the given sizes, over and over."""
    blocks, a, k = [], 0, 0
    while a < len(X):
        b = min(a + sizes[k % len(sizes)], len(X))
        rows, w = X[a:b], None if weight is None else weight[a:b]
        if kind == "dense":
            blocks.append(DenseBlock(np.ascontiguousarray(rows), weight=w))
        else:
            matrix = sparse.csc_matrix(rows)
            matrix.sort_indices()
            blocks.append(SparseBlock(matrix, weight=w))
        a, k = b, k + 1
    return blocks


def edges_by_counting(X, bins, sizes=(7, 1, 20), weight=None, kind="dense", passes=None, divisor=None):
    blocks = blocks_of(X, sizes, weight, kind)

    def fold(summary):
        if passes is not None:
            passes.append(type(summary).__name__)
        with StreamRunner() as run:
            return run.fold(summary, blocks)

    others = () if divisor is None else (divisor,)
    found = quantiles.frequency_edges(fold, bins, np.ones(X.shape[1], bool), others)[divisor or bins]
    return [np.unique(v[v < h]) for v, h in zip(found.edges, found.high)]


def nasty(n=200, seed=0):
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [
            rng.normal(size=n),
            rng.integers(-3, 4, size=n),
            rng.choice([-0.0, 0.0, 1.0, -1.0], size=n),
            rng.choice([5e-324, -5e-324, 0.0, 1e-310, 2e-310], size=n),
            rng.choice([1e308, -1e308, 1e300, 3.0], size=n),
            rng.choice([np.inf, -np.inf, 0.5], size=n),
            np.exp(rng.normal(size=n) * 50),
            np.full(n, 0.1),
            np.full(n, np.nan),
            np.where(rng.random(n) < 0.5, np.nan, rng.normal(size=n)),
            np.where(rng.random(n) < 0.9, 0.0, rng.normal(size=n)),
            1e9 + rng.normal(size=n) * 1e-6,
            np.where(rng.random(n) < 0.95, 5.0, rng.normal(size=n)),
            np.where(rng.random(n) < 0.9, 0.5, rng.normal(size=n) * 9),
            rng.choice([1.0, 2.0, 3.0], p=[0.01, 0.01, 0.98], size=n),
            rng.random(n) < 0.95,
        ]
    )
    return X


@pytest.mark.parametrize("bins", [1, 2, 3, 10, 64])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_counted_quantiles_are_the_order_statistics(bins, kind):
    X = nasty()
    found = edges_by_counting(X, bins, kind=kind)
    for j in range(X.shape[1]):
        want = np.array(equal_frequency_edges(X[:, j], bins))
        assert found[j].tobytes() == want.tobytes(), j


@pytest.mark.parametrize("divisor", [2, 4, 5, 10])
@pytest.mark.parametrize("most", [20, 2**14])
def test_edges_of_divisors_come_with_them_and_are_their_own(monkeypatch, divisor, most):
    monkeypatch.setattr(quantiles, "MOST_KEPT", most)
    monkeypatch.setattr(quantiles, "LEAST_KEPT", 1)
    for seed in range(3):
        X = nasty(300, seed)
        weight = np.random.default_rng(seed).integers(0, 5, size=len(X)) / 8
        for amounts in (None, weight):
            found = edges_by_counting(X, 20, weight=amounts, divisor=divisor)
            for j in range(X.shape[1]):
                want = np.array(equal_frequency_edges(X[:, j], divisor, amounts))
                assert found[j].tobytes() == want.tobytes(), j


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_weighted_quantiles(kind):
    X, rng = nasty(), np.random.default_rng(4)
    weight = rng.integers(0, 5, size=len(X)) / 8
    found = edges_by_counting(X, 7, weight=weight, kind=kind)
    for j in range(X.shape[1]):
        assert found[j].tobytes() == np.array(equal_frequency_edges(X[:, j], 7, weight)).tobytes(), j


def test_weights_of_any_size_do_not_depend_on_the_blocks():
    X, weight = nasty(), np.random.default_rng(5).random(200) * 1e-3
    weight = WeightGrid.of(weight).put(weight)
    one = edges_by_counting(X, 10, (200,), weight)
    many = edges_by_counting(X, 10, (3, 11), weight)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(one, many))


def test_equal_weights_change_nothing():
    X = nasty()
    weighted, plain = edges_by_counting(X, 10, weight=np.full(200, 0.1)), edges_by_counting(X, 10)
    assert all(a.tobytes() == b.tobytes() for a, b in zip(weighted, plain))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.floats(), min_size=1, max_size=60),
    st.integers(2, 12),
    st.lists(st.integers(1, 9), min_size=1, max_size=3),
)
def test_any_floats(values, bins, sizes):
    X = np.array(values)[:, None]
    (found,) = edges_by_counting(X, bins, sizes)
    assert found.tobytes() == np.array(equal_frequency_edges(values, bins)).tobytes()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("sizes", [(300,), (7, 1, 20), (5000,)])
def test_two_passes_where_values_are_many_and_one_where_they_are_few(sizes, weighted):
    X = nasty(5000)
    weight = np.random.default_rng(1).integers(0, 4, 5000) / 4 if weighted else None
    with small_tables(kept=64):
        passes = []
        found = edges_by_counting(X, 10, sizes, weight, passes=passes)
        assert len(passes) == 2
        passes = []
        edges_by_counting(np.random.default_rng(0).integers(0, 50, size=(500, 4)), 10, (90,), passes=passes)
        assert len(passes) == 1
    for j in range(X.shape[1]):
        assert found[j].tobytes() == np.array(equal_frequency_edges(X[:, j], 10, weight)).tobytes(), j


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_brackets_that_overflow_take_another_pass_and_give_the_same(kind):
    X = nasty(3000)
    want = edges_by_counting(X, 10)
    with small_tables(kept=48, collected=80):
        passes = []
        found = edges_by_counting(X, 10, (200, 90), kind=kind, passes=passes)
    assert 3 <= len(passes) <= 5
    assert all(a.tobytes() == b.tobytes() for a, b in zip(found, want))


@contextmanager
def small_tables(kept, collected=2000):
    """Let the first pass keep few values per feature, and the second collect few per feature of `nasty`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quantiles, "MOST_KEPT", kept)
        patch.setattr(quantiles, "LEAST_KEPT", 1)
        patch.setattr(quantiles, "COLLECT_BYTES", quantiles.ITEM_BYTES * 16 * collected)
        yield


def test_bounds_of_ranks_hold_and_are_narrow():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=20_000), np.round(rng.normal(size=20_000), 2)])
    summary = quantiles.RankedValues(np.arange(2), np.full(2, -np.inf), np.full(2, np.inf), np.arange(3), 200)
    with StreamRunner() as run:
        found = summary.united(run.fold(summary, blocks_of(X, (500, 321))))
    for j in range(2):
        own = slice(found.offsets[j], found.offsets[j + 1])
        values, upto, below = found.items[:, own]
        column = np.sort(X[:, j])
        assert (upto <= np.searchsorted(column, values, "right")).all()
        assert (below >= np.searchsorted(column, values, "left")).all()
        assert values[-1] == column[-1]
        # Six merges, each of which loses at most the weight between two of 100 values.
        assert (below - upto).max() < 0.06 * len(X)
        assert len(values) <= 202


def test_threads_and_dask_count_the_same():
    cluster = pytest.importorskip("fewer.core.runners.cluster")
    pytest.importorskip("dask")
    X = nasty()
    want = edges_by_counting(X, 10)
    wanted = np.ones(X.shape[1], bool)
    for run, blocks in (
        (ThreadRunner(3), blocks_of(X, (200,))),
        (dask := cluster.DaskRunner(), dask.scatter(blocks_of(X, (60, 9)))),
    ):
        found = quantiles.frequency_edges(lambda s, r=run, b=blocks: r.fold(s, b), 10, wanted)[10]
        values, high = found.edges, found.high
        run.close()
        assert all(np.unique(v[v < h]).tobytes() == w.tobytes() for v, h, w in zip(values, high, want))
