"""TreeFilter: the features of the pruned tree, the rule of one standard error, ties, notes, nothing found."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import fewer
from fewer.core.records.errors import NothingFoundWarning
from fewer.methods.embedded._tree_splits import splits_of
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


def test_numbers_are_split_by_variance():
    X, y = load_diabetes(return_X_y=True)
    y = y + 0.5
    tree = DecisionTreeRegressor(ccp_alpha=60.0, random_state=0).fit(X, y)
    np.testing.assert_allclose(fewer.TreeFilter(ccp_alpha=60.0).fit(X, y).scores_, tree_features(tree, X), atol=1e-12)


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


def test_splits_part_the_rows_that_they_say():
    X, y = load_iris(return_X_y=True)
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    found = splits_of(tree.tree_, X)
    assert found.rows[0] == 150
    assert (X[:, found.feature[0]] <= found.threshold[0]).sum() == found.left_rows[0]
    assert found.gain.sum() == pytest.approx(2 / 3)


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
