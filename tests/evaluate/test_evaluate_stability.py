"""Stability against the definitions, pair by pair, and against the properties that the texts prove."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr, t

import fewer
from fewer.core.records.errors import InputError, ParameterError
from fewer.evaluate.stability import jaccard, kuncheva, nogueira, rank_correlations, rank_stability

D = 9
subsets_of_any_size = st.lists(st.sets(st.integers(0, D - 1)), min_size=2, max_size=6)


def pairs(subsets):
    return list(combinations([set(s) for s in subsets], 2))


@given(subsets_of_any_size)
def test_jaccard_is_the_mean_over_pairs(subsets):
    expected = np.mean([len(a & b) / len(a | b) if a | b else 1.0 for a, b in pairs(subsets)])
    assert jaccard([sorted(s) for s in subsets]) == pytest.approx(expected)


@given(st.integers(1, D - 1), st.data())
def test_kuncheva_is_the_mean_over_pairs_and_equals_nogueira(k, data):
    one = st.permutations(range(D)).map(lambda p: p[:k])
    subsets = data.draw(st.lists(one, min_size=2, max_size=6))
    expected = np.mean([(len(a & b) * D - k * k) / (k * (D - k)) for a, b in pairs(subsets)])
    assert kuncheva(subsets, D) == pytest.approx(expected)
    # Nogueira et al., section 4.2: for subsets of one size both are the same.
    assert nogueira(subsets, D).value == pytest.approx(expected)


def test_kuncheva_by_hand():
    """Bounds of the text: 1 for equal subsets, -1 for disjoint halves, 0 where the overlap is that of chance."""
    assert kuncheva([[0, 1, 2], [0, 1, 2]], 6) == 1.0
    assert kuncheva([[0, 1, 2], [3, 4, 5]], 6) == -1.0
    assert kuncheva([[0, 1, 2], [2, 3, 4]], 9) == 0.0


def loop(Z):
    """Value of definition 4 of Nogueira et al., feature by feature and set by set."""
    m, d = Z.shape
    p = [sum(Z[i, f] for i in range(m)) / m for f in range(d)]
    mean_k = sum(p)
    return 1 - sum(m / (m - 1) * q * (1 - q) for q in p) / d / (mean_k / d * (1 - mean_k / d))


@given(subsets_of_any_size)
def test_nogueira_equals_a_loop(subsets):
    Z = np.array([[j in s for j in range(D)] for s in subsets])
    if Z.all() or not Z.any():
        assert np.isnan(nogueira(Z).value)
        return
    assert nogueira(Z).value == pytest.approx(loop(Z.astype(int)), abs=1e-12)


def pair_variance(h):
    """Variance of a mean over pairs: its square less the mean product of pairs without a common sample."""
    m = len(h)
    apart = [h[i, j] * h[k, l] for i, j, k, l in permutations(range(m), 4)]
    pairs = [h[i, j] for i, j in permutations(range(m), 2)]
    return np.mean(pairs) ** 2 - np.mean(apart)


def test_the_variance_is_that_of_a_mean_over_pairs(rng):
    """Subsets of one size: the agreements of pairs are Kuncheva's, and their mean has an unbiased variance."""
    p = np.linspace(0.02, 3, 20)
    checked = 0
    for _ in range(30):
        subsets = [np.argsort(rng.gumbel(size=20) + p * 2)[-6:] for _ in range(7)]
        h = np.array([[kuncheva([a, b], 20) for b in subsets] for a in subsets])
        found = nogueira(subsets, 20)
        # A covariance below 0 is taken for 0, which only enlarges the variance.
        assert found.variance >= pair_variance(h) - 1e-12
        checked += found.variance == pytest.approx(pair_variance(h))
        assert 3.5 <= found.df <= 11
        assert found.low == pytest.approx(max(-1, found.value - t.ppf(0.975, found.df) * np.sqrt(found.variance)))
    assert checked > 10


def test_many_samples_have_the_variance_of_the_text(rng):
    """Theorem 7 of Nogueira et al., with sizes that differ."""
    p = np.concatenate([np.full(5, 0.9), np.full(25, 0.1)])
    Z = (rng.random((400, 30)) < p).astype(float)
    m, d = Z.shape
    shares, sizes, value = Z.mean(axis=0), Z.sum(axis=1), nogueira(Z > 0).value
    mean_k = shares.sum()
    own = Z @ shares / d - sizes * mean_k / d**2
    own += value / 2 * (2 * mean_k * sizes / d**2 - sizes / d - mean_k / d + 1)
    own /= mean_k / d * (1 - mean_k / d)
    assert nogueira(Z > 0).variance == pytest.approx(4 / m * own.var(), rel=0.03)


@pytest.mark.parametrize("m", [2, 3, 5, 10])
def test_random_subsets_are_called_stable_at_most_at_the_stated_rate(m):
    rng = np.random.default_rng(m)
    found = [nogueira([rng.permutation(40)[:10] for _ in range(m)], 40) for _ in range(600)]
    called = np.mean([one.low > 0 or one.high < 0 for one in found])
    assert called < 0.075
    assert called == np.mean([one.pvalue() < 0.05 for one in found])
    assert all(np.isnan(one.low) == (m < 5) for one in found if one.df == one.df or m < 5)


def test_without_different_samples_there_is_no_interval():
    for subsets in ([[0, 1]] * 8, [[0, 1]] * 7 + [[0, 2]]):
        found = nogueira(subsets, 9)
        assert found.value > 0.8
        assert np.isnan([found.low, found.high, found.variance, found.pvalue()]).all()
    assert nogueira([[0, 1]] * 6 + [[0, 2], [3, 4]], 9).low < 1


def test_samples_that_share_next_to_nothing_have_no_interval():
    """Sizes differ, but no feature is chosen twice, so nothing is known of how often that would happen."""
    starts = np.cumsum([0, 8, 9, 10, 11])
    disjoint = np.zeros((5, 2000), bool)
    for row, start, size in zip(disjoint, starts, (8, 9, 10, 11, 12)):
        row[start : start + size] = True
    for Z in (disjoint, ~disjoint):
        found = nogueira(Z)
        assert found.value < 0
        assert np.isnan([found.low, found.high, found.pvalue()]).all()
    rng = np.random.default_rng(0)
    for m in (10, 30):
        sparse = [nogueira(rng.random((m, 2000)) < 3 / 2000) for _ in range(100)]
        assert sum(one.low > 0 or one.high < 0 for one in sparse) <= 5


def test_nogueira_is_zero_on_average_for_random_choices(rng):
    """Property 5 of the text: corrected for chance, whatever the size."""
    for k in (2, 12, 30):
        values = [nogueira([rng.permutation(40)[:k] for _ in range(10)], 40).value for _ in range(200)]
        assert abs(np.mean(values)) < 4 * np.std(values) / np.sqrt(200)


@pytest.mark.parametrize("m", [5, 10, 60])
@pytest.mark.parametrize("strong", [0.9, 0.5])
def test_the_interval_covers_the_true_stability(m, strong):
    """Features chosen independently with probabilities p: the true value follows from p (section 5 of the text)."""
    rng = np.random.default_rng(m)
    p = np.concatenate([np.full(10, strong), np.full(50, 0.1)])
    true = 1 - np.mean(p * (1 - p)) / (p.mean() * (1 - p.mean()))
    found = [nogueira(rng.random((m, 60)) < p) for _ in range(400)]
    assert 0.88 < np.mean([s.low <= true <= s.high for s in found]) < 0.99


def test_five_samples_of_a_signal_are_covered():
    """With M - 1 degrees of freedom the interval covered .88."""
    rng, p = np.random.default_rng(0), np.concatenate([np.full(20, 0.6), np.full(80, 0.02)])
    true = 1 - np.mean(p * (1 - p)) / (p.mean() * (1 - p.mean()))
    found = [nogueira(rng.random((5, 100)) < p) for _ in range(1000)]
    assert 0.9 < np.mean([s.low <= true <= s.high for s in found]) < 0.98


def test_hypothesis_tests(rng):
    p = np.concatenate([np.full(5, 0.95), np.full(25, 0.05)])
    stable, loose = nogueira(rng.random((50, 30)) < p), nogueira(rng.random((50, 30)) < 0.2)
    assert stable.pvalue(loose) < 1e-6
    assert stable.pvalue(stable) == 1.0
    z = abs(loose.value) / np.sqrt(loose.variance)
    assert loose.pvalue() == pytest.approx(2 * t.sf(z, loose.df))
    both = stable.variance + loose.variance
    df = both**2 / (stable.variance**2 / stable.df + loose.variance**2 / loose.df)
    less = nogueira(rng.random((50, 30)) < 0.2)
    assert less.pvalue(loose) == loose.pvalue(less) > 0.01
    assert stable.pvalue(loose) == pytest.approx(2 * t.sf((stable.value - loose.value) / np.sqrt(both), df))


def test_degenerate_subsets():
    assert np.isnan(kuncheva([[0, 1], [0, 1]], 2))
    assert np.isnan(kuncheva([[], []], 3))
    assert np.isnan(nogueira([[], []], 3).value)
    assert np.isnan(nogueira([[0], [0]], 1).pvalue())
    assert jaccard([[], []]) == 1.0
    assert jaccard([[], [1]]) == 0.0
    assert np.isnan(rank_stability([[], []], 3))


@given(st.lists(st.permutations(range(7)), min_size=2, max_size=5), st.integers(1, 7))
def test_rank_correlations_equal_scipy(rankings, length):
    cut = [r[:length] for r in rankings]
    places = [[r.index(j) if j in r else 7 for j in range(7)] for r in cut]
    for kind, oracle in (("spearman", spearmanr), ("kendall", kendalltau)):
        expected = [oracle(a, b).statistic for a, b in combinations(places, 2)]
        assert rank_stability(cut, 7, kind) == pytest.approx(np.mean(expected), nan_ok=True)
        np.testing.assert_allclose(np.diag(rank_correlations(cut, 7, kind)), 1.0)


def test_selections_know_their_features(rng):
    X, y = rng.normal(size=(60, 12)), rng.integers(0, 2, 60)
    a, b = (fewer.FTest(3).fit(X[rows], y[rows]).selection_ for rows in (slice(0, 40), slice(20, 60)))
    assert nogueira([a, b]).value == kuncheva([a.indices, b.indices], 12)
    assert -1 <= rank_stability([a, b]) <= 1


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(InputError, match="sizes from 1 to 2"):
        kuncheva([[0], [1, 2]], 5)
    with pytest.raises(InputError, match="n_features"):
        nogueira([[0], [1]])
    with pytest.raises(InputError, match="numbers from 0 to 1"):
        nogueira([[0], [5]], 2)
    with pytest.raises(InputError, match="but got 1"):
        jaccard([[0]])
    with pytest.raises(InputError, match="but got 1"):
        rank_stability([[0]])
    with pytest.raises(ParameterError, match="level=2"):
        nogueira([[0], [1]], 3, level=2)
    with pytest.raises(ParameterError, match="'spearman' or 'kendall'"):
        rank_stability([[0], [1]], 3, kind="pearson")


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_masks_are_read_as_masks(kind):
    """Entries of masks are no feature numbers 0 and 1."""
    masks = [kind([True, False, True, False]), kind([True, False, False, True])]
    assert jaccard(masks) == jaccard([[0, 2], [0, 3]]) == 1 / 3
    assert kuncheva(masks) == kuncheva([[0, 2], [0, 3]], 4)
    assert nogueira(masks).value == nogueira([[0, 2], [0, 3]], 4).value
    with pytest.raises(InputError, match="mask of 4 entries"):
        nogueira(masks, 5)
    with pytest.raises(InputError, match="whole numbers"):
        rank_stability(masks)


def test_fractions_and_repeated_features_are_refused():
    for measure in (jaccard, lambda one: nogueira(one, 9), lambda one: kuncheva(one, 9), rank_stability):
        with pytest.raises(InputError, match="whole numbers"):
            measure([[0.5, 1.7], [0, 1]])
        with pytest.raises(InputError, match="twice"):
            measure([[3, 3, 1], [1, 2, 3]])
        with pytest.raises(InputError, match="-1"):
            measure([[-1, 1], [1, 2]])
    with pytest.raises(InputError, match="mask of 3 entries"):
        nogueira(np.ones((2, 3), dtype=bool), 4)
