"""The elimination in rounds against a plain loop; stop rules, interruption, runners."""

from __future__ import annotations

import numpy as np
import pytest

import fewer
from fewer.core.criteria.shapes import Criterion, RankingCriterion
from fewer.core.reading.table import ArrayTable
from fewer.core.records.errors import RequirementError
from fewer.core.records.ranking import Ranking
from fewer.core.runners import progress
from fewer.core.runners.threads import ThreadRunner
from fewer.core.search import turf
from fewer.core.stop import Budget, Count, Fraction, Gain, Patience, as_stop
from fewer.core.views.blocks import DenseBlock
from fewer.core.views.view import View
from oracles.turf import eliminate


class Crowded(RankingCriterion):
    """A score that depends on which other features are there: distance to the mean of all of them."""

    requires = ("dense",)

    def __init__(self, interrupt_at: int | None = None):
        self.calls, self.interrupt_at = 0, interrupt_at

    def __call__(self, X):
        self.calls += 1
        if self.calls == self.interrupt_at:
            raise KeyboardInterrupt
        return np.abs(X - X.mean(axis=1, keepdims=True)).mean(axis=0)

    def scores(self, view):
        return Ranking(self(view.whole().X))


class Fixed(RankingCriterion):
    """Scores given beforehand, found again by the first row of the data."""

    requires = ("dense",)

    def __init__(self, scores):
        self.given = np.asarray(scores, float)

    def scores(self, view):
        return Ranking(self.given[view.whole().X[0].astype(int)])


class Unranked(Criterion):
    requires = ("dense",)


def view_of(X):
    return View(ThreadRunner(1), [DenseBlock(X)], "dense", *X.shape, nominal=np.zeros(X.shape[1], bool))


def numbered(d):
    return view_of(np.arange(float(d))[None, :].repeat(3, axis=0))


@pytest.mark.parametrize("drop", [1, 2, 7, 100, 0.1, 0.5, 0.99, 1e-9])
@pytest.mark.parametrize("n_kept", [1, 4, 23])
def test_rounds_are_those_of_a_plain_loop(rng, drop, n_kept):
    X = rng.normal(size=(30, 23))
    got = turf(view_of(X), Crowded(), Count(n_kept), drop)
    kept, gone, last = eliminate(Crowded(), X, n_kept, drop)
    assert got.indices.tolist() == kept
    assert got.order.tolist() == kept + gone[::-1]
    np.testing.assert_allclose(got.scores, last, rtol=1e-12)
    assert [j for step in got.trace for j in step.removed] == gone


def test_scoring_again_changes_the_ranking(rng):
    """Otherwise the tests above would also pass for a search that scores once."""
    X = rng.normal(size=(30, 23))
    once = np.argsort(-Crowded()(X), kind="stable")
    assert turf(view_of(X), Crowded(), Count(1), 1).order.tolist() != once.tolist()


@pytest.mark.parametrize("name", ["InformationGain", "FTest"])
def test_scores_of_single_features_rank_as_the_top_does(rng, name):
    X, y = rng.normal(size=(90, 12)), np.tile([0, 1, 2], 30)
    X[:, 4] += y
    criterion = fewer.get(name).criterion
    top = fewer.Selector(criterion, "top", None).fit(X, y).selection_
    for drop in (1, 0.3):
        got = fewer.Selector(criterion, "turf", 3, drop=drop).fit(X, y).selection_
        assert got.order.tolist() == top.order.tolist()
        np.testing.assert_allclose(got.scores, top.scores, rtol=1e-12)


def test_numbers_as_target(rng):
    X = rng.normal(size=(60, 9))
    y = X[:, 5] - 0.5 * X[:, 2]
    got = fewer.Selector(fewer.Pearson.criterion, "turf", 2, task="regression", drop=2).fit(X, y).selection_
    truth = np.argsort(-np.abs(np.corrcoef(X.T, y)[-1, :-1]), kind="stable")
    assert got.order.tolist() == truth.tolist()


def test_of_equal_scores_the_higher_number_leaves_first():
    got = turf(numbered(5), Fixed([1, 1, 1, 2, 1]), Count(2), 1)
    assert [step.removed for step in got.trace] == [(), (4,), (2,), (1,)]
    assert got.order.tolist() == [3, 0, 1, 2, 4]
    together = turf(numbered(5), Fixed([1, 1, 1, 2, 1]), Count(2), 3)
    assert [step.removed for step in together.trace] == [(), (4, 2, 1)]


def test_no_rule_orders_all_and_keeps_all():
    got = turf(numbered(6), Fixed([3, 1, 5, 4, 0, 2]), as_stop(None), 2)
    assert got.indices.tolist() == got.order.tolist() == [2, 3, 0, 5, 1, 4]
    assert got.columns["round"].tolist() == [2, 1, 0, 3, 1, 2]


def test_rules_on_sizes_are_kept_exactly():
    scores = np.arange(40.0)
    assert len(turf(numbered(40), Fixed(scores), Fraction(0.3), 0.5)) == 12
    assert len(turf(numbered(40), Fixed(scores), as_stop("7|0.5"), 11)) == 20
    assert len(turf(numbered(40), Fixed(scores), Count(41), 0.5)) == 40


def test_the_value_is_the_mean_score_of_what_is_left():
    got = turf(numbered(4), Fixed([4, 0, 2, 6]), Count(1), 1)
    assert got.trace.values == [3.0, 4.0, 5.0, 6.0]
    assert [step.evaluations for step in got.trace] == [4, 3, 2, 1]
    assert got.columns["round"].tolist() == [3, 1, 2, 0]


def test_rules_on_values_take_steps_back():
    view, criterion = numbered(5), Fixed([0, 3, 4, 4, 4])
    gains = turf(view, criterion, Count(1), 1).trace.values
    assert np.diff(gains).tolist() == [0.75, 0.25, 0.0, 0.0]
    assert sorted(turf(view, criterion, Gain(0.0), 1).indices.tolist()) == [2, 3, 4]
    assert sorted(turf(view, criterion, Gain(0.5), 1).indices.tolist()) == [1, 2, 3, 4]
    assert sorted(turf(view, criterion, Patience(2), 1).indices.tolist()) == [2, 3, 4]
    assert len(turf(view, criterion, Budget(evaluations=9), 1)) == 4


def test_an_interruption_returns_what_is_left(rng):
    X = rng.normal(size=(20, 10))
    with pytest.warns(UserWarning, match="interrupted with 8 features left"):
        got = turf(view_of(X), Crowded(interrupt_at=2), Count(3), 2)
    first = np.argsort(-Crowded()(X), kind="stable")
    assert got.order.tolist() == first.tolist()
    assert got.indices.tolist() == first[:8].tolist()
    assert "interrupted" in got.reasons.rule
    with pytest.raises(KeyboardInterrupt):
        turf(view_of(X), Crowded(interrupt_at=1), Count(3), 2)


def test_progress_and_reasons_are_told(rng):
    told = []
    with progress.listen(lambda what, done, total: told.append((what, done, total))):
        got = turf(view_of(rng.normal(size=(20, 10))), Crowded(), Count(4), 3)
    assert told == [("dropping features", done, 10) for done in (0, 3, 6)]
    assert "left in round 1" in str(got.reason(int(got.order[-1])))
    assert got.reason(int(got.order[-1])).kind == "not reached"
    assert "stopped (4)" in str(got.reason(int(got.indices[0])))
    again = fewer.Selection.from_json(got.to_json())
    assert again.order.tolist() == got.order.tolist()


def test_streamed_rows_give_the_same(rng):
    X, y = rng.normal(size=(200, 14)), np.tile([0, 1], 100)
    X[:, 3] += y
    selector = fewer.Selector(fewer.InformationGain.criterion, "turf", 3, drop=0.4)
    memory = selector.fit(X, y).selection_
    table = ArrayTable(X, y, classes=np.unique(y), batch_rows=37)
    streamed = fewer.Selector(fewer.InformationGain.criterion, "turf", 3, drop=0.4).fit(table).selection_
    np.testing.assert_array_equal(memory.order, streamed.order)
    np.testing.assert_allclose(memory.scores, streamed.scores)


def test_bad_parameters_are_refused(rng):
    X, y = rng.normal(size=(20, 4)), np.tile([0, 1], 10)
    for drop in (0, -1, 0.0, 1.0, "a", None):
        with pytest.raises(ValueError, match="drop"):
            fewer.Selector(fewer.FTest.criterion, "turf", 2, drop=drop).fit(X, y)
    with pytest.raises(RequirementError, match="step by step"):
        fewer.Selector(fewer.FTest.criterion, "turf", "gap").fit(X, y)
    with pytest.raises(RequirementError, match="ranking"):
        fewer.Selector(Unranked(), "turf").fit(X, y)


def test_one_feature(rng):
    X, y = rng.normal(size=(20, 1)), np.tile([0, 1], 10)
    assert fewer.Selector(fewer.FTest.criterion, "turf", 1).fit(X, y).selection_.indices.tolist() == [0]


def test_a_share_is_not_a_matter_of_round_off():
    """29 of 100, though 0.29 * 100 is less in floating point."""
    assert 0.29 * 100 < 29
    assert len(turf(numbered(100), Fixed(np.arange(100.0)), Count(1), 0.29).trace.steps[1].removed) == 29
