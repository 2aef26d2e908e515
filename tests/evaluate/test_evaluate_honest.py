"""Honest splits and scores: rare and uneven classes, choices inside splits, what few features lose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score
from sklearn.naive_bayes import GaussianNB

import fewer
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.inner_splits import inner_splits
from fewer.core.views.row_splits import make_splits
from fewer.evaluate.comparison import Comparison
from fewer.evaluate.data import read
from fewer.evaluate.panel import default_panel
from fewer.evaluate.ranks import friedman_nemenyi
from fewer.report.comparison_words import lede, title

RNG = np.random.default_rng(3)
# The classes of the nine tumours; the smallest has two rows.
TUMOURS = np.repeat(np.arange(9), [9, 9, 8, 5, 7, 6, 8, 6, 2])


GENES = RNG.normal(size=(len(TUMOURS), 12))
GENES[:, :4] += 1.5 * RNG.normal(size=(9, 4))[TUMOURS]


def test_rare_classes_leave_ten_folds_and_every_default_estimator_works():
    found = fewer.compare(GENES, TUMOURS, ["FTest"], sizes=[4], naive=False)
    assert found.n_folds == 10
    assert not found.failures
    assert not np.isnan(found.scores).any()
    assert not np.isnan(found.inner).any()
    assert "have fewer rows than folds, spread over" in found.meta["protocol"]
    assert found.best().beats_chance
    assert "chance" not in title(found, found.best())


def test_default_methods_choose_from_rows_without_a_class():
    data = read(GENES, TUMOURS)
    methods = default_panel(data)[0]
    assert len(methods) > 5
    with ThreadRunner(1) as run:
        rows = data.rows(np.flatnonzero(TUMOURS < 8), run)
        for label, method in methods.items():
            assert len(method.set_params(n_features_to_select=3).fit_view(rows).selection_.indices) > 0, label


@pytest.fixture(scope="module")
def uneven():
    y = np.repeat([0, 1], [54, 6])
    X = RNG.normal(size=(60, 6))
    X[:, 0] += 3 * y
    return X, y, fewer.compare(X, y, ["FTest", "RankSum"], ["naive Bayes"], [1, 2], cv=5, naive=False)


def test_uneven_classes_are_scored_by_class_and_a_guess_is_half_right(uneven):
    _, _, found = uneven
    assert found.scoring == "balanced_accuracy"
    assert found.chance.tolist() == [0.5] * 5
    assert "90 % of the rows" in found.meta["score"]
    assert "90 % of the rows" in found.to_json()


def test_inner_scores_are_those_of_models_without_the_fold(uneven):
    X, y, found = uneven
    splits = make_splits(5, y, "classification")
    wanted, times = np.zeros(5), np.zeros(5)
    for one in inner_splits(splits, y, "classification"):
        columns = fewer.FTest(2).fit(X[one.train], y[one.train]).selection_.indices
        model = GaussianNB().fit(X[np.ix_(one.train, columns)], y[one.train])
        for rows, folds in zip(one.test, one.serves):
            wanted[list(folds)] += balanced_accuracy_score(y[rows], model.predict(X[np.ix_(rows, columns)]))
            times[list(folds)] += 1
    np.testing.assert_allclose(found.inner[0, 0, 1], wanted / times)
    again = Comparison.from_json(found.to_json())
    np.testing.assert_array_equal(again.inner, found.inner)
    assert again.best().honest == found.best().honest


def test_a_class_with_one_row_is_said_and_goes_on():
    y = np.repeat([0, 1, 2], [20, 20, 1])
    found = fewer.compare(RNG.normal(size=(41, 3)), y, ["FTest"], ["naive Bayes"], [1], cv=5, naive=False)
    assert "the class 2 has one row, trained on and never tested" in found.meta["protocol"]
    assert found.n_test.sum() == 40


def test_a_set_is_not_called_best_if_all_features_are_better(uneven):
    found = replace(uneven[2], scores=np.full_like(uneven[2].scores, 0.9))
    best = replace(found, whole=np.zeros_like(found.whole)).best()
    assert best.sentence.endswith("the best of all")
    assert (best.lost, best.all_best) == (0.0, False)
    beaten = replace(found, whole=np.full_like(found.whole, 1.0))
    head = beaten.best()
    assert head.all_best
    assert head.lost == pytest.approx(1.0 - head.score)
    assert "; all 6 give 1" in head.sentence
    assert "best of all" not in head.sentence
    assert "all of them 1" in title(beaten, head)
    assert "highest of all." not in lede(beaten, head)


def test_ranks_over_folds_are_corrected_for_the_rows_that_they_share():
    scores = RNG.random((10, 4)) + np.array([0.3, 0.1, 0.0, 0.0])
    plain, corrected = friedman_nemenyi(scores), friedman_nemenyi(scores, test_fraction=0.1)
    # 1 + 10 * .1 / .9, as for the corrected t-test.
    assert corrected.chi2 == pytest.approx(plain.chi2 / (1 + 10 / 9))
    assert corrected.critical_difference == pytest.approx(plain.critical_difference * np.sqrt(1 + 10 / 9))
    assert corrected.f_pvalue > plain.f_pvalue


def test_wrappers_score_uneven_classes_by_class_and_spread_rare_ones(uneven):
    X, y, _ = uneven
    model = GaussianNB()
    found = fewer.SequentialSelector(model, 1).fit(X, y)
    named = fewer.SequentialSelector(model, 1, scoring="balanced_accuracy").fit(X, y)
    assert found.selection_.meta["value"] == named.selection_.meta["value"]
    rare = np.repeat([0, 1, 2], [30, 27, 3])
    fitted = fewer.SequentialSelector(model, 1).fit(X, rare)
    folds = make_splits(5, rare, "classification")
    wanted = fewer.SequentialSelector(model, 1, cv=list(zip(folds.train, folds.test))).fit(X, rare)
    assert fitted.selection_.meta["value"] == wanted.selection_.meta["value"]
