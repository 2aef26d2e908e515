"""Few rows in a class, rare values, heavy tails: noise must not be called significant."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.preprocessing import KBinsDiscretizer

import fewer
from fewer.core.reading.table import ArrayTable
from fewer.core.records.reasons import DOUBT
from oracles import exact_pvalues as oracle

COUNTING = ["Chi2", "InformationGain", "GainRatio", "DistanceGain", "SymmetricalUncertainty", "GiniGain"]
RANKS = ["RankSum", "KruskalWallis", "Spearman", "Kendall"]
NORMAL = ["FTest", "TTest", "WelchTest", "Pearson"]


def pvalues_of(name, X, y, **more):
    return fewer.get(name)(None, **more).fit(X, y).selection_.columns["pvalue"]


@pytest.mark.parametrize("name", [*COUNTING, *RANKS])
def test_two_rows_that_share_a_rare_value_are_not_a_discovery(name):
    """Of 50 rows the two of a class are the two of a value: one in 1,225 pairs, whatever the statistic says."""
    y = (np.arange(50) < 2).astype(int)
    more = {"discretizer": None} if name in COUNTING else {}
    assert pvalues_of(name, y[:, None].astype(float), y, **more) == pytest.approx([1 / 1225], rel=1e-9)


@pytest.mark.parametrize("name", [*COUNTING, *RANKS])
@pytest.mark.parametrize("kind", ["rare", "three levels", "normal"])
def test_noise_beside_a_small_class_keeps_its_rate(name, kind):
    rng, n, d = np.random.default_rng(0), 50, 1000
    y = (np.arange(n) < 2).astype(int)
    X = {
        "rare": rng.random((n, d)) < 0.05,
        "three levels": rng.integers(0, 3, (n, d)),
        "normal": rng.normal(size=(n, d)),
    }
    found = pvalues_of(name, X[kind].astype(float), y)
    for level in (0.05, 0.001):
        assert (found <= level).sum() <= scipy.stats.binom.ppf(0.999, d, 2 * level)
    assert len(fewer.get(name)("fdr:0.05").fit(X[kind].astype(float), y).selection_) <= 1


@pytest.mark.parametrize("name", ["KruskalWallis", "Spearman", "Kendall"])
def test_three_classes_of_few_rows_agree_with_all_permutations(name):
    x, y = np.array([0.0, 0, 1, 1, 2, 5, 3]), np.array([0, 0, 1, 2, 2, 2, 1])
    ranks, y_ranks, rows = scipy.stats.rankdata(x) - 4, scipy.stats.rankdata(y) - 4, np.bincount(y)
    of_class = np.array([y_ranks[y == c][0] for c in range(3)])
    of = {
        "KruskalWallis": lambda a, b: sum(a[np.equal(b, c)].sum() ** 2 / rows[c] for c in range(3)),
        "Spearman": lambda a, b: abs(a @ of_class[list(b)]),
        "Kendall": lambda a, b: abs(
            sum(np.sign(a[i] - a[:i]) @ np.sign(np.subtract(b[i], b[:i])) for i in range(1, 7))
        ),
    }[name]
    assert pvalues_of(name, x[:, None], y) == pytest.approx([oracle.permutation_pvalue(of, ranks, y)], abs=0.03)


@pytest.mark.parametrize("name", COUNTING)
def test_streamed_counts_give_the_same_pvalues(name):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, (60, 8)).astype(float), (np.arange(60) % 9 == 0).astype(int)
    made = fewer.get(name)(None, discretizer=None)
    here = made.fit(X, y).selection_.columns["pvalue"]
    there = made.fit(ArrayTable(X, y, classes=[0, 1], batch_rows=7)).selection_.columns["pvalue"]
    np.testing.assert_array_equal(here, there)


def test_welch_gives_no_pvalue_where_a_class_is_too_small_or_does_not_vary():
    rng = np.random.default_rng(0)
    y = (np.arange(50) < 2).astype(int)
    selection = fewer.WelchTest("fdr:0.05").fit(rng.normal(size=(50, 1000)), y).selection_
    assert len(selection) == 0
    assert np.isnan(selection.columns["pvalue"]).all()
    assert "no p-value, for a class has 2 rows" in str(selection.reason(3))
    y = (np.arange(60) < 20).astype(int)
    X = np.column_stack([np.where(y, 0.0, rng.normal(size=60)), rng.normal(size=60), np.ones(60)])
    found = fewer.WelchTest(None).fit(X, y).selection_
    assert np.isnan(found.columns["pvalue"]).tolist() == [True, False, False]
    assert "does not vary within a class" in str(found.reason(0))


@pytest.mark.parametrize("name", NORMAL)
def test_permutations_hold_where_normal_theory_does_not(name):
    rng, n, d = np.random.default_rng(0), 50, 500
    y = (np.arange(n) < 3).astype(int)
    X = np.exp(2 * rng.normal(size=(n, d)))
    found = pvalues_of(name, X, y, pvalues="permutation")
    for level in (0.05, 0.001):
        assert (found <= level).sum() <= scipy.stats.binom.ppf(0.999, d, level)


@pytest.mark.parametrize("name", NORMAL)
def test_permutations_agree_with_normal_theory_on_normal_data(name):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 20)), np.arange(80) % 2
    X[:, 0] += 0.8 * y
    permuted = pvalues_of(name, X, y, pvalues="permutation")
    np.testing.assert_allclose(permuted, pvalues_of(name, X, y), atol=0.05)


def test_permutations_refuse_weights_and_streams():
    X, y = np.random.default_rng(0).normal(size=(30, 3)), np.arange(30) % 2
    with pytest.raises(ValueError, match="sample_weight"):
        fewer.FTest(pvalues="permutation").fit(X, y, sample_weight=np.arange(1, 31))
    with pytest.raises(ValueError, match="memory"):
        fewer.FTest(pvalues="permutation").fit(ArrayTable(X, y, classes=[0, 1], batch_rows=7))
    with pytest.raises(ValueError, match="pvalues"):
        fewer.FTest(pvalues="exact").fit(X, y)


@pytest.mark.parametrize("name", NORMAL)
def test_doubtful_pvalues_are_said_to_be(name):
    rng = np.random.default_rng(0)
    y = (np.arange(60) < 20).astype(int)
    X = np.column_stack([rng.normal(size=60), rng.random(60) < 0.2, np.exp(3 * rng.normal(size=60))])
    selection = fewer.get(name)("p:0.05").fit(X, y).selection_
    said = [DOUBT in str(selection.reason(j)) for j in range(3)]
    assert said == [False, True, True]
    many = fewer.get(name)("p:0.05").fit(np.tile(X, (4, 1)), np.tile(y, 4)).selection_
    assert DOUBT in str(many.reason(2))
    small = fewer.get(name)("p:0.05").fit(X[:29], y[::-1][:29] + (np.arange(29) < 7)).selection_
    assert name == "Pearson" or all("fewer than 10" in str(small.reason(j)) for j in range(3))


class Labels(TransformerMixin, BaseEstimator):
    """Learns from y: its levels are the classes."""

    def fit(self, X, y):
        self.y_ = y
        return self

    def transform(self, X):
        return np.repeat(self.y_[:, None], X.shape[1], axis=1)


def test_levels_that_a_transformer_learned_from_y_have_no_pvalues():
    X, y = np.random.default_rng(0).normal(size=(60, 4)), np.arange(60) % 2
    assert "pvalue" not in fewer.Chi2(2, discretizer=Labels()).fit(X, y).selection_.columns
    with pytest.raises(ValueError, match="p-values"):
        fewer.Chi2("fdr:0.05", discretizer=Labels()).fit(X, y)
    blind = KBinsDiscretizer(3, encode="ordinal", quantile_method="averaged_inverted_cdf")
    assert "pvalue" in fewer.Chi2(2, discretizer=blind).fit(X, y).selection_.columns


@pytest.mark.parametrize("name", ["TTest", "FTest", "WelchTest", "Pearson"])
@pytest.mark.parametrize("size", [1e-163, 1e-200])
def test_squares_that_underflow_are_refused(name, size):
    X, y = np.random.default_rng(0).normal(size=(50, 5)) * size, np.arange(50) % 2
    with pytest.raises(ValueError, match="underflow"):
        fewer.get(name)("fdr:0.05").fit(X, y)


@pytest.mark.parametrize("bad", [[0.1, 2.0], [-0.1, 0.5], [0.1], "none"])
def test_a_users_pvalues_are_checked(bad):
    X, y = np.random.default_rng(0).normal(size=(30, 2)), np.arange(30) % 2
    with pytest.raises(ValueError, match="p-value"):
        fewer.ScoreSelector(lambda X, y: (np.ones(2), bad), "p:0.05").fit(X, y)
    found = fewer.ScoreSelector(lambda X, y: (np.ones(2), [0.01, np.nan]), "p:0.05").fit(X, y).selection_
    assert found.indices.tolist() == [0]
