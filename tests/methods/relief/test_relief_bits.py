"""Where bits hold features, the Relief family scores as its oracles do."""

from __future__ import annotations

import numpy as np
import pytest

import fewer
from fewer.core.neighbours import few_valued
from fewer.core.neighbours.joint_space import JointSpace
from fewer.core.neighbours.kept_distances import KeptSpace, keep_distances
from fewer.core.neighbours.row_space import range_space
from fewer.core.runners.threads import ThreadRunner
from fewer.methods.relief import _radius_masks
from oracles import relief as oracle

WIDE = 80
SURFS = ["SURF", "SURFStar", "MultiSURF", "MultiSURFStar"]


def table(rng, kind, n=17):
    """Return columns that are bits, wholly or in part, and which are nominal."""
    X, nominal = rng.integers(0, 3, (n, WIDE)).astype(float), np.zeros(WIDE, bool)
    if kind == "levels":
        X, nominal[:] = np.floor(rng.random((n, WIDE)) * rng.integers(3, 17, WIDE)), True
    elif kind == "two values":
        X = np.where(X > 1, 1e9 + 0.25, 1e9)
    elif kind == "steps":
        X = np.floor(rng.random((n, WIDE)) * rng.integers(2, 6, WIDE)) - 2
    elif kind == "mixed":
        nominal[:45] = True
        X[:, 45:50] = rng.normal(size=(n, 5))
        X[:, 50:52] = rng.integers(0, 9, (n, 2))
    elif kind == "missing":
        X, nominal[:] = np.floor(rng.random((n, WIDE)) * rng.integers(1, 18, WIDE)), True
        X[rng.random((n, WIDE)) < 0.2] = np.nan
        X[:, 0] = np.nan
    elif kind == "missing numbers":
        X = np.floor(rng.random((n, WIDE)) * rng.integers(2, 6, WIDE)) - 2
        X[:, 20:][rng.random((n, WIDE - 20)) < 0.2] = np.nan
    elif kind == "tied":
        nominal[:] = True
        X[n // 2 :] = X[: n - n // 2]
        X[:, 5] = X[:, 6] = 0
    return X, nominal


KINDS = ["levels", "two values", "steps", "mixed", "missing", "missing numbers", "tied"]


def chosen(nominal):
    return {"categorical_features": nominal} if nominal.any() else {}


@pytest.mark.parametrize("kind", KINDS)
def test_all_rows_within_a_radius(rng, kind):
    for name, n_classes in zip(SURFS, rng.permutation([2, 3, 4, 2])):
        X, nominal = table(rng, kind)
        y = rng.permutation(np.arange(len(X)) % n_classes)
        scores = getattr(fewer, name)(**chosen(nominal)).fit(X, y).scores_
        np.testing.assert_allclose(scores, oracle.surf_family(X, y, name, nominal), atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_nearest_rows(rng, kind):
    X, nominal = table(rng, kind)
    y = rng.integers(0, 3, len(X))
    expected = oracle.relieff(X, y, 5, nominal, ties="average")
    scores = fewer.ReliefF(n_neighbors=5, ties="average", **chosen(nominal)).fit(X, y).scores_
    np.testing.assert_allclose(scores, expected, atol=1e-9)
    numbers = rng.normal(size=len(X))
    expected = oracle.rrelieff(X, numbers, 5, nominal, ties="average")
    scores = fewer.RReliefF(n_neighbors=5, ties="average", **chosen(nominal)).fit(X, numbers).scores_
    np.testing.assert_allclose(scores, expected, atol=1e-9)


@pytest.mark.parametrize("kind", ["levels", "steps", "mixed"])
@pytest.mark.parametrize("power", [1, 2])
def test_one_hit_and_one_miss(rng, kind, power):
    X, nominal = table(rng, kind)
    y = rng.integers(0, 2, len(X))
    made = fewer.Relief(power=power, ties="average", **chosen(nominal))
    np.testing.assert_allclose(
        made.fit(X, y).scores_, oracle.relief(X, y, nominal, ties="average", power=power), atol=1e-9
    )


@pytest.mark.parametrize("kind", KINDS)
def test_bits_are_used_and_can_be_kept(rng, kind, monkeypatch):
    spaces = []
    monkeypatch.setattr(
        "fewer.methods.relief.surf.range_space", lambda *a, **k: spaces.append(range_space(*a, **k)) or spaces[-1]
    )
    X, nominal = table(rng, kind)
    fewer.MultiSURF(**chosen(nominal)).fit(X, rng.integers(0, 2, len(X)))
    (space,) = spaces
    assert isinstance(space, JointSpace)
    with ThreadRunner(1) as run:
        kept = keep_distances(run, space)
    n = space.n_rows
    if isinstance(kept, KeptSpace):
        gap = np.abs(kept.tile(kept, 0, n, 0, n) - space.tile(space, 0, n, 0, n)).max()
        assert gap <= kept.error


@pytest.mark.parametrize("kind", ["mixed", "missing"])
def test_threads_and_ranges_of_rows_change_nothing(rng, kind, monkeypatch):
    X, nominal = table(rng, kind, 140)
    y = rng.integers(0, 3, 140)
    made = fewer.MultiSURFStar(**chosen(nominal))
    scores = made.fit(X, y).scores_
    np.testing.assert_array_equal(made.set_params(n_jobs=2).fit(X, y).scores_, scores)
    monkeypatch.setattr(_radius_masks, "MOST_BYTES", 1)
    np.testing.assert_allclose(made.fit(X, y).scores_, scores, atol=1e-13)


def test_few_bits_beside_many_numbers_are_left_as_numbers(rng):
    X = rng.normal(size=(20, 300))
    X[:, :80] = rng.integers(0, 2, (20, 80))
    low, width = X.min(axis=0), np.ptp(X, axis=0)
    nominal, complete = np.zeros(300, bool), np.ones(300, bool)
    label = np.zeros(20, int)
    assert few_valued.few_valued(X, low, width, nominal, complete, 4, label) == []
    parts = few_valued.few_valued(X[:, :100], low[:100], width[:100], nominal[:100], complete[:100], 4, label)
    assert np.concatenate([part.owner for part in parts]).tolist() == list(range(80))


def test_trees_of_rows_are_sampled_from_numbers_of_two_values(rng):
    X = rng.integers(0, 2, (90, WIDE)).astype(float)
    made = fewer.ReliefF(3, n_samples=30, sampling="kdtree", random_state=0)
    assert len(made.fit(X, X[:, 0].astype(int)).selection_) == 3


@pytest.mark.parametrize("name", ["MultiSURFStar", "SURF", "ReliefF", "RReliefF", "Relief"])
@pytest.mark.parametrize("kind", ["missing", "missing numbers", "tied"])
def test_scores_and_ties_are_those_without_bits(rng, name, kind, monkeypatch):
    X, nominal = table(rng, kind, 66)
    X[40:] = X[: len(X) - 40]
    options = {"power": 2} if name == "Relief" else {}
    made, y = getattr(fewer, name)(None, **options, **chosen(nominal)), rng.integers(0, 2, len(X))
    y[0] = 1 - y[0]
    found = made.fit(X, y).selection_
    monkeypatch.setattr("fewer.core.neighbours.row_space.few_valued", lambda *_: [])
    plain = made.fit(X, y).selection_
    np.testing.assert_allclose(found.scores, plain.scores, atol=1e-12)
    # Where scores differ by more than rounding the order is the same; of the same column twice the lower comes first.
    apart = np.abs(np.subtract.outer(plain.scores, plain.scores)) > 1e-9
    place = {j: i for i, j in enumerate(found.indices)}
    before = {j: i for i, j in enumerate(plain.indices)}
    for i, j in np.argwhere(apart):
        assert (place[i] < place[j]) == (before[i] < before[j])


def test_rows_that_are_drawn_bring_their_gaps(rng, monkeypatch):
    X, nominal = table(rng, "missing", 40)
    made = fewer.ReliefF(n_neighbors=3, n_samples=11, random_state=0, **chosen(nominal))
    y = rng.integers(0, 2, 40)
    scores = made.fit(X, y).scores_
    monkeypatch.setattr("fewer.core.neighbours.row_space.few_valued", lambda *_: [])
    np.testing.assert_allclose(scores, made.fit(X, y).scores_, atol=1e-12)


def test_a_ramp_of_the_whole_range_makes_numbers_equal_but_not_levels(rng):
    X, y = rng.integers(0, 2, (20, WIDE)).astype(float), np.arange(20) % 2
    assert not fewer.MultiSURF(ramp=(1.0, 1.0)).fit(X, y).scores_.any()
    levels = fewer.MultiSURF(ramp=(1.0, 1.0), categorical_features=np.arange(WIDE)).fit(X, y).scores_
    np.testing.assert_allclose(levels, fewer.MultiSURF().fit(X, y).scores_, atol=1e-12)


def test_more_classes_than_a_byte_has_codes_leave_gaps_to_numbers(rng):
    X, nominal = table(rng, "missing", 30)
    low, width = np.nanmin(X[:, 1:], axis=0), np.nanmax(X[:, 1:], axis=0) - np.nanmin(X[:, 1:], axis=0)
    rest = (low, width, nominal[1:], np.zeros(WIDE - 1, bool), 4)
    assert few_valued.few_valued(X[:, 1:], *rest, np.arange(30) % 3)
    assert not few_valued.few_valued(X[:, 1:], *rest, np.arange(30) * 7)
