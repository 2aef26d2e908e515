"""The graph of near rows beside all distances by loops."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
import scipy.sparse

from fewer.core.neighbours import near_rows
from fewer.core.neighbours.laplacian import smooth_functions, smoothness
from fewer.core.neighbours.near_rows import nearest_rows
from fewer.core.neighbours.row_graph import RowGraph, neighbour_graph
from fewer.core.neighbours.row_points import as_points
from fewer.core.runners.threads import ThreadRunner
from oracles import graph_scores as oracle

RUN = ThreadRunner(1)
DATA = {
    "numbers": lambda rng: rng.normal(size=(70, 6)),
    "wide": lambda rng: rng.normal(size=(25, 300)),
    "ties": lambda rng: rng.integers(0, 3, (70, 4)).astype(float),
    "0 and 1": lambda rng: rng.integers(0, 2, (90, 3)).astype(float),
    "copies": lambda rng: np.repeat(rng.normal(size=(12, 5)), 6, axis=0),
    "all alike": lambda rng: np.full((30, 4), 0.3),
    "offset": lambda rng: 1e9 + rng.normal(size=(60, 5)),
    "one far row": lambda rng: np.vstack([rng.normal(size=(50, 5)), np.full((1, 5), 1e9)]),
    "first row very far": lambda rng: np.vstack([np.full((1, 4), 1e120), rng.normal(size=(40, 4))]),
    "two far rows": lambda rng: np.vstack([rng.normal(size=(40, 4)), 1e30 + 1e20 * rng.normal(size=(2, 4))]),
    "huge": lambda rng: 1e140 * rng.normal(size=(40, 4)),
    "tiny": lambda rng: 1e-120 * rng.normal(size=(40, 4)),
    "many zeros": lambda rng: rng.normal(size=(60, 12)) * (rng.random((60, 12)) < 0.2),
    "zeros and one long row": lambda rng: np.vstack([rng.poisson(0.3, (60, 9)), np.full((1, 9), 10**6)]).astype(float),
    "one row": lambda rng: rng.normal(size=(1, 3)),
    "two rows": lambda rng: rng.normal(size=(2, 3)),
}


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("k", [1, 5, 200])
def test_nearest_rows_are_those_of_all_distances(name, k, monkeypatch):
    # Several blocks, and lists that must be cut.
    monkeypatch.setattr(near_rows, "BLOCK", 16)
    monkeypatch.setattr(near_rows, "ROOM", 4)
    X = DATA[name](np.random.default_rng(0))
    index, distance = nearest_rows(RUN, as_points(X), k)
    wanted = oracle.nearest(X, k)
    assert index.tolist() == wanted
    for i, row in enumerate(wanted):
        np.testing.assert_allclose(distance[i], [oracle.squared_distance(X[i], X[j]) for j in row], rtol=1e-11)
    for again in (
        nearest_rows(ThreadRunner(2), as_points(X), k),
        nearest_rows(RUN, as_points(scipy.sparse.csr_array(X)), k),
    ):
        np.testing.assert_array_equal(again[0], index)
        np.testing.assert_array_equal(again[1], distance)


@pytest.mark.parametrize("seed", range(12))
def test_random_rows_with_ties(seed, monkeypatch):
    monkeypatch.setattr(near_rows, "BLOCK", 16)
    rng = np.random.default_rng(seed)
    X = rng.integers(0, rng.integers(2, 6), (rng.integers(2, 60), rng.integers(1, 8))) * rng.choice([1.0, 0.1, 1e-7])
    k = int(rng.integers(1, 9))
    index, _ = nearest_rows(RUN, as_points(X), k)
    assert index.tolist() == oracle.nearest(X, k)


@pytest.mark.parametrize("join", ["either", "both"])
@pytest.mark.parametrize("kind", ["heat", "binary", "cosine"])
@pytest.mark.parametrize("name", ["numbers", "ties", "many zeros", "copies", "one far row", "two rows", "one row"])
def test_graph_is_that_of_the_oracle(name, kind, join):
    X = DATA[name](np.random.default_rng(1))
    wanted = oracle.weights(X, 4, join, kind)
    for rows in (X, scipy.sparse.csr_array(X)):
        graph = neighbour_graph(RUN, rows, 4, join=join, weights=kind)
        assert (graph.first < graph.second).all()
        np.testing.assert_allclose(graph.matrix.toarray(), wanted, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(graph.degree, wanted.sum(axis=1), rtol=1e-9, atol=1e-12)


def test_width_of_the_heat():
    X = np.array([[0.0], [1.0], [3.0]])
    graph = neighbour_graph(RUN, X, 1)
    assert graph.width == (1 + 1 + 4) / 3
    np.testing.assert_allclose(graph.weight, np.exp([-1 / 2, -4 / 2]))
    np.testing.assert_allclose(neighbour_graph(RUN, X, 1, width=0.5).weight, np.exp([-2, -8]))


def test_an_offset_or_a_far_row_leaves_the_graph_of_the_others():
    X = np.random.default_rng(3).normal(size=(60, 5)).round(3)
    plain = neighbour_graph(RUN, X, 5, weights="binary")
    for rows in (X + 2.0**30, scipy.sparse.csr_array(X + 2.0**30)):
        moved = neighbour_graph(RUN, rows, 5, weights="binary")
        assert set(zip(moved.first, moved.second)) == set(zip(plain.first, plain.second))
    far = neighbour_graph(RUN, np.vstack([X, np.full((1, 5), 1e12)]), 5, weights="binary")
    others = {(a, b) for a, b in zip(far.first, far.second) if b < 60}
    assert others == set(zip(plain.first, plain.second))


@pytest.mark.parametrize("name", ["numbers", "ties", "many zeros", "offset", "zeros and one long row", "huge"])
def test_smoothness_is_that_of_double_sums(name):
    X = DATA[name](np.random.default_rng(2))
    W = oracle.weights(X, 4)
    graph = neighbour_graph(RUN, X, 4)
    X = np.column_stack([X, np.full(len(X), 7.0)])
    centred = X - X[0]
    scale = np.abs(centred).max(axis=0)
    wanted = [oracle.laplacian_score(W, f) for f in (centred / np.where(scale > 0, scale, 1)).T]
    for rows in (X, scipy.sparse.csr_array(X)):
        found = smoothness(RUN, rows, graph)
        np.testing.assert_allclose(found.laplacian[:-1], wanted[:-1], rtol=1e-6)
        assert found.constant.tolist() == [False] * (X.shape[1] - 1) + [True]
        assert np.isinf(found.laplacian[-1])


def test_parts_and_their_functions():
    rng = np.random.default_rng(4)
    X = np.concatenate([rng.normal(size=(12, 2)), 100 + rng.normal(size=(20, 2)), 300 + rng.normal(size=(6, 2))])
    graph = neighbour_graph(RUN, X, 3, weights="binary")
    assert graph.n_parts == 3
    assert graph.parts.tolist() == [0] * 12 + [1] * 20 + [2] * 6
    values, vectors = smooth_functions(graph, 6)
    np.testing.assert_allclose(values, oracle.spectrum(graph.matrix.toarray())[0][:6], atol=1e-9)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(6), atol=1e-9)
    # Those of eigenvalue 0 live on one part each, the largest first.
    assert [np.flatnonzero(v).tolist() for v in vectors.T[:3]] == [[*range(12, 32)], [*range(12)], [*range(32, 38)]]


def test_functions_of_a_large_part_solve_the_equation():
    X = np.random.default_rng(5).normal(size=(700, 3))
    graph = neighbour_graph(RUN, X, 6)
    values, vectors = smooth_functions(graph, 5)
    np.testing.assert_allclose(values, oracle.spectrum(graph.matrix.toarray())[0][:5], atol=1e-8)
    root = np.sqrt(graph.degree)[:, None]
    np.testing.assert_allclose(vectors - (graph.matrix @ (vectors / root)) / root, vectors * values, atol=1e-7)


def test_rows_without_edges():
    graph = RowGraph(3, np.array([0]), np.array([1]), np.array([0.0]))
    assert graph.n_parts == 3
    assert graph.degree.tolist() == [0, 0, 0]
    assert smooth_functions(graph, 2)[1].shape == (3, 0)
    assert smoothness(RUN, np.array([[1.0], [2.0], [3.0]]), graph).constant.tolist() == [True]


def test_memory_stays_far_below_all_pairs():
    X = np.random.default_rng(6).normal(size=(4000, 3))
    nearest_rows(RUN, as_points(X[:50]), 5)
    tracemalloc.start()
    nearest_rows(RUN, as_points(X), 5)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4000 * 4000
