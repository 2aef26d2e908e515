"""Rules on p-values, against the definitions written as loops and against scipy."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

import fewer
from fewer.core.records.errors import InputError, ParameterError, RequirementError
from fewer.core.records.ranking import Ranking
from fewer.core.stop import (
    BenjaminiHochberg,
    BenjaminiYekutieli,
    Bonferroni,
    Holm,
    PValue,
    adjust,
)

RULES = [PValue, Bonferroni, Holm, BenjaminiHochberg, BenjaminiYekutieli]
METHODS = ["none", "bonferroni", "holm", "bh", "by"]

probability = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.05, 1.0]), st.floats(0, 1e-3))
pvalue_lists = st.lists(probability, min_size=1, max_size=25)
alphas = st.floats(0.001, 0.5)


def ranking_of(pvalues):
    p = np.asarray(pvalues, dtype=float)
    return Ranking(1.0 - p, p)


def rejected_by_holm(p, alpha):
    """Step down: reject the smallest, then the next, until one fails."""
    order = sorted(range(len(p)), key=lambda j: p[j])
    rejected = set()
    for i, j in enumerate(order):
        if p[j] > alpha / (len(p) - i):
            break
        rejected.add(j)
    return rejected


def rejected_by_step_up(p, alpha, penalty):
    """Find the largest i with p_(i) <= alpha i / (m c) and reject the i smallest."""
    order = sorted(range(len(p)), key=lambda j: p[j])
    last = 0
    for i, j in enumerate(order, start=1):
        if p[j] <= alpha * i / (len(p) * penalty):
            last = i
    return set(order[:last])


def rejected(p, alpha, method):
    m = len(p)
    if method == "none":
        return {j for j in range(m) if p[j] <= alpha}
    if method == "bonferroni":
        return {j for j in range(m) if p[j] <= alpha / m}
    if method == "holm":
        return rejected_by_holm(p, alpha)
    penalty = sum(1 / k for k in range(1, m + 1)) if method == "by" else 1.0
    return rejected_by_step_up(p, alpha, penalty)


def far_from(values, alpha):
    return np.all(np.abs(np.asarray(values) - alpha) > 1e-9 * alpha)


@pytest.mark.parametrize(("rule", "method"), list(zip(RULES, METHODS)))
@given(p=pvalue_lists, alpha=alphas)
def test_kept_are_those_that_the_definition_rejects(rule, method, p, alpha):
    # A value that rounding alone could put on either side of alpha says nothing about the procedure.
    if far_from(adjust(p, method), alpha):
        assert set(np.flatnonzero(rule(alpha).cut(ranking_of(p)).kept)) == rejected(p, alpha, method)


@given(pvalue_lists)
def test_adjusted_values_agree_with_scipy(p):
    np.testing.assert_allclose(adjust(p, "bh"), false_discovery_control(p, method="bh"), rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(adjust(p, "by"), false_discovery_control(p, method="by"), rtol=1e-12, atol=1e-300)


@given(pvalue_lists)
def test_holm_against_a_loop(p):
    order = sorted(range(len(p)), key=lambda j: p[j])
    expected, running = [0.0] * len(p), 0.0
    for i, j in enumerate(order):
        running = max(running, min(1.0, (len(p) - i) * p[j]))
        expected[j] = running
    np.testing.assert_allclose(adjust(p, "holm"), expected, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("method", METHODS)
@given(p=pvalue_lists)
def test_adjusted_values_lie_between_p_and_one_and_keep_the_order(method, p):
    adjusted = adjust(p, method)
    assert np.all(adjusted >= p)
    assert np.all(adjusted <= 1)
    in_order = adjusted[np.argsort(p, kind="stable")]
    assert np.all(np.diff(in_order) >= 0)


@pytest.mark.parametrize("rule", RULES)
@given(p=pvalue_lists, first=alphas, second=alphas)
def test_a_larger_alpha_never_keeps_less(rule, p, first, second):
    low, high = sorted([first, second])
    assert np.all(rule(low).cut(ranking_of(p)).kept <= rule(high).cut(ranking_of(p)).kept)


@given(pvalue_lists, alphas)
def test_which_rule_keeps_more(p, alpha):
    kept = {rule: rule(alpha).cut(ranking_of(p)).kept for rule in RULES}
    if all(far_from(adjust(p, method), alpha) for method in METHODS):
        assert np.all(kept[Bonferroni] <= kept[Holm])
        assert np.all(kept[Holm] <= kept[BenjaminiHochberg])
        assert np.all(kept[BenjaminiYekutieli] <= kept[BenjaminiHochberg])
        assert np.all(kept[BenjaminiHochberg] <= kept[PValue])


@pytest.mark.parametrize("rule", RULES)
@given(p=pvalue_lists, alpha=alphas)
def test_the_words_name_the_line(rule, p, alpha):
    cut = rule(alpha).cut(ranking_of(p))
    needed = float(cut.rule.split()[2])
    assert all(x <= needed * (1 + 1e-3) for x in np.asarray(p)[cut.kept])
    assert all(x >= needed * (1 - 1e-3) for x in np.asarray(p)[~cut.kept])


@pytest.mark.parametrize("method", METHODS)
def test_one_feature_needs_no_correction(method):
    assert adjust([0.03], method).tolist() == [0.03]


@pytest.mark.parametrize("rule", RULES)
def test_equal_pvalues_are_kept_or_dropped_together(rule):
    assert rule(0.05).cut(ranking_of([1e-6] * 7)).kept.all()
    assert not rule(0.05).cut(ranking_of([0.2] * 7)).kept.any()


@pytest.mark.parametrize("method", ["holm", "bh"])
def test_equal_pvalues_get_equal_adjusted_values(method):
    assert len(set(adjust([0.01, 0.5, 0.01, 0.01], method)[[0, 2, 3]])) == 1


def test_step_up_accepts_a_block_that_holm_does_not():
    # Five p-values of 0.04: Benjamini-Hochberg needs p_(5) <= 0.05, Holm needs p_(1) <= 0.01.
    p = [0.04] * 5
    assert BenjaminiHochberg(0.05).cut(ranking_of(p)).kept.all()
    assert not Holm(0.05).cut(ranking_of(p)).kept.any()


def test_example_of_benjamini_and_hochberg():
    # The 15 p-values of the example in Benjamini and Hochberg (1995): at 0.05 Bonferroni rejects three
    # hypotheses and their procedure rejects four.
    small = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
    p = [*small, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
    assert Bonferroni(0.05).cut(ranking_of(p)).kept.sum() == 3
    assert BenjaminiHochberg(0.05).cut(ranking_of(p)).kept.sum() == 4
    assert BenjaminiHochberg(0.05).cut(ranking_of(p)).rule.startswith("p <= 0.01333 needed")


def test_words_of_each_rule():
    ranking = ranking_of([0.001, 0.002, 0.3, 0.4, 0.5])
    harmonic = 1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5
    needed = [0.05, 0.05 / 5, 0.05 / 3, 0.05 * 2 / 5, 0.05 * 2 / 5 / harmonic]
    for rule, value in zip(RULES, needed):
        cut = rule(0.05).cut(ranking)
        assert cut.kept.sum() == 2
        assert cut.rule.startswith(f"p <= {value:.4g} needed (")


def test_a_test_that_could_not_be_made_counts_as_one():
    assert adjust([0.01, np.nan], "bonferroni").tolist() == [0.02, 1.0]
    assert not np.isnan(adjust([np.nan, np.nan], "by")).any()


def test_the_rest_is_irrelevant_and_has_no_score_threshold():
    cut = Holm(0.05).cut(ranking_of([0.001, 0.9]))
    assert cut.relevance
    assert cut.irrelevant.tolist() == [False, True]
    assert np.isnan(cut.threshold)


@pytest.mark.parametrize("rule", [PValue, Bonferroni, Holm, BenjaminiHochberg, BenjaminiYekutieli])
def test_the_needed_p_value_lies_between_kept_and_dropped_ones(rule):
    """Also as it is printed, however near a p-value comes to it, and where rounding decides."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        p = np.where(rng.random(12) < 0.5, rng.random(12) ** 3, 0.05 * rng.integers(1, 13, 12) / 12)
        p[rng.random(12) < 0.3] *= 1 + 1e-9
        p[3] = np.nan
        cut = rule(0.05).cut(ranking_of(p))
        (need,) = cut.needs
        np.testing.assert_array_equal(need.failed, cut.irrelevant)
        np.testing.assert_array_equal(need.failed, ~cut.kept)
        shown = float(cut.rule.split()[2])
        np.testing.assert_array_equal(np.where(np.isnan(p), 1.0, p) <= shown, cut.kept)


def test_bad_input_is_refused():
    with pytest.raises(RequirementError, match="p-values"):
        Holm().cut(Ranking(np.ones(3)))
    with pytest.raises(ParameterError, match="bonferroni"):
        adjust([0.1], "bonferoni")
    with pytest.raises(InputError, match="between 0 and 1"):
        adjust([1.1], "bh")
    with pytest.raises(InputError, match="one p-value"):
        adjust([[0.1]], "bh")


def test_the_p_value_of_a_kept_feature_is_shown_below_what_was_needed():
    """Three digits gave "p-value 0.124; p <= 0.1238 needed"."""
    rng = np.random.default_rng(0)
    for alpha in (0.2, 0.5, 0.8):
        X, y = rng.normal(size=(60, 40)), rng.integers(0, 2, 60)
        found = fewer.FTest(f"p:{alpha}").fit(X, y).selection_
        worst = found.columns["pvalue"][found.indices].max()
        found = fewer.FTest(f"p:{worst * 1.0003:.4g}" if worst * 1.0003 < 1 else "p:0.99").fit(X, y).selection_
        for j in found.indices:
            shown, needed = re.search(r"p-value (\S+); p <= (\S+) needed", str(found.reason(int(j)))).groups()
            assert float(shown) <= float(needed)
