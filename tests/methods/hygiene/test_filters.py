from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fewer
from oracles.hygiene import stability_index


def test_constant_filter_counts_the_most_frequent_value(rng):
    X = np.column_stack([np.ones(200), np.r_[np.zeros(190), np.ones(10)], rng.normal(size=200), np.full(200, np.nan)])
    found = fewer.ConstantFilter().fit(X).selection_
    assert sorted(found.indices) == [1, 2]
    assert found.scores[1] == pytest.approx(0.05)
    assert sorted(fewer.ConstantFilter(max_fraction=0.95).fit(X).selection_.indices) == [2]
    assert "no value in any row" in str(found.reason(3))


def test_filters_keep_what_they_are_told_to_keep():
    X = pd.DataFrame({"a": [1, 1, 1, 1], "b": [1, 2, 3, 4], "c": [1, 2, 3, 4], "d": [2, 4, 6, 9]})
    assert fewer.ConstantFilter(keep=["a"]).fit(X).selection_.kept_names == ["b", "c", "d", "a"]
    assert fewer.DuplicateFilter(keep=[2]).fit(X).selection_.kept_names == ["a", "b", "d", "c"]
    assert fewer.CorrelationFilter(keep="d").fit(X).selection_.kept_names == ["a", "b", "d"]


def test_drift_is_the_population_stability_index(rng):
    levels = np.r_[rng.integers(0, 4, 150), np.minimum(rng.integers(0, 8, 150), 3)]
    X = np.column_stack([levels, rng.permutation(levels)])
    found = fewer.DriftFilter().fit(X).selection_
    first, second = levels[:150].tolist(), levels[150:].tolist()
    assert found.scores[0] == pytest.approx(-stability_index(first, second, 4))
    assert found.indices.tolist() == [1]
    groups = np.where(np.arange(300) % 3 == 0, "a", "b")
    X[groups == "a", 1] = 0
    assert fewer.DriftFilter().fit(X[::-1].copy(), groups=groups[::-1]).selection_.indices.tolist() == [0]


def test_correlation_filter_keeps_the_first_of_each_group(rng):
    a, b = rng.normal(size=(2, 300))
    X = np.column_stack([a, b, -2 * a + 1, a + b, np.ones(300), b + 0.01 * rng.normal(size=300)])
    found = fewer.CorrelationFilter().fit(X).selection_
    assert sorted(found.indices) == [0, 1, 3, 4]
    assert found.reason(2).related == ("x0",)
    assert found.reason(5).amount == pytest.approx(abs(np.corrcoef(b, X[:, 5])[0, 1]))


def test_ranking_puts_identifiers_last_and_notes_what_was_found(rng):
    X = pd.DataFrame(rng.normal(size=(200, 3)), columns=list("abc"))
    y = (X["a"] > 0).to_numpy().astype(int)
    X["id"] = np.argsort(np.argsort(y + 0.1 * rng.normal(size=200))) + 1
    ranked = fewer.rank(X, y)
    assert [ranked.feature_names[j] for j in ranked.order][-1] == "id"
    assert "an identifier: whole numbers" in str(ranked.reason("id"))
    assert next(one["kind"] for one in ranked.meta["findings"] if one["feature"] == "id") == "identifier"


def test_a_selection_says_what_was_left_out_and_what_to_look_at(rng):
    X = pd.DataFrame(rng.normal(size=(200, 4)), columns=list("abcd"))
    y = (X["a"] + 0.5 * rng.normal(size=200) > 0).to_numpy().astype(int)
    X["uuid"] = [f"r{i}" for i in rng.permutation(200)]
    X["leak"] = y + 0.01 * rng.normal(size=200)
    found = fewer.select(X, y)
    again = type(found).from_json(found.to_json())
    assert again.meta["findings"] == found.meta["findings"]
    assert {(one["feature"], one["kind"], one["left_out"]) for one in again.meta["findings"]} == {
        ("uuid", "identifier", True),
        ("leak", "leak", False),
    }
    assert "left out as an identifier" in str(again.reason("uuid"))
    assert "leak" not in fewer.select(X, y, drop="leaks").kept_names
