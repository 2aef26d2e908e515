"""The consistency filter against plain loops, and what the catalogue says of the rate (book ch. 3)."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fewer.core.runners.stream import StreamRunner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.blocks import CodesBlock
from fewer.core.views.view import View
from fewer.methods.redundancy.consistency import Consistency, ConsistencyCriterion, lowest_rate
from oracles import redundancy as oracle

CUBE = np.array(list(product([0, 1], repeat=3)))


def fit(X, y, weight=None, **more):
    return Consistency(**{"discretizer": None, **more}).fit(X, y, weight).selection_


def view_of(X, y, weight=None, run=None):
    levels = X.max(axis=0).astype(np.int64) + 1
    rows = np.ascontiguousarray(X.astype(np.uint16))
    cuts = [slice(None)] if run is None else [slice(0, len(X) // 3), slice(len(X) // 3, None)]
    blocks = [CodesBlock(rows[c], levels, y[c], None if weight is None else weight[c]) for c in cuts]
    return View(
        run or ThreadRunner(1), blocks, "codes", *X.shape, np.zeros(X.shape[1], bool), classes=np.arange(y.max() + 1),
        n_levels=levels,
    )  # fmt: skip


@pytest.mark.parametrize("name", oracle.DATA)
@pytest.mark.parametrize("max_rate", [None, 0.1])
def test_plain_loops(name, max_rate):
    X, y = oracle.DATA[name]
    got = fit(X, y, max_rate=max_rate)
    chosen, values = oracle.consistency(X, y, max_rate or 0.0)
    assert got.indices.tolist() == chosen
    np.testing.assert_allclose(got.trace.values, values, atol=1e-12)
    rest = np.setdiff1d(np.arange(X.shape[1]), chosen)
    expected = [1 - oracle.inconsistency(X, y, [*chosen[:-1], j]) for j in rest]
    np.testing.assert_allclose(got.scores[rest], expected, atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(arrays(np.int64, (14, 5), elements=st.integers(0, 2)), arrays(np.int64, 14, elements=st.integers(0, 2)))
def test_plain_loops_on_made_up_tables(X, y):
    y[:2] = 0, 1
    got, (chosen, values) = fit(X, y), oracle.consistency(X, y)
    assert got.indices.tolist() == chosen
    np.testing.assert_allclose(got.trace.values, values, atol=1e-12)


def test_rates_of_the_cube():
    """Catalogue: full 3-bit cube, y = x1 xor x2: {}: .5, {1}: .5, {1, 3}: .5, {1, 2}: 0, all: 0."""
    view, criterion = view_of(CUBE, CUBE[:, 0] ^ CUBE[:, 1]), ConsistencyCriterion()
    rates = {(): 0.5, (0,): 0.5, (0, 2): 0.5, (0, 1): 0.0, (0, 1, 2): 0.0}
    for subset, rate in rates.items():
        assert criterion.value(view, subset) == 1 - rate
    got = fit(CUBE, CUBE[:, 0] ^ CUBE[:, 1])
    assert got.indices.tolist() == [0, 1]
    assert got.reason(2).kind == "irrelevant"


@pytest.mark.parametrize("seed", range(4))
def test_the_rate_never_rises_and_is_zero_only_without_contradictions(seed):
    """Catalogue: monotone in S; the empty set has 1 - majority share; 0 just if no equal rows differ in class."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 2, (25, 5)), rng.integers(0, 3, 25)
    view, criterion = view_of(X, y), ConsistencyCriterion()
    assert criterion.value(view, ()) == pytest.approx(np.bincount(y).max() / 25)
    for k in range(5):
        for subset in combinations(range(5), k):
            value = criterion.value(view, subset)
            assert value == pytest.approx(1 - oracle.inconsistency(X, y, subset), abs=1e-12)
            assert all(criterion.value(view, (*subset, j)) >= value for j in range(5))
            groups = {tuple(row[list(subset)]): set() for row in X}
            for row, c in zip(X, y):
                groups[tuple(row[list(subset)])].add(c)
            assert (value == 1) == all(len(g) == 1 for g in groups.values())
    assert lowest_rate(view) == pytest.approx(oracle.inconsistency(X, y, range(5)), abs=1e-12)


@pytest.mark.parametrize("name", oracle.DATA)
def test_both_shapes_agree(name):
    X, y = oracle.DATA[name]
    got = fit(X, y, n_features_to_select=4)
    view = view_of(X, y)
    values = [ConsistencyCriterion().value(view, got.indices[: k + 1]) for k in range(4)]
    np.testing.assert_allclose(got.trace.values, values, atol=1e-12)


def test_the_value_of_a_subset_does_not_need_rows_in_memory():
    X, y = oracle.tables(0)
    view = view_of(X, y, run=StreamRunner(1))
    for subset in [(), (3,), (3, 7, 0), tuple(range(14))]:
        expected = 1 - oracle.inconsistency(X, y, subset)
        assert ConsistencyCriterion().value(view, subset) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("whole", [True, False])
def test_weights(whole):
    X, y = oracle.tables(3)
    rng = np.random.default_rng(0)
    weight = rng.integers(0, 4, len(y)) if whole else rng.random(len(y))
    got = fit(X, y, weight, n_features_to_select=4)
    rates = [oracle.inconsistency(X, y, got.indices[: k + 1], weight) for k in range(4)]
    np.testing.assert_allclose(1 - np.array(got.trace.values), rates, atol=1e-12)
    best = min(oracle.inconsistency(X, y, [j], weight) for j in range(X.shape[1]))
    assert rates[0] == pytest.approx(best, abs=1e-12)
    if whole:
        again = fit(np.repeat(X, weight, axis=0), np.repeat(y, weight), n_features_to_select=4)
        np.testing.assert_array_equal(again.indices, got.indices)
        np.testing.assert_array_equal(again.scores, got.scores)


def test_threads_sparse_and_row_order_change_nothing():
    X, y = oracle.tables(5)
    expected = fit(X, y)
    order = np.random.default_rng(0).permutation(len(y))
    for other in (fit(X, y, n_jobs=2), fit(scipy.sparse.csr_array(X), y), fit(X[order], y[order])):
        np.testing.assert_array_equal(other.indices, expected.indices)
        np.testing.assert_array_equal(other.scores, expected.scores)


def test_reasons_tell_after_which_feature_nothing_was_left():
    a, b = np.repeat([0, 1], 8), np.tile(np.repeat([0, 1], 4), 2)
    y = 2 * a + b
    X = np.column_stack([a, b, 1 - b, np.zeros(16, int), np.tile([0, 1], 8)])
    got = fit(X, y)
    assert got.indices.tolist() == [0, 1]
    reason = got.reason(2)
    # Before b joined, its complement would have lowered the rate from 1/2 to 0.
    assert (reason.kind, reason.related, reason.amount) == ("redundant", ("x1",), 0.5)
    assert [got.reason(j).kind for j in (3, 4)] == ["irrelevant", "irrelevant"]
    one = fit(X, y, n_features_to_select=1)
    assert [one.reason(j).kind for j in (1, 2, 3)] == ["not reached", "not reached", "irrelevant"]
    # A rule that goes back one step must not remember what the forgotten feature did.
    back = fit(X, y, n_features_to_select="gain:0.6")
    assert back.indices.tolist() == [0]
    assert [back.reason(j).kind for j in (1, 2, 3)] == ["not reached", "not reached", "irrelevant"]


def test_stops():
    X, y = oracle.tables(2)
    lowest = oracle.inconsistency(X, y, range(14))
    full = fit(X, y)
    assert 1 - full.trace.values[-1] == pytest.approx(lowest, abs=1e-12)
    assert len(full) > 2
    enough = 1 - float(np.mean(full.trace.values[:2]))
    early = fit(X, y, max_rate=enough)
    np.testing.assert_array_equal(early.indices, full.indices[:2])
    assert 1 - early.trace.values[-1] < enough < 1 - early.trace.values[-2]
    assert len(fit(X, y, n_features_to_select=12)) == 12
    assert len(fit(X, y, n_features_to_select=12, max_rate=enough)) == len(early)
    assert len(fit(X, y, n_features_to_select=1, max_rate=enough)) == 1
    # No subset can reach a rate below that of all features.
    clash = np.vstack([X, X[:1]]), np.append(y, (y[0] + 1) % 2)
    np.testing.assert_array_equal(fit(*clash, max_rate=0.0).indices, fit(*clash).indices)


def test_constant_features_only():
    for wanted in (None, 2):
        got = fit(np.ones((6, 3), int), [0, 1, 0, 1, 0, 1], n_features_to_select=wanted)
        assert got.indices.tolist() == []
        assert [got.reason(j).kind for j in range(3)] == ["irrelevant"] * 3


def test_nothing_is_kept_that_cannot_lower_the_rate():
    X = np.column_stack([np.zeros(8, int), np.tile([0, 1], 4)])
    got = fit(X, np.repeat([0, 1], 4))
    assert got.indices.tolist() == []
    assert got.reason(1).kind == "irrelevant"
    assert fit(X, np.repeat([0, 1], 4), n_features_to_select=2).indices.tolist() == [1]
