"""Which columns rise in few steps, and their values as bytes, against plain comparisons."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.kernels import few_values
from fewer.core.neighbours import few_valued

GAP = np.uint8(255)
KINDS = [np.int8, np.uint8, np.int64, np.float32, np.float64]


def rows_of(rng, n, d, kind, order="C"):
    """Return whole numbers, halves and gaps where the type has them, and some columns of two values far apart."""
    X = rng.integers(0, rng.integers(1, 7, d), (n, d)).astype(kind)
    X[:, 1::5] *= np.array(9).astype(kind)
    if X.dtype.kind == "f":
        X[:, ::7] /= 2
        X[rng.random((n, d)) < 0.1] = np.nan
        X[0] = 0
    return np.asarray(X, order=order)


def plain_steps(column, most):
    known = column[~np.isnan(column)].astype(float)
    above, width = known - known.min(), known.max() - known.min()
    if set(above) <= {0.0, width}:
        return 1
    return int(width) if width <= most and (np.rint(above) == above).all() else 0


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n", "d"), [(1, 3), (47, 130), (150, 49)])
def test_steps_are_those_of_a_plain_look(rng, n, d, kind, order):
    X = rows_of(rng, n, d, kind, order)
    low, high = np.nanmin(X, axis=0).astype(float), np.nanmax(X, axis=0).astype(float)
    which = np.flatnonzero(high > low)
    steps = few_valued._steps(X, low, high - low, which, 4)
    expected = np.zeros(d, int)
    expected[which] = [plain_steps(X[:, j], 4) for j in which]
    np.testing.assert_array_equal(steps, expected)


def test_a_value_between_in_the_last_row_is_seen(rng):
    X = np.zeros((few_valued.SAMPLE + 200, 4))
    X[::2] = 3.0
    X[-1] = [1.0, 1.5, np.nan, 3.0]
    assert few_valued._steps(X, np.zeros(4), np.full(4, 3.0), np.arange(4), 4).tolist() == [3, 0, 1, 1]
    whole = X[:, :1].astype(np.int8)
    assert few_valued._steps(whole, np.zeros(1), np.full(1, 3.0), np.arange(1), 4).tolist() == [3]
    assert few_valued._steps(whole, np.zeros(1), np.full(1, 3.0), np.arange(1), 2).tolist() == [0]


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n", "d"), [(0, 5), (1, 1), (48, 96), (101, 67)])
def test_values_are_turned_as_they_are(rng, n, d, kind, order):
    X = rows_of(rng, n, d, kind, order) if n else np.empty((0, d), kind)
    which = np.sort(rng.choice(d, d - d // 3, replace=False))
    gone = np.isnan(X[:, which].astype(float))
    levels = np.full((len(which), n), 7, np.uint8)
    few_values.write_levels(X, which, GAP, levels)
    np.testing.assert_array_equal(levels, np.where(gone, 255, np.nan_to_num(X[:, which])).T.astype(np.uint8))
    low = rng.integers(0, 3, len(which)) / 2.0
    above = np.full((2, len(which), n), 7, np.uint8)
    few_values.write_above(X, which, low, GAP, above)
    for s in range(2):
        np.testing.assert_array_equal(above[s], np.where(gone, 255, X[:, which] - low > s).T)
