"""Gaussian mixtures against plain loops, scikit-learn and closed forms; the likelihood never falls."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.mixture import GaussianMixture

from common.examples import EXAMPLES
from fewer.core.clustering.gaussian_merging import bic_gaussians, merged
from fewer.core.clustering.gaussians import Climb, climb, fit_gaussians, started_gaussians
from fewer.core.clustering.standard_columns import distinct_rows, standard_columns
from oracles import mixtures as oracle


def start(rng, n, k):
    return rng.dirichlet(np.ones(k), n)


@pytest.mark.parametrize("diagonal", [False, True])
@pytest.mark.parametrize("ridge", [1e-6, 0.1, "by column"])
@pytest.mark.parametrize("d", [1, 2, 4])
def test_every_step_agrees_with_plain_loops(rng, diagonal, ridge, d):
    ridge = np.array([0.01, 0.3, 1e-3, 0.1])[:d] if ridge == "by column" else ridge
    X = rng.normal(size=(25, d)) + 3 * rng.integers(0, 2, (25, 1))
    found = fit_gaussians(X, start(rng, 25, 3), Climb(diagonal, ridge, 0.0, 0))
    weights, means, covariances, parts, history = oracle.gaussian_steps(
        X, found.weights, found.means, found.covariances, diagonal, ridge, 4
    )
    again = climb(X, found.weights, found.means, found.covariances, Climb(diagonal, ridge, -np.inf, 4))
    np.testing.assert_allclose(again.history, history, rtol=1e-9)
    np.testing.assert_allclose(again.weights, weights, rtol=1e-8)
    np.testing.assert_allclose(again.means, means, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(again.covariances, covariances, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(again.memberships, parts, rtol=1e-7, atol=1e-9)
    assert again.log_densities(X).sum() == pytest.approx(again.log_likelihood(X), rel=1e-10)


@pytest.mark.parametrize("diagonal", [False, True])
def test_the_likelihood_never_falls(diagonal):
    for seed in range(30 * EXAMPLES):
        rng = np.random.default_rng(seed)
        n, d, k = int(rng.integers(2, 60)), int(rng.integers(1, 5)), int(rng.integers(1, 6))
        X, _ = standard_columns(rng.normal(size=(n, d)).round(int(rng.integers(0, 3))))
        for ridge in (1e-6, 1e-2):
            found = fit_gaussians(X, start(rng, n, k), Climb(diagonal, ridge, -np.inf, 60))
            assert (np.diff(found.history) >= -1e-9 * (1 + np.abs(found.history[1:]))).all()
            np.testing.assert_allclose(found.memberships.sum(axis=1), 1.0)
            assert np.isfinite(found.covariances).all()
    # Without a ridge, where nothing collapses, it is the plain likelihood.
    X = np.random.default_rng(0).normal(size=(200, 2))
    found = fit_gaussians(X, start(np.random.default_rng(1), 200, 2), Climb(diagonal, 0.0, -np.inf, 40))
    assert (np.diff(found.history) >= -1e-9).all()
    assert found.history[-1] == pytest.approx(found.log_likelihood(X))


@pytest.mark.parametrize("kind", ["full", "diag"])
def test_it_goes_where_scikit_learn_goes(rng, kind):
    X = np.vstack([rng.normal(size=(60, 3)), rng.normal(size=(40, 3)) + 4])
    first = fit_gaussians(X, start(rng, 100, 2), Climb(kind == "diag", 1e-6, 0.0, 1))
    precisions = np.linalg.inv(first.covariances)
    if kind == "diag":
        precisions = np.array([np.diag(p) for p in precisions])
    other = GaussianMixture(
        2,
        covariance_type=kind,
        tol=1e-10,
        max_iter=500,
        weights_init=first.weights,
        means_init=first.means,
        precisions_init=precisions,
    ).fit(X)
    mine = climb(X, first.weights, first.means, first.covariances, Climb(kind == "diag", 1e-6, 1e-10, 500))
    np.testing.assert_allclose(mine.means, other.means_, atol=1e-3)
    assert mine.log_likelihood(X) == pytest.approx(100 * other.score(X), rel=1e-6)
    assert -2 * mine.bic(X) == pytest.approx(other.bic(X), rel=1e-6)


def test_one_component_is_mean_and_biased_covariance(rng):
    X = rng.normal(size=(50, 3))
    found = fit_gaussians(X, np.ones((50, 1)), Climb(ridge=1e-9))
    np.testing.assert_allclose(found.means[0], X.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(found.covariances[0], np.cov(X, rowvar=False, bias=True), atol=1e-8)


def test_given_starts_make_it_follow_permutations(rng):
    X, parts = rng.normal(size=(40, 3)) + 2 * rng.integers(0, 2, (40, 1)), start(rng, 40, 3)
    found = fit_gaussians(X, parts)
    rows, columns, clusters = rng.permutation(40), rng.permutation(3), rng.permutation(3)
    again = fit_gaussians(X[rows][:, columns], parts[rows][:, clusters])
    np.testing.assert_allclose(again.means, found.means[clusters][:, columns], atol=1e-6)
    np.testing.assert_allclose(again.memberships, found.memberships[rows][:, clusters], atol=1e-6)


def dim_dependent(n, seed):
    """Three clusters, two of which coincide in the first column (fig. 2.6)."""
    rng = np.random.default_rng(seed)
    centres = np.array([(0, 0), (0, 6), (6, 3)])[rng.integers(0, 3, n)]
    return standard_columns(centres + rng.normal(size=(n, 2)))[0]


@pytest.mark.parametrize("seed", range(4))
def test_bic_finds_two_clusters_in_one_column_and_three_in_both(seed):
    Z, rng = dim_dependent(300, seed), np.random.default_rng(0)
    assert len(bic_gaussians(Z[:, :1], 10, 10, rng).best) == 2
    assert len(bic_gaussians(Z, 10, 10, rng).best) == 3
    noise = standard_columns(np.random.default_rng(seed).normal(size=(200, 2)))[0]
    assert len(bic_gaussians(noise, 10, 10, rng).best) == 1


def test_bic_is_that_of_its_definition_and_sizes_fall_by_one(rng):
    Z = dim_dependent(120, 0)
    found = bic_gaussians(Z, 5, 3, rng)
    assert found.sizes.tolist() == [5, 4, 3, 2, 1]
    d = 2
    for how in (Climb(), Climb(diagonal=True)):
        model = started_gaussians(Z, 3, 2, rng, how)
        free = 2 + 3 * (2 * d if how.diagonal else d + d * (d + 1) // 2)
        assert model.bic(Z) == pytest.approx(model.log_likelihood(Z) - 0.5 * free * np.log(120))
    assert found.bic.max() == pytest.approx(found.best.bic(Z))


def test_the_two_nearest_components_are_merged_to_their_common_moments(rng):
    X = np.vstack([rng.normal(size=(30, 2)), rng.normal(size=(30, 2)) + 0.5, rng.normal(size=(30, 2)) + 9])
    model = fit_gaussians(X, np.repeat(np.eye(3), 30, axis=0), Climb(ridge=1e-9, max_iter=0))
    weights, means, covariances = merged(model)
    np.testing.assert_allclose(weights, [2 / 3, 1 / 3])
    np.testing.assert_allclose(means[0], X[:60].mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(covariances[0], np.cov(X[:60], rowvar=False, bias=True), atol=1e-8)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_more_components_than_rows_and_rows_that_repeat(rng, n):
    for X in (rng.normal(size=(n, 2)), np.ones((n, 2)), np.zeros((n, 1))):
        found = bic_gaussians(X, 10, 3, rng)
        assert len(found.best) <= n
        assert np.isfinite(found.bic).all()
        assert np.isfinite(found.best.memberships).all()


def test_standard_columns_keep_digits_and_range():
    rng = np.random.default_rng(0)
    X = rng.integers(-8, 9, (40, 3)).astype(float)
    Z, constant = standard_columns(X)
    np.testing.assert_allclose((Z.mean(axis=0), Z.std(axis=0)), ([0] * 3, [1] * 3), atol=1e-12)
    for other in (1e9 + X * 2.0**-20, X * 1e150, X * 1e-300, X * 1e307):
        np.testing.assert_allclose(standard_columns(other)[0], Z, atol=1e-9)
    assert not constant.any()
    assert standard_columns(np.full((4, 2), 3))[1].all()
    assert distinct_rows(np.array([[0.0], [-0.0], [1.0]]), 5).tolist() == [0, 2]


def test_units_shift_the_likelihood_by_their_logarithm(rng):
    """A column times a: the log-likelihood changes by -M ln|a| for the same division."""
    X, parts = rng.normal(size=(80, 2)), start(rng, 80, 2)
    how = Climb(ridge=0.0, max_iter=0)
    before = fit_gaussians(X, parts, how).log_likelihood(X)
    for a in (1e-3, -7.0):
        scaled = X * np.array([a, 1.0])
        after = fit_gaussians(scaled, parts, how).log_likelihood(scaled)
        assert after - before == pytest.approx(-80 * np.log(abs(a)), rel=1e-9)
