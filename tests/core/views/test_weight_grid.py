"""Weights as whole multiples of one unit."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewer.core.reading.table import ArrayTable
from fewer.core.views.weights import MOST_VALUES, WeightGrid, WeightTally

RNG = np.random.default_rng(0)
KINDS = {
    "tenth": np.full(40, 0.1),
    "half": np.full(40, 0.5),
    "share": np.full(569, 1 / 569),
    "tenths": RNG.integers(1, 30, 200) / 10,
    "tenths of their sum": (w := RNG.integers(1, 30, 200) / 10) / w.sum(),
    "balanced": (569 / (2 * np.array([212, 357])))[np.repeat([0, 1], [212, 357])],
    "any": RNG.uniform(0.5, 2.0, 300),
    "any, many": RNG.uniform(0.5, 2.0, 5000),
    "far apart": 10.0 ** RNG.uniform(-12, 12, 300),
    "smallest": np.array([5e-324, 1e-320, 3e-310]),
}


def exact_sum(values):
    return sum(map(Fraction, values.tolist()))


@pytest.mark.parametrize("kind", KINDS)
def test_sums_are_exact_in_any_order(kind):
    given_weights = KINDS[kind]
    grid = WeightGrid.of(given_weights)
    weight = grid.put(given_weights)
    assert (weight > 0).all()
    for order in (np.arange(len(weight)), RNG.permutation(len(weight)), np.argsort(weight)):
        assert Fraction(float(np.cumsum(weight[order])[-1])) == exact_sum(weight)
    assert (Fraction(grid.unit) * int(grid.multiples(weight.sum()))) == exact_sum(weight)
    # What is tiny beside the others is rounded, all else hardly changes.
    np.testing.assert_allclose(weight, given_weights, rtol=1e-9, atol=1e-12 * given_weights.max())
    assert not grid.whole
    np.testing.assert_array_equal(WeightGrid.of(weight).put(weight), weight)


@pytest.mark.parametrize("kind", ["tenth", "half", "share", "tenths", "tenths of their sum", "balanced"])
def test_a_common_measure_is_found(kind):
    weight = KINDS[kind]
    grid = WeightGrid.of(weight)
    number = {"tenths": weight * 10, "balanced": np.where(weight > 1, 357, 212)}
    expected = number.get(kind, w * 10 if kind == "tenths of their sum" else np.ones(len(weight)))
    np.testing.assert_array_equal(grid.multiples(grid.put(weight)), np.rint(expected).astype(int))
    if kind == "tenths":
        weight = grid.put(np.array([0.1, 0.2, 0.3, 3.0]))
        assert weight[0] + weight[1] == weight[2]
        assert weight[2] * 10 == weight[3]


def test_whole_weights_stay_as_they_are():
    for weight in (np.ones(5), np.arange(1.0, 4000.0), np.full(7, 2.0), np.array([1.0, 2.0**40])):
        grid = WeightGrid.of(weight)
        assert grid == WeightGrid()
        assert grid.put(weight) is weight
    huge = WeightGrid.of(np.array([3.0, 2.0**60]))
    assert huge.whole
    assert huge.unit > 1


def test_no_more_measures_than_floats_can_tell_apart():
    """Ratios of many different primes have a common measure on paper, of which there would be too many."""
    weight = 1 / np.array([2, 3, 5, 7, 11, 13, 17, 19, 23, 29])
    grid = WeightGrid.of(weight)
    assert grid.unit == grid.measure
    assert np.log2(grid.unit) % 1 == 0
    many = RNG.integers(1, 10**6, MOST_VALUES + 1) / 1e6
    assert np.log2(WeightGrid.of(many).unit) % 1 == 0


@given(st.lists(st.integers(1, 99), min_size=1, max_size=50), st.integers(1, 20), st.floats(1e-3, 1e3))
def test_batches_do_not_matter(multiples, size, factor):
    weight = np.array(multiples) * factor
    tally = WeightTally()
    for start in range(0, len(weight), size):
        # Rows of weight 0 are not there.
        tally.add(np.append(weight[start : start + size], 0.0))
    assert tally.grid() == WeightGrid.of(weight)


@pytest.mark.parametrize("kind", ["tenths", "any", "any, many"])
def test_tables_know_their_grid(kind):
    weight = KINDS[kind]
    X = np.zeros((len(weight), 2))
    table = ArrayTable(X, np.arange(len(weight)) % 2, weight, batch_rows=7)
    assert table.weights == WeightGrid.of(weight)
    # Batches hold what the file holds.
    np.testing.assert_array_equal(table.read().weight, weight)
    assert ArrayTable(X).weights is None
