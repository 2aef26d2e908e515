"""PROCLUS against loops over rows and medoids, its rules, and planted subspaces."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import fewer
from common.examples import EXAMPLES
from fewer.core.clustering.projected import MedoidSearch, chosen_columns, farthest_first
from fewer.core.records.errors import InputError
from oracles import subspaces as oracle


@pytest.mark.parametrize("seed", range(8 * EXAMPLES))
def test_columns_rows_and_cost_are_those_of_plain_loops(seed):
    rng = np.random.default_rng(seed)
    rows = rng.random((50, 6)) if seed % 2 else np.round(rng.random((50, 6)) * 4) / 4
    k = [1, 2, 3, 5][seed % 4]
    medoids, total = rng.choice(50, k, replace=False), k * 3
    found = MedoidSearch(rows, k, total, 0.1, 20, rng).around(medoids)
    columns, labels, cost = oracle.around_medoids(rows.tolist(), medoids.tolist(), total)
    if seed % 2:
        assert [own.tolist() for own in found.columns] == columns
        assert found.labels.tolist() == labels
    assert sum(map(len, found.columns)) == max(total, 2 * k)
    assert seed % 2 == 0 or found.cost == pytest.approx(cost)


def test_two_columns_of_every_medoid_come_first():
    spread = np.array([[0.0, 0.0, 0.0, 1.0], [0.5, 0.6, 0.7, 0.8]])
    assert [own.tolist() for own in chosen_columns(spread, 4)] == [[0, 1], [0, 1]]
    assert [own.tolist() for own in chosen_columns(spread, 5)] == [[0, 1, 2], [0, 1]]
    assert [own.tolist() for own in chosen_columns(spread, 99)] == [[0, 1, 2, 3]] * 2
    assert [own.tolist() for own in chosen_columns(np.ones((2, 1)), 6)] == [[0], [0]]


def test_the_pool_is_spread_out():
    rows = np.array([[0.0], [0.1], [1.0], [0.55], [0.9]])
    assert farthest_first(rows, 0, 3).tolist() == [0, 2, 3]
    assert sorted(farthest_first(np.zeros((4, 2)), 2, 9).tolist()) == [0, 1, 2, 3]


def test_planted_subspaces_are_found():
    for seed in range(6):
        data = fewer.synth.make_subspace_clusters(500, 3, 4, n_background=50, random_state=seed)
        found = fewer.PROCLUS(3, 4, random_state=0).fit(data.X)
        inside = data.y < 3
        assert adjusted_rand_score(data.y[inside], found.labels_[inside]) > 0.95
        assert sorted(found.subspaces_) == [(0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11)]
        assert sorted(found.selection_.indices.tolist()) == list(range(12))
        assert all(a > b for a, b in zip(found.costs_, found.costs_[1:]))


def test_constant_columns_take_no_place():
    data = fewer.synth.make_subspace_clusters(300, 2, 3, n_background=0, random_state=1)
    X = np.column_stack([np.full(300, 3.0), data.X, np.zeros(300)])
    plain, more = fewer.PROCLUS(2, random_state=0).fit(data.X), fewer.PROCLUS(2, random_state=0).fit(X)
    assert more.subspaces_ == [tuple(j + 1 for j in own) for own in plain.subspaces_]
    np.testing.assert_array_equal(plain.labels_, more.labels_)
    assert more.selection_.reasons.kind[0] != more.selection_.reasons.kind[1]


def test_order_of_columns_and_of_given_medoids_does_not_matter():
    data = fewer.synth.make_subspace_clusters(300, 3, 3, random_state=2)
    medoids = [int(np.flatnonzero(data.y == c)[0]) for c in range(3)]
    first = fewer.PROCLUS(3, medoids=medoids, random_state=0).fit(data.X)
    order = np.random.default_rng(0).permutation(data.n_features)
    moved = fewer.PROCLUS(3, medoids=medoids, random_state=0).fit(data.X[:, order])
    np.testing.assert_array_equal(first.labels_, moved.labels_)
    assert first.subspaces_ == [tuple(sorted(order[list(own)].tolist())) for own in moved.subspaces_]
    turned = fewer.PROCLUS(3, medoids=medoids[::-1], max_failures=0).fit(data.X)
    straight = fewer.PROCLUS(3, medoids=medoids, max_failures=0).fit(data.X)
    assert turned.subspaces_ == straight.subspaces_[::-1]
    np.testing.assert_array_equal(np.array([2, 1, 0, -1])[turned.labels_], straight.labels_)


def test_new_rows_and_outliers():
    data = fewer.synth.make_subspace_clusters(300, 2, 3, n_background=0, random_state=3)
    found = fewer.PROCLUS(2, random_state=0).fit(data.X)
    np.testing.assert_array_equal(found.predict(data.X), found.labels_)
    assert found.predict(np.full((1, data.n_features), 50.0)).tolist() == [-1]
    assert set(found.labels_[found.medoids_]) == {0, 1}
    # Units do not matter.
    scaled = fewer.PROCLUS(2, random_state=0).fit(data.X * 2.0 ** np.arange(10) - 4)
    np.testing.assert_array_equal(scaled.labels_, found.labels_)


def test_what_cannot_be_is_refused():
    X = np.random.default_rng(0).random((5, 3))
    with pytest.raises(InputError, match="n_samples = 5"):
        fewer.PROCLUS(6).fit(X)
    for medoids in ([0, 0], [0, 9], [0, 1, 2], [0.5, 1.5]):
        with pytest.raises(InputError, match="n_clusters=2 different rows"):
            fewer.PROCLUS(2, medoids=medoids).fit(X)
    assert fewer.PROCLUS(2, random_state=0).fit(np.repeat(X[:1], 5, axis=0)).labels_.tolist() == [0] * 5


def test_medoids_are_checked_and_more_columns_than_there_are_is_all_of_them():
    with pytest.raises(InputError, match="from 0 to 4"):
        fewer.PROCLUS(2, medoids=[0, 77]).fit(np.ones((5, 2)))
    X = np.random.default_rng(0).random((30, 4))
    for mean_dim in (4, 99, 1e308):
        assert fewer.PROCLUS(2, mean_dim=mean_dim, random_state=0).fit(X).subspaces_ == [(0, 1, 2, 3)] * 2


@pytest.mark.parametrize("seed", range(6 * EXAMPLES))
def test_the_last_pass_is_that_of_plain_loops(seed):
    rng = np.random.default_rng(seed)
    k = 2 + seed % 3
    X = rng.random((50, 5))
    for c in range(k):
        X[c::8, rng.permutation(5)[:2]] = rng.random(2) + 0.03 * rng.normal(size=(len(X[c::8]), 2))
    X = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    medoids = rng.choice(50, k, replace=False)
    found = fewer.PROCLUS(k, 2.5, medoids=medoids, max_failures=0).fit(X)
    columns, labels = oracle.proclus(X.tolist(), medoids.tolist(), round(2.5 * k))
    left = sorted(set(labels) - {-1})
    assert found.subspaces_ == [tuple(columns[c]) for c in left]
    assert found.labels_.tolist() == [left.index(c) if c >= 0 else -1 for c in labels]
    assert found.medoids_.tolist() == medoids[left].tolist()
    np.testing.assert_array_equal(found.predict(X), found.labels_)
    # Outliers are in no cluster, but they are rows.
    want = [np.mean([c >= 0 and j in columns[c] for c in labels]) for j in range(5)]
    np.testing.assert_allclose(found.selection_.scores, want)
