"""A solution that follows a matrix which loses x x', against one from nothing and inverses computed again."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.kernels.svm_dual import solve
from fewer.core.kernels.svm_follow import follow, lose_products


def problem(seed, n=12, d=200, C=1.0):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), np.where(np.arange(n) % 3 == 0, 1.0, -1.0)
    return X, (np.arange(n), y, -y, np.full(n, C), np.zeros(n))


@pytest.mark.parametrize("seed", range(5))
def test_a_solution_follows_features_that_leave(seed):
    X, (at, sign, cost, upper, a) = problem(seed)
    K, followed = X @ X.T, 0
    solve(K, at, sign, cost, upper, a, 1e-12, 10_000)
    free = np.flatnonzero((a > 0) & (a < upper))
    inverse = np.linalg.inv(K[np.ix_(free, free)])
    for j in range(10):
        lose_products(K, X[:, j].copy())
        np.testing.assert_allclose(K, X[:, j + 1 :] @ X[:, j + 1 :].T, atol=1e-12)
        before = a.copy()
        went = follow(K, X[:, j].copy(), at, sign, cost, upper, a, free, inverse)
        np.testing.assert_allclose(inverse, np.linalg.inv(K[np.ix_(free, free)]), rtol=1e-9, atol=1e-12)
        fresh = np.zeros(12)
        solve(K, at, sign, cost, upper, fresh, 1e-12, 10_000)
        gap, steps = solve(K, at, sign, cost, upper, before if not went else a.copy(), 1e-9, 10_000)
        if not went or steps:
            break
        followed += 1
        np.testing.assert_allclose(a, fresh, atol=1e-9)
        assert abs(float(sign @ a)) < 1e-14
    assert followed > 1


def test_what_cannot_follow_stays():
    X, (at, sign, cost, upper, a) = problem(0, d=40, C=0.005)
    # Without the feature that tells the classes best, entries would leave their bounds.
    X[:, 0] = 100.0 * sign
    K = X @ X.T
    solve(K, at, sign, cost, upper, a, 1e-12, 10_000)
    free, before = np.flatnonzero((a > 0) & (a < upper)), a.copy()
    inverse = np.linalg.inv(K[np.ix_(free, free)])
    lose_products(K, X[:, 0].copy())
    assert not follow(K, X[:, 0].copy(), at, sign, cost, upper, a, free, inverse)
    np.testing.assert_array_equal(a, before)
    few = free[:1]
    assert not follow(K, X[:, 1].copy(), at, sign, cost, upper, a, few, np.ones((1, 1)))
    # A feature without which the free rows have no inverse.
    assert not follow(K, np.ones(12), at, sign, cost, upper, a, free[:2], np.full((2, 2), 0.5))
    np.testing.assert_array_equal(a, before)
