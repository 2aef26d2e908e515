"""Selection bias on pure noise, and protocols against plain loops over scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fewer
from fewer.core.records.errors import FewerError
from fewer.core.views.row_splits import make_splits
from fewer.evaluate.compare import compare
from fewer.evaluate.curves import error_curve
from fewer.evaluate.protocols import before_after, selection_bias


@pytest.fixture(scope="module")
def noise():
    rng = np.random.default_rng(7)
    return rng.normal(size=(60, 5000)), np.repeat([0, 1], 30)


def test_selection_bias_on_pure_noise(noise):
    """Book, ch. 1 and ch. 17: nested stays near chance where choosing on all rows is far above."""
    found = selection_bias(*noise, "TTest", n_features=20, cv=10)
    assert 0.3 < found.nested.mean() < 0.7
    assert 0.25 < found.halves.mean() < 0.75
    assert found.once.mean() > 0.9
    assert found.bias > 0.3


def test_a_comparison_of_pure_noise_says_so(noise):
    found = compare(*noise, ["TTest", "RankSum"], sizes=[5, 20], cv=5)
    best = found.best()
    assert not best.beats_chance
    assert best.honest < 0.7
    assert found.naive.mean(axis=-1)[:, :, 1].min() > 0.85
    assert all(row["bias"] > 0.2 for row in found.bias())


def test_a_real_signal_beats_chance():
    X, y = load_breast_cancer(return_X_y=True)
    best = compare(X, y, ["FTest"], ["logistic"], sizes=[3], cv=5, naive=False).best()
    assert best.beats_chance
    assert best.chance == pytest.approx(np.mean([max(np.mean(y), 1 - np.mean(y))]), abs=0.01)


def test_nested_scores_equal_a_plain_loop():
    """Book, ch. 8: five repetitions of two folds, selection inside each training half."""
    X, y = load_breast_cancer(return_X_y=True)
    found = compare(X, y, ["MRMR"], [GaussianNB(), KNeighborsClassifier(1)], sizes=[2, 5], cv="5x2", naive=False)
    splits = make_splits("5x2", y, "classification")
    for f, (train, test) in enumerate(zip(splits.train, splits.test)):
        for s, size in enumerate((2, 5)):
            columns = np.sort(fewer.MRMR(size).fit(X[train], y[train]).selection_.indices)
            for e, model in enumerate((GaussianNB(), KNeighborsClassifier(1))):
                guessed = model.fit(X[train][:, columns], y[train]).predict(X[test][:, columns])
                assert found.scores[0, e, s, f] == accuracy_score(y[test], guessed)


def test_leave_one_out_accuracies_are_multiples_of_one_row(noise):
    """Book, ch. 17: every accuracy is a whole number of rows divided by their number."""
    X, y = noise
    found = compare(X[:, :30], y, ["FTest"], ["neighbours"], sizes=[3], cv="loo", naive=False)
    assert set(np.unique(found.scores)) <= {0.0, 1.0}
    assert found.scores.mean() * 60 == pytest.approx(round(found.scores.mean() * 60))


def test_before_and_after():
    X, y = load_breast_cancer(return_X_y=True)
    found = before_after(X, y, "FTest", 4, "logistic", cv=5)
    splits = make_splits(5, y, "classification")
    expected = []
    for train, test in zip(splits.train, splits.test):
        model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(X[train], y[train])
        expected.append(model.score(X[test], y[test]))
    np.testing.assert_allclose(found.before, expected)
    assert found.n_after.tolist() == [4] * 5
    assert found.test.difference == pytest.approx(found.after.mean() - found.before.mean())


def test_curves_and_one_standard_error(rng):
    X = rng.normal(size=(150, 12))
    y = 3 * X[:, 4] + 2 * X[:, 7] + 0.1 * rng.normal(size=150)
    curve = error_curve(X, y, "Pearson", Ridge(), sizes=[1, 2, 3, 6], cv=5)
    assert curve.enough == 2
    assert curve.scoring == "r2"
    assert curve.error == pytest.approx(curve.scores.std(axis=1, ddof=1) / np.sqrt(5))
    assert (curve.low < curve.mean).all()


def test_bad_input_names_the_protocol():
    with pytest.raises(FewerError, match="before_after .*only one class"):
        before_after(np.zeros((6, 2)), np.zeros(6, int))
    with pytest.raises(ValueError, match="sizes got"):
        selection_bias(np.eye(6), [0, 1] * 3, n_features=9)
