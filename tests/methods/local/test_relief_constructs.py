"""Constructive induction by ReliefF against all constructs, and what its names and columns say."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import fewer
from fewer.core.records.errors import InputError, NothingFoundWarning
from oracles import relief_models as oracle


@pytest.mark.parametrize("target", ["classes", "numbers"])
@pytest.mark.parametrize("operator", ["and", "or"])
def test_tests_of_bits_agree_with_all_constructs(target, operator):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 2, (24, 4)).astype(float)
        y = rng.integers(0, 2, 24) if target == "classes" else X[:, 0] * X[:, 1] + rng.normal(size=24)
        made = fewer.ReliefConstructs(500, operators=[operator], beam_width=500, max_size=3, n_neighbors=3).fit(X, y)
        pairs = oracle.near_pairs(X, y, 3, np.zeros(4, bool), target == "classes")
        tests = [(j, (X[:, j] == v).astype(float)) for j in range(4) for v in (0, 1)]
        everything = oracle.all_constructs(tests, operator, (2, 3))
        truth = {_parting(c): oracle.weight_of(c.tolist(), pairs, True) for _, c in everything if np.ptp(c) > 0}
        for _, column in tests:
            truth.pop(_parting(column), None)
        got = {_parting(c): s for c, s in zip(made.transform(X).T, made.constructs_.columns["score"])}
        assert got.keys() == truth.keys()
        for key, score in got.items():
            assert score == pytest.approx(truth[key], abs=1e-12)


def _parting(column):
    return tuple((column != column[0]).tolist())


@pytest.mark.parametrize("target", ["classes", "numbers"])
@pytest.mark.parametrize("operator", ["sum", "product"])
def test_numbers_agree_with_all_constructs(target, operator):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(24, 5))
        y = rng.integers(0, 3, 24) if target == "classes" else X[:, 0] * X[:, 1] + rng.normal(size=24)
        made = fewer.ReliefConstructs(100, operators=operator, n_neighbors=3).fit(X, y)
        pairs = oracle.near_pairs(X, y, 3, np.zeros(5, bool), target == "classes")
        sign = " + " if operator == "sum" else " * "
        everything = list(oracle.all_constructs([(j, X[:, j]) for j in range(5)], operator, (2, 3)))
        truth = {sign.join(f"x{j}" for j in f): oracle.weight_of(c.tolist(), pairs, False) for f, c in everything}
        columns = {sign.join(f"x{j}" for j in f): c for f, c in everything}
        names = made.get_feature_names_out().tolist()
        assert set(names) == set(truth)
        np.testing.assert_allclose(made.constructs_.columns["score"], [truth[name] for name in names], atol=1e-9)
        np.testing.assert_allclose(made.transform(X), np.column_stack([columns[name] for name in names]))
        assert made.constructs_.columns["score"] == sorted(truth.values(), reverse=True) or np.allclose(
            made.constructs_.columns["score"], sorted(truth.values(), reverse=True)
        )


def test_single_weights_are_those_of_relieff(rng):
    X, y = rng.normal(size=(50, 4)), rng.integers(0, 3, 50)
    made = fewer.ReliefConstructs(n_neighbors=5).fit(X, y)
    np.testing.assert_allclose(made.feature_scores_, fewer.ReliefF(None, n_neighbors=5).fit(X, y).scores_, atol=1e-12)


def test_interactions_become_features():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = rng.uniform(-1, 1, (300, 8))
        y = (X[:, 2] > 0) ^ (X[:, 6] > 0)
        made = fewer.ReliefConstructs(3).fit(X, y)
        assert made.get_feature_names_out()[0] == "x2 * x6"
        table = made.constructs_.columns
        assert table["score"][0] > table["best part"][0]
        levels = pd.DataFrame(rng.choice(list("abc"), (300, 6)), columns=[f"f{j}" for j in range(6)])
        z = (levels["f1"] == "a") & (levels["f4"] == "b")
        best = fewer.ReliefConstructs(2).fit(levels, z)
        assert best.get_feature_names_out()[0] == "f1=a and f4=b"
        np.testing.assert_array_equal(best.transform(levels)[:, 0], z.astype(float))


def test_a_tree_by_impurity_learns_an_exclusive_or_from_them():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (400, 10))
    y = (X[:, 2] > 0) ^ (X[:, 6] > 0)
    tree = DecisionTreeClassifier(random_state=0)
    made = make_pipeline(fewer.ReliefConstructs(3), tree).fit(X[:300], y[:300])
    assert made.score(X[300:], y[300:]) > 0.9 > tree.fit(X[:300], y[:300]).score(X[300:], y[300:])


def test_columns_that_say_the_same_come_once():
    X = np.array([[a, b] for a in (0, 1) for b in (0, 1)] * 6, dtype=float)
    y = (X[:, 0] != X[:, 1]).astype(int)
    made = fewer.ReliefConstructs(50, operators=("and", "or")).fit(X, y)
    names = made.get_feature_names_out().tolist()
    assert len(names) == 4
    assert not any(" or " in name for name in names)
    # A product of bits is their conjunction.
    both = fewer.ReliefConstructs(50, operators=("and", "product")).fit(X, y).get_feature_names_out().tolist()
    assert both == names
    same = fewer.ReliefConstructs(50, operators=("sum",)).fit(np.column_stack([X[:, 0], X[:, 0], X[:, 1]]), y)
    assert same.get_feature_names_out().tolist().count("x0 + x2") <= 1
    assert "x1 + x2" not in same.get_feature_names_out()[1:] or "x0 + x2" not in same.get_feature_names_out()


def test_missing_parts_and_unknown_levels():
    frame = pd.DataFrame({"a": ["u", "v"] * 20, "b": ["p", "p", "q", "q"] * 10})
    y = (frame["a"] == "u") & (frame["b"] == "p")
    made = fewer.ReliefConstructs(9, operators=("and",), max_size=2).fit(frame, y)
    names = made.get_feature_names_out().tolist()
    assert names[0] == "a=u and b=p"
    new = pd.DataFrame({"a": ["u", "v", None, None, "never seen"], "b": ["p", None, "q", "p", "p"]})
    np.testing.assert_array_equal(made.transform(new)[:, 0], [1, 0, 0, np.nan, 0])
    either = fewer.ReliefConstructs(9, operators=("or",), max_size=2).fit(frame, y)
    at = either.get_feature_names_out().tolist().index("a=v or b=q")
    np.testing.assert_array_equal(either.transform(new)[:, at], [0, 1, 1, np.nan, 0])
    numbers = np.random.default_rng(0).normal(size=(30, 3))
    numbers[4, 1] = np.nan
    product = fewer.ReliefConstructs(1, operators=("product",), max_size=3, n_seeds=3).fit(numbers, [0, 1] * 15)
    assert np.isnan(product.transform(numbers)).any() == ("x1" in product.get_feature_names_out()[0])


def test_names_of_numbers_and_frames(rng):
    X = np.column_stack([np.where(rng.random(40) < 0.5, 0.1 + 0.2, 7.0), rng.integers(0, 2, 40)])
    made = fewer.ReliefConstructs(4, operators=("and",)).fit(X, rng.integers(0, 2, 40))
    assert all(name.startswith(("x0=0.30000000000000004 and", "x0=7 and")) for name in made.get_feature_names_out())
    named = made.get_feature_names_out(["p", "q"])
    assert all(name.startswith("p=") for name in named)


def test_more_neighbours_than_rows_ask_all_rows(rng):
    X = rng.normal(size=(50, 4))
    y = X[:, 0] * X[:, 2] > 0
    every, more = (fewer.ReliefConstructs(n_neighbors=n).fit(X, y) for n in (50, 10**7))
    np.testing.assert_allclose(more.feature_scores_, every.feature_scores_)
    np.testing.assert_allclose(more.feature_scores_, fewer.ReliefF(None, n_neighbors=50).fit(X, y).scores_)


def test_the_best_part_is_the_largest_weight_of_a_part(rng):
    X = rng.normal(size=(80, 3))
    made = fewer.ReliefConstructs(20, operators=("sum",), max_size=2).fit(X, X[:, 0] > 0)
    table, weights = made.constructs_.columns, made.feature_scores_
    for name, best in zip(table["name"], table["best part"]):
        parts = [int(part[1:]) for part in name.split(" + ")]
        assert best == max(weights[parts])


def test_names_that_hold_an_operator_stand_in_brackets(rng):
    X = rng.normal(size=(60, 3))
    frame = pd.DataFrame(np.column_stack([X, X[:, 0] ** 2 + X[:, 1]]), columns=["a", "b", "c", "a * b"])
    made = fewer.ReliefConstructs(50, operators=("product",)).fit(frame, X[:, 0] * X[:, 1] > 0)
    names = made.get_feature_names_out().tolist()
    assert len(set(names)) == len(names)
    assert {"a * b * c", "c * (a * b)"} <= set(names)


def test_degenerate_data_and_errors(rng):
    X, y = rng.normal(size=(30, 3)), rng.integers(0, 2, 30)
    with pytest.raises(InputError, match=r"1 feature\(s\)"):
        fewer.ReliefConstructs().fit(X[:, :1], y)
    with pytest.raises(InputError, match="operators=.*takes some of and, or, sum, product"):
        fewer.ReliefConstructs(operators=("xor",)).fit(X, y)
    with pytest.warns(NothingFoundWarning, match="no two of the 2 features"):
        nothing = fewer.ReliefConstructs().fit(np.ones((10, 2)), [0, 1] * 5)
    assert nothing.transform(np.ones((4, 2))).shape == (4, 0)
    huge = fewer.ReliefConstructs(operators=("product", "sum")).fit(X * 1e200, y)
    assert np.isfinite(huge.transform(X * 1e200)).all()
    assert not any("*" in name for name in huge.get_feature_names_out())
    again = [fewer.ReliefConstructs(n_jobs=n).fit(X, y).get_feature_names_out().tolist() for n in (1, 2)]
    assert again[0] == again[1]
