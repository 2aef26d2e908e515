"""Partial correlations in one loop against residuals of regressions."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from fewer.core.kernels.partial_sets import first_independent
from oracles.independence import partial_correlation


def run(X, x, target, sets, limit):
    width = max(map(len, sets))
    lines = np.array([[*given, *[-1] * (width - len(given))] for given in sets], np.int64)
    out = np.full((len(sets), 4), np.nan)
    limits, enough = np.full(width + 1, limit), np.ones(width + 1, bool)
    n = first_independent(np.corrcoef(X.T), x, target, lines, 1e-10, limits, enough, out)
    return n, out


def test_partial_correlations_are_those_of_residuals(rng):
    X = rng.normal(size=(60, 7)) @ (np.eye(7) + 0.5 * rng.normal(size=(7, 7)))
    sets = [given for size in range(6) for given in combinations([0, 2, 3, 5, 6], size)]
    n, out = run(X, 4, 1, sets, -1.0)
    assert n == len(sets)
    found = out[:, 0] / np.sqrt(out[:, 1] * out[:, 2])
    wanted = [partial_correlation(X[:, 4], X[:, 1], [X[:, j] for j in given]) for given in sets]
    np.testing.assert_allclose(found, wanted, atol=1e-10)
    assert out[:, 3].tolist() == list(map(len, sets))


def test_the_loop_stops_at_the_first_small_one_and_leaves_the_rest(rng):
    X = rng.normal(size=(60, 5))
    X[:, 1] += X[:, 0]
    X[:, 2] -= X[:, 0]
    n, out = run(X, 1, 2, [(3,), (4,), (0, 3), (3, 4)], 0.3)
    assert n == 3
    assert np.isnan(out[3]).all()


def test_columns_that_others_determine_do_not_count_and_leave_nothing(rng):
    X = rng.normal(size=(60, 5))
    X[:, 3] = X[:, 0] - 2.0 * X[:, 1]
    n, out = run(X, 2, 4, [(0, 1, 3)], -1.0)
    assert (n, out[0, 3]) == (1, 2.0)
    wanted = partial_correlation(X[:, 2], X[:, 4], [X[:, 0], X[:, 1]])
    np.testing.assert_allclose(out[0, 0] / np.sqrt(out[0, 1] * out[0, 2]), wanted, atol=1e-10)
    n, out = run(X, 3, 4, [(0,), (0, 1), (1,)], -1.0)
    assert n == 2
    assert out[1, 1] < 1e-10
