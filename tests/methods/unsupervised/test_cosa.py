"""COSA against loops over pairs and columns, its limits, and planted subspaces."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import squareform
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

import fewer
from common.examples import EXAMPLES
from fewer.core.clustering.attribute_weights import log_softmax, mean_gap, tree_labels
from fewer.core.kernels.attribute_distances import soft_distances
from oracles import subspaces as oracle

# Most runs here are cut short on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:COSA stopped")


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


def test_distances_are_weighted_means_whatever_the_scale():
    X = np.random.default_rng(1).random((20, 3))
    want = fewer.COSA(2, weight_scale=1e6).fit(X)
    for scale in (1e12, 1e17, 1e300, 1e308):
        np.testing.assert_allclose(fewer.COSA(2, weight_scale=scale).fit(X).distances_, want.distances_, rtol=1e-5)
    small = fewer.COSA(2, weight_scale=1e-10).fit(X)
    for scale in (1e-300, 5e-324):
        np.testing.assert_allclose(fewer.COSA(2, weight_scale=scale).fit(X).distances_, small.distances_, rtol=1e-6)


def test_neighbours_are_by_default_the_square_root_of_the_rows():
    X = np.random.default_rng(3).random((30, 3))
    default, five = fewer.COSA(2, max_iter=2).fit(X), fewer.COSA(2, n_neighbors=5, max_iter=2).fit(X)
    np.testing.assert_array_equal(default.row_weights_, five.row_weights_)
    assert not np.array_equal(five.row_weights_, fewer.COSA(2, n_neighbors=6, max_iter=2).fit(X).row_weights_)


def test_weights_that_have_not_settled_are_told():
    X = fewer.synth.make_subspace_clusters(60, n_background=0, random_state=1).X
    with pytest.warns(ConvergenceWarning, match="max_iter=2 while weights still changed by .* raise max_iter or tol"):
        fewer.COSA(2, max_iter=2).fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = fewer.COSA(2).fit(X)
    assert found.n_iter_ < 100
    assert found.moves_[-1] <= 0.01


def test_there_are_as_many_clusters_as_asked_for_unless_rows_are_the_same():
    # All distances are equal.
    assert [len(set(fewer.COSA(k).fit(np.eye(6)).labels_)) for k in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    twice = np.repeat(np.random.default_rng(0).random((3, 4)), 4, axis=0)
    np.testing.assert_array_equal(fewer.COSA(5).fit(twice).labels_, np.repeat([0, 1, 2], 4))
    for seed in range(20):
        tree = linkage(np.random.default_rng(seed).random(45), ("average", "single", "complete")[seed % 3])
        for k in range(1, 11):
            labels = tree_labels(tree, k)
            # fcluster of scipy 1.13 makes 8 clusters of 10 rows where 9 or 10 are asked for.
            assert adjusted_rand_score(labels, cut_tree(tree, k).ravel()) == 1.0
            assert list(dict.fromkeys(labels.tolist())) == list(range(k))


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
