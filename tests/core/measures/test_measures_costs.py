"""Impurities of class fractions that know what errors cost, and the decision that costs least."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewer.core import measures
from fewer.core.measures.costs import as_costs, cost_shares
from fewer.core.records.errors import InputError
from oracles import measures as oracle
from oracles.measures import count_tables

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")

COSTS = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 1.0], [5.0, 1.0, 0.0]])
THREE = [[3, 1, 0], [1, 2, 1], [0, 1, 4]]
NAMES = ["cost_information_gain", "cost_gain_ratio", "cost_gini_gain"]
PLAIN = dict(zip(NAMES, ["information_gain", "gain_ratio", "gini_gain"]))


@pytest.mark.parametrize("name", NAMES)
@given(table=count_tables(classes=st.just(3)), cells=st.lists(st.integers(0, 5), min_size=9, max_size=9))
def test_equal_the_definition(name, table, cells):
    costs = np.array(cells, dtype=float).reshape(3, 3)
    np.fill_diagonal(costs, 0.0)
    got = getattr(measures, name)(table, costs)
    assert got == pytest.approx(getattr(oracle, name)(table.tolist(), costs.tolist()), abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_ragged_tables_and_weights_are_treated_one_by_one(name, rng):
    tables = [rng.random((levels, 3)) * rng.integers(0, 2, (levels, 3)) for levels in (2, 1, 5, 3)]
    tables[0][0, 0] = tables[1][0, 0] = 1.0
    got = getattr(measures, name)(oracle.stacked(tables), COSTS)
    np.testing.assert_allclose(got, [getattr(oracle, name)(t.tolist(), COSTS.tolist()) for t in tables], atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_equal_costs_change_nothing(name):
    assert getattr(measures, name)(THREE, 7.0 * (1 - np.eye(3))) == pytest.approx(getattr(measures, PLAIN[name])(THREE))


@pytest.mark.parametrize("name", NAMES)
def test_an_independent_feature_scores_exactly_zero(name):
    table = np.outer([1, 2, 3, 7, 11], [3, 5, 7])
    assert getattr(measures, name)(table, COSTS) == 0.0


def test_two_classes_by_hand():
    """p = (1/2, 1/2) and costs 1 and 3 make p' = (1/4, 3/4); both levels are pure."""
    costs = np.array([[0.0, 1.0], [3.0, 0.0]])
    assert measures.cost_gini_gain([[4, 0], [0, 4]], costs) == pytest.approx(1 - (1 + 9) / 16)
    entropy = -(0.25 * np.log(0.25) + 0.75 * np.log(0.75))
    assert measures.cost_information_gain([[4, 0], [0, 4]], costs) == pytest.approx(entropy)
    assert measures.cost_gain_ratio([[4, 0], [0, 4]], costs) == pytest.approx(entropy / np.log(2))


def test_costs_break_the_tie_of_two_features():
    """Both leave a level of two classes; that with a dear and a cheap one has p' = (0.9, 0.1), the other (0.5, 0.5)."""
    first, last = [[4, 0, 0], [0, 4, 4]], [[4, 4, 0], [0, 0, 4]]
    costs = np.array([[0.0, 9.0, 9.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    assert measures.gini_gain(first) == measures.gini_gain(last)
    before = 1 - (81 + 1 + 1) / 121
    assert measures.cost_gini_gain(first, costs) == pytest.approx(before - 2 / 3 * 0.5)
    assert measures.cost_gini_gain(last, costs) == pytest.approx(before - 2 / 3 * 0.18)


def test_a_level_without_costly_errors_is_pure():
    costs = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    np.testing.assert_array_equal(cost_shares(np.array([[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]), costs), np.zeros((2, 3)))
    before = oracle.cost_shares([4, 4, 4], costs)
    assert measures.cost_gini_gain([[4, 4, 0], [0, 0, 4]], costs) == pytest.approx(1 - np.square(before).sum())


def test_a_share_next_to_one_keeps_its_cost():
    """1 - p rounds to 0 where the other classes weigh next to nothing."""
    shares = np.array([1.0, 1e-20, 0.0])
    np.testing.assert_allclose(cost_shares(shares, COSTS), [1.0, 3e-20, 0.0], rtol=1e-12)


def test_numbers_row_after_row_are_a_matrix():
    np.testing.assert_array_equal(as_costs("InformationGain", COSTS.ravel().tolist(), 3), COSTS)
    with pytest.raises(InputError, match="shape"):
        as_costs("InformationGain", [1, 2, 3], 3)
    for unreadable in (["[[0", "1]", "[5", "0]]"], [[0, 1], [5]], "0 1 5 0"):
        with pytest.raises(InputError, match=r"cannot be read as 2 rows of 2 numbers; .* such as 0,1,1,0"):
            as_costs("InformationGain", unreadable, 2)


def test_the_cheapest_class_minimises_the_expected_cost(rng):
    p = rng.dirichlet(np.ones(3), 50)
    costs = rng.normal(size=(3, 3))  # benefits, and costs of being right, are allowed
    by_hand = [min(range(3), key=lambda u: sum(row[c] * costs[c, u] for c in range(3))) for row in p]
    assert measures.cheapest_class(p, costs).tolist() == by_hand
    np.testing.assert_allclose(measures.expected_costs(p, costs), p @ costs)
    assert measures.cheapest_class(p, 1 - np.eye(3), ["a", "b", "c"]).tolist() == ["abc"[k] for k in p.argmax(axis=1)]
    assert measures.cheapest_class([[0.5, 0.5]], 1 - np.eye(2)).tolist() == [0]


def test_the_cheapest_class_costs_less_than_the_most_probable_one(rng):
    p = rng.dirichlet(np.ones(3), 3000)
    y = np.array([rng.choice(3, p=row) for row in p])
    paid = [COSTS[y, said].mean() for said in (measures.cheapest_class(p, COSTS), p.argmax(axis=1))]
    assert paid[0] < paid[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([0.5, 0.5], np.eye(2)), "one row per instance"),
        (([["a", "b"]], np.eye(2)), "one row per instance"),
        (([[np.nan, 0.5]], np.eye(2)), "finite"),
        (([[0.5, 0.5]], np.eye(3)), "cost_matrix"),
        (([[0.5, 0.5]], [[0, np.inf], [1, 0]]), "cost_matrix"),
        (([[0.5, 0.5]], np.eye(2), ["a"]), "one label per column"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, words):
    with pytest.raises(InputError, match=words):
        measures.cheapest_class(*arguments)
