"""Scores of presence against loops, scipy, and the worked table of the catalogue."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from fewer.core.measures import presence as p
from oracles import sequences as slow


def test_the_worked_table():
    """N_fc 30, N_fn 10, N_nc 20, N_nn 40 (book ch. 18, section 18.3.2)."""
    there, sizes = [[30, 10]], [50, 50]
    assert p.presence_gain(there, sizes)[0] == pytest.approx(0.086305, abs=5e-7)
    assert p.presence_gain(there, sizes)[0] / np.log(2) == pytest.approx(0.124511, abs=1e-6)
    assert p.presence_information(there, sizes)[0] == pytest.approx([0.405465, -0.693147], abs=5e-7)
    assert p.presence_mi_avg(there, sizes)[0] == pytest.approx(-0.143841, abs=5e-7)
    assert p.presence_kl(there, sizes)[0] == pytest.approx(0.130812, abs=5e-7)
    assert p.presence_chi2(there, sizes)[0] == pytest.approx(16.666667, abs=5e-7)


def test_scores_agree_with_loops(rng):
    for n_classes in (2, 3, 7):
        for n in (4, 17, 90):
            y = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n)])
            has = rng.random((len(y), 6)) < rng.random(6)
            has[:, 0], has[:, 1], has[:, 2] = False, True, y == 0
            counts = np.array([[has[y == c, j].sum() for c in range(n_classes)] for j in range(6)])
            sizes = np.bincount(y)
            for name, measure in p.PRESENCE_SCORES.items():
                want = [slow.SCORES[name](column.tolist(), y.tolist()) for column in has.T]
                np.testing.assert_allclose(measure(counts, sizes), want, atol=1e-12, err_msg=name)
            averages = [sum(a * b for a, b in slow.mutual(c.tolist(), y.tolist()).values()) for c in has.T]
            np.testing.assert_allclose(p.presence_mi_avg(counts, sizes), averages, atol=1e-12)


def test_gain_is_the_mean_of_two_divergences_and_chi2_is_pearsons(rng):
    sizes = np.array([40, 60])
    for _ in range(50):
        there = rng.integers(1, 39, (1, 2))
        absent, n = sizes - there, sizes.sum()
        f = there.sum() / n
        both = f * p.presence_kl(there, sizes) + (1 - f) * p.presence_kl(absent, sizes)
        np.testing.assert_allclose(p.presence_gain(there, sizes), both, atol=1e-12)
        pearson = chi2_contingency(np.vstack([there, absent]), correction=False).statistic
        np.testing.assert_allclose(p.presence_chi2(there, sizes), pearson, rtol=1e-9, atol=1e-9)


def test_mi_avg_as_printed_is_largest_for_useless_features():
    """It is -KL(P(c) || P(c | f)); why it is not among the scores that select."""
    found = p.presence_mi_avg([[20, 20], [30, 10], [40, 0], [0, 0]], [50, 50])
    assert found[0] == 0.0 > found[1] > found[2] == -np.inf
    assert found[3] == 0.0
    assert "mi_avg" not in p.PRESENCE_SCORES
    smoothed = p.presence_mi_abs([[20, 20], [30, 10], [40, 0]], [50, 50])
    assert smoothed[0] == 0.0 < smoothed[1] < smoothed[2] < np.inf


def test_nothing_to_score():
    for measure in p.PRESENCE_SCORES.values():
        assert measure(np.zeros((0, 2)), [3, 4]).shape == (0,)
