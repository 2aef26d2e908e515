"""Negative zero is written nowhere."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.core.discretize.cuts import Cuts
from fewer.core.reading.frames import encode_labels
from fewer.core.reading.io.text_columns import label_array
from fewer.core.records.numerals import numeral, numerals, without_negative_zero
from fewer.core.records.reasons import Reason
from fewer.report.words import column, number


@pytest.mark.parametrize(
    ("value", "spec", "words"),
    [
        (-0.0, ".6g", "0"),
        (-0.001, ".2f", "0.00"),
        (-1.5, ".6g", "-1.5"),
        (-12345.6, ",.0f", "-12,346"),
        (-0.0, ".1%", "0.0%"),
    ],
)
def test_numbers_that_would_be_negative_zeros_are_zeros(value, spec, words):
    assert numeral(value, spec) == words


def test_numbers_are_told_apart_with_as_many_digits_as_that_takes():
    assert numerals([-0.0, 1.0, 1e9]) == ["0", "1", "1e+09"]
    assert numerals([1e9, 1e9 + 1e-6]) == ["1000000000", "1000000000.000001"]
    assert numerals([]) == []


def test_arrays_lose_negative_zeros_and_nothing_else():
    for dtype in (np.float64, np.float32):
        out = without_negative_zero(np.array([-0.0, -1.0, np.nan], dtype))
        assert out.dtype == dtype
        assert np.signbit(out).tolist()[:2] == [False, True]
    assert without_negative_zero(np.array(["a"])).tolist() == ["a"]


@pytest.mark.parametrize("zeros", [[-0.0, 0.0], [0.0, -0.0], [-0.0, -0.0]])
def test_labels_edges_and_reports_write_one_zero(zeros):
    values = np.array([*zeros, 0.5])
    assert encode_labels(values.astype(object), "x")[1].tolist() == ["0.0", "0.5"]
    assert str(label_array(set(values.tolist()), False).tolist()) == "[0.0, 0.5]"
    cuts = Cuts.from_lists([zeros[:1]]), Cuts.from_table(np.array([zeros]), np.array([[True, False]]))
    assert [np.signbit(one.edges).any() for one in cuts] == [False, False]
    assert number(zeros[0]) == "0"
    assert column([zeros[0], 0.25])[0] == "0"
    assert "score 0;" in str(Reason("a", "irrelevant", score=zeros[0], threshold=1.0))


@pytest.mark.parametrize("zero", [-0.0, 0.0])
def test_classes_and_levels_are_called_zero(zero):
    y = np.tile([zero, 1.0], 20)
    y[:2] = [0.0, 1.0]
    X = np.column_stack([np.where(y == 1, 2.0, zero), np.arange(40) % 3])
    assert list(fewer.FTest(1).fit(X, y).selection_.meta["data"]["classes"]) == ["0.0", "1.0"]
    got = fewer.OrdEval(1, n_random=0).fit(X, y)
    assert pd.DataFrame(got.levels_)["level"].tolist() == ["0", "2", "0", "1", "2"]
