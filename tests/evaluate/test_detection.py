"""Rates of detection and of false alarms against counting, and the numbers of chapter 7."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fewer
from fewer.core.records.errors import InputError, ParameterError
from fewer.evaluate.detection import detection_curve, detection_rates
from fewer.synth import make_planted

some = st.sets(st.integers(0, 11), min_size=1, max_size=11)


@given(st.sets(st.integers(0, 11)), some)
def test_rates_by_counting(selected, relevant):
    got = detection_rates(selected, relevant, 12)
    assert got.detection == pytest.approx(sum(j in selected for j in relevant) / len(relevant))
    noise = [j for j in range(12) if j not in relevant]
    assert got.false_alarm == pytest.approx(sum(j in selected for j in noise) / len(noise))
    of_all = detection_rates(selected, relevant, 12, out_of="all")
    assert of_all.false_alarm == pytest.approx(sum(j in selected for j in noise) / 12)


@pytest.mark.parametrize(
    ("n_found", "n_wrong", "detection", "false_alarm"), [(9, 5, 1.0, 0.022), (4, 15, 0.44, 0.067), (8, 28, 0.89, 0.13)]
)
def test_manufacturing_steps_of_the_text(n_found, n_wrong, detection, false_alarm):
    """Section 7.4.2.3: 223 steps, 9 relevant with the three copies of step 43; false alarms out of all steps."""
    relevant = [43, 7, 95, 106, 46, 52, 53, 54, 222]
    noise = [j for j in range(223) if j not in relevant]
    got = detection_rates([*relevant[:n_found], *noise[:n_wrong]], relevant, 223, out_of="all")
    assert got.detection == pytest.approx(detection, abs=0.005)
    assert got.false_alarm == pytest.approx(false_alarm, abs=0.005)


def test_a_copy_detects_its_original_and_a_further_one_counts_neither_way():
    groups = {4: 0, 5: 4, 6: 9}
    assert detection_rates([5], [0, 1], 10, groups) == (0.5, 0.0)
    assert detection_rates([0, 4, 5], [0, 1], 10, groups) == (0.5, 0.0)
    # Noise: 2, 3, 6, 7, 8, 9, of which 6 repeats 9.
    assert detection_rates([1, 6, 9], [0, 1], 10, groups) == (0.5, 2 / 6)


def test_a_selection_knows_its_number_of_features():
    data = make_planted(200, 3, n_redundant=0, n_duplicates=0, random_state=0)
    selection = fewer.FTest(5).fit(data.X, data.y).selection_
    got = detection_rates(selection, data.relevant, groups=data.redundant)
    assert got == detection_rates(selection.indices.tolist(), data.relevant, data.n_features, data.redundant)
    assert got.detection == 1.0
    assert 0 < got.false_alarm < 1


@given(st.lists(st.booleans(), min_size=12, max_size=12), st.lists(st.booleans(), min_size=12, max_size=12))
def test_a_mask_is_as_good_as_numbers(selected, relevant):
    relevant[0], relevant[1] = True, False
    numbers = [np.flatnonzero(mask).tolist() for mask in (selected, relevant)]
    want = detection_rates(*numbers, 12)
    assert detection_rates(selected, relevant, 12) == want
    assert detection_rates(np.array(selected), np.array(relevant), 12) == want
    amount = np.arange(12.0)
    masked, numbered = (detection_curve([one], [amount]) for one in (np.array(selected), numbers[0]))
    np.testing.assert_array_equal(masked.detection, numbered.detection)


def test_a_relevant_feature_counts_for_itself_even_if_it_is_called_a_copy():
    assert detection_rates([0, 1], [0, 1], 5, {1: 0}) == (1.0, 0.0)
    assert detection_rates([1], [0, 1], 5, {1: 0}) == (0.5, 0.0)
    # 2 repeats 1, which is as far as its origin goes.
    assert detection_rates([2, 3], [0, 1], 5, {1: 0, 2: 1}) == (0.5, 0.5)


def test_chance_detects_as_often_as_it_errs():
    """A random half finds half of the relevant and half of the others, in the mean."""
    rng = np.random.default_rng(0)
    rates = [detection_rates(rng.permutation(20)[:10], range(5), 20) for _ in range(400)]
    np.testing.assert_allclose(np.mean(rates, axis=0), 0.5, atol=0.05)


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.5]), st.booleans()), min_size=1), st.integers(1, 6))
def test_curve_by_counting(features, n_groups):
    importance = [amount for amount, _ in features]
    selected = [j for j, (_, found) in enumerate(features) if found]
    if max(importance) == 0:
        with pytest.raises(InputError, match="no importance is above 0"):
            detection_curve([selected], [importance], n_groups)
        return
    curve = detection_curve([selected], [importance], n_groups)
    relevant = sorted(pair for pair in features if pair[0] > 0)
    assert curve.n_features.sum() == len(relevant)
    assert len(curve.importance) <= n_groups
    start = 0
    for mean, share, n in zip(*curve):
        group = relevant[start : start + n]
        assert mean == pytest.approx(np.mean([amount for amount, _ in group]))
        assert share == pytest.approx(np.mean([found for _, found in group]))
        # Equal importances are not parted.
        assert start == 0 or relevant[start - 1][0] < group[0][0]
        start += n


def test_groups_of_different_importances_are_of_equal_size():
    curve = detection_curve([[0, 1, 2], [5]], [np.arange(1.0, 7.0), np.arange(7.0, 13.0)], n_groups=4)
    assert curve.n_features.tolist() == [3, 3, 3, 3]
    np.testing.assert_allclose(curve.detection, [1, 0, 0, 1 / 3])


def test_what_cannot_be_counted_is_refused(rng):
    four = fewer.FTest(2).fit(rng.normal(size=(20, 4)), np.arange(20) % 2).selection_
    for call, words in (
        (lambda: detection_rates([0], [], 3), "0 of 3 are relevant"),
        (lambda: detection_rates([0], [0, 1], 2), "0 irrelevant"),
        (lambda: detection_rates([3], [0], 3), "selected with the feature 3"),
        (lambda: detection_rates([0], [-1], 3), "relevant with the feature -1"),
        (lambda: detection_rates([0], [0], 3, {1: 2, 2: 1}), "detection_rates got groups in which .* repeats itself"),
        (lambda: detection_rates([True, False], [0], 3), "selected as a mask of 2 entries, but there are 3 features"),
        (lambda: detection_rates([0.7], [0], 3), "selected with 0.7, but a feature is named by its number"),
        (lambda: detection_rates([True, 1, 2], [0], 3), "selected with True"),
        (lambda: detection_rates("01", [0], 3), "selected with '0'"),
        (lambda: detection_rates([0], ["x0"], 3), "relevant with 'x0'"),
        (lambda: detection_rates(None, [0], 3), "selected=None, but takes a list"),
        (lambda: detection_rates([0], [0], 3, {7: 0}), "groups with the feature 7, but there are 3"),
        (lambda: detection_rates([0], [0], 3, {1: 7}), "groups with the feature 7"),
        (lambda: detection_rates(four, [0, 1], 99), "a Selection among 4 features, but there are 99"),
        (lambda: detection_curve([four], [[1, 2, 3]]), "a Selection among 4 features, but there are 3"),
        (lambda: detection_curve([["a"]], [[1.0]]), "selected with 'a'"),
        (lambda: detection_curve([[0]], [["a"]]), r"one finite number per feature .* but got \['a'\]"),
        (lambda: detection_curve([0], [[1.0]]), "selected=0, but takes a list"),
        (lambda: detection_curve(None, [[1.0]]), "selected=None, but takes a list"),
        (lambda: detection_curve([[0]], []), "1 selections and 0 lists"),
        (lambda: detection_curve([[0]], [[np.nan]]), "NaN"),
        (lambda: detection_curve([[2]], [[1.0, 2.0]]), "detection_curve got selected with the feature 2"),
        (lambda: detection_curve([[0]], [[[1.0]]]), "2 dimensions"),
    ):
        with pytest.raises(InputError, match=words):
            call()
    for call, words in (
        (lambda: detection_rates([0], [0]), "n_features=None"),
        (lambda: detection_rates(four, [0], 0), "n_features=0"),
        (lambda: detection_rates([0], [0], 3, out_of="noise"), "'irrelevant' and 'all'"),
        (lambda: detection_curve([[0]], [[1.0]], n_groups=0), "n_groups=0"),
    ):
        with pytest.raises(ParameterError, match=words):
            call()
    assert detection_rates([0, 1], [0, 1], 2, out_of="all") == (1.0, 0.0)
    assert detection_rates(four, [0, 1], 4) == detection_rates(four, [0, 1])
    assert detection_curve(iter([[0]]), iter([[1.0]])).detection.tolist() == [1.0]
