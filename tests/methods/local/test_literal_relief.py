"""ReliefF for literals against loops and the facts of section 9.4.1."""

from __future__ import annotations

import numpy as np
import pytest

import fewer
from fewer.core.neighbours.bit_rows import near_shares, packed_rows
from fewer.core.records.errors import InputError
from fewer.core.runners.threads import ThreadRunner
from fewer.methods.local.literal_relief import as_literals
from oracles.relief import relieff
from oracles.relief_models import literal_weights


def scores(X, y, **params):
    return fewer.LiteralRelief(None, **params).fit(X, y).scores_


@pytest.mark.parametrize("ties", ["first", "average"])
def test_weights_agree_with_loops(ties):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n, d = rng.integers(4, 30), rng.integers(1, 90)
        X = rng.random((n, d)) < rng.uniform(0.1, 0.9)
        X[0], X[1] = True, False
        y = rng.random(n) < 0.5
        y[:2] = [True, False]
        k = int(rng.integers(1, 6))
        truth = literal_weights(X, y.tolist(), k, ties=ties)
        np.testing.assert_allclose(scores(X, y, n_neighbors=k, ties=ties), truth, atol=1e-12)


@pytest.mark.parametrize(("here", "there", "diff", "diff_a"), [(0, 0, 0, 0), (0, 1, 1, 0), (1, 0, 1, 1), (1, 1, 0, 0)])
def test_table_9_1(here, there, diff, diff_a):
    # One positive has no hit; its nearest negative is the second row, and the third one varies the literal.
    miss = scores([[here, 1, 1, 1], [there, 0, 1, 1], [1 - there, 0, 0, 0]], [1, 0, 0], n_neighbors=1)[0]
    assert miss == diff_a
    hit = scores([[here, 1], [there, 1], [0, 0], [0, 0]], [1, 1, 0, 0], n_neighbors=1)[0]
    assert hit == (here + there) / 2 - diff


def test_what_weighs_zero_is_not_ordered_by_rounding(rng):
    # One positive row whose near negatives are its copies: no literal gains, and the lower number goes first.
    for n in (30, 70, 210):
        X = np.vstack([np.ones((1, 3)), np.ones((n, 3)), rng.integers(0, 2, (20, 3))])
        found = fewer.LiteralRelief(None, n_neighbors=7).fit(X, np.arange(n + 21) == 0)
        assert found.scores_.tolist() == [0.0, 0.0, 0.0]
        assert found.selection_.indices.tolist() == [0, 1, 2]
    with pytest.raises(InputError, match="n_samples=2, but X has 1 positive rows"):
        fewer.LiteralRelief(n_samples=2).fit(X, np.arange(n + 21) == 0)


def test_false_on_near_negatives_looks_at_near_ones_alone():
    # Both positives have one near negative, on which the first literal is false; far ones have it true.
    X = [[1, 1, 1, 1], [1, 1, 1, 1], [0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0]]
    found = fewer.LiteralRelief(None, n_neighbors=1).fit(X, [1, 1, 0, 0, 0]).selection_
    assert found.columns["false on near negatives"].tolist() == [1.0, 0.0, 0.0, 0.0]


def test_with_plain_differences_and_both_kinds_it_is_relieff(rng):
    X, y = rng.integers(0, 2, (24, 6)), rng.integers(0, 2, 24)
    ours = literal_weights(X, (y == 1).tolist(), 4, plain=True)
    np.testing.assert_allclose(ours, relieff(X, y, 4), atol=1e-12)


def test_a_literal_of_negatives_gains_nothing_and_its_negation_does(rng):
    y = rng.random(200) < 0.5
    noise = rng.random((200, 3)) < 0.5
    found = fewer.LiteralRelief(1).fit(np.column_stack([noise, y, ~y]), y)
    assert found.scores_[3] == 1.0
    assert found.scores_[4] == 0.0
    assert found.selection_.indices.tolist() == [3]
    other = fewer.LiteralRelief(1, pos_label=False).fit(np.column_stack([noise, y, ~y]), y)
    assert other.selection_.indices.tolist() == [4]
    assert "true on 100 % of the positives, false on 100 % of their near negatives" in str(other.selection_.reason(4))


def test_conjunctions_are_found_among_noise():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = rng.random((300, 30)) < 0.5
        y = X[:, 4] & X[:, 11]
        assert set(fewer.LiteralRelief(2).fit(X, y).selection_.indices.tolist()) == {4, 11}


def test_what_is_true_of_numbers():
    X = np.array([[0, 5, 1, 7, 3], [0, 6, 2, 7, 3], [1, 5, 3, 7, 1], [1, 6, 4, 7, 2]])
    truth = [[0, 0, 0, 0, 1], [0, 1, 0, 0, 1], [1, 0, 1, 0, 0], [1, 1, 1, 0, 0]]
    assert as_literals(X).astype(int).tolist() == truth
    np.testing.assert_array_equal(as_literals(np.exp(X)), as_literals(X))
    np.testing.assert_array_equal(as_literals(X * 1e-200), as_literals(X))
    assert not as_literals(np.array([[2.0], [2.0]])).any()
    # Where the median is the largest value, nothing lies above it, and what is not the smallest is true.
    assert as_literals(np.array([[3], [1], [3], [2], [3]])).ravel().tolist() == [True, False, True, True, True]


def test_packed_rows_and_shares(rng):
    for d in (1, 63, 64, 65, 130):
        bits = rng.random((7, d)) < 0.5
        words = packed_rows(bits)
        assert words.shape == (7, -(-d // 64))
        apart = [[sum(int(a ^ b).bit_count() for a, b in zip(x.tolist(), y.tolist())) for y in words] for x in words]
        np.testing.assert_array_equal(apart, (bits[:, None] != bits[None]).sum(axis=2))
    with ThreadRunner(1) as run:
        shares = near_shares(run, packed_rows(np.zeros((5, 3), bool)), np.array([0]), np.arange(5), 2, True)
        np.testing.assert_allclose(shares.toarray(), [[0, 0.25, 0.25, 0.25, 0.25]])
        alone = near_shares(run, packed_rows(np.zeros((5, 3), bool)), np.array([0]), np.array([0]), 2, True)
        assert alone.nnz == 0


def test_samples_threads_and_errors(rng):
    X, y = rng.random((90, 70)) < 0.4, rng.random(90) < 0.4
    np.testing.assert_array_equal(scores(X, y, n_jobs=2), scores(X, y))
    drawn = np.flatnonzero(y)[np.sort(np.random.default_rng(3).choice(y.sum(), 5, replace=False))]
    truth = literal_weights(X, y.tolist(), 4, asked=drawn.tolist(), ties="average")
    np.testing.assert_allclose(scores(X, y, n_neighbors=4, n_samples=5, random_state=3), truth, atol=1e-12)
    numbered = np.where(y, 2.0, 1.0)
    np.testing.assert_array_equal(scores(X, numbered, pos_label=1), scores(X, ~y))
    np.testing.assert_array_equal(scores(X, y, pos_label="False"), scores(X, ~y))
    with pytest.raises(InputError, match="n_samples"):
        scores(X, y, n_samples=int(y.sum()) + 1)
    with pytest.raises(InputError, match="pos_label='maybe'.* the classes are False and True"):
        scores(X, y, pos_label="maybe")
    with pytest.raises(ValueError, match="class"):
        scores(X, np.arange(90) % 3)
