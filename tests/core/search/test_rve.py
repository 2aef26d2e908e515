"""Randomized variable elimination: the schedule of the book, and what removals may do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_problems import Asked, view_of

from fewer.core.records.errors import ParameterError
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.outcome import run_search
from fewer.core.search.rve import RandomizedElimination, RandomizedEliminationSearch
from fewer.core.search.rve_schedule import expected_failures, rve_schedule, survival
from oracles.search import schedule

UNIT_3 = [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 3, 4, 4, 5, 5, 5, 5]
UNIT_5 = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3]


def test_schedule_has_the_values_of_the_catalogue():
    """Book ch. 3, section 3.6.6: computed values for N = 20, 100 and 1000."""
    assert rve_schedule(20, 3).remove[4:].tolist() == UNIT_3
    assert rve_schedule(20, 5).remove[6:].tolist() == UNIT_5
    for r, cost in ((1, 8.166667), (2, 14.354945), (3, 19.509499), (5, 27.683705)):
        assert rve_schedule(20, r).cost[20] == pytest.approx(cost, abs=5e-7)
    for r, cost in ((2, 80.722222), (3, 137.679487), (5, 252.221945)):
        assert rve_schedule(20, r, "linear").cost[20] == pytest.approx(cost, abs=5e-7)
    hundred, thousand = rve_schedule(100, 10), rve_schedule(1000, 10)
    assert (hundred.remove[100], thousand.remove[1000]) == (9, 94)
    assert hundred.cost[100] == pytest.approx(89.432, abs=5e-4)
    assert thousand.cost[1000] == pytest.approx(153.162, abs=5e-4)
    linear = rve_schedule(1000, 10, "linear")
    assert linear.remove[1000] == 99
    assert linear.cost[1000] == pytest.approx(26336.5, abs=0.05)
    assert survival(20, 3, 5) == pytest.approx(6188 / 15504)


@given(st.integers(0, 6), st.integers(0, 14), st.sampled_from(["unit", "linear", "square"]))
@settings(max_examples=60)
def test_schedule_equals_the_recursion(r, more, kind):
    price = {"unit": lambda n: 1, "linear": lambda n: n, "square": lambda n: n * n + 1}[kind]
    got = rve_schedule(r + more, r, kind if kind != "square" else lambda n: n * n + 1)
    for n, (k, cost) in schedule(r + more, r, price).items():
        assert got.cost[n] == pytest.approx(float(cost))
        if got.remove[n] != k:
            # Round-off may tell equal costs apart.
            p = survival(n, r, int(got.remove[n]))
            other = price(n - int(got.remove[n])) / p + got.cost[n - int(got.remove[n])]
            assert other == pytest.approx(float(cost))


def test_facts_of_the_schedule():
    for cost, price in (("unit", lambda r: 1), ("linear", lambda r: r)):
        for r in range(1, 8):
            plan = rve_schedule(60, r, cost)
            # One too many: it is removed alone, and r + 1 trials are expected.
            assert plan.remove[r + 1] == 1
            assert plan.cost[r + 1] == pytest.approx((r + 1) * price(r))
            worst = max(expected_failures(n, r, int(plan.remove[n])) for n in range(r + 1, 61))
            if r >= 3:
                assert worst == pytest.approx(r)
            elif cost == "unit":
                assert worst == pytest.approx({1: 2.667, 2: 2.333}[r], abs=5e-4)
            elif r == 1:
                assert worst == pytest.approx(59)
            else:
                assert worst == pytest.approx(4)
    # Equal costs: the smallest number is removed.
    assert rve_schedule(4, 1).remove[4] == 2
    assert rve_schedule(4, 1).cost[4] == pytest.approx(4)
    assert rve_schedule(5, 5).cost[5] == 0
    assert rve_schedule(6, 0).remove[6] == 6


@pytest.mark.parametrize("cost", ["cubic", lambda n: -n, lambda n: n[:2]])
def test_strange_costs_are_refused(cost):
    with pytest.raises(ParameterError, match="rve_schedule"):
        rve_schedule(5, 2, cost)


def knows(relevant):
    """A perfect learner: worse as soon as a relevant variable is missing."""
    return lambda s: -float(len(set(relevant) - set(s)))


def test_an_oracle_needs_as_many_evaluations_as_expected():
    """Book ch. 3: 20 variables, 3 of them relevant: 19.5 on average."""
    tries = []
    for seed in range(300):
        asked = []
        ev = Evaluations(view_of(20), Asked(knows((2, 9, 15))))
        ask = ev.value
        ev.value = lambda s, ask=ask, asked=asked: asked.append(s) or ask(s)
        outcome = run_search(RandomizedElimination(3), ev, seed)
        assert outcome.found.subset == (2, 9, 15)
        tries.append(len(asked) - 1)
    assert abs(np.mean(tries) - 19.509499) < 4 * np.std(tries) / np.sqrt(len(tries))


@given(st.integers(4, 40), st.integers(1, 4), st.integers(0, 1000))
@settings(max_examples=30)
def test_relevant_variables_are_never_removed(n, r, seed):
    relevant = tuple(np.random.default_rng(seed).permutation(n)[:r].tolist())
    for strategy in (
        RandomizedElimination(r),
        RandomizedEliminationSearch(),
        RandomizedEliminationSearch(cost="linear"),
        RandomizedEliminationSearch(2, 10),
    ):
        ev = Evaluations(view_of(n), Asked(knows(relevant)))
        outcome = run_search(strategy, ev, seed)
        assert set(relevant) <= set(outcome.found.subset)
        assert all(set(relevant) <= set(found.subset) for found in ev.walked)


def test_rvers_leaves_hardly_any_irrelevant_variable():
    extra = []
    for seed in range(40):
        ev = Evaluations(view_of(100), Asked(knows((5, 50, 95))))
        outcome = run_search(RandomizedEliminationSearch(), ev, seed)
        extra.append(len(outcome.found.subset) - 3)
        # Far fewer evaluations than one forward selection of three variables.
        assert ev.count < 100 + 99 + 98
    assert np.mean(np.array(extra) == 0) > 0.8


def test_removals_follow_tolerance_and_strictness():
    flat = Asked(lambda s: 1.0)
    kept = run_search(RandomizedElimination(2, strict=True, max_iter=50), Evaluations(view_of(9), flat), 0)
    assert len(kept.found.subset) == 9
    assert len(run_search(RandomizedElimination(2), Evaluations(view_of(9), Asked(lambda s: 1.0)), 0).found.subset) == 2
    falling = lambda s: -0.01 * (9 - len(s))  # noqa: E731
    # Of nine variables two are removed at once, then two again: 0.02 each time.
    drift = run_search(RandomizedElimination(3, tol=0.025), Evaluations(view_of(9), Asked(falling)), 0)
    assert len(drift.found.subset) == 3
    held = run_search(RandomizedElimination(3, tol=0.025, reference="best"), Evaluations(view_of(9), Asked(falling)), 0)
    assert len(held.found.subset) == 7
    with pytest.raises(ParameterError, match="a str among .*'latest'"):
        RandomizedElimination(1, reference="first")


def test_too_few_relevant_variables_end_by_the_cap():
    ev = Evaluations(view_of(12), Asked(knows(range(8))))
    outcome = run_search(RandomizedElimination(2), ev, 0)
    assert set(range(8)) <= set(outcome.found.subset)
