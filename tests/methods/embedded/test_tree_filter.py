"""TreeFilter: the features of the pruned tree, the rule of one standard error, ties, notes, nothing found."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import fewer
from fewer.core.records.errors import InputError, NothingFoundWarning
from fewer.methods.embedded import _tree_splits
from fewer.methods.embedded._tree_splits import places_of, splits_of
from oracles.svm_rankers import tree_features


@pytest.mark.parametrize("alpha", [0.0, 0.01, 0.05])
def test_the_features_are_those_of_the_pruned_tree(alpha):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 8))
    y = ((X[:, 2] > 0) ^ (X[:, 5] > 0.3)).astype(int)
    y[:20] = 1 - y[:20]
    tree = DecisionTreeClassifier(ccp_alpha=alpha, min_samples_leaf=5, random_state=0).fit(X, y)
    found = fewer.TreeFilter(ccp_alpha=alpha, min_samples_leaf=5).fit(X, y).selection_
    np.testing.assert_allclose(found.scores, tree_features(tree, X), atol=1e-12)
    assert set(found.indices) == set(np.flatnonzero(tree_features(tree, X)))
    assert found.meta["n_leaves"] == tree.get_n_leaves()
    assert len(found.tables["splits"]) == tree.get_n_leaves() - 1


@pytest.mark.filterwarnings("ignore::fewer.core.records.errors.TargetWarning")
def test_numbers_are_split_by_variance():
    X, y = load_diabetes(return_X_y=True)
    y = y + 0.5
    tree = DecisionTreeRegressor(ccp_alpha=60.0, random_state=0).fit(X, y)
    # A leaf costs the same in all units of the target.
    for target in (y, 1e-60 * y, 1e60 * y, 1e6 - y):
        found = fewer.TreeFilter(ccp_alpha=60.0 / y.var()).fit(X, target)
        np.testing.assert_allclose(found.scores_, tree_features(tree, X), atol=1e-9)


def test_the_penalty_is_the_largest_within_one_standard_error():
    X, y = load_wine(return_X_y=True)
    cv = StratifiedKFold(4)
    alpha = fewer.TreeFilter(cv=cv).fit(X, y).selection_.meta["ccp_alpha"]
    knots = np.unique(DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y).ccp_alphas)
    tried = [*(np.sqrt(a * b) for a, b in zip(knots, knots[1:])), knots[-1]]
    scores = [
        [
            DecisionTreeClassifier(random_state=0, ccp_alpha=a).fit(X[train], y[train]).score(X[test], y[test])
            for train, test in cv.split(X, y)
        ]
        for a in tried
    ]
    best = max(scores, key=np.mean)
    line = np.mean(best) - np.std(best, ddof=1) / 2
    assert alpha == pytest.approx(max(a for a, s in zip(tried, scores) if np.mean(s) >= line))


def test_of_features_that_part_rows_alike_the_lowest_counts():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 5))
    y = (X[:, 2] > 0).astype(int)
    for more in (X[:, 2], -X[:, 2], np.exp(X[:, 2])):
        found = fewer.TreeFilter(cv=3).fit(np.column_stack([X, more, more]), y).selection_
        assert found.indices.tolist() == [2]
        assert fewer.TreeFilter(cv=3).fit(np.column_stack([more, X]), y).selection_.indices.tolist() == [0]


@pytest.mark.parametrize("seed", range(6))
def test_copies_can_stand_in_for_missing_values(seed, monkeypatch):
    """Trees before 1.9 need them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 4))
    y = X[:, 0] - X[:, 2] ** 2 + rng.normal(size=60)
    X[rng.random(X.shape) < 0.2] = np.nan
    monkeypatch.setattr(_tree_splits, "_parts_missing_values", lambda: False)
    copied = fewer.TreeFilter(ccp_alpha=0.0, max_depth=3).fit(X, y).selection_
    places = _tree_splits.places_of(X)
    assert places.shape == (60, 8)
    assert np.isfinite(places).all()
    best = max((y.var() - _within(X[:, j], y), j) for j in range(4))
    split = {name: column[0] for name, column in copied.tables["splits"].columns.items()}
    assert split["rows"] == 60
    assert split["feature"] == best[1]
    assert split["gain"] == pytest.approx(best[0] / y.var())
    assert split["low"] + split["high"] + split["missing"] == 60


def _within(x, y):
    """Return the smallest variance within two sides, over all cuts and both sides for rows without a value."""
    without = np.isnan(x)
    sides = [without] if without.any() else []
    for cut in np.unique(x[~without])[:-1]:
        low = np.nan_to_num(x, nan=np.inf) <= cut
        sides += [low, low | without]
    return min(side.mean() * y[side].var() + (~side).mean() * y[~side].var() for side in sides)


def test_splits_part_the_rows_that_they_say():
    X, y = load_iris(return_X_y=True)
    tree = DecisionTreeClassifier(random_state=0).fit(places_of(X), y)
    found = splits_of(tree.tree_, X, places_of(X))
    assert found.rows[0] == 150
    assert (X[:, found.feature[0]] <= found.threshold[0]).sum() == found.low_rows[0]
    assert found.gain.sum() == pytest.approx(2 / 3)


@pytest.mark.parametrize("seed", range(30))
def test_the_first_split_says_how_many_rows_are_on_its_sides(seed):
    """Also of mirrored columns that stand in for the one the tree took, and with missing values."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(10, 60))
    X = rng.normal(size=(n, 4)) if seed % 2 else rng.integers(0, 3, (n, 4)).astype(float)
    X[:, 1], X[:, 2] = -X[:, 0], 1e9 + 1e-3 * X[:, 0]
    if seed % 3 == 0:
        X[rng.random((n, 4)) < 0.2] = np.nan
    y = np.arange(n) % 2 if seed % 5 else rng.normal(size=n)
    found = fewer.TreeFilter(ccp_alpha=0.0).fit(X, y).selection_
    split = {name: column[0] for name, column in found.tables["splits"].columns.items()}
    x, at = X[:, split["feature"]], split["threshold"]
    assert (split["low"], split["high"]) == ((x <= at).sum(), (x > at).sum())
    assert split["missing"] == np.isnan(x).sum() == n - split["low"] - split["high"]
    note = found.reason(int(split["feature"])).note
    assert ("without" in note) == (split["missing"] > 0)
    assert f": {split['low']} rows" in note
    assert type(found).from_json(found.to_json()).to_json() == found.to_json()


def test_notes_tell_where_rows_without_a_value_go():
    X = np.array([[1.0, 2.0, np.nan, np.nan, 5.0, 6.0]]).T
    notes = {
        "it splits one node at depth 0: 2 rows up to 3.5, 2 above, 2 without a value with the others": [
            0,
            0,
            1,
            1,
            1,
            1,
        ],
        "it splits one node at depth 0: 2 rows up to 3.5, 2 above, 2 without a value with the first": [
            0,
            0,
            0,
            0,
            1,
            1,
        ],
        "it splits one node at depth 0: 4 rows with a value, 2 without": [0, 0, 1, 1, 0, 0],
    }
    for note, y in notes.items():
        assert fewer.TreeFilter(ccp_alpha=0.0).fit(X, y).selection_.reason(0).note == note
        # Of copies with missing values the lowest counts, too.
        assert fewer.TreeFilter(ccp_alpha=0.0).fit(np.hstack([X] * 5), y).selection_.indices.tolist() == [0]


@pytest.mark.parametrize("change", [lambda X: X + 1e9, lambda X: 1e-200 * X, lambda X: 1e200 * X, lambda X: X**9])
def test_only_the_order_of_values_counts(change):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(60, 4))
    X[0, 1] = 1e4
    for y in ((X[:, 1] + 0.1 * rng.normal(size=60) > 0).astype(int), np.tanh(X[:, 1]) + 0.1 * rng.normal(size=60)):
        plain, changed = fewer.TreeFilter().fit(X, y).selection_, fewer.TreeFilter().fit(change(X), y).selection_
        assert plain.indices.tolist() == changed.indices.tolist() == [1]
        np.testing.assert_array_equal(plain.scores, changed.scores)


@pytest.mark.filterwarnings("ignore::fewer.core.records.errors.TargetWarning")
def test_targets_that_cannot_be_split_are_refused_and_two_rows_are_enough():
    X = np.random.default_rng(0).normal(size=(40, 3))
    for y in (np.full(40, 0.5), X[:, 0] * 1e155, X[:, 0] * 1e-200):
        with pytest.raises(InputError, match="varies"):
            fewer.TreeFilter().fit(X, y)
    with pytest.warns(NothingFoundWarning):
        assert fewer.TreeFilter().fit(X[:2], [0.5, 1.7]).selection_.indices.tolist() == [0]


def test_reasons_tell_the_splits():
    X, y = load_iris(return_X_y=True)
    found = fewer.TreeFilter().fit(X, y).selection_
    assert "it splits one node at depth 1: 54 rows up to 1.75, 46 above" in str(found.reason(3))
    assert "only branches that were pruned split on it" in str(found.reason(0))
    assert fewer.TreeFilter(1).fit(X, y).selection_.indices.tolist() == [2]


def test_noise_leaves_the_first_split_and_says_so():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(60, 4)), rng.integers(0, 2, 60)
    with pytest.warns(NothingFoundWarning, match="no split left"):
        found = fewer.TreeFilter(ccp_alpha=0.4).fit(X, y).selection_
    assert len(found.indices) == 1
    whole = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y)
    assert found.indices[0] == whole.tree_.feature[0]


def test_missing_values_and_columns_that_never_vary():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 4))
    y = (X[:, 1] > 0).astype(int)
    X[::5, 0] = np.nan
    X[:, 3] = 1.0
    assert fewer.TreeFilter(cv=3).fit(X, y).selection_.indices.tolist() == [1]
    assert fewer.TreeFilter(cv=3).fit(np.ones((20, 3)), np.arange(20) % 2).selection_.indices.tolist() == []
