"""The generator of ordered classes."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.measures.monotone import feature_violations
from fewer.core.records.errors import ParameterError
from fewer.synth.monotone import make_monotone


def test_bands_and_noise():
    data = make_monotone(40, n_classes=4, n_noise=5, spread=1.0, random_state=0)
    assert data.X.shape == (160, 7)
    assert data.relevant == (0, 1)
    assert np.bincount(data.y).tolist() == [40] * 4
    np.testing.assert_array_equal(np.floor(data.X[:, 0] * 4), data.y)
    assert data.X[:, 1:].min() >= 0
    assert data.X[:, 1:].max() <= 1
    assert feature_violations(data.X, data.y).violated[0] == 0


def test_the_second_feature_rises_and_falls():
    data = make_monotone(500, spread=1.0, random_state=1)
    means = [data.X[data.y == c, 1].mean() for c in range(3)]
    np.testing.assert_allclose(means, [1 / 3, 2 / 3, 1 / 3], atol=0.04)
    # Two thirds of the interval each.
    spans = [np.ptp(data.X[data.y == c, 1]) for c in range(3)]
    np.testing.assert_allclose(spans, 2 / 3, atol=0.02)
    share = feature_violations(data.X, data.y).share
    assert share[0] == 0 < 0.25 < share[1]


def test_what_cannot_be_is_said():
    with pytest.raises(ParameterError, match="n_classes"):
        make_monotone(n_classes=2)
    with pytest.raises(ParameterError, match="spread"):
        make_monotone(spread=-1)
