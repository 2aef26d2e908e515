"""Simba against plain loops, and what follows from its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewer.core.kernels import simba as kernel
from fewer.core.records.errors import InputError
from fewer.methods.relief.simba import Simba, summed_margin
from fewer.synth import make_twonorm, make_xor
from oracles import margins as oracle


@pytest.mark.parametrize("p", [3, kernel.PIECE - 1, 2 * kernel.PIECE + 5])
def test_a_climb_agrees_with_loops(rng, p):
    X, y, w = rng.random((25, p)), np.arange(25) % 3, np.ones(p)
    order = rng.permutation(25)
    expected = oracle.simba_climb(X, y, order, w)
    kernel.climb(X, y, order, w)
    np.testing.assert_allclose(w, expected, rtol=1e-9)
    assert summed_margin(X, y, w) == pytest.approx(oracle.simba_margin(X, y, w))


@given(st.integers(0, 10_000))
def test_duplicates_and_lone_rows_agree_with_loops(seed):
    """Terms with distance zero are left out, rows without a hit make no step; ties go to the first row."""
    rng = np.random.default_rng(seed)
    X, y, w = rng.integers(0, 3, (14, 3)) / 2.0, np.append(rng.integers(0, 2, 13), 2), np.ones(3)
    # One step: later weights are no longer exact, so that ties would be a matter of round-off.
    order = rng.permutation(14)[:1]
    expected = oracle.simba_climb(X, y, order, w)
    kernel.climb(X, y, order, w)
    np.testing.assert_allclose(w, expected, rtol=1e-12)
    assert np.isfinite(w).all()


def test_the_method_is_the_best_of_its_climbs(rng):
    X, y = rng.normal(size=(40, 5)), np.arange(40) % 2
    X[:, 1] += 2 * y
    got = Simba(None, n_starts=3, n_passes=2, random_state=7).fit(X, y)
    U, best = oracle.unit(X), (-np.inf, None)
    for at, source in enumerate(np.random.default_rng(7).spawn(3)):
        w = np.ones(5)
        for _ in range(2):
            w = oracle.simba_climb(U, y, source.permutation(40), w)
        w = np.abs(w) / np.abs(w).max()
        margin = oracle.simba_margin(U, y, w)
        assert got.margins_[at] == pytest.approx(margin)
        best = max(best, (margin, w), key=lambda pair: pair[0])
    np.testing.assert_allclose(got.scores_, best[1] ** 2, rtol=1e-8)
    assert got.scores_.max() == 1.0


def test_features_that_matter_only_together_are_found():
    data = make_xor(300, n_irrelevant=10, random_state=0)
    relevant = set(data.relevant)
    got = Simba(len(relevant), n_passes=2, random_state=0).fit(data.X, data.y)
    assert set(got.selection_.indices) == relevant


def test_a_climb_widens_the_margin():
    data = make_twonorm(200, n_irrelevant=30, random_state=0)
    X = oracle.unit(data.X)
    got = Simba(None, n_passes=3, random_state=0).fit(data.X, data.y)
    before, after = (summed_margin(X, data.y, w) for w in (np.ones(50), np.sqrt(got.scores_)))
    # Weights of the same length, since margins grow with them.
    assert after / np.linalg.norm(np.sqrt(got.scores_)) > before / np.sqrt(50)
    assert got.scores_[:20].mean() > 3 * got.scores_[20:].mean()


def test_seeds_threads_and_clones(rng):
    X, y = rng.normal(size=(80, 6)), rng.integers(0, 3, 80)
    X[:, 2] += y
    a, b = (Simba(None, random_state=1, n_jobs=jobs).fit(X, y) for jobs in (1, 3))
    np.testing.assert_array_equal(a.scores_, b.scores_)
    np.testing.assert_array_equal(a.margins_, b.margins_)
    assert not np.array_equal(Simba(None, random_state=2).fit(X, y).scores_, a.scores_)
    again = Simba(None, random_state=np.random.default_rng(1)).fit(X, y)
    np.testing.assert_array_equal(again.scores_, a.scores_)


def test_more_starts_begin_with_the_same_climbs(rng):
    X, y = rng.normal(size=(60, 8)), rng.integers(0, 2, 60)
    X[:, 0] += y
    few, many = (Simba(None, n_starts=n, random_state=0).fit(X, y).margins_ for n in (2, 6))
    np.testing.assert_array_equal(many[:2], few)


def test_units_labels_and_columns_do_not_matter(rng):
    X, y = rng.normal(size=(70, 5)), rng.integers(0, 2, 70)
    X[:, 3] += 1.5 * y
    scores = Simba(None, random_state=0).fit(X, y).scores_
    columns = rng.permutation(5)
    for changed in (
        Simba(None, random_state=0).fit(X * [1e-4, 3, 7, 1e5, 1] + 2, y).scores_,
        Simba(None, random_state=0).fit(X, np.array(["no", "yes"])[y]).scores_,
        Simba(None, random_state=0).fit(X, 1 - y).scores_,
    ):
        np.testing.assert_allclose(changed, scores, rtol=1e-7)
    np.testing.assert_allclose(Simba(None, random_state=0).fit(X[:, columns], y).scores_, scores[columns], rtol=1e-7)


def test_degenerate_data(rng):
    X, y = rng.random((16, 300)), np.arange(16) % 2
    X[:, 5], X[:, 9] = 3.0, 4 * y + X[:, 9]
    got = Simba(3, n_passes=5, random_state=0).fit(X, y)
    assert got.selection_.indices[0] == 9
    assert got.scores_[5] == 0
    every_row_twice = Simba(None, random_state=0).fit(np.repeat(X, 2, axis=0), np.repeat(y, 2))
    assert np.isfinite(every_row_twice.scores_).all()
    constant = Simba(None, random_state=0).fit(np.ones((6, 2)), [0, 1, 0, 1, 0, 1])
    np.testing.assert_array_equal(constant.scores_, [0, 0])
    with pytest.raises(InputError, match="only one row"):
        Simba().fit(X[:2], y[:2])


def test_parameters_are_checked(rng):
    X, y = rng.random((10, 2)), np.arange(10) % 2
    for bad in ({"n_starts": 0}, {"n_passes": 0}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            Simba(**bad).fit(X, y)


def test_a_seed_that_is_none_is_refused():
    for seed in ("x", -1, 0.5):
        with pytest.raises(ValueError, match="random_state"):
            Simba(random_state=seed).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
