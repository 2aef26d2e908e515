from __future__ import annotations

import time

import numpy as np
import pytest
from search_problems import Asked, Deltas, modular, planted, view_of

from fewer.core.records.errors import ParameterError
from fewer.core.runners import progress
from fewer.core.search.evaluations import Evaluations, SearchOver
from fewer.core.search.outcome import run_search, selection_of
from fewer.core.search.sequential import Sequential
from fewer.core.search.units import Units
from fewer.core.stop import Budget


def of(function, n=6, criterion=Asked, **more):
    return Evaluations(view_of(n), criterion(function), **more)


def test_each_subset_is_evaluated_once_however_it_is_asked_for():
    ev = of(modular([1, 2, 3, 4, 5, 6]))
    mask = np.array([True, False, True, False, False, False])
    assert ev.values([(2, 0), mask, [0, 2], np.array([2, 0])]).tolist() == [4.0] * 4
    assert ev.added((0,), [2, 1]).tolist() == [4.0, 3.0]
    assert ev.removed((0, 1, 2), [1, 0]).tolist() == [4.0, 5.0]
    assert ev.count == ev.computed == 3
    assert set(ev.criterion.asked.values()) == {1}
    assert ev.known((0, 2)) == 4.0
    assert ev.known((5,)) is None
    np.testing.assert_array_equal(ev.known_changed((0,), [2, 3]), [4.0, np.nan])


def test_best_prefers_fewer_units_then_lower_numbers():
    ev = of(lambda s: 1.0)
    ev.values([(1, 2), (4,), (3,), (0, 5)])
    assert ev.best.subset == (3,)
    assert ev.best_of_size[2].subset == (0, 5)


def test_deltas_are_used_for_single_columns_and_give_the_same():
    weights = [1, 2, 4, 8, 16, 32]
    units = Units.of(6, feature_groups=[[1, 3]], fixed_features=[5])
    plain, quick = of(modular(weights), units=units), of(modular(weights), criterion=Deltas, units=units)
    for ev in (plain, quick):
        assert ev.n_units == 4
        assert ev.added((0,), [1, 2]).tolist() == [1 + 2 + 8 + 32, 1 + 4 + 32]
        assert ev.removed((0, 1), [0, 1]).tolist() == [2 + 8 + 32, 1 + 32]
    assert quick.criterion.calls == 2
    assert plain.count == quick.count
    assert set(quick.criterion.asked.values()) == {1}


def test_sizes_outside_the_range_are_no_result():
    ev = of(modular([1, 2, 3, 4, 5, 6]), min_features=2, max_features=3)
    ev.values([range(6), (5,), (4, 5), (0, 1, 2)])
    assert ev.best.subset == (4, 5)
    assert ev.best_of_size[6].value == 21
    with pytest.raises(ParameterError, match="min_features=4"):
        of(modular([1] * 6), min_features=4, max_features=3)
    with pytest.raises(ParameterError, match="always in"):
        of(modular([1] * 6), units=Units.of(6, fixed_features=[0, 1]), max_features=1)


def test_fixed_units_count_as_features():
    ev = of(modular([1] * 6), units=Units.of(6, fixed_features=[0, 1]), min_features=3, max_features=4)
    assert (ev.low, ev.high) == (1, 2)


def test_nan_is_the_worst_value():
    ev = of(lambda s: float("nan") if 0 in s else -5.0)
    ev.values([(0,), (1,)])
    assert ev.best.subset == (1,)
    assert ev.known((0,)) == -np.inf


def test_budget_of_evaluations_is_never_exceeded():
    ev = of(modular([1, 2, 3, 4, 5, 6]), budget=Budget(evaluations=4))
    with pytest.raises(SearchOver, match="4 evaluations"):
        ev.added((), range(6))
    assert ev.count == 4
    assert ev.best.subset == (3,)
    assert ev.values([(0,), (3,)]).tolist() == [1, 4]
    with pytest.raises(SearchOver):
        ev.value((5,))


def test_a_budget_that_is_just_enough_stops_nothing():
    ev = of(modular([1, 2, 3]), n=3, budget=Budget(evaluations=7), max_features=3)
    outcome = run_search(Sequential(), ev)
    assert outcome.stopped == ""
    assert outcome.found.subset == (0, 1, 2)


def test_budget_of_seconds_ends_a_slow_search():
    def slow(s):
        time.sleep(0.002)
        return float(len(s))

    ev = of(slow, n=200, budget=Budget(seconds=0.05))
    outcome = run_search(Sequential(), ev)
    assert "seconds" in outcome.stopped
    assert 1 <= ev.count < 200
    assert outcome.found.value >= 1


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_threads_give_the_same_values(n_jobs):
    criterion = Asked(planted(9, (1, 4, 7)))
    criterion.parallel_values = True
    ev = Evaluations(view_of(9, n_jobs), criterion)
    subsets = [tuple(np.flatnonzero(row)) for row in np.random.default_rng(0).random((300, 9)) < 0.5]
    expected = [planted(9, (1, 4, 7))(s) for s in subsets]
    assert ev.values(subsets).tolist() == expected
    assert ev.count == len(set(subsets)) == sum(criterion.asked.values())


def test_progress_is_told():
    heard = []
    with progress.listen(lambda what, done, total: heard.append((what, done, total))):
        run_search(Sequential(), of(modular([1, 2, 3]), n=3, budget=Budget(evaluations=50)))
    assert heard[-1] == ("evaluating subsets", 7, 50)
    assert [done for _, done, _ in heard] == sorted(done for _, done, _ in heard)


def test_ctrl_c_ends_with_the_best_so_far():
    calls = []

    def interrupted(s):
        calls.append(s)
        if len(calls) == 9:
            raise KeyboardInterrupt
        return modular([1, 2, 3, 4, 5, 6])(s)

    outcome = run_search(Sequential(), of(interrupted))
    assert outcome.interrupted
    assert outcome.found.subset == (5,)
    selection = selection_of(outcome, by_loss=True)
    assert len(calls) == 9
    assert selection.indices.tolist() == [5]
    assert "the user stopped it" in str(selection.reason(0))


def test_ctrl_c_before_anything_is_known_is_passed_on():
    def interrupted(s):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_search(Sequential(), of(interrupted))


class Folds(Asked):
    """Fold scores around the mean: the value plus and minus a spread."""

    has_folds = True
    spread = np.array([-0.02, 0.0, 0.02])

    def fold_values(self, view, subset):
        return self.function(tuple(subset)) + self.spread


def test_parsimonious_is_the_smallest_within_one_standard_error():
    curve = {0: 0.5, 1: 0.7, 2: 0.885, 3: 0.89, 4: 0.9, 5: 0.88, 6: 0.8}
    # Standard deviation 0.02, three folds: the standard error is 0.01155.
    error = 0.02 / np.sqrt(3)
    ev = Evaluations(view_of(6), Folds(lambda s: curve[len(s)]))
    outcome = run_search(Sequential(patience=None), ev, choose="parsimonious")
    assert len(outcome.found.subset) == min(k for k in curve if k and curve[k] >= 0.9 - error) == 3
    assert len(run_search(Sequential(patience=None), ev).found.subset) == 4
    plain = of(lambda s: curve[len(s)])
    assert len(run_search(Sequential(patience=None), plain, choose="parsimonious").found.subset) == 4
    with pytest.raises(ParameterError, match="parsimonious"):
        run_search(Sequential(), plain, choose="smallest")
