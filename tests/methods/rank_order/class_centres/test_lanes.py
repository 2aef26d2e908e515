"""Sixty-four numbers as one value, against plain arrays."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.kernels._jit import kernel
from fewer.methods.rank_order.class_centres.kernels import _lanes as lanes

LANES = lanes.LANES
KINDS = (np.int8, np.int16, np.int32, np.int64)


def rows(kind, seed=0, low=-60, high=60):
    out = lanes.aligned((3, LANES), kind)
    out[:] = np.random.default_rng(seed).integers(low, high, out.shape)
    return out


def word_of(truth):
    return sum(1 << at for at in np.flatnonzero(truth).tolist())


@kernel
def arithmetic(a, number, out):
    one, two = lanes.load(a, 0), lanes.load(a, 1)
    lanes.store(out, 0, lanes.less(one, two))
    lanes.store(out, 1, lanes.add(one, two))
    lanes.store(out, 2, lanes.plus(one, number))
    lanes.store(out, 3, lanes.times(one, two))
    lanes.store(out, 4, lanes.scaled(one, number))
    lanes.store(out, 5, lanes.zeros(a))


@kernel
def questions(a, number, length, words, numbers, out):
    one = lanes.load(a, 2)
    words[0] = lanes.at_least(one, number)
    numbers[0], numbers[1] = lanes.largest(one), lanes.smallest(one)
    lanes.store(out, 0, lanes.add_within(lanes.load(out, 1), one, number, length, 3))
    lanes.store(out, 1, lanes.reached(one, number, number + length, out))


@kernel
def widened(a, wide):
    lanes.store(wide, 0, lanes.widen(lanes.load(a, 0), wide))


@kernel
def lowest_of(words, out):
    for at in range(words.shape[0]):
        out[at] = lanes.lowest(words[at])


@pytest.mark.parametrize("kind", KINDS)
def test_arithmetic_is_that_of_arrays(kind):
    a, out = rows(kind, low=-11, high=11), lanes.aligned((6, LANES), kind)
    arithmetic(a, 7, out)
    expected = [a[0] - a[1], a[0] + a[1], a[0] + 7, a[0] * a[1], 7 * a[0], 0 * a[0]]
    assert np.array_equal(out, np.array(expected).astype(kind))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("number", "length"), [(-60, 0), (-10, 25), (0, 1), (59, 1), (-60, 120)])
def test_questions_are_answered_as_for_arrays(kind, number, length):
    a, words, numbers = rows(kind, 1), np.zeros(1, np.uint64), np.zeros(2, np.int64)
    out = lanes.aligned((2, LANES), np.int8)
    out[:] = 5
    questions(a, number, length, words, numbers, out)
    assert int(words[0]) == word_of(a[2] >= number)
    assert numbers.tolist() == [a[2].max(), a[2].min()]
    assert np.array_equal(out[0], 5 + 3 * ((a[2] >= number) & (a[2] < number + length)))
    assert np.array_equal(out[1], (a[2] >= number).astype(int) + (a[2] >= number + length))


@pytest.mark.parametrize(("kind", "wide"), [(np.int8, np.int16), (np.int8, np.int8), (np.int32, np.int64)])
def test_wider_numbers_are_the_same(kind, wide):
    a, out = rows(kind, 2, -128, 128), lanes.aligned((1, LANES), wide)
    widened(a, out)
    assert np.array_equal(out[0], a[0])


def test_lowest_bit():
    words, out = np.array([1, 6, 1 << 63, 3 << 40], np.uint64), np.zeros(4, np.int64)
    lowest_of(words, out)
    assert out.tolist() == [0, 1, 63, 40]


@pytest.mark.parametrize("shape", [(1,), (3, LANES), (2, 5, LANES)])
def test_aligned_arrays_begin_with_a_cache_line(shape):
    for kind in KINDS:
        made = lanes.aligned(shape, kind)
        assert (made.shape, made.dtype) == (shape, kind)
        assert made.ctypes.data % LANES == 0
        assert made.flags.c_contiguous
