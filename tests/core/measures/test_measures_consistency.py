"""The inconsistency rate of joint counts."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.measures.consistency import inconsistency_rate
from fewer.core.summaries.results import JointCounts


def rate(table):
    return inconsistency_rate(JointCounts(np.zeros((len(table), 1), int), np.asarray(table)))


def test_rates_by_hand():
    assert rate([[3, 1], [0, 4]]) == 1 / 8
    assert rate([[5, 3, 2]]) == 0.5
    assert rate([[2, 0], [0, 2]]) == 0
    assert rate([[1.5, 0.5], [0.0, 2.0]]) == 1 / 8
    assert rate([[0, 0]]) == 0


def test_cutting_groups_never_raises_the_rate():
    rng = np.random.default_rng(0)
    for _ in range(50):
        fine = rng.integers(0, 6, (8, 3))
        coarse = fine.reshape(4, 2, 3).sum(axis=1)
        assert rate(fine) <= rate(coarse)
        assert rate(coarse.sum(axis=0, keepdims=True)) == pytest.approx(1 - fine.sum(axis=0).max() / fine.sum())
