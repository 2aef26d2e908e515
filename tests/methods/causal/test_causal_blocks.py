"""Larger groups of near copies, copies of the target, and how the graph and the target are told."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.core.records.errors import InputError, ParameterError
from fewer.independence import ConditionalInformation, FisherZ, GTest, RegressionTest

LOCAL = ["HITON", "MMMB", "HITONPC", "MMPC"]


def block(seed, copies, n=500, noise=0.1):
    """Columns of which several together tell what any other knows about y."""
    rng = np.random.default_rng(seed)
    cause = rng.normal(size=n)
    y = cause + 0.7 * rng.normal(size=n)
    return cause[:, None] + noise * rng.normal(size=(n, copies)), y


def notes_of(selection):
    return " ".join(selection.tables["notes"].columns["note"]) if "notes" in selection.tables else ""


@pytest.mark.parametrize("name", [*LOCAL, "PC", "RelevanceClasses"])
def test_of_larger_groups_of_near_copies_the_strongest_is_kept(name):
    """Sets of three separated each from y, and all were lost."""
    for seed, copies in ((1, 4), (1, 5), (1, 6), (2, 6), (3, 3), (4, 3), (4, 4), (5, 6)):
        X, y = block(seed, copies)
        found = getattr(fewer, name)().fit(X, y).selection_
        strongest = int(np.argmax([abs(np.corrcoef(x, y)[0, 1]) for x in X.T]))
        assert strongest in found.indices, (seed, copies)
        assert len(found) <= 2
        for j in set(range(copies)) - set(found.indices.tolist()):
            reason = found.reason(j)
            assert reason.kind == "redundant", (seed, copies, j)
            assert set(reason.related) <= {f"x{i}" for i in found.indices}


def test_a_group_beside_other_causes_comes_back():
    """The group is lost while another cause is kept; its strongest comes back beside it."""
    X, y = block(1, 6)
    other = np.random.default_rng(9).normal(size=500)
    for name in (*LOCAL, "PC"):
        kept = getattr(fewer, name)(alpha=0.01).fit(np.column_stack([other, X]), y + other).selection_.indices.tolist()
        assert 0 in kept, name
        assert set(kept) & set(range(1, 7)), name


def test_larger_groups_of_levels_keep_one():
    rng = np.random.default_rng(2)
    cause = rng.integers(0, 2, 600)
    X = np.column_stack([np.where(rng.random(600) < 0.03, 1 - cause, cause) for _ in range(5)])
    y = np.where(rng.random(600) < 0.2, 1 - cause, cause)
    for name in (*LOCAL, "PC"):
        assert len(getattr(fewer, name)(discretizer=None).fit(X, y).selection_), name


def test_an_empty_blanket_of_features_that_matter_is_said():
    """Two near copies, each too weak to come back."""
    rng = np.random.default_rng(1)
    cause = rng.normal(size=60)
    y = 0.35 * cause + rng.normal(size=60)
    X = cause[:, None] + 0.05 * rng.normal(size=(60, 2))
    found = fewer.HITON().fit(X, y).selection_
    assert len(found) == 0
    assert "Nothing is kept, although 2 features depend on y alone" in notes_of(found)
    assert notes_of(fewer.HITON().fit(rng.normal(size=(60, 2)), y).selection_) == ""


def test_pc_finds_the_same_near_copy_in_any_order():
    """The graph was changed while it was looked at, so that who was looked at first mattered."""
    for seed, copies in ((0, 4), (1, 4), (2, 3)):
        X, y = block(seed, copies, n=400)
        wanted = set(fewer.PC().fit(X, y).selection_.indices.tolist())
        for order in (np.arange(copies)[::-1], np.roll(np.arange(copies), 1)):
            found = fewer.PC().fit(X[:, order], y).selection_.indices
            assert {int(order[j]) for j in found} == wanted


def test_of_copies_of_the_target_pc_keeps_the_lowest_and_says_so():
    rng = np.random.default_rng(0)
    y, noise, classes = rng.normal(size=300), rng.normal(size=300), rng.integers(0, 2, 300)
    for X, target in (
        (np.column_stack([noise, y, 2 * y, -y]), y),
        (np.column_stack([y + noise, y, 2 * y]), y),
        (np.column_stack([rng.integers(0, 2, 300), classes, classes, 1 - classes]), classes),
    ):
        found = fewer.PC(discretizer=None).fit(X, target).selection_
        assert found.indices.tolist() == [1]
        assert "Given y nothing of x1 can vary" in notes_of(found)
        assert (found.reason(2).kind, found.reason(2).related) == ("redundant", ("x1",))
    X = np.column_stack([y + noise, noise, rng.normal(size=300)])
    assert "can vary" not in notes_of(fewer.PC().fit(X, y).selection_)


def test_a_feature_called_as_the_target_is_told_from_it():
    X, y = block(0, 2)
    frame = pd.DataFrame({"y": X[:, 0], "x": X[:, 1]})
    for name in ("IAMB", "PC"):
        found = getattr(fewer, name)().fit(frame, y).selection_
        assert all(" the target" in str(found.reason(j)) for j in range(2))
    assert found.tables["graph"].target == "the target"
    assert fewer.PC().fit(X, y).selection_.tables["graph"].target == "y"


def test_edges_of_the_target_come_first_and_unknown_ones_last():
    data = fewer.synth.make_lung_cancer(2000, random_state=0)
    columns = fewer.PC().fit(data.X, data.y).selection_.tables["graph"].columns
    near = [-1 in ends for ends in zip(columns["from"], columns["to"])]
    assert 0 < sum(near) < len(near)
    assert near == sorted(near, reverse=True)
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 400)
    many = rng.integers(0, 12, (2, 400))
    near_a = np.where(rng.random(400) < 0.1, 1 - a, a)
    X = np.column_stack([many[0], many[1], near_a, np.where(rng.random(400) < 0.1, 1 - near_a, near_a)])
    words = fewer.PC(discretizer=None).fit(X, a).selection_.tables["graph"].columns["edge"]
    assert {"?"} < set(words)
    assert [word == "?" for word in words] == sorted(word == "?" for word in words)


def test_a_constant_target_of_numbers_is_told_in_words_of_numbers():
    X = np.random.default_rng(0).normal(size=(50, 3))
    for name in ("HITON", "PC"):
        with pytest.raises(InputError, match=rf"{name} needs numbers that differ .* y is 1 in every row; check the"):
            getattr(fewer, name)().fit(X, np.ones(50))
    with pytest.raises(InputError, match="needs at least two classes, but y has only one class"):
        fewer.HITON().fit(X, np.ones(50, int))


@pytest.mark.parametrize(
    "made", [lambda: GTest(h=np.inf), lambda: RegressionTest(h=np.inf), lambda: ConditionalInformation(h=np.inf)]
)
def test_infinitely_many_rows_per_cell_are_refused(made):
    with pytest.raises(ParameterError, match="got h=inf.* finite.*choose such a number"):
        made()
    with pytest.raises(ParameterError, match="FisherZ got min_dof=inf"):
        FisherZ(min_dof=np.inf)
