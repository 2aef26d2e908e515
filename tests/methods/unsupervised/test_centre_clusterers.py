"""Clusterers by centres: facts of their sources, planted structure, new rows, degenerate data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.optimize
import scipy.sparse
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

import fewer
from fewer.core.clustering.centres import Centres
from fewer.core.clustering.descent import Descent
from fewer.core.clustering.fisher_ratio import fisher_ratio, simplex_grid
from fewer.core.clustering.optimal_weights import conjugate_steps
from fewer.core.clustering.points import Frame
from fewer.core.clustering.starts import started
from fewer.core.clustering.weightings import FixedWeights
from oracles import weighted_clusters as oracle

GLOBAL = [fewer.WKMeans, fewer.SYNCLUS, fewer.OptimalWeights, fewer.ConvexKMeans]
PER_CLUSTER = [fewer.SubspaceKMeans, fewer.EWKMeans]
ALL = [*GLOBAL, *PER_CLUSTER, fewer.PlainKMeans]


def two_clusters_and_noise(n=200, seed=0):
    """Fig. 10.1: two clusters in two features, a third of uniform noise; columns scaled to 0..1."""
    rng = np.random.default_rng(seed)
    group = np.arange(n) % 2
    X = np.column_stack([rng.normal(3.0 * group, 0.5), rng.normal(3.0 * group, 0.5), rng.uniform(-1, 4, n)])
    return (X - X.min(axis=0)) / np.ptp(X, axis=0), group


# --- W-k-means ---


@pytest.mark.parametrize("beta", [1.5, 2.0, 3.0, 8.0, -1.0])
def test_noise_gets_least_weight_as_in_figure_10_1(beta):
    X, group = two_clusters_and_noise()
    found = fewer.WKMeans(2, beta=beta, random_state=0).fit(X)
    assert found.weights_.sum() == pytest.approx(1)
    scores = found.selection_.scores
    assert scores[2] < 0.8 * scores[:2].min()
    assert adjusted_rand_score(group, found.labels_) == 1


def test_weights_flatten_with_beta():
    X, _ = two_clusters_and_noise()
    noise = [fewer.WKMeans(2, beta=beta, random_state=0).fit(X).weights_[2] for beta in (1.5, 2.0, 3.0, 8.0)]
    assert (np.diff(noise) > 0).all()
    assert 0 < noise[0] < 0.05 < noise[2] < noise[3] < 1 / 3


def test_the_selector_drops_the_noise_of_figure_10_1_and_plain_k_means_finds_the_clusters():
    X, group = two_clusters_and_noise()
    found = fewer.WKMeansSelector(n_clusters=2, standardize=False, random_state=0).fit(X)
    assert sorted(found.selection_.indices) == [0, 1]
    again = fewer.PlainKMeans(2, random_state=0).fit(found.transform(X))
    assert adjusted_rand_score(group, again.labels_) == 1


def test_the_selector_averages_runs_by_their_objectives():
    X, _ = two_clusters_and_noise(80)
    found = fewer.WKMeansSelector(None, n_clusters=3, n_init=4, standardize=False, random_state=3).fit(X)
    rng, runs = np.random.default_rng(3), []
    for _ in range(4):
        points = Frame.of(X, np.zeros(3, bool)).place(X)
        start = started("here", points, 3, "k-means++", np.full((1, 3), 1 / 9), rng)
        labels, weights, path = oracle.descend(X.tolist(), start.means.tolist(), "global", 2.0)
        runs.append((path[-1], weights[0]))
    shares = np.array([1 / value for value, _ in runs])
    expected = shares @ np.array([w for _, w in runs]) / shares.sum()
    np.testing.assert_allclose(found.scores_, expected, rtol=1e-9)
    sampled = fewer.WKMeansSelector(2, n_clusters=2, sample_fraction=0.4, random_state=0).fit(X)
    assert sorted(sampled.selection_.indices) == [0, 1]


def test_beta_0_is_plain_k_means():
    X, _ = two_clusters_and_noise()
    plain = fewer.PlainKMeans(3, init="first").fit(X)
    found = fewer.WKMeans(3, beta=0.0, init="first").fit(X)
    np.testing.assert_array_equal(found.labels_, plain.labels_)
    assert found.objective_ == pytest.approx(plain.objective_)


@pytest.mark.parametrize("beta", [0.5, 0.01, 0.99])
def test_powers_between_0_and_1_are_refused(beta):
    for kind in (fewer.WKMeans, fewer.SubspaceKMeans):
        with pytest.raises(ValueError, match=rf"^{kind.__name__} got beta={beta}, but"):
            kind(2, beta=beta).fit(np.arange(12.0).reshape(6, 2))


def mixed_frame(n=90, seed=0):
    rng = np.random.default_rng(seed)
    group = np.arange(n) % 3
    colours = np.array(["red", "green", "blue"])
    return pd.DataFrame(
        {
            "size": rng.normal(0, 0.15, n) + group,
            "colour": pd.Categorical(np.where(rng.random(n) < 0.95, colours[group], rng.choice(colours, n))),
            "noise": rng.choice(["a", "b", "c", "d"], n),
            "price": [f"{1000 * (g + 1) + int(r):,}" for g, r in zip(group, rng.integers(0, 9, n))],
        }
    )


def test_new_frames_with_nominal_columns_are_read():
    frame = mixed_frame()
    frame = frame.drop(columns="price")
    found = fewer.WKMeans(3, random_state=0).fit(frame)
    # The colour, with which the other two columns agree but for a few rows, tells the clusters.
    assert adjusted_rand_score(frame["colour"], found.labels_) > 0.9
    np.testing.assert_array_equal(found.predict(frame), found.labels_)
    # Fewer levels, in another order, one at a time.
    for i in (0, 7, 44):
        assert found.predict(frame.iloc[[i]])[0] == found.labels_[i]
    part = frame[frame["colour"] != "red"]
    np.testing.assert_array_equal(found.predict(part), found.labels_[part.index])
    new = frame.assign(colour="violet", noise="never seen")
    assert set(found.predict(new)) <= {0, 1, 2}
    modes = found.clusters_.columns["mode of colour"]
    assert set(modes) == {"red", "green", "blue"}
    assert found.selection_.scores[2] < found.selection_.scores[1]


def test_texts_that_hold_numbers_are_numbers_in_new_frames_too():
    frame = mixed_frame()
    found = fewer.WKMeans(3, random_state=0).fit(frame)
    np.testing.assert_array_equal(found.predict(frame), found.labels_)


def test_arrays_with_categorical_features():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 3, 60), rng.normal(size=60)])
    found = fewer.WKMeans(3, categorical_features=[0], random_state=0).fit(X)
    np.testing.assert_array_equal(found.predict(X), found.labels_)
    np.testing.assert_array_equal(found.predict(X[5:9]), found.labels_[5:9])


def test_k_modes_with_all_columns_nominal():
    rng = np.random.default_rng(1)
    group = np.arange(80) % 2
    X = np.where(rng.random((80, 5)) < 0.9, np.array(["x", "y"])[group][:, None], "z")
    X[:, 4] = rng.choice(["x", "y", "z"], 80)
    frame = pd.DataFrame(X, columns=list("abcde"))
    found = fewer.WKMeans(2, random_state=0).fit(frame)
    assert adjusted_rand_score(group, found.labels_) > 0.9
    assert found.weights_.argmin() == 4
    np.testing.assert_array_equal(found.predict(frame), found.labels_)


# --- Every cluster its own weights ---


@pytest.mark.parametrize("kind", PER_CLUSTER)
def test_planted_subspaces_are_recovered(kind):
    rng = np.random.default_rng(0)
    n, d = 150, 6
    group = np.arange(n) % 3
    X = rng.normal(size=(n, d))
    for c in range(3):
        rows = np.flatnonzero(group == c)
        X[np.ix_(rows, [2 * c, 2 * c + 1])] = 3.0 * (c - 1) + 0.05 * rng.normal(size=(len(rows), 2)) + 4
    more = {"gamma": 20.0} if kind is fewer.EWKMeans else {"offset": 0.05}
    found = kind(3, n_init=20, random_state=0, **more).fit(X)
    assert adjusted_rand_score(group, found.labels_) > 0.95
    for c in range(3):
        cluster = np.bincount(found.labels_[group == c]).argmax()
        assert set(np.argsort(found.weights_[cluster])[-2:]) == {2 * c, 2 * c + 1}
    table = found.selection_.tables["weights"]
    order = table.columns["feature"]
    np.testing.assert_array_equal(table.columns["cluster 1"], found.weights_[1, order])
    assert (np.diff(found.weights_.max(axis=0)[order]) <= 1e-9).all()


def test_table_10_1_by_the_estimator():
    X = [[1, 2, 3, 0, 6], [2, 3, 1, 0, 6], [3, 1, 2, 0, 6], [0, 0, 1, 3, 2], [0, 0, 2, 1, 3], [0, 0, 3, 2, 1]]
    found = fewer.SubspaceKMeans(2, beta=1.5, random_state=0).fit(scipy.sparse.csr_array(np.array(X, float)))
    assert found.offset_ == pytest.approx(1.8)
    np.testing.assert_allclose(np.sort(found.weights_, axis=1)[0], [0.148020] * 3 + [0.277970] * 2, atol=5e-7)


# --- Optimal weights ---


def test_the_loss_over_pairs_is_twice_the_weighted_sum_of_squares():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 4))
    found = fewer.OptimalWeights(3, random_state=0).fit(X)
    pairs = sum(
        oracle.within_pairs(X[found.labels_ == c].tolist(), found.weights_) / np.count_nonzero(found.labels_ == c)
        for c in range(3)
    )
    assert found.objective_ == pytest.approx(pairs / 2)


def test_conjugate_steps_go_down_and_in_the_end_to_the_least_dispersion():
    rng = np.random.default_rng(1)
    D, w = rng.random(8) + 0.1, np.full(8, 1 / 8)
    values = [conjugate_steps(D, w, n) @ D for n in range(6)]
    assert (np.diff(values) < 0).all()
    far = conjugate_steps(D, w, 500)
    assert far.argmax() == D.argmin()
    assert far.max() > 0.999
    np.testing.assert_allclose(conjugate_steps(D, w, 3).sum(), 1)


# --- SYNCLUS ---


def test_weights_of_synclus_are_the_regression_over_all_pairs():
    X, _ = two_clusters_and_noise(40)
    X = np.column_stack([X[:, 0] * 100, X[:, 1], X[:, 2] + 50, np.full(40, 7.0)])
    found = fewer.SYNCLUS(2, max_iter=1, init="first").fit(X)
    start = fewer.WKMeans(2, beta=0.0, init="first").fit(X)
    squares, apart = (np.array(part) for part in oracle.pair_stress(X.tolist(), start.labels_.tolist()))
    centred = squares[:, :3] - squares[:, :3].mean(axis=0)
    scale = centred.std(axis=0)
    best, norm = scipy.optimize.nnls(centred / scale, apart - apart.mean())
    best = best / scale
    np.testing.assert_allclose(found.weights_[:3], best / best.sum(), rtol=1e-6)
    assert found.weights_[3] == 0
    assert found.objective_ == pytest.approx(norm**2 / len(apart))


# --- Convex k-means ---


def test_the_grid_of_weights():
    assert len(simplex_grid("here", 3, 4)) == 16  # 15 and equal weights
    assert len(simplex_grid("here", 2, 2)) == 3
    np.testing.assert_allclose(simplex_grid("here", 4, 3).sum(axis=1), 1)
    with pytest.raises(ValueError, match="blocks"):
        simplex_grid("here", 500, None)


def test_the_ratio_is_that_of_its_definition_and_knows_no_units():
    X, _ = two_clusters_and_noise(60)
    found = fewer.ConvexKMeans(2, blocks=[0, 0, 1], random_state=0).fit(X)
    expected = 1.0
    for block in ([0, 1], [2]):
        part = X[:, block]
        within = sum(((part[found.labels_ == c] - part[found.labels_ == c].mean(axis=0)) ** 2).sum() for c in (0, 1))
        expected *= within / (((part - part.mean(axis=0)) ** 2).sum() - within)
    assert found.ratio_ == pytest.approx(expected)
    assert found.weights_[0] == found.weights_[1]
    points = Frame.of(X * [1000.0, 1000.0, 0.01], np.zeros(3, bool)).place(X * [1000.0, 1000.0, 0.01])
    start = Centres.at_rows(points, [0, 1])
    end = Descent(points, FixedWeights(np.ones(3)), start, np.ones((1, 3)), labels=found.labels_)
    assert fisher_ratio(points, end, np.array([0, 0, 1])) == pytest.approx(expected)


def test_blocks_that_agree_are_found_whatever_their_units():
    rng = np.random.default_rng(0)
    group = np.arange(90) % 3
    X = np.column_stack([group + 0.1 * rng.normal(size=90), 1e4 * (group + 0.2 * rng.normal(size=90))])
    found = fewer.ConvexKMeans(3, n_init=5, random_state=0).fit(X)
    assert adjusted_rand_score(group, found.labels_) > 0.95


def test_the_ratio_is_the_least_on_the_grid():
    X, _ = two_clusters_and_noise(60, seed=3)
    found = fewer.ConvexKMeans(2, grid_steps=4, init=X[:2]).fit(X)
    ratios = []
    for shares in simplex_grid("here", 3, 4):
        labels = KMeans(2, init=X[:2] * np.sqrt(shares), n_init=1, tol=0).fit(X * np.sqrt(shares)).labels_
        ratio = 1.0
        for j in range(3):
            within = sum(((X[labels == c, j] - X[labels == c, j].mean()) ** 2).sum() for c in (0, 1))
            ratio *= within / (((X[:, j] - X[:, j].mean()) ** 2).sum() - within)
        ratios.append(ratio)
    assert found.ratio_ == pytest.approx(min(ratios))


# --- Plain k-means ---


@pytest.mark.parametrize("seed", range(4))
def test_forgy_is_what_scikit_learn_finds(seed):
    X = np.random.default_rng(seed).normal(size=(150, 4))
    theirs = KMeans(5, init=X[:5], n_init=1, tol=0, algorithm="lloyd").fit(X)
    for form in (np.asarray, scipy.sparse.csr_array):
        found = fewer.PlainKMeans(5, init="first").fit(form(X))
        np.testing.assert_array_equal(found.labels_, theirs.labels_)
        np.testing.assert_allclose(found.cluster_centers_, theirs.cluster_centers_)
        assert found.objective_ == pytest.approx(theirs.inertia_)


@pytest.mark.parametrize("seed", range(3))
def test_macqueen_is_what_loops_find(seed):
    X = np.random.default_rng(seed).normal(size=(40, 3))
    first = [oracle.nearest(row, X[:4].tolist(), [[1.0] * 3] * 4, 1.0, 0.0, [False] * 3) for row in X.tolist()]
    labels, path = oracle.macqueen(X.tolist(), first, 4)
    for form in (np.asarray, scipy.sparse.csr_array):
        found = fewer.PlainKMeans(4, update="macqueen", init="first").fit(form(X))
        assert found.labels_.tolist() == labels
        np.testing.assert_allclose(found._path.columns["objective"], path[: found.n_iter_], rtol=1e-9)
        assert (np.diff(path) <= 0).all()


@pytest.mark.parametrize("update", ["forgy", "macqueen"])
def test_as_many_clusters_as_rows_and_one_cluster(update):
    X = np.random.default_rng(0).normal(size=(12, 3))
    assert fewer.PlainKMeans(12, update=update, random_state=0).fit(X).objective_ == 0
    one = fewer.PlainKMeans(1, update=update).fit(X)
    assert one.objective_ == pytest.approx(((X - X.mean(axis=0)) ** 2).sum())
    found = fewer.PlainKMeans(4, update=update, random_state=0).fit(X)
    apart = ((X[:, None] - found.cluster_centers_) ** 2).sum(axis=2)
    np.testing.assert_array_equal(found.labels_, apart.argmin(axis=1))


# --- All ---


@pytest.mark.parametrize("kind", ALL)
def test_rows_of_fit_are_predicted_as_they_were_grouped(kind):
    rng = np.random.default_rng(0)
    for X in (
        rng.integers(0, 3, (60, 4)).astype(float),
        rng.normal(size=(50, 3)) + 1e9,
        np.repeat(np.eye(4), 6, axis=0),
    ):
        found = kind(4, random_state=0).fit(X)
        np.testing.assert_array_equal(found.predict(X), found.labels_)
        np.testing.assert_array_equal(found.predict(X[::3]), found.labels_[::3])


@pytest.mark.parametrize("kind", ALL)
def test_order_of_rows_and_columns_does_not_matter_with_given_starts(kind):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(70, 5)) + 5 * (np.arange(70)[:, None] % 2) * [1, 0, 0, 1, 0]
    start, rows, columns = X[:2], rng.permutation(70), rng.permutation(5)
    plain = kind(2, init=start).fit(X)
    moved = kind(2, init=start[:, columns]).fit(X[np.ix_(rows, columns)])
    swapped = kind(2, init=start[::-1]).fit(X)
    np.testing.assert_array_equal(moved.labels_, plain.labels_[rows])
    np.testing.assert_array_equal(swapped.labels_, 1 - plain.labels_)
    if hasattr(plain, "weights_"):
        np.testing.assert_allclose(moved.weights_, plain.weights_[..., columns], rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("kind", ALL)
def test_constant_columns_get_no_weight(kind):
    rng = np.random.default_rng(0)
    X = np.column_stack([np.full(50, 0.1), rng.normal(size=(50, 2)) + 5 * (np.arange(50)[:, None] % 2), np.zeros(50)])
    found = kind(2, random_state=0).fit(X)
    assert adjusted_rand_score(np.arange(50) % 2, found.labels_) == 1
    if hasattr(found, "weights_"):
        assert (found.weights_[..., [0, 3]] == 0).all()
        assert set(found.selection_.indices) <= {1, 2}


@pytest.mark.parametrize("kind", ALL)
def test_too_many_clusters_are_refused_in_one_sentence(kind):
    with pytest.raises(ValueError, match=rf"^{kind.__name__} got n_clusters=5, but X has n_samples = 3 rows"):
        kind(5).fit(np.arange(6.0).reshape(3, 2))
    with pytest.raises(ValueError, match="got init="):
        kind(2, init="middle").fit(np.arange(6.0).reshape(3, 2))
    with pytest.raises(ValueError, match="got init of shape"):
        kind(2, init=np.zeros((3, 2))).fit(np.arange(6.0).reshape(3, 2))


def test_clusters_started_again_are_in_the_table_of_the_descent():
    X = np.vstack([np.random.default_rng(0).normal(size=(40, 2)), [[50.0, 50.0]]])
    found = fewer.WKMeans(3, init=np.array([[0.0, 0.0], [500.0, 500.0], [600.0, 0.0]])).fit(X)
    table = found.selection_.tables["objective"]
    assert sum(table.columns["clusters started again"]) >= 1
    assert (found.clusters_.columns["rows"] == np.bincount(found.labels_, minlength=3)).all()
