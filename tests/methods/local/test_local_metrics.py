"""Local classifiers against plain loops over rows and features."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier

import fewer
from oracles import local_metrics as oracle

LOCAL = ("Machete", "Scythe", "DANN", "SubDANN", "ADAMENN", "LaMaNNa")


def problem(seed, n=40, p=4, n_classes=3, whole=False):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n, p)).astype(float) if whole else rng.normal(size=(n, p))
    y = rng.integers(0, n_classes, n)
    y[:n_classes] = np.arange(n_classes)
    X[:, 0] += 2 * y
    Q = rng.integers(0, 4, (6, p)).astype(float) if whole else rng.normal(size=(6, p))
    Q[:, 0] += 2
    return X, y, Q


def scaled(fitted, X):
    return fitted._scaling.applied(np.asarray(X, float))


def check_votes(fitted, Q, rows, y):
    """The neighbours are these, and the class follows from them."""
    assert_array_equal(fitted.kneighbors(Q)[1], rows)
    assert_array_equal(fitted.predict(Q), [oracle.vote([y[n] for n in row]) for row in rows])
    shares = [[sum(y[n] == c for n in row) / len(row) for c in fitted.classes_] for row in rows]
    assert_allclose(fitted.predict_proba(Q), shares)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_peels_by_loops(seed, whole):
    X, y, Q = problem(seed, n=37 + 8 * seed, whole=whole)
    for made, sharpness in (
        (fewer.Machete(4, peel=0.7, window=0.2), np.inf),
        (fewer.Scythe(3, peel=0.8), 1.0),
        (fewer.Scythe(4, sharpness=2.5, peel=0.5, standardize=False), 2.5),
    ):
        fitted = made.fit(X, y)
        Z, there = scaled(fitted, X), scaled(fitted, Q)
        found = [oracle.peels(Z, y, q, made.n_neighbors, made.peel, made.window, sharpness) for q in there]
        check_votes(fitted, Q, [rows for rows, _, _ in found], y)
        assert_allclose(fitted.local_relevance(Q), [mean for _, mean, _ in found])
        for table, (_, _, trace) in zip(fitted.peels(Q), found):
            assert list(zip(table.columns["feature"], table.columns["rows left"])) == trace


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_adamenn_by_loops(seed, whole):
    X, y, Q = problem(seed, n=45, whole=whole)
    sizes = {"n_around": 9, "n_near": 3, "n_wide": 14, "n_along": 6}
    for more, power in (({}, None), ({"weighting": "linear"}, 1), ({"weighting": "quadratic", "max_iter": 2}, 2)):
        fitted = fewer.ADAMENN(4, strength=3.0, **sizes, **more).fit(X, y)
        Z, there = scaled(fitted, X), scaled(fitted, Q)
        table = [oracle.chi_relevance(Z, y, z, 3, 14, 6) for z in range(len(Z))]
        assert_allclose(fitted.relevance_table_, table, rtol=1e-12)
        repeats = more.get("max_iter", 1)
        w = [oracle.adamenn_weights(Z, y, q, 9, 3, 14, 6, 3.0, repeats, power) for q in there]
        assert_allclose(fitted.local_relevance(Q), w, rtol=1e-9, atol=1e-12)
        check_votes(fitted, Q, [oracle.nearest(Z, q, v, 4) for q, v in zip(there, w)], y)


@pytest.mark.parametrize("p", [2, 5, 20])
@pytest.mark.parametrize("seed", range(3))
def test_dann_by_loops(seed, p):
    """Twenty features go through products in single precision."""
    X, y, Q = problem(seed, n=70, p=p)
    for more in ({}, {"epsilon": 0.2, "max_iter": 2}, {"shrinkage": 0.5, "standardize": False}):
        fitted = fewer.DANN(4, n_around=30, **more).fit(X, y)
        Z, there = scaled(fitted, X), scaled(fitted, Q)
        made = (30, fitted.epsilon, fitted.shrinkage, fitted.max_iter)
        S = [oracle.dann_metric(Z, y, q, *made) for q in there]
        assert_allclose(fitted.metric_at(Q), S, rtol=1e-6, atol=1e-8)
        check_votes(fitted, Q, [oracle.by_form(Z, q, form, 4) for q, form in zip(there, S)], y)
        diagonals = np.array([np.diag(form) / np.trace(form) for form in S])
        assert_allclose(fitted.local_relevance(Q), diagonals, rtol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_sub_dann_by_loops(seed):
    X, y, Q = problem(seed, n=60, p=5)
    fitted = fewer.SubDANN(3, n_components=2, n_around=25).fit(X, y)
    Z, there = scaled(fitted, X), scaled(fitted, Q)
    own = Z - np.array([Z[y == c].mean(axis=0) for c in y])
    W = own.T @ own / len(Z)
    sphering = oracle.root_inverse(0.9 * W + 0.1 * np.trace(W) / 5 * np.eye(5))
    T = Z @ sphering
    pooled = np.zeros((5, 5))
    for t in T:
        rows = oracle.nearest(T, t, np.ones(5), 25)
        pooled += oracle.scatters(T, y, t, rows, [np.linalg.norm(T[n] - t) for n in rows])[1] / len(T)
    values, vectors = np.linalg.eigh(pooled)
    assert_allclose(fitted.eigenvalues_, values[::-1], rtol=1e-8)
    axes = (sphering @ vectors[:, :-3:-1]).T
    signs = np.sign((axes * fitted.components_).sum(axis=1))[:, None]
    assert_allclose(fitted.components_, axes * signs, rtol=1e-6, atol=1e-9)
    A, B = Z @ axes.T, there @ axes.T
    S = [oracle.dann_metric(A, y, q, 25, 1.0, 0.1) for q in B]
    check_votes(fitted, Q, [oracle.by_form(A, q, form, 3) for q, form in zip(B, S)], y)
    full = np.array([np.diag(axes.T @ form @ axes) for form in S])
    assert_allclose(fitted.local_relevance(Q), full / full.sum(axis=1, keepdims=True), rtol=1e-6)


def test_without_preference_all_are_plain_nearest_neighbours():
    """c = 0, a sharpness of 0: catalogued identities."""
    X, y, Q = problem(3, n=80, p=6)
    same = {"n_neighbors": 5, "standardize": False}
    plain = KNeighborsClassifier(5).fit(X, y).kneighbors(Q)
    for made in (fewer.ADAMENN(strength=0.0, **same), fewer.Scythe(sharpness=0.0, **same)):
        distances, index = made.fit(X, y).kneighbors(Q)
        assert_array_equal(index, plain[1])
        assert_allclose(distances * np.sqrt(6), plain[0])
        assert_allclose(made.local_relevance(Q), 1 / 6)


def test_infinite_sharpness_is_machete():
    X, y, Q = problem(5, n=90, p=5)
    one, other = fewer.Machete().fit(X, y), fewer.Scythe(sharpness=np.inf).fit(X, y)
    assert_array_equal(one.kneighbors(Q)[1], other.kneighbors(Q)[1])
    assert_allclose(other.local_relevance(Q), one.local_relevance(Q))


def test_large_epsilon_is_the_mahalanobis_distance():
    X, y, Q = problem(6, n=90, p=4)
    fitted = fewer.DANN(epsilon=1e9, shrinkage=0.0).fit(X, y)
    Z, q = scaled(fitted, X), scaled(fitted, Q)[0]
    rows = oracle.nearest(Z, q, np.ones(4), 50)
    W, _ = oracle.scatters(Z, y, q, rows, [np.linalg.norm(Z[n] - q) for n in rows])
    assert_allclose(fitted.metric_at(Q[:1])[0] / 1e9, np.linalg.inv(W), rtol=1e-6)


def test_metrics_look_along_what_separates():
    """Two classes apart along feature 0: forms without negative eigenvalues, the leading one along it."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (600, 5))
    y = (X[:, 0] > 0).astype(int)
    at = np.zeros((1, 5))
    form = fewer.DANN(shrinkage=0.0).fit(X, y).metric_at(at)[0]
    values, vectors = np.linalg.eigh(form)
    assert values[0] > 0
    assert abs(vectors[0, -1]) > 0.98
    assert_allclose(form, form.T)
    at[0, 0] = 0.15
    for name in LOCAL:
        weights = getattr(fewer, name)().fit(X, y).local_relevance(at)[0]
        assert weights.argmax() == 0, name
    assert fewer.Machete().fit(X, y).peels(at)[0].columns["feature"][0] == 0


def test_noise_has_less_than_its_share():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 6))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    mean = fewer.ADAMENN().fit(X, y).local_relevance(X).mean(axis=0)
    assert (mean[2:] < 1 / 6).all()
    assert (mean[:2] > 1 / 6).all()


@pytest.mark.parametrize("name", LOCAL)
def test_scales_and_origins_do_not_matter(name):
    X, y, Q = problem(7, n=80)
    plain = getattr(fewer, name)().fit(X, y)
    for factor, origin in ((1e-200, 0.0), (2.0**100, 0.0), (1.0, 2.0**30)):
        moved = getattr(fewer, name)().fit(X * factor + origin, y)
        assert_array_equal(moved.predict(Q * factor + origin), plain.predict(Q))
        assert_allclose(moved.local_relevance(Q * factor + origin), plain.local_relevance(Q), rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("name", LOCAL)
def test_degenerate_data(name):
    rng = np.random.default_rng(0)
    two = getattr(fewer, name)(1).fit([[0.0], [1.0]], ["a", "b"])
    assert two.predict([[0.1], [0.9]]).tolist() == ["a", "b"]
    constant = getattr(fewer, name)(3).fit(np.ones((6, 2)), [0, 1, 1, 0, 1, 1])
    assert constant.predict(np.ones((1, 2)))[0] == 1
    assert_allclose(constant.local_relevance(np.ones((1, 2))), 0.5)
    X = np.repeat(rng.normal(size=(10, 3)), 5, axis=0)
    X = np.column_stack([X, np.full(50, 7.0)])
    y = np.repeat(np.arange(10) % 2, 5)
    fitted = getattr(fewer, name)().fit(X, y)
    assert_array_equal(fitted.predict(X), y)
    assert (fitted.local_relevance(X)[:, 3] == 0).all()
    assert_allclose(fitted.local_relevance(X).sum(axis=1), 1.0)
    one_class = getattr(fewer, name)().fit(X, np.zeros(50))
    assert (one_class.predict(X) == 0).all()
    assert np.isfinite(fitted.kneighbors(X * 1e250)[0]).all()


@pytest.mark.parametrize("name", LOCAL)
def test_threads_and_blocks_change_nothing(name):
    X, y, _ = problem(8, n=150 if name == "LaMaNNa" else 300, n_classes=2)
    one, two = (getattr(fewer, name)(n_jobs=n).fit(X, y) for n in (1, 2))
    assert_array_equal(one.kneighbors(X)[1], two.kneighbors(X)[1])
    single = np.concatenate([one.kneighbors(X[i : i + 1])[1] for i in range(0, len(X), 37)])
    assert_array_equal(single, one.kneighbors(X)[1][::37])


@pytest.mark.parametrize("name", LOCAL)
def test_selection_is_the_mean_of_local_weights(name):
    X, y, _ = problem(9, n=120)
    fitted = getattr(fewer, name)().fit(X, y)
    assert "_late" not in vars(fitted)
    found = fitted.selection_
    assert found is fitted.selection_
    assert_allclose(found.scores, fitted.local_relevance(X).mean(axis=0), rtol=1e-9)
    assert "all training rows" in found.meta["data"]["notes"][-1]
    again = pickle.loads(pickle.dumps(clone(fitted).fit(X, y)))
    assert_allclose(again.selection_.scores, found.scores)
    many = np.tile(X, (5, 1)) + np.random.default_rng(0).normal(size=(600, 4)) * 0.01
    drawn = getattr(fewer, name)(random_state=1).fit(many, np.tile(y, 5))
    assert "500 of 600 training rows, drawn by random_state" in drawn.selection_.meta["data"]["notes"][-1]
    again = getattr(fewer, name)(random_state=1).fit(many, np.tile(y, 5)).selection_
    assert_array_equal(again.scores, drawn.selection_.scores)
    refitted = drawn.fit(X, y)
    assert_allclose(refitted.selection_.scores, found.scores)


def test_votes_of_equal_number_go_to_the_nearest():
    X = [[0.0], [1.0], [1.5], [9.0]]
    found = fewer.ADAMENN(4, strength=0.0).fit(X, ["z", "a", "a", "z"])
    assert found.predict([[0.2], [1.4]]).tolist() == ["z", "a"]
    assert_allclose(found.predict_proba([[0.2]]), [[0.5, 0.5]])


@pytest.mark.parametrize("name", LOCAL)
def test_refusals(name):
    with pytest.raises(ValueError, match="n_neighbors=5, but X has n_samples = 3"):
        getattr(fewer, name)().fit([[0.0], [1.0], [2.0]], [0, 1, 0])
    fitted = getattr(fewer, name)(1).fit([[0.0], [1.0], [2.0]], [0, 1, 0])
    for wrong in (0, 4):
        with pytest.raises(ValueError, match=f"looks for {wrong} neighbours"):
            fitted.kneighbors([[0.0]], wrong)
    with pytest.raises(AttributeError):
        _ = getattr(fewer, name)().selection_


def test_too_many_axes_are_refused():
    with pytest.raises(ValueError, match="n_components=3, but 2 features vary"):
        fewer.SubDANN(1, n_components=3).fit([[0.0, 1, 5], [1.0, 0, 5], [2.0, 2, 5]], [0, 1, 0])
