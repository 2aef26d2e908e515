"""Online I-Relief against plain loops and against the fixed point of the batch iteration."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from fewer.core.records.errors import InputError
from fewer.methods.relief.irelief import IRelief
from fewer.methods.relief.online_irelief import OnlineIRelief
from fewer.synth import make_ringnorm
from oracles import margins as oracle


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("decay", [0.3, 1.0])
@pytest.mark.parametrize("sigma", [1e-3, 0.8])
def test_a_pass_agrees_with_loops(rng, average, decay, sigma):
    X, y = rng.normal(size=(45, 4)), np.repeat([0, 1, 2, 3], [20, 14, 10, 1])
    X[:, 1] += y
    kind = "average" if average else "min"
    got = OnlineIRelief(None, sigma=sigma, decay=decay, multiclass=kind, random_state=3).fit(X, y)
    order = np.random.default_rng(3).permutation(45)
    nu, w = oracle.online(oracle.unit(X), y, sigma, decay, order, average)
    np.testing.assert_allclose(got.selection_.columns["margin"], nu, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(got.scores_, w, rtol=1e-8, atol=1e-12)
    # The only row of the last class has no hit.
    assert got.n_steps_ == 44


@pytest.mark.parametrize("seed", range(3))
def test_it_lands_where_the_batch_iteration_alternates(seed):
    """Catalogue: XOR ends near (.707, .707, 0, ...) after one pass of 600 steps."""
    X = np.random.default_rng(seed).random((600, 6))
    y = (X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)
    for sigma in (0.5, 1.0):
        got = OnlineIRelief(2, sigma=sigma, random_state=seed).fit(X, y)
        np.testing.assert_allclose(got.scores_[:2], np.sqrt(0.5), atol=0.03)
        assert set(got.selection_.indices) == {0, 1}


@pytest.mark.parametrize("decay", [0.5, 0.75, 1.0])
def test_one_pass_is_close_to_the_batch_weights_on_ringnorm(decay):
    """Section 12.7.4: after 400 steps close to the target vector for all rates; theorem 12.3: closer with more."""
    data = make_ringnorm(400, n_irrelevant=50, random_state=0)
    target = IRelief(None).fit(data.X, data.y).scores_
    one, many = (
        OnlineIRelief(None, decay=decay, n_passes=passes, tol=0.0, random_state=0).fit(data.X, data.y).scores_
        for passes in (1, 12)
    )
    assert np.linalg.norm(one - target) < 0.15
    assert np.linalg.norm(many - target) < max(0.6 * np.linalg.norm(one - target), 1e-3)


@pytest.mark.filterwarnings("ignore:No feature widens")
def test_the_rate_never_goes_beyond_the_margin_of_a_row():
    """Catalogue: with a < 1 the first rates are above 1; they are cut there, so the first nu is the first margin."""
    rng = np.random.default_rng(0)
    X, y = rng.random((2, 3)), [0, 0]
    X, y = np.vstack([X, rng.random((1, 3))]), [*y, 1]
    got = OnlineIRelief(None, decay=0.01, random_state=0).fit(X, y)
    last = [i for i in np.random.default_rng(0).permutation(3) if i != 2][-1]
    first = next(i for i in np.random.default_rng(0).permutation(3) if i != 2)
    U = oracle.unit(X)
    pi, _ = oracle.row_margin(U, y, first, np.full(3, 1 / 3), 1.0, False)
    w = oracle.positive_unit(pi) if (pi > 0).any() else np.full(3, 1 / 3)
    np.testing.assert_allclose(
        got.selection_.columns["margin"], oracle.row_margin(U, y, last, w, 1.0, False)[0], rtol=1e-9
    )


def test_where_nothing_widens_the_margin_one_feature_stays():
    X, y = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]), [0, 0, 1, 1]
    with pytest.warns(UserWarning, match="No feature widens"):
        got = OnlineIRelief(None, random_state=0).fit(X, y)
    np.testing.assert_array_equal(got.scores_, [1, 0])


def test_passes_end_early_when_nothing_changes(rng):
    X, y = rng.random((30, 2)), np.arange(30) % 2
    X[:, 0] += 2 * y
    assert OnlineIRelief(n_passes=50, tol=0.1, random_state=0).fit(X, y).n_steps_ < 30 * 50
    assert OnlineIRelief(n_passes=3, tol=0.0, random_state=0).fit(X, y).n_steps_ in (60, 90)


def test_partial_fit_learns_on_and_keeps_no_rows(rng):
    def batch(n):
        X, y = rng.normal(size=(n, 12)), rng.integers(0, 2, n)
        X[:, 4] += 2 * y
        X[:, 7] -= 1.5 * y
        return X, y

    learner = OnlineIRelief(2, random_state=0)
    for _ in range(6):
        X, y = batch(50)
        assert learner.partial_fit(X, y) is learner
    assert learner.n_steps_ == 300
    assert set(learner.selection_.indices) == {4, 7}
    assert len(pickle.dumps(learner)) < 6 * X.nbytes
    with pytest.raises(ValueError, match="features"):
        learner.partial_fit(X[:, :5], y)
    learner.fit(X, y)
    assert learner.n_steps_ == 50
    np.testing.assert_array_equal(learner.scores_, OnlineIRelief(2, random_state=0).fit(X, y).scores_)
    np.testing.assert_array_equal(learner.scores_, OnlineIRelief(2, random_state=0).partial_fit(X, y).scores_)


def test_ranges_widen_with_later_rows(rng):
    """A batch in other units changes what margins refer to: nu stays in fractions of the whole range."""
    X, y = rng.random((40, 3)), np.arange(40) % 2
    X[:, 1] += y
    learner = OnlineIRelief(None, random_state=0).partial_fit(X, y)
    margin = learner.selection_.columns["margin"].copy()
    learner._running.widen(X.min(axis=0), X.min(axis=0) + 2 * np.ptp(X, axis=0))
    np.testing.assert_allclose(learner._running.nu, margin / 2)


def test_seeds_and_threads(rng):
    X, y = rng.normal(size=(60, 7)), rng.integers(0, 3, 60)
    X[:, 2] += y
    one, two = (OnlineIRelief(None, random_state=5, n_jobs=jobs).fit(X, y).scores_ for jobs in (1, 2))
    np.testing.assert_array_equal(one, two)
    assert not np.array_equal(OnlineIRelief(None, random_state=6).fit(X, y).scores_, one)


def test_many_rows_use_several_pieces_of_work(monkeypatch, rng):
    """Candidates are cut in pieces of fixed size, whatever the number of threads."""
    from fewer.methods.relief import _soft_margins

    X, y = rng.normal(size=(50, 5)), rng.integers(0, 2, 50)
    X[:, 0] += y
    whole = OnlineIRelief(None, random_state=0).fit(X, y).scores_
    monkeypatch.setattr(_soft_margins, "CANDIDATES", 7)
    one, three = (OnlineIRelief(None, random_state=0, n_jobs=jobs).fit(X, y).scores_ for jobs in (1, 3))
    np.testing.assert_array_equal(one, three)
    np.testing.assert_allclose(one, whole, rtol=1e-9)


def test_degenerate_data(rng):
    X, y = rng.normal(size=(14, 600)), np.arange(14) % 2
    X[:, 0], X[:, 8] = 1.0, 9 * y + rng.random(14)
    got = OnlineIRelief(5, random_state=0).fit(X, y)
    assert got.selection_.indices[0] == 8
    assert got.scores_[0] == 0
    twice = OnlineIRelief(None, sigma=1e-4, random_state=0).fit(np.repeat(X, 2, axis=0), np.repeat(y, 2))
    assert np.isfinite(twice.scores_).all()
    with pytest.raises(InputError, match="only one row"):
        OnlineIRelief().fit(X[:2], y[:2])


def test_parameters_are_checked(rng):
    X, y = rng.random((10, 2)), np.arange(10) % 2
    for bad in ({"sigma": -1.0}, {"decay": 0.0}, {"decay": 1.5}, {"n_passes": 0}, {"multiclass": "x"}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            OnlineIRelief(**bad).fit(X, y)


def test_batches_too_far_apart_are_refused_before_they_are_learned(rng):
    """Each range is finite, but not that of both."""
    y = [0, 0, 1, 1]
    learner = OnlineIRelief(None, random_state=0).partial_fit(rng.random((4, 2)) * 1e308, y)
    with pytest.raises(InputError, match="rescale"):
        learner.partial_fit(-rng.random((4, 2)) * 1e308, y)
    assert np.isfinite(learner._running.nu).all()
    assert learner._running.low.min() >= 0


def test_a_seed_that_is_none_is_refused():
    for seed in ("x", -1, 0.5):
        with pytest.raises(ValueError, match="random_state"):
            OnlineIRelief(random_state=seed).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
