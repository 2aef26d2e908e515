"""Checkable facts of the Relief family (catalogue, chapters 3, 9 and 12), of the slow truths and of the selectors."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from relief_cases import landed

from fewer.core.measures import myopic_relief
from fewer.core.measures.margin import relief_limit_weights
from oracles.relief import (
    diffs,
    limit_weights,
    relief,
    relief_ratio,
    relieff,
    rrelieff,
    shares,
    surf_family,
    weighted_neighbours,
)

FOUR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
FOUR_CLASSES = np.array([0, 0, 1, 1])


def truth_table(n_bits, copies=1):
    return np.repeat(np.array(list(itertools.product([0, 1], repeat=n_bits))), copies, axis=0)


# ---------------------------------------------------------------- diff, section 9.2.2


def test_diff_of_the_text():
    """Values 2 and 5 of the whole numbers 1 to 8: 1 if nominal, 3/7 if numeric, 1 with the ramp 0.05 to 0.10."""
    X = np.arange(1.0, 9.0)[:, None]
    y = [0, 1] * 4
    assert diffs(X, y, nominal=[True])[1, 4, 0] == 1.0
    assert diffs(X, y)[1, 4, 0] == pytest.approx(3 / 7)
    assert diffs(X, y, ramp=(0.05, 0.10))[1, 4, 0] == 1.0


def test_ramp_from_nothing_to_the_range_is_the_plain_diff(rng):
    X, y = rng.normal(size=(9, 3)), [0, 1, 2] * 3
    np.testing.assert_allclose(diffs(X, y, ramp=(0.0, 1.0)), diffs(X, y))


def test_ramp_rises_between_its_thresholds():
    X = np.array([[0.0], [5.0], [7.5], [10.0], [100.0]])
    np.testing.assert_allclose(diffs(X, [0] * 5, ramp=(0.05, 0.10))[0, :, 0], [0.0, 0.0, 0.5, 1.0, 1.0])


def test_missing_nominal_value_takes_the_shares_of_its_class():
    """1 - p(value | class) for one missing value, 1 - sum of products for two."""
    X = np.array([[0.0], [0.0], [1.0], [np.nan], [1.0], [1.0], [np.nan]])
    y = [0, 0, 0, 0, 1, 1, 1]
    table = diffs(X, y, nominal=[True])
    assert table[3, 4, 0] == table[4, 3, 0] == pytest.approx(1 - 1 / 3)
    assert table[0, 6, 0] == pytest.approx(1 - 0)
    assert table[3, 6, 0] == pytest.approx(1 - (2 / 3 * 0 + 1 / 3 * 1))


def test_missing_number_takes_the_mean_diff_to_the_values_of_its_class():
    X = np.array([[0.0], [4.0], [np.nan], [8.0]])
    table = diffs(X, [0, 0, 0, 1])
    assert table[2, 3, 0] == pytest.approx((8 / 8 + 4 / 8) / 2)


# ---------------------------------------------------------------- neighbour weights


def test_rank_weights_add_up_and_fall():
    distance = np.array([0.0, 3.0, 1.0, 1.0, 9.0])
    found = weighted_neighbours(distance, [1, 2, 3, 4], 4, sigma=2.0)
    sizes = [size for _, size in found]
    assert [j for j, _ in found] == [2, 3, 1, 4]
    assert sum(sizes) == pytest.approx(1.0)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == sizes[1], "equal distances share the first rank of their group"
    assert sizes[2] / sizes[0] == pytest.approx(math.exp(-(9 - 1) / 4.0))


def test_very_wide_rank_weights_are_equal():
    distance = np.arange(6.0)
    found = weighted_neighbours(distance, range(6), 5, sigma=1e9)
    np.testing.assert_allclose([size for _, size in found], 0.2)


# ---------------------------------------------------------------- Relief and ReliefF


def test_four_points():
    np.testing.assert_allclose(relief(FOUR, FOUR_CLASSES), [1.0, -1.0])
    np.testing.assert_allclose(relieff(FOUR, FOUR_CLASSES, 1), [1.0, -1.0])
    np.testing.assert_allclose(relieff(FOUR, FOUR_CLASSES, 2), [1.0, -0.5])


@pytest.mark.parametrize(("order", "n_bits"), [(1, 2), (2, 3), (3, 3)])
def test_parity_with_shared_ties(order, n_bits):
    """Relevant bits get one part each of the whole, irrelevant ones nothing."""
    X = truth_table(n_bits, copies=11)
    y = X[:, :order].sum(axis=1) % 2
    expected = [1 / order] * order + [0.0] * (n_bits - order)
    np.testing.assert_allclose(relieff(X, y, 10, ties="average"), expected, atol=1e-12)
    np.testing.assert_allclose(limit_weights(truth_table(n_bits), y[::11]), expected, atol=1e-12)


def test_conjunction_with_shared_ties():
    X = truth_table(2, copies=11)
    np.testing.assert_allclose(relieff(X, X.min(axis=1), 10, ties="average"), [0.625, 0.625])


def test_all_rows_as_neighbours_give_the_pairwise_form():
    """Equal class fractions: the myopic measure, but for the pairs of a row with itself among the 16 of its class."""
    table = np.array([[3, 1], [1, 3]])
    X = np.repeat([[0.0], [0.0], [1.0], [1.0]], table.ravel() * 4, axis=0)
    y = np.repeat([0, 1, 0, 1], table.ravel() * 4)
    hits_differ = 1 - (0.75**2 + 0.25**2)
    assert relieff(X, y, 99)[0] == pytest.approx(myopic_relief(table) + (1 - 16 / 15) * hits_differ)


def test_cost_adjusted_shares_of_the_catalogue():
    y = [0] * 5 + [1] * 3 + [2] * 2
    cost = [[0, 1, 2], [3, 0, 1], [5, 1, 0]]
    np.testing.assert_allclose(list(shares(y, cost, "expected").values()), [0.328859, 0.342282, 0.328859], atol=5e-7)
    np.testing.assert_allclose(list(shares(y, cost, "average").values()), [0.230769, 0.307692, 0.461538], atol=5e-7)


def test_uniform_costs_change_nothing_if_expected_and_equalise_if_averaged():
    y = [0] * 5 + [1] * 3 + [2] * 2
    cost = 1 - np.eye(3)
    np.testing.assert_allclose(list(shares(y, cost, "expected").values()), [0.5, 0.3, 0.2])
    np.testing.assert_allclose(list(shares(y, cost, "average").values()), [1 / 3] * 3)


def test_two_classes_know_no_costs(rng):
    X, y = rng.normal(size=(14, 3)), np.array([0] * 9 + [1] * 5)
    cost = [[0, 7], [2, 0]]
    plain = relieff(X, y, 3)
    for mode in ("expected", "average"):
        np.testing.assert_allclose(relieff(X, y, 3, cost=cost, mode=mode), plain)


def test_feature_equal_to_the_class_has_weight_one(rng):
    y = np.array([0, 1] * 8)
    X = np.column_stack([y, rng.random(16), np.full(16, 3.0)])
    for weights in (relief(X, y), relief(X, y, power=2)):
        assert weights[0] == pytest.approx(1.0)
        assert weights[2] == 0.0
        assert (np.abs(weights) <= 1).all()


# ---------------------------------------------------------------- RReliefF


def test_four_points_with_a_numeric_target():
    """n = 3 and m = 4: N_dY = 8/3, and the weights of ReliefF with all neighbours."""
    weights = rrelieff(FOUR, FOUR_CLASSES, 3)
    np.testing.assert_allclose(weights, [1.0, -0.5])
    np.testing.assert_allclose(weights, relieff(FOUR, FOUR_CLASSES, 3))


def test_all_neighbours_of_a_binary_target_give_the_pairwise_probabilities(rng):
    """Eq. 9.10: P(diff | different class) - P(diff | same class) over all pairs."""
    X, y = rng.integers(0, 3, size=(13, 2)).astype(float), np.array([0, 1, 1] * 4 + [0])
    table = diffs(X, y)
    pairs = [(j, k) for j in range(13) for k in range(13) if j != k]
    expected = np.mean([table[j, k] for j, k in pairs if y[j] != y[k]], axis=0)
    expected -= np.mean([table[j, k] for j, k in pairs if y[j] == y[k]], axis=0)
    np.testing.assert_allclose(rrelieff(X, y, 12), expected)


# ---------------------------------------------------------------- ratios and the SURF family


def test_ratio_of_four_points():
    """One hit at distance 1 on the second feature; of the misses the nearest differs on the first."""
    eps = np.finfo(float).eps
    np.testing.assert_allclose(relief_ratio(FOUR, FOUR_CLASSES, 1), [1 / eps, 0.0])
    np.testing.assert_allclose(relief_ratio(FOUR, FOUR_CLASSES, 2), [1 / eps, 0.5])


def test_surf_of_four_points():
    """The mean distance is 4/3: near are the rows at distance 1, one hit and one miss; far is the opposite miss."""
    np.testing.assert_allclose(surf_family(FOUR, FOUR_CLASSES, "SURF"), [1.0, -1.0])
    np.testing.assert_allclose(surf_family(FOUR, FOUR_CLASSES, "SURFStar"), [0.0, -2.0])
    # Of every row the deviation of 1, 1, 2 is sqrt(2)/3: rows at 1 are near, the one at 2 is far and agrees nowhere.
    np.testing.assert_allclose(surf_family(FOUR, FOUR_CLASSES, "MultiSURF"), [1.0, -1.0])
    np.testing.assert_allclose(surf_family(FOUR, FOUR_CLASSES, "MultiSURFStar"), [1.0, -1.0])


# ---------------------------------------------------------------- the selectors


def weights(name, X, y, **given):
    return landed(name)(None, **given).fit(X, y).scores_


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("Relief", {}, [1.0, -1.0]),
        ("ReliefF", {"n_neighbors": 1}, [1.0, -1.0]),
        ("ReliefF", {"n_neighbors": 2}, [1.0, -0.5]),
        ("RReliefF", {"n_neighbors": 3}, [1.0, -0.5]),
        ("SURF", {}, [1.0, -1.0]),
        ("SURFStar", {}, [0.0, -2.0]),
        ("MultiSURF", {}, [1.0, -1.0]),
        ("MultiSURFStar", {}, [1.0, -1.0]),
    ],
)
def test_selectors_on_four_points(name, given, expected):
    np.testing.assert_allclose(weights(name, FOUR, FOUR_CLASSES, **given), expected, atol=1e-12)


@pytest.mark.parametrize("as_levels", [False, True])
@pytest.mark.parametrize(("order", "n_bits"), [(1, 3), (2, 4), (3, 4), (4, 4)])
def test_selectors_on_parity(order, n_bits, as_levels):
    X = truth_table(n_bits, copies=11).astype(float)
    y = X[:, :order].sum(axis=1) % 2
    expected = [1 / order] * order + [0.0] * (n_bits - order)
    given = {"ties": "average", "categorical_features": np.full(n_bits, as_levels)}
    np.testing.assert_allclose(weights("ReliefF", X, y, n_neighbors=10, **given), expected, atol=1e-12)
    np.testing.assert_allclose(weights("Relief", X, y, **given), expected, atol=1e-12)


def test_selectors_on_a_conjunction():
    X = truth_table(2, copies=11)
    y = X.min(axis=1)
    np.testing.assert_allclose(weights("ReliefF", X, y, ties="average"), [0.625, 0.625])
    np.testing.assert_allclose(weights("Relief", X, y, ties="average"), [0.625, 0.625])


@pytest.mark.parametrize("seed", range(4))
def test_replicated_concepts_reach_their_limit(seed):
    """A random concept of three features and three classes: eq. 9.17, as the rows grow in number."""
    rng = np.random.default_rng(seed)
    X = np.array(list(itertools.product(range(2), range(3), range(2))), dtype=float)
    y = np.concatenate([[0, 1, 2], rng.integers(0, 3, len(X) - 3)])
    expected = relief_limit_weights(X, y)
    got = weights(
        "ReliefF",
        np.repeat(X, 6, axis=0),
        np.repeat(y, 6),
        n_neighbors=5,
        ties="average",
        categorical_features=[0, 1, 2],
    )
    np.testing.assert_allclose(got, expected, atol=1e-12)


@pytest.mark.parametrize("mode", ["expected", "average"])
def test_costs_of_two_classes_change_nothing(mode, rng):
    X, y = rng.normal(size=(30, 3)), np.array([0] * 20 + [1] * 10)
    plain = weights("ReliefF", X, y)
    costly = weights("ReliefF", X, y, cost_matrix=[[0, 7], [2, 0]], cost_mode=mode)
    np.testing.assert_allclose(costly, plain, rtol=1e-12)


def test_uniform_costs_change_nothing_if_expected(rng):
    X, y = rng.normal(size=(30, 3)), np.repeat([0, 1, 2], [15, 9, 6])
    plain = weights("ReliefF", X, y)
    np.testing.assert_allclose(weights("ReliefF", X, y, cost_matrix=1 - np.eye(3)), plain, rtol=1e-12)
    averaged = weights("ReliefF", X, y, cost_matrix=1 - np.eye(3), cost_mode="average")
    assert np.abs(averaged - plain).max() > 1e-4


def test_very_wide_rank_weights_of_selectors_are_equal(rng):
    X, y = rng.normal(size=(30, 3)), np.arange(30) % 3
    for name in ("ReliefF", "RReliefF"):
        wide = weights(name, X, y, neighbor_weights="exponential", sigma=1e9)
        np.testing.assert_allclose(wide, weights(name, X, y), rtol=1e-12)


def test_relieff_with_all_neighbours_of_a_binary_target_is_rrelieff(rng):
    """With equal class fractions; every row has as many hits as any other."""
    X, y = rng.normal(size=(24, 3)), np.arange(24) % 2
    np.testing.assert_allclose(weights("RReliefF", X, y, n_neighbors=23), weights("ReliefF", X, y, n_neighbors=23))


def test_figure_3_4_by_hand():
    """Range 1; rows 0, 0.25 and 1: the hits are 0.25 away, the misses 1, 0.75 and 0.75; the last row has no hit."""
    X, y = np.array([[0.0], [0.25], [1.0]]), [0, 0, 1]
    got = weights("Relief", X, y, power=2)
    assert got[0] == pytest.approx((1.0 + 0.75**2 + 0.75**2 - 2 * 0.25**2) / 3)
    assert weights("Relief", X, y)[0] == pytest.approx((1.0 + 0.75 + 0.75 - 2 * 0.25) / 3)


def test_figure_3_4_takes_the_nearest_by_euclidean_distance():
    """From (0, 0) the row (0.6, 0) is nearer than (0.4, 0.4) by sums, and farther by squares (0.36 and 0.32)."""
    X = np.array([[0.0, 0.0], [0.6, 0.0], [0.4, 0.4], [1.0, 1.0]])
    y = [0, 1, 1, 0]
    # The first seed with which the only drawn row is the first one.
    seed = next(s for s in range(100) if np.random.default_rng(s).choice(4, 1, replace=False)[0] == 0)
    got = {q: weights("Relief", X, y, power=q, n_samples=1, random_state=seed) for q in (1, 2)}
    np.testing.assert_allclose(got[1], [0.6 - 1.0, 0.0 - 1.0])
    np.testing.assert_allclose(got[2], [0.16 - 1.0, 0.16 - 1.0])


def test_facts_of_figure_3_4(rng):
    """A 0/1 feature that is the class weighs 1, a constant 0, all lie in [-1, 1]; levels are their own squares."""
    y = np.arange(40) % 2
    X = np.column_stack([y, rng.random(40), np.full(40, 3.0), rng.integers(0, 3, 40)])
    got = weights("Relief", X, y, power=2, categorical_features=[3])
    assert (got[0], got[2]) == (1.0, 0.0)
    assert (np.abs(got) <= 1).all()
    levels = rng.integers(0, 4, size=(40, 5))
    given = {"categorical_features": [0, 1, 2, 3, 4]}
    np.testing.assert_array_equal(weights("Relief", levels, y, power=2, **given), weights("Relief", levels, y, **given))


@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e-154, 1e154, 1e200, 1e300])
@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("ramp", [None, (0.1, 0.9)])
def test_columns_may_have_any_scale(scale, power, ramp):
    """Squares of differences beyond 1e154 overflow, and below 1e-154 vanish; their fractions of the range do not."""
    X, y = np.array([[1.0, 0.0], [2.0, 1.0], [8.0, 0.0], [9.0, 1.0], [4.0, 1.0]]), [0, 0, 1, 1, 0]
    want = weights("Relief", X, y, power=power, ramp=ramp)
    np.testing.assert_allclose(weights("Relief", X * [scale, 1.0], y, power=power, ramp=ramp), want, rtol=1e-12)


def test_the_mean_diff_of_a_missing_level_is_squared():
    """Its class has each of two levels once: 1/2 to its hits and misses at that level, squared 1/4."""
    X = np.array([[0.0, 0.0], [0.1, 1.0], [0.2, np.nan], [1.0, 0.0]])
    y = [0, 0, 0, 1]
    got = {q: weights("Relief", X, y, power=q, categorical_features=[1])[1] for q in (1, 2)}
    # Nearest hits of rows 0 to 2: rows 2, 2, 1. Nearest miss of row 3: by sums row 0 (1 to 1.3), by squares row 2
    # (0.64 + 0.25 to 1).
    np.testing.assert_allclose(got[1], ((0 + 1 + 1 / 2 + 0) - (1 / 2 + 1 / 2 + 1 / 2)) / 4)
    np.testing.assert_allclose(got[2], ((0 + 1 + 1 / 4 + 1 / 4) - (1 / 4 + 1 / 4 + 1 / 4)) / 4)


@pytest.mark.parametrize("power", [0, 3, 1.5, 2.0, "2", None])
def test_other_powers_are_refused(power):
    with pytest.raises(ValueError, match="'power' parameter of Relief must be"):
        landed("Relief")(power=power).fit(FOUR, FOUR_CLASSES)


@pytest.mark.parametrize("n_rare", [1, 3, 5, 6])
def test_a_class_of_at_most_k_rows_divides_by_its_other_rows(n_rare, rng):
    """The Notes of ReliefF: its hits are m - 1 rows; scikit-rebate counts the row itself, of diff 0, and divides by m.

    Both take all m rows as misses, so that the scores differ by the m-th part of the mean hit diffs of the rare rows.
    """
    k, n = 5, 30
    X, y = rng.normal(size=(n, 4)), (np.arange(n) < n_rare).astype(int)
    table = diffs(X, y)
    ours = weights("ReliefF", X, y, n_neighbors=k)
    np.testing.assert_allclose(ours, relieff(X, y, k), atol=1e-9)
    rare = range(n_rare)
    others = {r: [j for j in rare if j != r] for r in rare}
    apart = sum((table[r, others[r]].mean(axis=0) / n_rare / n for r in rare if others[r]), np.zeros(4))
    theirs = relieff(X, y, k, own_hits=True)
    np.testing.assert_allclose(theirs - ours, apart if n_rare <= k else 0.0, atol=1e-9)
    assert (np.abs(theirs - ours).max() > 1e-4) == (1 < n_rare <= k)


CLASS_METHODS = ["Relief", "ReliefF", "ReliefRatio", "SURF", "SURFStar", "MultiSURF", "MultiSURFStar"]


@pytest.mark.parametrize("name", CLASS_METHODS)
def test_invariances(name, rng):
    """Of class relabelling, permuted features, affine maps of numbers (also turned round) and permuted levels."""
    X, y = rng.normal(size=(40, 5)), np.arange(40) % 2
    X[:, 4] = rng.integers(0, 4, 40)
    given = {"categorical_features": [4]}
    plain = weights(name, X, y, **given)
    np.testing.assert_allclose(weights(name, X, np.where(y == 0, "z", "a"), **given), plain, rtol=1e-9)
    order = np.array([3, 4, 0, 2, 1])
    np.testing.assert_allclose(weights(name, X[:, order], y, categorical_features=[1]), plain[order], rtol=1e-9)
    moved = X * [3.0, -2.0, 1e-4, 1e5, 1.0] + [5.0, 0.0, 7.0, -1e5, 0.0]
    moved[:, 4] = np.array([7, 2, 9, 0])[X[:, 4].astype(int)]
    np.testing.assert_allclose(weights(name, moved, y, **given), plain, rtol=1e-6, atol=1e-9)


def test_rrelieff_knows_no_affine_map_of_the_target(rng):
    X, y = rng.normal(size=(40, 3)), rng.normal(size=40)
    plain = weights("RReliefF", X, y)
    np.testing.assert_allclose(weights("RReliefF", X, 5.0 - 3e4 * y), plain, rtol=1e-9)


@pytest.mark.parametrize("name", ["Relief", "ReliefF", "RReliefF", "ReliefRatio"])
def test_fractiond_ties_know_no_order_of_rows(name, rng):
    X, y = rng.integers(0, 3, size=(40, 4)), np.arange(40) % 2
    order = rng.permutation(40)
    given = {"ties": "average", "categorical_features": [0, 1, 2, 3]}
    np.testing.assert_allclose(
        weights(name, X[order], y[order], **given), weights(name, X, y, **given), rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("name", [*CLASS_METHODS, "RReliefF"])
def test_missing_values_of_a_nominal_feature_take_shares_of_their_class(name, rng):
    """Rows alike in all but a constant class fraction: a weight that can be told by hand is reached by the formula."""
    X, y = rng.normal(size=(30, 3)), np.arange(30) % 2
    X[:, 2] = np.nan
    got = weights(name, X, y, categorical_features=[2])
    assert got[2] == 0.0
    np.testing.assert_allclose(got[:2], weights(name, X[:, :2], y), rtol=1e-9)


def test_weight_of_a_feature_that_is_missing_in_one_class():
    """A class without known values takes those of all rows: 1/2 from misses; 1 from two hits, 1/2 from the others."""
    X = np.array([[0.0, 0.0], [0.0, 1.0], [0.5, np.nan], [0.5, np.nan]])
    y = [0, 0, 1, 1]
    np.testing.assert_allclose(weights("ReliefF", X, y, n_neighbors=1, categorical_features=[1]), [1.0, -0.25])


SURFS = CLASS_METHODS[3:]


@pytest.mark.parametrize(
    ("data", "name", "given"),
    [
        *((data, name, {}) for data in ("gametes_2way_20", "gametes_2way_20_h01") for name in [*SURFS, "ReliefF"]),
        *(("gametes_2way_1000", name, {}) for name in ("MultiSURF", "MultiSURFStar", "SURFStar")),
        # Ten neighbours among a thousand irrelevant features are too noisy.
        ("gametes_2way_1000", "ReliefF", {"n_neighbors": 200}),
        ("gametes_3way_20", "ReliefF", {}),
        ("parity5_5", "ReliefF", {"ties": "average"}),
        ("parity5_5", "Relief", {"ties": "average"}),
        ("mofn_3_7_10", "ReliefF", {"ties": "average"}),
        ("parity5_5", "RReliefF", {"ties": "average"}),
        ("parity5_5", "ReliefRatio", {"n_neighbors": 10, "ties": "average"}),
        ("gametes_2way_20", "ReliefRatio", {}),
        ("gametes_2way_20", "RReliefF", {}),
    ],
)
def test_relevant_features_are_on_top(data, name, given, shared_data):
    stored = shared_data(data)
    relevant = set(stored["relevant"].tolist())
    found = landed(name)(len(relevant), **given).fit(stored["X"].astype(float), stored["y"]).selection_
    assert set(found.indices.tolist()) == relevant
