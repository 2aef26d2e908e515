"""One pair given many sets: the same answers as one question at a time, up to the first set that separates."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
import pytest
from independence_cases import Y, codes_on, numbers_on, random_codes

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


def test_numbers_have_the_same_answers(rng):
    X = rng.normal(size=(80, 6))
    X[:, 1] += X[:, 0]
    view = numbers_on("one thread", X, X @ np.arange(6.0))
    sets = subsets([2, 3, 4])
    place, found = FisherZ().first_separating(view, 0, 1, sets, 1.0)
    assert place == -1
    alone = [FisherZ().pvalues(view, [0], given, 1).pvalue[0] for given in sets]
    np.testing.assert_allclose(found.pvalue, alone, rtol=0, atol=1e-10)


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
