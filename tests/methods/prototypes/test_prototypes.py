"""Prototypes by random draws and by a climb, against plain loops (book 3.6.2 and 3.6.3)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsClassifier

from fewer.core.records.errors import InputError, RequirementError
from fewer.core.stop import All
from fewer.methods.prototypes import mc1 as drawing
from fewer.methods.prototypes._prototype_climb import PrototypeClimb
from fewer.methods.prototypes.mc1 import MC1
from fewer.methods.prototypes.rmhc import RMHCPrototypes
from oracles.prototypes import accuracy, climb, draw_prototypes


def data(n=40, d=5, n_classes=3, seed=0, grid=False):
    """Classes along the first feature; on a grid rows are often equal and distances often tie."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-1, 2, (n, d)).astype(float) if grid else rng.normal(size=(n, d))
    y = np.digitize(X[:, 0] + 0.3 * rng.normal(size=n), np.linspace(-0.5, 0.5, n_classes - 1))
    y[:n_classes] = np.arange(n_classes)
    return X, y


def two_clouds(seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3))
    y = np.repeat([0, 1], 30)
    X[:, 1] += 20.0 * y
    return X, y


def path_of(found):
    """Return features and accuracy after every accepted flip, from the trace."""
    features, path = set(), []
    for step in found.selection_.trace:
        features = (features | set(step.added)) - set(step.removed)
        path.append((sorted(features), step.value))
    return path


# Random draws


@pytest.mark.parametrize("grid", [False, True])
@pytest.mark.parametrize("leave_self_out", [False, True])
@pytest.mark.parametrize(("p", "k"), [(3, 1), (5, 2), (8, 3), (40, 1)])
def test_draws_equal_plain_loops(grid, leave_self_out, p, k):
    X, y = data(grid=grid)
    found = MC1(p, n_neighbors=k, max_iter=12, leave_self_out=leave_self_out, random_state=3).fit(X, y)
    rows, history = draw_prototypes(X, y, p, k, 12, 3, leave_self_out)
    assert found.prototypes_.tolist() == rows
    assert found.accuracy_ == history[-1]


def test_distances_that_are_not_kept_change_nothing(monkeypatch):
    X, y = data()
    kept = MC1(6, random_state=0).fit(X, y)
    monkeypatch.setattr(drawing, "MOST_KEPT", 0)
    np.testing.assert_array_equal(MC1(6, random_state=0).fit(X, y).prototypes_, kept.prototypes_)


def test_prediction_is_that_of_neighbours_among_the_prototypes():
    X, y = data(n=80)
    new = np.random.default_rng(9).normal(size=(50, 5))
    for k in (1, 3):
        found = MC1(9, n_neighbors=k, random_state=1).fit(X, y)
        peer = KNeighborsClassifier(k, algorithm="brute").fit(X[found.prototypes_], y[found.prototypes_])
        np.testing.assert_array_equal(found.predict(new), peer.predict(new))
        assert found.accuracy_ == found.score(X, y)
        share = found.predict_proba(new)
        np.testing.assert_allclose(share.sum(axis=1), 1.0)
        assert share.shape == (50, 3)


def test_more_draws_are_never_worse_and_of_equal_draws_the_first_stays():
    X, y = data(n=50)
    found = [MC1(3, max_iter=t, random_state=5).fit(X, y) for t in range(1, 40)]
    values = [f.accuracy_ for f in found]
    assert (np.diff(values) >= 0).all()
    assert values[-1] > values[0]
    for before, after in zip(found, found[1:], strict=False):
        if before.accuracy_ == after.accuracy_:
            np.testing.assert_array_equal(before.prototypes_, after.prototypes_)


def test_all_rows_as_prototypes_make_no_mistake_unless_equal_rows_disagree():
    X, y = data()
    assert MC1(len(X), random_state=0).fit(X, y).accuracy_ == 1.0
    X[1], y[:2] = X[0], (0, 1)
    assert MC1(len(X), random_state=0).fit(X, y).accuracy_ == 1.0 - 1 / len(X)


def test_a_class_without_prototype_is_all_wrong():
    X, y = data(n=30)
    found = MC1(1, random_state=0).fit(X, y)
    assert found.accuracy_ == np.bincount(y).max() / 30
    assert set(found.predict(X)) == {y[found.prototypes_[0]]}


def test_rows_that_are_left_out_do_not_judge_themselves():
    X, y = np.array([[0.0], [10.0], [20.0]]), np.array([0, 1, 0])
    assert MC1(3, random_state=0).fit(X, y).accuracy_ == 1.0
    # Without itself, the row at 10 has the row at 0 as the first of two equally near ones; both others are next to it.
    assert MC1(3, leave_self_out=True, random_state=0).fit(X, y).accuracy_ == 0.0


def test_two_separate_classes_need_two_prototypes():
    X, y = two_clouds()
    found = MC1(random_state=0).fit(X, y)
    assert found.accuracy_ == 1.0
    assert len(found.prototypes_) == 2
    assert found.n_iter_ <= 101


def test_draws_depend_on_the_seed_alone():
    X, y = data(n=200)
    a, b, c = (MC1(4, max_iter=5, random_state=s).fit(X, y).prototypes_.tolist() for s in (1, 1, 2))
    assert a == b != c


def test_what_draws_refuse():
    X, y = data(n=20)
    with pytest.raises(InputError, match="MC1 got n_prototypes=21, but X has 20 rows.*smaller n_prototypes"):
        MC1(21).fit(X, y)
    with pytest.raises(RequirementError, match=r"3 prototypes.*n_neighbors=4.*need 4; raise n_prototypes"):
        MC1(n_neighbors=4).fit(X, y)
    with pytest.raises(RequirementError, match="leave_self_out=True need 2"):
        MC1(1, leave_self_out=True).fit(X, y)
    with pytest.raises(ValueError, match="n_prototypes"):
        MC1(0).fit(X, y)


# The climb


@pytest.mark.parametrize("grid", [False, True])
@pytest.mark.parametrize("accept_equal", [False, True])
@pytest.mark.parametrize("wanted", ["best", 2, (2, 3), None])
@pytest.mark.parametrize("n", [32, 41])
def test_climb_equals_plain_loops(grid, accept_equal, wanted, n):
    X, y = data(n=n, grid=grid)
    sizes = {"best": None, 2: (2, 2), (2, 3): (2, 3), None: (5, 5)}[wanted]
    moves = 0
    for seed in range(3):
        found = RMHCPrototypes(wanted, n_prototypes=4, max_iter=60, accept_equal=accept_equal, random_state=seed).fit(
            X, y
        )
        path = climb(X, y, 4, 60, seed, sizes, accept_equal)
        assert path_of(found) == [(features, value) for _, features, value in path]
        assert found.prototypes_.tolist() == path[-1][0]
        assert sorted(found.selection_.indices.tolist()) == path[-1][1]
        assert found.accuracy_ == path[-1][2]
        moves += len(path) - 1
    assert moves > 3


@settings(max_examples=25, deadline=None)
@given(n=st.integers(2, 14), d=st.integers(1, 4), p=st.integers(1, 4), seed=st.integers(0, 999), equal=st.booleans())
def test_climb_equals_plain_loops_on_small_grids(n, d, p, seed, equal):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 3, (n, d)).astype(float), rng.integers(0, 2, n)
    y[:2] = 0, 1
    p = min(p, n)
    found = RMHCPrototypes(n_prototypes=p, max_iter=30, accept_equal=equal, random_state=seed).fit(X, y)
    path = climb(X, y, p, 30, seed, None, equal)
    assert path_of(found) == [(features, value) for _, features, value in path]
    assert found.prototypes_.tolist() == path[-1][0]


def test_each_accepted_flip_is_one_bit_and_better():
    X, y = data(n=64, d=8)
    found = RMHCPrototypes(n_prototypes=5, random_state=0).fit(X, y)
    steps = list(found.selection_.trace)[1:]
    assert steps
    assert all(len(s.added) + len(s.removed) <= 1 for s in steps)
    assert (np.diff(found.selection_.trace.values) > 0).all()
    assert {len(s.added) + len(s.removed) for s in steps} == {0, 1}


def test_the_start_counts_as_what_its_own_bits_say():
    """The figure draws string and best set apart; the answer must be what the string says (catalogue, pitfalls)."""
    X, y = data(n=50)
    for seed in range(10):
        found = RMHCPrototypes(n_prototypes=3, max_iter=1, random_state=seed).fit(X, y)
        kept = sorted(found.selection_.indices.tolist())
        assert found.accuracy_ == accuracy(X, y, found.prototypes_.tolist(), 1, kept)


def test_codes_beyond_the_rows_stand_for_other_rows_and_every_flip_changes_the_row():
    for n in (2, 3, 5, 33, 63, 64):
        X = np.zeros((1, n))
        walk = PrototypeClimb(X, np.zeros(n, int), 1, All().wanted(1), np.random.default_rng(0))
        codes = np.arange(1 << walk.width)
        rows = walk.rows(codes)
        assert set(rows) == set(range(n))
        for bit in range(walk.width):
            assert (walk.rows(codes ^ (1 << bit)) != rows).all()


def test_some_feature_is_always_left():
    X, y = data(n=30, d=2)
    for seed in range(30):
        for equal in (False, True):
            found = RMHCPrototypes(max_iter=3, accept_equal=equal, random_state=seed).fit(X, y)
            assert len(found.selection_) >= 1


@pytest.mark.parametrize(("wanted", "allowed"), [(3, {3}), (0.5, {4}), ((2, 4), {2, 3, 4}), ("2-4", {2, 3, 4})])
def test_given_sizes_are_kept(wanted, allowed):
    X, y = data(n=30, d=8)
    for seed in range(8):
        found = RMHCPrototypes(wanted, n_prototypes=4, max_iter=60, random_state=seed).fit(X, y)
        assert len(found.selection_) in allowed
        assert {len(features) for features, _ in path_of(found)} <= allowed


def test_none_keeps_all_features_and_chooses_prototypes():
    X, y = two_clouds()
    found = RMHCPrototypes(None, random_state=0).fit(X, y)
    assert sorted(found.selection_.indices.tolist()) == [0, 1, 2]
    assert found.accuracy_ == 1.0
    assert sorted(y[found.prototypes_]) == [0, 1]


def test_two_separate_classes_need_one_feature():
    X, y = two_clouds()
    found = RMHCPrototypes(1, random_state=0).fit(X, y)
    assert found.selection_.indices.tolist() == [1]
    assert found.accuracy_ == 1.0
    assert found.scores_[1] == 1.0


def test_scores_are_what_single_features_add():
    X, y = data(n=50, grid=True)
    seen = set()
    for seed in range(6):
        found = RMHCPrototypes(n_prototypes=4, max_iter=25, random_state=seed).fit(X, y)
        rows, kept = found.prototypes_.tolist(), set(found.selection_.indices.tolist())
        for j in range(5):
            changed = accuracy(X, y, rows, 1, sorted(kept ^ {j}))
            gain = found.accuracy_ - changed if j in kept else changed - found.accuracy_
            assert found.scores_[j] == pytest.approx(gain, abs=1e-12)
            kind = found.selection_.reason(j).kind
            assert kind == ("kept" if j in kept else "not reached" if gain > 1e-12 else "irrelevant")
            seen.add(kind)
        assert (np.diff(found.scores_[found.selection_.indices]) <= 0).all()
    assert seen == {"kept", "not reached", "irrelevant"}


def test_prototypes_of_one_class_call_no_feature_irrelevant():
    """The climb ends on them, so that every feature alone gains nothing, the best one too."""
    rng = np.random.default_rng(39)
    y = rng.integers(0, 2, 200)
    X = np.column_stack([3 * y + rng.normal(size=200), rng.normal(size=(200, 2)), np.ones(200)])
    found = RMHCPrototypes(1, random_state=39).fit(X, y)
    assert len(set(y[found.prototypes_])) == 1
    kinds = [found.selection_.reason(j).kind for j in range(4)]
    kept = found.selection_.indices.tolist()
    assert [kinds[j] for j in range(3) if j not in kept] == ["not reached"] * (3 - len({*kept} - {3}))
    assert 3 in kept or kinds[3] == "irrelevant"


def test_equal_steps_are_walked_only_when_accepted():
    X, y = data(n=60, d=6)
    strict = RMHCPrototypes(max_iter=200, random_state=0).fit(X, y).selection_.trace
    equal = RMHCPrototypes(max_iter=200, accept_equal=True, random_state=0).fit(X, y).selection_.trace
    assert (np.diff(strict.values) > 0).all()
    assert (np.diff(equal.values) >= 0).all()
    assert (np.diff(equal.values) == 0).any()


def test_climb_depends_on_the_seed_alone():
    X, y = data(n=100, d=10)
    a, b, c = (RMHCPrototypes(max_iter=50, random_state=s).fit(X, y) for s in (1, 1, 2))
    assert a.prototypes_.tolist() == b.prototypes_.tolist() != c.prototypes_.tolist()
    np.testing.assert_array_equal(a.scores_, b.scores_)


def test_one_row_per_class_and_equal_rows():
    X, y = np.eye(4), np.arange(4)
    found = RMHCPrototypes(None, max_iter=5000, random_state=0).fit(X, y)
    assert found.accuracy_ == accuracy(X, y, found.prototypes_.tolist())
    same = RMHCPrototypes(n_prototypes=3, random_state=0).fit(np.ones((9, 3)), np.repeat([0, 1, 2], 3))
    assert same.accuracy_ == pytest.approx(1 / 3)
    assert MC1(random_state=0).fit(np.ones((9, 3)), np.repeat([0, 1, 2], 3)).accuracy_ == pytest.approx(1 / 3)


def test_what_the_climb_refuses():
    X, y = data(n=20)
    with pytest.raises(InputError, match="RMHCPrototypes got n_prototypes=21, but X has 20 rows.*smaller"):
        RMHCPrototypes(n_prototypes=21).fit(X, y)
    for rule in ("parsimonious", "gain:0.1", "patience:3", "budget:10"):
        with pytest.raises(ValueError, match="n_features_to_select"):
            RMHCPrototypes(rule).fit(X, y)
    with pytest.raises(ValueError, match="max_iter"):
        RMHCPrototypes(max_iter=0).fit(X, y)
