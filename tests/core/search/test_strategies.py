"""What every strategy must do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_problems import Asked, Deltas, cover, modular, planted, view_of

from fewer.core.search.by_name import SEARCHES
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.exhaustive import Exhaustive
from fewer.core.search.outcome import run_search, selection_of
from fewer.core.search.units import Units
from fewer.core.stop import Budget
from oracles.search import best_subset

# Enough effort to be sure of the optimum among 2**7 subsets.
STRONG = {
    "exhaustive": {},
    "branch_and_bound": {},
    "sequential": {},
    "sequential backward": {"direction": "backward"},
    "bidirectional": {},
    "plus_l_minus_r": {},
    "plus_l_minus_r backward": {"plus": 1, "minus": 2},
    "floating": {},
    "floating backward": {"direction": "backward"},
    "best_first": {},
    "best_first backward": {"direction": "backward"},
    "best_first both": {"direction": "both"},
    "hill_climbing": {},
    "hill_climbing random": {"start": "random", "restarts": 20},
    "random_mutation": {"max_iter": 300},
    "annealing": {"moves": 10},
    "genetic": {"population": 40, "generations": 40},
    "genetic proportional": {"population": 40, "generations": 60, "selection": "proportional"},
    "genetic tournament": {"population": 40, "generations": 40, "selection": "tournament", "crossover": "uniform"},
    "dependence_tree": {"population": 60, "patience": 20},
    "ebna": {"population": 100, "patience": 5},
    "las_vegas_wrapper": {"patience": 2000},
    "monte_carlo": {"max_iter": 2000},
    "tree_sampling": {"max_iter": 2000},
}
# These look for the smallest subset that is good enough, not for the best one.
OTHERS = {
    "las_vegas_filter": {"max_iter": 3000},
    "las_vegas_filter uniform": {"max_iter": 3000, "sampling": "uniform"},
    "rve": {"n_relevant": 3},
    "rvers": {},
}
EVERY = {**STRONG, **OTHERS}


def make(name, **more):
    return SEARCHES[name.split()[0]](**{**EVERY[name], **more})


def test_every_strategy_is_tested():
    others = {"top", "greedy", "turf"}
    assert {name.split()[0] for name in EVERY} == set(SEARCHES) - others


@pytest.mark.parametrize("name", STRONG)
@given(st.lists(st.integers(-8, 8), min_size=1, max_size=7), st.integers(0, 3))
@settings(max_examples=6)
def test_optimum_of_modular_values(name, weights, seed):
    if name == "branch_and_bound":
        weights = [abs(w) for w in weights]
    value = modular(weights)
    ev = Evaluations(view_of(len(weights)), Deltas(value, monotone=True))
    outcome = run_search(make(name), ev, seed)
    best = best_subset(value, len(weights), 1, len(weights))
    assert outcome.found.value == value(best)
    assert outcome.found.value == value(outcome.found.subset)
    if 0 not in weights:
        assert outcome.found.subset == best
    assert set(ev.criterion.asked.values()) == {1}


@pytest.mark.parametrize("name", [n for n in STRONG if not n.startswith(("annealing", "random_mutation"))])
@given(st.lists(st.sets(st.integers(0, 9), max_size=4), min_size=2, max_size=7), st.data())
@settings(max_examples=6)
def test_optimum_of_a_monotone_problem(name, sets, data):
    value, n = cover(sets), len(sets)
    exact = name in ("exhaustive", "branch_and_bound", "monte_carlo", "tree_sampling", "las_vegas_wrapper")
    high = data.draw(st.integers(1, n)) if exact else n
    low = data.draw(st.integers(1, high)) if exact else 1
    ev = Evaluations(view_of(n), Asked(value, monotone=True), min_features=low, max_features=high)
    outcome = run_search(make(name), ev, 0)
    best = best_subset(value, n, low, high)
    assert outcome.found.value == value(best)
    if exact:
        assert len(outcome.found.subset) == len(best)
    if name == "exhaustive":
        assert outcome.found.subset == best


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("seed", [0, 1])
def test_planted_features_are_found(name, seed):
    relevant = (1, 4, 6)
    # Those that look for few features find them without a price; a monotone criterion must not have one.
    free = name in OTHERS or name == "branch_and_bound"
    value = planted(8, relevant, seed, 0.0 if free else 0.01)
    outcome = run_search(make(name), Evaluations(view_of(8), Asked(value, monotone=True)), seed)
    assert outcome.found.subset == relevant == best_subset(value, 8, 1, 8)


@pytest.mark.parametrize("name", EVERY)
@given(st.integers(0, 10_000))
@settings(max_examples=6)
def test_never_worse_than_any_start_and_reproducible(name, seed):
    rng = np.random.default_rng(seed)
    table = {}

    def value(s):
        return table.setdefault(s, float(rng.random()))

    monotone = cover([{int(k) for k in rng.integers(0, 12, 3)} for _ in range(6)])
    value = monotone if name == "branch_and_bound" else value
    runs = []
    for _ in range(2):
        ev = Evaluations(view_of(6), Asked(value, monotone=True))
        outcome = run_search(make(name), ev, seed)
        start = ev.walked[0]
        assert 1 <= len(outcome.found.subset) <= 6
        # Where a search starts with nothing there is no result to compare with.
        if start.subset:
            assert outcome.found.value >= start.value
        assert set(ev.criterion.asked.values()) == {1}
        assert ev.count == len(ev.criterion.asked)
        runs.append((outcome.found, ev.count, ev.trace.values, selection_of(outcome).order.tolist()))
    assert runs[0] == runs[1]


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("most", [1, 2, 7, 20])
def test_budgets_are_respected(name, most):
    ev = Evaluations(view_of(9), Asked(cover([{j, j + 1} for j in range(9)]), True), budget=Budget(evaluations=most))
    outcome = run_search(make(name), ev, 0)
    assert ev.count <= most
    assert sum(ev.criterion.asked.values()) == ev.count
    whole = Evaluations(view_of(9), Asked(cover([{j, j + 1} for j in range(9)]), True))
    run_search(make(name), whole, 0)
    assert bool(outcome.stopped) == (whole.count > most)
    selection = selection_of(outcome)
    assert selection.trace.evaluations <= most
    assert sorted(selection.order.tolist()) == sorted(set(selection.order.tolist()))


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize(("low", "high"), [(2, 2), (1, 3), (3, 5), (6, 6)])
def test_sizes_are_kept(name, low, high):
    more = {"n_relevant": high} if name == "rve" else {}
    ev = Evaluations(
        view_of(6), Asked(cover([{j, j + 1, 2 * j} for j in range(6)]), True), min_features=low, max_features=high
    )
    outcome = run_search(make(name, **more), ev, 1)
    assert low <= len(outcome.found.subset) <= high
    assert len(selection_of(outcome)) == len(outcome.found.subset)


@pytest.mark.parametrize("name", EVERY)
def test_groups_move_as_one_and_fixed_features_stay(name):
    weights = np.array([0.5, -0.1, 1.0, -0.2, 0.7, 0.3, -0.05, 0.2])
    if name == "branch_and_bound":
        weights = np.abs(weights)
    units = Units.of(8, feature_groups=[[1, 4], [3, 5]], fixed_features=[6])

    def value(s):
        assert 6 in s
        assert (1 in s) == (4 in s)
        assert (3 in s) == (5 in s)
        return modular(weights)(s)

    ev = Evaluations(view_of(8), Deltas(value, monotone=True), units=units)
    more = {"n_relevant": 6} if name == "rve" else {}
    outcome = run_search(make(name, **more), ev, 0)
    if name in STRONG:
        best = run_search(Exhaustive(), Evaluations(view_of(8), Asked(value), units=units)).found
        assert outcome.found.value == pytest.approx(best.value)
    selection = selection_of(outcome)
    assert selection.indices[0] == 6
    assert "always in" in str(selection.reason(6))
    place = {int(j): at for at, j in enumerate(selection.indices)}
    if 1 in place:
        assert place[4] == place[1] + 1


@pytest.mark.parametrize("name", EVERY)
def test_one_feature_and_nothing_to_choose(name):
    for units in (None, Units.of(1, fixed_features=[0])):
        more = {"n_relevant": 1} if name == "rve" else {}
        ev = Evaluations(view_of(1), Asked(lambda s: float(len(s)), True), units=units)
        assert selection_of(run_search(make(name, **more), ev, 0)).indices.tolist() == [0]
