from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fewer.core.kernels.cutpoints import mdl_cuts
from oracles.discretise import mdl_edges


def fast_edges(values, classes, n_classes):
    order = np.argsort(values, kind="stable")
    m = np.arange(len(values) + 1.0)
    out = np.empty(len(values))
    found = mdl_cuts(values[order], classes[order], n_classes, m * np.log(np.maximum(m, 1)), out)
    return np.sort(out[:found])


@pytest.mark.parametrize("n_classes", [2, 3, 6])
@pytest.mark.parametrize("step", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("seed", range(4))
def test_equals_the_recursion(n_classes, step, seed):
    rng = np.random.default_rng(seed)
    classes = rng.integers(0, n_classes, size=160)
    values = rng.normal(size=160) + (classes % 3) * seed
    if step:
        values = (values / step).round() * step
    assert fast_edges(values, classes, n_classes) == pytest.approx(mdl_edges(values.tolist(), classes.tolist()))


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(0, 2)), min_size=1, max_size=40))
def test_equals_the_recursion_on_ties(pairs):
    values = np.array([float(x) for x, _ in pairs])
    classes = np.array([c for _, c in pairs])
    assert fast_edges(values, classes, 3).tolist() == mdl_edges(values.tolist(), classes.tolist())


@pytest.mark.parametrize("n", range(2, 14))
def test_a_clean_cut_of_few_rows_must_pay_its_price(n):
    """With 1 of 5 or 6 rows the gain lies between the price of n - 1 places for the cut and that of n."""
    for first in range(1, n):
        values, classes = np.arange(float(n)), (np.arange(n) >= first).astype(int)
        assert fast_edges(values, classes, 2).tolist() == mdl_edges(values.tolist(), classes.tolist())
    if n in (5, 6):
        assert fast_edges(np.arange(float(n)), (np.arange(n) >= 1).astype(int), 2).tolist() == [0.5]


def test_upper_value_stays_right_of_its_cut():
    low = 1.0
    high = np.nextafter(low, 2)
    values, classes = np.repeat([low, high], 20), np.repeat([0, 1], 20)
    assert fast_edges(values, classes, 2).tolist() == [low]


def test_many_classes_do_not_overflow():
    classes = np.repeat(np.arange(800), 2)
    values = (classes >= 400) + 0.0
    assert np.isfinite(fast_edges(values, classes, 800)).all()


def test_one_value_or_one_class_is_not_cut():
    assert len(fast_edges(np.arange(50.0), np.zeros(50, int), 1)) == 0
    assert len(fast_edges(np.ones(50), np.arange(50) % 2, 2)) == 0
    assert len(fast_edges(np.array([1.0]), np.array([0]), 2)) == 0
    assert len(fast_edges(np.empty(0), np.empty(0, int), 2)) == 0
