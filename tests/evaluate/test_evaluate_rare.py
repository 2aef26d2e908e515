"""Classes with fewer rows than there are folds."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score
from sklearn.naive_bayes import GaussianNB

import fewer
from fewer.core.views.row_splits import make_splits
from fewer.evaluate.pooled import BalancedAccuracy


def data(counts, shift=0.0, n_features=4):
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(len(counts)), counts)
    X = rng.normal(size=(len(y), n_features))
    X[:, 0] += shift * (y > 0)
    return X, y


def few(X, y, **more):
    return fewer.compare(X, y, ["FTest"], ["naive Bayes"], [1], naive=False, **more)


@pytest.mark.parametrize("cv", [None, 10])
@pytest.mark.parametrize("counts", [(58, 2), (92, 8), (60, 5, 2)])
def test_a_guess_reaches_one_divided_by_the_number_of_classes(counts, cv):
    found = few(*data(counts), cv=cv)
    assert found.scoring == "balanced_accuracy"
    np.testing.assert_allclose(found.chance, 1.0 / len(counts))


def test_the_mean_over_the_folds_is_that_of_the_recalls():
    X, y = data((50, 7, 3), 2.0)
    splits = make_splits(10, y, "classification")
    scorer = BalancedAccuracy.over(y, splits.test)
    models = [GaussianNB().fit(X[rows], y[rows]) for rows in splits.train]
    recalls = []
    for label in range(3):
        inside = [(model, rows[y[rows] == label]) for model, rows in zip(models, splits.test)]
        recalls.append(np.mean([(model.predict(X[rows]) == label).mean() for model, rows in inside if len(rows)]))
    scores = [scorer(model, X[rows], y[rows]) for model, rows in zip(models, splits.test)]
    np.testing.assert_allclose(np.mean(scores), np.mean(recalls))
    # Folds that hold every class are scored as scikit-learn does.
    whole = BalancedAccuracy.over(y, [np.arange(len(y))])
    np.testing.assert_allclose(whole(models[0], X, y), balanced_accuracy_score(y, models[0].predict(X)))


def test_so_few_folds_that_each_holds_the_rarest_class():
    X, y = data((92, 8), 3.0)
    found = few(X, y)
    assert found.n_folds == 8
    assert found.best().beats_chance
    assert few(*data((58, 2))).n_folds == 5
    assert few(*data((50, 50))).n_folds == 10


def test_two_splits_are_said_to_show_little():
    words = ", which two splits can hardly show"
    assert few(*data((30, 30)), cv=2).best().sentence.endswith(words)
    assert words not in few(*data((30, 30)), cv=3).best().sentence


def test_a_class_of_one_row_is_not_in_the_mean():
    found = few(*data((50, 6, 1), 3.0))
    np.testing.assert_allclose(found.chance, 0.5)
    assert found.meta["score"].endswith("Not tested, and not in the mean: 2.")
    alone = few(*data((50, 1)), cv=5)
    assert alone.scoring == "accuracy"
    assert "cannot be known" in alone.meta["score"]
    assert not alone.best().beats_chance
