"""Distances of class centres without one feature, against sorting everything anew."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from fewer.core.kernels import centres as kernels
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries.orders import OrderCounts
from fewer.core.views.ranks import RankBlock, order_codes
from fewer.methods.ranked._centres import CentreDistances


def doubled_ranks(keys):
    """Lower less higher keys."""
    return np.array([(keys < key).sum() - (keys > key).sum() for key in keys])


def four_distances(balances, left):
    """Four times Spearman's distance of all pairs of centres over the features that are left."""
    ranks = [doubled_ranks(-b[np.ix_(left, left)].sum(axis=1)) for b in balances]
    return [int(((a - b) ** 2).sum()) for a, b in combinations(ranks, 2)]


def start(X, y):
    run = ThreadRunner(1)
    counts = run.fold(OrderCounts(int(y.max()) + 1), [RankBlock(order_codes(X), y)])
    search = CentreDistances()
    search._begin(counts, run)
    return search, [counts.balance(c).astype(int) for c in np.unique(y)]


@pytest.mark.parametrize("values", [2, 5, 1000])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_candidate_at_every_step_equals_sorting_anew(values, n_classes):
    rng = np.random.default_rng(values + n_classes)
    X, y = rng.integers(0, values, (14, 12)).astype(float), np.arange(14) % n_classes
    search, balances = start(X, y)
    first, left = four_distances(balances, np.arange(12)), np.arange(12)
    while len(left) > 1:
        numbers, away = search.candidates()
        assert sorted(numbers.tolist()) == left.tolist()
        for k, distances in zip(numbers, away.T):
            expected = four_distances(balances, left[left != k])
            assert distances.tolist() == [now - then for now, then in zip(expected, first)]
        gone = int(rng.choice(left))
        search.remove(gone)
        left = left[left != gone]


def test_pairs_are_looked_at_again_when_their_memory_is_full(monkeypatch):
    """The result does not depend on how many pairs can be remembered."""
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(10, 30)), np.arange(10) % 2
    plain, _ = start(X, y)
    monkeypatch.setattr("fewer.methods.ranked._centres.PAIRS", 1)
    small, _ = start(X, y)
    for _ in range(25):
        one, two = plain.candidates(), small.candidates()
        assert np.array_equal(one[1], two[1])
        worst = plain.worst(None)
        plain.remove(worst)
        small.remove(worst)


def test_agreement_counts_pairs_in_the_same_order():
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 4, 9), rng.integers(0, 5, 9)
    orders, places, ranks = [], [], []
    for keys in (a.astype(np.int64), b.astype(np.int64)):
        order, place, rank = np.argsort(keys, kind="stable"), np.zeros(9, np.int32), np.zeros(9, np.int64)
        kernels.places(keys, order, place, rank)
        orders.append(order), places.append(place), ranks.append(rank)
    out = np.zeros(9, np.int64)
    kernels.agreement(orders[0], places[0], places[1], ranks[1], np.zeros(11, np.int64), out)
    expected = [int((np.sign(a - a[k]) * np.sign(b - b[k])).sum()) for k in range(9)]
    assert out.tolist() == expected
