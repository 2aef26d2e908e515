"""PCSKMeans on the axes of its pairs: against its steps done slowly, and at the edges."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import fewer
from common.examples import EXAMPLES
from fewer.core.records.errors import FewerError
from fewer.synth import sample_pairwise_constraints
from oracles import pair_clusters as oracle


def numbers(seed, n=40, d=9, k=3, shift=1.0):
    """Rows of three groups in directions of their own, with noise, and pairs."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    X = rng.normal(size=(n, d)) + shift * 3 * (np.arange(d)[None] % k == y[:, None])
    return X, y, sample_pairwise_constraints(y, 30, 1.0, seed)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("seed", range(15 * EXAMPLES))
def test_it_equals_its_steps_done_slowly(seed, sparse):
    X, _, (must, cannot) = numbers(seed, shift=0.4)
    if sparse:
        X = np.where(np.abs(X) > 0.7, X, 0.0)
    k, most = 3, 2 + seed % 6
    init = X[:k] + 0.01
    axes = oracle.axes_of_pairs(X, must, cannot, most)
    want = oracle.constrained_spherical(oracle.placed(X, axes), oracle.placed(init, axes), must, cannot, 25)
    made = fewer.PCSKMeans(k, n_components=most, init=init, max_iter=25, tol=0.0)
    made.fit(scipy.sparse.csr_array(X) if sparse else X, pairs=(must, cannot))
    np.testing.assert_allclose(made.components_.T @ made.components_, axes @ axes.T, atol=1e-8)
    if want is not None:
        labels, worth, centres = want
        assert made.labels_.tolist() == labels
        assert made.objective_ == pytest.approx(worth)
        np.testing.assert_allclose(made.cluster_centers_, centres @ axes.T, atol=1e-7)


@pytest.mark.parametrize("seed", range(15 * EXAMPLES))
def test_without_axes_it_equals_its_steps_too(seed):
    X, _, (must, cannot) = numbers(seed, shift=0.3)
    init = X[:3] + 0.01
    want = oracle.constrained_spherical(oracle.unit(X), oracle.unit(init), must, cannot, 25)
    made = fewer.PCSKMeans(3, init=init, max_iter=25, tol=0.0).fit(X, pairs=(must, cannot))
    assert made.components_ is None
    if want is not None:
        assert made.labels_.tolist() == want[0]
        assert made.objective_ == pytest.approx(want[1])


def test_it_is_the_projection_and_then_the_clusters():
    X, _, pairs = numbers(1)
    rows = X / np.linalg.norm(X, axis=1, keepdims=True)
    axes = fewer.ConstraintProjection(4).fit(rows, pairs=pairs)
    by_hand = fewer.PCSKMeans(3, random_state=0).fit(axes.transform(rows), pairs=pairs)
    at_once = fewer.PCSKMeans(3, n_components=4, random_state=0).fit(X, pairs=pairs)
    np.testing.assert_allclose(at_once.components_, axes.components_, atol=1e-12)
    assert (at_once.labels_ == by_hand.labels_).all()
    assert at_once.objective_ == pytest.approx(by_hand.objective_)


def test_new_rows_go_where_equal_rows_went_whatever_their_length():
    X, _, (_, cannot) = numbers(2)
    made = fewer.PCSKMeans(3, n_components=3, random_state=0).fit(X, pairs=(None, cannot[:1]))
    free = np.setdiff1d(np.arange(40), cannot[0])
    for Z in (X, 1e150 * X, 1e-150 * X, scipy.sparse.csr_array(X)):
        assert (made.predict(Z)[free] == made.labels_[free]).all()
    # One pair apart makes one axis: on it a row goes one way or the other.
    assert made.components_.shape == (1, 9)


def test_rows_that_no_axis_meets_get_no_cluster():
    X = np.zeros((9, 6))
    X[:4, 0], X[4:8, 1], X[:8, 2] = 1, 1, 0.1
    X[8, 5] = 1
    for Z in (X, scipy.sparse.csr_array(X)):
        made = fewer.PCSKMeans(2, n_components=5, random_state=0).fit(Z, pairs=([[0, 1]], [[0, 4], [2, 5]]))
        assert made.labels_[8] == -1
        assert len(set(made.labels_[:4].tolist())) == len(set(made.labels_[4:8].tolist())) == 1
        assert made.labels_[0] != made.labels_[4]
        assert made.predict(np.eye(6))[[0, 1, 5]].tolist() == [made.labels_[0], made.labels_[4], -1]
        assert made.selection_.indices.tolist() == [0, 1]
        # Tied to a row with a direction, it follows.
        tied = fewer.PCSKMeans(2, n_components=5, random_state=0).fit(Z, pairs=([[0, 8]], [[1, 4], [2, 5]]))
        assert tied.labels_[8] == tied.labels_[0] >= 0


@pytest.mark.parametrize("scale", [1e-150, 1e-12, 1e12, 1e150])
def test_the_scale_of_rows_does_not_matter(scale):
    X, _, pairs = numbers(3)
    plain = fewer.PCSKMeans(3, n_components=4, random_state=0).fit(X, pairs=pairs)
    other = fewer.PCSKMeans(3, n_components=4, random_state=0).fit(X * scale, pairs=pairs)
    assert (plain.labels_ == other.labels_).all()
    np.testing.assert_allclose(plain.cluster_centers_, other.cluster_centers_, atol=1e-9)


def test_without_pairs_there_are_no_axes():
    X, _, _ = numbers(5)
    made, plain = fewer.PCSKMeans(3, n_components=2, random_state=0), fewer.SphericalKMeans(3, random_state=0)
    assert (made.fit(X).labels_ == plain.fit(X).labels_).all()
    assert made.components_ is None
    assert (made.predict(X) == plain.predict(X)).all()


def test_pairs_that_make_no_axes_are_refused_with_a_way_out():
    X, _, (must, _) = numbers(4)
    for pairs in ((None, None), (must, None)):
        with pytest.raises(FewerError, match=r"0 cannot-links .* add cannot-links, or pass n_components=None"):
            fewer.PCSKMeans(3, n_components=2).fit(X, pairs=pairs)
    same = np.vstack([X[:1], X[:1], X])
    with pytest.raises(FewerError, match="no direction"):
        fewer.PCSKMeans(3, n_components=2).fit(same, pairs=(None, [[0, 1]]))
    with pytest.raises(FewerError, match="shape"):
        fewer.PCSKMeans(3, n_components=2, init=np.ones((3, 2))).fit(X, pairs=(must, [[0, 1]]))


def test_sparse_rows_are_never_made_dense(monkeypatch):
    rng = np.random.default_rng(0)
    X = scipy.sparse.random_array((400, 5000), density=0.01, random_state=rng, format="csr")
    y = np.arange(400) % 4
    seen = []
    real = scipy.sparse.csr_array.toarray

    def watched(self, *given, **more):
        seen.append(self.shape)
        return real(self, *given, **more)

    monkeypatch.setattr(scipy.sparse.csr_array, "toarray", watched)
    pairs = sample_pairwise_constraints(y, 100, random_state=0)
    made = fewer.PCSKMeans(4, n_components=30, random_state=0).fit(X, pairs=pairs)
    made.predict(X)
    assert seen
    assert all(rows * columns <= 100 * 100 or rows == 1 or columns == 1 for rows, columns in seen), seen
