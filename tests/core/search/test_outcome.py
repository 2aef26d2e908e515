"""From what a search found to a selection with reasons."""

from __future__ import annotations

import json

import numpy as np
import pytest
from search_problems import Asked, cover, modular, view_of

from fewer.core.records.result import Selection
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.floating import Floating
from fewer.core.search.genetic import Genetic
from fewer.core.search.outcome import run_search, selection_of
from fewer.core.search.sequential import Sequential
from fewer.core.search.units import Units
from fewer.core.stop import Budget


def select(strategy, function, n, *, seed=0, by_loss=False, **more):
    outcome = run_search(strategy, Evaluations(view_of(n), Asked(function), **more), seed)
    return selection_of(outcome, by_loss=by_loss)


def test_forward_order_is_the_order_of_joining():
    selection = select(Sequential(), modular([1, 5, 0, 3, -1]), 5)
    assert selection.indices.tolist() == [1, 3, 0]
    # The feature of the step that failed comes next; the last one was never in.
    assert selection.order.tolist() == [1, 3, 0, 2]
    # Without feature 1 the kept ones were never evaluated.
    np.testing.assert_array_equal(selection.scores, [1, np.nan, 0, 3, -1])
    assert selection.trace.values == [0, 5, 8, 9, 9]
    assert [selection.reason(j).kind for j in range(5)] == ["kept", "kept", "irrelevant", "kept", "irrelevant"]
    assert "evaluated 15 subsets" in str(selection.reason(4))
    assert selection.meta["value"] == 9


def test_backward_order_is_the_last_to_leave_first():
    selection = select(Sequential("backward"), modular([1, 5, -2, 3, -1]), 5)
    assert selection.indices.tolist() == [1, 3, 0]
    assert selection.order.tolist() == [1, 3, 0, 4, 2]
    exact = select(Sequential("backward"), modular([1, 5, -2, 3, -1]), 5, min_features=2, max_features=2)
    # Nothing was removed from the last subset, so that no losses are known: lower numbers first.
    assert exact.indices.tolist() == [1, 3]
    assert exact.order.tolist() == [1, 3, 0, 4, 2]
    assert exact.scores.tolist()[0] == 1
    assert np.isnan(exact.scores[[1, 3]]).all()


def test_a_feature_that_was_worth_something_is_redundant_to_what_replaced_it():
    # Feature 2 covers a part of what 0 covers, 3 covers what 0 and 1 cover together, 4 covers nothing.
    sets = [{0, 1, 2, 3}, {4, 5, 6}, {1, 2}, {3, 4}, set()]
    selection = select(Sequential(), cover(sets), 5)
    assert selection.indices.tolist() == [0, 1]
    assert selection.reason(2).kind == "redundant"
    assert selection.reason(2).related == ("x0",)
    assert selection.reason(2).amount == 2
    assert selection.reason(3).related == ("x1",)
    assert selection.reason(3).amount == 1
    assert selection.reason(4).kind == "irrelevant"
    decided = selection.reason(4)
    assert (decided.quantity, decided.measured, decided.needed) == ("gain over the kept features", 0, 0)
    assert "needed more than 0" in str(decided)


def test_what_adds_nothing_is_not_called_irrelevant_unless_it_adds_nothing_alone():
    """Backward, nobody asks what the copy of a kept feature is worth alone."""
    selection = select(Sequential("backward"), cover([{0, 1}, {0, 1}, {2}]), 3)
    assert selection.indices.tolist() == [0, 2]
    assert selection.reason(1).kind == "not reached"
    assert "adds nothing to the kept features" in str(selection.reason(1))


def test_what_was_not_evaluated_is_not_reached():
    selection = select(Sequential(), modular([3, 2, 1, 5]), 4, budget=Budget(evaluations=4))
    assert selection.indices.tolist() == [0]
    assert selection.reason(3).kind == "not reached"
    assert "4 evaluations" in selection.reason(3).rule
    assert selection.order.tolist() == [0]


def test_order_by_loss_evaluates_what_is_missing():
    weights = [3, 1, 2, -1, -2, -3, -4, -5]
    plain = select(Genetic(population=20, generations=20), modular(weights), 8)
    losses = select(Genetic(population=20, generations=20), modular(weights), 8, by_loss=True)
    assert sorted(plain.indices.tolist()) == [0, 1, 2]
    assert losses.indices.tolist() == [0, 2, 1]
    np.testing.assert_array_equal(losses.scores[:3], [3, 1, 2])
    short = Evaluations(view_of(8), Asked(modular(weights)), budget=Budget(evaluations=25))
    outcome = run_search(Genetic(population=20, generations=20), short, 0)
    selection_of(outcome, by_loss=True)
    assert short.count == 25


def test_a_feature_that_left_and_came_back_counts_from_then():
    # The nesting of the book, with a fourth feature of no use.
    values = {(): 0, (0,): 3, (1,): 2, (2,): 2, (0, 1): 4, (0, 2): 4, (1, 2): 5, (0, 1, 2): 6}
    selection = select(Floating(), lambda s: values.get(s, -1.0), 4, min_features=2, max_features=2)
    assert selection.indices.tolist() == [1, 2]
    assert selection.order.tolist()[:3] == [1, 2, 0]


def test_groups_and_fixed_features_in_the_selection():
    units = Units.of(6, feature_groups=[[1, 4], [0, 5]], fixed_features=[3])
    selection = select(Sequential(), modular([1, 2, 9, 1, 2, -3]), 6, units=units)
    assert selection.indices.tolist() == [3, 2, 1, 4]
    assert selection.scores.tolist()[:3] == [-2, 4, 9]
    assert selection.scores[4] == 4
    assert selection.reason(5).kind == "irrelevant"
    assert "always in" in str(selection.reason(3))
    assert selection.trace[0].added == (3,)


def test_selections_of_searches_go_through_json():
    selection = select(Sequential(), cover([{1, 2}, {2}, {3}]), 3)
    again = Selection.from_dict(json.loads(selection.to_json()))
    assert again.indices.tolist() == selection.indices.tolist()
    assert again.trace.values == selection.trace.values


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_the_trace_tells_sizes(direction):
    selection = select(Sequential(direction, patience=None), modular([1, 2, 3]), 3)
    sizes = np.cumsum([len(s.added) - len(s.removed) for s in selection.trace])
    assert sizes.tolist() == ([0, 1, 2, 3] if direction == "forward" else [3, 2, 1])
