"""Comparisons at the edges: leave one out, time, given splits, searches as methods, claims that must not be made."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GroupKFold, KFold
from sklearn.naive_bayes import GaussianNB

import fewer
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.row_splits import make_splits
from fewer.evaluate.compare import compare
from fewer.evaluate.comparison import Comparison
from fewer.evaluate.data import read
from fewer.evaluate.headline import honest_scores
from fewer.evaluate.protocols import before_after, selection_bias
from fewer.evaluate.stability import jaccard, nogueira
from fewer.methods.compose import Chain
from fewer.methods.wrappers.sequential import SequentialSelector

SMALL = {"methods": ["FTest", "JMI"], "estimators": ["naive Bayes"], "sizes": [1, 2]}


@pytest.fixture
def noise(rng):
    return rng.normal(size=(40, 6)), np.repeat([0, 1], 20)


@pytest.mark.parametrize("cv", ["loo", 20, 10])
def test_noise_is_no_better_than_chance_when_one_row_is_left_out(noise, cv):
    # Guessing the class that is more frequent among the other rows is wrong for every row of balanced classes.
    found = compare(*noise, **SMALL, cv=cv)
    best = found.best()
    assert best.chance == 0.5
    assert not best.beats_chance
    assert "not shown to be better than a guess (0.5)" in best.sentence


def test_a_signal_is_not_called_a_guess():
    best = compare(*load_iris(return_X_y=True), **SMALL, cv=5).best()
    assert best.beats_chance
    assert "guess" not in best.sentence


def test_an_unknown_chance_and_a_single_split_are_no_crash(noise):
    def spread(estimator, X, y):
        return -float(estimator.var_.sum())

    odd = compare(*noise, **SMALL, cv=3, scoring=spread)
    assert np.isnan(odd.chance).all()
    assert np.isnan(odd.best().chance_pvalue)
    assert not odd.best().beats_chance
    single = compare(*noise, **SMALL, cv=[(np.arange(0, 40, 2), np.arange(1, 40, 2))])
    assert np.isnan(single.stability("FTest", 1).value)
    assert np.isnan(single.best().chance_pvalue)
    assert len(single.rows()) == 4
    assert Comparison.from_json(single.to_json()).best().sentence == single.best().sentence


@pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
def test_groups_hold_for_given_splits_too(noise):
    y, groups = noise[1], np.arange(40) // 2
    for cv in (KFold(4, shuffle=True, random_state=0), [(np.arange(0, 40, 2), np.arange(1, 40, 2))]):
        with pytest.raises(InputError, match="one group"):
            make_splits(cv, y, "classification", groups)
    assert len(make_splits(GroupKFold(4), y, "classification", groups)) == 4
    with pytest.raises(InputError, match="different kinds"):
        make_splits(2, y, "classification", ["a", 1, None, 2] * 10)


def test_in_time_nothing_is_chosen_by_the_future(noise):
    found = compare(noise[0], np.tile([0, 1], 20), **SMALL, cv="time:4")
    flat = found.scores.reshape(-1, 4)
    honest = honest_scores(found)
    # What comes later may change nothing of what was before.
    for f in range(1, 4):
        assert honest[f] == flat[np.argmax(flat[:, :f].mean(axis=1)), f]
        later = found.scores.copy()
        later[..., f + 1 :] = np.random.default_rng(f).normal(size=later[..., f + 1 :].shape)
        np.testing.assert_array_equal(honest_scores(replace(found, scores=later))[: f + 1], honest[: f + 1])


def test_searches_through_subsets_can_be_compared(rng):
    X = rng.normal(size=(60, 6))
    y = (X[:, 4] + X[:, 1] > 0).astype(int)
    frame = pd.DataFrame(X, columns=list("abcdef"))
    search = SequentialSelector(GaussianNB(), "best", cv=3, fixed_features=["c"])
    found = compare(
        frame, y, {"search": search, "three": SequentialSelector(GaussianNB(), 3, cv=3)}, "naive Bayes", [2, 3], cv=3
    )
    assert found.failures == ()
    assert (found.kept[0] <= [[2], [3]]).all()
    assert (found.kept[1] == [[2], [3]]).all()
    splits = make_splits(3, y, "classification")
    for f, rows in enumerate(splits.train):
        own = SequentialSelector(GaussianNB(), 2, cv=3).fit(X[rows], y[rows]).selection_.indices
        assert found.chosen("three", 2, f).tolist() == own.tolist()
        assert 2 in found.chosen("search", 2, f)


def test_rows_of_a_comparison_have_their_own_levels(rng):
    frame = pd.DataFrame(rng.normal(size=(60, 2)), columns=["a", "b"])
    frame["t"] = pd.Categorical(rng.choice(list("uvwxyz"), 60))
    frame.loc[3, "t"] = None
    y = rng.integers(0, 2, 60)
    rows = np.arange(1, 60, 2)
    given = read(frame, y).rows(rows, ThreadRunner(1))
    expected = frame["t"].iloc[rows]
    codes = given.whole().X[:, 2]
    assert given.names == ("a", "b", "t")
    assert sorted(given.labels[2]) == sorted(expected.cat.remove_unused_categories().cat.categories)
    assert [None if np.isnan(c) else given.labels[2][int(c)] for c in codes] == [
        None if pd.isna(v) else v for v in expected
    ]
    with pytest.raises(InputError, match="needs numbers"):
        compare(frame, y, [Chain([fewer.FTest(2), fewer.JMI(1)])], "naive Bayes", [1], cv=2)


class Unnested(fewer.FTest):
    """Chooses the best for even sizes and the worst for odd ones."""

    method_tags = replace(fewer.FTest.method_tags, nested=False)

    def _select(self, data, parts):
        found = super()._select(data, parts)
        if self.n_features_to_select % 2 == 0:
            return found
        worst = found.order[::-1][: self.n_features_to_select].copy()
        reasons = Reasons.of_kept(data.n_features, worst, NOT_REACHED)
        return fewer.Selection.build(worst, found.order[::-1], reasons, found.scores)


def test_the_headline_names_what_the_method_chooses_at_that_size():
    X, y = load_iris(return_X_y=True)
    found = compare(X, y, {"odd": Unnested()}, "naive Bayes", [2, 3], cv=3)
    assert found.best().size == 2
    order = fewer.FTest(None).fit(X, y).selection_.order
    assert found.best().features == tuple(order[:2])
    assert found.final("odd", 3).tolist() == order[::-1][:3].tolist()
    again = Comparison.from_json(found.to_json())
    assert again.final("odd", 2).tolist() == order[:2].tolist()
    assert again.best().frequency == (1.0, 1.0)


def test_seeds_of_the_protocols_are_those_of_compare(noise):
    assert np.isfinite(selection_bias(*noise, "FTest", 2, random_state=None, cv=3).bias)
    assert len(before_after(*noise, "FTest", 2, random_state=None, cv=3).after) == 3
    with pytest.raises(ParameterError, match="selection_bias got random_state=-1"):
        selection_bias(*noise, "FTest", 2, random_state=-1)


@pytest.mark.parametrize("n_jobs", [0, "2", 1.5, True])
def test_a_wrong_number_of_processes_is_refused(noise, n_jobs):
    with pytest.raises(ParameterError, match="n_jobs"):
        compare(*noise, **SMALL, n_jobs=n_jobs)


def test_the_command_tells_all_that_decides(noise):
    X, y = noise
    groups = np.arange(40) // 2
    found = compare(X, y, **SMALL, cv=2, groups=groups, naive=False, categorical_features=[], task="classification")
    names = {"fewer": type("fewer", (), {"compare": compare}), "X": X, "y": y, "groups": groups}
    again = eval(found.meta["command"], names)
    np.testing.assert_array_equal(again.scores, found.scores)
    assert again.naive is None


def test_masks_of_numbers_are_not_taken_for_features():
    for measure in (jaccard, lambda given: nogueira(given, n_features=3)):
        with pytest.raises(InputError, match="twice"):
            measure(np.array([[1, 0, 1], [0, 1, 1]]))
    assert jaccard(np.array([[1, 0, 1], [0, 1, 1]], dtype=bool)) == 1 / 3


def test_methods_that_keep_nothing_are_compared_and_reported(tmp_path):
    """No feature is ever chosen, so that none is drawn or related to another; the score is that of a guess."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), np.arange(40) % 2
    found = compare(X, y, [fewer.FTest("threshold:1e9")], ["naive Bayes"], [1, 2], cv=4)
    assert found.kept.max() == 0
    assert found.best().features == ()
    np.testing.assert_allclose(found.scores, 0.5)
    assert Comparison.from_json(found.to_json()).to_json() == found.to_json()
    found.report(tmp_path / "page.html")
