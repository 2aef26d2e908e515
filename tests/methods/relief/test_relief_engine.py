"""The main Relief family where the engine has to work: several ranges of rows, float32, kept distances, sampling."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.measures.costs import as_costs, cost_shares
from fewer.core.neighbours import kept_distances
from fewer.core.records.errors import InputError
from fewer.methods.relief import _sampling
from fewer.methods.relief._relief import as_neighbours
from fewer.methods.relief.relief import Relief
from fewer.methods.relief.relieff import ReliefF
from fewer.methods.relief.surf import SURF, MultiSURF, MultiSURFStar, SURFStar
from oracles.relief import relieff, shares, surf_family

RADIUS = [SURF, SURFStar, MultiSURF, MultiSURFStar]
FAMILY = [Relief, ReliefF, *RADIUS]


def data(n=300, p=90, seed=0):
    X = np.random.default_rng(seed).normal(size=(n, p))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(int)


@pytest.mark.parametrize("method", FAMILY)
@pytest.mark.parametrize("p", [10, 90])
def test_one_thread_is_two_threads_to_the_last_bit(method, p):
    X, y = data(p=p)
    one, two = (method(n_jobs=t).fit(X, y).scores_ for t in (1, 2))
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("method", FAMILY)
def test_kept_distances_change_nothing(method, monkeypatch):
    X, y = data()
    with_them = method().fit(X, y).scores_
    monkeypatch.setattr(kept_distances, "MOST_BYTES", 0)
    np.testing.assert_allclose(method().fit(X, y).scores_, with_them, rtol=0, atol=1e-8)


@pytest.mark.parametrize("method", FAMILY)
def test_float32_tiles_give_what_float64_gives(method):
    """Columns of zeros make the rows wide, and change no distance."""
    X, y = data(p=20)
    wide = np.hstack([X, np.zeros((len(X), 60))])
    narrow = method().fit(X, y).scores_
    found = method().fit(wide, y).scores_
    np.testing.assert_allclose(found[:20], narrow, rtol=0, atol=1e-8)
    np.testing.assert_array_equal(found[20:], 0.0)


def test_wide_rows_agree_with_the_oracle():
    X, y = data(n=40, p=150)
    y = y + (X[:, 0] > 1)
    np.testing.assert_allclose(ReliefF(n_neighbors=3).fit(X, y).scores_, relieff(X, y, 3), atol=1e-12)
    for method in RADIUS:
        np.testing.assert_allclose(method().fit(X, y).scores_, surf_family(X, y, method.__name__), atol=1e-7)


@pytest.mark.parametrize("method", FAMILY)
def test_rows_columns_scales_and_labels(method):
    X, y = data(n=150, p=70)
    want = method().fit(X, y).scores_
    rng = np.random.default_rng(1)
    rows, columns = rng.permutation(150), rng.permutation(70)
    np.testing.assert_allclose(method().fit(X[rows], y[rows]).scores_, want, atol=1e-7)
    np.testing.assert_allclose(method().fit(X[:, columns], y).scores_, want[columns], atol=1e-7)
    np.testing.assert_allclose(method().fit(X * rng.uniform(-9, 9, 70) + 5, y).scores_, want, atol=1e-7)
    np.testing.assert_allclose(method().fit(X, np.where(y == 1, "a", "b")).scores_, want, atol=1e-7)


@pytest.mark.parametrize("method", FAMILY)
@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.float32])
def test_other_types_of_numbers(method, dtype):
    X = np.random.default_rng(2).integers(0, 9, (60, 70)).astype(dtype)
    y = (X[:, 0] > 4).astype(int)
    np.testing.assert_allclose(method().fit(X, y).scores_, method().fit(X.astype(float), y).scores_, atol=1e-12)


@pytest.mark.parametrize("method", FAMILY)
def test_copies_of_rows_are_neighbours(method):
    X, y = data(n=50, p=80)
    scores = method().fit(np.repeat(X, 3, axis=0), np.repeat(y, 3)).scores_
    assert np.isfinite(scores).all()
    if method is Relief:
        # The nearest hit is a copy, which differs nowhere: only misses count.
        assert (scores >= 0).all()


def test_two_levels_are_as_far_apart_as_two_numbers():
    X = np.random.default_rng(3).integers(0, 2, (80, 6)).astype(float)
    y = (X[:, 0] != X[:, 1]).astype(int)
    numbers = ReliefF(ties="average").fit(X, y).scores_
    np.testing.assert_array_equal(ReliefF(ties="average", categorical_features=range(6)).fit(X, y).scores_, numbers)


def test_sampled_rows():
    X, y = data(n=90, p=6)
    rows = np.sort(np.random.default_rng(5).choice(90, 30, replace=False))
    found = ReliefF(n_neighbors=4, n_samples=30, random_state=5).fit(X, y).scores_
    np.testing.assert_allclose(found, relieff(X, y, 4, rows=rows), atol=1e-12)
    everyone = ReliefF(n_neighbors=4, n_samples=90, random_state=5).fit(X, y).scores_
    np.testing.assert_allclose(everyone, ReliefF(n_neighbors=4).fit(X, y).scores_, atol=1e-14)
    with pytest.raises(InputError, match="n_samples=91"):
        ReliefF(n_samples=91).fit(X, y)


def test_leaves_hold_all_rows_once_and_few_of_them():
    Z = np.random.default_rng(6).random((101, 4))
    found = _sampling.leaves(Z, 8)
    assert sorted(np.concatenate(found).tolist()) == list(range(101))
    assert max(len(rows) for rows in found) <= 8
    assert all(len(rows) == 1 for rows in _sampling.leaves(Z, 1))
    # Tied values stay together, equal rows are never parted.
    tied = np.repeat([[0.0, 1.0], [1.0, 1.0], [1.0, 2.0]], [10, 4, 1], axis=0)
    assert sorted(len(rows) for rows in _sampling.leaves(tied, 2)) == [1, 4, 10]


def test_a_tree_with_leaves_of_one_row_is_all_rows():
    X, y = data(n=60, p=5)
    found = ReliefF(n_samples=60, sampling="kdtree", random_state=0).fit(X, y).scores_
    np.testing.assert_allclose(found, ReliefF().fit(X, y).scores_, atol=1e-14)


def test_a_tree_spreads_the_rows():
    """Chapter 9.6.2: the same quality with fewer rows, so the weights vary less over seeds."""
    X = np.random.default_rng(7).random((300, 2))
    y = ((X[:, 0] > 0.5) != (X[:, 1] > 0.5)).astype(int)
    spread = {
        how: np.std(
            [ReliefF(n_samples=38, sampling=how, random_state=s).fit(X, y).scores_ for s in range(25)], axis=0
        ).sum()
        for how in ("random", "kdtree")
    }
    assert spread["kdtree"] < spread["random"]


def test_a_tree_takes_numbers():
    X, y = data(n=60, p=5)
    X[0, 0] = np.nan
    with pytest.raises(InputError, match="kdtree"):
        ReliefF(n_samples=10, sampling="kdtree").fit(X, y)


def test_costs():
    """The worked example of the catalogue, section 9.4.2."""
    p, costs = np.array([0.5, 0.3, 0.2]), as_costs("ReliefF", [[0, 1, 2], [3, 0, 1], [5, 1, 0]], 3)
    np.testing.assert_allclose(cost_shares(p, costs, "expected"), [0.328859, 0.342282, 0.328859], atol=1e-6)
    np.testing.assert_allclose(cost_shares(p, costs, "average"), [0.230769, 0.307692, 0.461538], atol=1e-6)
    even = as_costs("ReliefF", np.ones((3, 3)), 3)
    np.testing.assert_allclose(cost_shares(p, even, "expected"), p)
    np.testing.assert_allclose(cost_shares(p, even, "average"), 1 / 3)
    y = [0] * 5 + [1] * 3 + [2] * 2
    for mode in ("expected", "average"):
        np.testing.assert_allclose(cost_shares(p, costs, mode), list(shares(y, costs, mode).values()))


@pytest.mark.parametrize("bad", [np.ones((2, 2)), -np.ones((3, 3)), np.zeros((3, 3)), [["a"]], np.full((3, 3), np.nan)])
def test_costs_that_make_no_sense(bad):
    with pytest.raises(InputError, match="cost_matrix"):
        as_costs("ReliefF", bad, 3)


@pytest.mark.parametrize("bad", [0.1, (0.2, 0.1), (0.0, 2.0), (0.1,), "ab", (np.nan, 1.0)])
def test_ramps_that_make_no_sense(bad):
    X, y = data(n=20, p=3)
    with pytest.raises(InputError, match="ramp="):
        ReliefF(ramp=bad).fit(X, y)


def test_log_many_neighbours():
    assert as_neighbours("log", 1000) == 7
    assert as_neighbours("log", 2) == 1
    assert as_neighbours(3, 1000) == 3
    X, y = data(n=148, p=4)
    np.testing.assert_array_equal(
        ReliefF(n_neighbors="log").fit(X, y).scores_, ReliefF(n_neighbors=5).fit(X, y).scores_
    )


def test_the_radius_of_every_row_is_not_that_of_all():
    X, y = data(n=120, p=8)
    assert np.abs(SURF().fit(X, y).scores_ - MultiSURF().fit(X, y).scores_).max() > 1e-4
