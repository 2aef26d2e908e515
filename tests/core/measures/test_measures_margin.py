"""The relevance threshold and the limit of the weights of Relief."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewer.core.measures.margin import relief_limit_weights, relief_threshold
from fewer.core.records.errors import InputError, ParameterError
from oracles.relief import limit_weights


def space(*levels):
    """All instances of features with so many levels each."""
    return np.array(list(itertools.product(*(range(k) for k in levels))))


def test_thresholds_of_the_catalogue():
    assert relief_threshold(0.05, 100) == pytest.approx(0.447214, abs=5e-7)
    assert relief_threshold(0.01, 200) == pytest.approx(0.707107, abs=5e-7)


def test_threshold_is_clipped_at_the_largest_weight():
    assert relief_threshold(0.05, 1) == 1.0
    assert relief_threshold(1.0, 1) == 1.0


def test_chebyshev_bound_holds_for_the_widest_differences(rng):
    """Differences of -1 and 1 have the largest deviation that is possible."""
    m, alpha = 50, 0.2
    means = rng.choice([-1.0, 1.0], size=(4000, m)).mean(axis=1)
    assert np.mean(means >= relief_threshold(alpha, m)) <= alpha


@pytest.mark.parametrize("alpha", [0, -0.1, 1.5, "a", True, float("nan")])
def test_strange_probabilities_are_refused(alpha):
    with pytest.raises(ParameterError, match="alpha=.*at most 1.*0.05"):
        relief_threshold(alpha, 10)


@pytest.mark.parametrize("n_samples", [0, 2.5, True, None])
def test_strange_numbers_of_rows_are_refused(n_samples):
    with pytest.raises(ParameterError, match="n_samples=.*whole number"):
        relief_threshold(0.05, n_samples)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_parity_is_shared_equally_and_the_rest_explains_nothing(order):
    X = space(*[2] * (order + 1))
    expected = [1 / order] * order + [0.0]
    np.testing.assert_allclose(relief_limit_weights(X, X[:, :order].sum(axis=1) % 2), expected)


def test_conjunction_of_two_bits():
    X = space(2, 2)
    np.testing.assert_allclose(relief_limit_weights(X, X.min(axis=1)), [0.625, 0.625])


def test_feature_that_is_the_class_explains_all():
    X = space(3, 4)
    np.testing.assert_allclose(relief_limit_weights(X, X[:, 0]), [1.0, 0.0])


@given(
    st.lists(st.integers(2, 3), min_size=1, max_size=3).flatmap(
        lambda levels: st.tuples(
            st.just(levels),
            st.lists(st.integers(0, 2), min_size=int(np.prod(levels)), max_size=int(np.prod(levels))),
        )
    )
)
def test_equals_the_slow_truth(case):
    levels, y = case
    X = space(*levels)
    if len(set(y)) > 1:
        np.testing.assert_allclose(relief_limit_weights(X, y), limit_weights(X, y), atol=1e-12)


def test_values_and_classes_may_be_text():
    X = np.array([["a", "c"], ["a", "d"], ["b", "c"], ["b", "d"]])
    np.testing.assert_allclose(relief_limit_weights(X, ["n", "n", "n", "y"]), [0.625, 0.625])


def test_one_class_has_no_change_to_explain():
    np.testing.assert_array_equal(relief_limit_weights(space(2, 2), [1, 1, 1, 1]), [0.0, 0.0])


@pytest.mark.parametrize(("X", "y"), [([[0, 1]], [0, 1]), ([0, 1], [0, 1]), (np.zeros((0, 2)), [])])
def test_what_is_no_table_is_refused(X, y):
    with pytest.raises(InputError, match="one class per row"):
        relief_limit_weights(X, y)
