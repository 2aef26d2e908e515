"""Regressions for mixed columns where nothing varies, at extreme scales, and with just enough rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from fewer.core.criteria.regression_test import RegressionTest
from fewer.independence import test as independent

NOTHING = (1.0, 0.0, 0.0, True)


@pytest.mark.parametrize("value", [0.0, 0.1, 7.1, 1e9 + 0.1, -3e200])
def test_constants_have_nothing_to_vary(value):
    """Rounding of the mean was taken for something that varies, or divided by zero."""
    rng = np.random.default_rng(0)
    for n in (100, 777):
        x, constant = rng.normal(size=n), np.full(n, value)
        levels = np.where(x > 0, "a", "b")
        for one, other in ((constant, x), (x, constant), (constant, np.full(n, 0.3)), (constant, levels)):
            assert tuple(independent(one, other, kind="mixed")) == NOTHING
        alone, beside = (independent(x, x + rng.normal(size=n), z, kind=RegressionTest()) for z in (None, constant))
        assert beside.dof == alone.dof == 1.0
        assert tuple(independent(levels, constant, x, kind="mixed")) == NOTHING


@pytest.mark.parametrize("scale", [1e160, 1e-200, 1e300, 1e-305])
def test_the_scale_of_numbers_does_not_matter(scale):
    rng = np.random.default_rng(1)
    z, noise = rng.normal(size=(2, 200))
    x = z + rng.normal(size=200)
    y = x + z + noise
    levels = np.where(y > 0, "a", "b")
    for one, other in ((x, y), (x, levels)):
        plain = independent(one, other, z, kind="mixed")
        assert plain.pvalue < 1e-6
        for scaled in (
            independent(one * scale, other, z, kind="mixed"),
            independent(one, other, z * scale, kind="mixed"),
            independent(one, other * scale if other is y else other, z, kind="mixed"),
        ):
            assert scaled.statistic == pytest.approx(plain.statistic, rel=1e-9)


def test_levels_that_the_given_columns_determine_have_nothing_left():
    rng = np.random.default_rng(2)
    level, y = rng.choice(list("abc"), 200), rng.normal(size=200)
    coarse = np.where(level == "a", "a", "other")
    for one, other in ((level, y), (y, level), (level, rng.choice(list("xy"), 200)), (coarse, y)):
        assert tuple(independent(one, other, level, kind="mixed")) == NOTHING
    # A rare level, which is determined all the same.
    level[:] = "a"
    level[:3] = "b"
    assert tuple(independent(level, y, level, kind="mixed")) == NOTHING
    # Classes that a number tells apart.
    side = np.where(y > 0, "high", "low")
    gap = y + np.sign(y)
    assert tuple(independent(side, rng.normal(size=200), gap, kind="mixed")) == NOTHING
    assert independent(side, gap, kind="mixed").pvalue < 1e-6


def test_what_as_many_columns_as_rows_determine_says_nothing():
    rng = np.random.default_rng(3)
    table = rng.normal(size=(8, 9))
    for kind in ("mixed", RegressionTest(h=0)):
        for n_given in (6, 7):
            assert not independent(table[:, 0], table[:, 1], table[:, 2 : 2 + n_given], kind=kind).reliable
    few = np.where(np.arange(40) < 3, "rare", "often")
    found = independent(few, rng.normal(size=40), rng.normal(size=(40, 20)), kind="mixed")
    assert not found.reliable


def test_p_values_of_two_numbers_are_those_of_f():
    rng = np.random.default_rng(4)
    for n in (15, 40):
        level = np.resize(["a", "b", "c"], n)
        x, y = rng.normal(size=(2, n))
        small = np.column_stack([np.ones(n), level == "b", level == "c"])
        left = [
            ((x - D @ np.linalg.lstsq(D, x, rcond=None)[0]) ** 2).sum() for D in (small, np.column_stack([small, y]))
        ]
        found = independent(x, y, level, kind="mixed")
        assert found.pvalue == pytest.approx(stats.f.sf((left[0] - left[1]) / (left[1] / (n - 4)), 1, n - 4))
        assert found.statistic == pytest.approx(n * np.log(left[0] / left[1]))
    x, y = rng.normal(size=(2, 15))
    assert independent(x, y, kind="mixed").pvalue == pytest.approx(stats.pearsonr(x, y).pvalue)


def test_with_just_enough_rows_two_numbers_are_rarely_dependent_by_chance():
    """At the edge of the rule chi-squared said so in about 8 % of samples."""
    rng = np.random.default_rng(5)
    alarms = []
    for _ in range(15):
        found = independent(rng.normal(size=(15, 100)), rng.normal(size=15), kind="mixed")
        assert found.reliable.all()
        alarms.append(np.mean(found.pvalue <= 0.05))
    assert np.mean(alarms) == pytest.approx(0.05, abs=0.015)
