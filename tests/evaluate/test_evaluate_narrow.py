"""Comparisons of few columns, some of them left out, and of rows that count unevenly."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.evaluate.data import read
from fewer.evaluate.evidence import pvalues as alone


@pytest.mark.parametrize("extra", ["constant", "text"])
def test_narrow_data_of_which_a_column_is_left_out(extra, monkeypatch, rng):
    y = np.arange(100) % 2
    more = {"constant": 1.0, "text": [f"w{i}" for i in range(100)]}[extra]
    X = pd.DataFrame({"k": more, "x": rng.normal(size=100) + y, "z": rng.normal(size=100)})
    warmed = set()
    monkeypatch.setattr("fewer.evaluate.times._WARM", warmed)
    found = fewer.compare(X, y, ["InformationGain"], ["naive Bayes"], [1], cv=3)
    assert [found.names[j] for j in found.best().features] == ["x"]
    assert not found.failures
    assert len(warmed) == 1


def test_uneven_weights_are_worth_fewer_rows(rng):
    X, y = rng.normal(size=(100, 400)), np.repeat([0, 1], 50)
    weight = np.where(rng.random(100) < 0.1, 100.0, 1.0)
    pvalues = alone(read(X, y, weight=weight).view, np.arange(400))
    assert (pvalues < 0.05).mean() < 0.12
    # Equal weights, whatever their scale, are as none.
    some = np.arange(20)
    none, equal = (alone(read(X, y, weight=w).view, some) for w in (None, np.full(100, 7.0)))
    np.testing.assert_allclose(equal, none, rtol=1e-9)
