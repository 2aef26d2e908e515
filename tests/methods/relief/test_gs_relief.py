"""ReliefRatio and GSRelief: perfect, constant and spanned features, and reasons."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewer.methods.relief.gs_relief import GSRelief
from fewer.methods.relief.relief_ratio import ReliefRatio
from fewer.methods.relief.relieff import ReliefF
from oracles.relief import gs_relief, relief_ratio


def two_relevant(rng, n_rows=120, n_features=6):
    """Two features tell the class and nothing about each other, the rest tells nothing."""
    X = rng.uniform(-1, 1, size=(n_rows, n_features))
    return X, (1.2 * X[:, 1] + X[:, 3] > 0).astype(int)


@given(
    n=st.integers(4, 14),
    levels=st.integers(2, 4),
    k=st.integers(1, 16),
    ties=st.sampled_from(["first", "average"]),
    seed=st.integers(0, 10**6),
)
def test_ratio_equals_the_slow_truth_on_rows_that_tie(n, levels, k, ties, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, levels, size=(n, 3)).astype(float), np.arange(n) % 2
    got = ReliefRatio(None, n_neighbors=k, ties=ties).fit(X, y).scores_
    np.testing.assert_allclose(got, relief_ratio(X, y, k, ties=ties), rtol=1e-9)


def test_ratio_of_irrelevant_features_is_about_one(rng):
    X, y = rng.normal(size=(400, 5)), rng.integers(0, 2, 400)
    np.testing.assert_allclose(ReliefRatio(None).fit(X, y).scores_, 1.0, atol=0.1)


def test_ratio_favours_small_but_steady_differences(rng):
    """A feature that is 0 but for few rows of one class differs seldom, but more often from misses than from hits."""
    y = np.arange(200) % 2
    X = np.column_stack([rng.random(200) + 0.3 * y, (y == 1) & (rng.random(200) < 0.1), rng.random((200, 2))]).astype(
        float
    )
    ratio, difference = ReliefRatio(None).fit(X, y).scores_, ReliefF(None, n_neighbors=30).fit(X, y).scores_
    assert ratio[1] / ratio[0] > difference[1] / difference[0]


def test_perfect_features_are_ordered_by_their_misses():
    """No hits differ on the first two features. Misses of class 1 differ by 1 and 1/2, others by 0 and 1."""
    y = np.repeat([0, 1, 2], 4)
    X = np.column_stack([y == 1, y / 2, np.tile([0.0, 1.0], 6)]).astype(float)
    got = ReliefRatio(None, n_neighbors=2).fit(X, y).scores_
    eps = np.finfo(float).eps
    np.testing.assert_allclose(got, [4 / 12 / eps, (4 * 0.5 + 8) / 12 / eps, 0.0], atol=1e-9)


@pytest.mark.parametrize("selector", [ReliefRatio, GSRelief])
def test_classes_of_single_rows_are_refused(selector):
    with pytest.raises(ValueError, match="each of the 3 classes has only one row; give"):
        selector().fit(np.arange(6.0).reshape(3, 2), ["a", "b", "c"])


def test_first_choice_is_that_of_the_ratio(rng):
    X, y = two_relevant(rng)
    ratio = ReliefRatio(None).fit(X, y)
    found = GSRelief(1).fit(X, y)
    assert found.selection_.indices[0] == np.argmax(ratio.scores_)
    np.testing.assert_allclose(found.scores_, ratio.scores_, rtol=1e-9)


def test_copies_and_combinations_of_chosen_features_are_redundant(rng):
    X, y = two_relevant(rng)
    X = np.column_stack([X, 5 - 2 * X[:, 1], X[:, 1] + 0.5 * X[:, 3]])
    found = GSRelief(3).fit(X, y).selection_
    assert set(found.indices[:2]) < {1, 3, 6, 7}
    first = found.indices[0]
    twin = {1: 6, 6: 1}.get(int(first))
    if twin is not None:
        assert found.reason(twin).kind == "redundant"
        assert found.reason(twin).related == (f"x{first}",)
        assert found.reason(twin).amount == 1.0
    ratio = ReliefRatio(3).fit(X, y).selection_
    assert {1, 6} <= set(ratio.indices.tolist()), "without projections both copies are kept"
    assert not {1, 6} <= set(found.indices.tolist())


def test_search_ends_when_all_is_spanned(rng):
    X, y = two_relevant(rng, n_features=4)
    X = np.column_stack([X, X.sum(axis=1), np.full(len(X), 3.0)])
    found = GSRelief(None).fit(X, y).selection_
    assert len(found) == 4
    kinds = [found.reason(j).kind for j in range(6)]
    assert kinds.count("kept") == 4
    assert kinds.count("redundant") == 1
    assert kinds[5] == "irrelevant"
    assert "constant" in str(found.reason(5))
    assert found.reasons.rule == "the chosen features span all others"
    assert found.scores[5] == 0.0


def test_more_features_than_rows_end_when_the_rows_are_spanned(rng):
    X, y = rng.normal(size=(9, 30)), np.arange(9) % 2
    found = GSRelief(None, n_neighbors=2).fit(X, y).selection_
    assert len(found) == 8
    assert sorted(found.order.tolist()) == list(range(30))


def test_rule_that_goes_back_tells_redundance_of_what_is_kept(rng):
    X, y = two_relevant(rng, n_features=5)
    X = np.column_stack([X, X[:, 0] * 2])
    found = GSRelief("patience:2").fit(X, y).selection_
    for j in range(6):
        reason = found.reason(j)
        if reason.kind == "redundant":
            assert set(reason.related) <= set(found.kept_names)
    chosen, _ = gs_relief(X, y, len(found), 30)
    assert found.indices.tolist() == chosen


def test_threshold_ends_the_search(rng):
    X, y = two_relevant(rng, 300)
    found = GSRelief("threshold:1.2").fit(X, y).selection_
    assert set(found.indices.tolist()) == {1, 3}
    assert (found.scores[found.indices] >= 1.2).all()


def test_all_columns_constant(rng):
    found = GSRelief(2).fit(np.ones((10, 3)), np.arange(10) % 2).selection_
    assert found.indices.tolist() == []
    np.testing.assert_array_equal(found.scores, 0.0)
    assert [found.reason(j).kind for j in range(3)] == ["irrelevant"] * 3


def test_parts_of_an_interaction_are_not_both_found(rng):
    """The chosen feature is gone from the distances, as the notes say; the ratio alone finds both."""
    X = rng.uniform(-1, 1, size=(300, 6))
    y = X[:, 2] * X[:, 4] > 0
    assert set(ReliefRatio(2, n_neighbors=10).fit(X, y).selection_.indices) == {2, 4}
    found = GSRelief(2, n_neighbors=10).fit(X, y)
    assert found.selection_.indices[0] in (2, 4)
    second = ({2, 4} - {int(found.selection_.indices[0])}).pop()
    assert found.scores_[second] < 1.1
