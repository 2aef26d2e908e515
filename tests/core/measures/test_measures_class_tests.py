"""Tests of class means, signal to noise and the Fisher score against scipy and the plain definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import f_oneway, ttest_ind

from fewer.core import measures
from fewer.core.records.errors import InputError
from fewer.core.summaries.results import Moments
from oracles import measures as oracle

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


@pytest.fixture
def binary():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, size=31)
    return rng.normal(size=(31, 6)) * np.arange(1, 7) + np.outer(y, np.linspace(-2, 2, 6)) + 10, y


@pytest.fixture
def three_classes():
    rng = np.random.default_rng(6)
    y = rng.integers(0, 3, size=50)
    return rng.normal(size=(50, 5)) + np.outer(y, np.linspace(0, 1, 5)), y


def test_f_test_equals_scipy(three_classes):
    X, y = three_classes
    expected = f_oneway(*[X[y == c] for c in range(3)], axis=0)
    # A class without rows must not change the degrees of freedom.
    for n_classes in (3, 5):
        statistic, pvalue = measures.f_test(oracle.moments(X, y, n_classes))
        np.testing.assert_allclose(statistic, expected.statistic, rtol=1e-10)
        np.testing.assert_allclose(pvalue, expected.pvalue, rtol=1e-9)


@pytest.mark.parametrize(("measure", "equal"), [(measures.pooled_t, True), (measures.welch_t, False)])
def test_t_tests_equal_scipy(binary, measure, equal):
    X, y = binary
    statistic, dof, pvalue = measure(oracle.moments(X, y, 2))
    expected = ttest_ind(X[y == 1], X[y == 0], equal_var=equal)
    np.testing.assert_allclose(statistic, expected.statistic, rtol=1e-10)
    np.testing.assert_allclose(dof, expected.df, rtol=1e-10)
    np.testing.assert_allclose(pvalue, expected.pvalue, rtol=1e-9)


def test_squared_t_is_f(binary):
    moments = oracle.moments(*binary, 2)
    t, _, p_t = measures.pooled_t(moments)
    f, p_f = measures.f_test(moments)
    np.testing.assert_allclose(t**2, f, rtol=1e-10)
    np.testing.assert_allclose(p_t, p_f, rtol=1e-9)


def test_signal_to_noise_is_its_definition(binary):
    X, y = binary
    one, zero = X[y == 1], X[y == 0]
    expected = (one.mean(axis=0) - zero.mean(axis=0)) / (one.std(axis=0, ddof=1) + zero.std(axis=0, ddof=1))
    np.testing.assert_allclose(measures.signal_to_noise(oracle.moments(X, y, 2)), expected, rtol=1e-10)


def test_fisher_score_is_its_definition(three_classes):
    X, y = three_classes
    parts = [X[y == c] for c in range(3)]
    between = sum(len(part) * (part.mean(axis=0) - X.mean(axis=0)) ** 2 for part in parts)
    within = sum(len(part) * part.var(axis=0) for part in parts)
    score = measures.fisher_score(oracle.moments(X, y, 3))
    np.testing.assert_allclose(score, between / within, rtol=1e-10)
    np.testing.assert_allclose(score * (50 - 3) / 2, measures.f_test(oracle.moments(X, y, 3))[0], rtol=1e-10)


@pytest.mark.parametrize("value", [0.0, 0.1, -1e8 / 3, 1e-30])
def test_constant_feature(value):
    """The class means of a constant differ by round-off; that must not count."""
    X, y = np.full((33, 1), value), np.arange(33) % 2
    moments = oracle.moments(X, y, 2)
    assert [part.tolist() for part in measures.f_test(moments)] == [[0.0], [1.0]]
    for measure in (measures.pooled_t, measures.welch_t):
        statistic, dof, pvalue = measure(moments)
        assert (statistic[0], dof[0], pvalue[0]) == (0.0, 31.0, 1.0)
    assert measures.signal_to_noise(moments)[0] == 0.0
    assert measures.fisher_score(moments)[0] == 0.0


def test_equal_means_do_not_differ_by_rounding_of_the_grand_mean():
    moments = Moments(np.array([7.0, 13.0, 5.0]), np.full((1, 3), 0.1), np.zeros((1, 3)))
    assert measures.fisher_score(moments)[0] == 0.0
    assert measures.f_test(moments)[1][0] == 1.0


def test_perfect_separation_is_infinite_with_the_right_sign():
    y = np.array([0, 0, 0, 1, 1])
    moments = oracle.moments(np.column_stack([0.3 + y, 0.3 - y]), y, 2)
    assert [part.tolist() for part in measures.f_test(moments)] == [[np.inf, np.inf], [0.0, 0.0]]
    for measure in (measures.pooled_t, measures.welch_t):
        statistic, dof, pvalue = measure(moments)
        assert statistic.tolist() == [np.inf, -np.inf]
        assert dof.tolist() == [3.0, 3.0]
        assert pvalue.tolist() == [0.0, 0.0]
    assert measures.signal_to_noise(moments).tolist() == [np.inf, -np.inf]
    assert measures.fisher_score(moments).tolist() == [np.inf, np.inf]


@pytest.mark.parametrize("y", [[0, 0, 0], [1, 1, 1]])
def test_single_class(y):
    X = np.array([[1.0], [2.0], [4.0]])
    for n_classes in (max(y) + 1, 2):
        moments = oracle.moments(X, y, n_classes)
        assert [part.tolist() for part in measures.f_test(moments)] == [[0.0], [1.0]]
        assert [part.tolist() for part in measures.pooled_t(moments)] == [[0.0], [1.0], [1.0]]
        assert [part.tolist() for part in measures.welch_t(moments)] == [[0.0], [1.0], [1.0]]
        assert measures.signal_to_noise(moments).tolist() == [0.0]
        assert measures.fisher_score(moments).tolist() == [0.0]


def test_too_few_rows():
    """Nothing can be tested, but features that differ come before those that do not."""
    two = oracle.moments([[1.0, 5.0], [2.0, 5.0]], [0, 1], 2)
    assert [part.tolist() for part in measures.f_test(two)] == [[np.inf, 0.0], [1.0, 1.0]]
    assert [part.tolist() for part in measures.pooled_t(two)] == [[np.inf, 0.0], [0.0, 0.0], [1.0, 1.0]]
    lonely = oracle.moments([[1.0], [2.0], [4.0]], [1, 0, 0], 2)
    expected = ttest_ind([1.0], [2.0, 4.0])
    statistic, _, pvalue = measures.pooled_t(lonely)
    assert (statistic[0], pvalue[0]) == pytest.approx((expected.statistic, expected.pvalue))
    # The lonely row has no variance, the other class 2, and the mean of two rows half of it.
    assert [part.tolist() for part in measures.welch_t(lonely)] == [[-2.0], [1.0], [1.0]]
    assert measures.signal_to_noise(lonely)[0] == pytest.approx(-2.0 / np.sqrt(2.0))


def test_light_weights_are_told_apart_by_population_variances(binary):
    """Shares that add up to 1 leave no degrees of freedom, but the same order of the features as any other weights."""
    X, y = binary
    n = np.bincount(y)
    moments = oracle.moments(X, y, 2)
    share = 1.0 / n.sum()
    light = Moments(moments.weight * share, moments.mean, moments.m2 * share)
    v = np.stack([X[y == c].var(axis=0) for c in (0, 1)])
    difference = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    pooled = (n @ v) / n.sum()
    t = difference / np.sqrt(pooled * (1 / n * n.sum()).sum())
    welch = difference / np.sqrt((v.T / (n * share)).sum(axis=1))
    for (statistic, dof, pvalue), expected in ((measures.pooled_t(light), t), (measures.welch_t(light), welch)):
        np.testing.assert_allclose(statistic, expected, rtol=1e-10)
        assert dof.tolist() == [0.0] * 6
        assert pvalue.tolist() == [1.0] * 6
    f, pvalue = measures.f_test(light)
    np.testing.assert_allclose(f, t**2, rtol=1e-10)
    assert pvalue.tolist() == [1.0] * 6
    np.testing.assert_allclose(measures.signal_to_noise(light), difference / np.sqrt(v).sum(axis=0), rtol=1e-10)
    for same in (measures.fisher_score, measures.correlation_ratio):
        np.testing.assert_allclose(same(light), same(moments), rtol=1e-10)


def test_one_light_class(binary):
    """Only the class that weighs less than two rows has the variance of its population."""
    X, y = binary
    moments, weight = oracle.moments(X, y, 2), np.array([1.0, 0.004])
    light = Moments(moments.weight * weight, moments.mean, moments.m2 * weight)
    s = np.stack([X[y == 0].var(axis=0, ddof=1), X[y == 1].var(axis=0)])
    difference = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    np.testing.assert_allclose(measures.signal_to_noise(light), difference / np.sqrt(s).sum(axis=0), rtol=1e-10)
    statistic, _, pvalue = measures.welch_t(light)
    np.testing.assert_allclose(statistic, difference / np.sqrt((s.T / light.weight).sum(axis=1)), rtol=1e-10)
    assert pvalue.tolist() == [1.0] * 6


def test_correlation_ratio_is_its_definition(three_classes):
    X, y = three_classes
    centre = X.mean(axis=0)
    between = sum((y == c).sum() * (X[y == c].mean(axis=0) - centre) ** 2 for c in range(3))
    expected = between / ((X - centre) ** 2).sum(axis=0)
    np.testing.assert_allclose(measures.correlation_ratio(oracle.moments(X, y, 3)), expected, rtol=1e-10)
    X = np.column_stack([np.full(4, 7.0), [1, 1, 2, 2], [-1e150, -1e150, 1e150, 1e150 * (1 + 1e-9)]])
    assert measures.correlation_ratio(oracle.moments(X, [0, 0, 1, 1], 2)).tolist() == [0.0, 1.0, 1.0]


@pytest.mark.parametrize("name", ["pooled_t", "welch_t", "signal_to_noise"])
def test_three_classes_are_refused(three_classes, name):
    with pytest.raises(InputError, match=f"^{name} got 3 classes, but it compares two; "):
        getattr(measures, name)(oracle.moments(*three_classes, 3))


NUMBERS = st.floats(-1e100, 1e100, allow_subnormal=False) | st.integers(-3, 3).map(float)


@given(arrays(float, (6, 3), elements=NUMBERS), st.lists(st.integers(0, 1), min_size=6, max_size=6))
def test_never_nan(X, y):
    moments = oracle.moments(X, y, 2)
    results = [*measures.f_test(moments), *measures.pooled_t(moments), *measures.welch_t(moments)]
    results += [measures.signal_to_noise(moments), measures.fisher_score(moments)]
    assert not any(np.isnan(part).any() for part in results)
    for pvalue in (results[1], results[4], results[7]):
        assert ((pvalue >= 0) & (pvalue <= 1)).all()


@given(arrays(float, (8, 1), elements=st.integers(-50, 50).map(float)), st.floats(0.5, 20), st.floats(-99, 99))
def test_scale_and_origin_do_not_matter(X, scale, origin):
    y = np.array([0, 1, 0, 1, 1, 0, 0, 1])
    before, after = oracle.moments(X, y, 2), oracle.moments(X * scale + origin, y, 2)
    for measure in (measures.signal_to_noise, measures.fisher_score):
        np.testing.assert_allclose(measure(after), measure(before), rtol=1e-6, atol=1e-9)
