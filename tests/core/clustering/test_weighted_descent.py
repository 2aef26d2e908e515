"""Descents of weighted k-means: against loops, never up, ties, scales, sparse rows."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse

from fewer.core.clustering.centres import Centres, nearest, updated
from fewer.core.clustering.descent import Descent, average_dispersion
from fewer.core.clustering.optimal_weights import ConjugateWeights
from fewer.core.clustering.points import Frame
from fewer.core.clustering.weightings import (
    ClusterPowerWeights,
    EntropyWeights,
    FixedWeights,
    PowerWeights,
    power_weights,
)
from oracles import weighted_clusters as oracle

# Table 10.1 of the book.
TABLE = np.array(
    [[1, 2, 3, 0, 6], [2, 3, 1, 0, 6], [3, 1, 2, 0, 6], [0, 0, 1, 3, 2], [0, 0, 2, 1, 3], [0, 0, 3, 2, 1]], float
)


def points_of(X, nominal=None):
    nominal = np.zeros(X.shape[1], bool) if nominal is None else np.asarray(nominal)
    return Frame.of(X, nominal).place(X)


def run(points, rule, rows, max_iter=100):
    weights = rule.start(points.frame.varying, len(rows))
    return Descent(points, rule, Centres.at_rows(points, rows), weights).run(max_iter)


def never_up(found):
    """The objective falls in every iteration that starts no cluster again."""
    steps = np.diff(found.path)
    assert all(step < 0 or new for step, new in zip(steps, found.reseeded[1:])), found.path


# --- Facts of the source ---


@pytest.mark.parametrize(
    ("beta", "weights", "objective"),
    [
        (2.0, (0.571429, 0.285714, 0.142857), 0.571429),
        (1.5, (0.761905, 0.190476, 0.047619), 0.872872),
    ],
)
def test_weights_of_three_dispersions(beta, weights, objective):
    D = np.array([1.0, 2.0, 4.0])
    found = power_weights(D, beta)
    np.testing.assert_allclose(found, weights, atol=5e-7)
    assert (found**beta) @ D == pytest.approx(objective, abs=5e-7)
    # The closed form of the minimum.
    assert (found**beta) @ D == pytest.approx((D ** (-1 / (beta - 1))).sum() ** (1 - beta))


def test_weights_with_a_negative_power():
    found = power_weights(np.array([1.0, 2.0, 4.0]), -1.0)
    np.testing.assert_allclose(found, (0.226541, 0.320377, 0.453082), atol=5e-7)
    np.testing.assert_allclose(1 / found, (4.414214, 3.121320, 2.207107), atol=2e-5)


def test_weights_are_the_smallest_on_the_simplex(rng):
    for beta in (1.2, 2.0, 5.0, -0.5, -3.0):
        D = rng.random(5) + 0.05
        best = (power_weights(D, beta) ** beta) @ D
        for w in rng.dirichlet(np.ones(5), 200):
            assert (w**beta) @ D >= best * (1 - 1e-12)


def test_limits_of_the_weights():
    np.testing.assert_allclose(power_weights(np.full(7, 3.0), 2.0), 1 / 7)
    assert power_weights(np.array([0.0, 2.0, 1.0]), 2.0)[0] == 0
    assert power_weights(np.array([3.0, 1.0, 1.0]), 1.0).tolist() == [0, 1, 0]
    # Powers of a hundred thousand do not overflow.
    np.testing.assert_allclose(power_weights(np.array([1.0, 2.0]), 1.00001), [1, 0], atol=1e-12)
    np.testing.assert_allclose(power_weights(np.array([1e-200, 1e200]), 2.0), [1, 0], atol=1e-12)


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
@pytest.mark.parametrize(("beta", "low", "high"), [(2.0, 0.174194, 0.238710), (1.5, 0.148020, 0.277970)])
def test_all_starts_of_table_10_1_end_in_its_two_clusters(form, beta, low, high):
    points = points_of(form(TABLE))
    sigma = average_dispersion(points)
    assert sigma == pytest.approx(1.8)
    rule = ClusterPowerWeights(np.full(5, 0.2), beta, sigma)
    for rows in itertools.combinations(range(6), 2):
        found = run(points, rule, rows)
        never_up(found)
        first = found.labels[0]
        assert (found.labels == first).tolist() == [True] * 3 + [False] * 3, rows
        np.testing.assert_allclose(found.weights[first], [low, low, low, high, high], atol=5e-7)
        np.testing.assert_allclose(found.weights[1 - first], [high, high, low, low, low], atol=5e-7)


def test_dispersions_of_table_10_1():
    points = points_of(TABLE)
    labels = np.array([0, 0, 0, 1, 1, 1])
    _, D = updated(points, labels, Centres.at_rows(points, [0, 3]))
    np.testing.assert_allclose(D, [[2, 2, 2, 0, 0], [0, 0, 2, 2, 2]], atol=1e-12)
    np.testing.assert_allclose(D + 3 * 1.8, [[7.4] * 3 + [5.4] * 2, [5.4] * 2 + [7.4] * 3])
    np.testing.assert_allclose(power_weights(D.sum(axis=0), 2.0), np.array([2, 2, 1, 2, 2]) / 9)


# --- Against plain loops ---

RULES = {
    "global": lambda d, p, s: PowerWeights(np.full(d, 1 / d), p),
    "cluster": lambda d, p, s: ClusterPowerWeights(np.full(d, 1 / d), p, s),
    "entropy": lambda d, p, s: EntropyWeights(np.full(d, 1 / d), p),
}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", RULES)
def test_descents_agree_with_loops(kind, seed):
    rng = np.random.default_rng(seed)
    n, d, k = 40, 4, 3
    X = rng.normal(size=(n, d))
    X[:, 0] += 6 * (np.arange(n) % 3)
    X[:, 2] += 4 * (np.arange(n) % 3 == 1)
    parameter = {"global": (2.0, 1.5, -1.0)[seed % 3], "cluster": (2.0, 1.3, -2.0)[seed % 3], "entropy": 5.0}[kind]
    sigma = 0.7 if kind == "cluster" else 0.0
    labels, weights, path = oracle.descend(X.tolist(), X[:k].tolist(), kind, parameter, sigma)
    for form in (np.asarray, scipy.sparse.csr_array):
        found = run(points_of(form(X)), RULES[kind](d, parameter, sigma), range(k))
        assert found.labels.tolist() == labels
        np.testing.assert_allclose(found.weights, weights if kind != "global" else weights[:1], rtol=1e-9)
        np.testing.assert_allclose(found.told(found.path), path, rtol=1e-9)
        never_up(found)


@pytest.mark.parametrize("seed", range(4))
def test_modes_and_prototypes_agree_with_loops(seed):
    rng = np.random.default_rng(seed)
    n = 60
    group = np.arange(n) % 3
    codes = np.where(rng.random((n, 3)) < 0.8, group[:, None], rng.integers(0, 4, (n, 3)))
    X = np.column_stack([rng.normal(size=n) + 3 * group, codes[:, 0], rng.normal(size=n), codes[:, 1:]]).astype(float)
    nominal = [False, True, False, True, True]
    for columns in ([0, 1, 2, 3, 4], [1, 3, 4]):
        part, marks = X[:, columns], [nominal[j] for j in columns]
        labels, weights, path = oracle.descend(part.tolist(), part[:3].tolist(), "global", 2.0, nominal=marks)
        found = run(points_of(part, marks), PowerWeights(np.full(len(columns), 1 / len(columns)), 2.0), range(3))
        assert found.labels.tolist() == labels
        np.testing.assert_allclose(found.weights[0], weights[0], rtol=1e-9)
        np.testing.assert_allclose(found.told(found.path), path, rtol=1e-9)
        never_up(found)


# --- What must hold on any data ---


def odd_data():
    rng = np.random.default_rng(5)
    yield "few values", rng.integers(0, 3, (80, 4)).astype(float)
    yield "two values", rng.integers(0, 2, (60, 6)).astype(float)
    yield "copies", np.repeat(rng.integers(0, 2, (6, 3)), 8, axis=0).astype(float)
    yield "constant column", np.column_stack([np.full(50, 3.3), rng.normal(size=(50, 3))])
    yield "far row", np.vstack([rng.normal(size=(50, 3)), [[1e8, -1e8, 1e8]]])
    yield "offset", 1e9 + rng.normal(size=(50, 3)) + 5 * (np.arange(50)[:, None] % 2)
    yield "large", 1e150 * rng.normal(size=(40, 3))
    yield "small", 1e-150 * rng.normal(size=(40, 3))
    yield "counts", rng.poisson(0.3, (60, 30)).astype(float)


def all_rules(points):
    d = points.n_features
    start, unit = np.full(d, 1 / d), float(np.median(np.abs(points.numbers[points.numbers != 0]))) ** 2
    yield FixedWeights(np.ones(d))
    for beta in (1.0, 1.05, 2.0, 8.0, -1.0, 0.0):
        yield PowerWeights(start, beta)
    for beta, sigma in ((2.0, average_dispersion(points)), (1.2, average_dispersion(points)), (2.0, 0.0)):
        yield ClusterPowerWeights(start, beta, sigma)
    yield EntropyWeights(start, unit)
    yield ConjugateWeights(start, 2)


@pytest.mark.parametrize("case", list(odd_data()), ids=lambda case: case[0])
@pytest.mark.parametrize("k", [2, 5, 12])
def test_objectives_never_rise_and_rows_are_at_their_nearest_centres(case, k):
    X = case[1]
    for rule in all_rules(points_of(X)):
        for seed in range(3):
            points = points_of(X)
            rows = np.random.default_rng(seed).choice(len(X), k, replace=False)
            found = run(points, rule, rows)
            never_up(found)
            assert np.isfinite(found.path).all()
            assert np.isfinite(found.weights).all()
            np.testing.assert_array_equal(found.labels, found.nearest(points))
            # Rows alone are assigned as rows among others.
            some = np.random.default_rng(seed).permutation(len(X))[:7]
            np.testing.assert_array_equal(found.nearest(points.rows(some)), found.labels[some])
            if not isinstance(rule, FixedWeights) or type(rule) is not FixedWeights:
                assert (found.weights[:, ~points.frame.varying] == 0).all()
                np.testing.assert_allclose(found.weights.sum(axis=1), 1, rtol=1e-9)


@pytest.mark.parametrize("case", ["few values", "two values", "copies", "counts", "far row"])
def test_sparse_rows_descend_as_dense_ones(case):
    X = dict(odd_data())[case]
    dense, sparse = points_of(X), points_of(scipy.sparse.csr_array(X))
    for rule in (*all_rules(dense),):
        a, b = run(dense, rule, [0, 9, 20]), run(sparse, rule, [0, 9, 20])
        np.testing.assert_array_equal(a.labels, b.labels)
        np.testing.assert_allclose(a.weights, b.weights, rtol=1e-6, atol=1e-12)


def test_nearest_beside_one_long_row():
    """A centre far away takes no digits from the distances to others, dense or sparse."""
    rng = np.random.default_rng(1)
    X = np.vstack([rng.random((200, 20)) * (rng.random((200, 20)) < 0.3), np.full((1, 20), 1e9)])
    weights = rng.random((4, 20)) + 0.1
    for form in (np.asarray, scipy.sparse.csr_array):
        points = points_of(form(X))
        centres = Centres.at_rows(points, [200, 5, 17, 60])
        expected = [
            oracle.nearest(row, X[[200, 5, 17, 60]].tolist(), weights.tolist(), 1.0, 0.0, [False] * 20)
            for row in X.tolist()
        ]
        assert nearest(points, centres, weights).tolist() == expected


def test_an_offset_changes_nothing():
    rng = np.random.default_rng(2)
    X = np.round(rng.normal(size=(60, 4)) * 256 + 900 * (np.arange(60)[:, None] % 2)) / 256
    near, far = (run(points_of(X + shift), PowerWeights(np.full(4, 0.25), 2.0), [0, 1]) for shift in (0.0, 2.0**30))
    np.testing.assert_array_equal(near.labels, far.labels)
    np.testing.assert_allclose(near.weights, far.weights, rtol=1e-9)


def test_a_constant_column_changes_nothing():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 3)) + 4 * (np.arange(60)[:, None] % 2) * [1, 0, 1]
    more = np.column_stack([X[:, :2], np.full(60, 1e6), X[:, 2]])
    kept = [0, 1, 3]
    pairs = zip(all_rules(points_of(X)), all_rules(points_of(more)))
    for i, (a, b) in enumerate(pairs):
        if isinstance(a, EntropyWeights):
            b = EntropyWeights(b.weights, a.gamma)
        plain, wide = run(points_of(X), a, [0, 1]), run(points_of(more), b, [0, 1])
        np.testing.assert_array_equal(plain.labels, wide.labels, err_msg=str(i))
        np.testing.assert_allclose(plain.weights, wide.weights[:, kept], rtol=1e-9)


def test_an_empty_cluster_starts_again_at_the_farthest_row():
    X = np.array([[0.0], [0.1], [0.2], [5.0], [9.0]])
    points = points_of(X)
    centres = Centres(np.array([[0.1], [100.0]]), np.zeros((2, 0), np.int64))
    rule = FixedWeights(np.ones(1))
    found = Descent(points, rule, centres, rule.start(points.frame.varying, 2)).run(1)
    assert found.reseeded == [1]
    assert found.labels.tolist() == [0, 0, 0, 0, 1]
    assert found.table().columns["clusters started again"] == [1]


def test_more_clusters_than_different_rows_leave_some_empty():
    X = np.repeat([[0.0, 1.0], [5.0, 2.0]], 5, axis=0)
    found = run(points_of(X), PowerWeights(np.full(2, 0.5), 2.0), [0, 1, 5, 6])
    assert len(np.unique(found.labels)) == 2
    assert found.objective == 0


def test_a_column_that_tells_all_clusters_keeps_its_weight():
    """With its weight taken away, as eq. 10.8 says, the objective would rise."""
    rng = np.random.default_rng(4)
    group = np.arange(40) % 2
    X = np.column_stack([group * 10.0, rng.normal(size=(40, 3))])
    found = run(points_of(X), PowerWeights(np.full(4, 0.25), 2.0), [0, 1])
    never_up(found)
    assert found.weights[0, 0] == 0.25
    np.testing.assert_array_equal(found.labels, group)


def test_limits_of_offset_and_entropy():
    points = points_of(TABLE)
    flat = run(points, ClusterPowerWeights(np.full(5, 0.2), 2.0, 1e12), [0, 3])
    np.testing.assert_allclose(flat.weights, 0.2, rtol=1e-9)
    np.testing.assert_allclose(run(points, EntropyWeights(np.full(5, 0.2), 1e12), [0, 3]).weights, 0.2, rtol=1e-9)
    X = np.random.default_rng(0).normal(size=(40, 5))
    sharp = run(points_of(X), EntropyWeights(np.full(5, 0.2), 1e-9), [0, 3])
    assert (sharp.weights.max(axis=1) == 1).all()
    assert (sharp.weights.argmax(axis=1) == sharp.dispersions.argmin(axis=1)).all()
