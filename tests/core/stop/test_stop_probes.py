"""Random probes: how often noise is kept, weights and all."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from sklearn.utils.class_weight import compute_sample_weight

import fewer
from fewer.core.stop import Probes

# With 20 probes the feature must be the best of 21 equals.
RULE, SETS = Probes(20, 0.05), 160
MOST = int(scipy.stats.binom.ppf(0.9999, SETS, 1 / 21))


@pytest.mark.parametrize("name", ["InformationGain", "GiniGain", "MyopicRelief", "TTest"])
def test_balanced_weights_keep_noise_no_more_often_than_the_risk(name):
    """One feature is counted per data set, so that the decisions are independent; the others make the probes."""
    rng, made = np.random.default_rng(0), fewer.get(name)(n_features_to_select=RULE)
    y = (np.arange(80) < 4).astype(int)
    weight = compute_sample_weight("balanced", y)
    found = [made.fit(rng.normal(size=(80, 20)), y, sample_weight=weight).selection_ for _ in range(SETS)]
    assert sum(0 in selection.indices for selection in found) <= MOST


@pytest.mark.parametrize("name", ["InformationGain", "TTest"])
def test_a_clear_feature_is_kept_with_weights(name):
    rng = np.random.default_rng(0)
    y = (np.arange(200) < 40).astype(int)
    X = rng.normal(size=(200, 30))
    X[:, 4] += 3 * y
    found = fewer.get(name)("probes:0.05").fit(X, y, sample_weight=compute_sample_weight("balanced", y))
    assert found.selection_.indices[0] == 4


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["InformationGain", "TTest", "ReliefF", "OrdEval"])
def test_probes_are_shuffled_columns_beside_the_others(name, weighted, rng):
    """The rule compares with what a fit to the same columns, joined by hand, says of the shuffled ones."""
    if weighted and not fewer.get(name).method_tags.handles_weights:
        pytest.skip("takes no weights")
    X, y = rng.normal(size=(40, 5)).round(1), rng.integers(0, 2, 40)
    more = {"sample_weight": rng.integers(1, 4, 40)} if weighted else {}
    found = fewer.get(name)(Probes(20, 0.2)).fit(X, y, **more).selection_
    again, scores = np.random.default_rng(0), []
    for _ in range(4):
        shuffled = X[np.argsort(again.permutation(40))]
        scores.append(fewer.get(name)(None).fit(np.hstack([X, shuffled]), y, **more).scores_[5:])
    threshold = np.sort(np.concatenate(scores))[20 - 4]
    assert found.reasons.threshold_of(0) == pytest.approx(threshold, rel=1e-12)
    assert set(found.indices) == set(np.flatnonzero(found.scores > threshold))
