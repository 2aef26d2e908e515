"""Joined rules say of every feature only what is true of it."""

from __future__ import annotations

import numpy as np

from fewer.core.records.ranking import Ranking
from fewer.core.stop import Bonferroni, Probes, Threshold, TopGap


def test_a_threshold_is_told_only_to_features_below_it():
    ranking = Ranking(np.array([2.54, 3.0, 0.05]), np.array([0.01, 1e-9, 0.9]))
    cut = (Threshold(0.1) | Bonferroni(1e-6)).cut(ranking)
    assert cut.kept.tolist() == [False, True, False]
    assert np.isnan(cut.threshold[0])
    assert cut.threshold[2] == 0.1


def test_a_probe_must_be_beaten_and_a_threshold_reached():
    ranking = Ranking(np.array([5.0, 2.0, 1.0, 0.5]))
    rule = Threshold(1.0) | Probes(4, risk=0.2)
    cut = rule.cut_with_probes(ranking, np.array([2.0, 0.0, 0.0, 0.0]))
    assert cut.kept.tolist() == [True, False, False, False]
    assert (cut.threshold, cut.above) == (2.0, True)
    # The probe is below the threshold here: the feature that only the threshold drops is told that alone.
    lower = (Threshold(2.0) | Probes(4, risk=0.2)).cut_with_probes(ranking, np.array([0.5, 0.0, 0.0, 0.0]))
    assert lower.kept.tolist() == [True, True, False, False]
    assert np.broadcast_to(lower.threshold, 4).tolist() == [2.0] * 4
    assert not np.any(lower.above)


def test_no_gap_is_said_only_of_where_the_cut_may_lie():
    cut = TopGap(5).cut(Ranking(np.array([5.0, 4, 1, 0, 0])))
    assert cut.rule == "no gap between the scores where the cut may lie"
