"""The recovery curve of section 12.7.1 against counting by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fewer
from fewer.core.records.errors import InputError
from fewer.evaluate.recovery import auc_fr, feature_recovery_roc
from fewer.synth import make_twonorm


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=3, max_size=12), st.data())
def test_points_and_area_by_counting(weights, data):
    targets = data.draw(st.sets(st.integers(0, len(weights) - 1), min_size=1, max_size=len(weights) - 1))
    clutter = set(range(len(weights))) - targets
    curve = feature_recovery_roc(weights, targets)
    for fpr, tpr, threshold in zip(curve.fpr, curve.tpr, curve.thresholds):
        found = {j for j, w in enumerate(weights) if w >= threshold}
        assert tpr == pytest.approx(len(found & targets) / len(targets))
        assert fpr == pytest.approx(len(found & clutter) / len(clutter))
    pairs = [(weights[t] > weights[c]) + 0.5 * (weights[t] == weights[c]) for t in targets for c in clutter]
    assert curve.area == pytest.approx(np.mean(pairs))


def test_features_of_weight_zero_are_a_diagonal():
    """Catalogue: ties at weight 0 are diagonal segments, whichever features come first."""
    for weights in ([1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]):
        curve = feature_recovery_roc(weights, [0, 1])
        np.testing.assert_allclose(curve.fpr, [0, 0, 1])
        np.testing.assert_allclose(curve.tpr, [0, 0.5, 1])
        assert curve.area == 0.75


def test_a_selection_gives_its_scores():
    data = make_twonorm(200, n_irrelevant=5, random_state=0)
    selection = fewer.FTest(3).fit(data.X, data.y).selection_
    area = feature_recovery_roc(selection, data.relevant).area
    assert area == pytest.approx(auc_fr(selection, data.relevant))
    assert area > 0.9


def test_what_cannot_be_compared_is_refused():
    for weights, targets, words in (
        ([1.0, 2.0], [0, 1], "2 are targets"),
        ([1.0, 2.0], [], "0 are targets"),
        ([1.0, 2.0], [2], "2 is not one of them"),
        ([1.0, 2.0], [0.5], "targets with 0.5, but a feature is named by its number"),
        ([1.0, 2.0], [True], "targets as a mask of 1 entries, but there are 2 features"),
        ([1.0, np.nan], [0], "NaN"),
        ([[1.0, 2.0]], [0], "2 dimensions"),
    ):
        with pytest.raises(InputError, match=words):
            feature_recovery_roc(weights, targets)


def test_infinite_weights_are_the_largest():
    """The F score of a feature that tells classes apart perfectly."""
    curve = feature_recovery_roc([1.0, np.inf, -np.inf, 1.0], [1, 3])
    np.testing.assert_allclose(curve.tpr, [0, 0.5, 1, 1])
    np.testing.assert_allclose(curve.fpr, [0, 0, 0.5, 1])
    assert curve.area == 0.875
    assert curve.thresholds.tolist() == [np.inf, np.inf, 1.0, -np.inf]
