"""Levels of whole numbers, many columns at once, are those of one column at a time."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.reading.frames import encode_frame, encode_labels
from fewer.core.reading.number_levels import WIDEST, whole_number_levels

TYPES = [np.float64, np.float32, np.int8, np.int64, np.uint8, np.uint64]


def awkward(rng, dtype):
    X = rng.integers(0, 5, (50, 9)).astype(dtype)
    if np.dtype(dtype).kind == "f":
        X[:, 1] *= -1
        X[:, 2] *= 0.5
        X[3, 4] = np.nan
        X[:, 8] += 2.0**60
    if dtype == np.int64:
        X[:, 1] += 2**60
        X[:, 2] -= 10
        X[:, 8] *= 1000
    X[:, 5] *= 2
    X[:, 6] = 0
    return X


@pytest.mark.parametrize("dtype", TYPES)
def test_same_levels_and_labels_as_column_by_column(rng, dtype):
    X = awkward(rng, dtype)
    found = whole_number_levels(X, np.ones(9, bool))
    assert {0, 5, 6, 7} <= set(found)
    for j, (numbers, labels) in found.items():
        expected, expected_labels = encode_labels(np.asarray(X, dtype=object)[:, j], j)
        np.testing.assert_array_equal(numbers, expected)
        assert labels.tolist() == expected_labels.tolist()


def test_what_is_not_whole_small_and_complete_is_left(rng):
    X = awkward(rng, np.float64)
    X[0, 7] = WIDEST
    assert sorted(whole_number_levels(X, np.ones(9, bool))) == [0, 1, 3, 5, 6]
    assert sorted(whole_number_levels(X, np.arange(9) == 5)) == [5]
    assert whole_number_levels(X[:0], np.ones(9, bool)) == {}


@pytest.mark.parametrize("dtype", TYPES)
def test_arrays_are_encoded_as_objects_are(rng, dtype):
    X = awkward(rng, dtype)
    for nominal in (np.arange(9) % 2 == 0, np.isin(np.arange(9), [0, 5, 6])):
        numbers, labels = encode_frame(X, nominal)
        expected, expected_labels = encode_frame(X.astype(object), nominal)
        np.testing.assert_array_equal(numbers, expected)
        assert {j: v.tolist() for j, v in labels.items()} == {j: v.tolist() for j, v in expected_labels.items()}
