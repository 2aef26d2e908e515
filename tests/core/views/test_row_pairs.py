"""Pairs of rows against plain sets of frozen pairs."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse
from sklearn.utils.validation import _check_method_params

from fewer.core.records.errors import InputError
from fewer.core.views.pairs import Pairs, as_pairs


def as_sets(pairs):
    return {frozenset(map(int, pair)) for pair in pairs}


def closure_by_loops(n_rows, must):
    """Group of every row by joining until nothing changes."""
    group = list(range(n_rows))
    changed = True
    while changed:
        changed = False
        for i, j in must:
            if group[i] != group[j]:
                group[i] = group[j] = min(group[i], group[j])
                changed = True
    return group


@pytest.mark.parametrize("seed", range(30))
def test_pairs_follow_their_rows_and_join_groups(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 15))
    every = list(itertools.combinations(range(n), 2))
    chosen = rng.permutation(len(every))
    must = [every[k] for k in chosen[: len(every) // 4]]
    cannot = [every[k][::-1] for k in chosen[len(every) // 4 : len(every) // 2]]
    pairs = Pairs(n, must + must[:2], cannot)
    assert as_sets(pairs.must) == as_sets(must)
    assert len(pairs.must) == len(must)
    truth = closure_by_loops(n, must)
    assert [truth.index(g) for g in truth] == [pairs.groups.tolist().index(g) for g in pairs.groups.tolist()]
    assert as_sets(p for p in pairs.apart if p[0] != p[1]) == {
        frozenset((int(pairs.groups[i]), int(pairs.groups[j]))) for i, j in cannot if truth[i] != truth[j]
    }
    rows = rng.permutation(n)[: int(rng.integers(1, n + 1))]
    some = pairs[rows]
    back = {frozenset(int(rows[k]) for k in pair) for pair in some.must}
    assert back == {pair for pair in as_sets(must) if pair <= set(rows.tolist())}
    kept = len(some.must) + len(some.cannot)
    assert some.n_dropped == len(must) + len(cannot) - kept
    mask = np.isin(np.arange(n), rows)
    assert as_sets(pairs[mask].must) == as_sets(pairs[np.sort(rows)].must)


def test_groups_stand_for_all_their_pairs():
    wanted = {frozenset(pair) for pair in [(0, 2), (0, 5), (2, 5), (3, 4)]}
    for groups in (["a", None, "a", "b", "b", "a"], [1, -1, 1, 2, 2, 1], [1.0, np.nan, 1.0, 2.0, 2.0, 1.0]):
        assert as_sets(Pairs(6, groups).must) == wanted


def test_a_matrix_says_what_is_apart():
    matrix = np.zeros((4, 4))
    matrix[0, 2] = matrix[2, 0] = matrix[3, 1] = 1
    for given in (matrix, scipy.sparse.csr_array(matrix), matrix.astype(bool)):
        assert as_sets(Pairs(4, cannot_link=given).cannot) == {frozenset((0, 2)), frozenset((1, 3))}


def test_violations_are_counted():
    pairs = Pairs(5, [(0, 1), (2, 3)], [(0, 2), (1, 4)])
    assert pairs.violations(np.array([0, 0, 1, 1, 1])) == 0
    assert pairs.violations(np.array([0, 1, 0, 1, 1])) == 4
    assert pairs.violations(np.array([-1, -1, -1, -1, -1])) == 0


def test_scikit_learn_cuts_pairs_by_rows():
    pairs = Pairs(6, [(0, 5), (3, 1)], [(2, 3)])
    cut = _check_method_params(np.zeros((6, 2)), {"pairs": pairs}, indices=np.array([0, 5, 3]))["pairs"]
    assert cut.must.tolist() == [[0, 1]]
    assert cut.n_dropped == 2


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (lambda: Pairs(4, [(0, 4)]), "numbered from 0 to 3"),
        (lambda: Pairs(4, [(0, -1)]), "row number -1"),
        (lambda: Pairs(4, [(1, 1)]), "paired with itself"),
        (lambda: Pairs(4, [(0, 1, 2)]), "two columns"),
        (lambda: Pairs(4, [(0.5, 1)]), "whole numbers"),
        (lambda: Pairs(4, [1, 2, 3]), "3 groups"),
        (lambda: Pairs(4, cannot_link=scipy.sparse.eye_array(3)), "4 x 4"),
        (lambda: as_pairs("RCA", Pairs(4), 5), "pairs of 4 rows, but X has 5"),
        (lambda: as_pairs("RCA", [(0, 1)], 5), "a tuple of must-links"),
        (lambda: as_pairs("RCA", ([(0, 1), (1, 2)], [(2, 0)]), 5), "contradict"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(given, words):
    with pytest.raises(InputError, match=words):
        given()
