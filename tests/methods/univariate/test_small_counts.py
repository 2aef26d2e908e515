"""Few rows in a class, rare values, heavy tails: noise must not be called significant."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.preprocessing import KBinsDiscretizer

import fewer
from fewer.core.measures.permutations import all_orders
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
    with pytest.raises(ValueError, match="FTest got .* sample_weight"):
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


@pytest.mark.parametrize("name", NORMAL)
def test_doubts_have_no_end_of_rows(name):
    """A class of 100 among 5,000 rows: heavy tails and rare values are said, normal and balanced ones are not."""
    rng, n = np.random.default_rng(0), 5000
    y = (np.arange(n) < 100).astype(int)
    columns = [rng.normal(size=(n, 20)), rng.random((n, 1)) < 0.5, np.exp(2 * rng.normal(size=(n, 1)))]
    X = np.hstack([*columns, rng.random((n, 1)) < 0.02])
    selection = fewer.get(name)("p:0.05").fit(X, y).selection_
    assert [DOUBT in str(selection.reason(j)) for j in range(23)] == [False] * 21 + [True, True]
    streamed = fewer.get(name)("p:0.05").fit(ArrayTable(X, y, classes=[0, 1], batch_rows=700)).selection_
    assert [str(selection.reason(j)) for j in range(23)] == [str(streamed.reason(j)) for j in range(23)]


def test_pearson_minds_the_tails_of_the_target():
    rng, n = np.random.default_rng(0), 2000
    X = np.column_stack([rng.normal(size=n), rng.exponential(size=n)])
    for y, doubtful in ((rng.normal(size=n), False), (np.exp(2 * rng.normal(size=n)), True), (np.arange(n) < 50, True)):
        selection = fewer.Pearson("p:0.05").fit(X, y.astype(float)).selection_
        assert [DOUBT in str(selection.reason(j)) for j in range(2)] == [False, doubtful]


def test_variance_reduction_minds_the_tails_of_the_target():
    rng, n = np.random.default_rng(0), 1000
    X, y = (rng.random((n, 2)) < (0.05, 0.5)).astype(float), rng.normal(size=n)
    for target, doubtful in ((y, False), (np.where(np.arange(n) < 50, 10 * y, y), True)):
        made = fewer.VarianceReduction("p:0.05")
        selection = made.fit(X, target).selection_
        assert [DOUBT in str(selection.reason(j)) for j in range(2)] == [doubtful] * 2
        streamed = made.fit(ArrayTable(X, target, batch_rows=70)).selection_
        assert str(selection.reason(0)) == str(streamed.reason(0))


class Labels(TransformerMixin, BaseEstimator):
    """Learns from y: its levels are the classes."""

    def fit(self, X, y):
        self.y_ = y
        return self

    def transform(self, X):
        return np.repeat(self.y_[:, None], X.shape[1], axis=1)


class OpenLabels(Labels):
    """Says nothing of what it takes, and has an attribute with the name of a method."""

    cuts = None

    def fit(self, *args):
        return super().fit(*args)


class RenamedBins(KBinsDiscretizer):
    """Learns and transforms as scikit-learn does."""


class Signs(TransformerMixin, BaseEstimator):
    """Cannot be given a target."""

    def fit(self, X):
        return self

    def transform(self, X):
        return (X > 0).astype(int)


def test_levels_that_a_transformer_learned_from_y_have_no_pvalues():
    X, y = np.random.default_rng(0).normal(size=(60, 4)), np.arange(60) % 2
    assert "pvalue" not in fewer.Chi2(2, discretizer=Labels()).fit(X, y).selection_.columns
    with pytest.raises(ValueError, match="p-values"):
        fewer.Chi2("fdr:0.05", discretizer=Labels()).fit(X, y)
    assert "pvalue" not in fewer.Chi2(2, discretizer=OpenLabels()).fit(X, y).selection_.columns
    more = {"encode": "ordinal", "quantile_method": "averaged_inverted_cdf"}
    for blind in (KBinsDiscretizer(3, **more), RenamedBins(3, **more), Signs()):
        assert "pvalue" in fewer.Chi2(2, discretizer=blind).fit(X, y).selection_.columns


@pytest.mark.parametrize("name", ["TTest", "FTest", "WelchTest", "Pearson"])
@pytest.mark.parametrize("size", [1e-163, 1e-200])
def test_squares_that_underflow_are_refused(name, size):
    X, y = np.random.default_rng(0).normal(size=(50, 5)) * size, np.arange(50) % 2
    with pytest.raises(ValueError, match="underflow"):
        fewer.get(name)("fdr:0.05").fit(X, y)


@pytest.mark.parametrize("bad", [[0.1, 2.0], [-0.1, 0.5], [0.1], "none", [True, False], [0.1j, 0.2], [[0.1], 0.2]])
def test_a_users_pvalues_are_checked(bad):
    X, y = np.random.default_rng(0).normal(size=(30, 2)), np.arange(30) % 2
    with pytest.raises(ValueError, match="p-value"):
        fewer.ScoreSelector(lambda X, y: (np.ones(2), bad), "p:0.05").fit(X, y)
    if bad not in ([0.1, 2.0], [-0.1, 0.5], [True, False]):
        with pytest.raises(ValueError, match="ScoreSelector called .* one real number per feature"):
            fewer.ScoreSelector(lambda X, y: bad).fit(X, y)
    found = fewer.ScoreSelector(lambda X, y: (np.ones(2), [0.01, np.nan]), "p:0.05").fit(X, y).selection_
    assert found.indices.tolist() == [0]


@pytest.mark.parametrize(("name", "sizes"), [("KruskalWallis", (2000, 375, 125)), ("RankSum", (2375, 125))])
def test_rare_values_among_many_rows_keep_their_rate(name, sizes):
    """Few of the rows that are not 0 fall into the small class, however many rows there are."""
    rng, n, d = np.random.default_rng(0), 2500, 600
    X = np.zeros((n, d))
    for j in range(d):
        m = rng.integers(3, 15) + 25 * (len(sizes) == 2)
        X[rng.choice(n, m, replace=False), j] = rng.integers(1, 4, m)
    found = pvalues_of(name, X, np.repeat(np.arange(len(sizes)), sizes))
    assert (found <= 0.001).sum() <= 2


def test_two_values_beside_three_classes_are_tested_as_their_table():
    y = np.repeat([0, 1, 2], (2000, 375, 125))
    x = np.zeros(2500)
    x[[0, 5, 2450, 2460, 2499]] = 1.0
    rows = np.array([2000, 375, 125])
    drawn = np.array([c for c in np.ndindex(6, 6, 6) if sum(c) == 5])
    squares = (drawn**2 / rows).sum(axis=1)
    chance = scipy.stats.multivariate_hypergeom(rows, 5).pmf(drawn)
    expected = chance[squares >= (np.array([2, 0, 3]) ** 2 / rows).sum() - 1e-12].sum()
    assert pvalues_of("KruskalWallis", x[:, None], y) == pytest.approx([expected], rel=1e-6)


@pytest.mark.parametrize("name", ["KruskalWallis", "Spearman", "Kendall"])
def test_few_orders_are_all_tried(name):
    x, y = np.array([3.0, 1.0, 2.0, 6.0, 5.0, 4.5, 7.0, 8.0]), np.array([0, 0, 0, 1, 1, 1, 2, 2])
    of = {
        "KruskalWallis": lambda a, b: scipy.stats.kruskal(*(a[np.equal(b, c)] for c in range(3))).statistic,
        "Spearman": lambda a, b: abs(scipy.stats.rankdata(a) @ (scipy.stats.rankdata(b) - 4.5)),
        "Kendall": lambda a, b: abs(sum(np.sign(a[i] - a[:i]) @ np.sign(np.subtract(b[i], b[:i])) for i in range(8))),
    }[name]
    orders = all_orders(y)
    assert len(orders) == 560
    values = np.array([of(x, y[order]) for order in orders])
    expected = np.mean(values >= of(x, y) - 1e-9)
    small = pvalues_of(name, x[:, None], y)
    if name == "KruskalWallis":
        assert small == pytest.approx([expected], rel=1e-9)
    # A column that is mostly equal takes all permutations in every rank test.
    column = np.array([0.0, 0, -3, 0, 0, 1, 3, 2])
    values = np.array([of(column, y[order]) for order in orders])
    assert pvalues_of(name, column[:, None], y) == pytest.approx([np.mean(values >= of(column, y) - 1e-9)], rel=1e-9)
