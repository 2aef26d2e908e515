"""Pairs of rows against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

from fewer.core.reading.pairs import PairConstraints
from fewer.core.records.errors import InputError


def tied_by_loops(n, must):
    """Merge sets until nothing changes, and number them by their first rows."""
    sets = [{i} for i in range(n)]
    for i, j in must:
        a, b = (next(s for s in sets if x in s) for x in (i, j))
        if a is not b:
            sets.remove(b)
            a |= b
    order = sorted(sets, key=min)
    return [next(g for g, s in enumerate(order) if i in s) for i in range(n)]


@pytest.mark.parametrize("seed", range(20))
def test_chains_tie_rows(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 15))
    must = rng.integers(0, n, (int(rng.integers(0, n)), 2))
    found = PairConstraints.read("test", n, must_link=must)
    assert found.groups.tolist() == tied_by_loops(n, must.tolist())


def test_three_forms_say_the_same():
    must, cannot = [[0, 1], [1, 4]], [[2, 0], [3, 2]]
    pairs = [[0, 1, 1], [2, 0, -1], [1, 4, 1], [3, 2, 0]]
    apart = scipy.sparse.coo_array(([1, 1], ([0, 2], [2, 3])), (5, 5))
    forms = [
        PairConstraints.read("test", 5, pairs=pairs),
        PairConstraints.read("test", 5, must_link=must, cannot_link=cannot),
        PairConstraints.read("test", 5, must_link=[7, 7, -1, -1, 7], cannot_link=apart),
        PairConstraints.read("test", 5, must_link=[7.0, 7.0, np.nan, np.nan, 7.0], cannot_link=apart + apart.T),
    ]
    for found in forms:
        assert found.groups.tolist() == [0, 0, 1, 2, 0]
        assert sorted(found.between_groups.tolist()) == [[0, 1], [1, 2]]
        assert len(found.cannot) == 2
    assert len(PairConstraints.read("test", 5)) == 0


def test_lifted_pairs_keep_their_order_and_come_once():
    found = PairConstraints.read("test", 6, must_link=[[0, 5]], cannot_link=[[4, 3], [5, 1], [1, 0], [3, 4]])
    assert found.between_groups.tolist() == [[3, 4], [0, 1]]


def test_rows_taken_renumber_and_count_what_is_lost():
    found = PairConstraints.read("test", 6, must_link=[[0, 1], [1, 2]], cannot_link=[[0, 5], [3, 4]])
    some = found.rows(np.array([5, 0, 2]))
    assert some.cannot.tolist() == [[1, 0]]
    assert some.must.tolist() == []
    assert (some.dropped, some.n_rows) == (3, 3)
    assert some.rows(np.array([True, False, True])).dropped == 4


def test_violations_are_counted():
    found = PairConstraints.read("test", 5, must_link=[[0, 1], [2, 3]], cannot_link=[[0, 2], [3, 4]])
    assert found.violations(np.array([0, 0, 1, 1, 0])) == 0
    assert found.violations(np.array([0, 1, 0, 1, 1])) == 4
    assert found.violations(np.array([0, 0, 1, 1, -1])) == 0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"must_link": [[0, 1], [1, 2]], "cannot_link": [[2, 0]]}, "rows 2 and 0 as belonging apart"),
        ({"cannot_link": [[1, 1]]}, "rows 1 and 1"),
        ({"must_link": [[0, 9]]}, "row 9"),
        ({"must_link": [[-1, 2]]}, "row -1"),
        ({"pairs": [[0, 1, 2]]}, "third column holds 2"),
        ({"pairs": [[0, 1]]}, r"shape \(1, 2\)"),
        ({"must_link": [0, 1]}, "2 groups"),
        ({"cannot_link": [[0.5, 1]]}, "float64"),
        ({"cannot_link": scipy.sparse.eye(3)}, r"shape \(3, 3\)"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(given, words):
    with pytest.raises(InputError, match=words) as error:
        PairConstraints.read("Method", 4, **given)
    assert str(error.value).startswith("Method got")
    assert ". " not in str(error.value)
