"""The neighbour engine beside a full distance matrix."""

from __future__ import annotations

import pickle
import tracemalloc

import numpy as np
import pytest

from fewer.core.neighbours import topk
from fewer.core.neighbours.mixed_spaces import mixed_space
from fewer.core.neighbours.spaces import number_space
from fewer.core.neighbours.sums import NeighbourSums, neighbour_shares, neighbour_sums
from fewer.core.neighbours.topk import Neighbours, Slots, nearest, nearest_on, panel, sharpen
from fewer.core.runners.threads import ThreadRunner


def brute(D, k, slots, own):
    """Sort all candidates of every query and slot."""
    D = np.round(D, 9)
    out = np.full((len(D), slots.n_slots, min(k, D.shape[1])), -1)
    for i in range(len(D)):
        of = slots.table[slots.kind[i]][slots.group]
        for s in range(slots.n_slots):
            among = [j for j in np.flatnonzero(of == s) if j != own[i]]
            best = sorted(among, key=lambda j: (D[i, j], j))[:k]
            out[i, s, : len(best)] = best
    return out


def all_l1(A, B):
    return np.abs(A[:, None] - B[None]).sum(axis=2)


DATA = {
    "narrow": lambda rng: rng.random((150, 7)),
    "wide": lambda rng: rng.random((150, 90)),
    "more columns than rows": lambda rng: rng.random((20, 700)),
    "grid of thirds, wide": lambda rng: rng.integers(0, 4, (150, 70)) / 3,
    "grid of thirds, narrow": lambda rng: rng.integers(0, 4, (150, 5)) / 3,
    "halves, wide": lambda rng: rng.integers(0, 3, (150, 70)) / 2,
    "copies, wide": lambda rng: np.repeat(rng.random((30, 80)), 5, axis=0),
    "all rows alike": lambda rng: np.full((150, 66), 0.3),
}


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("k", [1, 4, 64, 65, 200])
def test_nearest_are_those_of_the_distance_matrix(name, k):
    rng = np.random.default_rng(0)
    X = DATA[name](rng)
    y = rng.integers(0, 3, len(X))
    space, slots = number_space(X), Slots.by_class(y, 3)
    found = nearest_on(ThreadRunner(1), space, space, k, slots)
    D = all_l1(X, X)
    np.testing.assert_array_equal(found.index, brute(D, k, slots, np.arange(len(X))))
    there = found.index >= 0
    rows = np.broadcast_to(np.arange(len(X))[:, None, None], there.shape)
    np.testing.assert_allclose(found.distance[there], D[rows[there], found.index[there]], atol=2e-9)
    assert np.isinf(found.distance[~there]).all()


def test_too_few_spare_places_are_noticed(monkeypatch):
    """Rows that float32 cannot tell apart: the lists by inexact distances would be wrong."""
    rng = np.random.default_rng(1)
    X = np.tile(rng.random((1, 100)), (60, 1)) + 1e-7 * rng.random((60, 100))
    space = number_space(X, np.zeros(100))
    assert space.error > 0
    slots = Slots.one(60, 60)
    want = np.argsort(np.where(np.eye(60, dtype=bool), np.inf, np.floor(all_l1(X, X) * 2**30 + 0.5)), kind="stable")
    found = nearest(space, space, 3, 0, 60, slots)
    np.testing.assert_array_equal(found.index[:, 0], want[:, :3])
    monkeypatch.setattr(topk, "_mend", lambda *_: None)
    assert (nearest(space, space, 3, 0, 60, slots).index[:, 0] != want[:, :3]).any()


@pytest.mark.parametrize("p", [10, 100])
@pytest.mark.parametrize("squared", [False, True])
def test_queries_may_be_other_rows(p, squared):
    rng = np.random.default_rng(2)
    X, others = 50 * rng.normal(size=(80, p)), 50 * rng.normal(size=(33, p))
    factor = rng.random(p)
    space = number_space(X, factor=factor, squared=squared)
    found = nearest_on(ThreadRunner(1), space.of(others), space, 5)
    gaps = np.abs(others[:, None] - X[None]) * factor
    D = (gaps**2 if squared else gaps).sum(axis=2)
    np.testing.assert_array_equal(found.index[:, 0], np.argsort(D, axis=1)[:, :5])
    np.testing.assert_allclose(found.distance[:, 0], np.sort(D, axis=1)[:, :5], rtol=0, atol=1 / space.grid)


def test_tables_of_slots():
    y = np.array([0, 1, 2, 1])
    assert Slots.hits_and_misses(y, 3).of(1).tolist() == [1, 0, 1, 0]
    assert Slots.above_and_below(y, 3).of(1).tolist() == [2, 0, 1, 0]
    assert Slots.by_class(y, 3).of(1).tolist() == y.tolist()
    assert Slots.one(4, 4).of(1).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("p", [5, 200])
def test_tiles_are_off_by_at_most_what_the_space_says(p):
    rng = np.random.default_rng(3)
    X = rng.random((140, p))
    space = number_space(X)
    D, exact = panel(space, space, 0, 140), all_l1(X, X)
    assert np.abs(D - exact).max() <= space.error + 1e-9
    limit = exact[:, 7].copy()
    sharpen(D, limit, space, space, 0)
    near = np.abs(exact - limit[:, None]) < 1e-8
    np.testing.assert_allclose(D[near], exact[near], atol=1e-9)


def test_values_of_few_binary_places_are_exact_in_float32():
    X = np.random.default_rng(4).integers(0, 9, (50, 600)) / 8
    space = number_space(X)
    assert space.scaled.dtype == np.float32
    assert space.error == 0.0
    np.testing.assert_array_equal(panel(space, space, 0, 50), all_l1(X, X))


def test_mean_distance_from_sorted_columns():
    X = np.random.default_rng(5).normal(size=(41, 6))
    D = all_l1(X * np.arange(6), X * np.arange(6))
    assert number_space(X, factor=np.arange(6.0)).mean_distance() == pytest.approx(D.sum() / (41 * 40), rel=1e-12)


def test_fractions_fall_with_the_rank_and_equal_distances_share_the_first():
    found = Neighbours(np.array([[[3, 1, 2, -1]]]), np.array([[[0.5, 0.7, 0.7, np.inf]]]))
    want = np.exp(-((np.array([1.0, 2.0, 2.0]) / 3) ** 2))
    np.testing.assert_allclose(neighbour_shares(found, 3.0)[0, 0], [*(want / want.sum()), 0.0])
    np.testing.assert_allclose(neighbour_shares(found)[0, 0], [1 / 3, 1 / 3, 1 / 3, 0])
    np.testing.assert_allclose(neighbour_shares(found, 1e9), neighbour_shares(found), atol=1e-12)


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("p", [4, 80])
def test_sums_multiply_pairs_and_take_some_rows(average, p):
    rng = np.random.default_rng(6)
    X, y = rng.random((60, p)), rng.random(60)
    space, rows = number_space(X), np.array([3, 9, 50])

    def multiply(a, b):
        return np.stack([np.ones(len(a)), np.abs(y[a] - y[b])])

    sums = neighbour_sums(
        ThreadRunner(1),
        space,
        5,
        Slots.one(60, 60),
        np.ones((1, 1)),
        rows=rows,
        average_ties=average,
        multiply=multiply,
    )
    D = all_l1(X, X)
    np.fill_diagonal(D, np.inf)
    want, weights = np.zeros((2, p)), np.zeros(2)
    for r in rows:
        for j in np.argsort(D[r])[:5]:
            gap = abs(y[r] - y[j])
            want += np.outer([1, gap], np.abs(X[r] - X[j])) / 5
            weights += np.array([1, gap]) / 5
    np.testing.assert_allclose(sums.differences, want, rtol=1e-12)
    np.testing.assert_allclose(sums.weights, weights, rtol=1e-12)


@pytest.mark.parametrize("p", [6, 90])
def test_ranges_add_up_on_any_runner(p):
    """A range of queries is an object that travels, so that ranges may run anywhere."""
    rng = np.random.default_rng(7)
    X, y = rng.random((300, p)), rng.integers(0, 2, 300)
    space, slots = number_space(X), Slots.by_class(y, 2)
    factor = np.array([[-1.0, 1.0], [1.0, -1.0]])
    work = pickle.loads(pickle.dumps(NeighbourSums(space, space, 3, slots, factor, np.arange(300))))
    # After the journey queries and candidates are equal, not the same; no row may be its own neighbour.
    parts = [work(a, min(a + 128, 300)).differences for a in range(0, 300, 128)]
    one = neighbour_sums(ThreadRunner(1), space, 3, slots, factor).differences
    two = neighbour_sums(ThreadRunner(2), space, 3, slots, factor).differences
    np.testing.assert_array_equal(one, two)
    np.testing.assert_array_equal(one, np.sum(parts, axis=0))
    uneven = work(0, 7).differences + work(7, 300).differences
    np.testing.assert_allclose(uneven, one, rtol=1e-12)


def test_mixed_rows_agree_with_numbers_where_they_are_numbers():
    rng = np.random.default_rng(8)
    X, y = rng.random((70, 20)), rng.integers(0, 2, 70)
    low, factor = X.min(axis=0), 1 / np.ptp(X, axis=0)
    plain = number_space(X, low, factor)
    general = mixed_space(X, low, factor, np.zeros(20, bool), y)
    slots = Slots.by_class(y, 2)
    a, b = (nearest(s, s, 5, 0, 70, slots) for s in (plain, general))
    np.testing.assert_array_equal(a.index, b.index)
    np.testing.assert_array_equal(a.distance, b.distance)
    weights = rng.normal(size=(70, 30))
    np.testing.assert_allclose(
        plain.add_tile(plain, 0, 70, 10, weights), general.add_tile(general, 0, 70, 10, weights), atol=1e-12
    )


def test_memory_grows_with_the_rows_and_not_with_their_square():
    X = np.random.default_rng(9).random((6000, 8))
    space, slots = number_space(X), Slots.one(6000, 6000)
    nearest(space, space, 2, 0, 10, slots)
    tracemalloc.start()
    neighbour_sums(ThreadRunner(2), space, 5, slots, np.ones((1, 1)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6000 * 6000 / 2
