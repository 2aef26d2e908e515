"""Columns as estimators get them: text without thousands of columns, and without telling the target."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.evaluate.data import design, read
from fewer.evaluate.encode import MOST_LEVELS, FoldColumns, target_means, width

pytestmark = pytest.mark.filterwarnings("ignore:Column:UserWarning")


def text(n_levels, n=300, seed=0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_levels, n)
    X = pd.DataFrame({"word": [f"w{c}" for c in codes], "few": [f"f{c % 3}" for c in codes], "x": rng.normal(size=n)})
    return X, (np.sin(codes) + 0.3 * rng.normal(size=n) > 0).astype(int)


def test_many_levels_become_one_column_and_few_one_each():
    data = read(*text(100))
    train, test = np.arange(0, 300, 2), np.arange(1, 300, 2)
    known, new = design(data, train, test, np.array([0, 1, 2]))
    assert known.shape[1] == new.shape[1] == 1 + 3 + 1 == width(data)
    # The target of the test rows has no part in it.
    other = read(text(100)[0], np.where(np.arange(300) % 2 == 1, 0, data.y))
    np.testing.assert_array_equal(design(other, train, test, np.array([0]))[1], new[:, :1])
    assert np.corrcoef(new[:, 0], data.y[test])[0, 1] > 0.3


def test_an_identifier_tells_nothing_of_its_own_row():
    rng = np.random.default_rng(0)
    codes, y = np.arange(200.0), rng.integers(0, 2, 200)
    known, new = target_means(codes, codes + 200, codes, y, "classification", None)
    assert np.ptp(known) == pytest.approx(0.0)
    assert new[:, 0] == pytest.approx(y.mean())


def test_means_of_classes_numbers_and_weights():
    codes = np.repeat(np.arange(30.0), 4)
    y = np.tile([0, 1, 2, 2], 30)
    known, _ = target_means(codes, codes[:0], np.arange(30.0), y, "classification", None)
    assert known.shape == (120, 3)
    assert known.sum(axis=1) == pytest.approx(1.0)
    value = np.repeat(np.linspace(0, 1, 30), 4)
    _, new = target_means(codes, np.array([29.0, np.nan, 99.0]), np.arange(30.0), value, "regression", None)
    assert new[:, 0] == pytest.approx([(4 + 5 * 0.5) / 9, 0.5, 0.5])
    weight = np.tile([1.0, 3.0, 0.5, 1.5], 30)
    _, weighted = target_means(codes, codes[:4], np.arange(30.0), (y > 1).astype(int), "classification", weight)
    assert weighted[:, 0] == pytest.approx((2.0 + 5 * (2.0 / 6.0)) / 11.0)


def test_encoded_columns_are_kept(monkeypatch):
    data = read(*text(100))
    fold = FoldColumns(data, np.arange(200), np.arange(200, 300))
    first = fold.of(np.array([0, 2]))[0]
    monkeypatch.setattr("fewer.evaluate.encode.target_means", None)
    np.testing.assert_array_equal(fold.of(np.array([0]))[0], first[:, :1])


def test_text_columns_are_compared_in_no_time():
    rng = np.random.default_rng(0)
    X, y = text(400, 800)
    X["name"] = [f"n{i}" for i in rng.permutation(800)]
    found = fewer.compare(X, y, ["SymmetricalUncertainty"], "logistic", [1, 4], cv=2, naive=False, keep="all")
    assert found.scores.shape == (1, 1, 2, 2)
    assert np.isfinite(found.whole).all()
    assert MOST_LEVELS < 400
