"""Equal up to rounding: one rule, for single numbers, for pairs and for many."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewer.core.records.rounding import TOLERANCE, differences, exceeds, joined, steady

SIZES = st.floats(1e-6, 1e6)


@given(SIZES, st.integers(-200, 200))
def test_sums_in_another_order_are_equal(value, units):
    """Some units in the last place are rounding; a millionth is none."""
    other = value + units * np.spacing(value)
    assert not exceeds(value, other)
    assert not exceeds(other, value)
    assert differences(np.array([value]), np.array([other]))[0][0] == 0.0
    assert len(np.unique(joined([value, other, -value, -other]))) == 2
    more = value * 1.000001
    assert exceeds(more, value)
    assert exceeds(-value, -more)
    assert differences(np.array([more]), np.array([value]))[0][0] > 0
    assert joined([more, value]).tolist() == [more, value]


def test_zeros_infinities_and_nan():
    inf, nan = float("inf"), float("nan")
    assert exceeds(1e-300, 0.0)
    assert exceeds(inf, 1.0)
    assert exceeds(1.0, -inf)
    assert not exceeds(inf, inf)
    assert not exceeds(-inf, -inf)
    assert not exceeds(nan, 0.0)
    assert not exceeds(0.0, nan)
    assert joined([]).shape == (0,)


def test_noise_of_differences_is_that_of_what_was_subtracted():
    """1e-5 is left of numbers near 1: its own digits are less sure than twelve."""
    d, noise = differences(np.array([1.00001, 0.50001]), np.array([1.0, 0.5]))
    assert d[0] != d[1]
    assert len(np.unique(joined(d))) == 2
    assert len(np.unique(joined(d, noise))) == 1
    assert noise == pytest.approx(TOLERANCE * np.array([1.00001, 0.50001]))


def test_steady_numbers_are_as_near_as_the_tolerance(rng):
    values = rng.normal(size=100)
    assert (np.abs(steady(values) - values) <= TOLERANCE * np.abs(values)).all()
