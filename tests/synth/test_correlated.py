"""The toy data of the doubly regularized machine."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.synth import make_drsvm_toy


def test_means_and_correlations_are_as_stated():
    data = make_drsvm_toy(20_000, random_state=0)
    assert data.X.shape == (40_000, 5)
    assert set(data.y) == {-1, 1}
    for sign in (-1, 1):
        part = data.X[data.y == sign]
        np.testing.assert_allclose(part.mean(axis=0), [sign, 0, 0, 0, 0], atol=0.04)
        np.testing.assert_allclose(np.cov(part.T), np.full((5, 5), 0.8) + 0.2 * np.eye(5), atol=0.04)
    within = np.full((5, 5), 0.8) + 0.2 * np.eye(5)
    best = np.linalg.solve(within, [2.0, 0, 0, 0, 0])
    np.testing.assert_allclose(best / best[0], [1, *[-0.8 / 3.4] * 4])


def test_defaults_and_refusals():
    data = make_drsvm_toy(random_state=1)
    assert data.X.shape == (16, 5)
    assert data.relevant == (0, 1, 2, 3, 4)
    assert make_drsvm_toy(correlation=0, random_state=1).relevant == (0,)
    np.testing.assert_array_equal(data.X, make_drsvm_toy(random_state=1).X)
    for wrong in ({"correlation": 1}, {"correlation": -0.1}, {"n_per_class": 0}, {"n_features": 1}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            make_drsvm_toy(**wrong)
