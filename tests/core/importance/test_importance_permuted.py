"""Permutation importance: to the last bit that of scikit-learn with the same permutations, and of a plain loop."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import make_classification
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import check_scoring
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from fewer.core.importance import permuted, tree_answers
from fewer.core.importance.alike_rows import AlikeRows, correlations, within
from fewer.core.importance.permuted import permuted_scores
from oracles.importance import orders_of_scikit_learn, permuted_falls

FORESTS = [
    RandomForestClassifier(7, random_state=0),
    ExtraTreesClassifier(5, max_depth=3, random_state=0),
    DecisionTreeClassifier(random_state=0),
    RandomForestClassifier(3, max_leaf_nodes=2, random_state=0),
    RandomForestRegressor(6, random_state=0),
    ExtraTreesRegressor(4, random_state=0),
    DecisionTreeRegressor(max_depth=1, random_state=0),
]
OTHERS = [
    make_pipeline(StandardScaler(), LogisticRegression()),
    KNeighborsClassifier(),
    SVC(),
    Ridge(),
    HistGradientBoostingClassifier(max_iter=3),
]


def data(n_classes=3, missing=0.0, seed=0, n=90, d=8):
    X, y = make_classification(n, d, n_informative=4, n_classes=n_classes, random_state=seed)
    X[np.random.default_rng(seed).random(X.shape) < missing] = np.nan
    return X, y


def alone(d):
    return [np.array([j]) for j in range(d)]


@pytest.mark.parametrize("model", FORESTS, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_trees_and_forests_give_the_same_bits(model, missing):
    X, y = data(missing=missing)
    if hasattr(model, "criterion") and "error" in str(model.criterion):
        y = y + 0.5 * np.arange(len(y)) / len(y)
    model.fit(X[:60], y[:60])
    orders = orders_of_scikit_learn(30, 4, 5)
    for scoring in [None, "neg_log_loss"] if hasattr(model, "classes_") else [None, "neg_mean_absolute_error"]:
        theirs = permutation_importance(model, X[60:], y[60:], scoring=scoring, n_repeats=4, random_state=5)
        scorer = check_scoring(model, scoring=scoring)
        whole, scores = permuted_scores(model, X[60:], y[60:], scorer, alone(8), lambda u: orders, {})
        np.testing.assert_array_equal(whole - scores, theirs.importances)
        assert len(np.unique(scores)) > 1


@pytest.mark.parametrize("model", OTHERS, ids=lambda m: type(m).__name__)
def test_any_model_gives_the_same(model):
    X, y = data()
    model.fit(X[:60], y[:60])
    theirs = permutation_importance(model, X[60:], y[60:], n_repeats=3, random_state=1)
    orders = orders_of_scikit_learn(30, 3, 1)
    whole, scores = permuted_scores(model, X[60:], y[60:], check_scoring(model), alone(8), lambda u: orders, {})
    np.testing.assert_allclose(whole - scores, theirs.importances, rtol=1e-12, atol=1e-15)


def test_small_portions_and_large_ones_give_the_same(monkeypatch):
    X, y = data()
    forest, line = RandomForestClassifier(5, random_state=0).fit(X, y), LogisticRegression().fit(X, y)
    orders = orders_of_scikit_learn(90, 2, 0)

    def both():
        found = [permuted_scores(m, X, y, check_scoring(m), alone(8), lambda u: orders, {})[1] for m in (forest, line)]
        return np.stack(found)

    whole = both()
    monkeypatch.setattr(tree_answers, "MOST_PAIRS", 1)
    monkeypatch.setattr(permuted, "MOST_BYTES", 1)
    np.testing.assert_array_equal(both(), whole)


@pytest.mark.parametrize("model", [RandomForestClassifier(4, random_state=0), LogisticRegression()])
def test_groups_move_together_as_in_a_plain_loop(model):
    X, y = data()
    model.fit(X[:60], y[:60])
    units, rng = [np.array([0, 3, 5]), np.array([1]), np.array([2, 7])], np.random.default_rng(2)
    orders = np.stack([rng.permutation(30) for _ in range(3)])
    whole, scores = permuted_scores(model, X[60:], y[60:], check_scoring(model), units, lambda u: orders, {})
    expected = permuted_falls(lambda Z: model.score(Z, y[60:]), X[60:], units, orders)
    np.testing.assert_allclose(whole - scores, expected, atol=1e-15)


def test_weights_reach_the_score():
    X, y = data()
    weight = np.random.default_rng(0).random(30)
    orders, params = orders_of_scikit_learn(30, 2, 1), {"sample_weight": weight}
    for model in (RandomForestClassifier(4, random_state=0), LogisticRegression()):
        model.fit(X[:60], y[:60])
        theirs = permutation_importance(model, X[60:], y[60:], n_repeats=2, random_state=1, sample_weight=weight)
        whole, scores = permuted_scores(model, X[60:], y[60:], check_scoring(model), alone(8), lambda u: orders, params)
        np.testing.assert_allclose(whole - scores, theirs.importances, atol=1e-15)


def test_sparse_rows_give_the_same_as_dense_ones():
    X, y = data()
    X = np.where(np.abs(X) < 1, 0.0, X)
    orders = orders_of_scikit_learn(90, 2, 0)
    for model in (LogisticRegression(), RandomForestClassifier(3, random_state=0)):
        model.fit(X, y)
        how = (y, check_scoring(model), alone(8), lambda u: orders, {})
        dense, sparse = permuted_scores(model, X, *how), permuted_scores(model, scipy.sparse.csr_array(X), *how)
        np.testing.assert_allclose(sparse[1], dense[1], atol=1e-15)


def test_features_that_no_tree_uses_change_nothing():
    X, y = data()
    X[:, 6] = 1.0
    model = RandomForestClassifier(3, max_depth=2, random_state=0).fit(X, y)
    orders = orders_of_scikit_learn(90, 2, 0)
    whole, scores = permuted_scores(model, X, y, check_scoring(model), alone(8), lambda u: orders, {})
    unused = model.feature_importances_ == 0
    assert unused[6]
    assert (scores[unused] == whole).all()


def test_permutations_inside_strata():
    rng = np.random.default_rng(0)
    for _ in range(20):
        order, strata = rng.permutation(40), rng.integers(0, 5, 40)
        inside = within(order, strata)
        assert sorted(inside.tolist()) == list(range(40))
        assert (strata[inside] == strata).all()
        assert within(order, np.zeros(40, int)).tolist() == order.tolist()
        # Of each stratum, its rows follow each other as in the permutation.
        for s in range(5):
            assert inside[strata == s].tolist() == [i for i in order if strata[i] == s]


def test_correlations_of_numbers_levels_and_missing_values():
    rng = np.random.default_rng(0)
    a = rng.normal(size=300)
    X = np.column_stack([a, np.exp(a), rng.normal(size=300), np.digitize(a, [-0.5, 0.5]), np.ones(300)])
    found = correlations(X, np.array([False, False, False, True, False]))
    assert found[0, 1] == pytest.approx(1.0)
    assert found[0, 2] < 0.2
    assert found[0, 3] > 0.6
    assert found[4, :4].max() == 0
    np.testing.assert_array_equal(found, found.T)
    X[::3, 0] = np.nan
    assert np.isfinite(correlations(X, np.zeros(5, bool))).all()


def test_strata_hold_what_a_feature_is_correlated_with():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 600))
    X = np.column_stack([a, a + 0.1 * rng.normal(size=600), b])
    strata = AlikeRows.learned(X[:400], np.zeros(3, bool), alone(3), 0.5, 200)
    assert [len(trees) for trees in strata.trees] == [1, 1, 0]
    assert strata.trees[0][0][0].tolist() == [1]
    where = strata.of_rows(0, X[400:])
    assert 4 <= len(np.unique(where)) <= 15
    moved = X[400:][within(rng.permutation(200), where), 0]
    assert np.corrcoef(moved, X[400:, 1])[0, 1] > 0.8
    assert (strata.of_rows(2, X[400:]) == 0).all()
