"""FeatureClustering against all subsets of medoids, linkage by definition, and the facts of its catalogue entry."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

import fewer
from fewer.core.records.errors import FewerError
from fewer.methods.unsupervised._medoids import Dendrogram, around_medoids, best_medoids, by_linkage
from oracles import distances as oracle
from oracles import information


def correlated(seed, n=50, d=8):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d))


def similarities(X):
    # To ten digits: two columns of one group are equally similar to each other.
    return np.abs(np.corrcoef(X.T)).round(10)


@pytest.mark.parametrize("seed", range(8))
def test_medoids_agree_with_loops_and_are_bounded_by_all_subsets(seed):
    similar = similarities(correlated(seed))
    for k in (1, 2, 3, 7):
        starts = {first: oracle.medoids_from(similar, first, k) for first in range(8)}
        for first, (medoids, value) in starts.items():
            found = around_medoids(similar, first, k)
            assert found.medoids.tolist() == medoids
            assert found.value == pytest.approx(value)
        best = best_medoids(similar, k, 8)
        assert best.value == pytest.approx(max(value for _, value in starts.values()))
        assert best.value <= oracle.best_medoids(similar, k) + 1e-9
        # One group leaves no choice but its medoid.
        assert k > 1 or best.value == pytest.approx(oracle.best_medoids(similar, k))
        assert (best.member[best.medoids] == best.medoids).all()


@pytest.mark.parametrize("seed", range(20))
def test_the_sum_of_similarities_never_falls(seed):
    similar = similarities(correlated(seed, d=12))
    for k in (2, 4):
        found = around_medoids(similar, seed % 12, k)
        assert (np.diff(found.course) > -1e-12).all()
        # At the end every column is with the most similar medoid, and every medoid is the best of its group.
        best = similar[:, found.medoids].max(axis=1)
        np.testing.assert_allclose(similar[np.arange(12), found.member], best, rtol=1e-9)


@pytest.mark.parametrize("algorithm", ["medoids", "linkage"])
def test_copies_and_mirrors_share_a_group(algorithm):
    X = correlated(0, d=4)
    X = np.column_stack([X, X[:, 1], -2.0 * X[:, 2] + 7.0])
    found = fewer.FeatureClustering(4, algorithm=algorithm).fit(X)
    assert found.labels_[4] == found.labels_[1]
    assert found.labels_[5] == found.labels_[2]
    # The lowest number stands for equal features.
    assert sorted(found.selection_.indices.tolist()) == [0, 1, 2, 3]
    reason = found.selection_.reason(5)
    assert (reason.kind, reason.related, reason.amount) == ("redundant", ("x2",), 1.0)
    signed = fewer.FeatureClustering(5, algorithm=algorithm, signed=True).fit(X)
    assert signed.labels_[4] == signed.labels_[1]
    assert signed.labels_[5] == 5


def test_a_copy_of_a_medoid_may_be_one_itself():
    X = correlated(0, d=3)
    assert fewer.FeatureClustering(5).fit(np.hstack([X, X[:, :2]])).labels_.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("algorithm", ["medoids", "linkage"])
@pytest.mark.parametrize("similarity", ["pearson", "spearman", "su"])
def test_as_many_groups_as_features_keep_all(algorithm, similarity):
    X = correlated(1, d=5)
    found = fewer.FeatureClustering(None, algorithm=algorithm, similarity=similarity).fit(X)
    assert sorted(found.selection_.indices.tolist()) == [*range(5)]
    assert found.labels_.tolist() == [*range(5)]


@pytest.mark.parametrize("seed", range(5))
def test_average_linkage_agrees_with_its_definition(seed):
    X = correlated(seed, d=6)
    found = fewer.FeatureClustering(3, algorithm="linkage").fit(X)
    table = found.selection_.tables["dendrogram"].columns
    np.testing.assert_allclose(table["similarity"], oracle.average_merges(similarities(X)), atol=1e-9)
    assert table["features"][-1] == 6
    assert len(set(found.labels_.tolist())) == 3


def test_a_dendrogram_is_cut_into_groups():
    similar = np.array([[1, 0.9, 0.1, 0.1], [0.9, 1, 0.1, 0.1], [0.1, 0.1, 1, 0.8], [0.1, 0.1, 0.8, 1]])
    tree = Dendrogram.of(similar, "average")
    assert [tree.cut(k).tolist() for k in (4, 3, 2, 1)] == [[0, 1, 2, 3], [0, 0, 2, 3], [0, 0, 2, 2], [0, 0, 0, 0]]
    assert by_linkage(similar, tree, 2).medoids.tolist() == [0, 2]
    for linkage in ("single", "complete"):
        assert Dendrogram.of(similar, linkage).cut(2).tolist() == [0, 0, 2, 2]


def test_similarities_are_those_of_scipy_and_of_loops(rng):
    X = correlated(2, n=30, d=4)
    X[:, 3] = np.round(X[:, 3])
    codes = rng.integers(0, 3, (30, 3))
    found = fewer.FeatureClustering(4, similarity="spearman", algorithm="linkage").fit(X)
    highest = np.abs(scipy.stats.spearmanr(X).statistic)
    np.fill_diagonal(highest, 0.0)
    assert found.selection_.tables["dendrogram"].columns["similarity"][0] == pytest.approx(highest.max())
    pair = fewer.FeatureClustering(1, similarity="su", discretizer=None).fit(codes[:, :2])
    a, b = codes[:, 0], codes[:, 1]
    both = information.entropy(a) + information.entropy(b)
    wanted = 2 * (both - information.entropy(3 * a + b)) / both
    assert pair.selection_.tables["groups"].columns["similarity"][1] == pytest.approx(wanted)


def test_constant_columns_are_in_no_group():
    X = np.insert(correlated(3, d=4), 1, 2.5, axis=1)
    for params in ({}, {"algorithm": "linkage"}, {"similarity": "su"}, {"similarity": "spearman"}):
        found = fewer.FeatureClustering(2, **params).fit(X)
        assert found.labels_[1] == -1
        assert found.selection_.reason(1).kind == "irrelevant"
        assert len(found.selection_) == 2
    nothing = fewer.FeatureClustering().fit(np.ones((5, 2)))
    assert len(nothing.selection_) == 0
    assert nothing.labels_.tolist() == [-1, -1]
    one = fewer.FeatureClustering(algorithm="linkage").fit(X[:, [0]])
    assert one.selection_.indices.tolist() == [0]
    assert len(one.selection_.tables["dendrogram"]) == 0


def test_only_sizes_are_taken():
    for size in ("best", "2-3", "gain:0.1"):
        with pytest.raises(FewerError, match="as many groups as it is told"):
            fewer.FeatureClustering(size).fit(correlated(0))


@pytest.mark.parametrize("similarity", ["pearson", "su"])
def test_the_report_speaks_of_bins_only_where_there_are_some(similarity):
    from fewer.report.page import _method

    X = np.random.default_rng(0).normal(size=(20, 4))
    meta = dict(fewer.FeatureClustering(2, similarity=similarity).fit(X).selection_.meta)
    told = _method({**meta, "parameters": {"discretizer": "quantile", "bins": 10}})["cutting"]
    assert bool(told) == (similarity == "su")
