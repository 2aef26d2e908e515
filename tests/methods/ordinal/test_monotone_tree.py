"""The rank-entropy tree against a recursion by the definition, and what is promised of it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.estimator_checks import check_estimator

from fewer.core.measures.monotone import rank_loss, violations
from fewer.core.records.errors import InputError, ParameterError
from fewer.methods.ordinal._growth import median_class
from fewer.methods.ordinal.monotone_tree import MonotoneTree
from oracles.monotone_tree import grow, median, predictions
from oracles.ordinal_margins import rank_information


def monotone_data(rng, n=120, p=3, n_classes=4, noise=0.0):
    X = rng.random((n, p))
    signal = X @ np.linspace(2, 1, p) + noise * rng.normal(size=n)
    return X, np.digitize(signal, np.quantile(signal, np.arange(1, n_classes) / n_classes))


def test_scikit_learn_checks():
    """All but one: text labels have no order, and are refused where the order is not given."""
    reason = {"check_classifiers_classes": "fits text labels without an order of the classes"}
    results = check_estimator(MonotoneTree(), expected_failed_checks=reason, on_fail=None, on_skip=None)
    assert [r["check_name"] for r in results if r["status"] == "failed"] == []


@pytest.mark.parametrize("side", ["ascending", "descending", "both"])
@pytest.mark.parametrize(("least", "smallest", "depth"), [(1, 0.0, None), (3, 0.01, None), (1, 0.05, 2)])
def test_tree_agrees_with_the_recursion(rng, side, least, smallest, depth):
    X, y = monotone_data(rng, 45, noise=0.4)
    tree = MonotoneTree(depth, min_samples_leaf=least, min_information=smallest, side=side).fit(X, y)
    truth = grow(X, y, least, smallest, depth, side)
    points = np.vstack([X, rng.random((200, 3))])
    np.testing.assert_array_equal(tree.predict(points), predictions(truth, points))


@given(st.integers(0, 10**6))
def test_tree_agrees_with_the_recursion_on_tied_values(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (14, 2)).astype(float), rng.integers(0, 3, 14)
    got = MonotoneTree(min_information=0.0).fit(X, y).predict(X)
    np.testing.assert_array_equal(got, predictions(grow(X, y, smallest=0.0), X))


def test_monotone_training_data_are_learnt(rng):
    """Every impure node of consistent data has an informative cut: with no limit the tree repeats the data."""
    for n_classes in (2, 3, 6):
        X, y = monotone_data(rng, n_classes=n_classes)
        assert violations(X, y).violated == 0
        fitted = MonotoneTree(min_information=0.0).fit(X, y)
        np.testing.assert_array_equal(fitted.predict(X), y)
        assert violations(X, fitted.predict(X)).violated == 0


def test_increasing_maps_change_no_prediction_of_the_data(rng):
    X, y = monotone_data(rng, noise=0.3)
    got = MonotoneTree(min_samples_leaf=3).fit(X, y).predict(X)
    np.testing.assert_array_equal(MonotoneTree(min_samples_leaf=3).fit(np.exp(5 * X), y).predict(np.exp(5 * X)), got)
    labels = np.array([-2, 0, 10, 11])
    np.testing.assert_array_equal(MonotoneTree(min_samples_leaf=3).fit(X, labels[y]).predict(X), labels[got])
    order = rng.permutation(len(X))
    np.testing.assert_array_equal(MonotoneTree(min_samples_leaf=3).fit(X[order], y[order]).predict(X), got)


def test_directions_turn_features(rng):
    X, y = monotone_data(rng, noise=0.2)
    got = MonotoneTree().fit(X, y).predict(X)
    turned = X * [-1, 1, 1]
    np.testing.assert_array_equal(MonotoneTree(monotone=[-1, 1, 1]).fit(turned, y).predict(turned), got)
    auto = MonotoneTree(monotone="auto").fit(turned, y)
    np.testing.assert_array_equal(auto.directions_, [-1, 1, 1])
    frame = pd.DataFrame(turned, columns=["cost", "speed", "comfort"])
    named = MonotoneTree(monotone={"cost": -1}).fit(frame, y)
    np.testing.assert_array_equal(named.predict(frame), got)
    assert "cost <=" in named.to_text()
    # A feature that must rise is of no use if it falls.
    wrong = MonotoneTree(monotone=[1, 1, 1]).fit(turned[:, [0, 0, 0]], y)
    assert wrong.tree_.feature == [-1]
    assert MonotoneTree(monotone=[0, 0, 0]).fit(turned[:, [0, 0, 0]], y).score(turned[:, [0, 0, 0]], y) > 0.5


def test_a_peak_is_no_monotone_cut_but_either_direction_makes_one():
    X, y = np.array([[1.0], [2], [3], [4], [5], [6]]), np.array([0, 0, 2, 2, 1, 1])
    free = MonotoneTree(monotone=[0], min_information=0.0).fit(X, y)
    np.testing.assert_array_equal(free.predict(X), y)
    assert set(free.tree_.direction) == {1, -1}


@given(st.lists(st.integers(0, 5), min_size=1, max_size=9), st.booleans())
def test_leaves_hold_the_median_class(classes, upper):
    assert median_class(np.bincount(classes, minlength=6), upper) == median(classes, upper)


def test_between_two_classes_the_low_child_is_cautious():
    """Two classes with equally many rows: the worse one in the low child, the better one in the high child."""
    X = np.array([[0.0], [0], [0], [0], [1], [1], [1], [1]])
    fitted = MonotoneTree(min_information=0.0).fit(X, [0, 0, 1, 1, 1, 1, 2, 2])
    assert fitted.predict([[0.0], [1.0]]).tolist() == [0, 2]
    # The root belongs to neither side.
    assert MonotoneTree(0).fit(X, [0, 0, 1, 1, 1, 1, 2, 2]).predict([[9.0]]).tolist() == [1]
    assert MonotoneTree(0).fit(X, [0, 0, 0, 0, 1, 1, 1, 1]).predict([[9.0]]).tolist() == [0]


def test_sizes_keep_their_bounds(rng):
    X, y = monotone_data(rng, noise=1.0)
    for depth, least in ((0, 1), (2, 1), (None, 7)):
        tree = MonotoneTree(depth, min_samples_leaf=least, min_information=0.0).fit(X, y).tree_
        leaves = [counts.sum() for counts, f in zip(tree.counts, tree.feature) if f < 0]
        assert depth is None or tree.depth <= depth
        assert min(leaves) >= least
        assert sum(leaves) == len(X)
    assert MonotoneTree(min_information=10.0).fit(X, y).tree_.feature == [-1]


def test_degenerate_data(rng):
    y = np.array([0, 1, 2])
    assert MonotoneTree().fit(np.ones((3, 2)), y).predict([[5.0, 5.0]]).tolist() == [1]
    assert MonotoneTree().fit(np.eye(3), [4, 4, 4]).predict(np.eye(3)).tolist() == [4, 4, 4]
    wide = rng.random((6, 50))
    assert (MonotoneTree(min_information=0.0, monotone="auto").fit(wide, [0, 0, 1, 1, 2, 2]).predict(wide) >= 0).all()
    # The middle of two neighbouring numbers is one of them; still both sides have rows.
    tight = np.array([[1.0], [np.nextafter(1.0, 2.0)], [1e308], [1.7e308]])
    assert MonotoneTree(min_information=0.0).fit(tight, [0, 1, 2, 3]).predict(tight).tolist() == [0, 1, 2, 3]


def test_importances_are_shares_of_the_information(rng):
    X, y = monotone_data(rng)
    X[:, 2] = 1.0
    got = MonotoneTree().fit(X, y).feature_importances_
    assert got.sum() == pytest.approx(1.0)
    assert got[2] == 0.0
    assert (MonotoneTree(0).fit(X, y).feature_importances_ == 0).all()
    # Six rows are cut by the first feature, the four lower ones by the second.
    X, y = np.array([[0.0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 0, 1]]).T, np.array([0, 0, 1, 1, 2, 2])
    amounts = np.array([6 * rank_information(X[:, 0], y), 4 * rank_information(X[:4, 1], y[:4])])
    np.testing.assert_allclose(MonotoneTree().fit(X, y).feature_importances_, amounts / amounts.sum())


def test_text_needs_an_order():
    X, y = [[1.0], [2.0], [3.0]], ["low", "mid", "high"]
    with pytest.raises(InputError, match="'high', 'low', 'mid'.*pass class_order"):
        MonotoneTree().fit(X, y)
    fitted = MonotoneTree(class_order=y).fit(X, y)
    assert fitted.classes_.tolist() == y
    ordered = pd.Categorical(y, y, ordered=True)
    assert MonotoneTree().fit(X, ordered).classes_.tolist() == y
    assert fitted.rank_loss([[1.0], [1.0]], ["low", "high"]) == 1.0
    with pytest.raises(ParameterError, match="lacks the class 'mid' of y"):
        MonotoneTree(class_order=["low", "high"]).fit(X, y)


def test_it_lives_in_scikit_learn(rng):
    X, y = monotone_data(rng, noise=0.2)
    loss = make_scorer(rank_loss, greater_is_better=False, class_order=[0, 1, 2, 3])
    search = GridSearchCV(MonotoneTree(), {"max_depth": [1, 3, 8]}, scoring=loss, cv=3).fit(X, y)
    assert search.best_params_["max_depth"] > 1
    assert cross_val_score(clone(search.best_estimator_), X, y, cv=3).mean() > 0.5
