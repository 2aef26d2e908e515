from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from fewer.core.records.errors import InputError
from fewer.methods.rank_order import kendall_knn
from fewer.methods.rank_order.kendall_knn import KendallKNN, kendall_distances
from oracles.order_classifiers import kendall_distance


@parametrize_with_checks([KendallKNN()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_figure_2_has_three_swaps():
    """Catalogue paper-rank-order, Fig. 2: F3F2F4F5F1F6 -> F3F5F2F1F4F6 has kd = 3."""
    orders = ["324516", "352146"]
    places = np.array([[order.index(str(f)) for f in range(1, 7)] for order in orders])
    assert kendall_distances(places[:1], places[1:]).tolist() == [[3.0]]


@pytest.mark.parametrize("n_levels", [4, 10_000])
@pytest.mark.parametrize("n_features", [1, 2, 11, 12, 13, 40])
def test_distances_are_those_of_plain_loops(rng, n_levels, n_features):
    A, B = rng.integers(0, n_levels, (5, n_features)), rng.integers(0, n_levels, (7, n_features))
    truth = [[kendall_distance(a, b) for b in B] for a in A]
    np.testing.assert_array_equal(kendall_distances(A, B), truth)


@given(st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=1, max_size=6))
def test_any_small_rows_agree_with_plain_loops(rows):
    X = np.array(rows)
    np.testing.assert_array_equal(kendall_distances(X, X), [[kendall_distance(a, b) for b in X] for a in X])


@pytest.mark.parametrize("n_features", [64, 65, 129, 300])
def test_long_rows_agree_with_kendalls_tau(rng, n_features):
    A = rng.normal(size=(3, n_features))
    pairs = n_features * (n_features - 1) / 2
    tau = [[kendalltau(a, b).statistic for b in A] for a in A]
    np.testing.assert_allclose(kendall_distances(A, A), (1 - np.array(tau)) / 2 * pairs, atol=1e-6)


@pytest.mark.parametrize("n_levels", [5, 10_000])
def test_tiles_and_threads_change_nothing(rng, monkeypatch, n_levels):
    A, B = rng.integers(0, n_levels, (9, 90)), rng.integers(0, n_levels, (8, 90))
    whole = kendall_distances(A, B)
    monkeypatch.setattr(kendall_knn, "LEAST_WORDS", 3)
    monkeypatch.setattr(kendall_knn, "TILE_WORDS", 1)
    np.testing.assert_array_equal(kendall_distances(A, B, n_jobs=2), whole)


def test_it_is_a_metric_with_ties(rng):
    X = rng.integers(0, 3, (14, 6))
    d = kendall_distances(X, X)
    np.testing.assert_array_equal(d, d.T)
    assert (np.diag(d) == 0).all()
    assert (d[:, None, :] <= d[:, :, None] + d[None, :, :]).all()


def test_votes_are_those_of_scikit_learn_on_these_distances(rng):
    X, y, queries = rng.normal(size=(60, 8)), rng.integers(0, 3, 60), rng.normal(size=(20, 8))
    fitted = KendallKNN(5).fit(X, y)
    distances, nearest = fitted.kneighbors(queries)
    full = kendall_distances(queries, X)
    # A small push by row number makes equal distances unequal, in favour of the lower number.
    pushed = full + np.arange(60) * 1e-6
    theirs = KNeighborsClassifier(5, metric="precomputed").fit(kendall_distances(X, X), y)
    np.testing.assert_allclose(fitted.predict_proba(queries), theirs.predict_proba(pushed))
    np.testing.assert_array_equal(fitted.predict(queries), theirs.predict(pushed))
    np.testing.assert_array_equal(nearest, theirs.kneighbors(pushed)[1])
    np.testing.assert_array_equal(distances, np.sort(full, axis=1)[:, :5])


def test_of_equal_distances_the_lower_row_is_nearer():
    X, y = np.array([[1, 2, 3], [4, 5, 6], [2, 5, 9], [3, 2, 1]]), np.array(["b", "a", "a", "a"])
    fitted = KendallKNN(1).fit(X, y)
    assert fitted.kneighbors([[0, 1, 2]])[1].tolist() == [[0]]
    assert fitted.predict([[0, 1, 2]]).tolist() == ["b"]
    assert fitted.kneighbors([[0, 1, 2]], n_neighbors=3)[1].tolist() == [[0, 1, 2]]


def test_orders_are_learned_where_values_are_not(rng):
    """Rows on scales of their own: the order tells the class, no value does."""
    base = np.array([[1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1]])
    y = np.arange(80) % 2
    X = (base[y] + rng.normal(scale=0.8, size=(80, 6))) * 10.0 ** rng.uniform(-3, 3, (80, 1))
    assert KendallKNN().fit(X[:40], y[:40]).score(X[40:], y[40:]) == 1.0


def test_more_neighbours_than_rows_are_refused():
    fitted = KendallKNN(3).fit([[1, 2], [2, 1]], [0, 1])
    with pytest.raises(InputError, match="3 neighbours.*n_samples = 2.*smaller"):
        fitted.predict([[1, 2]])
