"""The overlap of two Gaussian components against numerical integration and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from fewer.core.measures import mixture_overlap
from oracles import measures as oracle

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")


def one(weight, mean, variance) -> float:
    return float(mixture_overlap([[weight, 1 - weight]], [mean], [variance])[0])


@settings(max_examples=60)
@given(
    st.floats(0.02, 0.98),
    st.floats(-5, 5),
    st.floats(-5, 5),
    st.floats(0.05, 9),
    st.floats(0.05, 9) | st.none(),
)
def test_is_the_integral_of_the_smaller_density(weight, m0, m1, v0, v1):
    """Paper-microarray, eq. 6.1 to 6.3: the Bayes error of the mixture; None means equal variances."""
    v1 = v0 if v1 is None else v1
    expected = oracle.mixture_overlap([weight, 1 - weight], np.array([m0, m1]), np.array([v0, v1]), 40_001)
    assert one(weight, [m0, m1], [v0, v1]) == pytest.approx(expected, abs=2e-6)


def test_many_features_at_once_in_any_order_of_components():
    rng = np.random.default_rng(7)
    first = rng.uniform(0.1, 0.9, size=200)
    weight = np.column_stack([first, 1 - first])
    mean, variance = rng.normal(size=(200, 2)) * 3, rng.uniform(0.1, 4, size=(200, 2))
    value = mixture_overlap(weight, mean, variance)
    np.testing.assert_allclose(
        value, [oracle.mixture_overlap(*parts, 100_001) for parts in zip(weight, mean, variance)], atol=1e-6
    )
    np.testing.assert_allclose(mixture_overlap(weight[:, ::-1], mean[:, ::-1], variance[:, ::-1]), value, rtol=1e-9)
    np.testing.assert_allclose(mixture_overlap(weight, 5 - 2 * mean, 4 * variance), value, rtol=1e-9)


def test_equal_variances_have_one_decision_point():
    """Equal weights: the error is the normal tail at half the distance."""
    for distance in (0.5, 2.0, 6.0, 30.0):
        assert one(0.5, [0, distance], [1, 1]) == pytest.approx(norm.sf(distance / 2), rel=1e-10)


def test_nearly_equal_variances_join_smoothly():
    reference = one(0.3, [0, 2], [1, 1])
    for difference in (1e-6, 1e-10, 1e-15):
        assert one(0.3, [0, 2], [1, 1 + difference]) == pytest.approx(reference, rel=1e-5)
        assert one(0.3, [0, 2], [1 + difference, 1]) == pytest.approx(reference, rel=1e-5)


def test_far_tails_keep_their_digits():
    """Both decision points lie far above the wide component, where a difference of ones is 0."""
    value = one(0.5, [40, 0], [0.25, 1])
    root = min(np.roots([0.5 - 2, 2 * 80, -2 * 1600 + np.log(2)]).real)
    assert value == pytest.approx(0.5 * norm.sf(root) + 0.5 * norm.cdf((root - 40) / 0.5), rel=1e-6)
    assert 0 < value < 1e-100


def test_concentric_components():
    """Equal means: two roots at +-r with r^2 = 2 log(s) s^2 / (s^2 - 1) for equal weights."""
    r = np.sqrt(2 * np.log(3) * 9 / 8)
    expected = 0.5 * 2 * norm.sf(r) + 0.5 * (1 - 2 * norm.sf(r / 3))
    assert one(0.5, [1, 1], [1, 9]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("weight", "mean", "variance", "expected"),
    [
        (0.1, [0, 0], [1, 4], 0.1),  # the wide component wins everywhere: no real root
        (0.1, [0, 0.1], [1, 1.1], 0.1),
        (0.3, [2, 2], [1, 1], 0.3),  # the same curve twice
        (0.0, [0, 1], [1, 1], 0.0),  # one component only
        (1.0, [0, 1], [1, 2], 0.0),
        (0.4, [0, 1], [0, 1], 0.0),  # a point against a curve
        (0.4, [0, 1], [0, 0], 0.0),  # two points
        (0.4, [1, 1], [0, 0], 0.4),  # the same point twice
        (0.5, [-1e300, 1e300], [1e-300, 1e300], 0.0),
    ],
)
def test_degenerate_components(weight, mean, variance, expected):
    assert one(weight, mean, variance) == pytest.approx(expected, abs=1e-12)


@given(
    st.floats(0, 1),
    *[st.floats(-1e150, 1e150) for _ in range(2)],
    *[st.floats(0, 1e150) for _ in range(2)],
)
def test_never_nan_and_never_above_the_lighter_weight(weight, m0, m1, v0, v1):
    value = one(weight, [m0, m1], [v0, v1])
    assert 0.0 <= value <= min(weight, 1 - weight)


def test_overlap_shrinks_with_distance():
    values = [one(0.4, [0, distance], [1, 2]) for distance in np.linspace(0, 12, 40)]
    assert (np.diff(values) < 1e-15).all()
