"""Information-theoretic and Bregman co-clustering against plain loops and the numbers of their papers."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import fewer
from common.examples import EXAMPLES
from fewer.core.clustering.bregman_blocks import BlockMeans, Residues, bregman_blocks
from fewer.core.clustering.information_blocks import Joint, inform_blocks, mutual_information
from fewer.core.records.errors import FewerError
from oracles import coclusters as oracle

BITS = np.log(2)
SIX = np.array(
    [[0.05] * 3 + [0] * 3] * 2
    + [[0] * 3 + [0.05] * 3] * 2
    + [[0.04, 0.04, 0, 0.04, 0.04, 0.04], [0.04, 0.04, 0.04, 0, 0.04, 0.04]]
)
SCHEMES = [("squared", "block"), ("kl", "block"), ("itakura_saito", "block")]
SCHEMES += [("squared", "marginals"), ("squared", "residue"), ("kl", "marginals")]


def test_the_example_of_dhillon_mallela_and_modha():
    start = ([0, 1, 1, 1, 2, 2], [0, 0, 0, 1, 1, 0])
    found = fewer.InformationCoClustering(3, n_column_clusters=2, init=start, tol=0.0).fit(SIX)
    assert found.labels_.tolist() == [0, 0, 1, 1, 2, 2]
    assert found.column_labels_.tolist() == [0, 0, 0, 1, 1, 1]
    np.testing.assert_allclose(found.blocks_, [[0.3, 0], [0, 0.3], [0.2, 0.2]], atol=1e-12)
    assert found.information_ / BITS == pytest.approx(0.6957020722, abs=1e-9)
    assert mutual_information(found.blocks_) / BITS == pytest.approx(0.6, abs=1e-9)
    history = np.array(found.progress_.columns["loss"]) / BITS
    np.testing.assert_allclose(history[:4], [0.5898212, 0.4305000, 0.2070470, 0.0957021], atol=1e-7)
    np.testing.assert_allclose(history[4:], 0.0957020722, atol=1e-9)
    q = oracle.approximation(SIX, found.labels_, found.column_labels_)
    np.testing.assert_allclose(q[0], [0.054, 0.054, 0.042, 0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(q[4], [0.036, 0.036, 0.028, 0.028, 0.036, 0.036], atol=1e-12)
    np.testing.assert_allclose(q.sum(axis=1), SIX.sum(axis=1))
    np.testing.assert_allclose(q.sum(axis=0), SIX.sum(axis=0))


def counts(seed):
    rng = np.random.default_rng(seed)
    X = rng.poisson(1.0, (int(rng.integers(4, 14)), int(rng.integers(4, 11)))).astype(float)
    X[X.sum(axis=1) == 0, 0] = 1
    X[0, X.sum(axis=0) == 0] = 1
    k, l = (int(v) for v in rng.integers(1, 4, 2))
    return X, (k, l), (rng.integers(0, k, len(X)), rng.integers(0, l, X.shape[1]))


@pytest.mark.parametrize("seed", range(25 * EXAMPLES))
def test_steps_and_losses_of_information_agree_with_loops(seed):
    X, (k, l), (rows, columns) = counts(seed)
    P = X / X.sum()
    found = inform_blocks(Joint.of(X), (rows, columns), (k, l), 30, 0.0)
    assert (np.diff(found.history) <= 1e-12).all()
    assert found.history[0] == pytest.approx(oracle.information_loss(P, rows, columns), abs=1e-12)
    assert found.loss == pytest.approx(oracle.information_loss(P, found.rows, found.columns), abs=1e-12)
    one = inform_blocks(Joint.of(X), (rows, columns), (k, l), 1, 0.0)
    if not one.reseeded[1]:
        assert one.rows.tolist() == oracle.row_step(P, rows, columns, k).tolist()


@pytest.mark.parametrize(("divergence", "basis"), SCHEMES)
@pytest.mark.parametrize("seed", range(8 * EXAMPLES))
def test_bregman_losses_agree_with_loops_and_never_rise(seed, divergence, basis):
    X, (k, l), start = counts(seed)
    X = X + 0.5 if divergence == "itakura_saito" else X
    for Z in (X, scipy.sparse.csr_array(X)):
        params = {"divergence": divergence, "basis": basis, "n_column_clusters": l, "tol": 0.0}
        found = fewer.BregmanCoClustering(k, init=start, **params).fit(Z)
        history = np.array(found.progress_.columns["loss"])
        assert (np.diff(history) <= 1e-9 * (1 + history[0])).all()
        if basis == "marginals" and divergence == "kl":
            whole = X.sum()
            ends = [oracle.information_loss(X / whole, *ab) * whole for ab in (start, groups(found))]
        else:
            ends = [oracle.bregman_loss(X, *ab, divergence, basis) for ab in (start, groups(found))]
        assert history[0] == pytest.approx(ends[0], abs=1e-8)
        assert found.loss_ == pytest.approx(ends[1], abs=1e-8)


def groups(found):
    return found.labels_, found.column_labels_


def test_kl_with_marginals_is_information_theoretic():
    for seed in range(10):
        X, (k, l), start = counts(seed)
        a = fewer.InformationCoClustering(k, n_column_clusters=l, init=start, tol=0.0).fit(X)
        b = fewer.BregmanCoClustering(
            k, n_column_clusters=l, init=start, tol=0.0, divergence="kl", basis="marginals"
        ).fit(X)
        assert (a.labels_ == b.labels_).all()
        assert (a.column_labels_ == b.column_labels_).all()
        assert b.loss_ == pytest.approx(a.loss_ * X.sum(), abs=1e-9)


def test_as_many_groups_as_rows_and_columns_lose_nothing(rng):
    X = rng.random((5, 4)) + 0.1
    start = (np.arange(5), np.arange(4))
    for divergence, basis in SCHEMES:
        found = fewer.BregmanCoClustering(5, n_column_clusters=4, divergence=divergence, basis=basis, init=start).fit(X)
        assert found.loss_ == pytest.approx(0.0, abs=1e-12)
    assert fewer.InformationCoClustering(5, n_column_clusters=4, init=start).fit(X).loss_ == pytest.approx(0, abs=1e-12)


def test_squares_with_every_column_alone_are_k_means(rng):
    from sklearn.cluster import KMeans

    X = rng.normal(size=(50, 3))
    start = rng.integers(0, 3, 50)
    found = fewer.BregmanCoClustering(3, n_column_clusters=3, init=(start, np.arange(3)), tol=0.0).fit(X)
    means = np.array([X[start == g].mean(axis=0) for g in range(3)])
    other = KMeans(3, init=means, n_init=1, tol=0.0).fit(X)
    assert (found.labels_ == other.labels_).all()
    assert found.loss_ == pytest.approx(other.inertia_)


def test_perfect_blocks_are_found(rng):
    rows, columns = np.arange(30) % 3, np.arange(12) % 2
    Z = np.array([[1.0, 9.0], [5.0, 2.0], [8.0, 8.0]])[rows][:, columns]
    for divergence, basis in SCHEMES:
        if basis == "block":
            found = fewer.BregmanCoClustering(3, n_column_clusters=2, divergence=divergence, random_state=0).fit(Z)
            assert found.loss_ == pytest.approx(0.0, abs=1e-12)
            assert fewer.evaluate.nmi(found.labels_, rows) == fewer.evaluate.nmi(found.column_labels_, columns) == 1.0
    found = fewer.InformationCoClustering(3, n_column_clusters=2, random_state=0).fit(Z)
    assert fewer.evaluate.nmi(found.labels_, rows) == 1.0


@pytest.mark.parametrize(("divergence", "basis"), SCHEMES)
def test_offsets_units_and_one_long_row_do_not_hide_groups(rng, divergence, basis):
    rows = np.arange(40) % 2
    Z = rng.random((40, 6)) + 5.0 * (rows[:, None] == np.arange(6) % 2)
    for X in (1e6 + Z, 1e-150 * Z, 1e140 * Z):
        # As probabilities, numbers about a million tell nothing; residues do not see what groups of columns share.
        if not ((divergence, basis) == ("kl", "marginals") and X.min() > 1e5):
            params = {"basis": basis, "n_column_clusters": 1 if basis == "residue" else 2}
            made = fewer.BregmanCoClustering(2, divergence=divergence, **params, random_state=0)
            assert fewer.evaluate.nmi(made.fit(X).labels_, rows) == 1.0
    if divergence == "kl" and basis == "marginals":
        Z[7] *= 1e9
        found = fewer.InformationCoClustering(2, random_state=0).fit(scipy.sparse.csr_array(Z))
        assert fewer.evaluate.nmi(found.labels_, rows) == 1.0


@pytest.mark.parametrize(("divergence", "basis"), SCHEMES)
def test_predict_gives_the_rows_of_the_fit_back(rng, divergence, basis):
    X = rng.random((40, 8)) + 2.0 * (np.arange(40)[:, None] % 3 == np.arange(8) % 3)
    for Z in (X, scipy.sparse.csr_array(X)):
        found = fewer.BregmanCoClustering(3, divergence=divergence, basis=basis, tol=0.0, random_state=0).fit(Z)
        assert (found.predict(Z) == found.labels_).all()
    found = fewer.InformationCoClustering(3, tol=0.0, random_state=0).fit(X)
    assert (found.predict(X) == found.labels_).all()


def test_rows_and_columns_of_zeros_are_in_no_group():
    X = np.array([[3, 0, 1, 0], [0, 0, 0, 0], [0, 0, 4, 2], [2, 0, 0, 0.0]])
    found = fewer.InformationCoClustering(2, random_state=0).fit(X)
    assert found.labels_[1] == found.column_labels_[1] == -1
    assert found.predict(np.array([[0, 5.0, 0, 0], [9, 0, 0, 0]])).tolist() == [-1, found.labels_[3]]
    assert found.selection_.scores[1] == 0


def test_weights_are_what_columns_tell_of_the_clusters(rng):
    X = rng.poisson(3.0, (60, 6)).astype(float)
    X[:, 4] += 30 * (np.arange(60) % 2)
    found = fewer.InformationCoClustering(2, random_state=0).fit(X)
    P = X / X.sum()
    joint = np.array([P[found.labels_ == g].sum(axis=0) for g in range(2)])
    told = [oracle.divergence(joint[:, j], joint.sum(axis=1) * joint[:, j].sum()) for j in range(6)]
    np.testing.assert_allclose(found.selection_.scores, np.array(told) / sum(told), atol=1e-12)
    assert found.selection_.indices.tolist() == [4]


def test_refusals():
    with pytest.raises(FewerError, match="basis='residue' with divergence='kl'"):
        fewer.BregmanCoClustering(2, basis="residue", divergence="kl").fit(np.ones((4, 4)))
    with pytest.raises(FewerError, match="positive numbers"):
        fewer.BregmanCoClustering(2, divergence="itakura_saito").fit(np.eye(4))
    with pytest.raises(FewerError, match="numbers from 0 on"):
        fewer.BregmanCoClustering(2, divergence="kl").fit(-np.eye(4))
    with pytest.raises(FewerError, match="Negative values"):
        fewer.InformationCoClustering(2).fit(-np.eye(4))
    with pytest.raises(FewerError, match="n_column_clusters=5"):
        fewer.InformationCoClustering(2, n_column_clusters=5).fit(np.eye(4))
    with pytest.raises(FewerError, match="init that does not fit"):
        fewer.InformationCoClustering(2, init=([0, 1], [0, 1])).fit(np.eye(4))


def test_engines_keep_sparse_matrices_sparse(rng, monkeypatch):
    X = scipy.sparse.random_array((300, 4000), density=0.002, random_state=rng, format="csr")
    largest = 20 * (300 + 4000)
    real = scipy.sparse.csr_array.toarray

    def watched(self, *args, **kwargs):
        assert np.prod(self.shape) <= largest
        return real(self, *args, **kwargs)

    monkeypatch.setattr(scipy.sparse.csr_array, "toarray", watched)
    fewer.SphericalKMeans(5, random_state=0).fit(X)
    fewer.InformationCoClustering(5, random_state=0, n_init=1, max_iter=5).fit(X)
    for divergence, basis in SCHEMES:
        if divergence != "itakura_saito":
            made = fewer.BregmanCoClustering(5, divergence=divergence, basis=basis, n_init=1, max_iter=3)
            made.set_params(random_state=0).fit(X)


def test_residues_are_turned_and_back(rng):
    Z = rng.random((6, 5))
    for data in (Residues(Z), BlockMeans(Z, "squared")):
        np.testing.assert_array_equal(data.turned().turned().Z, Z)
    assert (
        bregman_blocks(Residues(np.add.outer(np.arange(6.0), np.arange(5.0))), ([0] * 6, [0] * 5), (1, 1), 3, 0).loss
        < 1e-20
    )


def test_short_floats_and_whole_numbers_are_read_as_long_floats(rng):
    X = rng.poisson(2.0, (30, 8)) + 3 * (np.arange(30)[:, None] % 2 == np.arange(8) % 2)
    makes = [fewer.SphericalKMeans, fewer.InformationCoClustering, fewer.BregmanCoClustering]
    for make in makes:
        wanted = make(2, random_state=0).fit(scipy.sparse.csr_array(X.astype(float)))
        for kind in (np.float32, np.uint8, np.int64):
            for Z in (X.astype(kind), scipy.sparse.csr_array(X.astype(kind))):
                found = make(2, random_state=0).fit(Z)
                assert (found.labels_ == wanted.labels_).all()
                np.testing.assert_allclose(found.selection_.scores, wanted.selection_.scores, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("divergence", "basis"), [s for s in SCHEMES if s[0] != "itakura_saito" and s[1] != "residue"])
def test_sparse_rows_end_where_dense_rows_do_also_with_ties(divergence, basis):
    # Copies of rows and whole numbers tie, and starts are equally good.
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.poisson(0.4, (int(rng.integers(4, 20)), int(rng.integers(4, 10)))).astype(float)
        k, groups = (int(rng.integers(1, 4)) for _ in range(2))
        made = fewer.BregmanCoClustering(
            k, n_column_clusters=groups, divergence=divergence, basis=basis, random_state=seed
        )
        labels, columns = (a.copy() for a in (made.fit(X).labels_, made.column_labels_))
        made.fit(scipy.sparse.csr_array(X))
        np.testing.assert_array_equal(made.labels_, labels)
        np.testing.assert_array_equal(made.column_labels_, columns)


@pytest.mark.parametrize("seed", range(10))
def test_empty_groups_of_residues_get_the_same_rows_in_a_sparse_matrix(seed):
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.4, (12, 9)).astype(float)
    X[:, rng.integers(9)] += 3
    made = fewer.BregmanCoClustering(
        3, n_column_clusters=3, basis="residue", init=(np.zeros(12, int), np.zeros(9, int))
    )
    assert made.fit(X).loss_ == pytest.approx(made.fit(scipy.sparse.csr_array(X)).loss_)


def test_rows_that_all_groups_tell_alike_stay_where_they_were():
    # Less the means of rows, one group of columns is 0 for all rows: rounding must not move them.
    X = np.random.default_rng(0).random((15, 12))
    labels = np.arange(15) % 3
    found = fewer.BregmanCoClustering(3, n_column_clusters=1, basis="marginals", init=(labels, np.zeros(12, int))).fit(
        X
    )
    np.testing.assert_array_equal(found.labels_, labels)


def test_residues_far_from_zero_keep_their_digits_in_a_sparse_matrix():
    X = 1e9 + np.random.default_rng(0).normal(size=(13, 11))
    start = (np.arange(13) % 3, np.arange(11) % 4)
    made = [
        fewer.BregmanCoClustering(3, n_column_clusters=4, basis="residue", init=start).fit(Z).loss_
        for Z in (X, scipy.sparse.csr_array(X))
    ]
    assert made[0] == made[1] > 1
