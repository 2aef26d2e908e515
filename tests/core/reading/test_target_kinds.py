"""Every kind of target is recognised, given to the methods that take it, and refused in one sentence by all others."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

import fewer
from common.cases import NAMES, case, tags_of
from fewer import registry
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.errors import InputError
from fewer.core.records.ranking import Ranking
from fewer.core.records.tags import MethodTags
from fewer.core.records.target_kinds import BY_NAME, KINDS, kind_of
from fewer.core.search import top_ranked
from fewer.core.stop import as_stop

N = 120
ROWS = np.arange(N)
TEXT = np.array(["a", "b", "c"])[ROWS % 3]
SPECIAL = {
    "survival": [np.array([(i % 2 == 0, i / 2) for i in range(N)], dtype=[("event", bool), ("time", float)])],
    "several labels": [
        np.column_stack([ROWS % 2, ROWS % 3 == 0]),
        scipy.sparse.csr_matrix(np.column_stack([ROWS % 2, ROWS % 3 == 0]).astype(int)),
        pd.DataFrame({"a": ROWS % 2, "b": ROWS % 3 == 0}),
        [[int(i % 2), int(i % 3 == 0)] for i in range(N)],
        [{"a", "b"} if i % 2 else {"b"} for i in range(N)],
        [["a", "b"] if i % 2 else [] for i in range(N)],
        pl.Series([["a", "b"] if i % 2 else ["b"] for i in range(N)]),
        pd.Series([("a", "b") if i % 2 else ("b", "c") for i in range(N)]),
    ],
    "several numbers": [np.column_stack([ROWS % 2, ROWS % 3]), np.column_stack([ROWS, ROWS]) / 7],
    "partly labelled": [
        np.where(ROWS % 4 == 0, np.nan, ROWS % 2),
        np.where(ROWS % 4 == 0, None, TEXT),
        pd.Series(np.where(ROWS % 4 == 0, None, TEXT), dtype="category"),
        pd.array(np.where(ROWS % 4 == 0, None, ROWS % 2), dtype="Int64"),
        pl.Series([None if i % 4 == 0 else "ab"[i % 2] for i in range(N)]),
    ],
}
GIVEN = [(kind, y) for kind, given in SPECIAL.items() for y in given]


class Recorder(BaseSelector):
    """Takes every kind of target and keeps the view it was given."""

    method_tags = MethodTags(targets=tuple(kind.name for kind in KINDS if kind.name != "none"), views=("dense",))
    _parameter_constraints: dict = {}

    def _select(self, data, parts):
        self.view_ = data
        return top_ranked(lambda: Ranking(np.zeros(data.n_features)), as_stop(None))


class Partial(Recorder):
    method_tags = MethodTags(targets=("classes", "numbers", "partly labelled"), views=("dense",))


def rows():
    return np.random.default_rng(0).normal(size=(N, 3))


@pytest.mark.parametrize(("kind", "y"), GIVEN)
def test_what_is_no_single_value_per_row_is_recognised(kind, y):
    assert kind_of(y) == kind
    view = Recorder().fit(rows(), y).view_
    assert view.target_kind == kind


def test_one_value_per_row_is_what_the_method_takes():
    ordered = pd.Series(pd.Categorical(TEXT, ordered=True))
    assert [kind_of(y) for y in (None, TEXT, ROWS / 7, ordered)] == ["none", "classes", "classes", "ordered classes"]
    assert kind_of(ROWS % 3 - 1) == kind_of(ROWS[:, None]) == kind_of([["a"], ["b"]]) == "classes"
    assert kind_of(ROWS % 3 - 1, ("numbers",)) == "numbers"
    assert kind_of(ROWS % 3 - 1, ("classes", "partly labelled")) == "partly labelled"


@pytest.mark.parametrize("name", [e.name for e in registry.METHODS])
def test_all_others_refuse_it_in_one_sentence(name):
    tags, c = tags_of(name), case(name, n_rows=N)
    for kind, y in GIVEN:
        # Zeros and ones are numbers, too, and beside numbers they are events and times, where these are taken.
        if kind_of(y, tags.targets) in tags.targets or not tags.needs_target:
            continue
        with pytest.raises(InputError) as error:
            c.make().fit(c.X, y)
        words = str(error.value)
        assert words.startswith((f"{name} takes one ", f"{name} takes an event and a time "))
        assert f"but y holds {BY_NAME[kind].words}" in words
        assert words.count(". ") == 0
        if BY_NAME[kind].taken_by:
            assert f"such as {BY_NAME[kind].taken_by}" in words


def test_the_list_names_methods_that_take_each_kind_and_none_where_none_does():
    taken = {kind for name in NAMES for kind in tags_of(name).targets}
    for kind in KINDS:
        if kind.taken_by:
            assert kind.name in tags_of(kind.taken_by).targets
        else:
            assert kind.name not in taken


def test_the_default_methods_answer_every_kind():
    for kind, y in GIVEN:
        answers = {"several labels": "SymmetricalUncertainty", "several numbers": "VarianceReduction"}
        answers["survival"] = "CoxScore"
        if kind in answers:
            assert fewer.select(rows(), y).meta["method"] == answers[kind]
            continue
        if kind == "partly labelled" and np.asarray(y).dtype.kind in "fO":
            # Rows without a target are left out, and the result says how many.
            assert fewer.select(rows(), y).meta["data"]["n_without_target"] > 0
            continue
        for ask in (fewer.select, fewer.rank, fewer.compare):
            with pytest.raises(InputError, match="but y holds"):
                ask(rows(), y)
    with pytest.raises(InputError, match="1d array"):
        fewer.InformationGain().fit(rows(), np.column_stack([TEXT, TEXT]))


def test_partly_labelled_targets_reach_methods_that_take_them():
    X = rows()
    view = Partial().fit(X, np.where(ROWS % 4 == 0, -1, ROWS % 2 + 5)).view_
    assert view.classes.tolist() == [5, 6]
    np.testing.assert_array_equal(view.labelled, ROWS % 4 > 0)
    np.testing.assert_array_equal(view.whole().y, np.where(ROWS % 4 == 0, -1, ROWS % 2))
    text = Partial().fit(X, np.where(ROWS % 4 == 0, None, TEXT)).view_
    assert text.classes.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(text.whole().y, np.where(ROWS % 4 == 0, -1, ROWS % 3))
    numbers = Partial().fit(X, np.where(ROWS % 4 == 0, np.nan, ROWS / 7)).view_
    assert numbers.classes is None
    np.testing.assert_array_equal(numbers.whole().y, np.where(ROWS % 4 == 0, np.nan, ROWS / 7))
    complete = Partial().fit(X, ROWS % 2).view_
    assert complete.labelled is None
    assert complete.target_kind == "classes"


def test_marks_of_unlabelled_rows_follow_the_rows():
    view = Partial().fit(rows(), np.where(ROWS % 4 == 0, -1, ROWS % 3)).view_
    some = view.rows(np.array([0, 1, 4, 2, 7]))
    assert some.labelled.tolist() == [False, True, False, True, True]
    assert some.classes.tolist() == [1, 2]
    assert some.whole().y.tolist() == [-1, 0, -1, 1, 0]


def test_minus_one_is_a_class_like_any_other_where_a_method_takes_complete_targets_only():
    X = rows()
    found, shifted = (fewer.InformationGain(2).fit(X, y) for y in (ROWS % 3 - 1, ROWS % 3))
    np.testing.assert_array_equal(found.scores_, shifted.scores_)
    assert list(found.selection_.meta["data"]["classes"]) == ["-1", "0", "1"]


def test_a_view_with_a_kind_that_a_method_does_not_take_is_refused_as_the_data_are():
    view = Recorder().fit(rows(), SPECIAL["several labels"][0]).view_
    assert fewer.Chi2(2).fit_view(view).selection_ is not None
    with pytest.raises(InputError, match="MRMR takes one class per row or one number per row, but y holds"):
        fewer.MRMR(2).fit_view(view)
