"""Clusterers with pairs of rows: the numbers of chapter 15, and what pairs promise."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import fewer
from common.examples import EXAMPLES
from fewer.core.clustering.apart import PartedUnits, best_two
from fewer.core.records.errors import FewerError
from fewer.synth import sample_pairwise_constraints
from oracles import coclusters as oracle

BOTH = [(fewer.PCSKMeans, fewer.SphericalKMeans), (fewer.ConstrainedCoClustering, fewer.InformationCoClustering)]


def texts(seed, n=60, k=3, more=1.2):
    """Counts of 30 words in documents of several groups that share words."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    rate = 0.3 + more * (np.arange(30)[None] % k == y[:, None])
    X = rng.poisson(rate).astype(float)
    X[X.sum(axis=1) == 0, 0] = 1
    return X, y


def test_the_numbers_of_the_figure():
    angle = np.deg2rad([0, 10, 20, 80, 90, 100])
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    for most in (1, 50):
        found = fewer.PCSKMeans(2, init=X[[0, 4]], max_iter=most, tol=0.0)
        found.fit(X, pairs=([[2, 3]], [[4, 5]]))
        assert found.labels_.tolist() == [0, 0, 1, 1, 0, 1]
    degrees = np.rad2deg(np.arctan2(found.cluster_centers_[:, 1], found.cluster_centers_[:, 0]))
    np.testing.assert_allclose(degrees, [30.5964955, 67.8779871], atol=1e-6)
    assert found.objective_ == pytest.approx(4.801174944, abs=1e-8)
    assert found.n_violated_ == 0


@pytest.mark.parametrize("seed", range(30 * EXAMPLES))
def test_the_best_two_groups_are_the_best_of_all_pairs(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.random((2, int(rng.integers(2, 6)))).round(1)
    g, h = best_two(a, b)
    assert g != h
    assert a[g] + b[h] == pytest.approx(oracle.best_two(a, b))


@pytest.mark.parametrize(("paired", "plain"), BOTH)
def test_without_pairs_they_are_the_plain_methods(paired, plain):
    for seed in range(4):
        X, _ = texts(seed)
        for Z in (X, scipy.sparse.csr_array(X)):
            a, b = paired(3, random_state=seed).fit(Z), plain(3, random_state=seed).fit(Z)
            assert (a.labels_ == b.labels_).all()
            assert a.selection_.indices.tolist() == b.selection_.indices.tolist()
            assert a.n_violated_ == 0


@pytest.mark.parametrize(("paired", "plain"), BOTH)
@pytest.mark.parametrize("seed", range(6 * EXAMPLES))
def test_rows_that_belong_together_share_a_cluster_and_one_pair_apart_does_not(paired, plain, seed):
    X, y = texts(seed)
    must, _ = sample_pairwise_constraints(y, 60, 1.0, seed)
    found = paired(3, random_state=0).fit(X, pairs=(must, None))
    assert (found.labels_[must[:, 0]] == found.labels_[must[:, 1]]).all()
    assert found.n_violated_ == 0
    for i, j in ((0, 3), (1, 2)):
        lone = paired(3, random_state=0).fit(X, pairs=(None, [[i, j]]))
        assert lone.labels_[i] != lone.labels_[j]


@pytest.mark.parametrize(("paired", "plain"), BOTH)
def test_pairs_help(paired, plain):
    gains = []
    for seed in range(4):
        X, y = texts(seed, 90, more=0.35)
        must, cannot = sample_pairwise_constraints(y, 400, 1.0, seed)
        with_pairs = paired(3, random_state=0).fit(X, pairs=(must, cannot))
        without = plain(3, random_state=0).fit(X)
        gains.append(fewer.evaluate.nmi(with_pairs.labels_, y) - fewer.evaluate.nmi(without.labels_, y))
    assert np.mean(gains) > 0.1


@pytest.mark.parametrize(("paired", "plain"), BOTH)
def test_all_forms_of_pairs_are_taken(paired, plain):
    X, _ = texts(0)
    matrix = scipy.sparse.coo_array(([1], ([0], [3])), (60, 60))
    group = np.full(60, -1)
    group[[1, 2]] = 0
    forms = [([[1, 2]], [[0, 3]]), (group, matrix), fewer.Pairs(60, [[2, 1]], [[3, 0]])]
    found = [paired(3, random_state=0).fit(X, pairs=form).labels_ for form in forms]
    assert (found[0] == found[1]).all()
    assert (found[0] == found[2]).all()


@pytest.mark.parametrize(("paired", "plain"), BOTH)
def test_what_cannot_be_met_is_refused_or_counted(paired, plain):
    X, _ = texts(0)
    with pytest.raises(FewerError, match="n_clusters=1"):
        paired(1).fit(X, pairs=(None, [[0, 1]]))
    with pytest.raises(FewerError, match="contradict"):
        paired(2).fit(X, pairs=([[0, 1]], [[1, 0]]))
    # Three rows that all belong apart do not fit into two clusters.
    found = paired(2, random_state=0).fit(X, pairs=(None, [[0, 1], [1, 2], [0, 2]]))
    assert found.n_violated_ == 1


def test_a_placed_unit_keeps_its_place_and_its_partner_takes_the_best_other():
    apart = PartedUnits.of(np.array([[0, 1], [1, 2]]))
    labels = np.zeros(3, int)
    near = np.array([[0.9, 0.1, 0.0], [0.8, 0.7, 0.0], [0.1, 0.9, 0.5]])
    assert apart.place(labels, near) == 0
    assert labels.tolist() == [0, 1, 2]


def test_the_farther_member_of_a_pair_moves_to_the_nearest_group_without_partners():
    apart = PartedUnits.of(np.array([[0, 1], [1, 2]]))
    labels = np.array([0, 0, 1])
    far = np.array([[0.1, 5, 5], [0.3, 0.4, 0.9], [5, 0.1, 5]])
    assert apart.repair(labels, far) == 0
    assert labels.tolist() == [0, 2, 1]


def test_merged_rows_keep_their_mass_and_sparse_rows_of_zeros_follow_their_group():
    X, _ = texts(3)
    X[5] = 0
    found = fewer.ConstrainedCoClustering(3, random_state=0).fit(X, pairs=([[5, 6]], None))
    assert found.labels_[5] == found.labels_[6] >= 0
    assert found.blocks_.sum() == pytest.approx(1.0)
    assert fewer.PCSKMeans(3, random_state=0).fit(X).labels_[5] == -1
    assert fewer.PCSKMeans(3, random_state=0).fit(X, pairs=([[5, 6]], None)).labels_[5] >= 0


def test_without_pairs_apart_the_objective_never_falls():
    X, y = texts(4)
    must, _ = sample_pairwise_constraints(y, 50, 1.0, 0)
    history = fewer.PCSKMeans(3, random_state=0, tol=0.0).fit(X, pairs=(must, None)).progress_.columns["objective"]
    assert (np.diff(history) >= -1e-9).all()
    loss = (
        fewer.ConstrainedCoClustering(3, random_state=0, tol=0.0).fit(X, pairs=(must, None)).progress_.columns["loss"]
    )
    assert (np.diff(loss) <= 1e-12).all()
