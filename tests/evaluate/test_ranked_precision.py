"""11-point average precision, break-even point and false alarms at a recall."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.evaluate import break_even_point, eleven_point_average_precision, fpr_at_recall
from oracles.sequences import eleven_points


def test_facts_of_the_catalogue():
    labels, scores = [1, 0, 1, 0, 0], [5, 4, 3, 2, 1]
    assert eleven_point_average_precision(labels, scores) == pytest.approx((6 * 1 + 5 * 2 / 3) / 11)
    assert eleven_point_average_precision([1, 1, 0, 0], [4, 3, 2, 1]) == 1.0
    assert break_even_point([1, 1, 0, 0], [4, 3, 2, 1]) == 1.0
    assert fpr_at_recall([1, 1, 0, 0], [4, 3, 2, 1], 1.0) == 0.0


@pytest.mark.parametrize("interpolated", [True, False])
def test_agrees_with_loops_also_with_ties(interpolated, rng):
    for n in (2, 7, 40):
        for levels in (2, 5, 1000):
            labels = np.concatenate([[0, 1], rng.integers(0, 2, n)])
            scores = rng.integers(0, levels, n + 2)
            want = eleven_points(labels.tolist(), scores.tolist(), interpolated)
            assert eleven_point_average_precision(labels, scores, interpolated=interpolated) == pytest.approx(want)


def test_recalls_are_not_missed_by_rounding():
    """3 of 10 positives are a recall of .3, although .1 * 3 is a little more."""
    labels = [1] * 3 + [0] + [1] * 7
    assert eleven_point_average_precision(labels, -np.arange(11), interpolated=False) == pytest.approx(
        (1 + 1 + 1 + 1 + sum(i / (i + 1) for i in range(4, 11))) / 11
    )
    assert fpr_at_recall(labels, -np.arange(11), 0.3) == 0.0
    assert fpr_at_recall(labels, -np.arange(11), 0.31) == 1.0


def test_break_even_is_the_precision_of_as_many_as_are_positive(rng):
    for _ in range(20):
        labels, scores = np.append(rng.integers(0, 2, 30), [0, 1]), rng.permutation(32)
        best = np.argsort(-scores)[: labels.sum()]
        assert break_even_point(labels, scores) == pytest.approx(labels[best].mean())
    # Of four equal rows, two of them positive, half of those predicted positive are.
    assert break_even_point([1, 1, 0, 0], [7, 7, 7, 7]) == 0.5


def test_labels_of_any_kind_and_what_is_refused():
    assert fpr_at_recall(["yes", "no", "yes"], [3, 2, 1], 1.0) == 1.0
    for labels, scores, words in (
        ([1, 1], [1, 2], "1 different label"),
        ([0, 1], [1], "shape"),
        ([0, 1], [np.nan, 1], "NaN"),
        ([], [], "shape"),
    ):
        with pytest.raises(ValueError, match=words):
            eleven_point_average_precision(labels, scores)
    for recall in (0, 1.5, "a"):
        with pytest.raises(ValueError, match="recall="):
            fpr_at_recall([0, 1], [1, 2], recall)
