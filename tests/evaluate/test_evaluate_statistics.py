"""Comparison tests against the worked examples of the texts, scipy, and scikit-posthocs where it is installed."""

from __future__ import annotations

from itertools import permutations, product
from math import factorial

import numpy as np
import pytest
from scipy import stats

from fewer.core.records.errors import InputError, ParameterError
from fewer.evaluate.ranks import critical_value, friedman_nemenyi
from fewer.evaluate.statistics import bayes_t, corrected_t, five_by_two_f, five_by_two_t, wilcoxon

# Demsar 2006, table 6: areas under the curve of C4.5, with m, with cf, with both, on 14 data sets.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        # The text ranks the last two 2 and 3: they differ behind the third digit.
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)
NAMES = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")


def test_demsars_example_of_friedman_and_nemenyi():
    """Section 3.2.4: ranks 3.143, 2.000, 2.893, 1.964; chi2 9.28; F 3.69; critical difference 1.25, at 0.10 1.12."""
    found = friedman_nemenyi(DEMSAR, NAMES, correct_ties=False)
    np.testing.assert_allclose(found.mean_ranks, [3.143, 2.0, 2.893, 1.964], atol=5e-4)
    assert found.chi2 == pytest.approx(9.28, abs=5e-3)
    assert found.f == pytest.approx(3.69, abs=5e-3)
    assert found.f_pvalue < 0.05
    # The text takes 2.85 as the critical value of F(3, 39).
    assert stats.f.sf(2.85, 3, 39) == pytest.approx(0.05, abs=1e-3)
    assert found.critical_difference == pytest.approx(1.25, abs=5e-3)
    assert friedman_nemenyi(DEMSAR, alpha=0.1).critical_difference == pytest.approx(1.12, abs=5e-3)
    # Figure 1 of the text: at 0.05 nothing can be told apart; at 0.10 the last differs from the first two.
    assert found.groups() == [("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5")]
    looser = friedman_nemenyi(DEMSAR, NAMES, alpha=0.1)
    assert looser.groups() == [("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5")]


def test_demsars_table_of_critical_values():
    """Table 5 (a): two-tailed Nemenyi test, 2 to 10 classifiers."""
    five = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
    ten = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]
    for k, (a, b) in enumerate(zip(five, ten), start=2):
        # The text rounds some of them up.
        assert critical_value(k) == pytest.approx(a, abs=1.1e-3)
        assert critical_value(k, 0.1) == pytest.approx(b, abs=1.1e-3)


def test_demsars_example_of_wilcoxon():
    """Section 3.1.3, table 2: R+ = 93, R- = 12; the differences are given with three digits there."""
    found = wilcoxon(DEMSAR[:, 1], DEMSAR[:, 0])
    assert found.statistic == 12.0
    assert found.pvalue < 0.05


@pytest.mark.parametrize("seed", range(5))
def test_friedman_equals_scipy(seed):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 4 if seed % 2 else 1000, (12, 5)).astype(float)
    expected = stats.friedmanchisquare(*scores.T)
    found = friedman_nemenyi(scores)
    assert found.chi2 == pytest.approx(expected.statistic)
    assert found.pvalue == pytest.approx(expected.pvalue)


def test_nemenyi_equals_scikit_posthocs(rng):
    posthocs = pytest.importorskip("scikit_posthocs")
    scores = rng.normal(size=(10, 4)) + np.array([0, 0.5, 1, 1])
    expected = posthocs.posthoc_nemenyi_friedman(scores).to_numpy()
    np.testing.assert_allclose(friedman_nemenyi(scores).pvalues, expected, atol=1e-4)


def test_groups_are_those_closer_than_the_critical_difference(rng):
    for _ in range(20):
        found = friedman_nemenyi(rng.normal(size=(8, 6)) + np.arange(6) * rng.choice([0.0, 0.5, 2.0]))
        groups = [set(group) for group in found.groups()]
        for a in range(6):
            for b in range(a):
                near = abs(found.mean_ranks[a] - found.mean_ranks[b]) <= found.critical_difference
                assert near == any({str(a), str(b)} <= group for group in groups)
        assert not any(one < other for one in groups for other in groups)


def test_methods_that_never_differ():
    found = friedman_nemenyi(np.ones((4, 3)))
    assert (found.chi2, found.pvalue, found.f) == (0.0, 1.0, 0.0)
    assert found.groups() == [("0", "1", "2")]
    always = friedman_nemenyi(np.tile([3.0, 2.0, 1.0], (5, 1)))
    assert always.f == float("inf")
    assert always.f_pvalue == pytest.approx((1 / 6) ** 4)


@pytest.mark.parametrize(("n", "k"), [(2, 2), (2, 3), (40, 3), (3, 9)])
def test_when_all_samples_agree_the_pvalue_is_that_of_equal_orders(n, k):
    """The first sample may have any order, each other one has the same with probability 1/k!."""
    found = friedman_nemenyi(np.tile(np.arange(k), (n, 1)))
    assert found.f_pvalue == pytest.approx(factorial(k) ** -(n - 1.0))


@pytest.mark.parametrize(("n", "k", "levels"), [(3, 3, 99), (4, 3, 3), (2, 4, 99), (3, 4, 3), (5, 2, 99), (2, 5, 99)])
def test_few_methods_and_samples_have_the_exact_pvalue(n, k, levels):
    """All orders of the ranks of every sample, shared ranks included."""
    rng = np.random.default_rng(n + k)
    for _ in range(3):
        scores = rng.integers(0, levels, (n, k))
        ranks = stats.rankdata(-scores, axis=1)
        spread = ((ranks.sum(axis=0)) ** 2).sum()
        every = [
            (np.sum(rows, axis=0) ** 2).sum() >= spread - 1e-9
            for rows in product(*[list(permutations(row)) for row in ranks])
        ]
        assert friedman_nemenyi(scores).f_pvalue == pytest.approx(np.mean(every))


def test_many_methods_have_the_pvalue_of_f():
    scores = np.random.default_rng(0).normal(size=(15, 7))
    found = friedman_nemenyi(scores)
    assert found.f_pvalue == stats.f.sf(found.f, 6, 84)
    # Nearly perfect agreement: F says 1e-20 and less, where no shuffling can be so rare.
    scores = np.tile(np.arange(7.0), (3, 1))
    scores[0, :2] = [1, 0]
    assert friedman_nemenyi(scores).f_pvalue >= factorial(7) ** -2.0


def test_many_methods_on_few_samples_have_the_pvalue_of_random_orders():
    """On two samples the sum of products of the ranks decides: one of 720 orders of the second, all listed."""
    scores = np.array([[1, 2, 3, 4, 5, 6], [2, 1, 3, 4, 6, 5]])
    every = np.array([scores[0] @ order for order in permutations(range(1, 7))])
    exact = np.mean(every >= scores[0] @ scores[1])
    found = friedman_nemenyi(scores)
    assert found.f_pvalue == pytest.approx(exact, rel=0.25)
    assert stats.f.sf(found.f, 5, 5) < exact / 2


@pytest.mark.parametrize("values", [(-3, 4), (-1, 2), (-40, 41)])
def test_signed_ranks_are_exact_with_ties_and_zeros(values):
    """Every sign of every difference that is not zero."""
    rng = np.random.default_rng(0)
    for n in (2, 5, 9):
        d = rng.integers(*values, n).astype(float)
        ranks = stats.rankdata(np.abs(d))
        part = np.where(d == 0, 0.5, d > 0) @ ranks
        found, middle = wilcoxon(d), n * (n + 1) / 4
        assert found.statistic == min(part, 2 * middle - part)
        signs = [[0.5] if one == 0 else [0, 1] for one in d]
        every = [abs(np.dot(one, ranks) - middle) >= abs(part - middle) - 1e-9 for one in product(*signs)]
        assert found.pvalue == pytest.approx(np.mean(every))


def test_signed_ranks_equal_scipy(rng):
    for n in (5, 12, 50):
        d = rng.normal(0.3, 1, n)
        expected = stats.wilcoxon(d, method="exact")
        found = wilcoxon(d)
        assert (found.statistic, found.pvalue) == (expected.statistic, pytest.approx(expected.pvalue))
    d = rng.integers(-5, 9, 80).astype(float)
    # So many are not exact; older versions of scipy have another name for it.
    expected = stats.wilcoxon(d, zero_method="zsplit")
    assert wilcoxon(d).pvalue == pytest.approx(expected.pvalue)
    assert wilcoxon([1.0] * 5).pvalue == 0.0625


A, B = np.array([0.1 + 0.2] * 6), np.array([0.3] * 6)


def test_rounding_is_no_difference():
    """.1 + .2 against .3 differ in the last bit, in every pair alike."""
    assert (A != B).all()
    assert corrected_t(A, B, test_fraction=0.2).pvalue == 1.0
    assert wilcoxon(A, B).pvalue == 1.0
    assert five_by_two_t(np.tile(A, 2)[:10], np.tile(B, 2)[:10]).pvalue == 1.0
    assert five_by_two_f(np.tile(A, 2)[:10], np.tile(B, 2)[:10]).pvalue == 1.0
    assert bayes_t(A, B, test_fraction=0.2, rope=0.0).same == 1.0
    found = friedman_nemenyi(np.column_stack([A, B]))
    assert (found.chi2, found.f_pvalue, found.mean_ranks.tolist()) == (0.0, 1.0, [1.5, 1.5])


def test_rounding_is_no_spread_and_breaks_no_tie():
    first, second = np.array([0.9, 0.8, 0.7, 0.6, 0.5]), np.array([0.8, 0.7, 0.6, 0.5, 0.4])
    assert len(np.unique(first - second)) > 1
    assert corrected_t(first, second, test_fraction=0.2).statistic == np.inf
    # Nothing is known of how differences vary, so only their signs count.
    assert corrected_t(first, second, test_fraction=0.2).pvalue == 2 / 2**5
    assert five_by_two_t([0.1] * 10).pvalue == five_by_two_f([0.1] * 10).pvalue == 2**5 / 2**10
    assert bayes_t(first, second, test_fraction=0.2).scale == 0.0
    # Differences of .1 up to rounding share a rank, whatever their sign.
    second[0] = 1.0
    assert wilcoxon(first, second).statistic == 3.0


def test_five_by_two_by_the_formulas(rng):
    a, b = rng.random((5, 2)), rng.random((5, 2))
    p = a - b
    s2 = [(x - (x + y) / 2) ** 2 + (y - (x + y) / 2) ** 2 for x, y in p]
    t = five_by_two_t(a, b)
    assert t.statistic == pytest.approx(p[0, 0] / np.sqrt(sum(s2) / 5))
    assert t.pvalue == pytest.approx(2 * stats.t.sf(abs(t.statistic), 5))
    f = five_by_two_f(a.ravel(), b.ravel())
    assert f.statistic == pytest.approx((p**2).sum() / (2 * sum(s2)))
    assert f.pvalue == pytest.approx(stats.f.sf(f.statistic, 10, 5))
    # Dietterich: |t| > 2.571 rejects at 0.05; Alpaydin: F > 4.74.
    assert 2 * stats.t.sf(2.571, 5) == pytest.approx(0.05, abs=1e-4)
    assert stats.f.sf(4.74, 10, 5) == pytest.approx(0.05, abs=2e-4)


def test_corrected_t_is_the_plain_one_with_a_larger_error(rng):
    """Nadeau and Bengio: sigma^2 (1/J + n2/n1) in place of sigma^2 / J."""
    d = rng.normal(0.3, 1, 10)
    plain = stats.ttest_1samp(d, 0)
    found = corrected_t(d, test_fraction=0.1)
    assert found.statistic == pytest.approx(plain.statistic / np.sqrt(1 + 10 * (0.1 / 0.9)))
    assert found.pvalue > plain.pvalue
    assert found.df == (9.0,)


def test_corrected_t_keeps_its_level_where_the_plain_one_does_not():
    """Scores of overlapping splits are correlated; the plain test rejects far too often."""
    rng = np.random.default_rng(0)
    rho, n = 0.1, 10
    plain = corrected = 0
    for _ in range(400):
        d = np.sqrt(rho) * rng.normal() + np.sqrt(1 - rho) * rng.normal(size=n)
        plain += stats.ttest_1samp(d, 0).pvalue < 0.05
        corrected += corrected_t(d, test_fraction=0.1).pvalue < 0.05
    assert corrected / 400 < 0.08 < plain / 400


def test_the_posterior_is_the_corrected_t(rng):
    """Benavoli et al.: without a rope the tail of the posterior is the one-sided p-value of the corrected test."""
    d = rng.normal(0.02, 0.05, 20)
    belief, test = bayes_t(d, test_fraction=0.2, rope=0.0), corrected_t(d, test_fraction=0.2)
    one_sided = test.pvalue / 2 if d.mean() > 0 else 1 - test.pvalue / 2
    assert belief.worse == pytest.approx(one_sided)
    roped = bayes_t(d, test_fraction=0.2, rope=0.05)
    assert roped.worse + roped.same + roped.better == pytest.approx(1)
    assert roped.same == pytest.approx(stats.t(19, roped.mean, roped.scale).cdf([-0.05, 0.05]) @ [-1, 1])


def test_without_any_spread():
    assert corrected_t(np.zeros(5), test_fraction=0.2).pvalue == 1.0
    assert corrected_t(np.ones(5), test_fraction=0.2).pvalue == 0.0625
    assert five_by_two_t(np.zeros((5, 2))).pvalue == 1.0
    assert five_by_two_f(np.zeros((5, 2))).pvalue == 1.0
    assert wilcoxon(np.zeros(6)).pvalue == 1.0
    assert bayes_t(np.zeros(5), test_fraction=0.2).same == 1.0
    assert bayes_t(np.ones(5), test_fraction=0.2).better == 1.0


def test_what_cannot_be_tested_is_refused():
    with pytest.raises(InputError, match="five repetitions"):
        five_by_two_t(np.zeros(9))
    with pytest.raises(InputError, match="shapes"):
        corrected_t([1.0, 2.0], [1.0], test_fraction=0.1)
    with pytest.raises(InputError, match="NaN"):
        wilcoxon([1.0, np.nan])
    with pytest.raises(InputError, match="two splits"):
        bayes_t([1.0], test_fraction=0.1)
    with pytest.raises(ParameterError, match="test_fraction=1"):
        corrected_t([1.0, 2.0], test_fraction=1)
    with pytest.raises(ParameterError, match="rope"):
        bayes_t([1.0, 2.0], test_fraction=0.1, rope=-1)
    with pytest.raises(InputError, match="two methods"):
        friedman_nemenyi([[1.0], [2.0]])
    with pytest.raises(InputError, match="names"):
        friedman_nemenyi(np.eye(3), ["a"])
    with pytest.raises(ParameterError, match="alpha"):
        friedman_nemenyi(np.eye(3), alpha=0)
