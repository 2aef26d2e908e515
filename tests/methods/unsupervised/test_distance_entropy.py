"""DistanceEntropy against plain loops over all pairs of rows, and the facts of its catalogue entry."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import DBSCAN, KMeans

import fewer
from fewer.core.records.errors import FewerError
from fewer.methods.unsupervised._distance_entropy import valley
from fewer.methods.unsupervised._distance_sums import unit_rows
from oracles import distances as oracle

FORMS = [
    {"form": "similarity"},
    {"form": "peak"},
    {"form": "peak", "mu": "valley"},
    {"form": "peak", "mu": 0.3, "beta": 2.0},
]


def rows(seed, n=14, d=5, digits=None):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4, d) + rng.normal(size=d)
    X[:, 1] += 5 * X[:, 1].std() * rng.integers(0, 2, n)
    return X if digits is None else rng.integers(0, digits, (n, d)).astype(float)


def nested(found):
    """Entropies by number of features, sums as in the papers."""
    table = found.selection_.tables["entropy"].columns
    return dict(zip(table["features"], table["entropy"]))


@pytest.mark.parametrize("how", FORMS)
@pytest.mark.parametrize("seed", range(3))
def test_forward_agrees_with_loops(how, seed):
    X = rows(seed, digits=3 if seed == 2 else None)
    order, values = oracle.forward(X, **how)
    found = fewer.DistanceEntropy(None, **how).fit(X)
    assert found.selection_.indices.tolist() == order
    np.testing.assert_allclose([nested(found)[k + 1] for k in range(len(order))], values, rtol=1e-8)
    best = fewer.DistanceEntropy(**how).fit(X).selection_
    assert best.indices.tolist() == order[: int(np.argmin(values)) + 1]


@pytest.mark.parametrize("how", FORMS)
@pytest.mark.parametrize("metric", ["euclidean", "pearson"])
@pytest.mark.parametrize("seed", range(2))
def test_backward_agrees_with_loops(how, metric, seed):
    X = rows(seed)
    if metric == "pearson":
        X = np.random.default_rng(seed).normal(size=(12, 5))
    order, values = oracle.backward(X, metric=metric, **how)
    found = fewer.DistanceEntropy(None, direction="backward", metric=metric, **how).fit(X)
    assert found.selection_.order.tolist() == order
    for size, value in nested(found).items():
        assert value == pytest.approx(values[size], rel=1e-8, abs=1e-10)


@settings(max_examples=15)
@given(st.integers(0, 2**32 - 1), st.sampled_from(FORMS), st.booleans())
def test_orders_agree_with_loops_on_ties_copies_levels_and_far_rows(seed, how, forward):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(3, 12)), int(rng.integers(2, 6))
    X = rng.integers(0, 4, (n, d)) + rng.choice([0.0, 0.1, 1e9]) * rng.integers(0, 2, (n, d))
    X[:, -1] = X[:, 0]
    X[0] += [j % 2 for j in range(d)]
    X = X[:, [np.ptp(x) > 0 for x in X.T]]
    if not X.shape[1]:
        return
    nominal = (rng.random(X.shape[1]) < 0.3).tolist()
    order, _ = (oracle.forward if forward else oracle.backward)(X, nominal=nominal, **how)
    direction, levels = "forward" if forward else "backward", np.flatnonzero(nominal)
    found = fewer.DistanceEntropy(None, direction=direction, categorical_features=levels, **how).fit(X)
    for size, value in nested(found).items():
        chosen = found.selection_.order[:size]
        assert value == pytest.approx(oracle.entropy(X, chosen, nominal=nominal, **how), rel=1e-7, abs=1e-9)
    # Entropies that agree to ten digits may be ordered either way by rounding beyond them.
    first = [oracle.entropy(X, list(path[:1]), nominal=nominal, **how) for path in (order, found.selection_.order)]
    if forward:
        assert first[0] == pytest.approx(first[1], rel=1e-8, abs=1e-9)


def test_levels_differ_by_one():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 3, 15), rng.normal(size=15), rng.integers(0, 4, 15), rng.normal(size=15)])
    nominal = [True, False, True, False]
    order, values = oracle.forward(X, nominal=nominal)
    found = fewer.DistanceEntropy(None, categorical_features=[0, 2]).fit(X)
    assert found.selection_.indices.tolist() == order
    np.testing.assert_allclose(list(nested(found).values()), values, rtol=1e-8)
    frame = pd.DataFrame({"a": list("xyz" * 5), "b": X[:, 1]})
    assert fewer.DistanceEntropy(None).fit(frame).selection_.meta["data"]["n_nominal"] == 1


def test_the_peak_is_zero_at_both_ends_and_one_between():
    """E(0) = 0, E(mu) = 1, E(1) = 0, and between 0 and 1."""
    for mu in (0.2, 0.5, 0.9):
        ends = [oracle.peak(d, mu, 10.0) for d in (0.0, mu, 1.0)]
        assert ends == pytest.approx([0.0, 1.0, 0.0])
        # Three rows on a line at 0, mu and 1: distances mu, 1 - mu and 1.
        wanted = 1.0 + oracle.peak(1 - mu, mu, 10.0)
        found = fewer.DistanceEntropy(form="peak", mu=mu).fit([[0.0], [mu], [1.0]])
        assert nested(found)[1] == pytest.approx(wanted)
        assert 0 <= wanted <= 3


@pytest.mark.parametrize("how", FORMS[:2])
def test_tight_clusters_far_apart_have_no_entropy(how):
    X = np.repeat([[0.0, 0.0], [1.0, 1.0]], 10, axis=0)
    worth = fewer.DistanceEntropy(None, **how).fit(X).scores_
    # All similarities are 1 or 2^(-n pairs / pairs between), for which the form of 1997 is not 0.
    if how["form"] == "peak":
        np.testing.assert_array_equal(worth, 0.0)
    s = 2.0 ** -(190 / 100)
    if how["form"] == "similarity":
        each = -(s * math.log(s) + (1 - s) * math.log(1 - s)) * 100 / 190
        np.testing.assert_allclose(worth, -each)


@pytest.mark.parametrize("how", FORMS)
def test_scaling_and_copying_a_subset_changes_nothing(how):
    X = rows(0)
    value = fewer.DistanceEntropy(None, **how).fit(X)
    twice = fewer.DistanceEntropy(None, **how).fit(np.hstack([X, 3.0 * X]))
    assert nested(twice)[10] == pytest.approx(nested(value)[5], rel=1e-9)


def test_valleys():
    assert valley(np.array([5] * 20 + [0] * 60 + [9] * 20)) == 0.5
    assert valley(np.array([9] * 10 + [0] * 10 + [9] * 80)) == pytest.approx(0.15)
    assert valley(np.arange(100)) == 0.5


def test_rows_correlate_as_if_computed_again():
    """Also where one feature holds nearly all that varies in a row, and where nothing is left without it."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9, 4)) * 1e-7 + 3.0
    X[:5, 1] += 1e3 * rng.normal(size=5)
    X[5, [0, 2, 3]] = X[5, 0]
    X[6] = 1.0
    how = {"metric": "pearson", "form": "similarity"}
    criterion = fewer.DistanceEntropy(None, direction="backward", **how).criterion
    order, values = oracle.backward(X, **how)
    found = fewer.DistanceEntropy(None, direction="backward", **how).fit(X)
    assert found.selection_.order.tolist() == order
    assert nested(found)[3] == pytest.approx(values[3], rel=1e-6)
    assert criterion.metric == "pearson"
    np.testing.assert_array_equal(unit_rows(np.ones((2, 3))), 0.0)


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_constant_columns_are_never_kept(direction):
    X = rows(1)
    plain = fewer.DistanceEntropy(None, direction=direction).fit(X).selection_
    wide = fewer.DistanceEntropy(None, direction=direction).fit(np.insert(X, 2, 7.0, axis=1)).selection_
    old = np.array([0, 1, 3, 4, 5])
    assert wide.indices.tolist() == old[plain.indices].tolist()
    assert wide.reason(2).kind == "irrelevant"
    assert "one value" in str(wide.reason(2))
    assert wide.order[-1] == 2


def test_rows_that_are_all_equal_leave_nothing():
    found = fewer.DistanceEntropy().fit(np.ones((4, 3))).selection_
    assert len(found) == 0
    assert {found.reason(j).kind for j in range(3)} == {"irrelevant"}
    again = fewer.DistanceEntropy(None).fit([[0.0, 1.0], [0.0, 1.0], [1.0, 1.0]]).selection_
    assert again.indices.tolist() == [0]


def test_units_far_from_one_change_nothing():
    X = rows(3)
    plain = fewer.DistanceEntropy(None).fit(X)
    for factor in (1e-150, 1e150):
        again = fewer.DistanceEntropy(None).fit(X * factor)
        np.testing.assert_allclose(again.scores_, plain.scores_, rtol=1e-9)
    with pytest.raises(ValueError, match="overflows"):
        fewer.DistanceEntropy().fit([[1e308, 1.0], [-1e308, 2.0]])


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")  # of the reader, which adds all numbers up
def test_rows_of_huge_numbers_correlate():
    X = np.random.default_rng(0).uniform(0.4, 0.9, (8, 4)) * np.array([1.0, -1.0, 1.0, -1.0])
    how = {"direction": "backward", "metric": "pearson"}
    a, b = (fewer.DistanceEntropy(None, **how).fit(Z).scores_ for Z in (X, X * 1e308))
    np.testing.assert_allclose(a, b, rtol=1e-9)


def test_an_independent_clusterer_finds_the_size():
    """Three groups that two features show together; noise spoils the clusters of more."""
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0], [0.0, 8.0], [8.0, 4.0]])
    X = np.hstack([centres[rng.integers(0, 3, 90)] + 0.5 * rng.normal(size=(90, 2)), rng.uniform(size=(90, 6))])
    for clusterer in (3, KMeans(3, n_init=5, random_state=0)):
        found = fewer.DistanceEntropy(clusterer=clusterer).fit(X).selection_
        assert sorted(found.indices.tolist()) == [0, 1]
        curve = found.tables["curve"].columns
        assert curve["mean agreement"][1] == max(curve["mean agreement"]) > 0.95
    few = fewer.DistanceEntropy("parsimonious:2-4", clusterer=3).fit(X).selection_
    assert 2 <= len(few) <= 4


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"metric": "pearson"}, "direction='backward'"),
        ({"clusterer": DBSCAN()}, "with predict"),
        ({"clusterer": 0}, "from 1 on"),
        ({"clusterer": 3, "n_features_to_select": 2}, "between sizes"),
        ({"n_features_to_select": "parsimonious"}, "no standard error"),
        ({"n_features_to_select": "gain:0.1"}, "whatever is gained"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(params, words):
    with pytest.raises(FewerError, match=words):
        fewer.DistanceEntropy(**params).fit(rows(0))


def test_the_criterion_serves_any_search():
    """Steps of one feature have the values of whole subsets, and subsets are found by every search."""
    X = rows(4, n=20)
    criterion = fewer.DistanceEntropy.criterion
    best = (
        fewer.Selector(criterion, search="exhaustive", n_features_to_select="best").fit(X, np.arange(20) % 2).selection_
    )
    values = {s: -oracle.entropy(X, s) for k in (1, 2, 3) for s in combinations(range(5), k)}
    assert tuple(sorted(best.indices.tolist())) == max(values, key=values.get)


def test_correlations_of_two_features_tie_exactly():
    """Rows on two features are correlated by 1 or -1 whatever was removed before: the higher number leaves."""
    rng = np.random.default_rng(41)
    rng.integers(2, 14), rng.integers(1, 6), rng.integers(0, 6)
    X = rng.normal(size=(9, 5))
    X[0] = 1e6
    made = fewer.DistanceEntropy(metric="pearson", direction="backward", form="peak", mu="valley").fit(X)
    assert made.selection_.indices.tolist() == [1, 2]


def test_distances_on_the_edge_of_a_bin_are_counted_alike():
    """0.29 * 100 is 28.999999999999996 as a product."""
    from fewer.core.kernels.pair_entropy import histograms

    Z = np.array([[0.0], [0.29], [1.0]])
    counts, none = np.zeros((1, 100), np.int64), np.empty(0, np.int64)
    histograms(0, Z, Z, np.zeros((1, 1)), none, np.array([0]), 0, 3, np.array([1.0]), counts)
    assert np.flatnonzero(counts[0]).tolist() == [29, 71, 99]


def test_the_rule_counts_one_feature_in_words():
    assert "of the first is" in fewer.DistanceEntropy().fit(rows(1)).selection_.reasons.rule
