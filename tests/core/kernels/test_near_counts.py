"""Sorted values near to one of them, counted from it outwards, are those that a look at all of them finds."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.kernels.near_counts import STRIDE, STRIDES, TINY, _within

FAR = STRIDE * STRIDES


@pytest.mark.parametrize("n", [1, 2, STRIDE, STRIDE + 1, FAR, FAR + 1, FAR + 2, 3 * FAR])
@pytest.mark.parametrize("n_values", [1, 3, 10**6])
def test_near_values_are_counted(rng, n, n_values):
    values = np.sort(rng.integers(0, n_values, n) / 7.0)
    for radius in (0.0, 0.05, 0.4 * np.ptp(values), 2.0 * np.ptp(values) + 1.0):
        for at in {0, n // 3, n // 2, n - 1}:
            near = np.sum(np.abs(values - values[at]) * 1.5 < max(radius, TINY))
            assert _within(values, at, 1.5, radius) == near
