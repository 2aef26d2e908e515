"""Graphs whose eigenvalues are equal, or as good as: all rows joined alike, parts that hardly hang together."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse

import fewer
from fewer.core.neighbours.laplacian import smooth_functions, smoothness
from fewer.core.neighbours.near_rows import nearest_rows
from fewer.core.neighbours.row_graph import RowGraph
from fewer.core.neighbours.row_points import as_points
from fewer.core.runners.threads import ThreadRunner
from oracles import graph_scores as oracle


def two_clusters(n=40):
    X = np.random.default_rng(0).normal(size=(n, 5))
    X[: n // 2] += 4.0
    return (X - X.mean(axis=0)) / X.std(axis=0)


@pytest.mark.parametrize(("n", "n_functions"), [(21, 2), (30, 2), (30, 8), (30, 30), (900, 8)])
def test_functions_where_all_rows_are_joined_alike(n, n_functions):
    first, second = np.triu_indices(n, 1)
    values, vectors = smooth_functions(RowGraph(n, first, second, np.ones(len(first))), n_functions)
    np.testing.assert_allclose(values, [0.0] + [n / (n - 1)] * (n_functions - 1), atol=1e-12)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(n_functions), atol=1e-10)


@pytest.mark.parametrize("name", ["SPEC", "MCFS"])
def test_all_rows_joined_alike_are_answered(name):
    for n in (21, 26, 29, 30):
        X = np.random.default_rng(n).normal(size=(n, 4))
        for n_clusters in (1, 5, 8):
            made = fewer.get(name)(2, n_neighbors=100, graph_weights="binary", n_clusters=n_clusters)
            assert np.isfinite(made.fit(X).scores_).all()


@pytest.mark.parametrize("width", [0.05, 0.1])
def test_parts_that_hardly_hang_together(width):
    # Weights between the clusters are next to nothing, so that two eigenvalues are 0 in the machine.
    X = two_clusters()
    W = oracle.weights(X, 25, width=width)
    assert oracle.spectrum(W)[0][1] < 1e-14
    for n_clusters in (2, 3, 5):
        wanted = [oracle.spec(W, f, 3, n_clusters) for f in X.T]
        made = fewer.SPEC(n_neighbors=25, heat_width=width, n_clusters=n_clusters)
        np.testing.assert_allclose(made.fit(X).scores_, wanted, atol=1e-7)


def test_functions_of_one_eigenvalue_are_taken_together():
    # On a ring every eigenvalue but the first stands there twice; scores must not depend on how a ring is turned.
    angle = 2 * np.pi * np.arange(40) / 40
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    scores = [
        fewer.SPEC(n_neighbors=2, graph_weights="binary", n_clusters=2).fit(np.roll(ring, shift, axis=0)).scores_
        for shift in (0, 3, 7)
    ]
    assert np.ptp(scores) < 1e-9
    assert np.min(scores) > 1.9


def test_zeros_of_rows_that_hardly_weigh_anything_count_alike_in_sparse_columns():
    weight = np.array([1.0, 1.0, 1.0, 1e-40])
    graph = RowGraph(5, np.array([0, 0, 1, 2]), np.array([1, 2, 2, 4]), weight)
    X = np.array([[1.0], [1.0], [1.0], [5.0], [0.0]])
    run = ThreadRunner(1)
    dense, sparse = smoothness(run, X, graph), smoothness(run, scipy.sparse.csc_array(X), graph)
    np.testing.assert_allclose(sparse.laplacian, dense.laplacian, rtol=1e-9)


def test_no_warning_where_the_weights_of_all_that_varies_vanish():
    graph = RowGraph(4, np.array([0, 0, 1]), np.array([1, 2, 3]), np.array([1.0, 1.0, 1e-320]))
    X = np.array([[1.0], [1.0], [1.0], [1.0 + 1e-10]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert 0.0 <= smoothness(ThreadRunner(1), X, graph).laplacian[0] <= 2.0


def test_far_sparse_rows_are_near_each_other(rng):
    X = rng.normal(size=(8, 3))
    X[0] *= 1e200
    X[1] = X[0] * 1.001
    dense, sparse = (nearest_rows(ThreadRunner(1), as_points(rows), 1)[0] for rows in (X, scipy.sparse.csr_array(X)))
    assert dense[:2].ravel().tolist() == [1, 0]
    np.testing.assert_array_equal(sparse, dense)


def test_regressions_do_not_depend_on_the_unit_of_all_features(rng):
    X = two_clusters() + rng.normal(size=(40, 5))
    wanted = fewer.MCFS(2, standardize=False).fit(X).scores_
    for unit in (2.0**-50, 2.0**-300, 2.0**300):
        np.testing.assert_allclose(fewer.MCFS(2, standardize=False).fit(X * unit).scores_, wanted, rtol=1e-9)
