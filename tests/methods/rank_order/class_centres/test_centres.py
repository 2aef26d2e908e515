"""Distances of class centres without one feature, against sorting everything again."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from fewer.core.kernels._jit import JIT_DISABLED
from fewer.core.records.errors import RequirementError
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries.pair_orders import OrderCounts
from fewer.core.views.row_ranks import RankBlock, order_codes
from fewer.methods.rank_order.class_centres.engine import CentreDistances
from fewer.methods.rank_order.class_centres.kernels import centres as kernels
from fewer.methods.rank_order.class_centres.kernels.centre_pairs import FOUND


def doubled_ranks(keys):
    """Lower less higher keys."""
    return np.sign(keys[:, None] - keys).sum(axis=1)


def four_distances(balances, left):
    """Four times Spearman's distance of all pairs of centres over the features that are left."""
    ranks = [doubled_ranks(-b[np.ix_(left, left)].sum(axis=1)) for b in balances]
    return [int(((a - b) ** 2).sum()) for a, b in combinations(ranks, 2)]


def start(X, y, n_jobs=1):
    run = ThreadRunner(n_jobs)
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


def sparse(rng, shape):
    return rng.poisson(0.1, shape)


def few_values(rng, shape):
    return rng.integers(0, 3, shape)


def alike(rng, shape):
    """Features that follow one another closely, as genes of one pathway do."""
    return rng.normal(size=shape) + np.repeat(3 * rng.normal(size=shape[1] // 5), 5)


# More than one block of candidates, the last of them not full.
WIDE = 70 if JIT_DISABLED else 150


@pytest.mark.parametrize("ties", [0, None, 10**9])
@pytest.mark.parametrize("make", [sparse, few_values, alike])
@pytest.mark.parametrize(("n_classes", "n_jobs"), [(2, 1), (3, 2)])
def test_blocks_of_candidates_equal_sorting_anew(monkeypatch, make, n_classes, n_jobs, ties):
    """Also where ties are looked at in all blocks, or mended one by one, whatever their number."""
    if ties is not None:
        monkeypatch.setattr("fewer.methods.rank_order.class_centres.engine.TIES", ties)
    # Otherwise so few features would never meet a second thread.
    monkeypatch.setattr("fewer.methods.rank_order.class_centres.engine.SMALL", 0)
    rng = np.random.default_rng(n_classes)
    X, y = make(rng, (24, 5 * (WIDE // 5))).astype(float), np.arange(24) % n_classes
    search, balances = start(X, y, n_jobs)
    left = np.arange(X.shape[1])
    first = four_distances(balances, left)
    for _ in range(6):
        numbers, away = search.candidates()
        assert sorted(numbers.tolist()) == left.tolist()
        for at in rng.choice(len(numbers), 12, replace=False):
            expected = four_distances(balances, left[left != numbers[at]])
            assert away[:, at].tolist() == [now - then for now, then in zip(expected, first)]
        for gone in rng.choice(left, len(left) // 8, replace=False):
            search.remove(int(gone))
            left = left[left != gone]


def test_many_pairs_of_one_feature_need_wider_numbers():
    """All features nearly level: one of them is in more pairs than one byte can count."""
    rng = np.random.default_rng(3)
    X, y = rng.poisson(0.05, (40, WIDE)).astype(float), np.arange(40) % 2
    search, balances = start(X, y)
    left = np.arange(WIDE)
    first = four_distances(balances, left)
    numbers, away = search.candidates()
    assert not search.small
    for k, distances in zip(numbers[::5], away.T[::5]):
        expected = four_distances(balances, left[left != k])
        assert distances.tolist() == [now - then for now, then in zip(expected, first)]


def test_pairs_that_need_too_much_memory_are_refused_before_it_is_taken(monkeypatch):
    monkeypatch.setattr("fewer.methods.rank_order.class_centres.engine.MOST_GIB", 1e-6)
    rng = np.random.default_rng(0)
    with pytest.raises(RequirementError, match=r"30 features needs .* GiB, .* criterion='spoilers'"):
        start(rng.normal(size=(10, 30)), np.arange(10) % 2)


def test_pairs_that_lose_too_little_take_up_no_lines(monkeypatch):
    """Among counts that are mostly zero nearly all pairs are near each other, and few change places."""
    monkeypatch.setattr("fewer.methods.rank_order.class_centres.engine.PAIRS", 1)
    rng = np.random.default_rng(0)
    X, y = rng.poisson(rng.gamma(0.3, 2, WIDE), (20, WIDE)).astype(float), np.arange(20) % 2
    search, balances = start(X, y)
    left = np.arange(WIDE)
    first = four_distances(balances, left)
    numbers, away = search.candidates()
    found = max(int(centre.state[FOUND]) for centre in search.centres)
    assert search.lines.shape[2] <= 1.25 * found + 2 * 64 + 1
    for k, distances in zip(numbers[::5], away.T[::5]):
        expected = four_distances(balances, left[left != k])
        assert distances.tolist() == [now - then for now, then in zip(expected, first)]


def test_a_refusal_leaves_nothing_half_done(monkeypatch):
    rng = np.random.default_rng(5)
    X, y = rng.integers(0, 2, (10, 30)).astype(float), np.arange(10) % 2
    plain, _ = start(X, y)
    monkeypatch.setattr("fewer.methods.rank_order.class_centres.engine.PAIRS", 1)
    monkeypatch.setattr("fewer.methods.rank_order.class_centres.engine.LINES", 0.01)
    monkeypatch.setattr("fewer.methods.rank_order.class_centres.engine.MOST_GIB", 4e-5)
    small, _ = start(X, y)
    for _ in range(2):
        with pytest.raises(RequirementError, match="GiB"):
            small.candidates()
    monkeypatch.setattr("fewer.methods.rank_order.class_centres.engine.MOST_GIB", 1)
    assert np.array_equal(plain.candidates()[1], small.candidates()[1])


def test_pairs_are_looked_at_again_when_their_memory_is_full(monkeypatch):
    """The result does not depend on how many pairs can be remembered."""
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(10, 30)), np.arange(10) % 2
    plain, _ = start(X, y)
    monkeypatch.setattr("fewer.methods.rank_order.class_centres.engine.PAIRS", 1)
    monkeypatch.setattr("fewer.methods.rank_order.class_centres.engine.LINES", 0.01)
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
        kernels.places(keys, order, place, rank, np.zeros(9, np.int32), np.zeros(9, bool))
        orders.append(order), places.append(place), ranks.append(rank)
    out = np.zeros(9, np.int64)
    kernels.agreement(orders[0], places[0], places[1], ranks[1], np.zeros(11, np.int64), out)
    expected = [int((np.sign(a - a[k]) * np.sign(b - b[k])).sum()) for k in range(9)]
    assert out.tolist() == expected
