from __future__ import annotations

import numpy as np
from scipy import sparse
from sklearn.mixture import GaussianMixture

from fewer.core.discretize.named import MixtureLevels, Mixtures, fit_mixtures
from fewer.core.runners.threads import ThreadRunner
from oracles.discretise import log_density


def gene_like(n=72, d=150, seed=0):
    rng = np.random.default_rng(seed)
    low, high = rng.normal(0, 1, (n, d)), rng.normal(5, 1, (n, d)) * rng.uniform(0.3, 3, d)
    return np.where(rng.random((n, d)) < rng.uniform(0.2, 0.8, d), low, high)


def posterior_state(mixtures, j, x):
    parts = [
        np.log(mixtures.weight[j, c])
        + log_density((x - mixtures.origin[j]) / mixtures.unit[j], mixtures.mean[j, c], mixtures.variance[j, c])
        for c in (0, 1)
    ]
    return parts[1] - parts[0]


def test_states_are_the_more_probable_component():
    X = gene_like()
    with ThreadRunner() as run:
        mixtures = fit_mixtures(X, run)
    cuts = mixtures.cuts()
    assert mixtures.two_states.mean() > 0.8
    grid = np.linspace(-40, 60, 2001)
    codes, _ = cuts.encode(np.repeat(grid[:, None], X.shape[1], axis=1))
    for j in np.flatnonzero(mixtures.two_states):
        gap = posterior_state(mixtures, j, grid)
        clear = np.abs(gap) > 1e-6
        if len(cuts.of(j)):
            assert (codes[clear, j] == (gap > 0)[clear]).all(), j
        else:
            assert (gap[clear] > 0).all() or (gap[clear] < 0).all()
    assert (cuts.n_levels[~mixtures.two_states] == 1).all()
    assert {len(cuts.of(j)) for j in range(X.shape[1])} >= {0, 2}


def test_all_shapes_of_the_decision():
    # Equal variances: one edge halfway; wide upper: 1,0,1; wide lower: 0,1,0; one component everywhere: no edge.
    mixtures = Mixtures(
        weight=np.array([[0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [1 - 1e-9, 1e-9], [1.0, 0.0]]),
        mean=np.array([[0.0, 4.0], [0.0, 4.0], [0.0, 4.0], [0.0, 0.1], [0.0, np.nan]]),
        variance=np.array([[1.0, 1.0], [1.0, 9.0], [9.0, 1.0], [4.0, 1.0], [1.0, np.nan]]),
        two_states=np.array([True, True, True, True, False]),
        n_iter=np.ones(5, int),
        origin=np.zeros(5),
        unit=np.ones(5),
    )
    cuts = mixtures.cuts()
    assert cuts.of(0).tolist() == [2.0]
    assert [cuts.states_of(j).tolist() for j in range(5)] == [[0, 1], [1, 0, 1], [0, 1, 0], [0], [0]]
    assert cuts.n_levels.tolist() == [2, 2, 2, 1, 1]
    for j in (1, 2):
        np.testing.assert_allclose(posterior_state(mixtures, j, cuts.of(j)), 0, atol=1e-12)


def test_states_agree_with_scikit_learn():
    rng = np.random.default_rng(3)
    X = np.where(rng.random((200, 5)) < 0.4, rng.normal(0, 1, (200, 5)), rng.normal(9, 2, (200, 5)))
    codes = MixtureLevels().fit_transform(X)
    for j in range(5):
        peer = GaussianMixture(2, n_init=3, tol=1e-6, max_iter=500, random_state=0).fit(X[:, [j]])
        theirs = peer.predict(X[:, [j]]) == np.argmax(peer.means_.ravel())
        assert (codes[:, j] == theirs).mean() > 0.98


def test_fitted_attributes_and_one_state():
    rng = np.random.default_rng(4)
    X = np.column_stack([rng.normal(size=100), np.r_[rng.normal(size=50), 20 + rng.normal(size=50)], np.ones(100)])
    fitted = MixtureLevels().fit(X)
    assert fitted.n_components_.tolist() == [1, 2, 1]
    assert fitted.cuts_.n_levels.tolist() == [1, 2, 1]
    np.testing.assert_allclose(fitted.weights_[1], [0.5, 0.5])
    assert fitted.means_.shape == fitted.variances_.shape == (3, 2)
    assert fitted.transform(X)[:, 1].tolist() == [0] * 50 + [1] * 50


def test_threads_and_sparse_give_the_same():
    X = np.where(gene_like(d=200) < 0.5, 0.0, gene_like(d=200))
    with ThreadRunner(1) as one, ThreadRunner(3) as three:
        first = fit_mixtures(X, one)
        others = fit_mixtures(X, three), fit_mixtures(sparse.csc_matrix(X), one)
    for other in others:
        for name in ("weight", "mean", "variance", "two_states", "n_iter"):
            assert getattr(first, name).tobytes() == getattr(other, name).tobytes()
