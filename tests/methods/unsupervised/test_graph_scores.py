"""Scores on a graph of near rows: oracles, facts of docs/unsupervised.md, degenerate data."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from sklearn.linear_model import lars_path

import fewer
from fewer.core.neighbours.row_graph import RowGraph
from fewer.methods.unsupervised._angles import CentredUnitColumns, least_angles
from fewer.methods.unsupervised.mcfs import embedding
from oracles import graph_scores as oracle


def standardized(X):
    return (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0)


def clusters(seed, n=60, d=7):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X[:, :3] += 4.0 * rng.normal(size=(3, 3))[rng.integers(0, 3, n)]
    return X


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weights", ["heat", "binary", "cosine"])
@pytest.mark.parametrize("standardize", [True, False])
def test_laplacian_score_is_that_of_double_sums(seed, weights, standardize):
    X = clusters(seed)
    scaled = X / X.std(axis=0) if weights == "cosine" else standardized(X)
    W = oracle.weights(scaled if standardize else X, 4, kind=weights)
    wanted = [2.0 - oracle.laplacian_score(W, f) for f in X.T]
    made = fewer.LaplacianScore(n_neighbors=4, graph_weights=weights, standardize=standardize)
    np.testing.assert_allclose(made.fit(X).scores_, wanted, rtol=1e-9)


@pytest.mark.parametrize("function", [1, 2, 3])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("far", [0.0, 50.0])
def test_spec_is_that_of_the_whole_spectrum(function, seed, far):
    X = clusters(seed)
    # Two parts, or four, more than clusters are expected.
    X[:20] += far
    X[:8] += far
    X[50:] -= far
    for standardize in (True, False):
        rows = standardized(X) if standardize else X
        W = oracle.weights(rows, 4)
        wanted = np.array([oracle.spec(W, f, function, 3) for f in rows.T])
        made = fewer.SPEC(ranking_function=function, n_clusters=3, n_neighbors=4, standardize=standardize)
        scores = made.fit(X).scores_
        np.testing.assert_allclose(scores, wanted if function == 3 else 2.0 - wanted, rtol=1e-7, atol=1e-10)


def test_second_function_of_spec_is_the_laplacian_score():
    X = clusters(5)
    second = fewer.SPEC(ranking_function=2).fit(X).scores_
    np.testing.assert_allclose(second, fewer.LaplacianScore().fit(X).scores_, rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_mcfs_is_that_of_generalized_eigenvectors_and_lars(seed):
    X = np.random.default_rng(seed).normal(size=(60, 7))
    W = oracle.weights(standardized(X), 5)
    assert (oracle.spectrum(W)[0] < 1e-9).sum() == 1
    wanted = oracle.mcfs(W, X, 3, 4)
    scores = fewer.MCFS(4, n_clusters=3).fit(X).scores_
    np.testing.assert_allclose(scores, wanted, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(fewer.MCFS(2, n_clusters=3, n_nonzero=4).fit(X).scores_, wanted, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("n_nonzero", [1, 3, 8])
def test_least_angles_are_those_of_scikit_learn(n_nonzero, rng):
    X, y = rng.normal(size=(40, 8)) + 3.0, rng.normal(size=40)
    unit = X - X.mean(axis=0)
    unit /= np.linalg.norm(unit, axis=0)
    path = lars_path(unit, y - y.mean(), method="lar", max_iter=n_nonzero)[2]
    for columns in (CentredUnitColumns(X), CentredUnitColumns(scipy.sparse.csc_array(X))):
        np.testing.assert_allclose(least_angles(columns, y - y.mean(), n_nonzero), path[:, -1], rtol=1e-9, atol=1e-12)


def test_columns_that_others_span_stay_out(rng):
    X = rng.normal(size=(30, 3))
    X = np.column_stack([X, X[:, 0], X[:, 0] + X[:, 1], np.ones(30)])
    y = X[:, 0] + 0.1 * X[:, 1] - X[:, 2]
    beta = least_angles(CentredUnitColumns(X), y - y.mean(), 6)
    assert beta[3] == beta[5] == 0.0
    centred = X - X.mean(axis=0)
    fitted = centred @ np.divide(beta, np.linalg.norm(centred, axis=0), out=np.zeros(6), where=beta != 0)
    np.testing.assert_allclose(fitted, y - y.mean(), atol=1e-8)


def test_complete_graph_gives_every_feature_the_same_score(rng):
    """L_r = M / (M - 1) with unit weights and all rows joined."""
    X = rng.normal(size=(9, 4))
    scores = fewer.LaplacianScore(n_neighbors=50, graph_weights="binary").fit(X).scores_
    np.testing.assert_allclose(scores, 2.0 - 9 / 8, rtol=1e-12)


def test_feature_constant_on_every_part_has_the_best_score(rng):
    X = rng.normal(size=(40, 3))
    X = np.column_stack([X, np.repeat([0.0, 100.0], 20)])
    for made in (fewer.LaplacianScore(1, standardize=False), fewer.SPEC(1, ranking_function=2, standardize=False)):
        found = made.fit(X)
        assert found.scores_[3] == pytest.approx(2.0, abs=1e-12)
        assert found.selection_.indices.tolist() == [3]


def test_scores_do_not_change_with_units(rng):
    X = clusters(1)
    for name in ("LaplacianScore", "SPEC", "MCFS"):
        a = fewer.get(name)().fit(X).scores_
        b = fewer.get(name)().fit(X * [1e9, -3.0, 1e-120, 1e120, 2.0, 1.0, 5.0] + 7.0 * (np.arange(7) == 1)).scores_
        np.testing.assert_allclose(b, a, rtol=1e-6)


def test_bounds_hold(rng):
    for _ in range(20):
        X = rng.normal(size=(rng.integers(2, 15), 4)) * (rng.random(4) < 0.8)
        for made in (fewer.LaplacianScore(), *(fewer.SPEC(ranking_function=f) for f in (1, 2, 3))):
            scores = made.fit(X).scores_
            assert ((scores >= 0) & (scores <= 2 + 1e-12)).all()


@pytest.mark.parametrize("name", ["LaplacianScore", "SPEC", "MCFS"])
def test_degenerate_rows_are_answered(name, rng):
    with pytest.raises(ValueError, match="minimum of 2"):
        fewer.get(name)().fit(rng.normal(size=(1, 3)))
    for X in (
        rng.normal(size=(2, 3)),
        np.ones((10, 3)),
        np.repeat(rng.normal(size=(2, 3)), 20, axis=0),
        np.column_stack([rng.normal(size=(10, 2)), np.ones(10)]),
        rng.integers(0, 2, (40, 3)).astype(float),
        np.vstack([rng.normal(size=(30, 3)), [[1e12, 1e12, 1e12]]]),
        rng.integers(0, 100, (30, 3)).astype(np.uint8),
        rng.normal(size=(30, 3)).astype(np.float32),
    ):
        for more in ({}, {"n_neighbors": 100, "graph_join": "both"}, {"heat_width": 1e-9}, {"graph_weights": "cosine"}):
            dense = fewer.get(name)(2, **more).fit(X)
            assert np.isfinite(dense.scores_).all()
            assert len(dense.selection_) == 2
            constant = np.flatnonzero(X.min(axis=0) == X.max(axis=0))
            assert (dense.scores_[constant] == 0).all()
            if name != "MCFS" or (len(np.unique(X)) > 50 and "n_neighbors" not in more):
                # Graphs with symmetries have equal eigenvalues, whose functions are a matter of round-off.
                sparse = fewer.get(name)(2, **more).fit(scipy.sparse.csr_array(X)).scores_
                np.testing.assert_allclose(sparse, dense.scores_, rtol=1e-6, atol=1e-8)


def test_functions_of_two_and_of_more_parts():
    two = RowGraph(5, np.array([0, 2, 3]), np.array([1, 3, 4]), np.ones(3))
    found = embedding(two, 1)
    assert found.shape == (5, 1)
    assert len(np.unique(found.round(12))) == 2
    three = RowGraph(7, np.array([0, 2, 4, 5]), np.array([1, 3, 5, 6]), np.ones(4))
    for y in embedding(three, 3).T:
        assert len(np.unique(y.round(12))) == 2


def test_sparse_input_is_never_made_dense():
    rng = np.random.default_rng(0)
    X = scipy.sparse.random_array((200, 100_000), density=2e-4, random_state=rng, format="csr")
    for name in ("LaplacianScore", "SPEC", "MCFS"):
        assert len(fewer.get(name)(5).fit(X).selection_) == 5
