"""The filter chain of ORDERED-FS against its three parts."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.discretize.named import MixtureLevels
from fewer.core.measures import as_counts, information_gain
from fewer.methods.redundancy.blanket_order import InformationBlanketOrder
from fewer.methods.redundancy.markov_blanket import MarkovBlanketFilter


@pytest.fixture
def states(rng):
    """Features with two states each, of which some follow the class."""
    n, d = 90, 12
    y = rng.integers(0, 2, n)
    state = rng.integers(0, 2, (n, d))
    for j, flips in ((2, 0.05), (7, 0.1), (9, 0.25)):
        state[:, j] = np.where(rng.random(n) < flips, 1 - y, y)
    X = rng.normal(size=(n, d)) + 6.0 * state
    X[:, 10] = X[:, 7]
    X[:, 4] = rng.normal(size=n)
    return X, y


def gains_of(codes, y):
    tables = [[np.bincount(y[codes[:, j] == a], minlength=2) for a in range(2)] for j in range(codes.shape[1])]
    return information_gain(as_counts(tables))


@pytest.mark.parametrize("blanket", ["correlation", "information"])
@pytest.mark.parametrize("top", [1, 5, 12, 360])
def test_chain_is_its_parts_one_after_another(states, top, blanket):
    X, y = states
    codes = MixtureLevels().fit_transform(X)
    gains = gains_of(codes, y)
    ranked = np.argsort(-gains, kind="stable")
    best = np.sort(ranked[:top])
    got = InformationBlanketOrder(3, top=top, k=2, blanket=blanket).fit(X, y).selection_
    alone = MarkovBlanketFilter(3, k=2, blanket=blanket, discretizer="mixture").fit(X[:, best], y).selection_
    assert got.order.tolist() == [*best[alone.order], *ranked[top:]]
    assert got.indices.tolist() == best[alone.indices].tolist()
    np.testing.assert_allclose(got.columns["information"], gains, atol=1e-12)
    np.testing.assert_array_equal(got.scores[best], alone.scores)
    for place, j in enumerate(ranked[top:]):
        assert got.reason(int(j)).kind == "not reached"
        assert got.reason(int(j)).rank == min(top, 12) + place + 1
        assert got.scores[j] == 0.0
    for local, j in enumerate(best):
        assert got.reason(int(j)).kind == alone.reason(local).kind
        assert got.reason(int(j)).amount == alone.reason(local).amount
        assert got.reason(int(j)).related == tuple(f"x{best[int(m[1:])]}" for m in alone.reason(local).related)


def test_all_means_all_that_are_ordered(states):
    X, y = states
    got = InformationBlanketOrder(None, top=4).fit(X, y).selection_
    assert len(got.indices) == 4
    assert got.indices.tolist() == got.order[:4].tolist()


def test_a_copy_is_ordered_after_its_original(states):
    X, y = states
    got = InformationBlanketOrder(None, top=5).fit(X, y).selection_
    order = got.order.tolist()
    assert order.index(7) < order.index(10)
    assert got.columns["delta"][10] == 0.0


def test_leukemia_orders_360_genes(shared_data):
    z = shared_data("leukemia_golub")
    X, y = z["X"][z["train"]], z["y"][z["train"]]
    got = InformationBlanketOrder(None).fit(X, y).selection_
    assert len(got.indices) == 360
    outside = np.setdiff1d(np.arange(X.shape[1]), got.indices)
    assert got.columns["information"][got.indices].min() >= got.columns["information"][outside].max()
