"""Weights of the rows, and times of the methods, in a comparison."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import accuracy_score
from sklearn.naive_bayes import GaussianNB

import fewer
from fewer.core.records.errors import ParameterError
from fewer.core.runners import ledger
from fewer.core.runners.threads import ThreadRunner
from fewer.evaluate.data import read
from fewer.evaluate.times import clock, told_apart, warm


def data(n=90):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    return X, (X[:, 0] + 0.8 * rng.normal(size=n) > 0).astype(int), rng.integers(1, 4, n).astype(float)


def test_methods_estimators_and_scores_are_weighted():
    X, y, weight = data()
    train, test = np.arange(60), np.arange(60, 90)
    found = fewer.compare(
        X, y, ["JMI", "ReliefF"], ["naive Bayes", "neighbours"], [1], cv=[(train, test)], sample_weight=weight
    )
    j = fewer.JMI(1).fit(X[train], y[train], sample_weight=weight[train]).selection_.indices
    model = GaussianNB().fit(X[train][:, j], y[train], sample_weight=weight[train])
    expected = accuracy_score(y[test], model.predict(X[test][:, j]), sample_weight=weight[test])
    assert found.scores[0, 0, 0, 0] == pytest.approx(expected)
    assert found.scores[0, 0, 0, 0] != accuracy_score(y[test], model.predict(X[test][:, j]))
    assert [one.method for one in found.failures] == ["ReliefF"]
    assert "neighbours learns without the sample weights" in found.meta["notes"][0]
    assert "sample_weight=sample_weight" in found.meta["command"]


def test_rows_of_weight_zero_are_absent():
    X, y, weight = data()
    weight[:20] = 0.0
    groups = np.repeat(np.arange(30), 3)
    some = {"methods": ["JMI"], "estimators": "naive Bayes", "sizes": [1], "cv": 3}
    found = fewer.compare(X, y, **some, sample_weight=weight, groups=groups)
    expected = fewer.compare(X[20:], y[20:], **some, sample_weight=weight[20:], groups=groups[20:])
    np.testing.assert_array_equal(found.scores, expected.scores)
    with pytest.raises(ParameterError, match="20 rows of weight 0"):
        fewer.compare(X, y, **{**some, "cv": [(np.arange(60), np.arange(60, 90))]}, sample_weight=weight)


def test_a_score_without_weights_is_refused_before_any_work():
    X, y, weight = data()
    with pytest.raises(ParameterError, match="the score odd takes none"):
        fewer.compare(X, y, ["JMI"], scoring=odd, sample_weight=weight)


def odd(estimator, X, y):
    return 1.0


def test_a_table_brings_its_weights(tmp_path):
    X, y, weight = data(40)
    path = tmp_path / "t.csv"
    np.savetxt(path, np.column_stack([X, y, weight]), delimiter=",", header="a,b,c,d,y,w", comments="", fmt="%.18g")
    table = fewer.open_table(path, "y", weight="w")
    some = {"methods": ["JMI"], "estimators": "naive Bayes", "sizes": [1], "cv": 2}
    found = fewer.compare(table, **some)
    np.testing.assert_array_equal(found.scores, fewer.compare(X, y, **some, sample_weight=weight).scores)
    assert f"fewer.open_table({str(path)!r}, 'y', weight='w')" in found.meta["command"]


def test_shared_work_is_charged_to_nobody():
    first = {"select": 5.0, "made": {"edges": 3.0, "own": 1.0}, "found": []}
    second = {"select": 1.0, "made": {}, "found": ["edges"]}
    own, shared = told_apart([[first], [second]])
    assert (own.tolist(), shared.tolist()) == ([[2.0], [1.0]], [3.0])


def test_what_one_method_sums_up_the_next_one_finds():
    X, y, _ = data()
    view = read(X, y)
    with ThreadRunner(1) as run:
        rows = view.rows(None, run)
        with clock() as first:
            fewer.FTest(1).fit_view(rows)
        with clock() as second:
            fewer.FisherScore(1).fit_view(rows)
        with clock() as alone:
            fewer.FisherScore(1).fit_view(read(X, y).rows(None, run))
    assert set(second.found) & set(first.made)
    assert alone.found == []
    assert sum(first.made.values()) <= first.seconds


def test_entries_inside_others_are_counted_once():
    memo = {}
    with ledger.kept() as noted, ledger.making(memo, "outer"), ledger.making(memo, "inner"):
        total = sum(range(100_000))
    assert total > 0
    inner, outer = noted.made.values()
    assert outer < inner


def test_the_first_use_is_not_timed(monkeypatch):
    X, y, _ = data()
    seen = []

    class First(fewer.FTest):
        """Notes how many rows it was given."""

        def _select(self, data, parts):
            seen.append(data.n_rows)
            return super()._select(data, parts)

    monkeypatch.setattr("fewer.evaluate.times._WARM", set())
    view = read(X, y)
    with ThreadRunner(1) as run:
        for _ in range(2):
            warm("First", First(), view, run)
    assert seen == [60]


def test_learning_costs_the_same_whoever_did_it_first():
    X, y, _ = data()
    found = fewer.compare(X, y, ["FTest", "JMI"], "naive Bayes", [4], cv=2, naive=False)
    np.testing.assert_array_equal(found.seconds["learn"][0], found.seconds["learn"][1])
