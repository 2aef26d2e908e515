"""Rank entropy, rank mutual information, broken monotonicity and rank loss against plain loops."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fewer.core.measures.monotone import (
    Violations,
    feature_violations,
    rank_entropy,
    rank_loss,
    rank_mutual_information,
    violations,
)
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.runners.threads import ThreadRunner
from oracles.ordinal_margins import broken_pairs, rank_information

SIDES = ("ascending", "descending", "both")


def tables(max_rows=14):
    rows = st.integers(1, max_rows)
    return rows.flatmap(lambda n: st.tuples(arrays(np.int64, (n, 3), elements=st.integers(-3, 3)),
                                            arrays(np.int64, n, elements=st.integers(0, 3))))  # fmt: skip


@given(tables(), st.sampled_from(SIDES))
def test_rank_information_agrees_with_its_definition(table, side):
    X, y = table
    got = rank_mutual_information(X, y, side)
    np.testing.assert_allclose(got, [rank_information(x, y, side) for x in X.T], atol=1e-12)
    falling = rank_mutual_information(X, y, side, [-1, -1, -1])
    np.testing.assert_allclose(falling, [rank_information(-x, y, side) for x in X.T], atol=1e-12)
    np.testing.assert_array_equal(rank_mutual_information(X, y, side, [0, 0, 0]), np.maximum(got, falling))


@given(tables())
def test_broken_pairs_agree_with_loops(table):
    X, y = table
    assert violations(X, y)[:] == broken_pairs(X, y)
    alone = feature_violations(X, y)
    assert list(zip(alone.comparable, alone.violated)) == [broken_pairs(X[:, [f]], y) for f in range(3)]
    turned = feature_violations(X, y, [-1, 0, 1])
    falling = broken_pairs(-X[:, [0]], y)[1]
    either = min(broken_pairs(X[:, [1]], y)[1], broken_pairs(-X[:, [1]], y)[1])
    assert turned.violated.tolist() == [falling, either, alone.violated[2]]
    assert violations(X, y, [1, 0, -1])[:] == broken_pairs(X[:, [0, 2]] * [1, -1], y)


@pytest.mark.parametrize("side", SIDES)
def test_information_of_a_column_with_itself_is_its_entropy(rng, side):
    x = rng.integers(0, 6, 40)
    assert rank_mutual_information(x[:, None], x, side)[0] == pytest.approx(rank_entropy(x, side))


@pytest.mark.parametrize("side", SIDES)
def test_information_is_at_most_either_entropy_and_symmetric(rng, side):
    for _ in range(20):
        x, y = rng.integers(0, 5, 30), rng.integers(0, 3, 30)
        found = rank_mutual_information(x[:, None], y, side)[0]
        assert found <= min(rank_entropy(x, side), rank_entropy(y, side)) + 1e-12
        assert found == pytest.approx(rank_mutual_information(y[:, None], x, side)[0])


def test_entropy_of_distinct_values_and_of_a_constant():
    n = 7
    assert rank_entropy(range(n)) == pytest.approx(-sum(math.log(k / n) for k in range(1, n + 1)) / n)
    assert rank_entropy(range(n), "descending") == pytest.approx(rank_entropy(range(n)))
    assert rank_entropy([3, 3, 3]) == 0.0
    # 3 rows at 0 reach all, 1 row at 1 reaches itself: ln(4) / 4; from below: three rows reach 3 of 4.
    assert rank_entropy([0, 0, 0, 1]) == pytest.approx(math.log(4) / 4)
    assert rank_entropy([0, 0, 0, 1], "descending") == pytest.approx(-3 * math.log(3 / 4) / 4)


def test_a_constant_has_exactly_no_information_and_a_falling_feature_a_negative_one(rng):
    y = np.repeat([0, 1, 2], 30)
    X = np.column_stack([np.full(90, 5.0), -y + 0.01 * rng.random(90), y])
    constant, falling, rising = rank_mutual_information(X, y)
    assert constant == 0.0
    assert falling < 0 < rising == pytest.approx(rank_entropy(y))


def test_a_relevant_feature_that_is_not_monotone_has_little_rank_information():
    y = np.repeat([0, 1, 2], 40)
    peak = np.where(y == 1, 1.0, 0.0)
    # The middle class reaches 40 rows by the feature, 80 by the class and 40 by both; the others say nothing.
    assert rank_mutual_information(peak[:, None], y)[0] == pytest.approx(math.log(120 * 40 / (40 * 80)) / 3)
    assert rank_mutual_information(peak[:, None], y)[0] < rank_mutual_information(y[:, None], y)[0] / 3


def test_only_the_order_of_values_and_classes_counts(rng):
    X, y = rng.normal(size=(60, 4)), rng.integers(0, 4, 60)
    got = rank_mutual_information(X, y)
    np.testing.assert_array_equal(rank_mutual_information(np.exp(3 * X), np.array([-7, 0, 0.5, 90])[y]), got)
    np.testing.assert_array_equal(violations(X, y), violations(np.exp(X), y**3))


def test_threads_change_nothing(rng):
    X, y = rng.integers(0, 9, (600, 3)).astype(float), rng.integers(0, 4, 600)
    with ThreadRunner(2) as run:
        np.testing.assert_array_equal(rank_mutual_information(X, y, run=run), rank_mutual_information(X, y))
        assert violations(X, y, run=run) == violations(X, y)
        np.testing.assert_array_equal(feature_violations(X, y, run=run), feature_violations(X, y))


def test_monotone_data_break_no_pair_and_reversed_classes_break_all():
    X = np.arange(12.0)[:, None] * [1.0, 2.0]
    y = np.arange(12) // 4
    assert violations(X, y).share == 0.0
    assert violations(X, -np.arange(12)) == Violations(66, 66)
    # Equal rows of different classes contradict whatever comes first.
    assert violations([[1, 1], [1, 1]], [0, 1]) == Violations(1, 1)
    # Nothing compares, nothing is broken.
    assert violations([[0, 1], [1, 0]], [0, 1]) == Violations(0, 0)
    assert violations([[0, 1], [1, 0]], [0, 1]).share == 0.0


def test_rank_loss_counts_classes_between():
    """Eq. 13 of Hu et al. 2012 with p = 1."""
    assert rank_loss([1, 2, 3, 4], [1, 3, 1, 4]) == 0.75
    assert rank_loss([10, 20, 40], [10, 40, 10]) == pytest.approx((0 + 1 + 2) / 3)
    # A class that neither list holds counts only if the order names it.
    assert rank_loss([0, 2], [2, 2]) == 0.5
    assert rank_loss([0, 2], [2, 2], [0, 1, 2]) == 1.0
    with pytest.raises(ParameterError, match="lacks the class 3"):
        rank_loss([0, 3], [0, 0], [0, 1, 2])
    with pytest.raises(InputError, match="shapes"):
        rank_loss([0, 1], [0])


def test_what_cannot_be_is_said():
    with pytest.raises(ParameterError, match="side='up'"):
        rank_entropy([1, 2], "up")
    with pytest.raises(ParameterError, match="one of -1, 0 and 1 for each of 2"):
        violations([[1, 2]], [0], [1])
    with pytest.raises(InputError, match="pass X\\[:, None\\]"):
        rank_mutual_information([1, 2], [0, 1])


@pytest.mark.parametrize("measure", [violations, feature_violations, rank_mutual_information])
def test_gaps_and_text_are_refused(measure):
    """A gap compares with nothing: single features would be counted for ever, and pairs as if they were equal."""
    with pytest.raises(InputError, match="NaN in X.*fill in or drop"):
        measure([[1.0], [np.nan], [2.0]], [0, 1, 1])
    with pytest.raises(InputError, match="NaN in y"):
        measure([[1.0], [3.0], [2.0]], [0, np.nan, 1])
    with pytest.raises(InputError, match="y of type .* but compares numbers"):
        measure([[1.0], [3.0]], ["low", "high"])
    with pytest.raises(InputError, match="X of type .* but compares numbers"):
        measure([["a"], ["b"]], [0, 1])


def test_an_entropy_needs_values():
    for values, words in (([], "not empty"), ([[1, 2]], "one column"), ([1, np.nan], "NaN"), (["a", "b"], "numbers")):
        with pytest.raises(InputError, match=words):
            rank_entropy(values)


def test_losses_of_classes_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="both as numbers or both as text"):
        rank_loss([1, 2], ["1", "2"])
    with pytest.raises(ParameterError, match="a class twice"):
        rank_loss([0, 1], [1, 1], [0, 1, 1])
