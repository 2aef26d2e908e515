"""RReliefF: targets of all kinds, guards, and what it refuses."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewer.core.measures.margin import relief_threshold
from fewer.core.neighbours.relief_weights import weights_of_sums
from fewer.core.stop import Threshold
from fewer.methods.relief.rrelieff import RReliefF
from oracles.relief import rrelieff


def test_constant_target_speaks_against_all_that_varies(rng):
    """N_dY = 0: only the second part is left, the mean difference of near rows."""
    X = np.column_stack([rng.normal(size=(20, 3)), np.ones(20)])
    got = RReliefF(None).fit(X, np.full(20, 4.2)).scores_
    assert (got[:3] < 0).all()
    assert got[3] == 0.0


def test_target_that_always_differs_entirely_has_no_second_part():
    """The nearest of every row has the other target: N_dY = m."""
    X = np.array([[0.0, 0.0], [0.1, 0.0], [5.0, 1.0], [5.1, 1.0]])
    y = [0.0, 1.0, 0.0, 1.0]
    got = RReliefF(None, n_neighbors=1).fit(X, y).scores_
    np.testing.assert_allclose(got, [0.1 / 5.1, 0.0])


def test_near_rows_with_one_target_have_no_first_part():
    X = np.array([[0.0, 0.0], [0.1, 0.0], [5.0, 1.0], [5.1, 1.0]])
    got = RReliefF(None, n_neighbors=1).fit(X, [0.0, 0.0, 1.0, 1.0]).scores_
    np.testing.assert_allclose(got, [-0.1 / 5.1, 0.0])


def test_weights_from_their_sums():
    """Four points: N_dY = 8/3, N_dF = 8/3 for both, N_dY and dF = 8/3 and 4/3."""
    got = weights_of_sums(np.array([8 / 3, 8 / 3]), np.array([8 / 3, 4 / 3]), 8 / 3, 4.0)
    np.testing.assert_allclose(got, [1.0, -0.5])


@given(
    n=st.integers(2, 14),
    levels=st.integers(1, 4),
    k=st.integers(1, 16),
    ties=st.sampled_from(["first", "average"]),
    seed=st.integers(0, 10**6),
)
def test_equals_the_slow_truth_on_rows_that_tie(n, levels, k, ties, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, levels, size=(n, 3)).astype(float), rng.integers(0, 3, n).astype(float)
    got = RReliefF(None, n_neighbors=k, ties=ties).fit(X, y).scores_
    np.testing.assert_allclose(got, rrelieff(X, y, k, ties=ties), atol=1e-9)
    assert (np.abs(got) <= 1.0 + 1e-12).all()


def test_interaction_is_found_where_correlation_sees_nothing(rng):
    X = rng.uniform(-1, 1, size=(400, 8))
    y = X[:, 2] * X[:, 5]
    assert set(RReliefF(2).fit(X, y).selection_.indices) == {2, 5}
    assert np.abs(np.corrcoef(X.T, y)[-1, :-1]).max() < 0.15


def test_logarithm_of_the_number_of_rows(rng):
    X, y = rng.normal(size=(55, 3)), rng.normal(size=55)
    np.testing.assert_array_equal(
        RReliefF(None, n_neighbors="log").fit(X, y).scores_, RReliefF(None, n_neighbors=4).fit(X, y).scores_
    )


def test_relevance_threshold_keeps_what_chance_does_not_reach(rng):
    X = rng.uniform(size=(500, 6))
    X[:, 3] = X[:, 3] > 0.5
    rule = Threshold(relief_threshold(0.05, 500))
    found = RReliefF(rule, n_neighbors=300).fit(X, X[:, 3]).selection_
    assert found.indices.tolist() == [3]
    assert found.reason(0).kind == "irrelevant"
    assert found.reason(0).threshold == pytest.approx(1 / np.sqrt(25))


def test_probes_tell_what_chance_does(rng):
    X = rng.uniform(-1, 1, size=(150, 10))
    found = RReliefF("probes:0.05").fit(X, X[:, 0] + X[:, 1]).selection_
    assert {0, 1} <= set(found.indices.tolist())
    assert len(found) <= 4


def test_text_columns_are_levels(rng):
    frame = pd.DataFrame({"a": rng.normal(size=60), "b": rng.choice(["x", "y", "z"], 60)})
    codes = frame.assign(b=frame["b"].astype("category").cat.codes)
    y = (frame["b"] == "z").to_numpy() * 2.0 + rng.normal(size=60)
    text = RReliefF(None).fit(frame, y).scores_
    np.testing.assert_allclose(text, RReliefF(None, categorical_features=["b"]).fit(codes, y).scores_)


def test_too_many_samples_are_refused(rng):
    with pytest.raises(ValueError, match="n_samples=21, but X has 20 rows"):
        RReliefF(n_samples=21).fit(rng.normal(size=(20, 2)), rng.normal(size=20))


@pytest.mark.parametrize("ramp", [(0.2, 0.1), (0.1,), 0.1, (-0.1, 0.5), (0.1, 1.5), "ab"])
def test_strange_ramps_are_refused(ramp, rng):
    with pytest.raises(ValueError, match="RReliefF got ramp=.*two fractions of the range"):
        RReliefF(ramp=ramp).fit(rng.normal(size=(20, 2)), rng.normal(size=20))


def test_seed_draws_the_rows(rng):
    X, y = rng.normal(size=(60, 4)), rng.normal(size=60)
    one, same, other = (RReliefF(None, n_samples=15, random_state=s).fit(X, y).scores_ for s in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert not np.allclose(one, other)
    assert RReliefF(n_samples=15).__sklearn_tags__().non_deterministic
    assert not RReliefF().__sklearn_tags__().non_deterministic
