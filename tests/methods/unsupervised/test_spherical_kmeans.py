"""Spherical k-means against plain loops, and what follows from its definition."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import fewer
from common.examples import EXAMPLES
from fewer.core.clustering.directions import first_centres, group_directions, unit_rows
from fewer.core.records.errors import FewerError
from oracles import coclusters as oracle


@pytest.mark.parametrize("seed", range(12 * EXAMPLES))
def test_labels_centres_and_objective_agree_with_loops(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(int(rng.integers(6, 30)), 4)).round(1) + 0.01
    start = X[:3]
    wanted = oracle.spherical(X.tolist(), start.tolist())
    found = fewer.SphericalKMeans(3, init=start, tol=0.0).fit(X)
    if wanted is None:
        assert sum(found.progress_.columns["reseeded"]) > 0
        return
    assert found.labels_.tolist() == wanted[0]
    np.testing.assert_allclose(found.cluster_centers_, wanted[1], atol=1e-10)
    assert found.objective_ == pytest.approx(wanted[2])


@pytest.mark.parametrize("seed", range(20 * EXAMPLES))
def test_the_objective_never_falls_also_where_clusters_get_new_rows(seed):
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.5, (40, 12)) * rng.choice([1.0, -1.0, 50.0], (40, 1))
    U, directed = unit_rows(scipy.sparse.csr_array(X))
    U = U[np.flatnonzero(directed)]
    # Equal centres make empty groups.
    start = np.repeat(first_centres(U, 3, rng, "random"), 2, axis=0)
    found = group_directions(U, start, 50, 0.0)
    assert (np.diff(found.history) >= -1e-10).all()
    assert sum(found.reseeded) > 0
    assert np.bincount(found.labels, minlength=6).all()
    np.testing.assert_allclose((found.centres**2).sum(axis=1), 1.0)


def test_it_is_k_means_of_unit_vectors(rng):
    from sklearn.cluster import KMeans

    X = rng.normal(size=(80, 3)) + 6 * np.eye(3)[rng.integers(0, 3, 80)]
    U = X / np.linalg.norm(X, axis=1, keepdims=True)
    found = fewer.SphericalKMeans(3, random_state=0).fit(X)
    other = KMeans(3, n_init=5, random_state=0).fit(U)
    assert fewer.evaluate.nmi(found.labels_, other.labels_) == 1.0


def test_lengths_of_rows_and_units_do_not_matter(rng):
    X = rng.random((40, 5)) + 3 * np.eye(5)[rng.integers(0, 5, 40)]
    wanted = fewer.SphericalKMeans(4, random_state=0).fit(X).labels_
    for factor in (1e-150, 1e150, 2.0 ** rng.integers(-40, 40, (40, 1))):
        assert (fewer.SphericalKMeans(4, random_state=0).fit(X * factor).labels_ == wanted).all()


def test_rows_of_zeros_are_in_no_cluster_and_too_few_rows_are_refused():
    X = np.array([[1.0, 0], [0, 0], [0, 2], [0, 1]])
    found = fewer.SphericalKMeans(2, random_state=0).fit(X)
    assert found.labels_[1] == -1
    assert found.predict(np.array([[0.0, 0], [3, 0.1]])).tolist() == [-1, found.labels_[0]]
    with pytest.raises(FewerError, match="n_clusters=4, but n_samples=3"):
        fewer.SphericalKMeans(4).fit(X)
    with pytest.raises(FewerError, match="shape"):
        fewer.SphericalKMeans(2, init=np.ones((2, 3))).fit(X)
    with pytest.raises(FewerError, match="zeros"):
        fewer.SphericalKMeans(2, init=np.zeros((2, 2))).fit(X)


def test_fewer_directions_than_clusters_leave_some_empty():
    X = np.repeat([[1.0, 0.0], [0.0, 1.0]], 5, axis=0)
    found = fewer.SphericalKMeans(4, random_state=0).fit(X)
    assert len(set(found.labels_.tolist())) == 2
    assert found.objective_ == pytest.approx(10.0)


def test_predict_gives_the_rows_of_the_fit_back(rng):
    X = scipy.sparse.random_array((60, 20), density=0.3, random_state=rng, format="csr")
    found = fewer.SphericalKMeans(4, random_state=0, tol=0.0).fit(X)
    assert (found.predict(X) == found.labels_).all()


def test_weights_tell_features_that_differ_between_clusters_not_large_ones(rng):
    group = np.arange(60) % 2
    X = 0.1 * rng.random((60, 4)) + [0, 0, 0, 50.0]
    X[:, 1] += 60 * group
    found = fewer.SphericalKMeans(2, random_state=0).fit(X)
    assert fewer.evaluate.nmi(found.labels_, group) == 1.0
    assert found.selection_.scores.sum() == pytest.approx(1.0)
    # The constant 50 is a smaller part of rows where column 1 is large, but differs by less.
    assert found.selection_.indices.tolist() == [1]
    words = found.selection_.tables["keywords"].columns
    cluster = int(found.labels_[1])
    assert [j for c, r, j in zip(words["cluster"], words["rank"], words["feature"]) if (c, r) == (cluster, 1)] == [1]


def test_columns_in_another_order_and_given_starts_give_the_same_clusters(rng):
    X, order = rng.random((50, 6)), rng.permutation(6)
    a = fewer.SphericalKMeans(3, init=X[:3]).fit(X)
    b = fewer.SphericalKMeans(3, init=X[:3][:, order]).fit(X[:, order])
    assert (a.labels_ == b.labels_).all()
    swapped = fewer.SphericalKMeans(3, init=X[[2, 0, 1]]).fit(X)
    assert (np.array([1, 2, 0])[a.labels_] == swapped.labels_).all()
