"""COSA against loops over pairs and columns, its limits, and planted subspaces."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scipy.spatial.distance import squareform
from sklearn.metrics import adjusted_rand_score

import fewer
from fewer.core.clustering.attribute_weights import log_softmax, mean_gap
from fewer.core.kernels.attribute_distances import soft_distances
from oracles import subspaces as oracle

EXAMPLES = int(os.environ.get("FEWER_EXAMPLES", "1"))


@pytest.mark.parametrize("seed", range(5 * EXAMPLES))
def test_weights_and_distances_are_those_of_plain_loops(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(14, 4)) * [1, 10, 0.1, 3]
    scale, k = [0.2, 0.5, 3.0][seed % 3], 4
    found = fewer.COSA(2, weight_scale=scale, n_neighbors=k, max_iter=3, tol=1e-9).fit(X)
    weights, away, eta = oracle.cosa(X.tolist(), scale, k, 3)
    np.testing.assert_allclose(found.row_weights_, weights, rtol=1e-8)
    np.testing.assert_allclose(squareform(found.distances_), away, rtol=1e-7, atol=1e-12)
    assert found.eta_ == pytest.approx(eta)


def distance(gaps, weights, eta):
    """Return the distance of two rows with the same weights."""
    out = np.empty(1)
    with np.errstate(divide="ignore"):
        both = np.array([weights, weights])
        soft_distances(np.array([np.zeros(len(gaps)), gaps]), both, np.log(both), eta, out)
    return out[0]


def test_the_soft_distance_lies_between_the_least_gap_and_the_weighted_mean():
    rng = np.random.default_rng(0)
    for _ in range(50):
        gaps, weights = rng.random(5) * 3, rng.dirichlet(np.ones(5))
        mean, before = float(gaps @ weights), 0.0
        for eta in (0.01, 0.1, 1.0, 10.0, 1e3, 1e6):
            here = distance(gaps, weights, eta)
            assert gaps.min() - 1e-9 <= here <= mean + 1e-9
            assert here >= before - 1e-9
            before = here
        assert before == pytest.approx(mean, rel=1e-5)
        assert distance(gaps, weights, 1e-5) == pytest.approx(gaps.min(), abs=1e-3)
        if gaps.max() / 0.3 < 500:
            assert distance(gaps, weights, 0.3) == pytest.approx(oracle.soft_distance(gaps, weights, 0.3))
    # A sum that would underflow, and columns of no weight.
    assert distance(np.array([900.0, 1000.0]), np.array([0.5, 0.5]), 0.1) == pytest.approx(900 + 0.1 * np.log(2))
    assert distance(np.array([0.0, 2.0]), np.array([0.0, 1.0]), 0.5) == pytest.approx(2.0)
    assert distance(np.array([0.0, 900.0]), np.array([0.0, 1.0]), 1.0) == pytest.approx(900.0)
    assert distance(np.array([0.0, 900.0]), np.array([1e-300, 1.0]), 1.0) == pytest.approx(300 * np.log(10))


def test_large_scale_gives_equal_weights_and_small_all_to_the_closest_column():
    X = np.random.default_rng(1).normal(size=(40, 5))
    equal = fewer.COSA(2, weight_scale=1e9).fit(X)
    np.testing.assert_allclose(equal.row_weights_, 0.2, rtol=1e-6)
    assert len(equal.selection_.indices) == 5
    for scale in (1e-6, 1e-300):
        one = fewer.COSA(2, weight_scale=scale).fit(X)
        np.testing.assert_allclose(one.row_weights_.max(axis=1), 1.0)
    spread = np.array([[3.0, 1.0, 2.0]])
    np.testing.assert_allclose(np.exp(log_softmax(spread, 1e-4)), [[0, 1, 0]])
    np.testing.assert_allclose(np.exp(log_softmax(spread, 1.0)), np.exp(-spread) / np.exp(-spread).sum())


def test_weights_sum_to_one_and_constant_columns_have_none():
    X = np.random.default_rng(2).normal(size=(30, 4))
    X[:, 2] = 1e9
    found = fewer.COSA(3).fit(X)
    for weights in (found.row_weights_, found.weights_):
        assert (weights >= 0).all()
        np.testing.assert_allclose(weights.sum(axis=1), 1.0)
        assert (weights[:, 2] == 0).all()
    plain = fewer.COSA(3).fit(X[:, [0, 1, 3]])
    np.testing.assert_array_equal(plain.labels_, found.labels_)
    np.testing.assert_array_equal(plain.distances_, found.distances_)


def test_planted_subspaces_are_found():
    for seed in range(3):
        data = fewer.synth.make_subspace_clusters(150, 3, 3, n_background=0, random_state=seed)
        found = fewer.COSA(3).fit(data.X)
        assert adjusted_rand_score(data.y, found.labels_) > 0.95
        assert sorted(found.selection_.indices.tolist()) == list(range(9))
        for c in range(3):
            own = int(np.bincount(data.y[found.labels_ == c]).argmax())
            assert sorted(np.argsort(-found.weights_[c])[:3].tolist()) == list(range(3 * own, 3 * own + 3))


def test_units_and_the_order_of_rows_and_columns_do_not_matter():
    data = fewer.synth.make_subspace_clusters(80, 2, 3, n_background=0, random_state=5)
    first = fewer.COSA(2, max_iter=4).fit(data.X)
    order, rows = np.random.default_rng(0).permutation(10), np.random.default_rng(1).permutation(80)
    other = fewer.COSA(2, max_iter=4).fit((data.X * 2.0 ** np.arange(10) + 8)[rows][:, order])
    assert adjusted_rand_score(first.labels_[rows], other.labels_) == 1.0
    np.testing.assert_allclose(first.row_weights_[rows][:, order], other.row_weights_, rtol=1e-6, atol=1e-9)


def test_mean_gap_is_that_of_all_pairs():
    for n in (1, 2, 3, 40):
        x = np.random.default_rng(n).normal(size=n)
        pairs = [abs(a - b) for i, a in enumerate(x) for b in x[:i]]
        assert mean_gap(x) == pytest.approx(np.mean(pairs) if pairs else 0.0)


def test_memory_is_that_of_pairs_not_of_pairs_and_columns():
    import tracemalloc

    X = np.random.default_rng(0).normal(size=(300, 60))
    fewer.COSA(2, max_iter=1).fit(X)
    tracemalloc.start()
    fewer.COSA(2, max_iter=1).fit(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * (300 * 300 * 3 + 300 * 60 * 12)
