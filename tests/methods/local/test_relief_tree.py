"""Trees by ReliefF and RReliefF against loops and the facts of section 9.7.4."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import fewer
from fewer.core.neighbours.relief_pairs import relief_pairs
from fewer.core.reading.memory import read_memory
from fewer.core.runners.threads import ThreadRunner
from oracles import relief_models as oracle


def xor(seed, n_rows=300, n_features=10, pair=(2, 7)):
    X = np.random.default_rng(seed).random((n_rows, n_features))
    return X, ((X[:, pair[0]] < 0.5) ^ (X[:, pair[1]] < 0.5)).astype(int)


def nested(made, X, y, node=0):
    """The tree as the oracle writes it."""
    tree = made.tree_
    split = tree.split[node]
    if split is None:
        here = y[made.apply(X) == node].tolist()
        assert tree.rows[node] == len(here)
        return here
    return split.feature, split.value, *(nested(made, X, y, child[node]) for child in (tree.first, tree.second))


def same(ours, theirs):
    if isinstance(theirs, list):
        assert ours == theirs
        return
    assert ours[0] == theirs[0]
    assert ours[1] == pytest.approx(theirs[1])
    same(ours[2], theirs[2])
    same(ours[3], theirs[3])


@pytest.mark.parametrize("target", ["classes", "numbers"])
@pytest.mark.parametrize("kind", ["numbers", "mixed", "missing"])
@pytest.mark.parametrize("fewest", [1, 4])
def test_trees_agree_with_loops(target, kind, fewest):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        n, classes = 28, target == "classes"
        X, nominal = rng.normal(size=(n, 4)).round(1), np.zeros(4, bool)
        if kind != "numbers":
            X[:, [0, 2]], nominal[[0, 2]] = rng.integers(0, 4, (n, 2)), True
        y = rng.integers(0, 3, n) if classes else (X[:, 0] * X[:, 1] + rng.normal(size=n)).round(2)
        if kind == "missing":
            X[rng.random(X.shape) < 0.15] = np.nan
        made = (fewer.ReliefTree if classes else fewer.ReliefTreeRegressor)(
            n_neighbors=4, min_samples_leaf=fewest, categorical_features=np.flatnonzero(nominal).tolist() or None
        ).fit(X, y)
        same(nested(made, X, y), oracle.grow(X, y, nominal, 4, classes, fewest))


@pytest.mark.parametrize("target", ["classes", "numbers"])
def test_pairs_weigh_features_as_relieff_does(rng, target):
    X = rng.normal(size=(60, 5))
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(0, 3, 60) if target == "classes" else rng.normal(size=60)
    method = fewer.ReliefF(None, n_neighbors=4) if target == "classes" else fewer.RReliefF(None, n_neighbors=4)
    with ThreadRunner(2) as run:
        view = read_memory(method, X, y, None, method.method_tags, None, run)
        pairs = relief_pairs(view, 4)
        drawn = relief_pairs(view, 4, np.array([3, 8, 20, 59]))
    np.testing.assert_allclose(pairs.of_features(), method.fit(X, y).scores_, atol=1e-12)
    assert set(drawn.first.tolist()) == {3, 8, 20, 59}


def test_a_rare_row_takes_no_neighbours_from_the_other_classes():
    # The text's "n below the class counts" holds class by class, as in ReliefF: one row of a third class must not bring
    # all others down to one neighbour.
    right = 0
    for seed in range(10):
        X, y = xor(seed, 200, 12)
        y = np.where(np.random.default_rng(seed).random(200) < 0.2, 1 - y, y)
        y[0] = 2
        root = fewer.ReliefTree(max_depth=1).fit(X, y).tree_.split[0]
        scores = fewer.ReliefF(None, n_neighbors=10).fit(X, y).scores_
        assert root.feature == scores.argmax()
        assert root.weight == pytest.approx(scores.max())
        right += root.feature in (2, 7)
    assert right == 10


def test_more_neighbours_than_rows_ask_all_rows(rng):
    X, y = xor(3, 150, 5, (1, 3))
    every, more = (fewer.ReliefTree(n_neighbors=n).fit(X, y) for n in (150, 10**7))
    same(nested(more, X, y), nested(every, X, y))


def test_a_stored_tree_holds_no_rows(rng):
    X = rng.random((3000, 3))
    made = fewer.ReliefTree(max_depth=2).fit(X, X[:, 0] + 0.2 * rng.random(3000) > 0.6)
    assert len(pickle.dumps(made)) < 10_000


def test_a_split_that_weighs_nothing_leaves_a_leaf():
    # A feature weighs more than 0, but the boundaries that leave five rows on either side do not.
    X = np.arange(10.0)[:, None] ** 4
    y = X[:, 0] > 5000
    assert fewer.ReliefTree(min_samples_leaf=1).fit(X, y).tree_.split[0].value > 2401
    assert all(split is None or split.gain > 0 for split in fewer.ReliefTree(min_samples_leaf=5).fit(X, y).tree_.split)


def test_the_first_split_of_an_exclusive_or_is_one_of_its_features():
    by_impurity = 0
    for seed in range(20):
        X, y = xor(seed)
        made = fewer.ReliefTree(max_depth=2).fit(X, y)
        assert made.tree_.split[0].feature in (2, 7)
        assert made.tree_.split[0].value == pytest.approx(0.5, abs=0.08)
        by_impurity += DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y).tree_.feature[0] in (2, 7)
    assert by_impurity <= 12


def test_it_generalizes_where_trees_by_impurity_cannot():
    ours, theirs = [], []
    for seed in range(5):
        X, y = xor(seed, 400, 20)
        ours.append(fewer.ReliefTree().fit(X[:300], y[:300]).score(X[300:], y[300:]))
        tree = DecisionTreeClassifier(min_samples_leaf=5, random_state=0)
        theirs.append(tree.fit(X[:300], y[:300]).score(X[300:], y[300:]))
    assert np.mean(ours) > 0.85
    assert np.mean(ours) > np.mean(theirs) + 0.1


def test_the_best_boundary_weighs_at_least_as_much_as_its_feature():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(80, 5)), rng.integers(0, 3, 80)
        table = fewer.ReliefTree(min_samples_leaf=1).fit(X, y).selection_.tables["splits"].columns
        assert all(gain >= weight - 1e-12 for gain, weight in zip(table["gain"], table["weight"]))


def test_selection_table_and_text():
    X, y = xor(0)
    frame = pd.DataFrame(X, columns=[f"g{j}" for j in range(10)])
    made = fewer.ReliefTree(max_depth=2).fit(frame, np.where(y == 1, "on", "off"))
    found = made.selection_
    assert set(found.indices.tolist()) == {2, 7}
    assert made.feature_importances_.sum() == pytest.approx(1.0)
    splits = found.tables["splits"].named(found.feature_names)
    assert splits["feature"][0] in ("g2", "g7")
    assert splits["rows"][0] == 300
    assert splits["first"][0] + splits["second"][0] == 300
    assert "it splits" in found.reason(2).note
    assert made.to_text().count(" rows)") == 4
    assert made.to_text().splitlines()[0].startswith(splits["feature"][0])
    np.testing.assert_allclose(made.predict_proba(frame).sum(axis=1), 1.0)
    assert set(made.apply(frame).tolist()) == {node for node, s in enumerate(made.tree_.split) if s is None}


def test_importances_are_gains_by_rows_of_the_node():
    X, y = xor(4, 200, 5, (1, 3))
    made = fewer.ReliefTree().fit(X, y)
    table = made.selection_.tables["splits"].columns
    assert len(set(table["rows"])) > 1
    total = np.zeros(5)
    for feature, gain, rows in zip(table["feature"], table["gain"], table["rows"]):
        total[feature] += gain * rows
    np.testing.assert_allclose(made.feature_importances_, total / total.sum())


def test_missing_values_and_unknown_levels(rng):
    n = 80
    frame = pd.DataFrame({"a": rng.choice(["u", "v", "w"], n), "b": rng.normal(size=n)})
    y = np.where(frame["a"] == "v", 1, 0)
    frame.loc[:5, "a"] = None
    frame.loc[10:14, "b"] = np.nan
    made = fewer.ReliefTree(max_depth=1).fit(frame, y)
    assert made.to_text().splitlines()[0].startswith("a is v: 1")
    assert not made.tree_.split[0].missing_first
    new = pd.DataFrame({"a": ["v", "u", "never seen", None], "b": [0.0] * 4})
    assert made.predict(new).tolist() == [1, 0, 0, 0]
    X = np.linspace(0, 1, 40)[:, None].copy()
    y = (X[:, 0] > 0.7).astype(int)
    X[::9] = np.nan
    tree = fewer.ReliefTree(max_depth=1).fit(X, y)
    assert tree.tree_.split[0].missing_first
    assert tree.predict([[0.9], [0.1], [np.nan]]).tolist() == [1, 0, 0]


def test_limits_and_degenerate_data(rng):
    X, y = xor(1, 200)
    assert len(fewer.ReliefTree(max_depth=0).fit(X, y).tree_.rows) == 1
    assert len(fewer.ReliefTree(min_weight=2.0).fit(X, y).tree_.rows) == 1
    made = fewer.ReliefTree(min_samples_leaf=30).fit(X, y)
    assert min(made.tree_.rows) >= 30
    lone = fewer.ReliefTree(min_samples_leaf=1).fit([[0.0], [1.0]], [0, 1])
    assert lone.predict([[0.1], [2.0]]).tolist() == [0, 1]
    flat = fewer.ReliefTree().fit(np.ones((12, 2)), np.arange(12) % 2)
    assert len(flat.tree_.rows) == 1
    assert not flat.selection_.support.any()
    copies = fewer.ReliefTree(max_depth=1).fit(np.column_stack([X[:, 2], X[:, 2], X[:, 7]]), y)
    assert copies.tree_.split[0].feature in (0, 2)
    assert fewer.ReliefTreeRegressor().fit(X, np.full(200, 3.5)).predict(X[:2]).tolist() == [3.5, 3.5]
    for scale, origin in ((1e-200, 0.0), (1e200, 0.0)):
        moved = fewer.ReliefTree(max_depth=3).fit(X * scale + origin, y)
        truth = fewer.ReliefTree(max_depth=3).fit(X, y)
        assert [s and s.feature for s in moved.tree_.split] == [s and s.feature for s in truth.tree_.split]
    near = fewer.ReliefTree(min_samples_leaf=1).fit([[1.0], [1.0], [np.nextafter(1, 2)]] * 2, [0, 0, 1] * 2)
    assert near.score([[1.0], [np.nextafter(1, 2)]], [0, 1]) == 1.0


def test_samples_and_threads_change_nothing_else(rng):
    X, y = xor(5, 300)
    one, two = (fewer.ReliefTree(n_jobs=n).fit(X, y) for n in (1, 2))
    same(nested(one, X, y), nested(two, X, y))
    drawn = [fewer.ReliefTree(n_samples=60, random_state=3).fit(X, y) for _ in range(2)]
    same(nested(drawn[0], X, y), nested(drawn[1], X, y))
    assert drawn[0].tree_.split[0].feature in (2, 7)
