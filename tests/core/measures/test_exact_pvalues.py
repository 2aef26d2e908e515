"""Exact p-values of small counts against scipy, and against listing everything that could have happened."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from fewer.core.kernels.shuffles import first_of_shuffles
from fewer.core.measures import catanova, chi2_test, gini_test
from fewer.core.measures.exact_ranks import rank_sum_pvalues
from fewer.core.measures.exact_tables import KINDS, exact_pvalues
from fewer.core.measures.permutations import permutation_pvalues
from fewer.core.measures.random_tables import Shuffles
from fewer.core.measures.table_nulls import Null
from fewer.core.measures.table_tails import Tails, draw
from fewer.core.summaries.results import Counts
from oracles import exact_pvalues as oracle

TESTS = {"chi2": chi2_test, "information": chi2_test, "gini": gini_test}


def stacked(tables):
    levels = [len(table) for table in tables]
    return Counts(np.concatenate(tables), np.concatenate([[0], np.cumsum(levels)]))


def pvalues(tables, kind):
    counts = stacked([np.asarray(table) for table in tables])
    return exact_pvalues(counts, TESTS[kind](counts)[-1], kind)


def null_of(table, kind):
    table = np.asarray(table)
    return Null(KINDS[kind], np.sort(table.sum(axis=1)), np.sort(table.sum(axis=0)))


def drawn(null, observed, n):
    tails = Tails(null, observed, np.zeros(len(observed)))
    draw(Shuffles(null.classes), [tails], n)
    return tails.pvalues


def test_two_by_two_is_fishers_test():
    """Fisher orders tables by their probability; these have the same order."""
    tables = [[[48, 0], [0, 2]], [[3, 1], [1, 3]], [[10, 0], [5, 5]], [[0, 4], [7, 1]], [[8, 2], [1, 5]]]
    expected = [scipy.stats.fisher_exact(table).pvalue for table in tables]
    for kind in KINDS:
        assert pvalues(tables, kind) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_two_by_two_is_the_sum_over_all_tables(kind):
    tables = np.random.default_rng(0).integers(0, 9, (60, 2, 2))
    tables = [t for t in tables.tolist() if np.sum(t, axis=0).all() and np.sum(t, axis=1).all()]
    expected = [oracle.table_pvalue(kind, table) for table in tables]
    assert pvalues(tables, kind) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(3, 2), (2, 3), (4, 2), (3, 3), (2, 4)])
def test_small_tables_are_the_sum_over_all_tables(kind, shape):
    tables = np.random.default_rng(1).integers(0, 4, (8, *shape))
    tables = [t for t in tables.tolist() if np.sum(t, axis=0).all() and np.sum(t, axis=1).all()]
    expected = [oracle.table_pvalue(kind, table) for table in tables]
    assert pvalues(tables, kind) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("table", [[[3, 2], [0, 5], [1, 4], [4, 1]], [[2, 1, 1], [0, 3, 1], [1, 0, 3]]])
def test_the_grid_and_the_draws_agree_with_the_list(kind, table):
    null = null_of(table, kind)
    observed = np.array([null.statistic(np.array(table))])
    exact = null.listed(observed)
    assert exact == pytest.approx([oracle.table_pvalue(kind, table)], rel=1e-9)
    for way in (null, null.other_way):
        assert way.summed(observed) == pytest.approx(exact, rel=0.02)
        assert (way.summed(observed) >= exact * (1 - 1e-9)).all()
    assert drawn(null, observed, 9_999) == pytest.approx(exact, rel=0.05)


@pytest.mark.parametrize("kind", ["chi2", "information"])
def test_rare_levels_beside_many_rows_are_exact(kind):
    """Where one rare level stands beside large ones, split and grid agree."""
    table = np.array([[0, 4], [100, 90], [110, 120], [60, 66]])
    null = null_of(table, kind)
    observed = np.array([null.statistic(table)])
    assert null.few_are_rare
    assert null.split(observed) == pytest.approx(null.summed(observed), rel=0.1)


def test_smallest_pvalues_have_no_floor():
    table = np.zeros((10, 2), int)
    table[:5, 0], table[5:, 1] = 5, 5
    p = pvalues([table.tolist()], "chi2")[0]
    assert p == pytest.approx(scipy.stats.hypergeom(50, 25, 25).pmf(0) * 252, rel=0.05)


def test_large_counts_keep_their_approximation():
    large = np.array([[60, 70], [55, 45], [90, 80]])
    assert pvalues([large], "chi2") == chi2_test(stacked([large]))[-1]


def test_whole_weights_count_rows():
    table = np.array([[5, 1], [2, 6], [1, 1]])
    assert pvalues([table.astype(float)], "information") == pytest.approx(pvalues([table], "information"))


def test_one_row_per_level_says_nothing():
    table = np.zeros((30, 2), int)
    table[np.arange(30), np.arange(30) % 2] = 1
    assert pvalues([table], "chi2") == [1.0]


def test_tables_of_many_levels_have_the_law_of_drawn_ones():
    """Rows are shuffled, or cells are drawn; both ways have the same law."""
    rng = np.random.default_rng(0)
    levels = np.bincount(rng.integers(0, 250, 700), minlength=250)
    levels = np.sort(levels[levels > 0])
    shuffles = Shuffles(np.array([300, 400]))
    for kind in KINDS.values():
        asked = np.quantile(shuffles.statistics(kind, [levels], 0, 999)[0], [0.1, 0.5, 0.9, 0.99])
        above = (shuffles._by_cells(kind, levels, 0, 999)[:, None] >= asked).mean(axis=0)
        assert above == pytest.approx([0.9, 0.5, 0.1, 0.01], abs=0.06)


def test_fractions_of_weight_are_rounded_to_rows():
    """Weights a hair from 1 once brought back the approximation, 1.5e-12 here."""
    table = np.array([[48, 0], [0, 2]])
    assert pvalues([table * 1.0000001], "information") == pytest.approx(pvalues([table], "information"))
    light = table / 1000
    assert pvalues([light], "chi2") == chi2_test(stacked([light]))[-1]


@pytest.mark.parametrize("kind", KINDS)
def test_drawn_tables_have_the_law_of_the_list(kind):
    table = [[2, 1, 1, 0], [0, 3, 1, 2], [1, 0, 3, 1], [2, 2, 0, 1]]
    null = null_of(table, kind)
    observed = np.array([null.statistic(np.array(table))])
    assert drawn(null, observed, 9_999) == pytest.approx(null.listed(observed), rel=0.1)
    by_cells = Shuffles(null.classes)._by_cells(null.kind, null.levels, 0, 9_999)
    assert np.mean(by_cells >= observed * (1 - 1e-9)) == pytest.approx(null.listed(observed)[0], rel=0.1)


@pytest.mark.parametrize("kind", KINDS)
def test_unequal_classes_have_uniform_pvalues(kind):
    """Rare classes taken exactly had wrong weights for the Gini gain: 25 % were below 0.05."""
    rng, y = np.random.default_rng(0), np.repeat([0, 1, 2], [160, 30, 10])
    columns = rng.choice(3, p=[0.5, 0.3, 0.2], size=(1500, 200))
    tables = [np.bincount(3 * column + y, minlength=9).reshape(3, 3) for column in columns]
    found = pvalues(tables, kind)
    assert 0.035 < np.mean(found <= 0.05) < 0.065
    assert np.sum(found <= 0.001) <= 6


def test_the_gini_gain_of_unequal_classes_has_a_heavier_tail_than_chi_squared():
    rng, y = np.random.default_rng(0), np.repeat([0, 1, 2, 3], [1225, 1225, 25, 25])
    columns = rng.choice(3, p=[0.4, 0.3, 0.3], size=(1000, 2500))
    counts = stacked([np.bincount(4 * column + y, minlength=12).reshape(3, 4) for column in columns])
    assert np.mean(catanova(counts)[-1] <= 0.05) > 0.09
    assert 0.035 < np.mean(gini_test(counts)[-1] <= 0.05) < 0.065
    equal = np.array([[30, 20, 25], [10, 20, 15]])
    assert gini_test(equal)[-1] == pytest.approx(catanova(equal)[-1])


def test_many_classes_have_more_tables_than_whole_numbers():
    table = np.random.default_rng(0).multinomial(65, np.full(26, 1 / 26), 10)
    assert 0.0 < pvalues([table], "information")[0] <= 1.0


def test_rare_levels_beside_many_classes():
    """Ways to fill the rare levels are few, however many rows there are."""
    table = np.full((4, 10), 300)
    table[0] = [1, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    assert 0.0 < pvalues([table], "chi2")[0] <= 1.0


def test_a_rare_level_of_many_rows_costs_little():
    """Ways to fill a level of many rows are not counted; that took minutes."""
    table = np.array([[3, 3, 3], [400_000, 400_100, 399_900], [399_000, 400_000, 400_500]])
    assert 0.0 < pvalues([table], "chi2")[0] <= 1.0


def test_no_pvalue_is_smaller_than_the_chance_of_the_table_itself():
    found = pvalues([np.diag([20] * 6)], "chi2")[0]
    assert found == pytest.approx(3.1e-89, rel=0.01)
    assert pvalues([np.diag([400, 300, 5, 5])], "information")[0] > 0.0


def test_small_approximations_of_uneven_margins_are_looked_at_again():
    """The smallest expected count is 5, the tail heavier than that of chi-squared."""
    table = np.array([[86, 14], [94, 6], [1720, 80]])
    null = null_of(table, "chi2")
    exact = null.summed(np.array([null.statistic(table)]))
    assert pvalues([table], "chi2") == pytest.approx(exact, rel=0.3)
    assert chi2_test(stacked([table]))[-1] < 0.6 * exact


@pytest.mark.parametrize("seed", range(20))
def test_rank_sums_without_ties_are_those_of_scipy(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 40))
    chosen = int(rng.integers(1, n))
    x = rng.permutation(n)
    expected = scipy.stats.mannwhitneyu(x[:chosen], x[chosen:], method="exact").pvalue
    found = rank_sum_pvalues([np.ones(n, int)], np.array([x[:chosen].sum() + chosen]), chosen)
    assert found == pytest.approx([expected], rel=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_rank_sums_with_ties_are_those_of_all_choices(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 12))
    chosen, x = int(rng.integers(1, n)), rng.integers(0, int(rng.integers(2, 6)), n)
    ranks, sizes = scipy.stats.rankdata(x), np.unique(x, return_counts=True)[1]
    found = rank_sum_pvalues([sizes], np.array([ranks[:chosen].sum()]), chosen)
    assert found == pytest.approx([oracle.rank_sum_pvalue(ranks.tolist(), chosen)], rel=1e-9)


def test_rank_sums_of_400_rows_are_exact_far_out():
    x = np.arange(400.0)
    chosen = x % 3 == 0
    chosen &= x < 57
    assert chosen.sum() == 19
    expected = scipy.stats.mannwhitneyu(x[chosen], x[~chosen], method="exact").pvalue
    found = rank_sum_pvalues([np.ones(400, int)], np.array([x[chosen].sum() + 19]), 19)
    assert found == pytest.approx([expected], rel=1e-9)


def test_rank_sums_of_many_rows_are_about_normal():
    """Ranks that are joined and rank sums on a grid, where scipy's approximation is good."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=5000)
    ranks = scipy.stats.rankdata(x)
    for shift in (0, 600):
        total = ranks[:19].sum() + 19 * shift
        z = (abs(total - 19 * 5001 / 2) - 0.5) / np.sqrt(19 * 4981 * 5001 / 12)
        found = rank_sum_pvalues([np.ones(5000, int)], np.array([total]), 19)
        assert found == pytest.approx([2 * scipy.stats.norm.sf(z)], rel=0.05)


def test_permutations_agree_with_all_of_them():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4, 6)), rng.normal(size=6)
    y -= y.mean()

    def products(places, orders):
        return np.abs(X[places] @ y[orders].T)

    found = permutation_pvalues(y, np.abs(X @ y), products)
    expected = [oracle.permutation_pvalue(lambda x, t: abs(np.dot(x, t)), x, y) for x in X]
    assert found == pytest.approx(expected, abs=0.05)


def test_permutations_believe_the_approximation_only_below_their_floor():
    """Beyond what was drawn the larger one of the approximation and of the gamma tail counts, here exp(-30)."""
    rng = np.random.default_rng(0)

    def statistics(places, orders):
        return rng.exponential(size=(len(places), len(orders)))

    observed, approximate = np.array([30.0, 30.0, 30.0, 0.0]), np.array([1e-9, 0.3, 1e-30, 1e-9])
    found = permutation_pvalues(np.arange(9), observed, statistics, approximate)
    assert found[[0, 1, 3]].tolist() == [1e-9, 1e-5, 1.0]
    assert found[2] == pytest.approx(np.exp(-30.0), rel=1.0)


def test_the_first_places_of_an_order_are_drawn_without_bias():
    """Three of six rows: every ordered triple is as likely as any other."""
    state, orders = np.arange(6), np.empty((12_000, 3), np.int64)
    first_of_shuffles(state, np.random.default_rng(0).random(orders.shape), orders)
    counts = np.unique(orders @ [36, 6, 1], return_counts=True)[1]
    assert len(counts) == 120
    assert scipy.stats.chisquare(counts).pvalue > 1e-3
