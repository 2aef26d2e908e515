"""Every criterion with every search and every way to say how many: it runs, or one sentence says why not."""

from __future__ import annotations

import numpy as np
import pytest

import fewer
from common.cases import NAMES, case, tags_of
from fewer.core.criteria.shapes import Criterion, RankingCriterion, StepwiseCriterion, SubsetScore
from fewer.core.records.errors import FewerError
from fewer.core.search.by_name import SEARCHES

SIZES = [2, 0.5, None, "2-3", "best", "parsimonious", "gain:0.01", "threshold:0.1", "fdr:0.1", "gap"]
# Kept short: every pair of criterion and search, with small efforts.
EFFORT = {
    "genetic": {"population": 6, "generations": 2},
    "dependence_tree": {"population": 6, "patience": 1},
    "ebna": {"population": 8, "patience": 1},
    "annealing": {"moves": 1},
    "random_mutation": {"max_iter": 5},
    "las_vegas_filter": {"max_iter": 5},
    "las_vegas_wrapper": {"patience": 3},
    "monte_carlo": {"max_iter": 5},
    "tree_sampling": {"max_iter": 5},
}


def with_criterion():
    """Methods whose criterion can be used apart from their own search."""
    return [name for name in NAMES if hasattr(fewer.get(name), "criterion") and name != "RankOrderElimination"]


def data(name, n_features=5):
    c = case(name, n_rows=40, n_noise=n_features - 2 if n_features > 5 else 4)
    return c.X[:, :n_features] if "ranks" not in tags_of(name).views else c.X, c.y


def outcome(selector, X, y):
    """Return the selection, or the sentence that says why there is none."""
    try:
        return selector.fit(X, y).selection_
    except FewerError as error:
        return error


def test_most_methods_have_a_criterion():
    names = with_criterion()
    assert {"MRMR", "JMI", "CMIM", "CFS", "Consistency", "ReliefF", "GaussianMRMR", "FTest", "OReliefF"} <= set(names)
    for name in names:
        assert isinstance(fewer.get(name).criterion, Criterion)
    with pytest.raises(AttributeError, match="FCBF has no criterion"):
        fewer.FCBF.criterion


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("name", ["InformationGain", "FTest", "MRMR", "CMIM", "GaussianMRMR", "CFS", "Consistency"])
def test_every_pair_runs_or_says_why_not(name, search):
    X, y = data(name)
    criterion, made = fewer.get(name)().criterion, SEARCHES[search]
    for size in SIZES:
        selector = fewer.Selector(fewer.get(name)(), made(**EFFORT.get(search, {})), size)
        found = outcome(selector, X, y)
        if isinstance(found, FewerError):
            assert ". " not in str(found)
            continue
        assert len(found.indices) == len(set(found.indices.tolist()))
        fits = {
            "ranking": RankingCriterion,
            "stepwise": (RankingCriterion, StepwiseCriterion),
            "subset": Criterion,
        }[made.shape]
        assert isinstance(criterion, fits)
        if size == 2:
            assert len(found) == 2 or search in ("las_vegas_filter",)


@pytest.mark.parametrize("name", with_criterion())
def test_the_criterion_of_every_method_can_be_searched(name):
    X, y = data(name)
    shape = fewer.get(name).criterion
    search = "top" if isinstance(shape, RankingCriterion) else "greedy"
    if isinstance(shape, SubsetScore) and not isinstance(shape, StepwiseCriterion):
        search = "sequential"
    found = fewer.Selector(case(name).make(), search, 2).fit(X, y).selection_
    own = case(name).make(n_features_to_select=2).fit(X, y).selection_
    np.testing.assert_array_equal(found.indices, own.indices)


def test_refusals_come_before_any_work():
    with pytest.raises(FewerError, match="one number per feature"):
        fewer.Selector(fewer.MRMR(), "top").fit(None, None)
    with pytest.raises(FewerError, match="never falls"):
        fewer.Selector(fewer.CFS(), "branch_and_bound", 2).fit(None, None)
    with pytest.raises(FewerError, match="search='nothing'"):
        fewer.Selector(fewer.CFS(), "nothing").fit(None, None)
    with pytest.raises(FewerError, match="compares subsets"):
        fewer.Selector(fewer.MRMR(), "greedy", "best").fit(None, None)
