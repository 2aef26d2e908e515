"""Searches follow their published definitions step by step, not only to the same end."""

from __future__ import annotations

import math

import numpy as np
import pytest
from search_problems import Asked, modular, planted, view_of

from fewer.core.search import bayes_net, dependence_tree, las_vegas
from fewer.core.search.best_first import BestFirst
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.outcome import run_search
from fewer.core.search.rve import RandomizedEliminationSearch, _Removals
from fewer.core.search.rve_schedule import expected_failures, rve_schedule


@pytest.mark.parametrize(("epsilon", "size"), [(0.0, 10), (0.05, 3), (1.0, 3)])
def test_best_first_counts_gains_up_to_epsilon_as_none(epsilon, size):
    # Each unit gains 1/64: the first expansion improves, the next two do not by enough.
    ev = Evaluations(view_of(10), Asked(modular([1 / 64] * 10)))
    assert len(run_search(BestFirst(patience=2, epsilon=epsilon), ev, 0).found.subset) == size


def test_dependence_trees_fade_what_older_populations_taught(monkeypatch):
    function = planted(6, [1, 4])
    populations, tables = [], []
    draw, first = dependence_tree.draw_from_tree, dependence_tree.random_masks

    def first_masks(*args):
        populations.append(first(*args))
        return populations[-1]

    def drawn(both, count, rng):
        tables.append(both)
        return draw(both, count, rng)

    def allowed(rng, masks, evaluations):
        populations.append(repair(rng, masks, evaluations))
        return populations[-1]

    repair = dependence_tree.repaired
    monkeypatch.setattr(dependence_tree, "random_masks", first_masks)
    monkeypatch.setattr(dependence_tree, "draw_from_tree", drawn)
    monkeypatch.setattr(dependence_tree, "repaired", allowed)
    strategy = dependence_tree.DependenceTree(population=20, generations=3, best_fraction=0.25, decay=0.6)
    run_search(strategy, Evaluations(view_of(6), Asked(function)), 0)
    assert len(tables) >= 2
    pairs, weight = np.full((6, 6), 0.25) + 0.25 * np.eye(6), 1.0
    for bits, table in zip(populations, tables):
        values = np.array([function(tuple(np.flatnonzero(row))) for row in bits])
        good = bits[np.argsort(-values, kind="stable")[:5]].astype(float)
        pairs, weight = 0.6 * pairs + good.T @ good, 0.6 * weight + 5
        np.testing.assert_allclose(table, pairs / weight)


def test_the_better_half_teaches_the_network(monkeypatch):
    function, taught = planted(8, [0, 3, 6]), []
    learn = bayes_net.learn_network

    def learned(bits, *args):
        taught.append(bits.copy())
        return learn(bits, *args)

    monkeypatch.setattr(bayes_net, "learn_network", learned)
    ev = Evaluations(view_of(8), Asked(function))
    run_search(bayes_net.EBNA(population=30, generations=1), ev, 0)
    assert taught[0].shape == (15, 8)
    drawn = bayes_net.random_masks(np.random.default_rng(0), 30, ev)
    every = sorted((function(tuple(np.flatnonzero(row))) for row in drawn), reverse=True)
    assert sorted((function(tuple(np.flatnonzero(row))) for row in taught[0]), reverse=True) == every[:15]


def test_the_las_vegas_wrapper_counts_failures_in_a_row(monkeypatch):
    values = {(0, 1, 2, 3): 1.0, (0,): 2.0, (1,): 3.0}
    script = [(2,), (3,), (0,), (2,), (3,), (1,), (2,), (3,), (0, 3), (1, 2)]
    left = list(script)
    monkeypatch.setattr(las_vegas, "random_subset", lambda rng, evaluations: left.pop(0))
    ev = Evaluations(view_of(4), Asked(lambda s: values.get(s, 0.0)))
    assert run_search(las_vegas.LasVegasWrapper(patience=3), ev, 0).found.subset == (1,)
    assert left == script[9:]


def attempts(monkeypatch, function, n, **parameters):
    tried, ks = _Removals.tried, []

    def noted(self, k):
        ks.append(k)
        return tried(self, k)

    with monkeypatch.context() as patch:
        patch.setattr(_Removals, "tried", noted)
        run_search(RandomizedEliminationSearch(**parameters), Evaluations(view_of(n), Asked(function)), 0)
    return ks


@pytest.mark.parametrize("factor", [1.0, 3.0])
def test_rvers_needs_so_many_times_the_expected_failures(monkeypatch, factor):
    # All 8 are relevant: r = 5, then 7, then 8, and once more at 8, each after c1 E failures (7 of 8: E = 7).
    ks = attempts(monkeypatch, lambda s: float(len(s) == 8), 8, fail_factor=factor)
    k = int(rve_schedule(8, 5).remove[8])
    first = math.ceil(factor * expected_failures(8, 5, k))
    assert ks == [k] * first + [1] * math.ceil(3 * factor * 7)


@pytest.mark.parametrize("share", [0.3, 1.0])
def test_rvers_needs_its_share_of_successes(monkeypatch, share):
    ks = attempts(monkeypatch, lambda s: 1.0, 60, success_factor=share)
    low, high, n, succeeded, expected = 1, 60, 60, 0, []
    r = math.ceil((low + high) / 2)
    while n > 1:
        assumed = min(r, n - 1)
        k = int(rve_schedule(n, assumed).remove[n])
        failures = expected_failures(n, assumed, k)
        expected.append(k)
        n, succeeded = n - k, succeeded + 1
        high = min(high, n)
        if succeeded >= max(1.0, share * (r - failures)):
            high, succeeded = max(min(r, high), low), 0
            r = (low + high) // 2
    assert ks == expected
