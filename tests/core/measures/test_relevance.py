"""Exact relevance, blankets of features and best subsets: the facts of chapters 4 and 17."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.records.errors import InputError
from fewer.measures import blanket_filtered, is_markov_blanket, optimal_subsets, relevance_categories
from fewer.synth import make_boolean_redundant
from fewer.synth.logic import truth_table


@pytest.mark.parametrize("function", ["and", "or", "xor"])
def test_the_five_bits_of_chapter_17(function):
    data = make_boolean_redundant(function)
    X, y = data.X, data.y
    assert relevance_categories(X, y) == ["strong", "weak", "weak", "irrelevant", "irrelevant"]
    assert optimal_subsets(X, y) == [(0, 1), (0, 2)]
    assert is_markov_blanket(X, y, 1, [2])
    assert is_markov_blanket(X, y, 2, [1])
    assert is_markov_blanket(X, y, 3, [4])
    # An irrelevant feature need not have the empty blanket: its complement is still there.
    assert not is_markov_blanket(X, y, 3, [])
    # A strongly relevant feature has none.
    assert not any(is_markov_blanket(X, y, 0, some) for some in ([], [1], [2], [1, 2, 3, 4]))
    assert blanket_filtered(X, y) in ([0, 1], [0, 2])


def test_correlated_xor_of_kohavi_and_john():
    free = truth_table((2, 2, 2))
    X = np.column_stack([free, 1 - free[:, 1], 1 - free[:, 2]])
    y = free[:, 0] ^ free[:, 1]
    assert relevance_categories(X, y) == ["strong", "weak", "irrelevant", "weak", "irrelevant"]


def test_of_two_copies_both_are_weak_and_one_is_needed():
    X = np.array([[0, 0], [1, 1]])
    assert relevance_categories(X, [0, 1]) == ["weak", "weak"]
    assert optimal_subsets(X, [0, 1]) == [(0,), (1,)]
    assert blanket_filtered(X, [0, 1]) == [0]


def test_rows_without_probability_do_not_count():
    X, y = np.array([[0], [1], [1]]), [0, 0, 1]
    assert relevance_categories(X, y) == ["strong"]
    assert relevance_categories(X, y, weights=[1, 1, 0]) == ["irrelevant"]


def test_a_removed_feature_keeps_a_blanket_when_others_go():
    rng = np.random.default_rng(0)
    for _ in range(5):
        free = rng.integers(0, 2, (8, 3))
        X = np.column_stack([free, free[:, 0] ^ free[:, 1], free[:, 2]])
        y = free[:, 0] & free[:, 2]
        left = blanket_filtered(X, y)
        gone = [j for j in range(5) if j not in left]
        for j in gone:
            inside = X[:, [*left, j]]
            assert any(
                is_markov_blanket(inside, y, len(left), [k for k in range(len(left)) if mask >> k & 1])
                for mask in range(2 ** len(left))
            )


def test_what_is_refused():
    with pytest.raises(InputError, match="17 features.*16"):
        relevance_categories(np.zeros((2, 17)), [0, 1])
    with pytest.raises(InputError, match="own blanket"):
        is_markov_blanket(np.zeros((2, 2)), [0, 1], 0, [0])
    with pytest.raises(InputError, match="weights"):
        optimal_subsets(np.zeros((2, 2)), [0, 1], [1, -1])
