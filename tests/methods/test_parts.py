"""What the parameters of a selector stand for is read once per fit, and refused before any data are read."""

from __future__ import annotations

import sys
from dataclasses import fields

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.feature_selection import f_classif
from sklearn.model_selection import LeaveOneOut
from sklearn.naive_bayes import GaussianNB

import fewer
from common.cases import NAMES, case
from fewer.core.discretize.named import as_discretizer
from fewer.core.estimators.selector import BaseSelector
from fewer.core.reading.table import ArrayTable
from fewer.core.records.errors import FewerError, ParameterError, RequirementError
from fewer.core.stop import as_stop
from fewer.core.views.row_splits import make_splits
from fewer.methods.wrappers._search_selector import SearchSelector

SEARCHES = [name for name in NAMES if issubclass(fewer.get(name), SearchSelector)]


@pytest.fixture
def calls(monkeypatch):
    """The selectors whose parts were made, and the values that were read, wherever that was."""
    found: dict[str, list] = {"selectors": [], "as_stop": [], "as_discretizer": []}
    for original in (as_stop, as_discretizer):

        def counted(value, *more, original=original):
            found[original.__name__].append(value)
            return original(value, *more)

        for name, module in list(sys.modules.items()):
            if name.startswith("fewer") and vars(module).get(original.__name__) is original:
                monkeypatch.setattr(module, original.__name__, counted)
    check = BaseSelector.check

    def checked(self):
        found["selectors"].append(self)
        return check(self)

    monkeypatch.setattr(BaseSelector, "check", checked)
    return found


def assert_read_once(calls):
    """Every selector was checked once, and none of its parameters was read again."""
    made = calls["selectors"]
    assert len({id(selector) for selector in made}) == len(made)
    for reader, name in (("as_stop", "n_features_to_select"), ("as_discretizer", "discretizer")):
        assert len(calls[reader]) <= sum(hasattr(selector, name) for selector in made)


@pytest.mark.parametrize("name", NAMES)
def test_parameters_are_read_once_per_fit(name, calls):
    c = case(name, n_rows=40, n_noise=4)
    case(name).make(**({} if name in ("ExhaustiveSelector", "DefaultRecipe") else {"n_features_to_select": 2})).fit(
        c.X, c.y
    )
    assert calls["as_stop"]
    assert_read_once(calls)


def test_parameters_are_read_once_elsewhere(calls):
    c = case("InformationGain", n_rows=40)
    fewer.InformationGain(3).fit(ArrayTable(c.X, c.y, classes=np.unique(c.y), batch_rows=7))
    fewer.ScoreSelector(f_classif, 2).fit(c.X, c.y)
    fewer.Selector(fewer.JMI(3, bins=4), "greedy", 2).fit(c.X, c.y)
    fewer.Selector(fewer.GiniGain.criterion, "top", 2, bins=4).fit(c.X, c.y)
    fewer.Chain([fewer.FTest(3), fewer.CMIM(2)]).fit(c.X, c.y)
    # A chain checks its parts before it sees data, and each part reads its own parameters when its turn comes.
    assert [len(calls[name]) for name in ("as_stop", "as_discretizer")] == [9, 7]
    assert_read_once(calls)


@pytest.mark.parametrize(
    ("selector", "words"),
    [
        (fewer.SequentialSelector(None, "gain:0.01", direction="bidirectional"), "no steps whose gain"),
        (fewer.SequentialSelector(None, "patience:2", direction="alternating"), "no steps whose gain"),
        (fewer.SequentialSelector(direction="alternating", plus=1, minus=1), "never end"),
        (fewer.SequentialSelector(direction="backward", step=2, give_up=True), "give_up=True"),
        (fewer.FloatingSelector(None, "gain:0.01"), "no steps whose gain"),
        (fewer.FloatingSelector(None, "fdr:0.1"), "compares subsets"),
        (fewer.BranchAndBoundSelector(GaussianNB(), 2), "never falls"),
        (fewer.BranchAndBoundSelector("cfs", 2), "never falls"),
        (fewer.GeneticSelector(population=5), "even"),
        (fewer.GeneticSelector(population=4, elite=5), "elite=5"),
        (fewer.RVE(None, "best"), "use RVErS"),
        (fewer.Selector(fewer.CFS(), "rve", "2-4"), "use RVErS"),
        (fewer.RankSearch(ranker=3), "ranker=3"),
        (fewer.BIRS(discretizer="quantiles"), "quantile"),
        (fewer.CFS(search="nothing"), "search='nothing'"),
        (fewer.CFS(search="top"), "one number per feature"),
        (fewer.CFS("gain:0.1", search="best_first"), "no steps whose gain"),
        (fewer.CFS("best"), "compares subsets"),
        (fewer.LVW(cv="five"), "from 2 on"),
        (fewer.OrderedFS(cv=2.5), "from 2 on"),
        (fewer.BIRS(n_features_to_select="3-10"), "no fewest"),
        (fewer.DefaultRecipe("fdr:0.05"), "DefaultRecipe"),
    ],
)
def test_what_does_not_fit_is_refused_before_data_are_read(selector, words):
    with pytest.raises(FewerError, match=words):
        selector.fit(None, None)


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_is_made_of_the_parameters_of_its_selector(name):
    selector = fewer.get(name)()
    search, given = selector.check().search, selector.get_params(deep=False)
    assert isinstance(search, selector._search_by)
    shared = [f.name for f in fields(search) if f.name in given]
    assert {n: getattr(search, n) for n in shared} == {n: given[n] for n in shared}
    assert set(search.constraints) <= {f.name for f in fields(search)}
    assert {n: selector._parameter_constraints[n] for n in shared if n != "direction"} == {
        n: search.constraints[n] for n in shared if n != "direction"
    }


def test_a_rule_of_gains_holds_for_the_search_as_for_its_selector():
    X, y = load_wine(return_X_y=True)
    for rule in ("gain:0.02", "patience:1,tol=0.05", "gain:1e-3|4"):
        free = fewer.Selector(fewer.CFS(), "sequential", rule).fit(X, y).selection_
        np.testing.assert_array_equal(free.indices, fewer.SequentialSelector("cfs", rule).fit(X, y).selection_.indices)
    assert len(fewer.Selector(fewer.CFS(), "sequential", "gain:0.02").fit(X, y).selection_) < len(
        fewer.Selector(fewer.CFS(), "sequential", "best").fit(X, y).selection_
    )


def test_cfs_takes_any_search():
    X, y = load_wine(return_X_y=True)
    for search, alike in (
        ("best_first", fewer.BestFirstSelector("cfs")),
        ("floating", fewer.FloatingSelector("cfs", patience=None)),
    ):
        found = fewer.CFS(search=search).fit(X, y).selection_
        np.testing.assert_array_equal(found.indices, alike.fit(X, y).selection_.indices)
    exact = fewer.ExhaustiveSelector("cfs", 3).fit(X, y).selection_
    table = ArrayTable(X, y, classes=np.unique(y), batch_rows=37)
    for data in ((X, y), (table,)):
        found = fewer.CFS(3, search=fewer.search.Exhaustive()).fit(*data).selection_
        np.testing.assert_array_equal(found.indices, exact.indices)


def test_searches_split_rows_as_comparisons_do():
    X, y = load_wine(return_X_y=True)
    X, y = X[::3], y[::3]

    def chosen(cv, **more):
        return fewer.SequentialSelector(GaussianNB(), 3, cv=cv).fit(X, y, **more).selection_.scores

    np.testing.assert_array_equal(chosen("loo"), chosen(LeaveOneOut()))
    np.testing.assert_array_equal(chosen("4"), chosen(4))
    for text in ("2x3", "5x2"):
        made = make_splits(text, y, "classification")
        np.testing.assert_array_equal(chosen(text), chosen(list(zip(made.train, made.test))))
    groups = np.arange(len(y)) % 6
    by_group = [(np.flatnonzero(groups != g), np.flatnonzero(groups == g)) for g in range(6)]
    np.testing.assert_array_equal(chosen("loo", groups=groups), chosen(by_group))
    with pytest.raises(ParameterError, match="takes no groups"):
        chosen("time:3", groups=groups)
    kept = fewer.OrderedFS(cv="2x3").fit(X, y).selection_
    assert len(kept) >= 1


def test_sizes_bound_the_relevant_features_of_rvers():
    search = fewer.search.RandomizedEliminationSearch().following(as_stop("2-4").wanted(10))
    assert (search.min_relevant, search.max_relevant) == (2, 4)
    with pytest.raises(RequirementError, match="'gain:0.1'"):
        search.check("RVErS", fewer.CFS.criterion, as_stop("gain:0.1"))


def test_what_is_no_criterion_of_ours_is_none():
    with pytest.raises(AttributeError, match="apart from its own search"):
        _ = fewer.RankOrderElimination.criterion
