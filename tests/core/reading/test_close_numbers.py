"""Class labels that lie close together are numbered as numpy's ``unique`` numbers them."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.reading.close_numbers import WIDEST, CloseNumbers, distinct
from fewer.core.reading.targets import class_numbers

TYPES = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "bool", ">i4"]


@pytest.mark.parametrize("kind", TYPES)
def test_numbers_are_those_of_unique(kind):
    rng = np.random.default_rng(0)
    dtype = np.dtype(kind)
    ends = (0, 2) if kind == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    for low in (0,) if kind == "bool" else (0, max(ends[0], -100), max(ends[0], -(2**40)), ends[1] - 200):
        drawn = rng.integers(0, 2, 600) if kind == "bool" else low + 40 * rng.integers(0, 4, 600).astype(object)
        y = drawn.astype(dtype)
        values, numbers = np.unique(y, return_inverse=True)
        for got, expected in zip(class_numbers("Test", y)[::-1], (values, numbers)):
            np.testing.assert_array_equal(got, expected)
        assert class_numbers("Test", y)[1].dtype == values.dtype
        np.testing.assert_array_equal(distinct(y), values)


def test_wide_ranges_and_other_types_are_left_to_numpy():
    rng = np.random.default_rng(1)
    wide = np.array([0, WIDEST] * 9)
    assert CloseNumbers.of(wide) is None
    assert CloseNumbers.of(np.array([2**63, 2**63 + 1] * 9, np.uint64)) is None
    assert CloseNumbers.of(np.array([-(2**63), 2**63 - 1] * 9)) is None
    assert CloseNumbers.of(np.array(["a", "b"])) is None
    assert CloseNumbers.of(rng.normal(size=4)) is None
    assert CloseNumbers.of(np.zeros(0, int)) is None
    assert CloseNumbers.of(np.zeros((2, 2), int)) is None
    for y in (wide, np.array([2**63, 2**63 + 1] * 9, np.uint64)):
        np.testing.assert_array_equal(class_numbers("Test", y)[1], np.unique(y))


def test_as_many_classes_as_rows_are_numbered_alike():
    y = np.arange(40)[::-1]
    for given in (y, np.repeat(y, 2)):
        values, expected = np.unique(given, return_inverse=True)
        numbers, classes = class_numbers("Test", given)
        np.testing.assert_array_equal(numbers, expected)
        np.testing.assert_array_equal(classes, values)
