"""Information measures against plain loops, scikit-learn, the catalogue's facts and their identities."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency
from sklearn.metrics import mutual_info_score

from fewer.core import measures
from fewer.core.measures import as_counts
from fewer.core.records.errors import InputError
from fewer.core.summaries.results import Counts
from oracles import measures as oracle
from oracles.measures import count_tables

pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")

BITS = math.log(2.0)
WEAK, PERFECT, INDEPENDENT = [[3, 1], [1, 3]], [[4, 0], [0, 4]], [[2, 2], [2, 2]]
THREE = [[3, 1, 0], [1, 2, 1], [0, 1, 4]]
IDENTIFIER = [[1, 0]] * 4 + [[0, 1]] * 4
NAMES = [
    "row_entropy",
    "column_entropy",
    "joint_entropy",
    "information_gain",
    "gain_ratio",
    "distance_gain",
    "symmetrical_uncertainty",
    "mdl_score",
]


@pytest.mark.parametrize(
    ("name", "table", "bits"),
    [
        # book ch. 9, information_gain (catalogue, 9.A)
        ("information_gain", WEAK, 0.188722),
        ("information_gain", PERFECT, 1.0),
        ("information_gain", INDEPENDENT, 0.0),
        ("information_gain", THREE, 0.587794),
        ("information_gain", IDENTIFIER, 1.0),
        # book ch. 9, mdl_score
        ("mdl_score", WEAK, 0.081919),
        ("mdl_score", PERFECT, 0.581919),
        ("mdl_score", INDEPENDENT, -0.064322),
        ("mdl_score", IDENTIFIER, 0.162401),
        ("mdl_score", THREE, 0.235410),
        # paper-microarray, eq. 6.4: 47/25 classes split into 20/16 and 27/9
        ("information_gain", [[20, 16], [27, 9]], 0.0304),
        # book ch. 17, section 17.2.3: C = F1 and F2 on fair bits
        ("column_entropy", [[2, 0], [1, 1]], 0.811278),
        ("information_gain", [[2, 0], [1, 1]], 0.311278),
    ],
)
def test_facts_in_bits(name, table, bits):
    digits = 4 if bits == 0.0304 else 6
    assert getattr(measures, name)(table) / BITS == pytest.approx(bits, abs=0.5000001 * 10**-digits)


@pytest.mark.parametrize(
    ("name", "table", "value"),
    [
        # book ch. 9, gain_ratio and distance_gain; both are free of the base
        ("gain_ratio", WEAK, 0.188722),
        ("gain_ratio", THREE, 0.372819),
        ("gain_ratio", IDENTIFIER, 1 / 3),
        ("distance_gain", WEAK, 0.104193),
        ("distance_gain", PERFECT, 1.0),
        ("distance_gain", THREE, 0.229119),
        ("distance_gain", IDENTIFIER, 1 / 3),
        # book ch. 17, section 17.2.3: C = F1 and F2, one bit and both together
        ("symmetrical_uncertainty", [[2, 0], [1, 1]], 0.343711),
        ("symmetrical_uncertainty", [[1, 0], [1, 0], [1, 0], [0, 1]], 0.577160),
        ("symmetrical_uncertainty", PERFECT, 1.0),
        ("symmetrical_uncertainty", INDEPENDENT, 0.0),
    ],
)
def test_facts_without_base(name, table, value):
    assert getattr(measures, name)(table) == pytest.approx(value, abs=5.000001e-7)


@pytest.mark.parametrize(
    ("a", "b", "c", "d", "bits", "nats"),
    [
        (40, 10, 20, 130, 0.2759267456, 0.1912578457),
        (10, 40, 0, 1750, 0.02956051519, 0.02048978776),
        (10, 40, 350, 1400, 0.0, 0.0),
        (50, 0, 0, 150, 0.8112781245, 0.5623351446),
        (0, 50, 60, 1690, 0.001378162348, 0.0009552693461),
        (5, 15, 8, 72, 0.01998608526, 0.01385329865),
    ],
)
def test_text_tables(a, b, c, d, bits, nats):
    """Book ch. 13, common test tables T1 to T6."""
    gain = measures.information_gain([[a, c], [b, d]])
    assert gain == pytest.approx(nats, rel=1e-9, abs=0)
    assert gain / BITS == pytest.approx(bits, rel=1e-9, abs=0)
    # Symmetric under swapping the classes, presence and absence, and the roles (ch. 13, information_gain).
    for swapped in ([[c, a], [d, b]], [[b, d], [a, c]], [[a, b], [c, d]]):
        assert measures.information_gain(swapped) == pytest.approx(gain, rel=1e-12)


def test_multiclass_text_example():
    """Book ch. 13-16, common multi-class test: n_kF = (12, 3, 5), n_k = (20, 30, 50)."""
    table = [[12, 3, 5], [8, 27, 45]]
    assert measures.information_gain(table) == pytest.approx(0.1057337114, rel=1e-9)
    assert measures.information_gain(table) / BITS == pytest.approx(0.1525415011, rel=1e-9)
    # Normalised information gain with the full entropy of the word (ch. 16).
    assert measures.gain_ratio(table) == pytest.approx(0.2112973608, rel=1e-9)


def test_perfect_indicator_gives_the_class_entropy():
    """Book ch. 13, information_gain: T4."""
    table = [[50, 0], [0, 150]]
    assert measures.information_gain(table) == pytest.approx(measures.column_entropy(table), rel=1e-14)


def test_mdl_has_no_bias_to_many_levels():
    """Book ch. 9: gain cannot tell the identifier from the perfect bit, MDL can."""
    assert measures.information_gain(IDENTIFIER) == pytest.approx(measures.information_gain(PERFECT))
    assert measures.mdl_score(IDENTIFIER) < measures.mdl_score(PERFECT)


@pytest.mark.parametrize("name", NAMES)
def test_equals_the_definition_on_ragged_tables(name, rng_tables):
    values = getattr(measures, name)(oracle.stacked(rng_tables))
    assert values.shape == (len(rng_tables),)
    expected = [getattr(oracle, name)(table.tolist()) for table in rng_tables]
    np.testing.assert_allclose(values, expected, rtol=1e-10, atol=1e-12)


@pytest.fixture
def rng_tables():
    rng = np.random.default_rng(0)
    return [rng.integers(0, 12, size=(levels, 3)) for levels in (2, 1, 7, 3, 4, 12)]


def test_equals_scikit_learn(rng_tables):
    expected = [mutual_info_score(None, None, contingency=table) for table in rng_tables]
    np.testing.assert_allclose(measures.information_gain(oracle.stacked(rng_tables)), expected, atol=1e-12)


def test_g_test_equals_scipy(rng_tables):
    statistic, dof, pvalue = measures.g_test(oracle.stacked(rng_tables))
    for j, table in enumerate(rng_tables):
        kept = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
        expected = chi2_contingency(kept, correction=False, lambda_="log-likelihood")
        assert (statistic[j], dof[j], pvalue[j]) == pytest.approx((expected.statistic, expected.dof, expected.pvalue))


def test_plain_tables_give_plain_numbers():
    assert type(measures.information_gain(WEAK)) is float
    assert [type(part) for part in measures.g_test(WEAK)] == [float, int, float]
    stack = measures.information_gain(np.array([WEAK, PERFECT, INDEPENDENT]))
    assert stack.tolist() == [measures.information_gain(t) for t in (WEAK, PERFECT, INDEPENDENT)]


def test_no_features_give_no_numbers():
    empty = Counts(np.zeros((0, 2), dtype=np.int64), np.zeros(1, dtype=np.int64))
    for name in NAMES:
        assert getattr(measures, name)(empty).shape == (0,)
    assert [part.shape for part in measures.g_test(empty)] == [(0,)] * 3


def test_as_counts_keeps_counts_and_whole_numbers():
    counts = oracle.stacked([WEAK, IDENTIFIER])
    assert as_counts(counts) is counts
    assert as_counts(WEAK).table.dtype == np.int64
    assert as_counts(np.array(WEAK, dtype=np.uint8)).table.dtype == np.int64
    assert as_counts([[0.5, 1.0]]).table.dtype == np.float64
    assert as_counts(np.array([WEAK, PERFECT])).offsets.tolist() == [0, 2, 4]


@pytest.mark.parametrize(
    "tables",
    [
        [1, 2, 3],
        np.zeros((2, 0)),
        np.zeros((0, 2)),
        np.zeros((1, 1, 1, 1)),
        [[1, -1]],
        [[np.nan, 1]],
        [[1], [1, 2]],
        "x",
    ],
)
def test_as_counts_refuses_what_is_no_table(tables):
    with pytest.raises(InputError, match=r"^as_counts got .*; .*\.$"):
        as_counts(tables)


@pytest.mark.parametrize("table", [[[5, 3]], [[4], [2]], [[7]], [[0, 0], [0, 0]], [[0, 4], [0, 2]]])
def test_constant_feature_or_single_class_scores_nothing(table):
    for name in NAMES[3:]:
        assert getattr(measures, name)(table) == pytest.approx(0.0, abs=1e-12), name
    statistic, dof, pvalue = measures.g_test(table)
    assert (statistic, dof, pvalue) == (0.0, 0, 1.0)


@given(count_tables())
def test_information_is_h_plus_h_minus_h(table):
    parts = measures.row_entropy(table) + measures.column_entropy(table) - measures.joint_entropy(table)
    gain = measures.information_gain(table)
    assert gain == pytest.approx(parts, abs=1e-12)
    assert 0 <= gain <= min(measures.row_entropy(table), measures.column_entropy(table)) + 1e-12
    assert gain == pytest.approx(measures.information_gain(table.T), abs=1e-12)


@given(count_tables())
def test_normalised_scores_stay_in_the_unit_interval(table):
    for name in ("gain_ratio", "distance_gain", "symmetrical_uncertainty"):
        assert 0.0 <= getattr(measures, name)(table) <= 1.0


@given(count_tables())
def test_full_uncertainty_means_that_each_determines_the_other(table):
    """Book ch. 17: SU = 1 iff each determines the other and not both are constant; so does 1-D (ch. 9)."""
    present = table > 0
    one_to_one = (present.sum(axis=0) <= 1).all() and (present.sum(axis=1) <= 1).all() and present.sum() > 1
    for name in ("symmetrical_uncertainty", "distance_gain"):
        assert (getattr(measures, name)(table) > 1 - 1e-9) == one_to_one


@given(st.lists(st.integers(1, 6), min_size=1, max_size=5), st.lists(st.integers(1, 6), min_size=1, max_size=4))
def test_independent_counts_carry_exactly_nothing(rows, columns):
    """Book ch. 9 and 13: the gain is 0 iff the class distribution is the same in every branch."""
    table = np.outer(rows, columns)
    assert measures.information_gain(table) == 0.0
    assert measures.symmetrical_uncertainty(table) == 0.0
    if len(rows) > 1 and len(columns) > 1:
        table[0, 0] += 1
        assert measures.information_gain(table) > 0.0


@given(count_tables(), st.randoms(use_true_random=False))
def test_order_of_levels_and_classes_and_empty_levels_do_not_matter(table, random):
    rows, columns = list(range(table.shape[0])), list(range(table.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    moved = np.insert(table[np.ix_(rows, columns)], random.randint(0, len(rows)), 0, axis=0)
    moved = np.insert(moved, random.randint(0, len(columns)), 0, axis=1)
    for name in NAMES:
        assert getattr(measures, name)(moved) == pytest.approx(getattr(measures, name)(table), abs=1e-12), name
    assert measures.g_test(moved) == pytest.approx(measures.g_test(table), abs=1e-9)


@given(count_tables(levels=st.integers(2, 5)))
def test_gain_grows_with_refinement(table):
    """Book ch. 9, information_gain: monotone under refinement, so useless as a stopping criterion."""
    merged = np.vstack([table[:1] + table[1:2], table[2:]])
    assert measures.information_gain(merged) <= measures.information_gain(table) + 1e-12


@given(count_tables(), st.floats(0.01, 100))
def test_weights_scale_out(table, factor):
    for name in NAMES[:-1]:
        value = getattr(measures, name)(table * factor)
        assert value == pytest.approx(getattr(measures, name)(table), abs=1e-10), name
    assert math.isfinite(measures.mdl_score(table * factor))


@settings(max_examples=60)
@given(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=3, max_size=25))
def test_distance_is_a_metric(rows):
    """Book ch. 9, distance_gain: D = 1 - score obeys the triangle inequality."""
    codes = np.array(rows).T
    assume(all(len(set(column)) > 1 for column in codes.tolist()))

    def distance(a, b):
        table = np.zeros((3, 3), dtype=int)
        np.add.at(table, (codes[a], codes[b]), 1)
        return 1.0 - measures.distance_gain(table)

    assert distance(0, 2) <= distance(0, 1) + distance(1, 2) + 1e-12
    assert distance(0, 1) == pytest.approx(distance(1, 0), abs=1e-12)
    assert distance(0, 0) == pytest.approx(0.0, abs=1e-12)
