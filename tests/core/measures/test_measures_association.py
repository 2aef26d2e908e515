"""Chi-squared and correlation against scipy, scikit-learn, the catalogue's facts and their identities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, pearsonr
from scipy.stats import t as t_law
from sklearn.feature_selection import chi2 as sklearn_chi2

from fewer.core import measures
from fewer.core.summaries.results import TargetProducts
from oracles import measures as oracle
from oracles.measures import count_tables

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")

MULTICLASS = np.array([[12, 3, 5], [8, 27, 45]])


def one_against_rest(table, k):
    """The table with the columns class k and all others."""
    table = np.asarray(table)
    return np.column_stack([table[:, k], table.sum(axis=1) - table[:, k]])


def presence(table):
    """Rows of a binary word, level 0 of the table being its presence, and their classes."""
    rows = np.array(oracle.rows_of(table))
    return (rows[:, :1] == 0).astype(float), rows[:, 1]


@pytest.mark.parametrize(
    ("a", "b", "c", "d", "value"),
    [
        (40, 10, 20, 130, 79.36507937),
        (10, 40, 0, 1750, 351.9553073),
        (10, 40, 350, 1400, 0.0),
        (50, 0, 0, 150, 200.0),
        (0, 50, 60, 1690, 1.773399015),
        (5, 15, 8, 72, 3.183023873),
    ],
)
def test_text_tables(a, b, c, d, value):
    """Book ch. 13, common test tables T1 to T6, and the product form of ch. 14, section 14.2.6."""
    statistic = measures.chi2([[a, c], [b, d]])
    assert statistic == pytest.approx(value, rel=1e-9, abs=0)
    total = a + b + c + d
    product_form = total * (a * d - c * b) ** 2 / ((a + b) * (a + c) * (c + d) * (b + d))
    assert statistic == pytest.approx(product_form, rel=1e-12)
    # (iii): at most the number of rows.
    assert statistic <= total + 1e-9
    # (v): both classes say the same.
    assert statistic == pytest.approx(measures.chi2([[c, a], [d, b]]), rel=1e-12)


def test_multiclass_text_example():
    """Book ch. 13-14, common multi-class test: per class, weighted by frequency, and the 2 x 3 table."""
    per_class = [measures.chi2(one_against_rest(MULTICLASS, k)) for k in range(3)]
    np.testing.assert_allclose(per_class, [25.0, 2.678571429, 6.25], rtol=1e-9)
    assert np.dot(per_class, [0.2, 0.3, 0.5]) == pytest.approx(8.928571429, rel=1e-9)
    assert measures.chi2(MULTICLASS) == pytest.approx(25.0, rel=1e-12)
    X, y = presence(MULTICLASS)
    assert sklearn_chi2(X, y)[0][0] == pytest.approx(20.0)


@given(count_tables(levels=st.just(2)))
def test_identity_with_the_statistic_of_scikit_learn(table):
    """Book ch. 13, chi2_score (i): Pearson's chi2 is scikit-learn's times M / (rows without the word)."""
    present, absent = table.sum(axis=1)
    if present == 0 or absent == 0:
        assert measures.chi2(table) == 0.0
        return
    X, y = presence(table)
    if len(np.unique(y)) > 1:
        other = sklearn_chi2(X, y)[0][0] * (present + absent) / absent
        assert measures.chi2(table) == pytest.approx(other, abs=1e-9)


@given(count_tables())
def test_identity_with_one_class_against_the_rest(table):
    """Book ch. 13, chi2_score (ii): the sum over k of (1 - P_k) chi2(F, k) is the chi2 of the table."""
    share = table.sum(axis=0) / table.sum()
    parts = sum((1 - p) * measures.chi2(one_against_rest(table, k)) for k, p in enumerate(share))
    assert measures.chi2(table) == pytest.approx(parts, abs=1e-9)


@given(count_tables(levels=st.just(2), classes=st.just(2)))
def test_two_by_two_reaches_the_number_of_rows_only_if_perfect(table):
    """Book ch. 13, chi2_score (iii)."""
    perfect = (table[0, 0] == table[1, 1] == 0 < table[0, 1] * table[1, 0]) or (
        table[0, 1] == table[1, 0] == 0 < table[0, 0] * table[1, 1]
    )
    total = table.sum()
    assert measures.chi2(table) <= total + 1e-9
    assert (measures.chi2(table) > total - 1e-9) == perfect


@given(st.lists(st.integers(1, 6), min_size=1, max_size=5), st.lists(st.integers(1, 6), min_size=1, max_size=4))
def test_zero_iff_independent(rows, columns):
    """Book ch. 13, chi2_score (iv)."""
    table = np.outer(rows, columns)
    statistic, dof, pvalue = measures.chi2_test(table)
    assert (statistic, dof, pvalue) == (0.0, (len(rows) - 1) * (len(columns) - 1), 1.0)
    if dof:
        table[0, 0] += 1
        assert measures.chi2(table) > 0.0


@given(count_tables(), st.randoms(use_true_random=False))
def test_order_of_levels_and_classes_and_empty_levels_do_not_matter(table, random):
    rows, columns = list(range(table.shape[0])), list(range(table.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    moved = np.insert(table[np.ix_(rows, columns)], random.randint(0, len(rows)), 0, axis=0)
    moved = np.insert(moved, random.randint(0, len(columns)), 0, axis=1)
    assert measures.chi2_test(moved) == pytest.approx(measures.chi2_test(table), abs=1e-9)


@given(count_tables(), st.floats(0.01, 100))
def test_chi2_grows_with_the_weight(table, factor):
    assert measures.chi2(table * factor) == pytest.approx(factor * measures.chi2(table), abs=1e-7)


def test_chi2_test_equals_scipy_and_the_definition():
    rng = np.random.default_rng(3)
    tables = [rng.integers(1, 20, size=(levels, 3)) for levels in (2, 6, 3, 11)]
    tables.append(np.array([[3, 0, 5], [0, 0, 0], [1, 0, 9], [2, 0, 2]]))
    statistic, dof, pvalue = measures.chi2_test(oracle.stacked(tables))
    np.testing.assert_array_equal(statistic, measures.chi2(oracle.stacked(tables)))
    for j, table in enumerate(tables):
        kept = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        expected = chi2_contingency(kept, correction=False)
        assert statistic[j] == pytest.approx(oracle.chi2(table.tolist()))
        assert (statistic[j], dof[j], pvalue[j]) == pytest.approx((expected.statistic, expected.dof, expected.pvalue))


@pytest.mark.parametrize("table", [[[5, 3]], [[4], [2]], [[7]], [[0, 0], [0, 0]], [[0, 4], [0, 2]]])
def test_constant_feature_or_single_class_scores_nothing(table):
    assert measures.chi2(table) == 0.0
    assert measures.chi2_test(table) == (0.0, 0, 1.0)


@pytest.fixture
def numeric():
    rng = np.random.default_rng(4)
    y = rng.normal(size=40)
    return np.column_stack([y + rng.normal(size=40), rng.normal(size=40), -(y**3), rng.integers(0, 2, 40)]), y


def test_pearson_equals_scipy(numeric):
    X, y = numeric
    r = measures.pearson(oracle.target_products(X, y))
    p = measures.correlation_pvalue(r, len(y))
    for j in range(X.shape[1]):
        expected = pearsonr(X[:, j], y)
        assert (r[j], p[j]) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)


def test_pearson_is_one_for_a_line_and_keeps_under_affine_maps(numeric):
    """Book ch. 17, section 17.2.3: +-1 iff exactly linear; invariant to affine maps up to the sign."""
    X, y = numeric
    line = measures.pearson(oracle.target_products(np.column_stack([3 * y + 1, -0.2 * y + 7]), y))
    np.testing.assert_allclose(line, [1.0, -1.0], rtol=1e-12)
    assert (np.abs(line) <= 1).all()
    r = measures.pearson(oracle.target_products(X, y))
    assert (np.abs(r) < 1 - 1e-6).all()
    np.testing.assert_allclose(measures.pearson(oracle.target_products(-5 * X + 3, 2 * y - 9)), -r, atol=1e-12)


def test_pearson_of_a_constant_is_zero():
    X = np.column_stack([np.full(30, 0.1), np.arange(30.0)])
    assert measures.pearson(oracle.target_products(X, np.arange(30.0)))[0] == 0.0
    assert measures.pearson(oracle.target_products(X, np.full(30, 0.1))).tolist() == [0.0, 0.0]
    huge = TargetProducts(3.0, np.zeros(1), 0.0, np.array([1e300]), 1e300, np.array([-5e299]))
    assert measures.pearson(huge)[0] == pytest.approx(-0.5)


@given(st.floats(-0.999999, 0.999999), st.integers(3, 200))
def test_correlation_pvalue_is_the_tail_of_t(r, n):
    expected = 2 * t_law.sf(abs(r) * np.sqrt((n - 2) / ((1 - r) * (1 + r))), n - 2)
    assert measures.correlation_pvalue(r, n) == pytest.approx(expected, rel=1e-7, abs=1e-300)


def test_a_correlation_that_is_not_a_number_has_no_pvalue():
    np.testing.assert_array_equal(measures.correlation_pvalue([np.nan, 1.0], 20), [np.nan, 0.0])


def test_correlation_pvalue_at_the_ends():
    np.testing.assert_array_equal(measures.correlation_pvalue([1.0, -1.0, 0.0], 10), [0.0, 0.0, 1.0])
    np.testing.assert_array_equal(measures.correlation_pvalue([1.0, 0.3, 0.0], [2, 1, 0]), [1.0, 1.0, 1.0])
