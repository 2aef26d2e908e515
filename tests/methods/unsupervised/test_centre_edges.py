"""Clusterers by centres where rounding, scale or odd input could decide."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import fewer
from fewer.core.clustering.centres import Centres, nearest, own_distances
from fewer.core.clustering.descent import Descent, best_of
from fewer.core.clustering.points import Frame
from fewer.core.clustering.weightings import FixedWeights, power_weights
from fewer.core.records.errors import InputError, ParameterError, RequirementError
from fewer.evaluate.cluster_accuracy import clustering_accuracy
from fewer.evaluate.cluster_words import cluster_keywords

FORMS = [np.asarray, scipy.sparse.csr_array]
DESCENTS = [fewer.WKMeans, fewer.SubspaceKMeans, fewer.EWKMeans, fewer.PlainKMeans]


def started_again(found):
    """How many clusters the iterations of a descent started again."""
    return sum(found._path.columns["clusters started again"])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", DESCENTS)
def test_copies_of_a_centre_are_not_away_from_it(kind, form):
    """With fewer different rows than clusters some stay empty; no iteration tries in vain to fill them."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(3, 4))[np.concatenate([np.arange(3), rng.integers(0, 3, 25)])]
        dense = kind(6, init="first").fit(X)
        found = kind(6, init="first").fit(form(X))
        assert (found.n_iter_, started_again(found)) == (1, 0)
        np.testing.assert_array_equal(found.labels_, dense.labels_)
        np.testing.assert_allclose(found.cluster_centers_, dense.cluster_centers_, rtol=1e-15)


@pytest.mark.parametrize("form", FORMS)
def test_distances_to_own_centres_are_differences(form):
    rng = np.random.default_rng(0)
    X = np.column_stack([np.full(30, 1e9), rng.normal(size=(30, 3)) * (rng.random((30, 3)) < 0.5)])
    points, labels = Frame.of(form(X), np.zeros(4, bool)).place(form(X)), np.arange(30) % 3
    centres = Centres.at_rows(points, [0, 1, 2])
    for weights in (rng.random((1, 4)), rng.random((3, 4))):
        each = np.broadcast_to(weights, (3, 4))
        expected = (each[labels] * (X - X[labels]) ** 2).sum(axis=1)
        found = own_distances(points, centres, weights, labels)
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        assert (found[:3] == 0).all()


def test_starts_far_apart_are_drawn_alike_from_sparse_rows():
    X = np.column_stack([np.full(40, 1e9), np.random.default_rng(1).normal(size=(40, 2))])
    both = [fewer.PlainKMeans(4, n_init=1, max_iter=1, random_state=0).fit(form(X)) for form in FORMS]
    np.testing.assert_array_equal(both[0].labels_, both[1].labels_)


@pytest.mark.parametrize("form", FORMS)
def test_a_long_sum_makes_no_dispersion(form):
    """A column that is constant within clusters keeps its weight, however many rows they have."""
    n = 40_000
    group = np.arange(n) % 2
    X = np.column_stack([np.random.default_rng(0).normal(40.0 * group, 1.0), np.where(group, 0.7, 0.1)])
    found = fewer.WKMeans(2, init=np.add(X[:2], [0.3, 0.21])).fit(form(X))
    assert found.weights_.tolist() == [0.5, 0.5]
    assert found.cluster_centers_[:, 1].tolist() == [0.1, 0.7]
    exact = [math.fsum(X[group == c, 0]) / (n // 2) for c in range(2)]
    np.testing.assert_allclose(found.cluster_centers_[:, 0], exact, rtol=5e-16, atol=1e-16)


@pytest.mark.parametrize("scale", [1.0, 1e6])
def test_nearest_centres_do_not_depend_on_how_squares_are_bounded(scale):
    rng = np.random.default_rng(2)
    X = rng.integers(-3, 4, (300, 3)) * np.array([1.0, scale, 1.0])
    points, weights = Frame.of(X, np.zeros(3, bool)).place(X), np.array([[1.0, scale**-2, 0.5]])
    rows = rng.choice(300, 5, replace=False)
    exact = (weights * (X[:, None] - X[rows]) ** 2).sum(axis=2)
    first = (exact <= exact.min(axis=1, keepdims=True) * (1 + 1e-9)).argmax(axis=1)
    np.testing.assert_array_equal(nearest(points, Centres.at_rows(points, rows), weights), first)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("per_centre", [False, True])
def test_rows_in_the_middle_go_to_the_first_centre_though_products_round(form, per_centre):
    places = np.random.default_rng(0).integers(0, 9, (400, 2))
    X = np.vstack([10 + 0.1 * places, [[0.0, 0.0]]])  # the last row keeps columns from being moved to 0
    points, rows = Frame.of(form(X), np.zeros(2, bool)).place(form(X)), [0, 1, 2, 3, 4]
    assert not points.frame.shift.any()
    weights = np.full((5 if per_centre else 1, 2), 0.3)
    exact = ((places[:, None] - places[rows]) ** 2).sum(axis=2)
    assert (np.sort(exact, axis=1)[:, 0] == np.sort(exact, axis=1)[:, 1]).sum() > 20
    found = nearest(points, Centres.at_rows(points, rows), weights)
    np.testing.assert_array_equal(found[:-1], exact.argmin(axis=1))


@pytest.mark.parametrize("form", FORMS)
def test_centres_that_a_far_row_cannot_tell_apart_are_equal(form):
    X = np.array([[1e6, 1.0], [-1e6, 2.0], [3e6, 0.0]])
    points = Frame.of(form(X), np.zeros(2, bool)).place(form(X))
    centres = Centres(np.array([[0.0, 0.0], [1e-7, 0.0]]), np.zeros((2, 0), np.int64))
    assert nearest(points, centres, np.ones((1, 2))).tolist() == [0, 0, 0]


def test_equal_weights_of_clusters_with_beta_0():
    X = np.random.default_rng(0).normal(size=(40, 4)) * [1, 2, 5, 0]
    found = fewer.SubspaceKMeans(2, beta=0.0, random_state=0).fit(X)
    np.testing.assert_allclose(found.weights_, [[1 / 3, 1 / 3, 1 / 3, 0]] * 2)


@pytest.mark.parametrize("kind", [fewer.WKMeans, fewer.SubspaceKMeans])
@pytest.mark.parametrize("beta", [1e6, 600.0, -600.0, -1e6])
def test_large_powers_are_nearly_equal_weights(kind, beta):
    X = np.random.default_rng(0).normal(size=(60, 4))
    X[:30, :2] += 8
    X = np.column_stack([X, np.ones(60)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = kind(2, beta=beta, random_state=0).fit(X)
    np.testing.assert_allclose(np.atleast_2d(found.weights_)[:, :4], 0.25, atol=0.01)
    np.testing.assert_array_equal(found.labels_ == found.labels_[0], np.arange(60) < 30)
    assert np.isfinite(found.selection_.scores).all()
    assert (np.diff(found._path.columns["objective"]) <= 0).all()


def test_the_objective_is_that_of_the_definition():
    X = np.random.default_rng(3).normal(size=(50, 5)) * [1, 2, 3, 4, 0]
    for beta in (2.0, 1.3, 7.0, -1.0):
        found = fewer.WKMeans(3, beta=beta, random_state=0).fit(X)
        powers = np.where(found.weights_ > 0, np.where(found.weights_ > 0, found.weights_, 1.0) ** beta, 0.0)
        within = ((X - found.cluster_centers_[found.labels_]) ** 2).sum(axis=0)
        assert found.objective_ == pytest.approx(powers @ within)


def test_of_equal_dispersions_the_first_has_all_weight_with_beta_1():
    assert power_weights(np.array([np.nextafter(1.0, 2), 1.0, 3.0]), 1.0).tolist() == [1, 0, 0]


# --- The selector ---


def test_standardised_columns_have_no_scale():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 4))
    X[:20, :2] += 6
    plain = fewer.WKMeansSelector(n_clusters=2, random_state=0).fit(X).selection_
    for scales in ([1e-150, 1, 1e150, 1], [1, 1, 2.0**560, 1], [1e-200] * 4):
        for form in FORMS:
            found = fewer.WKMeansSelector(n_clusters=2, random_state=0).fit(form(X * scales)).selection_
            np.testing.assert_allclose(found.scores, plain.scores, rtol=1e-9)


def test_standardised_columns_beside_nominal_ones_have_no_scale():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(40, 2)) + 3 * (np.arange(40)[:, None] % 2), np.arange(40) % 2])
    scores = [
        fewer.WKMeansSelector(n_clusters=2, categorical_features=[2], random_state=0)
        .fit(X * [scale, scale, 1])
        .selection_.scores
        for scale in (1.0, 2.0**300, 2.0**-300)
    ]
    np.testing.assert_allclose(scores[1], scores[0], rtol=1e-9)
    np.testing.assert_allclose(scores[2], scores[0], rtol=1e-9)


@pytest.mark.parametrize("nominal", [None, [4]])
def test_a_column_with_one_value_in_the_sample_gets_no_weight_there(nominal):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5))
    X[::2, :2] += 6
    X[:, 4] = np.arange(400) == 7
    found = fewer.WKMeansSelector(
        n_clusters=2, sample_fraction=0.05, n_init=4, categorical_features=nominal, random_state=0
    ).fit(X)
    assert found.selection_.scores[4] < 0.05
    assert 4 not in found.selection_.indices


# --- SYNCLUS ---


def test_the_stress_that_is_told_is_the_least():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 3, (18, 3)).astype(float)
        found = fewer.SYNCLUS(3, n_init=2, random_state=0).fit(X)
        path = found._path.columns["objective"]
        assert found.objective_ == min(path)


def test_one_cluster_gives_equal_weights():
    found = fewer.SYNCLUS(1).fit(np.random.default_rng(0).normal(size=(30, 4)))
    assert found.weights_.tolist() == [0.25] * 4
    assert found.objective_ == 0


# --- Odd input ---


def test_the_largest_numbers_there_are():
    ends = np.array([[-1.7e308, 1.0], [1.7e308, 2.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frame = Frame.of(ends, np.zeros(2, bool))
    assert frame.shift.tolist() == [0, 0]
    X = np.where(np.random.default_rng(0).normal(size=(30, 3)) > 0, 1.7e308, -1.7e308)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert not np.isnan(fewer.EWKMeans(2, random_state=0).fit(X).objective_)
        assert not np.isnan(fewer.ConvexKMeans(2, random_state=0).fit(X).objective_)


@pytest.mark.parametrize("init", [[["a", "b"], ["c", "d"]], [[1, 2], [3]], [[1, 2], None]])
def test_starts_that_are_no_numbers_are_refused_in_one_sentence(init):
    with pytest.raises(ParameterError, match="WKMeans got a list as init that is no table of numbers"):
        fewer.WKMeans(2, init=init).fit(np.eye(4, 2))


def test_blocks_of_different_kinds_and_endless_grids_are_refused():
    X = np.random.default_rng(0).normal(size=(20, 30))
    with pytest.raises(InputError, match="blocks of different kinds"):
        fewer.ConvexKMeans(2, blocks=["a", None] * 15).fit(X)
    with pytest.raises(RequirementError, match=r"grid_steps=10 for 30 blocks of features, 635,745,396 vectors"):
        fewer.ConvexKMeans(2, grid_steps=10).fit(X)


def test_missing_levels_of_new_rows_are_named():
    frame = pd.DataFrame({"size": [1.0, 2.0, 9.0], "colour": ["red", "red", "blue"]})
    found = fewer.WKMeans(2, random_state=0).fit(frame)
    with pytest.raises(InputError, match="the new rows hold 2 of them"):
        found.predict(pd.DataFrame({"size": [np.nan, 2.0], "colour": ["red", None]}))


def test_labels_and_classes_that_do_not_fit_are_refused_in_one_sentence():
    with pytest.raises(InputError, match="needs one label per document"):
        cluster_keywords([[1, 0], [0, 1]], [0], [[0.5, 0.5]], ["a", "b"])
    with pytest.raises(InputError, match="classes of different kinds"):
        clustering_accuracy([0, 1, 1], ["a", None, "b"])


@pytest.mark.parametrize("objectives", [(1 + 4e-16, 1.0, 2.0), (-3.0, -3.0 - 1e-15, 5.0), (0.0, 0.0, 1.0)])
def test_the_first_of_equal_descents_is_kept_whatever_rounding_says(objectives):
    points = Frame.of(np.eye(2), np.zeros(2, bool)).place(np.eye(2))
    made = [Descent(points, FixedWeights(np.ones(2)), Centres.at_rows(points, [0]), np.ones((1, 2))) for _ in range(3)]
    for descent, objective in zip(made, objectives):
        descent.path.append(objective)
    best, found = best_of(iter(made), 3)
    assert best is made[0]
    assert found == made
    assert best_of(iter(made[::-1]), 3)[0] is made[1]


def test_a_row_that_is_alone_does_not_fill_an_empty_cluster():
    found = fewer.PlainKMeans(3, init=[[0.5], [15.0], [1000.0]], max_iter=1).fit([[0.0], [1.0], [10.0]])
    assert (found.objective_, started_again(found)) == (0, 1)
    assert found.labels_.tolist() == [2, 0, 1]
