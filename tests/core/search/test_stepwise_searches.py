"""Searches step by step: facts of the book and comparisons with plain loops."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_problems import Asked, cover, modular, planted, view_of

from fewer.core.records.errors import ParameterError, RequirementError
from fewer.core.search.alternating import Bidirectional, PlusLMinusR
from fewer.core.search.best_first import BestFirst
from fewer.core.search.branch import BranchAndBound
from fewer.core.search.climbing import HillClimbing
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.exhaustive import Exhaustive
from fewer.core.search.floating import Floating
from fewer.core.search.outcome import run_search, selection_of
from fewer.core.search.sequential import Sequential
from fewer.core.stop import All, Budget
from oracles.search import backward_path, best_subset, floating_forward, forward_path


def random_values(seed, n):
    """Random numbers for all subsets, with ties."""
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 12, 2**n) / 4.0
    return lambda s: float(table[sum(1 << j for j in s)])


def run(strategy, function, n, *, monotone=False, seed=0, **more):
    return run_search(strategy, Evaluations(view_of(n), Asked(function, monotone), **more), seed)


def walked(outcome):
    return [found.subset for found in outcome.evaluations.walked]


@given(st.integers(0, 10_000), st.integers(1, 6))
def test_forward_and_backward_paths(seed, size):
    value = random_values(seed, 6)
    forward = run(Sequential(), value, 6, min_features=size, max_features=size)
    assert walked(forward)[1:] == forward_path(value, 6, size)
    assert forward.found.subset == forward_path(value, 6, size)[-1]
    # The empty subset, and the candidates of each step (book ch. 1: the sum of N - t).
    assert forward.evaluations.count == 1 + sum(6 - t for t in range(size))
    backward = run(Sequential("backward"), value, 6, min_features=size, max_features=size)
    assert walked(backward)[1:] == backward_path(value, 6, size)
    assert backward.evaluations.count == 1 + sum(6 - t for t in range(6 - size))


@given(st.integers(0, 10_000))
def test_searches_stop_at_the_first_step_that_does_not_help(seed):
    value = random_values(seed, 6)
    path = forward_path(value, 6, 6)
    kept = [path[0]]
    for there in path[1:]:
        if not value(there) > value(kept[-1]):
            break
        kept.append(there)
    assert run(Sequential(), value, 6).found.subset == kept[-1]
    here = tuple(range(6))
    for there in backward_path(value, 6, 1):
        if value(there) < value(here):
            break
        here = there
    # Removals that change nothing are made: the smaller subset is preferred (book ch. 1).
    assert run(Sequential("backward"), value, 6).found.subset == here


def test_backward_accepts_equal_values_and_small_losses():
    flat = run(Sequential("backward"), lambda s: 1.0, 5)
    assert flat.found.subset == (0,)
    lossy = modular([0.5, 0.01, 0.01, 0.3, 0.02])
    assert run(Sequential("backward"), lossy, 5).found.subset == (0, 1, 2, 3, 4)
    # Losses add up: 0.01 and another 0.01 are accepted, 0.02 more is not.
    assert run(Sequential("backward", tol=0.03), lossy, 5).found.subset == (0, 3, 4)


def test_tol_and_patience_of_the_forward_search():
    curve = {0: 0.0, 1: 0.5, 2: 0.6, 3: 0.59, 4: 0.58, 5: 0.7, 6: 0.701}
    lengths = {}
    for key, strategy in {
        "plain": Sequential(),
        "patient": Sequential(patience=3),
        "all": Sequential(patience=None),
        "rough": Sequential(patience=3, tol=0.05),
    }.items():
        lengths[key] = len(run(strategy, lambda s: curve[len(s)], 6).found.subset)
    assert lengths == {"plain": 2, "patient": 6, "all": 6, "rough": 5}


@pytest.mark.parametrize(
    ("step", "joined", "left"),
    [(3, [3, 6, 7, 10], [3, 6, 7, 9]), (0.5, [5, 7, 8, 9, 10], [5, 7, 8, 9]), (100, [7, 10], [7, 9])],
)
def test_several_units_move_at_once(step, joined, left):
    weights = np.arange(10.0) + 1
    # The first allowed size is not stepped over.
    forward = run(Sequential(step=step, patience=None), modular(weights), 10, min_features=7)
    assert [len(s) for s in walked(forward)][1:] == joined
    assert walked(forward)[1] == tuple(range(10 - joined[0], 10))
    backward = run(Sequential("backward", step, patience=None), modular(-weights), 10, max_features=3)
    assert [10 - len(s) for s in walked(backward)][1:] == left
    assert walked(backward)[1] == tuple(range(10 - left[0]))


@given(st.lists(st.integers(1, 9), min_size=2, max_size=8), st.data())
def test_modular_values_give_the_top_features(weights, data):
    n = len(weights)
    size = data.draw(st.integers(1, n))
    top = tuple(sorted(sorted(range(n), key=lambda j: (-weights[j], j))[:size]))
    for strategy in (
        Sequential(), Sequential("backward"), Bidirectional(), PlusLMinusR(), PlusLMinusR(1, 2), Floating(),
        Floating("backward"),
    ):  # fmt: skip
        out = run(strategy, modular(weights), n, min_features=size, max_features=size)
        assert out.found.value == modular(weights)(top)
        if len(set(weights)) == n:
            assert out.found.subset == top


@given(st.integers(0, 10_000), st.integers(1, 6))
def test_plus_one_minus_none_is_sequential(seed, size):
    value = random_values(seed, 6)
    limits = {"min_features": size, "max_features": size}
    assert walked(run(PlusLMinusR(1, 0), value, 6, **limits)) == walked(run(Sequential(), value, 6, **limits))
    assert walked(run(PlusLMinusR(0, 1), value, 6, **limits)) == walked(run(Sequential("backward"), value, 6, **limits))
    sizes = [len(s) for s in walked(run(PlusLMinusR(3, 2), value, 6, min_features=5, max_features=5))]
    assert sizes == [0, 1, 2, 3, 2, 1, 2, 3, 4, 3, 2, 3, 4, 5]
    with pytest.raises(ParameterError, match="never end"):
        PlusLMinusR(2, 2)


@given(st.integers(0, 10_000))
def test_both_directions_meet(seed):
    value = random_values(seed, 7)
    out = run(Bidirectional(), value, 7)
    path = walked(out)
    assert all(set(a) < set(b) for a, b in zip(path, path[1:]))
    assert len(path[-1]) in (3, 4)
    assert out.found.value >= max(value(s) for s in path[1:])


BOOK = {
    (): 0, (0,): 3, (1,): 2, (2,): 2, (0, 1): 4, (0, 2): 4, (1, 2): 5, (0, 1, 2): 6,
}  # fmt: skip


def test_floating_repairs_the_nesting_of_the_book():
    """Book ch. 2, entry of SFFS: SFS at size 2 gives {a, b}, SFFS that goes one beyond gives {b, c}."""
    limits = {"min_features": 2, "max_features": 2}
    assert run(Sequential(), BOOK.get, 3, **limits).found.subset == (0, 1)
    assert run(Floating(beyond=1), BOOK.get, 3, **limits).found.subset == (1, 2)
    assert run(Floating(beyond=0), BOOK.get, 3, **limits).found.subset == (0, 1)


@given(st.integers(0, 10_000), st.integers(2, 7))
def test_floating_records_the_best_of_each_size(seed, last):
    rng = np.random.default_rng(seed)
    table = rng.permutation(2**7)
    value = lambda s: float(table[sum(1 << j for j in s)])  # noqa: E731
    out = run(Floating(beyond=0), value, 7, max_features=last)
    records = floating_forward(value, 7, last)
    best: dict[int, float] = {}
    for found in out.evaluations.walked:
        size = len(found.subset)
        best[size] = max(found.value, best.get(size, -np.inf))
    assert best == {k: v for k, v in records.items() if k in best}
    assert out.found.value >= max(records[k] for k in range(1, last + 1))


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_floating_ends_by_patience(direction):
    value = planted(30, (3, 8, 20))
    waits = run(Floating(direction, patience=2), value, 30)
    whole = run(Floating(direction), value, 30)
    assert waits.found.subset == whole.found.subset == (3, 8, 20)
    if direction == "forward":
        assert waits.evaluations.count < whole.evaluations.count


@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(1, 3))
def test_best_first_is_never_below_greedy(seed, high, low):
    value, low = random_values(seed, 6), min(low, high)
    limits = {"min_features": low, "max_features": high}
    greedy = run(Sequential(), value, 6, **limits)
    assert run(BestFirst(), value, 6, **limits).found.value >= greedy.found.value
    # Backward selection also crosses plains, on which best-first loses its patience: values without ties.
    table = np.random.default_rng(seed).permutation(2**6)
    value = lambda s: float(table[sum(1 << j for j in s)])  # noqa: E731
    back = run(Sequential("backward"), value, 6, **limits)
    assert run(BestFirst("backward"), value, 6, **limits).found.value >= back.found.value


def test_best_first_goes_back_where_greedy_is_caught():
    # Greedy takes 0 first; the pair {1, 2} is best, and 3 hides it from one expansion.
    values = {(0,): 0.5, (1,): 0.4, (2,): 0.1, (1, 2): 0.9}
    value = lambda s: values.get(s, 0.3 if s else 0.0)  # noqa: E731
    assert run(Sequential(), value, 4).found.subset == (0,)
    assert run(BestFirst(), value, 4).found.subset == (1, 2)
    impatient = run(BestFirst(patience=1), value, 4)
    assert impatient.found.subset == (0,)
    gainless = run(BestFirst(epsilon=0.6), value, 4)
    assert gainless.evaluations.count < run(BestFirst(patience=50), value, 4).evaluations.count


def test_best_first_may_start_anywhere_and_go_both_ways():
    value = planted(8, (0, 5))
    for start in ((1, 2, 3), "full", "random", "empty"):
        assert run(BestFirst("both", start=start), value, 8).found.subset == (0, 5)
    with pytest.raises(ParameterError, match="numbered from 0 to 7"):
        run(BestFirst(start=(9,)), value, 8)
    with pytest.raises(ParameterError, match="'empty'"):
        run(BestFirst(start="all"), value, 8)


@given(st.integers(0, 10_000), st.integers(0, 3))
def test_hill_climbing_ends_where_no_neighbour_is_better(seed, restarts):
    value = random_values(seed, 6)
    out = run(HillClimbing("random", restarts), value, 6, seed=seed)
    peak = out.evaluations.walked[-1]
    neighbours = [tuple(sorted({*peak.subset} ^ {j})) for j in range(6)]
    assert all(value(s) <= peak.value for s in neighbours if s)
    assert out.found.value >= peak.value
    swaps = run(HillClimbing("random"), value, 6, seed=seed, min_features=3, max_features=3)
    peak = swaps.evaluations.walked[-1]
    here = set(peak.subset)
    changed = [tuple(sorted((here - {i}) | {j})) for i in here for j in set(range(6)) - here]
    assert all(value(s) <= peak.value for s in changed)


@given(st.lists(st.sets(st.integers(0, 14), max_size=6), min_size=2, max_size=9), st.data())
@settings(max_examples=60)
def test_branch_and_bound_finds_what_exhaustive_finds(sets, data):
    n, value = len(sets), cover(sets)
    low = data.draw(st.integers(1, n))
    high = data.draw(st.integers(low, n))
    out = run(BranchAndBound(), value, n, monotone=True, min_features=low, max_features=high)
    best = best_subset(value, n, low, high)
    assert (out.found.value, len(out.found.subset)) == (value(best), len(best))
    assert out.evaluations.count <= sum(comb(n, k) for k in range(low, n + 1))


def test_branch_and_bound_cuts_and_refuses():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 12)), rng.normal(size=60)
    y += 3 * X[:, 2] + 2 * X[:, 7] - 2 * X[:, 9]
    y = y - y.mean()
    X = X - X.mean(axis=0)

    def r2(s):
        """Grows with every feature."""
        fit = X[:, s] @ np.linalg.lstsq(X[:, s], y, rcond=None)[0] if s else np.zeros(60)
        return 1 - float(((y - fit) ** 2).sum() / (y @ y))

    limits = {"min_features": 4, "max_features": 4}
    out = run(BranchAndBound(), r2, 12, monotone=True, **limits)
    every = run(Exhaustive(), r2, 12, **limits)
    assert out.found == every.found
    assert every.evaluations.count == comb(12, 4) + 0
    assert out.evaluations.count < sum(comb(12, k) for k in range(4, 13)) / 10
    with pytest.raises(RequirementError, match="never falls"):
        BranchAndBound().check("BranchAndBound", Asked(r2), All())


def test_exhaustive_refuses_what_it_could_not_finish():
    with pytest.raises(ParameterError, match="max_features"):
        run(Exhaustive(), lambda s: 0.0, 60)
    out = run(Exhaustive(), modular(np.arange(60.0)), 60, budget=Budget(evaluations=100))
    assert out.evaluations.count == 100
    assert run(Exhaustive(), modular(np.arange(60.0)), 60, max_features=1).found.subset == (59,)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_exhaustive_visits_all_subsets(n):
    out = run(Exhaustive(), lambda s: -float(len(s)), n, min_features=0)
    assert out.evaluations.count == 2**n
    assert out.found.subset == ()
    assert selection_of(out).indices.tolist() == []


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Sequential("up"), "a str among .*'backward'"),
        (lambda: Sequential(step=0), "step=0"),
        (lambda: Sequential(step=1.5), "step=1.5"),
        (lambda: Sequential(tol=-1), "tol=-1"),
        (lambda: Sequential(patience=0), "patience=0"),
        (lambda: Floating("up"), "a str among .*'backward'"),
        (lambda: BestFirst("up"), "'both'"),
        (lambda: HillClimbing(restarts=-1), "restarts=-1"),
    ],
)
def test_parameters_are_checked(make, words):
    with pytest.raises(ParameterError, match=words):
        make()
