"""FromModel: thresholds, counts, rules and reasons."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LogisticRegression, Ridge

import fewer
from fewer.core.records.errors import ParameterError
from fewer.stop import Average, as_stop

X, y = make_classification(120, 9, n_informative=4, n_classes=3, random_state=0)


@pytest.mark.parametrize("model", [RandomForestClassifier(9, random_state=0), LogisticRegression()])
@pytest.mark.parametrize("threshold", ["mean", "median", "1.25*mean", "0.5 * median", 0.11])
def test_thresholds_are_those_of_scikit_learn(model, threshold):
    theirs = SelectFromModel(model, threshold=threshold).fit(X, y)
    rule = threshold if isinstance(threshold, str) else f"threshold:{threshold}"
    ours = fewer.FromModel(model, rule).fit(X, y)
    np.testing.assert_array_equal(ours.support_, theirs.get_support())
    for j in np.flatnonzero(~ours.support_):
        reason = ours.selection_.reason(int(j))
        assert reason.kind == "irrelevant"
        assert reason.threshold == pytest.approx(theirs.threshold_)
        assert reason.score < reason.threshold


def test_counts_are_those_of_scikit_learn():
    theirs = SelectFromModel(LogisticRegression(), threshold=-np.inf, max_features=3).fit(X, y)
    ours = fewer.FromModel(LogisticRegression(), 3).fit(X, y)
    np.testing.assert_array_equal(ours.support_, theirs.get_support())
    assert ours.selection_.reason(int(ours.selection_.order[-1])).kind == "not reached"
    both = fewer.FromModel(LogisticRegression(), "2|mean").fit(X, y).selection_
    assert both.indices.tolist() == ours.selection_.indices[:2].tolist()


def test_averages_are_rules_of_the_grammar():
    assert as_stop("mean") == Average()
    assert as_stop("1.25*median") == Average("median", 1.25)
    assert as_stop(str(Average("mean", 0.3))) == Average("mean", 0.3)
    assert "1.25*median" in str(as_stop("20|1.25*median"))
    for text in ("x*mean", "mean*2", "nan*mean", "average"):
        with pytest.raises(ParameterError):
            as_stop(text)
    with pytest.raises(ParameterError, match="'mean' and 'median'"):
        Average("mode")
    scores = fewer.Pearson("1.5*mean").fit(X, y).scores_
    assert fewer.Pearson("1.5*mean").fit(X, y).support_.tolist() == (scores >= 1.5 * scores.mean()).tolist()


def test_equal_importances_are_in_the_order_of_the_columns():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 60))
    made = fewer.FromModel(Ridge(), None).fit(np.column_stack([b, a, a, b, a]), a + 3 * b).selection_
    assert made.order.tolist() == [0, 3, 1, 2, 4]


# What a function encloses counts for a checkpoint, so that its calls are counted outside of it.
told: list[int] = []


def counted(model, Z, t):
    told.append(1)
    return np.abs(model.coef_).sum(axis=0)


def test_a_checkpoint_is_used_again_and_knows_its_data(tmp_path):
    path = tmp_path / "fits"
    told.clear()
    first = fewer.FromModel(LogisticRegression(), 3, importance=counted, checkpoint=path).fit(X, y)
    again = fewer.FromModel(LogisticRegression(), 3, importance=counted, checkpoint=path).fit(X, y)
    assert len(told) == 5
    np.testing.assert_array_equal(first.scores_, again.scores_)
    with pytest.raises(ValueError, match="fits"):
        fewer.FromModel(LogisticRegression(), 3, importance=counted, checkpoint=path).fit(X + 1, y)
    with pytest.raises(ValueError, match="other work"):
        fewer.FromModel(LogisticRegression(), 3, importance=lambda *_: np.ones(X.shape[1]), checkpoint=path).fit(X, y)


def test_probes_and_seeds():
    noisy = np.column_stack([X, np.random.default_rng(0).normal(size=(120, 6))])
    first, again = (fewer.FromModel(RandomForestClassifier(10), "probes:0.2").fit(noisy, y) for _ in range(2))
    assert 0 < len(first.selection_) < 15
    assert first.selection_.indices.tolist() == again.selection_.indices.tolist()
    np.testing.assert_array_equal(first.scores_, again.scores_)


def test_the_criterion_is_free():
    criterion = fewer.FromModel(Ridge(), importance="permutation").criterion
    made = fewer.Selector(criterion, "turf", 3, task="regression", drop=2).fit(X, y.astype(float)).selection_
    assert len(made) == 3
