from __future__ import annotations

import numpy as np
import pytest

import fewer
from fewer.core.criteria.shapes import (
    RankingCriterion,
    ReplayedOrder,
    StepwiseCriterion,
    as_ranking,
    as_stepwise,
    as_subset,
)
from fewer.core.records.errors import RequirementError
from fewer.core.records.ranking import Ranking
from fewer.core.runners.threads import ThreadRunner
from fewer.core.search import greedy_forward
from fewer.core.search.top import top_ranked
from fewer.core.stop import Count, Gain, Threshold, as_stop
from fewer.core.views.blocks import DenseBlock
from fewer.core.views.view import View
from fewer.methods.compose import Chain


def view_of(X):
    return View(ThreadRunner(1), [DenseBlock(X)], "dense", *X.shape, nominal=np.zeros(X.shape[1], bool))


class Cover(StepwiseCriterion):
    """Worth of a feature: how many rows it covers that no chosen feature covers. Falls, so it bounds itself."""

    requires = ("dense",)

    def start(self, view):
        self.X = view.whole().X > 0
        return self.X.sum(axis=0).astype(float)

    def add(self, view, chosen):
        free = ~self.X[:, list(chosen)].any(axis=1)
        return (self.X & free[:, None]).sum(axis=0).astype(float)


class LazyCover(Cover):
    """The same with bounds: `add` returns what was known, `refine` the truth for some."""

    bounded = lazy = True

    def start(self, view):
        self.bounds = super().start(view)
        self.refined = 0
        return self.bounds

    def add(self, view, chosen):
        return self.bounds

    def refine(self, view, chosen, open_to_choice):
        exact, looked = Cover.add(self, view, chosen), 0
        while True:
            best = int(np.argmax(np.where(open_to_choice, self.bounds, -np.inf)))
            if self.bounds[best] == exact[best]:
                return best, self.bounds[best], looked
            self.bounds[best] = exact[best]
            self.refined += 1
            looked += 1


@pytest.mark.parametrize("seed", range(20))
def test_bounds_change_the_work_not_the_result(seed):
    rng = np.random.default_rng(seed)
    X = (rng.random((40, 300)) < 0.15).astype(float)
    plain, lazy = Cover(), LazyCover()
    a = greedy_forward(view_of(X), plain, Count(12))
    b = greedy_forward(view_of(X), lazy, Count(12))
    assert a.indices.tolist() == b.indices.tolist()
    assert a.trace.values == b.trace.values
    assert lazy.refined < 12 * 300


@pytest.mark.parametrize(
    ("stop", "kinds"),
    [
        (Count(2), ["not reached", "kept", "kept", "not reached"]),
        (Threshold(2.5), ["irrelevant", "kept", "irrelevant", "irrelevant"]),
        (Count(1) | Threshold(1.5), ["irrelevant", "kept", "not reached", "irrelevant"]),
    ],
)
def test_only_a_rule_on_relevance_calls_the_rest_irrelevant(stop, kinds):
    selection = top_ranked(lambda: Ranking(np.array([1.0, 3.0, 2.0, 0.0])), stop)
    assert [selection.reason(j).kind for j in range(4)] == kinds


def test_greedy_stops_by_gain_and_prefers_the_lower_number():
    X = np.array([[1.0, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]])
    got = greedy_forward(view_of(X), Cover(), Count(3))
    assert got.indices.tolist()[:2] == [0, 2]
    assert len(greedy_forward(view_of(X), Cover(), as_stop(None))) == 4
    assert got.reason(3).kind == "not reached"
    assert greedy_forward(view_of(X), Cover(), Gain(0.0)).indices.tolist()[0] == 0


class Rank(RankingCriterion):
    requires = ("dense",)

    def scores(self, view):
        return Ranking(view.whole().X.sum(axis=0))


def test_shapes_adapt_to_each_other():
    X = np.array([[1.0, 3.0, 2.0]])
    view = view_of(X)
    fixed = as_stepwise(Rank())
    assert fixed.start(view).tolist() == fixed.add(view, [1]).tolist() == [1, 3, 2]
    assert as_subset(Rank()).value(view, [0, 1]) == 4
    assert isinstance(as_subset(Cover()), ReplayedOrder)
    with pytest.raises(RequirementError, match="one number per feature"):
        as_ranking(Cover())
    with pytest.raises(RequirementError, match="object"):
        as_stepwise(object())


def test_selector_is_the_free_product():
    X, y = np.random.default_rng(0).normal(size=(80, 5)), np.tile([0, 1], 40)
    X[:, 2] += 2 * y
    top = fewer.Selector(fewer.FTest.criterion, n_features_to_select=2).fit(X, y)
    np.testing.assert_array_equal(top.selection_.indices, fewer.FTest(2).fit(X, y).selection_.indices)
    greedy = fewer.Selector(fewer.GiniGain.criterion, "greedy", 2).fit(X, y)
    np.testing.assert_array_equal(greedy.selection_.indices, fewer.GiniGain(2).fit(X, y).selection_.indices)
    with pytest.raises(RequirementError):
        fewer.Selector(fewer.MDLScore.criterion, n_features_to_select="fdr:0.1").fit(X, y)
    with pytest.raises(RequirementError, match="neither is nor has a criterion"):
        fewer.Selector(object()).fit(X, y)


def test_chain_keeps_the_reasons_of_every_selector():
    rng = np.random.default_rng(0)
    y = np.tile([0, 1], 50)
    X = rng.normal(size=(100, 6))
    X[:, 4] += 3 * y
    X[:, 1] += y
    chain = Chain([fewer.FTest(3), fewer.InformationGain(1)]).fit(X, y)
    assert chain.selection_.indices.tolist() == [4]
    assert sorted(chain.selection_.order.tolist()) == list(range(6))
    assert "InformationGain" in str(chain.selection_.reason(1))
    assert chain.transform(X).shape == (100, 1)


def test_a_search_that_runs_out_of_features_says_so():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 2, 60)
    for name in ("MRMR", "GaussianMRMR", "GramSchmidtRanker", "GSRelief"):
        early = fewer.get(name)(20).fit(X, y).selection_
        assert "the search stopped (20) where no feature was left to choose" in str(early.reason(int(early.indices[0])))
        for size in (2, 3, None):
            assert "was left" not in fewer.get(name)(size).fit(X, y).selection_.reasons.rule
