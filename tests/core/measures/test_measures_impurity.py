"""Impurity measures against plain loops, pair enumeration, scipy and the catalogue's facts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import chi2 as chi2_law
from scipy.stats import f_oneway

from fewer.core import measures
from fewer.core.summaries.results import LevelMoments
from oracles import measures as oracle
from oracles.measures import count_tables

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")

WEAK, PERFECT, INDEPENDENT = [[3, 1], [1, 3]], [[4, 0], [0, 4]], [[2, 2], [2, 2]]
THREE = [[3, 1, 0], [1, 2, 1], [0, 1, 4]]
IDENTIFIER = [[1, 0]] * 4 + [[0, 1]] * 4


def binary_target(table) -> LevelMoments:
    """Level moments of the class number 0 or 1 as a numeric target."""
    rows = np.array(oracle.rows_of(table))
    return oracle.level_moments(rows[:, :1], rows[:, 1], [len(table)])


@pytest.mark.parametrize(
    ("name", "table", "value"),
    [
        # book ch. 9, gini_gain
        ("gini_gain", WEAK, 0.125),
        ("gini_gain", PERFECT, 0.5),
        ("gini_gain", THREE, 0.231953),
        ("gini_gain", IDENTIFIER, 0.5),
        # book ch. 9, myopic_relief
        ("myopic_relief", WEAK, 0.25),
        ("myopic_relief", PERFECT, 1.0),
        ("myopic_relief", INDEPENDENT, 0.0),
        ("myopic_relief", THREE, 0.364662),
        ("myopic_relief", IDENTIFIER, 0.25),
    ],
)
def test_facts(name, table, value):
    assert getattr(measures, name)(table) == pytest.approx(value, abs=5.000001e-7)


def test_myopic_relief_has_no_bias_to_many_levels():
    """Book ch. 9, myopic_relief: Gini cannot tell the identifier from the perfect bit."""
    assert measures.gini_gain(IDENTIFIER) == measures.gini_gain(PERFECT)
    assert measures.myopic_relief(IDENTIFIER) < measures.myopic_relief(PERFECT)


def test_gini_prior_is_twice_the_variance():
    """Book ch. 9, gini_gain: an identifier removes all impurity, 1 - sum p_c^2 = 2 p (1 - p) = 2 s^2."""
    table = [[1, 0]] * 3 + [[0, 1]] * 7
    labels = np.array([0] * 3 + [1] * 7)
    assert measures.gini_gain(table) == pytest.approx(2 * 0.3 * 0.7)
    assert measures.gini_gain(table) == pytest.approx(2 * labels.var())


def test_relieff_with_all_rows_as_neighbours():
    """Book ch. 9, myopic_relief: equal for equal class priors (self-pairs kept), not for unequal ones."""
    equal, unequal = [[5, 1, 2], [1, 5, 4]], [[9, 1, 2], [1, 5, 4]]
    assert oracle.relieff_with_all_neighbours(equal) == pytest.approx(measures.myopic_relief(equal))
    assert abs(oracle.relieff_with_all_neighbours(unequal) - measures.myopic_relief(unequal)) > 1e-3


def test_equals_the_definition_on_ragged_tables():
    rng = np.random.default_rng(1)
    tables = [rng.integers(0, 6, size=(levels, 3)) for levels in (2, 1, 5, 3)]
    counts = oracle.stacked(tables)
    for name in ("gini_gain", "myopic_relief"):
        expected = [getattr(oracle, name)(table.tolist()) for table in tables]
        np.testing.assert_allclose(getattr(measures, name)(counts), expected, atol=1e-13)
    statistic, dof, pvalue = measures.catanova(counts)
    np.testing.assert_allclose(statistic, [oracle.catanova(table.tolist()) for table in tables], atol=1e-10)
    assert dof.tolist() == [((t.sum(axis=1) > 0).sum() - 1) * ((t.sum(axis=0) > 0).sum() - 1) for t in tables]
    tested = dof > 0
    np.testing.assert_allclose(pvalue[tested], chi2_law.sf(statistic[tested], dof[tested]))
    assert (pvalue[~tested] == 1).all()


@given(count_tables(high=4))
def test_myopic_relief_is_what_pairs_of_rows_say(table):
    assert measures.myopic_relief(table) == pytest.approx(oracle.myopic_relief(table.tolist()), abs=1e-12)


@given(count_tables(high=5))
def test_catanova_is_what_unlike_pairs_say(table):
    """Light and Margolin 1971: TSS and WSS are counts of unlike pairs over group sizes."""
    assert measures.catanova(table)[0] == pytest.approx(oracle.catanova(table.tolist()), abs=1e-9)


@given(count_tables(classes=st.just(2)))
def test_catanova_of_two_classes_is_nearly_chi2(table):
    """For two classes tau is the squared phi, so the statistic is chi2 (N - 1) / N."""
    total = table.sum()
    assert measures.catanova(table)[0] == pytest.approx(measures.chi2(table) * (total - 1) / total, abs=1e-9)


@given(count_tables(classes=st.just(2)))
def test_gini_is_twice_the_variance_reduction(table):
    """Book ch. 9, gini_gain and variance_reduction: binary class coded 0 and 1."""
    reduction = measures.variance_reduction(binary_target(table))
    assert measures.gini_gain(table) == pytest.approx(2 * reduction[0], abs=1e-12)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=5), st.lists(st.integers(1, 6), min_size=1, max_size=4))
def test_zero_iff_the_branches_are_alike(rows, columns):
    """Book ch. 9, impurity_gain."""
    table = np.outer(rows, columns)
    assert measures.gini_gain(table) == 0.0
    assert measures.myopic_relief(table) == 0.0
    assert measures.catanova(table)[2] == 1.0
    if len(rows) > 1 and len(columns) > 1:
        table[0, 0] += 1
        assert measures.gini_gain(table) > 0.0


@given(count_tables(), st.randoms(use_true_random=False))
def test_order_of_levels_and_classes_and_empty_levels_do_not_matter(table, random):
    rows, columns = list(range(table.shape[0])), list(range(table.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    moved = np.insert(table[np.ix_(rows, columns)], random.randint(0, len(rows)), 0, axis=0)
    moved = np.insert(moved, random.randint(0, len(columns)), 0, axis=1)
    for name in ("gini_gain", "myopic_relief"):
        assert getattr(measures, name)(moved) == pytest.approx(getattr(measures, name)(table), abs=1e-12)
    assert measures.catanova(moved) == pytest.approx(measures.catanova(table), abs=1e-9)


@given(count_tables(levels=st.integers(2, 5)))
def test_gini_grows_with_refinement(table):
    """Book ch. 9, variance_reduction: biased to many levels like gain and Gini."""
    merged = np.vstack([table[:1] + table[1:2], table[2:]])
    assert measures.gini_gain(merged) <= measures.gini_gain(table) + 1e-12


@given(count_tables(), st.floats(0.01, 100))
def test_weights_scale_out(table, factor):
    for name in ("gini_gain", "myopic_relief"):
        assert getattr(measures, name)(table * factor) == pytest.approx(getattr(measures, name)(table), abs=1e-10)


@pytest.mark.parametrize("table", [[[5, 3]], [[4], [2]], [[7]], [[0, 0], [0, 0]], [[0, 4], [0, 2]]])
def test_constant_feature_or_single_class_scores_nothing(table):
    assert measures.gini_gain(table) == 0.0
    assert measures.myopic_relief(table) == 0.0
    assert measures.catanova(table) == (0.0, 0, 1.0)


def test_one_class_with_weights_that_do_not_add_up_exactly():
    """Fractions of a single class may miss 1 by an eps; that must not be divided by."""
    table = np.full((23, 1), 0.1) * np.linspace(0.3, 1.7, 23)[:, None]
    assert measures.myopic_relief(np.hstack([table, np.zeros_like(table)])) == 0.0
    assert measures.catanova(table)[0] == 0.0


@pytest.fixture
def numeric():
    rng = np.random.default_rng(2)
    codes = np.column_stack([rng.integers(0, n, size=60) for n in (2, 5, 3)])
    return codes, rng.normal(size=60) + codes[:, 0]


def test_variance_reduction_equals_the_definition(numeric):
    codes, y = numeric
    value = measures.variance_reduction(oracle.level_moments(codes, y, [2, 7, 3]))
    np.testing.assert_allclose(value, [oracle.variance_reduction(codes[:, j], y) for j in range(3)], atol=1e-13)


def test_variance_reduction_is_the_variance_between_groups(numeric):
    """Book ch. 9, variance_reduction."""
    codes, y = numeric
    means = np.array([[y[column == v].mean() for v in column] for column in codes.T])
    value = measures.variance_reduction(oracle.level_moments(codes, y, [2, 5, 3]))
    np.testing.assert_allclose(value, means.var(axis=1), atol=1e-13)


def test_variance_reduction_test_equals_scipy(numeric):
    codes, y = numeric
    statistic, pvalue = measures.variance_reduction_test(oracle.level_moments(codes, y, [2, 7, 3]))
    for j, column in enumerate(codes.T):
        expected = f_oneway(*[y[column == v] for v in np.unique(column)])
        assert (statistic[j], pvalue[j]) == pytest.approx((expected.statistic, expected.pvalue))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-5, 5)), min_size=2, max_size=30))
def test_variance_reduction_lies_between_zero_and_the_variance(rows):
    codes, y = np.array(rows).T
    assume(len(set(codes.tolist())) > 1)
    value = measures.variance_reduction(oracle.level_moments(codes[:, None], y, [4]))[0]
    assert 0.0 <= value <= y.var() + 1e-12
    merged = measures.variance_reduction(oracle.level_moments(np.minimum(codes, 2)[:, None], y, [3]))[0]
    assert merged <= value + 1e-12


def test_variance_reduction_in_degenerate_cases():
    codes = np.array([[0, 0, 0], [0, 1, 0], [0, 2, 1], [0, 3, 1]])
    same = oracle.level_moments(codes, [0.1] * 4, [1, 4, 3])
    assert measures.variance_reduction(same).tolist() == [0.0] * 3
    assert [part.tolist() for part in measures.variance_reduction_test(same)] == [[0.0] * 3, [1.0] * 3]
    split = oracle.level_moments(codes, [0.1, 0.1, 0.7, 0.7], [1, 4, 3])
    statistic, pvalue = measures.variance_reduction_test(split)
    # Constant; as many levels as rows, so that nothing is left to evaluate by; explained without rest.
    assert statistic.tolist() == [0.0, np.inf, np.inf]
    assert pvalue.tolist() == [1.0, 1.0, 0.0]
    np.testing.assert_allclose(measures.variance_reduction(split), [0.0, 0.09, 0.09])


def test_means_of_levels_without_rows_are_ignored():
    odd = LevelMoments(
        np.array([0.0, 3.0, 2.0, 0.0]),
        np.array([99.0, 1.0, 2.0, np.nan]),
        np.array([0, 1.0, 1.0, 0]),
        np.array([0, 4]),
    )
    plain = LevelMoments(np.array([3.0, 2.0]), np.array([1.0, 2.0]), np.array([1.0, 1.0]), np.array([0, 2]))
    assert measures.variance_reduction(odd) == measures.variance_reduction(plain)
    assert measures.variance_reduction_test(odd) == measures.variance_reduction_test(plain)
