"""Sums over many steps: two words against Python's own integers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from fewer.core.measures.running_sums import MOST_TIMES, WholeSum, simple_fraction

EDGES = np.array([0, 1, -1, 2**40 - 1, -(2**40), 2**40, 2**62, -(2**62), 2**63 - 1, -(2**63)])


def exact(total):
    return [(int(high) << 40) + int(low) for high, low in zip(total.high, total.low)]


def test_two_words_hold_what_python_adds(rng):
    total, truth = WholeSum(10), [0] * 10
    for step in range(400):
        values = rng.permutation(EDGES) if step % 2 else rng.integers(-(2**62), 2**62, 10)
        times = int(rng.integers(-MOST_TIMES, MOST_TIMES + 1)) if step % 3 else 1
        total.add(values, times)
        truth = [t + int(v) * times for t, v in zip(truth, values)]
        assert exact(total) == truth
        assert total.low.min() >= 0
        assert total.bound >= max(map(abs, truth))
    assert max(map(abs, truth)) > 2**80


def test_floats_are_the_nearest_and_equal_for_equal_sums(rng):
    total, truth = WholeSum(10), np.zeros(10, object)
    for _ in range(200):
        values = rng.integers(-(2**62), 2**62, 10)
        total.add(values)
        truth = truth + values.astype(object)
        assert total.floats().tolist() == [float(int(t)) for t in truth]
    one, two = WholeSum(3), WholeSum(3)
    terms = rng.integers(-(2**61), 2**61, (50, 3))
    for a, b in zip(terms, terms[::-1]):
        one.add(a)
        two.add(b, 1)
    assert one.floats().tolist() == two.floats().tolist()


def test_what_could_overflow_is_refused_before_it_is_added():
    total = WholeSum(1)
    most = np.array([-(2**63)])
    for _ in range(2**17 - 1):
        total.bound += 2**63 * MOST_TIMES
    total.add(most, MOST_TIMES)
    assert total.bound == 2**102
    before = exact(total)
    with pytest.raises(OverflowError, match=r"2\*\*102"):
        total.add(np.array([1]))
    with pytest.raises(OverflowError, match="4,194,304 times"):
        WholeSum(1).add(np.array([1]), MOST_TIMES + 1)
    assert exact(total) == before
    with pytest.raises(TypeError, match="float64"):
        WholeSum(1).add(np.array([1.0]))


@pytest.mark.parametrize(
    ("value", "fraction"),
    [
        (0.1, (1, 10)),
        (1 / 3, (1, 3)),
        (0, (0, 1)),
        (1, (1, 1)),
        (2.5, (5, 2)),
        (1e-6, (1, 10**6)),
        (1000.1, (10001, 10)),
    ],
)
def test_a_float_stands_for_the_fraction_it_was_written_for(value, fraction):
    assert simple_fraction(value) == Fraction(*fraction)


@pytest.mark.parametrize("value", [2**-0.5, np.nextafter(0.5, 1), 1e-7, 1e300, 2.0**21])
def test_other_floats_stand_for_none(value):
    assert simple_fraction(value) is None
