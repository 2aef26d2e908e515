"""Rules on sizes and scores, against the plain words of their definitions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewer.core.records.ranking import Ranking
from fewer.core.records.trace import Step, Trace
from fewer.core.stop import (
    All,
    Count,
    Fraction,
    Threshold,
    TopGap,
)

finite = st.floats(-1e6, 1e6, allow_nan=False)
score_lists = st.lists(st.one_of(finite, st.sampled_from([0.0, 1.0, 2.0])), min_size=1, max_size=30)


def ranking_of(*scores, pvalues=None):
    return Ranking(np.array(scores, dtype=float), None if pvalues is None else np.array(pvalues))


def trace_of(*values, evaluations=1, seconds=1.0):
    steps = [Step((i,), (), value, evaluations, seconds) for i, value in enumerate(values)]
    return Trace(steps)


def kept_of(cut):
    return np.flatnonzero(cut.kept).tolist()


# sizes


@given(score_lists, st.integers(1, 40))
def test_count_keeps_the_best_and_lower_numbers_first(scores, n):
    cut = Count(n).cut(ranking_of(*scores))
    expected = sorted(range(len(scores)), key=lambda j: (-scores[j], j))[:n]
    assert kept_of(cut) == sorted(expected)
    assert not cut.relevance
    assert not cut.irrelevant.any()
    assert math.isnan(cut.threshold)


def test_count_words():
    assert Count(2).cut(ranking_of(1, 2, 3)).rule == "the 2 best were asked for"
    assert Count(1).cut(ranking_of(1, 2, 3)).rule == "the best was asked for"
    assert Count(9).cut(ranking_of(1, 2)).rule == "the 9 best were asked for and there are 2"


@pytest.mark.parametrize(
    ("share", "d", "n"),
    [
        (0.5, 3, 2),
        (0.5, 5, 3),
        (0.1, 3, 1),
        (0.1, 4, 1),
        (0.29, 50, 15),
        (0.99, 10, 10),
        (0.25, 10, 3),
        (0.2, 7, 1),
    ],
)
def test_fraction_rounds_half_up_and_keeps_at_least_one(share, d, n):
    cut = Fraction(share).cut(ranking_of(*range(d)))
    assert kept_of(cut) == list(range(d - n, d))
    assert not cut.relevance


def test_all_keeps_everything():
    cut = All().cut(ranking_of(3, 1, 2))
    assert cut.kept.all()
    assert not cut.relevance


@pytest.mark.parametrize("n", [1, 3, 6, 9])
def test_count_and_fraction_end_searches_that_add(n):
    d = 6
    for rule in [Count(n), Fraction(min(n / d, 0.999))]:
        trace, size = Trace(), 0
        while not rule.done(trace, d - size):
            trace.append(Step((size,)))
            size += 1
        assert size == min(n, d)


@pytest.mark.parametrize("n", [1, 3, 6, 9])
@pytest.mark.parametrize("records_start", [False, True])
def test_count_and_fraction_end_searches_that_drop(n, records_start):
    d = 6
    for rule in [Count(n), Fraction(min(n / d, 0.999))]:
        trace, size = Trace([Step(value=0.5)] if records_start else []), d
        while not rule.done(trace, size, drops=True):
            trace.append(Step((), (size - 1,)))
            size -= 1
        assert size == min(n, d)


def test_all_ends_searches_when_nothing_is_left():
    assert not All().done(trace_of(1.0), 2)
    assert All().done(trace_of(1.0), 0)
    assert All().done(Trace(), 5, drops=True)


# scores


def test_threshold_includes_its_value():
    cut = Threshold(2).cut(ranking_of(1, 2, 3))
    assert kept_of(cut) == [1, 2]
    assert cut.threshold == 2
    assert cut.relevance
    assert cut.irrelevant.tolist() == [True, False, False]


def test_threshold_may_keep_nothing():
    assert kept_of(Threshold(10).cut(ranking_of(1, 2))) == []


def test_threshold_ends_a_search_below_its_value_and_leaves_the_last_step_out():
    rule = Threshold(0.5)
    assert not rule.done(Trace(), 3)
    assert not rule.done(trace_of(0.7, 0.5), 3)
    assert rule.done(trace_of(0.7, 0.4), 3)
    assert rule.steps_kept(trace_of(0.7, 0.4)) == 1
    assert rule.steps_kept(trace_of(0.7, 0.5)) == 2
    assert not rule.done(trace_of(float("nan")), 3)


def naive_gap(scores, low, high):
    """Walk down the sorted scores and remember the first largest drop."""
    order = sorted(range(len(scores)), key=lambda j: (-scores[j], j))
    best_n, best_gap = min(len(scores), high), 0.0
    for n in range(low, min(high, len(scores) - 1) + 1):
        gap = scores[order[n - 1]] - scores[order[n]]
        if gap > best_gap:
            best_n, best_gap = n, gap
    return sorted(order[:best_n])


@given(score_lists, st.integers(1, 5), st.one_of(st.none(), st.integers(0, 10)))
def test_gap_against_a_walk(scores, low, more):
    high = None if more is None else low + more
    cut = TopGap(low, high).cut(ranking_of(*scores))
    assert kept_of(cut) == naive_gap(scores, low, len(scores) if high is None else high)


def test_gap_on_ties_takes_the_first():
    assert kept_of(TopGap().cut(ranking_of(4, 3, 2, 1))) == [0]


def test_gap_of_equal_scores_keeps_all():
    cut = TopGap().cut(ranking_of(2, 2, 2))
    assert cut.kept.all()
    assert kept_of(TopGap(1, 2).cut(ranking_of(2, 2, 2))) == [0, 1]


def test_gap_of_one_feature_and_of_infinite_scores():
    assert kept_of(TopGap().cut(ranking_of(5))) == [0]
    assert kept_of(TopGap().cut(ranking_of(np.inf, np.inf, 3, 0))) == [0, 1]
    assert kept_of(TopGap().cut(ranking_of(3, 2, -np.inf, -np.inf))) == [0, 1]
    assert TopGap().cut(ranking_of(np.inf, np.inf)).kept.all()


def test_gap_threshold_is_the_smallest_kept_score():
    cut = TopGap().cut(ranking_of(1, 9, 8, 2))
    assert cut.threshold == 8
    assert cut.irrelevant.tolist() == [True, False, False, True]


def test_the_ends_of_a_gap_are_told_apart():
    scores = np.array([1e9 + 2, 1e9 + 1.9, 1e9, 1e9 - 0.1])
    assert TopGap().cut(Ranking(scores)).rule.endswith("lies between 1000000002 and 1000000000")
