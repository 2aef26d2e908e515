"""The two choices behind the headline, against their definitions."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fewer.evaluate.figures import bias, consensus_order
from fewer.evaluate.headline import _above, honest_scores, one_standard_error
from fewer.evaluate.intervals import mean_interval, score_range
from fewer.evaluate.statistics import corrected_error

# Few different values, so that there are ties.
VALUES = st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.5])


@given(st.data(), st.integers(1, 3), st.integers(1, 4))
def test_without_inner_scores_the_other_folds_of_the_repetition_choose(data, n_repeats, n_folds):
    scores = np.array(data.draw(st.lists(VALUES, min_size=12 * n_folds * n_repeats, max_size=12 * n_folds * n_repeats)))
    scores = scores.reshape(3, 2, 2, n_folds * n_repeats)
    repeat = np.repeat(np.arange(n_repeats), n_folds)
    rows = np.full(len(repeat), 10)
    made = SimpleNamespace(scores=scores, repeat=repeat, n_folds=len(repeat), n_train=rows * (n_folds + 1), n_test=rows)
    made.contenders, made.inner = np.ones(3, bool), None
    found = honest_scores(made)
    settings = scores.reshape(12, -1)
    for f in range(len(repeat)):
        others = [g for g in range(len(repeat)) if repeat[g] == repeat[f] and g != f]
        if not others:
            assert found[f] == settings[:, f].mean()
            continue
        # Equal means are equal however they were summed.
        means = [round(settings[s, others].mean(), 12) for s in range(12)]
        assert found[f] == settings[means.index(max(means)), f]


@given(st.lists(st.tuples(VALUES, st.sampled_from([0.0, 0.1, 0.15]), st.integers(1, 4)), min_size=1, max_size=12))
def test_the_cheapest_within_one_standard_error_of_the_best(settings):
    means, errors, cost = (np.array(part, dtype=float) for part in zip(*settings))
    best, near = one_standard_error(means, errors, cost)
    places = range(len(settings))
    assert best == min(places, key=lambda i: (-means[i], cost[i], i))
    # Within an error up to rounding: .3 is within .1 of .4.
    enough = [i for i in places if means[i] >= means[best] - errors[best] - 1e-12]
    assert near == min(enough, key=lambda i: (cost[i], -means[i], i))


def test_the_interval_is_that_of_overlapping_splits():
    scores = np.array([0.7, 0.8, 0.75, 0.9])
    mean, error, low, high = mean_interval(scores, 0.25)
    assert mean == scores.mean()
    assert error == np.std(scores, ddof=1) / 2
    # 3.182446 is the 97.5 % point of Student's t with 3 degrees of freedom.
    np.testing.assert_allclose([mean - low, high - mean], 3.182446305284263 * corrected_error(scores, 0.25))
    assert np.isnan(mean_interval(scores[:1], 0.25)[1:]).all()


def test_inner_scores_choose_for_every_fold_and_not_the_folds_themselves():
    scores = np.array([[0.9, 0.1, 0.5], [0.2, 0.8, 0.6], [0.3, 0.3, 0.3]])[:, None, None, :]
    inner = np.array([[0.1, 0.7, np.nan], [0.4, 0.6, np.nan], [0.4, np.nan, np.nan]])[:, None, None, :]
    rows = np.full(3, 10)
    made = SimpleNamespace(scores=scores, inner=inner, n_folds=3, n_train=2 * rows, n_test=rows)
    made.contenders = np.ones(3, bool)
    # Of equal ones the first; without any, the mean of all.
    np.testing.assert_allclose(honest_scores(made), [0.2, 0.1, (0.5 + 0.6 + 0.3) / 3])


@given(st.lists(st.floats(0, 1), min_size=2, max_size=10), st.sampled_from(["accuracy", "roc_auc_ovr", "recall"]))
def test_intervals_of_fractions_stay_between_0_and_1_and_hold_the_mean(scores, scoring):
    mean, _, low, high = mean_interval(np.array(scores), 1 / len(scores) if len(scores) > 2 else 0.5, scoring, 40.0)
    assert 0.0 <= low <= mean <= high <= 1.0
    # Equal scores are not sure: 40 rows are not all there are.
    assert low < high


def test_other_ends_cut_intervals_off_and_unknown_scores_have_none():
    scores = np.array([0.5, 1.0, 0.9])
    plain = mean_interval(scores, 0.3)
    assert plain[3] > 1
    assert mean_interval(scores, 0.3, "r2")[2:] == (plain[2], 1.0)
    assert mean_interval(-scores, 0.3, "neg_log_loss")[3] == 0.0
    assert score_range("matthews_corrcoef") == (-1.0, 1.0)
    assert mean_interval(scores, 0.3, "mine") == plain


def test_folds_that_all_gain_the_same_are_counted_as_signs():
    assert _above(np.array([0.75, 0.75]), np.array([0.5, 0.5]), 0.5) == 0.25
    assert _above(np.full(10, 1.0), np.full(10, 0.5), 0.1) == 2.0**-10


class Chosen(SimpleNamespace):
    """What the consensus asks of a comparison: the one feature that each method chose on each fold."""

    methods, contenders, n_folds, n_features, sizes = "abc", np.ones(3, bool), 10, 9, (1,)
    features = ([0] * 3 + [3] * 7, [1] * 2 + [4] * 8, [1] + [5] * 9)

    def chosen(self, method, size, fold):
        return np.array([self.features["abc".index(method)][fold]])


def test_the_consensus_is_not_ordered_by_rounding():
    """Feature 0 has 3/10 of one method, feature 1 has 2/10 and 1/10 of two: the sums differ in the last bit."""
    order, shares, _ = consensus_order(Chosen(), 1)
    assert shares[:, 1].mean() > shares[:, 0].mean()
    assert order.tolist() == [5, 4, 3, 0, 1]


def test_rounding_is_no_bias():
    scores = np.array([0.1 + 0.2, 0.5])
    made = SimpleNamespace(methods=["a"], estimators=["b"], sizes=(1, 2), naive=scores.reshape(1, 1, 2, 1))
    made.scores = np.array([0.3, 0.5]).reshape(1, 1, 2, 1)
    assert [(row["bias"], row["largest"]) for row in bias(made)] == [(0.0, 0.0)]


def test_the_best_is_not_chosen_by_rounding():
    best, near = one_standard_error(np.array([1e6 * (0.1 + 0.2), 1e6 * 0.3]), np.zeros(2), np.array([2.0, 1.0]))
    assert (best, near) == (1, 1)
    # Small scores that differ are told apart.
    assert one_standard_error(np.array([2e-14, 1e-14]), np.zeros(2), np.array([2.0, 1.0])) == (0, 0)
