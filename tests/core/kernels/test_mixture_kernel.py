from __future__ import annotations

import numpy as np
import pytest

from fewer.core.kernels import mixture
from oracles.discretise import fit_mixture, log_density, mixture_likelihood


def fit(X, max_iter=200, tol=1e-6):
    columns = np.sort(np.ascontiguousarray(X.T, dtype=float), axis=1)
    d = len(columns)
    out = (*(np.empty((d, 2)) for _ in range(3)), np.empty(d, bool), np.empty(d, np.int64))
    mixture.fit_columns(columns, max_iter, tol, *out)
    return out


def test_exponentials():
    y = np.concatenate([[0.0, -1e-300, -700.0], -700 * np.random.default_rng(0).random(500)])
    fast = y.copy()
    mixture._exponentials(fast, len(fast))
    np.testing.assert_allclose(fast, np.exp(y), rtol=1e-15)


@pytest.mark.parametrize("steps", [1, 7, 30])
def test_equals_the_slow_fit_after_the_same_number_of_steps(steps):
    rng = np.random.default_rng(steps)
    upper = rng.random((80, 12)) < 0.35
    X = np.where(upper, rng.normal(5, 0.6, (80, 12)), rng.normal(0, 1.2, (80, 12))) * 10.0 ** np.arange(-3, 9)
    X[rng.random(X.shape) < 0.05] = np.nan
    weight, mean, variance, two_states, _ = fit(X, steps, 0.0)
    assert two_states.all()
    for j in range(12):
        _, w, m, v = fit_mixture(X[:, j], steps)
        np.testing.assert_allclose(weight[j], w, rtol=1e-6)
        np.testing.assert_allclose(mean[j], m, rtol=1e-6, atol=1e-6 * 10.0 ** (j - 3))
        np.testing.assert_allclose(variance[j], v, rtol=1e-6)


def test_likelihood_is_not_below_that_of_scikit_learn():
    from sklearn.mixture import GaussianMixture

    rng = np.random.default_rng(1)
    share = rng.uniform(0.2, 0.8, size=10)
    X = np.where(rng.random((150, 10)) < share, rng.normal(4, 1.5, (150, 10)), rng.normal(-1, 0.7, (150, 10)))
    weight, mean, variance, two_states, _ = fit(X)
    assert two_states.all()
    for j in range(10):
        peer = GaussianMixture(2, n_init=3, tol=1e-6, max_iter=500, random_state=0).fit(X[:, [j]])
        theirs = mixture_likelihood(X[:, j], peer.weights_, peer.means_.ravel(), peer.covariances_.ravel())
        assert mixture_likelihood(X[:, j], weight[j], mean[j], variance[j]) >= theirs - 0.01


def test_normal_values_have_one_component():
    X = np.random.default_rng(2).normal(3, 2, size=(100, 25))
    weight, mean, variance, two_states, _ = fit(X)
    assert two_states.mean() < 0.15
    one = ~two_states
    np.testing.assert_allclose(mean[one, 0], X.mean(axis=0)[one])
    np.testing.assert_allclose(variance[one, 0], X.var(axis=0)[one])
    assert (weight[one] == [1, 0]).all()
    assert np.isnan(mean[one, 1]).all()


def test_variances_do_not_fall_below_the_floor():
    X = np.r_[np.zeros(30), np.ones(50)][:, None]
    weight, mean, variance, two_states, _ = fit(X)
    assert two_states[0]
    np.testing.assert_allclose(weight[0], [30 / 80, 50 / 80], rtol=1e-6)
    np.testing.assert_allclose(mean[0], [0, 1], atol=1e-6)
    np.testing.assert_allclose(variance[0], 1e-3 * X.var())


def test_degenerate_columns():
    n = 40
    X = np.column_stack([np.full(n, 0.1), np.full(n, np.nan), np.r_[1.0, np.full(n - 1, np.nan)], np.zeros(n)])
    X = np.column_stack([X, np.r_[1.0, 2.0, np.full(n - 2, np.nan)], np.r_[np.zeros(n - 1), 1.0]])
    weight, mean, variance, two_states, _ = fit(X)
    assert not two_states[:5].any()
    assert mean[0, 0] == 0.1
    assert variance[0, 0] == 0
    assert np.isnan(mean[1, 0])
    assert np.isfinite(weight).all()


def test_follows_shift_and_positive_scale():
    rng = np.random.default_rng(5)
    X = np.where(rng.random((100, 8)) < 0.5, rng.normal(0, 1, (100, 8)), rng.normal(6, 2, (100, 8)))
    weight, mean, variance, two_states, _ = fit(X)
    weight2, mean2, variance2, two_states2, _ = fit(X * 1024 + 4096)
    assert (two_states == two_states2).all()
    np.testing.assert_allclose(weight2, weight, rtol=1e-6)
    np.testing.assert_allclose(mean2, mean * 1024 + 4096, rtol=1e-6)
    np.testing.assert_allclose(variance2, variance * 1024**2, rtol=1e-6)


def test_mirrored_values_give_mirrored_components():
    rng = np.random.default_rng(6)
    X = np.where(rng.random((101, 6)) < 0.3, rng.normal(0, 1, (101, 6)), rng.normal(8, 2, (101, 6)))
    weight, mean, variance, _, _ = fit(X, tol=1e-12, max_iter=2000)
    mirrored = fit(-X, tol=1e-12, max_iter=2000)
    np.testing.assert_allclose(mirrored[0][:, ::-1], weight, rtol=1e-4)
    np.testing.assert_allclose(-mirrored[1][:, ::-1], mean, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(mirrored[2][:, ::-1], variance, rtol=1e-3)


def test_two_components_must_earn_the_three_parameters_that_they_add():
    """BIC: a weight, two means and two variances against a mean and a variance."""
    rng = np.random.default_rng(0)
    upper = rng.random((60, 120)) < 0.4
    X = np.where(upper, rng.normal(2.6, 1, (60, 120)), rng.normal(0, 1, (60, 120)))
    two_states = fit(X, 40, 0.0)[3]
    gain = np.array([2 * (fit_mixture(x, 40)[0] - log_density(x, x.mean(), x.var()).sum()) for x in X.T])
    np.testing.assert_array_equal(two_states, gain > 3 * np.log(60))
    between = (gain > 2 * np.log(60)) & (gain < 3 * np.log(60))
    assert between.sum() >= 5
    assert ((gain > 3 * np.log(60)) & (gain < 4 * np.log(60))).sum() >= 5
