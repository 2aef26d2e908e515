"""Rank-based measures against scipy.stats and pair counting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import kendalltau, kruskal, mannwhitneyu, rankdata

from fewer.core import measures
from fewer.core.measures import Ties
from oracles import measures as oracle

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")

SMALL = st.integers(0, 6)


def ties_of(X) -> Ties:
    """Ties of every column."""
    sizes = [oracle.tie_sizes(column) for column in np.asarray(X).T]
    return Ties.of(np.concatenate(sizes), np.cumsum([0] + [len(part) for part in sizes]))


def rank_sums(X, y, n_classes) -> np.ndarray:
    ranks = rankdata(X, axis=0)
    return np.array([ranks[np.asarray(y) == c].sum(axis=0) for c in range(n_classes)]).T


@pytest.fixture
def data():
    """Columns without ties, with some, with many, and a constant."""
    rng = np.random.default_rng(8)
    y = rng.integers(0, 3, size=45)
    X = rng.normal(size=(45, 4)) + y[:, None] * 0.4
    X[:, 1], X[:, 2], X[:, 3] = X[:, 1].round(1), X[:, 2] > 0.5, 7.0
    return X, y


def test_tie_term_is_its_definition(data):
    X, _ = data
    expected = [sum(t**3 - t for t in oracle.tie_sizes(column)) for column in X.T]
    np.testing.assert_allclose(ties_of(X).tie_term, expected)
    assert measures.tie_term([3, 1, 2]).tolist() == [30.0]
    assert measures.tie_term([3, 1, 2], [0, 2, 3]).tolist() == [24.0, 6.0]


def test_mann_whitney_equals_scipy(data):
    X, y = data[0], np.minimum(data[1], 1)
    n1, n0 = (y == 1).sum(), (y == 0).sum()
    u, z, pvalue = measures.mann_whitney(rank_sums(X, y, 2)[:, 1], ties_of(X).tie_term, n1, n0)
    expected = mannwhitneyu(X[y == 1, :3], X[y == 0, :3], method="asymptotic", use_continuity=True)
    np.testing.assert_allclose(u[:3], expected.statistic)
    np.testing.assert_allclose(pvalue[:3], expected.pvalue, rtol=1e-10)
    assert (z[3], pvalue[3]) == (0.0, 1.0)
    np.testing.assert_array_equal(np.sign(z), np.sign(u - n1 * n0 / 2))


@given(st.lists(st.tuples(SMALL, st.integers(0, 1)), min_size=2, max_size=25))
def test_mann_whitney_equals_scipy_on_ties(rows):
    x, y = np.array(rows).T
    assume(0 < y.sum() < len(y) and len(set(x.tolist())) > 1)
    n1, n0 = y.sum(), len(y) - y.sum()
    u, _, pvalue = measures.mann_whitney(rank_sums(x[:, None], y, 2)[:, 1], ties_of(x[:, None]).tie_term, n1, n0)
    expected = mannwhitneyu(x[y == 1], x[y == 0], method="asymptotic", use_continuity=True)
    assert (u[0], pvalue[0]) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-10)
    # Book ch. 19, wilcoxon_select: AUC = U / (n_1 n_0).
    area = measures.auc(rank_sums(x[:, None], y, 2)[:, 1], n1, n0)
    assert area[0] == pytest.approx(u[0] / (n1 * n0))
    assert area[0] == pytest.approx(oracle.auc(x, y))


def test_rank_sum_knows_only_the_order(data):
    """Book ch. 19, wilcoxon_select: invariant to monotone maps of a feature."""
    X, y = data[0], np.minimum(data[1], 1)
    first = measures.mann_whitney(rank_sums(X, y, 2)[:, 1], ties_of(X).tie_term, y.sum(), (1 - y).sum())
    bent = np.exp(3 * X) - 5
    second = measures.mann_whitney(rank_sums(bent, y, 2)[:, 1], ties_of(bent).tie_term, y.sum(), (1 - y).sum())
    np.testing.assert_array_equal(first, second)


def test_small_pvalue_means_area_far_from_one_half():
    """Book ch. 19, wilcoxon_select: without ties p falls as |AUC - 1/2| grows."""
    n1, n0 = 8, 11
    sums = np.arange(n1 * (n1 + 1) / 2, n1 * (n1 + 1) / 2 + n1 * n0 + 1)
    _, _, pvalue = measures.mann_whitney(sums, np.zeros_like(sums), n1, n0)
    distance = np.abs(measures.auc(sums, n1, n0) - 0.5)
    order = np.argsort(distance, kind="stable")
    assert (np.diff(pvalue[order]) <= 1e-15).all()
    assert pvalue[order[0]] == 1.0
    assert (measures.auc(sums[[0, -1]], n1, n0) == [0.0, 1.0]).all()


def test_kruskal_equals_scipy(data):
    X, y = data
    rows = np.bincount(y, minlength=5)
    # Two classes without rows must not change the degrees of freedom.
    statistic, pvalue = measures.kruskal(rank_sums(X, y, 5), rows, ties_of(X).tie_term)
    for j in range(3):
        expected = kruskal(*[X[y == c, j] for c in range(3)])
        assert (statistic[j], pvalue[j]) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-10)
    assert (statistic[3], pvalue[3]) == (0.0, 1.0)


@given(st.lists(st.tuples(SMALL, st.integers(0, 2)), min_size=3, max_size=25))
def test_kruskal_equals_scipy_on_ties(rows):
    x, y = np.array(rows).T
    assume(len(set(y.tolist())) > 1 and len(set(x.tolist())) > 1)
    statistic, pvalue = measures.kruskal(
        rank_sums(x[:, None], y, 3), np.bincount(y, minlength=3), ties_of(x[:, None]).tie_term
    )
    expected = kruskal(*[x[y == c] for c in np.unique(y)])
    assert (statistic[0], pvalue[0]) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9, abs=1e-9)


def test_kendall_equals_scipy(data):
    X, y = data
    balance = [oracle.balance(column, y) for column in X.T]
    tau, pvalue = measures.kendall_test(balance, len(y), ties_of(X), ties_of(y[:, None]))
    for j in range(3):
        expected = kendalltau(X[:, j], y, method="asymptotic")
        assert (tau[j], pvalue[j]) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-10)
    assert (tau[3], pvalue[3]) == (0.0, 1.0)


@given(st.lists(st.tuples(SMALL, SMALL), min_size=3, max_size=25))
def test_kendall_equals_scipy_on_ties(rows):
    x, y = np.array(rows).T
    assume(len(set(x.tolist())) > 1 and len(set(y.tolist())) > 1)
    tau, pvalue = measures.kendall_test([oracle.balance(x, y)], len(x), ties_of(x[:, None]), ties_of(y[:, None]))
    expected = kendalltau(x, y, method="asymptotic")
    assert (tau[0], pvalue[0]) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)


def test_one_class_or_no_rows_score_nothing():
    assert measures.auc([6.0], 3, 0).tolist() == [0.5]
    assert measures.auc([0.0], 0, 3).tolist() == [0.5]
    for n1, n0, rank_sum in ((3, 0, 6.0), (0, 3, 0.0), (0, 0, 0.0), (1, 0, 1.0)):
        _, z, pvalue = measures.mann_whitney([rank_sum], [0.0], n1, n0)
        assert (z[0], pvalue[0]) == (0.0, 1.0)
    assert [part.tolist() for part in measures.kruskal([[6.0]], [3], [0.0])] == [[0.0], [1.0]]
    assert [part.tolist() for part in measures.kruskal([[0.0, 6.0]], [0, 3], [0.0])] == [[0.0], [1.0]]
    for n in (0, 1):
        none = Ties(np.zeros(1), np.zeros(1))
        assert [part.tolist() for part in measures.kendall_test([0.0], n, none, none)] == [[0.0], [1.0]]
    two = measures.kendall_test([1.0], 2, none, none)
    assert two[0][0] == 1.0
    assert 0 < two[1][0] < 1


def test_large_constant_features_stay_at_zero():
    """The tie term of a million equal values is beyond exact float64."""
    n1, n0 = 400_000, 600_003
    n = n1 + n0
    ties = Ties.of([n])
    half = (n + 1) / 2
    u, z, pvalue = measures.mann_whitney([n1 * half], ties.tie_term, n1, n0)
    assert (u[0], z[0], pvalue[0]) == (n1 * n0 / 2, 0.0, 1.0)
    assert [part.tolist() for part in measures.kruskal([[n0 * half, n1 * half]], [n0, n1], ties.tie_term)] == [
        [0.0],
        [1.0],
    ]
    assert [part.tolist() for part in measures.kendall_test([0.0], n, ties, Ties.of([n1, n0]))] == [
        [0.0],
        [1.0],
    ]
