"""Random functions of Friedman and the linear model that trees find hard."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.records.errors import ParameterError
from fewer.synth import GENERATORS, make_friedman_random_function, make_linear_hard_for_trees


def test_random_functions_are_bounded_and_noise_plays_no_part():
    data = make_friedman_random_function(random_state=0)
    assert data.X.shape == (400, 20)
    assert len(data.importance) == 20
    assert data.relevant == tuple(j for j in range(20) if data.importance[j] > 0)
    assert max(data.relevant) < 10
    assert np.array_equal(data.y, make_friedman_random_function(random_state=0).y)
    # Every term is between 0 and its weight, and one feature lies in at most all terms.
    assert np.abs(data.y).max() <= 20.0
    assert max(data.importance) <= 20.0


def test_random_functions_of_mixed_types_and_classes():
    data = make_friedman_random_function(mixed=True, nominal=True, task="classification", random_state=1)
    assert len(data.nominal) == 10
    assert all(2 <= len(np.unique(data.X[:, j])) <= 32 for j in data.nominal)
    assert data.y.sum() == 200
    moved = data.shuffled(np.random.default_rng(0))
    assert [moved.importance[j] > 0 for j in range(20)] == [j in moved.relevant for j in range(20)]


def test_noise_is_as_large_as_asked():
    plain = make_friedman_random_function(20_000, random_state=2)
    noisy = make_friedman_random_function(20_000, noise=1.0, random_state=2)
    away = np.abs(plain.y - np.median(plain.y)).mean()
    assert np.abs(noisy.y - plain.y).mean() == pytest.approx(away, rel=0.03)


def test_size_of_terms():
    sizes = np.floor(1.5 + np.random.default_rng(0).exponential(2.0, 100_000))
    assert np.minimum(sizes, 10).mean() == pytest.approx(2.96, abs=0.05)


def test_linear_model_has_the_shares_of_the_text():
    data = make_linear_hard_for_trees(200_000, random_state=0)
    weights = np.linalg.lstsq(data.X, data.y, rcond=None)[0]
    np.testing.assert_allclose(weights[:5], [-0.25, 0.1, 0.05, 0.025, 0.015], atol=1e-4)
    np.testing.assert_allclose(weights[5:], 0.0, atol=1e-4)
    squares = np.array(data.importance[:5]) ** 2
    np.testing.assert_allclose(squares / squares.sum(), [0.8240, 0.1318, 0.0330, 0.0082, 0.0030], atol=5e-5)
    np.testing.assert_allclose(squares / 0.01**2, [625, 100, 25, 6.25, 2.25])
    assert np.std(data.y - data.X @ weights) == pytest.approx(0.01, rel=0.02)


def test_both_can_be_made_by_name_and_refuse_in_a_sentence():
    assert {"friedman_random_function", "linear_hard_for_trees"} <= set(GENERATORS)
    with pytest.raises(ParameterError, match="eig_high"):
        make_friedman_random_function(eig_low=1.0, eig_high=0.5)
