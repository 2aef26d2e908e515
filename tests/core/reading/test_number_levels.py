"""Levels of whole numbers, many columns at once, are those of one column at a time."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.reading.frames import encode_frame, encode_labels
from fewer.core.reading.number_levels import WIDEST, number_levels

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
    found = number_levels(X, np.ones(9, bool))
    assert {0, 4, 5, 6, 7} <= set(found.labels) == set(np.flatnonzero(found.found).tolist())
    for j, labels in found.labels.items():
        expected, expected_labels = encode_labels(np.asarray(X, dtype=object)[:, j], j)
        np.testing.assert_array_equal(found.numbers[:, j], expected)
        assert labels.tolist() == expected_labels.tolist()


def test_what_is_not_whole_and_small_is_left(rng):
    X = awkward(rng, np.float64)
    X[0, 7], X[:, 3] = WIDEST, np.nan
    assert sorted(number_levels(X, np.ones(9, bool)).labels) == [0, 1, 4, 5, 6]
    assert sorted(number_levels(X, np.arange(9) == 5).labels) == [5]
    assert number_levels(X[:0], np.ones(9, bool)) is None
    assert number_levels(X, np.zeros(9, bool)) is None


@pytest.mark.parametrize("widest", [3, WIDEST - 1])
def test_levels_of_many_columns_with_absent_numbers(rng, widest):
    X = rng.choice([0.0, 1.0, 3.0, np.nan], (20, 3000)) - 7
    X[0, ::50] = widest - 7
    numbers, labels = encode_frame(X, np.ones(3000, bool))
    for j in range(0, 3000, 25):
        values, number = np.unique(X[:, j][~np.isnan(X[:, j])], return_inverse=True)
        np.testing.assert_array_equal(numbers[:, j][~np.isnan(X[:, j])], number)
        assert np.isnan(numbers[np.isnan(X[:, j]), j]).all()
        assert labels[j].tolist() == [str(v) for v in values]


@pytest.mark.parametrize(("dtype", "kept"), [(np.int8, np.int8), (np.uint8, np.uint8), (np.int64, np.float64)])
def test_small_numbers_stay_small(rng, dtype, kept):
    assert encode_frame(awkward(rng, dtype), np.isin(np.arange(9), [0, 5, 6]))[0].dtype == kept


@pytest.mark.parametrize("dtype", TYPES)
def test_arrays_are_encoded_as_objects_are(rng, dtype):
    X = awkward(rng, dtype)
    for nominal in (np.arange(9) % 2 == 0, np.isin(np.arange(9), [0, 5, 6])):
        numbers, labels = encode_frame(X, nominal)
        expected, expected_labels = encode_frame(X.astype(object), nominal)
        np.testing.assert_array_equal(numbers, expected)
        assert {j: v.tolist() for j, v in labels.items()} == {j: v.tolist() for j, v in expected_labels.items()}
