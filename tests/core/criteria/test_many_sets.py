"""One pair given many sets: the same answers as one question at a time, up to the first set that separates."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
import pytest
from independence_cases import Y, codes_on, numbers_on, random_codes

from fewer.core.criteria import fisher_z, g_test
from fewer.core.criteria.fisher_z import FisherZ
from fewer.core.criteria.g_test import GTest


def subsets(columns, most=3):
    return list(chain.from_iterable(combinations(columns, k) for k in range(most + 1)))


@pytest.mark.parametrize("runner", ["one thread", "stream"])
@pytest.mark.parametrize(("x", "target", "h"), [(3, Y, 0.0), (5, 2, 1.0), (1, 4, 5.0)])
def test_many_sets_have_the_same_answers_to_the_last_bit(rng, runner, x, target, h):
    codes, y = random_codes(rng)
    view, test = codes_on(runner, codes, y, spare=1), GTest(h=h)
    sets = subsets([j for j in (Y, 0, 6, 7, 8, 9) if j not in (x, target)])
    place, found = test.first_separating(view, x, target, sets, 1.0)
    assert place == -1
    assert len(found.pvalue) == len(sets)
    other = codes_on("one thread", codes, y)
    for k, given in enumerate(sets):
        alone = GTest(h=h).pvalues(other, [x], given, target)
        assert bool(found.reliable[k]) == bool(alone.reliable[0])
        if found.reliable[k]:
            assert (found.pvalue[k], found.statistic[k], found.dof[k]) == tuple(c[0] for c in alone[:3])
        assert test.enough_rows(view, [x], given, target).tolist() == [bool(alone.reliable[0])]


def test_the_first_set_that_separates_ends_the_questions_and_is_remembered(rng):
    codes, y = random_codes(rng)
    view, test = codes_on("one thread", codes, y), GTest(h=1.0)
    sets = [(3,), (7,), (8,), (3, 9), (10,)]
    alone = [GTest(h=1.0).pvalues(codes_on("one thread", codes, y), [1], given, 2).pvalue[0] for given in sets]
    place, found = test.first_separating(view, 1, 2, sets, sorted(alone)[2])
    assert place == [p > sorted(alone)[2] for p in alone].index(True)
    assert found.pvalue.tolist() == alone[: place + 1]
    computed = test.memory(view).computed
    test.pvalues(view, [2], sets[place], 1)
    assert test.memory(view).computed == computed


def test_a_p_value_of_exactly_alpha_does_not_separate(rng):
    codes, y = random_codes(rng)
    view = codes_on("one thread", codes, y)
    p = GTest().pvalues(view, [6]).pvalue[0]
    assert GTest().first_separating(view, 6, Y, [()], float(p))[0] == -1
    assert GTest().first_separating(view, 6, Y, [()], float(np.nextafter(p, 0)))[0] == 0


def test_tables_beyond_all_bounds_are_counted_by_what_occurs(rng):
    codes, y = rng.integers(0, 200, (300, 6)), rng.integers(0, 2, 300)
    found = GTest(h=0).first_separating(codes_on("one thread", codes, y), 0, Y, [(1, 2, 3)], 1.0)[1]
    alone = GTest(h=0).pvalues(codes_on("one thread", codes, y), [0], (1, 2, 3))
    assert found.statistic.tolist() == alone.statistic.tolist()


def awkward_numbers(rng):
    """Return columns of which 4 is constant, 5 a copy of 1, 6 a sum of two others, and a target."""
    X = rng.normal(size=(80, 8))
    X[:, 1] += X[:, 0]
    X[:, 4], X[:, 5], X[:, 6] = 3.0, 2.0 - X[:, 1], X[:, 2] + X[:, 3]
    return X, X @ np.arange(8.0) + rng.normal(size=80)


@pytest.mark.parametrize("most_paired", [4096, 2], ids=["all pairs", "column by column"])
@pytest.mark.parametrize("runner", ["one thread", "stream"])
@pytest.mark.parametrize(("x", "target"), [(0, 1), (1, 0), (7, Y), (Y, 7), (4, 0), (5, Y)])
def test_numbers_have_the_same_answers(rng, monkeypatch, runner, most_paired, x, target):
    monkeypatch.setattr(fisher_z, "MOST_PAIRED", most_paired)
    X, y = awkward_numbers(rng)
    view = numbers_on(runner, X, y)
    sets = subsets([j for j in range(7, Y - 1, -1) if j not in (x, target)], 5)
    alone = [FisherZ().pvalues(numbers_on(runner, X, y), [x], given, target) for given in sets[::7]]
    with monkeypatch.context() as patched:
        # One loop for all sets, rather than one question for each.
        patched.setattr(FisherZ, "answer", None)
        place, found = FisherZ().first_separating(view, x, target, sets, 1.0)
    assert place == -1
    for column, wanted in zip(found, zip(*alone)):
        np.testing.assert_allclose(column[::7], np.concatenate(wanted), rtol=1e-12, atol=1e-12)
    assert FisherZ().memory(view).asked == len(sets)


def test_numbers_end_at_the_first_set_that_separates_and_remember_it(rng):
    X, y = awkward_numbers(rng)
    view = numbers_on("one thread", X, y)
    # Given two columns that determine it, column 3 has nothing left to vary, which separates.
    place, found = FisherZ().first_separating(view, 3, 0, [(6,), (2, 6), (7,)], 0.999)
    assert (place, found.pvalue[1], found.dof[1]) == (1, 1.0, 0.0)
    computed = FisherZ().memory(view).computed
    assert FisherZ().pvalues(view, [0], (2, 6), 3).pvalue.tolist() == [1.0]
    assert FisherZ().memory(view).computed == computed


def test_a_p_value_of_exactly_alpha_does_not_separate_numbers(rng):
    X, y = awkward_numbers(rng)
    view = numbers_on("one thread", X, y)
    p = float(FisherZ().pvalues(view, [7], (2,), 3).pvalue[0])
    assert FisherZ().first_separating(view, 7, 3, [(2,)], p)[0] == -1
    assert FisherZ().first_separating(view, 7, 3, [(2,)], float(np.nextafter(p, 0)))[0] == 0
    assert FisherZ().first_separating(view, 7, 3, [(2,), (2,)], p)[0] == -1


def test_too_few_rows_never_separate_numbers(rng):
    X, y = awkward_numbers(rng)
    view = numbers_on("one thread", X[:12], y[:12])
    place, found = FisherZ().first_separating(view, 7, 3, [(0,), (1, 2), ()], 0.0)
    assert (place, found.reliable.tolist()) == (-1, [False] * 3)
    assert FisherZ(min_dof=1).first_separating(view, 7, 3, [(0,), (1, 2), ()], 0.0)[0] == 0


def test_chi_squared_needs_rows_in_every_cell(rng):
    """One level of 90 % and three rare ones: the p-value of chi-squared is far too often small, and says so."""
    x = rng.choice(4, 200, p=[0.91, 0.03, 0.03, 0.03])
    rare = codes_on("one thread", np.column_stack([x, rng.integers(0, 4, 200)]), rng.integers(0, 2, 200))
    assert GTest(statistic="chi2").pvalues(rare, [0, 1]).reliable.tolist() == [False, True]
    assert GTest(statistic="chi2", h=0).pvalues(rare, [0]).reliable.all()
    assert GTest().pvalues(rare, [0]).reliable.all()


def test_strengths_of_tests_share_a_unit(rng):
    codes, y = random_codes(rng, n=4000)
    view = codes_on("one thread", codes, y)
    found = GTest().pvalues(view, range(12))
    strength, order = GTest().strength(found), np.argsort(found.pvalue[found.dof > 0])
    assert (np.diff(strength[found.dof > 0][order]) <= 1e-2).all()


@pytest.mark.dask
@pytest.mark.parametrize("runner", ["stream", "dask"])
@pytest.mark.parametrize("statistic", ["g", "chi2"])
def test_many_sets_are_counted_in_one_pass_where_rows_are_not_in_memory(rng, monkeypatch, runner, statistic, cluster):
    codes, y = random_codes(rng)
    view, test = codes_on(runner, codes, y, spare=1, client=cluster), GTest(1.0, statistic)
    sets = subsets([Y, 0, 6, 7, 8], 2)
    alone = [GTest(1.0, statistic).pvalues(codes_on("one thread", codes, y), [3], given, 5) for given in sets]
    test.short_of_rows(view, 3, (), 5)
    folds, fold = [], type(view).fold
    monkeypatch.setattr(type(view), "fold", lambda self, summary: folds.append(summary) or fold(self, summary))
    place, found = test.first_separating(view, 3, 5, sets, 1.0)
    assert (place, len(folds)) == (-1, 1)
    assert test.memory(view).asked == len(sets)
    for column, wanted in zip(found, zip(*alone)):
        assert column[found.reliable].tolist() == np.concatenate(wanted)[found.reliable].tolist()
    assert found.reliable.tolist() == [bool(one.reliable[0]) for one in alone]
    alpha = float(np.nextafter(found.pvalue[found.reliable].max(), 0))
    place, some = test.first_separating(view, 3, 5, sets, alpha)
    assert place == int(np.flatnonzero(found.reliable & (found.pvalue > alpha))[0])
    assert len(some.pvalue) == place + 1
    # Few bytes for tables make several passes of the same answers.
    monkeypatch.setattr(g_test, "PASS_BYTES", 3000)
    assert test.first_separating(view, 3, 5, sets, 1.0)[1].statistic.tolist() == found.statistic.tolist()
    assert len(folds) > 4


@pytest.mark.parametrize("h", [0.0, 1.0, 5.0])
def test_few_candidates_are_counted_by_pairs_with_the_same_answers(rng, monkeypatch, h):
    codes, y = random_codes(rng)
    asked = [((3,), (1, 5), Y), ((0, 4, 11), (), Y), ((2, 3), (Y, 0, 9), 7), ((6,), (7, 8, 9, 10, 11), 1)]
    view = codes_on("one thread", codes, y, spare=1)
    few = [GTest(h).pvalues(view, *question) for question in asked]
    monkeypatch.setattr(g_test, "FEW_CANDIDATES", 0)
    other = codes_on("one thread", codes, y, spare=1)
    for found, question in zip(few, asked):
        for one, two in zip(found, GTest(h).pvalues(other, *question)):
            assert one.tolist() == two.tolist()


@pytest.mark.parametrize(("h", "low", "high"), [(5.0, 0.135, 0.19), (10.0, 0.06, 0.105)])
def test_false_alarms_just_above_the_rule_are_those_stated(h, low, high):
    """Three given columns of three equal levels: 16.3 % for h = 5 and 8.3 % for h = 10, as the docstring says."""
    rng, n = np.random.default_rng(1), int(h) * 3**5
    alarms = []
    for _ in range(40):
        columns = rng.integers(0, 3, (n, 54))
        found = GTest(h).pvalues(codes_on("one thread", columns), range(50), (50, 51, 52), 53)
        assert found.reliable.all()
        alarms.append(found.pvalue <= 0.05)
    assert low < np.mean(alarms) < high
