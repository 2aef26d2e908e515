"""R squared over folds that are too small to know how much the target varies; dates, and what is checked first."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

import fewer
from fewer.core.records.errors import ParameterError
from fewer.core.views.row_splits import make_splits
from fewer.evaluate.pooled import PooledR2

pytestmark = pytest.mark.filterwarnings("ignore")


def scores(X, y, splits, weight=None):
    scorer = PooledR2.over(y, list(zip(splits.train, splits.test)), weight)
    out = []
    for a, b in zip(splits.train, splits.test):
        more = {} if weight is None else {"sample_weight": weight[b]}
        model = LinearRegression().fit(X[a], y[a], None if weight is None else weight[a])
        out.append(scorer(model, X[b], y[b], **more))
    return np.array(out)


def test_the_mean_over_the_folds_is_that_of_all_rows(rng):
    X = rng.normal(size=(40, 2))
    y = X[:, 0] + rng.normal(size=40)
    splits = make_splits(10, y, "regression")
    errors = guesses = 0.0
    for a, b in zip(splits.train, splits.test):
        errors += ((y[b] - LinearRegression().fit(X[a], y[a]).predict(X[b])) ** 2).sum()
        guesses += ((y[b] - y[a].mean()) ** 2).sum()
    assert scores(X, y, splits).mean() == pytest.approx(1.0 - errors / guesses, rel=1e-12)


def test_weights_are_as_good_as_repeated_rows(rng):
    X = rng.normal(size=(24, 1))
    y = X[:, 0] + rng.normal(size=24)
    weight = rng.integers(1, 4, 24).astype(float)
    splits = make_splits(4, y, "regression")
    again = np.repeat(np.arange(24), weight.astype(int))
    fold = np.empty(24, dtype=int)
    for f, rows in enumerate(splits.test):
        fold[rows] = f
    pairs = [(np.flatnonzero(fold[again] != f), np.flatnonzero(fold[again] == f)) for f in range(4)]
    repeated = PooledR2.over(y[again], pairs)
    assert PooledR2.over(y, list(zip(splits.train, splits.test)), weight).spread == pytest.approx(repeated.spread)


def test_small_folds_are_not_too_pessimistic():
    gaps = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(40, 1))
        y = X[:, 0] + rng.normal(size=40)
        gaps.append(scores(X, y, make_splits(10, y, "regression", random_state=seed)).mean() - 0.5)
    # Half of the variation is explained, less what is lost by learning from 36 rows; the mean of the usual ratios is
    # lower by more than 0.3 here.
    assert abs(np.mean(gaps) + 0.02) < 3 * np.std(gaps) / np.sqrt(40)


def test_a_target_that_does_not_vary(rng):
    class Told:
        def __init__(self, value):
            self.value = value

        def predict(self, X):
            return np.full(len(X), self.value)

    scorer = PooledR2(0.0)
    assert (scorer(Told(3.0), np.zeros((2, 1)), [3.0, 3.0]), scorer(Told(2.0), np.zeros((2, 1)), [3.0, 3.0])) == (1, 0)


def test_the_guess_of_a_comparison_is_zero(rng):
    X = rng.normal(size=(40, 3))
    y = X[:, 0] + 0.3 * rng.normal(size=40)
    found = fewer.compare(X, y, ["Pearson"], "ridge", [1], naive=False)
    assert found.scoring == "r2"
    assert found.chance.mean() == pytest.approx(0.0, abs=1e-12)
    assert found.best().beats_chance


def test_dates_become_numbers(rng):
    n = 80
    day = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 700, n), unit="D")
    X = pd.DataFrame({"day": day, "noise": rng.normal(size=n)})
    y = (day.month > 6).astype(int)
    more = {"methods": ["SymmetricalUncertainty"], "estimators": "naive Bayes", "sizes": [1], "cv": 4, "naive": False}
    plain, wide = fewer.compare(X, y, **more), fewer.compare(X, y, **more, dates="expand")
    assert plain.names == ("day", "noise")
    assert plain.selection.kept_names == ["noise"]
    assert wide.selection.kept_names == ["day_month"]
    assert "dates='expand'" in wide.meta["command"]
    assert "dates" not in plain.meta["command"]
    with pytest.raises(ParameterError, match="dates='all' was given"):
        fewer.compare(X, y, **more, dates="all")


def test_named_methods_are_checked_before_the_data_are_looked_at(monkeypatch, rng):
    X = rng.normal(size=(30, 3))
    monkeypatch.setattr("fewer.evaluate.compare.examined", lambda *_: pytest.fail("was looked at"))
    with pytest.raises(ParameterError, match="FTest, which is for classification, but the target is for regression"):
        fewer.compare(X, X[:, 0], ["Pearson", "FTest"])
    monkeypatch.setattr("fewer.evaluate.compare.read", lambda *_: pytest.fail("was read"))
    with pytest.raises(ParameterError, match="FTset"):
        fewer.compare(X, X[:, 0], ["FTset"])


def test_columns_to_drop_are_named(rng):
    X = pd.DataFrame(rng.normal(size=(60, 3)), columns=list("abc"))
    y = (X["a"] > 0).to_numpy().astype(int)
    found = fewer.compare(X, y, ["FTest"], "naive Bayes", [1], cv=3, naive=False, drop=["a"])
    assert "a" not in found.selection.kept_names
    assert not any(0 in order for folds in found.orders for order in folds)
