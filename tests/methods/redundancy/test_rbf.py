"""The redundancy-based filter against plain loops, and what the catalogue says of it (book ch. 17)."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fewer.methods.redundancy.rbf import RBF
from oracles import redundancy as oracle

BITS = np.array(list(product([0, 1], repeat=3)))
# Section 17.2.1: free bits F1, F2, F4; F3 and F5 are the complements of F2 and F4.
BOOLEAN = np.column_stack([BITS[:, 0], BITS[:, 1], 1 - BITS[:, 1], BITS[:, 2], 1 - BITS[:, 2]])


def fit(X, y, **more):
    return RBF(**{"discretizer": None, **more}).fit(X, y).selection_


def assert_follows_oracle(X, y, seeds=()):
    got = fit(X, y, seeds=list(seeds))
    kept, taken, pairs = oracle.rbf(X, y, seeds)
    assert got.indices.tolist() == kept
    np.testing.assert_allclose(got.scores, oracle.relevances(X, y), atol=1e-12)
    assert got.trace.evaluations == pairs
    for j, (by, amount) in taken.items():
        reason = got.reason(j)
        if reason.kind == "irrelevant":
            assert oracle.uncertainty(X[:, j], y) < 1e-10
            assert oracle.conditional(X[:, j], y, X[:, by]) < 1e-10
        else:
            assert (reason.kind, reason.related) == ("redundant", (f"x{by}",))
            assert reason.amount == pytest.approx(amount, abs=1e-12)


@pytest.mark.parametrize("name", oracle.DATA)
@pytest.mark.parametrize("seeds", [(), (5, 0)])
def test_plain_loops(name, seeds):
    assert_follows_oracle(*oracle.DATA[name], seeds)


@settings(max_examples=40, deadline=None)
@given(arrays(np.int64, (12, 6), elements=st.integers(0, 3)), arrays(np.int64, 12, elements=st.integers(0, 2)))
def test_plain_loops_on_made_up_tables(X, y):
    y[:2] = 0, 1
    assert_follows_oracle(X, y)


@pytest.mark.parametrize("g", [np.bitwise_and, np.bitwise_or])
def test_boolean_example(g):
    """Catalogue, RBF: ISU = (0.343711, 0.343711, 0.343711, 0, 0), the CSU below, and {F1, F2} is chosen."""
    y = g(BOOLEAN[:, 0], BOOLEAN[:, 1])
    got = fit(BOOLEAN, y)
    np.testing.assert_allclose(got.scores, [0.343711, 0.343711, 0.343711, 0, 0], atol=5e-7)
    assert got.scores[0] == got.scores[1] == got.scores[2]
    assert got.indices.tolist() == [0, 1]
    assert got.reason(2).related == ("x1",)
    assert got.reason(2).amount == pytest.approx(0.343711, abs=5e-7)
    for pair, value in {(0, 1): 0.577160, (0, 2): 0.577160, (0, 3): 0.221450, (0, 4): 0.221450}.items():
        seeded = fit(BOOLEAN, y, seeds=[pair[0]])
        assert oracle.combined(BOOLEAN, y, *pair) == pytest.approx(value, abs=5e-7)
        assert (pair[1] in oracle.rbf(BOOLEAN, y)[1]) == (pair[1] not in seeded.indices)
    assert [got.reason(j).kind for j in (3, 4)] == ["irrelevant", "irrelevant"]


def test_combined_uncertainties_of_the_boolean_example():
    """Catalogue, RBF: CSU(1,2) = CSU(1,3) = 0.577160, CSU(1,4) = CSU(1,5) = 0.221450, CSU(2,3) = 0.343711 for AND."""
    from fewer.core.criteria.uncertainties import Uncertainties
    from fewer.core.discretize.codes import codes_view

    selector = RBF(discretizer=None)
    with selector._open_runner(BOOLEAN) as run:
        data = selector._read(BOOLEAN, BOOLEAN[:, 0] & BOOLEAN[:, 1], None, run, selector.check())
        known = Uncertainties.of(codes_view(data, None))
        pairs, more = known.of_pairs(np.arange(1, 5), 0)
        np.testing.assert_allclose(pairs, [0.577160, 0.577160, 0.221450, 0.221450], atol=5e-7)
        np.testing.assert_allclose(more[2:], 0, atol=1e-12)
        assert known.of_pairs(np.array([2]), 1)[0][0] == pytest.approx(0.343711, abs=5e-7)


def test_xor_depends_on_the_order_of_equals():
    """Catalogue, RBF: XOR gives [F1, F2] in the order F1..F5, but [F4] in the order F4, F5, F1, F2, F3."""
    y = BOOLEAN[:, 0] ^ BOOLEAN[:, 1]
    assert fit(BOOLEAN, y).indices.tolist() == [0, 1]
    assert fit(BOOLEAN[:, [3, 4, 0, 1, 2]], y).indices.tolist() == [0]
    assert oracle.combined(BOOLEAN, y, 0, 1) == pytest.approx(2 / 3)


@pytest.mark.parametrize("seed", range(6))
def test_invariants(seed):
    """Catalogue, RBF: copies and complements at the end change nothing, no kept one is covered by one before it."""
    X, y = oracle.tables(seed)
    first = fit(X, y)
    chosen = X[:, first.indices]
    again = fit(np.column_stack([X, chosen, chosen.max() - chosen]), y)
    assert again.indices.tolist() == first.indices.tolist()
    scores = oracle.relevances(X, y)
    for k, j in enumerate(first.indices):
        assert not any(scores[i] >= oracle.combined(X, y, i, j) - 1e-10 for i in first.indices[:k])
    # One column is constant and takes no part.
    assert X.shape[1] - 2 <= first.trace.evaluations <= (X.shape[1] - 1) * (X.shape[1] - 2) // 2


def test_a_constant_is_never_kept_unless_it_is_a_seed():
    """Equal uncertainties of 0 made the lowest number the first of the list, and that always stays."""
    X, y = np.column_stack([np.full(8, 3), BITS[:, :2]]), BITS[:, 0] ^ BITS[:, 1]
    assert fit(X, y).indices.tolist() == [1, 2]
    assert fit(X, y).reason(0).kind == "irrelevant"
    assert fit(X[:, [0]], y).indices.tolist() == []
    assert fit(X, y, seeds=[0]).indices.tolist()[0] == 0


@pytest.mark.parametrize("seed", range(4))
def test_names_of_levels_and_classes_do_not_matter(seed):
    """Catalogue, RBF: relabelling the classes or the values of a feature changes nothing."""
    X, y = oracle.tables(seed)
    rng = np.random.default_rng(seed)
    other = np.column_stack([rng.permutation(column.max() + 1)[column] for column in X.T])
    first, again = fit(X, y), fit(other, rng.permutation(y.max() + 1)[y])
    np.testing.assert_array_equal(again.indices, first.indices)
    np.testing.assert_array_equal(again.scores, first.scores)
    np.testing.assert_array_equal(again.order, first.order)


@pytest.mark.parametrize("seed", range(4))
def test_the_other_form_of_the_condition(seed):
    """Catalogue, ch. 17: ISU_i >= CSU_ij just if I(F_j; C | F_i) <= ISU_i H(F_j | F_i) / 2."""
    X, y = oracle.tables(seed)
    kept, taken, _ = oracle.rbf(X, y)
    assert all(oracle.gone_by_conditional_information(X, y, i, j) for j, (i, _) in taken.items())
    got = fit(X, y)
    for k, j in enumerate(got.indices):
        assert not any(oracle.gone_by_conditional_information(X, y, i, j) for i in got.indices[:k])


def test_functions_of_a_kept_feature_go():
    """Catalogue, ch. 17: constants, copies and any function of a kept feature are always removed."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    top = (y * 2 + (rng.random(300) < 0.3)) % 6
    X = np.column_stack([top, top // 2, 5 - top, np.full(300, 3), top % 2])
    got = fit(X, y, seeds=[0])
    assert got.indices.tolist() == [0]
    assert got.reason(3).kind == "irrelevant"
    assert got.reason(1).related == ("x0",)


def test_seeds_come_first_and_stay():
    """Catalogue, RBF: seeds are put on top in the given order, are not removed, and filter the rest."""
    y = BOOLEAN[:, 0] & BOOLEAN[:, 1]
    got = fit(BOOLEAN, y, seeds=[4, 2, 1])
    assert got.indices[:3].tolist() == [4, 2, 1]
    frame = pd.DataFrame(BOOLEAN, columns=["a", "b", "c", "d", "e"])
    assert fit(frame, y, seeds=["e", "c", 1]).kept_names[:3] == ["e", "c", "b"]
    # F3 is the complement of F2: as a seed it takes F2 away.
    assert fit(BOOLEAN, y, seeds=[2]).reason(1).related == ("x2",)


@pytest.mark.parametrize(
    ("seeds", "words"),
    [([7], "numbers from 0 to 4"), (["bb"], "Did you mean b"), ([0, "a"], "twice"), ([True], "True"), ([1.5], "1.5")],
)
def test_wrong_seeds_are_refused_in_one_sentence(seeds, words):
    frame = pd.DataFrame(BOOLEAN, columns=["a", "b", "c", "d", "e"])
    with pytest.raises(ValueError, match=words):
        fit(frame, BOOLEAN[:, 0], seeds=seeds)


def test_a_number_is_a_bound():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (500, 6))
    y = X[:, 2] * 4 + X[:, 0] * 2 + X[:, 5]
    everything = fit(X, y)
    assert set(everything.indices.tolist()) == {0, 2, 5}
    two = fit(X, y, n_features_to_select=2)
    np.testing.assert_array_equal(two.indices, everything.indices[:2])
    assert two.reason(int(everything.indices[2])).kind == "not reached"
    np.testing.assert_array_equal(fit(X, y, n_features_to_select=6).indices, everything.indices)
