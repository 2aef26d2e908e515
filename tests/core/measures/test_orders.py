"""Ranks, distances, centres, concordance and divergence of orders."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fewer.core.measures.orders import (
    centre,
    concordance,
    inversions,
    kendall_distance,
    order_patterns,
    spearman_distance,
    subset_divergence,
)
from fewer.core.records.errors import InputError
from fewer.core.views.row_ranks import boolean_order, order_codes, project, rank_rows
from oracles import orders as oracle

tables = arrays(
    float, st.tuples(st.integers(2, 7), st.integers(2, 6)), elements=st.sampled_from([0.0, 1.0, 2.0, 3.0, np.nan])
)
FIG5_WORDS = ["afecbd", "afbced", "afebdc", "fdcbea", "bfceda", "fdceab", "cbefda", "ecfdba", "ecfdba"]
FIG5 = np.array([[word.index(letter) + 1.0 for letter in "abcdef"] for word in FIG5_WORDS])
FIG5_CLASSES = np.repeat([1, 2, 3], 3)


def test_figure_1():
    rows = [[20, 40, 65, 33], [50, 25, 55, 99], [88, 76, 10, 60]]
    assert rank_rows(rows).tolist() == [[1, 3, 4, 2], [2, 1, 3, 4], [4, 3, 1, 2]]
    assert boolean_order(rows).tolist() == [[1, 1, 1, 1, 0, 0], [0, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 1]]


def test_figure_2():
    first, second = ([order.index(f) + 1 for f in range(1, 7)] for order in ([3, 2, 4, 5, 1, 6], [3, 5, 2, 1, 4, 6]))
    assert kendall_distance(first, second) == 3
    assert inversions(first, second).tolist() == [1, 1, 0, 2, 2, 0]


def test_a_projection_ranks_anew():
    assert project([3, 1, 4, 2], [0, 1, 2]).tolist() == [2, 1, 3]


def test_figure_5_removals():
    def lost(letters):
        return subset_divergence(FIG5, FIG5_CLASSES, ["abcdef".index(x) for x in "abcdef" if x not in letters])

    assert lost("abc") == pytest.approx(0.24993, abs=5e-6)
    free = [["".join(s) for s in combinations("abcdef", k) if lost(s) < 1e-12] for k in (1, 2, 3)]
    assert len(free[0]) == 6
    assert len(free[1]) == 9
    assert free[2] == ["bcd", "bde"]
    worst = max(combinations("abcdef", 4), key=lost)
    assert "".join(worst) == "abce"
    assert lost(worst) == pytest.approx(np.log(3))


@settings(max_examples=60, deadline=None)
@given(tables)
def test_by_definition(X):
    np.testing.assert_allclose(rank_rows(X), [oracle.ranks(row) for row in X])
    np.testing.assert_allclose(centre(X), oracle.centre(X))
    assert inversions(X[0], X[1]).tolist() == oracle.inversions(X[0], X[1])
    assert concordance(X) == pytest.approx(oracle.concordance(X))
    y = np.arange(len(X)) % 2
    for subset in ([], [0], [0, 1], list(range(X.shape[1]))):
        assert subset_divergence(X, y, subset) == pytest.approx(oracle.divergence(X, y, subset), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(tables)
def test_lemma_1_ranks_and_comparisons_tell_the_same(X):
    for subset in combinations(range(X.shape[1]), 2):
        comparisons = [tuple(row) for row in boolean_order(X[:, subset])]
        patterns = order_patterns(X[:, subset])
        assert len(set(zip(comparisons, patterns))) == len(set(comparisons)) == len(set(patterns.tolist()))


def test_codes_are_dense_and_know_what_is_unknown():
    assert order_codes([[5, np.nan, 5, 1], [np.nan] * 4]).tolist() == [[2, 0, 2, 1], [0, 0, 0, 0]]


def test_identical_orders_are_concordant_and_have_themselves_as_centre():
    orders = np.tile([2.0, 1, 4, 3], (5, 1))
    assert concordance(orders) == pytest.approx(1)
    assert centre(orders).tolist() == [2, 1, 4, 3]
    assert spearman_distance([1, 2, 3], [3, 2, 1]) == 8


def test_the_centre_minimises_the_sum_of_spearman_distances():
    from itertools import permutations

    orders = rank_rows(np.random.default_rng(0).normal(size=(5, 5)))
    sums = {p: sum(spearman_distance(p, o) for o in orders) for p in permutations(range(1, 6))}
    assert sum(spearman_distance(centre(orders), o) for o in orders) <= min(sums.values()) + 1e-9


def test_messages():
    with pytest.raises(InputError, match="at least two orders"):
        concordance([[1, 2, 3]])
    with pytest.raises(InputError, match="same features"):
        kendall_distance([1, 2], [1, 2, 3])
    with pytest.raises(InputError, match="dimensions"):
        rank_rows([1, 2, 3])
