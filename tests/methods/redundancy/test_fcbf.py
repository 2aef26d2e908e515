"""FCBF against plain loops, and what the catalogue says of it (book ch. 8)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fewer.methods.redundancy.fcbf import FCBF
from oracles import redundancy as oracle


def fit(X, y, **more):
    return FCBF(**{"discretizer": None, **more}).fit(X, y).selection_


def assert_follows_oracle(X, y, delta=0.0):
    got = fit(X, y, delta=delta)
    kept, taken, pairs = oracle.fcbf(X, y, delta)
    relevance = oracle.relevances(X, y)
    assert got.indices.tolist() == kept
    np.testing.assert_allclose(got.scores, relevance, atol=1e-12)
    assert got.trace.evaluations == pairs
    for j in range(X.shape[1]):
        reason = got.reason(j)
        if j in kept:
            assert reason.kind == "kept"
        elif relevance[j] <= 1e-10 or relevance[j] < delta - 1e-10:
            assert (reason.kind, reason.related) == ("irrelevant", ())
        else:
            assert (reason.kind, reason.related) == ("redundant", (f"x{taken[j][0]}",))
            assert reason.amount == pytest.approx(taken[j][1], abs=1e-12)


@pytest.mark.parametrize("name", oracle.DATA)
@pytest.mark.parametrize("delta", [0.0, 0.05])
def test_plain_loops(name, delta):
    assert_follows_oracle(*oracle.DATA[name], delta)


@settings(max_examples=40, deadline=None)
@given(arrays(np.int64, (12, 6), elements=st.integers(0, 3)), arrays(np.int64, 12, elements=st.integers(0, 2)))
def test_plain_loops_on_made_up_tables(X, y):
    y[:2] = 0, 1
    assert_follows_oracle(X, y)


@pytest.mark.parametrize("seed", range(5))
def test_a_copy_of_a_kept_feature_always_goes_and_the_top_stays(seed):
    """Catalogue, FCBF: exact duplicate of a kept feature is always removed; the top feature is always kept."""
    X, y = oracle.tables(seed)
    first = fit(X, y)
    assert first.indices[0] == oracle.by_relevance(oracle.relevances(X, y))[0]
    copies = np.column_stack([X, X[:, first.indices], X[:, first.indices].max() - X[:, first.indices]])
    again = fit(copies, y)
    assert again.indices.tolist() == first.indices.tolist()
    for place, j in enumerate(first.indices):
        reason = again.reason(X.shape[1] + place)
        assert (reason.kind, reason.related, reason.amount) == ("redundant", (f"x{j}",), pytest.approx(1.0))


def test_a_larger_delta_keeps_the_beginning_of_the_list():
    """Catalogue, FCBF: a larger delta reduces the subset."""
    X, y = oracle.tables(1)
    free = fit(X, y)
    for delta in (0.0, 0.01, 0.03, 0.1, 0.3, 1.0):
        kept = fit(X, y, delta=delta)
        assert kept.indices.tolist() == [j for j in free.indices if free.scores[j] >= delta]
    j = int(np.argmin(free.scores))
    reason = fit(X, y, delta=0.1).reason(j)
    assert (reason.kind, reason.threshold) == ("irrelevant", 0.1)


def test_at_least_as_much_is_enough():
    """Catalogue, FCBF pitfall: >= not >. The class itself twice: SU(p, q) = SU(q, C) = 1."""
    y = np.array([0, 1, 2, 0, 1, 2])
    assert fit(np.column_stack([y, y]), y).indices.tolist() == [0]


def test_a_number_is_a_bound_and_the_rest_is_not_reached():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 3000)
    parts = [np.where(rng.random(3000) < p, y, rng.integers(0, 2, 3000)) for p in (0.5, 0.4, 0.3)]
    X = np.column_stack([parts[2], parts[0], parts[1], parts[1], np.zeros(3000, int)])
    everything = fit(X, y)
    assert everything.indices.tolist() == [1, 2, 0]
    two = fit(X, y, n_features_to_select=2)
    assert two.indices.tolist() == [1, 2]
    assert [two.reason(j).kind for j in range(5)] == ["not reached", "kept", "kept", "redundant", "irrelevant"]
    assert two.order.tolist() == [1, 2, 0, 3, 4]
    assert fit(X, y, n_features_to_select=5).indices.tolist() == [1, 2, 0]
    assert fit(X, y, n_features_to_select=0.2).indices.tolist() == [1]
    between = float(np.mean(everything.scores[[2, 0]]))
    by_rule = fit(X, y, n_features_to_select=f"threshold:{between}")
    assert by_rule.indices.tolist() == [1, 2]
    assert by_rule.reason(0).kind == "not reached"


def test_what_a_forgotten_step_took_away_is_not_reached():
    """A rule that goes back to the best step forgets the later ones, and what they took away."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 3000)
    parts = [np.where(rng.random(3000) < p, y, rng.integers(0, 2, 3000)) for p in (0.5, 0.4)]
    got = fit(np.column_stack([*parts, parts[1]]), y, n_features_to_select="patience:1")
    assert got.indices.tolist() == [0]
    assert [got.reason(j).kind for j in (1, 2)] == ["not reached", "not reached"]


def test_nothing_is_kept_if_nothing_tells_anything():
    X = np.array([[7, 0, 0], [7, 0, 1], [7, 1, 0], [7, 1, 1]])
    got = fit(X, [0, 1, 1, 0])
    assert got.indices.tolist() == []
    assert [got.reason(j).kind for j in range(3)] == ["irrelevant"] * 3
    assert "uncertainty with the class 0; needed more than 0" in str(got.reason(0))


def test_genes_stay_or_go_as_loops_say(shared_data):
    """72 x 7,129: a gene is kept just if no kept one before it in the list covers it."""
    stored = shared_data("leukemia_golub")
    X, y = stored["X"].astype(float), stored["y"]
    mean, half = X.mean(axis=0), X.std(axis=0, ddof=1) / 2
    codes = (mean - half <= X).astype(int) + (mean + half < X)
    got = fit(codes, y)
    np.testing.assert_array_equal(FCBF(discretizer="sigma").fit(X, y).selection_.indices, got.indices)
    place = np.empty(X.shape[1], int)
    place[np.argsort(-got.scores, kind="stable")] = np.arange(X.shape[1])
    for j in [*got.indices[:6], *np.random.default_rng(0).choice(X.shape[1], 30)]:
        relevance = oracle.uncertainty(codes[:, j], y)
        assert got.scores[j] == pytest.approx(relevance, abs=1e-12)
        before = [p for p in got.indices if place[p] < place[j]]
        covering = [p for p in before if oracle.uncertainty(codes[:, p], codes[:, j]) >= relevance - 1e-10]
        assert (got.reason(j).kind == "kept") == (not covering)
        assert not covering or got.reason(j).related == (f"x{covering[0]}",)
