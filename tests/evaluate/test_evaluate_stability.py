"""Stability against the definitions, pair by pair, and against the properties that the texts prove."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, norm, spearmanr

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
    """Value and variance (definition 4 and theorem 7 of Nogueira et al.), feature by feature and set by set."""
    m, d = Z.shape
    p = [sum(Z[i, f] for i in range(m)) / m for f in range(d)]
    k = [sum(Z[i, f] for f in range(d)) for i in range(m)]
    mean_k = sum(k) / m
    below = mean_k / d * (1 - mean_k / d)
    value = 1 - sum(m / (m - 1) * q * (1 - q) for q in p) / d / below
    own = []
    for i in range(m):
        first = sum(Z[i, f] * p[f] for f in range(d)) / d - k[i] * mean_k / d**2
        own.append((first + value / 2 * (2 * mean_k * k[i] / d**2 - k[i] / d - mean_k / d + 1)) / below)
    centre = sum(own) / m
    return value, 4 / m**2 * sum((one - centre) ** 2 for one in own)


@given(subsets_of_any_size)
def test_nogueira_equals_a_loop(subsets):
    Z = np.array([[j in s for j in range(D)] for s in subsets])
    if Z.all() or not Z.any():
        assert np.isnan(nogueira(Z).value)
        return
    found, (value, variance) = nogueira(Z), loop(Z.astype(int))
    assert found.value == pytest.approx(value)
    assert found.variance == pytest.approx(variance, abs=1e-12)
    assert found.low == pytest.approx(value - norm.ppf(0.975) * np.sqrt(variance))


def test_nogueira_is_zero_on_average_for_random_choices(rng):
    """Property 5 of the text: corrected for chance, whatever the size."""
    for k in (2, 12, 30):
        values = [nogueira([rng.permutation(40)[:k] for _ in range(10)], 40).value for _ in range(200)]
        assert abs(np.mean(values)) < 4 * np.std(values) / np.sqrt(200)


def test_the_interval_covers_the_true_stability(rng):
    """Features chosen independently with probabilities p: the true value follows from p (section 5 of the text)."""
    p = np.concatenate([np.full(5, 0.9), np.full(25, 0.1)])
    true = 1 - np.mean(p * (1 - p)) / (p.mean() * (1 - p.mean()))
    found = [nogueira(rng.random((60, 30)) < p) for _ in range(200)]
    assert np.mean([s.low <= true <= s.high for s in found]) > 0.88


def test_hypothesis_tests(rng):
    p = np.concatenate([np.full(5, 0.95), np.full(25, 0.05)])
    stable, loose = nogueira(rng.random((50, 30)) < p), nogueira(rng.random((50, 30)) < 0.2)
    assert stable.pvalue(loose) < 1e-6
    assert stable.pvalue(stable) == 1.0
    z = abs(loose.value) / np.sqrt(loose.variance)
    assert loose.pvalue() == pytest.approx(2 * norm.sf(z))
    always = nogueira([[0, 1], [0, 1]], 5)
    assert (always.value, always.pvalue(1.0), always.pvalue(0.0)) == (1.0, 1.0, 0.0)


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
    with pytest.raises(InputError, match="outside 0 to 1"):
        nogueira([[0], [5]], 2)
    with pytest.raises(InputError, match="but got 1"):
        jaccard([[0]])
    with pytest.raises(InputError, match="but got 1"):
        rank_stability([[0]])
    with pytest.raises(ParameterError, match="level=2"):
        nogueira([[0], [1]], 3, level=2)
    with pytest.raises(ParameterError, match="'spearman' or 'kendall'"):
        rank_stability([[0], [1]], 3, kind="pearson")
