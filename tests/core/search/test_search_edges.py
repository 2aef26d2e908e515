"""What goes wrong at the edges: bounds in place of values, files of others, odd starts, very many units."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from search_problems import Asked, Deltas, cover, modular, view_of
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from fewer.core.criteria.cross_validated import CrossValidated
from fewer.core.criteria.recognise import recognise
from fewer.core.criteria.scatter import Mahalanobis, ScatterSeparability
from fewer.core.records.errors import FileError, ParameterError
from fewer.core.runners.threads import ThreadRunner
from fewer.core.search import moves
from fewer.core.search.annealing import Annealing
from fewer.core.search.best_first import BestFirst
from fewer.core.search.branch import BranchAndBound
from fewer.core.search.checkpoint import Checkpoint, described, search_facts
from fewer.core.search.climbing import RandomMutation
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.exhaustive import Exhaustive
from fewer.core.search.floating import Floating
from fewer.core.search.las_vegas import LasVegasFilter, LasVegasWrapper
from fewer.core.search.outcome import run_search, selection_of
from fewer.core.search.sequential import Sequential
from fewer.core.search.tree_sampling import TreeSampling
from fewer.core.search.units import Units, as_units
from fewer.core.stop import Budget
from fewer.core.views.blocks import DenseBlock
from fewer.core.views.view import View


class GivesUp(Deltas):
    """Short cuts tell the truth of the best candidate only; the others have a bound halfway up to it."""

    give_up = True

    def values_added(self, view, subset, candidates):
        return self._bounds(super().values_added(view, subset, candidates))

    def values_removed(self, view, subset, candidates):
        return self._bounds(super().values_removed(view, subset, candidates))

    def _bounds(self, values):
        return np.where(values == values.max(), values, (values + values.max()) / 2)


def sharp(n, relevant):
    """As `planted`, in numbers whose sums have no round-off: bounds stay below the best."""
    weights = np.full(n, -1 / 64)
    weights[relevant] = np.arange(1, 1 + len(relevant)) / 8
    return modular(weights)


ONE_BY_ONE = [
    Sequential(patience=None),
    Sequential("backward", patience=None),
    Floating(),
    Sequential(step=2),
    BestFirst(),
    BestFirst("both"),
]


def known_values(ev, n):
    """Return all remembered values of single units and pairs."""
    subsets = [(j,) for j in range(n)] + [(i, j) for j in range(n) for i in range(j)]
    return {s: ev.known(s) for s in subsets if ev.known(s) is not None}


@pytest.mark.parametrize("strategy", ONE_BY_ONE, ids=repr)
def test_bounds_are_never_taken_for_values(strategy):
    n = 20
    function = sharp(n, [2, 5, 9])
    ev = Evaluations(view_of(n), GivesUp(function), max_features=5)
    plain = Evaluations(view_of(n), Asked(function), max_features=5)
    outcome, truth = run_search(strategy, ev, 0), run_search(strategy, plain, 0)
    assert outcome.found == truth.found
    assert [w.subset for w in ev.walked] == [w.subset for w in plain.walked]
    assert known_values(ev, n)
    for subset, value in known_values(ev, n).items():
        assert value == function(subset)
    for found in ev.best_of_size.values():
        assert found.value == function(found.subset)
    selection = selection_of(outcome, by_loss=True)
    for j in range(n):
        kept = set(outcome.found.subset)
        expected = function(tuple(sorted(kept | {j}))) - function(tuple(sorted(kept - {j})))
        assert np.isnan(selection.scores[j]) or selection.scores[j] == pytest.approx(expected, abs=1e-12)


def test_bounds_are_not_written_down_and_the_way_on_is_the_same(tmp_path):
    n, strategy = 150, Sequential(patience=None)
    function = sharp(n, [2, 80, 140])

    def start(**more):
        view, criterion, units = view_of(n), GivesUp(function), Units.of(n)
        facts = search_facts(view, criterion, strategy, 0, units, (1, 4))
        return Evaluations(view, criterion, max_features=4, checkpoint=Checkpoint(tmp_path / "c", facts, n), **more)

    whole = run_search(strategy, Evaluations(view_of(n), GivesUp(function), max_features=4), 0)
    run_search(strategy, start(budget=Budget(evaluations=333)), 0)
    second = start()
    assert 0 < len(second.checkpoint.found) < 333
    for subset, value in second.checkpoint.found:
        assert value == function(subset)
    outcome = run_search(strategy, second, 0)
    assert outcome.found == whole.found
    assert second.count == whole.evaluations.count
    assert known_values(second, n) == known_values(whole.evaluations, n)
    np.testing.assert_array_equal(selection_of(outcome).scores, selection_of(whole).scores)


def test_giving_up_with_an_estimator_changes_no_remembered_value(rng):
    X = rng.normal(size=(60, 8))
    y = (X[:, 1] + X[:, 4] > 0).astype(np.int64)
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    view = real_view(X, y, 2)
    ev = Evaluations(view, CrossValidated(tree, cv=5, give_up=True), max_features=3)
    run_search(Sequential(patience=None), ev, 0)
    exact = CrossValidated(tree, cv=5)
    for subset, value in known_values(ev, 8).items():
        assert value == exact.value(view, subset)


def real_view(X, y, n_jobs=1):
    classes = np.unique(y) if y.dtype.kind == "i" else None
    nominal = np.zeros(X.shape[1], bool)
    return View(ThreadRunner(n_jobs), [DenseBlock(X, y)], "dense", len(X), X.shape[1], nominal, classes=classes)


CRITERIA = [
    lambda: recognise(GaussianNB(), cv=3),
    lambda: recognise(LinearDiscriminantAnalysis(), "neg_log_loss", cv=3),
    lambda: recognise(Ridge(), cv=3),
    lambda: recognise(KNeighborsRegressor(), cv=3),
    ScatterSeparability,
    Mahalanobis,
]


@pytest.mark.parametrize("make", CRITERIA)
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_portions_change_no_bit(make, direction, tmp_path, rng):
    X = rng.normal(size=(130, 80))
    numbers = X[:, 3] - X[:, 70] + rng.normal(size=130)
    criterion = make()
    numeric = isinstance(getattr(criterion, "estimator", None), Ridge | KNeighborsRegressor)
    view = real_view(X, numbers if numeric else (numbers > 0).astype(np.int64))
    strategy = Sequential(direction, patience=None)
    low, high = (1, 2) if direction == "forward" else (78, 80)
    sizes = {"min_features": low, "max_features": high}
    whole = run_search(strategy, Evaluations(view, criterion, **sizes), 0).evaluations
    facts = search_facts(view, criterion, strategy, 0, Units.of(80), (low, high))
    parts = Evaluations(view, make(), **sizes, checkpoint=Checkpoint(tmp_path / "c", facts, 80))
    run_search(strategy, parts, 0)
    assert parts._memo == whole._memo


def test_a_file_of_somebody_else_is_left_as_it_is(tmp_path):
    path = tmp_path / "letter"
    for text in (b"one line without an end", b"{", b'{"kind": "something else"}', b"\xff\xfe"):
        path.write_bytes(text)
        with pytest.raises(FileError, match="another kind"):
            Checkpoint(path, {}, 3)
        assert path.read_bytes() == text


def test_facts_are_what_was_given_and_all_of_it(rng):
    X = rng.normal(size=(30, 4))
    view, units = real_view(X, np.repeat([0, 1], 15)), Units.of(4)

    def facts(criterion, view=view):
        return search_facts(view, criterion, Sequential(), 0, units, (1, 4))

    tree = DecisionTreeClassifier(random_state=0)
    for criterion in (CrossValidated(tree, cv=3), recognise(GaussianNB(), cv=3)):
        before = facts(criterion)
        criterion.value(view, (0, 1))
        criterion.fits += 7
        assert facts(criterion) == before
    assert facts(CrossValidated(tree, cv=3)) != facts(CrossValidated(tree, cv=4))
    assert facts(recognise(GaussianNB(), cv=3)) != facts(recognise(GaussianNB(), cv=4))
    nominal = View(view.run, view.blocks, "dense", 30, 4, np.ones(4, bool), classes=view.classes)
    assert facts(CrossValidated(tree))["data"] != facts(CrossValidated(tree), nominal)["data"]
    names = np.array([f"g{i}" for i in range(3000)], dtype=object)
    other = names.copy()
    other[1500] = "h"
    assert described(names) != described(other)
    # scikit-learn cuts the text of a long estimator off.
    steps = [FunctionTransformer(kw_args={"much": "x" * 50 + str(k)}) for k in range(30)]
    changed = [*steps[:15], FunctionTransformer(kw_args={"much": "y"}), *steps[16:]]
    assert described(make_pipeline(*steps)) != described(make_pipeline(*changed))


def test_a_criterion_that_never_works_is_no_crash():
    class Never(Asked):
        def fold_values(self, view, subset):
            return np.full(3, np.nan)

    ev = Evaluations(view_of(3), Never(lambda s: float("nan")), max_features=2)
    assert run_search(Sequential(), ev, 0, "parsimonious").found.subset == (0,)


@pytest.mark.parametrize("start", [np.array([0, 2]), [0, 2], (2, 0), [True, False, True, False]])
def test_starts_may_be_numbers_or_masks_of_any_kind(start):
    assert as_units(start) == (0, 2)
    for strategy in (BestFirst(start=start), RandomMutation(start=start, max_iter=1), Annealing(start=start)):
        ev = Evaluations(view_of(4), Asked(modular([1.0, 2.0, 3.0, 4.0])))
        run_search(strategy, ev, 0)
        assert ev.walked[0].subset == (0, 2)


def test_an_empty_start_is_a_start():
    ev = Evaluations(view_of(4), Asked(modular([1.0] * 4)), min_features=0)
    run_search(BestFirst("backward", start=[]), ev, 0)
    assert ev.count == 1


def test_annealing_that_never_moves_answers_with_its_start():
    # All neighbours of the start are worse, but subsets that are drawn to learn the temperature are better.
    def function(s):
        return 1.0 if s == (0,) else 2.0 + len(s) if len(s) > 3 else 0.0

    ev = Evaluations(view_of(8), Asked(function))
    outcome = run_search(Annealing(start=(0,), return_current=True, final_temperature=1e9), ev, 0)
    assert outcome.found.subset == (0,)
    assert outcome.evaluations.best.value > 5


def test_tree_sampling_refuses_what_it_would_never_draw():
    with pytest.raises(ParameterError, match="MonteCarlo"):
        run_search(TreeSampling(5), Evaluations(view_of(60), Asked(len), max_features=3), 0)


def test_branch_and_bound_goes_deeper_than_python_nests_calls(rng):
    n = 50
    weights = rng.random(n)
    limit = sys.getrecursionlimit()
    depth = len(__import__("inspect").stack(0))
    ev = Evaluations(view_of(n), Deltas(modular(weights), monotone=True), min_features=1, max_features=1)
    try:
        sys.setrecursionlimit(depth + 40)
        found = run_search(BranchAndBound(), ev, 0).found
    finally:
        sys.setrecursionlimit(limit)
    assert found.subset == (int(np.argmax(weights)),)


@pytest.mark.parametrize("seed", range(5))
def test_branch_and_bound_equals_exhaustive_search(seed):
    rng = np.random.default_rng(seed)
    function = cover([set(rng.integers(0, 30, 5).tolist()) for _ in range(9)])
    for k in range(1, 9):
        sizes = {"min_features": k, "max_features": k}
        quick = run_search(BranchAndBound(), Evaluations(view_of(9), Deltas(function, True), **sizes), 0)
        slow = run_search(Exhaustive(), Evaluations(view_of(9), Asked(function), **sizes), 0)
        assert quick.found.value == slow.found.value


@pytest.mark.parametrize("sampling", ["size_first", "uniform"])
def test_of_equal_sizes_the_las_vegas_filter_keeps_the_better(sampling):
    # Several pairs are good enough, and they come by again and again (catalogue, ch. 3, LVF, decision on ties).
    def function(s):
        return {(0, 1): 0.9, (2, 3): 0.6, (1, 2): 0.7}.get(s, 0.5 + 0.1 * (len(s) > 2) - 0.2 * (len(s) < 3))

    ev = Evaluations(view_of(5), Asked(function))
    outcome = run_search(LasVegasFilter(400, goal=0.55, sampling=sampling), ev, 1)
    assert outcome.found.subset == (0, 1)
    steps = [(-len(found.subset), found.value) for found in ev.walked]
    assert steps == sorted(set(steps))


def test_of_equal_values_the_las_vegas_wrapper_takes_the_smaller_and_waits_anew():
    ev = Evaluations(view_of(6), Asked(lambda s: 1.0))
    run_search(LasVegasWrapper(patience=300), ev, 0)
    sizes = [len(found.subset) for found in ev.walked]
    assert sizes[-1] == 1
    assert sizes == sorted(set(sizes), reverse=True)
    assert len(sizes) > 2


def test_random_masks_do_not_depend_on_how_many_are_sorted_at_once(monkeypatch):
    ev = Evaluations(view_of(9), Asked(len), min_features=2, max_features=5)
    whole = moves.random_masks(np.random.default_rng(1), 50, ev)
    monkeypatch.setattr(moves, "CELLS", 20)
    np.testing.assert_array_equal(moves.random_masks(np.random.default_rng(1), 50, ev), whole)
    assert set(whole.sum(axis=1)) == {2, 3, 4, 5}
