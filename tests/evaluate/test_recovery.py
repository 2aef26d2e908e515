"""AUC-FR against the area under a curve drawn point by point."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import fewer
from fewer.core.records.errors import InputError, ParameterError
from fewer.evaluate.recovery import auc_fr
from fewer.synth import make_polynomial


def area(ranking, relevant):
    """Trapezoids under the points (FPR(i), TPR(i)) of all prefixes."""
    hit = np.isin(ranking, relevant)
    tpr = np.concatenate([[0], np.cumsum(hit) / hit.sum()])
    fpr = np.concatenate([[0], np.cumsum(~hit) / (~hit).sum()])
    return float(np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2))


@given(st.permutations(range(9)), st.sets(st.integers(0, 8), min_size=1, max_size=8))
def test_it_is_the_area_under_the_curve(ranking, relevant):
    assert auc_fr(ranking, relevant) == pytest.approx(area(ranking, list(relevant)))


@given(st.lists(st.integers(0, 4), min_size=4, max_size=12), st.data())
def test_fractiond_places_count_one_half(places, data):
    relevant = data.draw(st.sets(st.integers(0, len(places) - 1), min_size=1, max_size=len(places) - 1))
    ranking = [[j for j, at in enumerate(places) if at == level] for level in range(5)]
    truth = [j in relevant for j in range(len(places))]
    assert auc_fr(ranking, relevant) == pytest.approx(roc_auc_score(truth, [-at for at in places]))


def test_examples_by_hand():
    assert auc_fr([0, 1, 2, 3], [0, 1]) == 1.0
    assert auc_fr([3, 2, 1, 0], [0, 1]) == 0.0
    assert auc_fr([[0, 1, 2, 3]], [0, 1]) == 0.5


def test_the_best_orders_of_two_features_and_their_copies():
    """Text, section 4.4.1, data set D1: a3 copies a1 and a4 copies a2; 16 of the 24 orders have the highest value."""
    areas = [auc_fr(order, [0, 1], {2: 0, 3: 1}) for order in permutations(range(4))]
    assert sum(value == 1.0 for value in areas) == 16


def test_only_the_first_of_a_feature_and_its_copies_is_a_hit():
    assert auc_fr([2, 4, 0, 1], [0, 1], {2: 0}) == 0.5
    assert auc_fr([2, 0, 4, 1], [0, 1], {2: 0}) == 0.5
    assert auc_fr([2, 1, 4, 0], [0, 1], {2: 0}) == 1.0
    assert auc_fr([2, 0, 1, 4], [0, 1], {2: 0}) == 0.75
    assert auc_fr([2, 0, 1, 4], [0, 1], {2: 0}, copies="ignore") == 1.0
    # A copy of a copy, and a copy of something irrelevant.
    assert auc_fr([5, 4, 0], [0], {5: 2, 2: 0}) == 1.0
    assert auc_fr([5, 0], [0], {5: 4}) == 0.0


def test_a_relevant_feature_counts_for_itself_even_if_it_is_called_a_copy():
    assert auc_fr([0, 1, 2, 3], [0, 1], {1: 0}) == 1.0
    assert auc_fr([0, 2, 1, 3], [0, 1], {1: 0}) == 0.75
    # 4 repeats 1, which is as far as its origin goes.
    assert auc_fr([0, 4, 2, 1], [0, 1], {1: 0, 4: 1}) == 1.0


@given(st.permutations(range(6)), st.lists(st.booleans(), min_size=6, max_size=6))
def test_a_mask_of_relevant_features(ranking, mask):
    mask[0], mask[5] = True, False
    assert auc_fr(ranking, np.array(mask)) == auc_fr(ranking, mask) == auc_fr(ranking, np.flatnonzero(mask))


def jong(ranking, relevant, redundant):
    """Walk down: each of the first r of the relevant and redundant ones is a hit, further ones count neither way."""
    counted, hits = [], 0
    for j in ranking:
        if j in relevant or j in redundant:
            hits += 1
            if hits > len(relevant):
                continue
        counted.append(j in relevant or j in redundant)
    return area(np.arange(len(counted)), np.flatnonzero(counted))


@given(st.permutations(range(9)), st.integers(1, 3), st.integers(0, 4))
def test_any_of_the_combined_features_may_stand_on_top(ranking, n_relevant, n_redundant):
    relevant, redundant = range(n_relevant), range(n_relevant, n_relevant + n_redundant)
    groups = {j: j % n_relevant for j in redundant}
    value = auc_fr(ranking, relevant, groups, copies="any")
    assert value == pytest.approx(jong(ranking, relevant, redundant))
    assert value >= auc_fr(ranking, relevant, groups, copies="ignore") - 1e-12
    # Which of the relevant features a combination names does not matter.
    assert value == auc_fr(ranking, relevant, dict.fromkeys(redundant, 0), copies="any")


def test_combinations_of_two_features_are_as_good_as_these():
    """Text, section 4.4.1, data set D2 (a3 and a4 combine a1 and a2), and a fifth feature of noise.

    Any two of the four on top are enough: the noise must not be among the first two, which 3 of 5 orders fulfil.
    """
    groups = {2: 0, 3: 0}
    best = [order for order in permutations(range(5)) if auc_fr(order, [0, 1], groups, copies="any") == 1.0]
    assert len(best) == 72
    assert all(4 not in order[:2] for order in best)


def test_of_features_that_share_a_place_the_count_decides_not_their_numbers():
    for tied in ([0, 1], [0, 2], [2, 3]):
        rest = [j for j in range(4) if j not in tied]
        # One hit before the noise, and one at the same place.
        assert auc_fr([tied[0], [tied[1], 4], *rest], [0, 1], {2: 0, 3: 1}, copies="any") == 0.75


def test_a_selection_is_a_ranking():
    data = make_polynomial(200, 12, 3, degree=1, n_copies=1, random_state=0)
    selection = fewer.Pearson(3).fit(data.X, data.y).selection_
    assert auc_fr(selection, data.relevant, data.redundant) == auc_fr(
        selection.order.tolist(), data.relevant, data.redundant
    )
    assert auc_fr(selection, data.relevant, data.redundant, copies="ignore") > 0.9


def test_what_cannot_be_compared_is_refused():
    for ranking, relevant, groups, words in (
        ([0, 1], [0, 1], None, "none of one kind"),
        ([0, 1], [], None, "none of one kind"),
        ([0, 1], [5], None, "5 is not in the ranking"),
        ([0, 1, 0], [0], None, "twice"),
        ([0.5, 1], [0], None, "ranking with 0.5, but a feature is named by its number"),
        ([[0, 1.5], 2], [0], None, "ranking with 1.5"),
        ([True, False], [0], None, "ranking with True"),
        (["x0", "x1"], [0], None, "ranking with 'x0'"),
        (None, [0], None, "ranking=None, but takes a list"),
        ([0, 1], [0.5], None, "relevant with 0.5"),
        ([0, 1, 2], [True, False], None, "relevant as a mask of 2 entries, but there are 3 features"),
        ([0, 1, 2], [0], {1: "x0"}, "groups with 'x0'"),
        ([0, 1, 2], [0], {1: 2, 2: 1}, "repeats itself"),
    ):
        with pytest.raises(InputError, match=words):
            auc_fr(ranking, relevant, groups)
    with pytest.raises(ParameterError, match="'miss', 'ignore' and 'any'"):
        auc_fr([0, 1], [0], copies="hit")


@pytest.mark.parametrize("copies", ["miss", "ignore", "any"])
def test_random_rankings_have_a_half_only_without_copies(copies):
    orders = list(permutations(range(4)))
    assert np.mean([auc_fr(one, [0, 1], copies=copies) for one in orders]) == pytest.approx(0.5)
    assert np.mean([auc_fr(one, [0], {1: 0}, copies=copies) for one in orders]) > 0.55
    assert "without copies" in (auc_fr.__doc__ or "")
