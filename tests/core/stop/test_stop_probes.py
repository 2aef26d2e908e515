"""Random probes: how often noise is kept, weights and all."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from sklearn.utils.class_weight import compute_sample_weight

import fewer
from fewer.core.runners.threads import ThreadRunner
from fewer.core.stop import Probes
from fewer.core.views.blocks import DenseBlock
from fewer.core.views.view import View

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


def test_target_and_weight_move_together(rng):
    X, y, weight = rng.normal(size=(30, 2)), rng.integers(0, 2, 30), rng.random(30)
    with ThreadRunner(1) as run:
        view = View(run, [DenseBlock(X, y, weight)], "dense", 30, 2, np.zeros(2, bool), np.array([0, 1]))
        order = rng.permutation(30)
        block = view.with_target_of(order).whole()
    np.testing.assert_array_equal(block.X, X)
    np.testing.assert_array_equal(block.y, y[order])
    np.testing.assert_array_equal(block.weight, weight[order])
