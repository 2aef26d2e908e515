"""Rank mutual information as a ranking, and how this family reads ordered classes and directions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fewer
from fewer.core.reading.table import ArrayTable
from fewer.core.records.errors import InputError, ParameterError
from fewer.methods.ordinal._classes import class_places
from fewer.methods.ordinal.orelief import OReliefF
from fewer.methods.ordinal.osimba import OSimba
from fewer.methods.ordinal.rank_information import RankMutualInformation
from fewer.synth.monotone import make_monotone
from oracles.ordinal_margins import rank_information

WORDS = ["poor", "fair", "good"]


@pytest.fixture
def data(rng):
    y = rng.integers(0, 3, 80)
    X = rng.normal(size=(80, 4))
    X[:, 1] += y
    X[:, 2] -= y
    return X, y


def scores(X, y, **params):
    return RankMutualInformation(None, **params).fit(X, y).scores_


@pytest.mark.parametrize("side", ["ascending", "descending", "both"])
def test_scores_agree_with_the_definition(data, side):
    X, y = data
    np.testing.assert_allclose(scores(X, y, side=side), [rank_information(x, y, side) for x in X.T], atol=1e-12)


def test_directions(data):
    X, y = data
    rising, falling = scores(X, y), scores(-X, y)
    np.testing.assert_allclose(scores(X, y, monotone=[-1, -1, -1, -1]), falling, atol=1e-15)
    np.testing.assert_array_equal(scores(X, y, monotone=[0] * 4), np.maximum(rising, falling))
    auto = scores(X, y, monotone="auto")
    assert auto[1] == rising[1]
    assert auto[2] == falling[2]
    frame = pd.DataFrame(X, columns=list("abcd"))
    np.testing.assert_array_equal(scores(frame, y, monotone={"c": -1})[[1, 2]], auto[[1, 2]])
    # The command line reads every such value as a list.
    np.testing.assert_array_equal(scores(X, y, monotone=["auto"]), auto)


def test_falling_features_come_last_unless_told(data):
    X, y = data
    assert RankMutualInformation(1).fit(X, y).selection_.order.tolist()[0] == 1
    assert RankMutualInformation(1).fit(X, y).selection_.order.tolist()[-1] == 2
    assert set(RankMutualInformation(2, monotone={2: -1}).fit(X, y).selection_.indices.tolist()) == {1, 2}


@pytest.mark.parametrize(
    "dress",
    [
        lambda y: y * 10,
        lambda y: y * 2.0 - 3,
        lambda y: (np.array([9, 10, 11])[y]).astype(str),
        lambda y: pd.Series(np.array([9, 10, 11])[y]).astype(pd.CategoricalDtype([9, 10, 11], ordered=True)),
        lambda y: pd.Categorical.from_codes(y, WORDS, ordered=True),
        lambda y: pd.Series(pd.Categorical.from_codes(y, WORDS, ordered=True), name="grade"),
        lambda y: pl.Series([WORDS[c] for c in y], dtype=pl.Enum(WORDS)),
    ],
)
def test_ordered_classes_of_all_kinds(data, dress):
    X, y = data
    np.testing.assert_array_equal(scores(X, dress(y)), scores(X, y))


def test_an_ordered_target_among_the_features_or_with_gaps_is_refused(data):
    X, y = data
    target = pd.Series(pd.Categorical.from_codes(y, WORDS, ordered=True), name="grade")
    frame = pd.DataFrame(X, columns=["a", "b", "c", "grade"])
    with pytest.raises(InputError, match="leak"):
        scores(frame, target)
    with pytest.raises(InputError, match="missing values"):
        scores(X, target.where(target != "poor"))


def test_two_classes_as_booleans(data):
    X, y = data
    np.testing.assert_array_equal(scores(X, y > 1), scores(X, (y > 1).astype(int)))


def test_class_order_rules_over_everything(data):
    X, y = data
    words = np.array(WORDS)[y]
    np.testing.assert_array_equal(scores(X, words, class_order=WORDS), scores(X, y))
    np.testing.assert_array_equal(scores(X, y, class_order=[2, 1, 0]), scores(X, 2 - y))
    # Classes that do not occur leave no gap, and numbers may be written as text.
    np.testing.assert_array_equal(scores(X, y, class_order=["5", "0", "4", "1", "2"]), scores(X, y))
    reversed_words = pd.Categorical.from_codes(y, WORDS, ordered=True)
    np.testing.assert_array_equal(scores(X, reversed_words, class_order=WORDS[::-1]), scores(X, 2 - y))


def test_a_number_is_itself_however_it_is_written(data):
    X, y = data
    expected = scores(X, 2 - y)
    for target, order in ((y + 1.0, [3, 2, 1]), (y + 1, [3.0, 2.0, 1.0]), (y + 1.0, ["3", "2", "1"])):
        np.testing.assert_array_equal(scores(X, target, class_order=order), expected)
    assert class_places("x", None, np.array(["1", "01"]), ["01", "1"]).tolist() == [1, 0]


@pytest.mark.parametrize("criterion", [OReliefF.criterion, OSimba.criterion, RankMutualInformation.criterion])
def test_criteria_in_other_searches_know_the_order_too(data, criterion):
    """Labels come in the order of text, in which 10 is before 9."""
    X, y = data
    search = lambda target: fewer.Selector(replace(criterion), "top", None).fit(X, target).scores_  # noqa: E731
    if hasattr(criterion, "n_starts"):
        criterion = replace(criterion, random_state=0)
    np.testing.assert_array_equal(search(np.array(["9", "10", "11"])[y]), search(y))
    with pytest.raises(InputError, match="needs ordered classes"):
        search(np.array(WORDS)[y])


def test_unordered_text_is_refused_with_advice(data):
    X, y = data
    for labels in (
        np.array(WORDS)[y],
        pd.Categorical.from_codes(y, WORDS),
        np.array(["no", "yes"])[(y > 1).astype(int)],
    ):
        with pytest.raises(InputError, match="needs ordered classes.*pass class_order"):
            scores(X, labels)


def test_wrong_orders_and_directions_are_refused(data):
    X, y = data
    with pytest.raises(ParameterError, match="lacks the class '2'"):
        scores(X, y, class_order=[0, 1])
    with pytest.raises(ParameterError, match="'1' twice"):
        scores(X, y, class_order=[0, 1, 1, 2])
    with pytest.raises(ParameterError, match="each of 4 features"):
        scores(X, y, monotone=[1, -1])
    with pytest.raises(ParameterError, match="each of 4 features"):
        scores(X, y, monotone=[1, -1, 2, 1])
    with pytest.raises(ParameterError, match="no column of X"):
        scores(X, y, monotone={"weight": -1})
    with pytest.raises(ParameterError, match="is 1, -1 or 0"):
        scores(X, y, monotone={0: "down"})
    with pytest.raises(ValueError, match="monotone"):
        scores(X, y, monotone="down")


def test_places_of_labels():
    places = class_places("x", None, np.array(["10", "9", "8.5"]), None)
    assert places.tolist() == [2, 1, 0]
    assert class_places("x", None, np.array(["b", "a"]), ["b", "z", "a"]).tolist() == [0, 1]


def test_the_report_lists_classes_in_their_order(data):
    X, y = data
    selection = OReliefF(2, class_order=WORDS).fit(X, np.array(WORDS)[y]).selection_
    assert list(selection.meta["data"]["classes"]) == WORDS
    assert list(selection.meta["data"]["classes"].values()) == np.bincount(y).tolist()


def test_tables_in_memory(data):
    X, y = data
    table = ArrayTable(X, y, classes=np.array(WORDS)).load()
    np.testing.assert_array_equal(RankMutualInformation(None, class_order=WORDS).fit(table).scores_, scores(X, y))
    with pytest.raises(InputError, match="pass class_order"):
        RankMutualInformation(None).fit(table)


def test_probes_cut_noise():
    """Scores of shuffled targets say what chance does."""
    data = make_monotone(60, n_noise=30, random_state=0)
    kept = RankMutualInformation("probes:0.05").fit(data.X, data.y).selection_.indices.tolist()
    assert kept[0] == 0
    assert len(kept) < 8


def test_threads_change_nothing(rng):
    X, y = rng.integers(0, 50, (3000, 700)).astype(np.float32), rng.integers(0, 5, 3000)
    one, two = (scores(X, y, n_jobs=n) for n in (1, 2))
    np.testing.assert_array_equal(one, two)
