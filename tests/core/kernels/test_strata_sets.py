"""G of one pair within the strata of one set after another, against tables counted stratum by stratum."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from fewer.core.kernels.strata_sets import first_independent
from fewer.core.measures.count_logs import CountLogs
from oracles.independence import stratified_test


def run(codes, x, target, sets, limit, skipped=()):
    columns, logs = np.ascontiguousarray(codes.T.astype(np.uint8)), CountLogs.up_to(len(codes))
    levels = np.append(codes.max(axis=0) + 1, 1).astype(np.int64)
    width = max(map(len, sets))
    lines = np.array([[*given, *[-1] * (width - len(given))] for given in sets], np.int64)
    counted = np.array([given not in skipped for given in sets])
    out = np.full((len(sets), 2), np.nan)
    n = first_independent(columns, levels, x, target, lines, counted, logs.terms, logs.scale, np.full(2000, limit), out)
    return n, out


def test_sets_of_all_sizes_have_the_g_of_their_tables(rng):
    codes = rng.integers(0, [2, 3, 2, 4, 3, 2], (120, 6))
    codes[:, 4] = (codes[:, 1] + codes[:, 3]) % 3
    sets = [given for size in (3, 0, 2, 1) for given in combinations([0, 2, 3, 5], size)]
    skipped = [(0, 2, 3), (2,)]
    n, out = run(codes, 4, 1, sets, -1.0, skipped)
    assert n == len(sets)
    for given, (g, dof) in zip(sets, out):
        if given in skipped:
            assert np.isnan(g)
            continue
        _, statistic, free = stratified_test(*(codes[:, j].tolist() for j in (4, 1)), [codes[:, j] for j in given])
        np.testing.assert_allclose([g, dof], [statistic, free], rtol=1e-9, atol=1e-9)


def test_the_loop_stops_at_the_first_small_one_and_leaves_the_rest(rng):
    codes = rng.integers(0, 2, (200, 4))
    codes[:, 1] = codes[:, 0]
    n, out = run(codes, 0, 1, [(2,), (3,), (1, 2), (2, 3)], 30.0)
    # Given its copy, a column has no degrees of freedom left, and G is 0.
    assert n == 3
    assert out[2].tolist() == [0.0, 0.0]
    assert np.isnan(out[3]).all()
