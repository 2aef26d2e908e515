"""Random probes: how often noise is kept, weights and all."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from sklearn.utils.class_weight import compute_sample_weight

import fewer
from common.examples import EXAMPLES
from fewer.core.stop import Probes

# With 20 probes the feature must be the best of 21 equals.
RULE, SETS = Probes(20, 0.05), 80 * EXAMPLES
MOST = int(scipy.stats.binom.ppf(0.9999, SETS, 1 / 21))


@pytest.mark.parametrize("name", ["InformationGain", "GiniGain", "MyopicRelief", "TTest"])
def test_balanced_weights_keep_noise_no_more_often_than_the_risk(name):
    """One feature is counted per data set, so that the decisions are independent."""
    rng, made = np.random.default_rng(0), fewer.get(name)(n_features_to_select=RULE)
    y = (np.arange(80) < 4).astype(int)
    weight = compute_sample_weight("balanced", y)
    found = [made.fit(rng.normal(size=(80, 2)), y, sample_weight=weight).selection_ for _ in range(SETS)]
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
    for _ in range(20):
        shuffled = X[np.argsort(again.permutation(40))]
        scores.append(fewer.get(name)(None).fit(np.hstack([X, shuffled]), y, **more).scores_[5:])
    threshold = np.sort(scores, axis=0)[20 - 4]
    assert [found.reasons.threshold_of(j) for j in range(5)] == pytest.approx(threshold, rel=1e-12)
    assert set(found.indices) == set(np.flatnonzero(found.scores > threshold))


def test_unlike_columns_do_not_lend_each_other_their_null_distributions():
    """Ten normal columns beside 190 of zeros and ones, all noise: binned scores are far above those of two levels."""
    rng, kept = np.random.default_rng(0), []
    y = np.arange(100) % 2
    for _ in range(12):
        X = np.hstack([rng.integers(0, 2, (100, 190)), rng.normal(size=(100, 10))])
        found = fewer.InformationGain("probes:0.05").fit(X, y).selection_
        kept.append((found.support[190:].sum(), found.support[:190].sum()))
    normal, binary = np.sum(kept, axis=0)
    assert normal <= scipy.stats.binom.ppf(0.999, 120, 0.05)
    assert binary <= scipy.stats.binom.ppf(0.999, 12 * 190, 0.05)
