"""The dual solver: against a general quadratic program, from near and far starts, on degenerate matrices."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.kernels.svm_dual import solve
from oracles.svm_rankers import program


def gap_of(K, at, sign, cost, upper, a):
    """Return the largest difference of gradients that optimality forbids, from nothing but its definition."""
    weights = np.bincount(at, sign * a, len(K))
    v = -(K @ weights)[at] - cost
    up = np.where(sign > 0, a < upper, a > 0)
    low = np.where(sign > 0, a > 0, a < upper)
    return max(0.0, v[up].max() - v[low].min())


def problem(kind, rng, n=14, d=5, C=1.0):
    """Return a kernel matrix, and the arrays of one of the three uses with a feasible start."""
    X = rng.normal(size=(n, d))
    K = X @ X.T
    y = np.where(np.arange(n) % 3 == 0, -1.0, 1.0)
    if kind == "classes":
        return K, np.arange(n), y, -y, np.full(n, C), np.zeros(n)
    if kind == "numbers":
        target = X[:, 0] + 0.3 * rng.normal(size=n)
        cost = np.concatenate([0.1 - target, -0.1 - target])
        return K, np.tile(np.arange(n), 2), np.repeat([1.0, -1.0], n), cost, np.full(2 * n, C), np.zeros(2 * n)
    return K, np.arange(n), np.ones(n), -0.5 * K.diagonal(), np.full(n, np.inf), np.full(n, 1.0 / n)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("C", [0.05, 1.0, 30.0])
@pytest.mark.parametrize("kind", ["classes", "numbers", "sphere"])
def test_the_solution_is_that_of_a_quadratic_program(kind, C, seed):
    K, at, sign, cost, upper, a = problem(kind, np.random.default_rng(seed), C=C)
    start = a.copy()
    gap, steps = solve(K, at, sign, cost, upper, a, 1e-10, 100_000)
    assert gap <= 1e-10 or gap <= 1e-12 * C * K.max() * len(K)
    assert gap_of(K, at, sign, cost, upper, a) <= 1e-8
    assert steps > 0
    assert (a >= 0).all()
    assert (a <= upper).all()
    assert sign @ a == pytest.approx(sign @ start, abs=1e-9)
    Q, p = np.outer(sign, sign) * K[np.ix_(at, at)], sign * cost
    other = program(Q, p, sign, upper, start)

    def value(b):
        return 0.5 * b @ Q @ b + p @ b

    # Ours is never worse; the general program stops a little earlier.
    assert value(a) <= value(other) + 1e-9
    assert value(a) == pytest.approx(value(other), rel=1e-4, abs=1e-6)


def test_a_start_at_the_solution_needs_no_step_and_a_near_one_few():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 400))
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    rest = (np.arange(60), y, -y, np.full(60, 1.0))
    a = np.zeros(60)
    _, cold = solve(X @ X.T, *rest, a, 1e-9, 100_000)
    assert solve(X @ X.T, *rest, a, 1e-8, 100_000)[1] == 0
    _, warm = solve(X[:, :-1] @ X[:, :-1].T, *rest, a, 1e-9, 100_000)
    assert warm < cold / 2


@pytest.mark.parametrize("rank", [0, 1, 2])
def test_flat_directions_end(rank):
    rng = np.random.default_rng(rank)
    X = np.repeat(rng.normal(size=(6, rank)), 5, axis=0)
    y = np.tile([1.0, -1.0, 1.0], 10)
    a, upper = np.zeros(30), np.full(30, 2.0)
    gap, _ = solve(X @ X.T, np.arange(30), y, -y, upper, a, 1e-9, 100_000)
    assert gap <= 1e-9
    assert gap_of(X @ X.T, np.arange(30), y, -y, upper, a) <= 1e-9


def test_too_few_steps_say_what_is_left():
    K, at, sign, cost, upper, a = problem("classes", np.random.default_rng(1), n=40, d=3, C=100.0)
    gap, steps = solve(K, at, sign, cost, upper, a, 1e-9, 3)
    assert gap > 1e-3
    assert steps <= 4
