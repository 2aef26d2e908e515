"""Random searches: facts of the book, and distributions that must be what they are said to be."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from search_problems import Asked, modular, planted, view_of

from fewer.core.records.errors import ParameterError
from fewer.core.search.annealing import Annealing, temperatures
from fewer.core.search.climbing import RandomMutation
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.genetic import Genetic, draw_chances
from fewer.core.search.las_vegas import LasVegasFilter, LasVegasWrapper, MonteCarlo, runs_needed
from fewer.core.search.moves import flipped, random_masks, repaired
from fewer.core.search.outcome import run_search
from fewer.core.search.setgen import SetGen, setgen_fitness
from fewer.core.search.tree_sampling import TreeSampling, uniform_leaf
from oracles.search import all_subsets


def evaluations(function, n, **more):
    return Evaluations(view_of(n), Asked(function), **more)


def run(strategy, function, n, seed=0, **more):
    return run_search(strategy, evaluations(function, n, **more), seed)


@pytest.mark.parametrize(("low", "high"), [(1, 4), (2, 2), (0, 4), (2, 3)])
def test_random_subsets_are_uniform(low, high):
    ev = evaluations(len, 4, min_features=low, max_features=high)
    masks = random_masks(np.random.default_rng(0), 6000, ev)
    subsets = all_subsets(4, low, high)
    drawn = [tuple(np.flatnonzero(m)) for m in masks]
    counts = [drawn.count(s) for s in subsets]
    assert sum(counts) == 6000
    assert stats.chisquare(counts).pvalue > 1e-3


@given(st.integers(1, 8), st.data(), st.integers(0, 1000))
def test_random_moves_keep_sizes_and_change_something(n, data, seed):
    low = data.draw(st.integers(0, n))
    high = data.draw(st.integers(low, n))
    flips = data.draw(st.integers(1, n))
    ev, rng = evaluations(len, n, min_features=low, max_features=high), np.random.default_rng(seed)
    masks = rng.random((5, n)) < 0.5
    fixed = repaired(rng, masks, ev)
    assert ((fixed.sum(axis=1) >= low) & (fixed.sum(axis=1) <= high)).all()
    allowed = (masks.sum(axis=1) >= low) & (masks.sum(axis=1) <= high)
    np.testing.assert_array_equal(masks[allowed], fixed[allowed])
    here = tuple(np.flatnonzero(fixed[0]).tolist())
    there = flipped(rng, here, flips, ev)
    assert low <= len(there) <= high
    if flips == 1 and comb(n, low) + (high > low) > 1:
        assert there != here
    if flips == 1 and low == 0 and high == n:
        assert len(set(here) ^ set(there)) == 1


def test_iterations_of_annealing_follow_the_book():
    """Book ch. 3: ceil(ln(T_final / T_0) / ln factor), 135 for 1, 0.001 and 0.95."""
    assert len(temperatures(1.0, 1e-3, 0.95)) == 135
    assert len(temperatures(1.0, 0.25, 0.5)) == 2
    assert len(temperatures(1.0, 2.0, 0.5)) == 0
    steps = temperatures(3.0, 0.1, 0.8)
    assert steps[0] == 3.0
    assert steps[-1] > 0.1 >= steps[-1] * 0.8


def test_annealing_accepts_losses_when_hot_and_climbs_when_cold():
    value = planted(10, (1, 2, 3))
    cold = run(Annealing(initial_temperature=1e-9, final_temperature=1e-12, cooling=0.9), value, 10)
    values = cold.evaluations.trace.values
    assert all(b >= a for a, b in zip(values, values[1:]))
    hot = run(Annealing(initial_temperature=1e6, final_temperature=1e5, cooling=0.99), value, 10)
    # At such heat every move is accepted, losses too.
    assert len(hot.evaluations.trace) == 1 + len(temperatures(1e6, 1e5, 0.99))
    assert any(b < a for a, b in zip(hot.evaluations.trace.values, hot.evaluations.trace.values[1:]))
    current = run(Annealing(1e6, 1e5, 0.99, return_current=True), value, 10)
    assert current.found == current.evaluations.walked[-1]
    assert current.found.value < current.evaluations.best.value


def test_annealing_of_a_constant_ends():
    assert run(Annealing(), lambda s: 1.0, 6).found.value == 1.0
    assert run(Annealing(), lambda s: -np.inf, 6).found.value == -np.inf


@given(st.integers(0, 1000))
@settings(max_examples=15)
def test_random_mutation_climbs_one_bit_at_a_time(seed):
    out = run(RandomMutation(max_iter=200), planted(8, (0, 3)), 8, seed)
    walked = out.evaluations.walked
    for a, b in zip(walked, walked[1:]):
        assert b.value > a.value
        # One unit moves; where a subset would become empty two change places.
        assert len(set(a.subset) ^ set(b.subset)) == 1 or len(a.subset) == len(b.subset) == 1
    equal = run(RandomMutation(max_iter=50, accept_equal=True), lambda s: 1.0, 8, seed)
    assert len(equal.evaluations.trace) == 51
    assert len(run(RandomMutation(max_iter=50), lambda s: 1.0, 8, seed).evaluations.trace) == 1


def test_draws_are_in_proportion_to_fitness_or_rank():
    """Book ch. 3: expected copies of i are p f(i) / sum f."""
    values = np.array([1.0, 2.0, 3.0, 4.0])
    np.testing.assert_allclose(draw_chances(values, "proportional"), values / 10)
    np.testing.assert_allclose(draw_chances(10 * values + 7, "rank"), values / 10)
    np.testing.assert_allclose(draw_chances(np.array([1.0, 1.0, 5.0]), "rank"), np.array([1.5, 1.5, 3.0]) / 6)
    np.testing.assert_allclose(draw_chances(np.zeros(4), "proportional"), 0.25)
    np.testing.assert_allclose(draw_chances(np.array([-1.0, 0.0, -np.inf]), "proportional"), [0, 1, 0])
    drawn = Genetic(selection="proportional")._drawn(np.tile(values, 1000), np.random.default_rng(0)) % 4
    assert stats.chisquare(np.bincount(drawn), values / 10 * 4000).pvalue > 1e-3


@given(st.integers(0, 1000), st.sampled_from(["one-point", "uniform"]), st.sampled_from([0, 1, 3]))
@settings(max_examples=20)
def test_generations_keep_their_size_and_make_no_alleles(seed, crossover, elite):
    ev, rng = evaluations(len, 9, min_features=0), np.random.default_rng(seed)
    bits = rng.random((10, 9)) < 0.3
    bits[:, 4] = False
    values = bits.sum(axis=1).astype(float)
    genetic = Genetic(population=10, mutation_rate=0.0, crossover=crossover, elite=elite)
    new = genetic.next_generation(bits, values, ev, rng)
    assert new.shape == bits.shape
    # Without mutation no allele appears that was not there.
    assert not (new & ~bits.any(axis=0)).any()
    best = bits[np.argsort(-values, kind="stable")[:elite]]
    np.testing.assert_array_equal(new[:elite], best)


def test_children_have_the_bits_of_their_parents():
    parents = np.repeat([[False] * 6, [True] * 6] * 500, 1, axis=0)
    for crossover in ("one-point", "uniform"):
        children = Genetic(crossover=crossover, crossover_rate=1.0)._crossed(parents, np.random.default_rng(0))
        np.testing.assert_array_equal(children[0::2], ~children[1::2])
        changes = np.abs(np.diff(children.astype(int), axis=1)).sum(axis=1)
        assert (changes == 1).all() if crossover == "one-point" else set(changes) == set(range(6))
    copied = Genetic(crossover_rate=0.0)._crossed(parents, np.random.default_rng(0))
    np.testing.assert_array_equal(copied, parents)


def test_onemax_converges_and_the_elite_is_never_lost():
    out = run(Genetic(population=40, generations=60), lambda s: float(len(s)), 20)
    assert len(out.found.subset) == 20
    values = out.evaluations.trace.values
    assert all(b >= a for a, b in zip(values, values[1:]))
    goal = run(Genetic(population=40, generations=60, goal=15.0), lambda s: float(len(s)), 20)
    assert goal.found.value >= 15
    assert goal.evaluations.count < out.evaluations.count
    flat = run(Genetic(population=10, generations=60, patience=4), lambda s: 1.0, 20)
    assert len(flat.evaluations.trace) == 5


@pytest.mark.parametrize(
    ("more", "words"),
    [({"population": 5}, "even"), ({"selection": "luck"}, "tournament"), ({"mutation_rate": 2.0}, "mutation_rate=2.0")],
)
def test_genetic_parameters_are_checked(more, words):
    with pytest.raises(ParameterError, match=words):
        Genetic(**more)


class Tree(Asked):
    """An accuracy that is always the same, and a model whose size depends on one feature."""

    def complexity(self, view, subset):
        return 0.5 if 0 in subset else 0.1


def test_setgen_prefers_small_models_of_few_features():
    """Book ch. 3: F = 3/4 A + 1/4 (1 - (S + F) / 2), in [0, 1]."""
    assert setgen_fitness(1.0, 0.0, 0.0) == 1.0
    assert setgen_fitness(0.0, 1.0, 1.0) == 0.0
    assert setgen_fitness(0.9, 0.2, 0.5) > setgen_fitness(0.9, 0.3, 0.5)
    ev = Evaluations(view_of(5), SetGen(Tree(lambda s: 0.8)))
    assert ev.value((0, 1)) == pytest.approx(0.75 * 0.8 + 0.25 * (1 - (0.5 + 0.4) / 2))
    outcome = run_search(Genetic(population=20, generations=30), ev, 0)
    assert len(outcome.found.subset) == 1
    assert outcome.found.subset != (0,)
    plain = Evaluations(view_of(5), SetGen(Asked(lambda s: 0.8)))
    assert plain.value((1, 2)) == pytest.approx(0.75 * 0.8 + 0.25 * 0.6)


def inconsistency(X, y):
    def value(s):
        groups = {}
        for row, label in zip(X[:, list(s)].tolist(), y.tolist()):
            groups.setdefault(tuple(row), []).append(label)
        return sum(max(g.count(0), g.count(1)) for g in groups.values()) / len(y)

    return value


def cube(n):
    X = np.array(np.meshgrid(*[[0, 1]] * n)).reshape(n, -1).T
    return X, X[:, 0] ^ X[:, 1]


@pytest.mark.parametrize("sampling", ["size_first", "uniform"])
def test_lvf_finds_xor_and_never_grows(sampling):
    """Book ch. 3: on the XOR cube with irrelevant bits the filter finds {1, 2}."""
    value = inconsistency(*cube(6))
    out = run(LasVegasFilter(2000, sampling=sampling), value, 6)
    assert out.found.subset == (0, 1)
    sizes = [len(found.subset) for found in out.evaluations.walked]
    assert sizes == sorted(sizes, reverse=True)
    assert all(found.value >= 1.0 for found in out.evaluations.walked)
    loose = run(LasVegasFilter(2000, goal=0.5, sampling=sampling), value, 6)
    assert len(loose.found.subset) == 1
    hopeless = run(LasVegasFilter(50, goal=2.0, sampling=sampling), value, 6)
    assert hopeless.found.subset == tuple(range(6))


def test_lvf_hits_a_subset_as_often_as_the_book_says():
    """Per draw and given subset of c units 1 / (c_best + 1 - c_min) / C(N, c)."""
    hits = 0
    for seed in range(400):
        ev = evaluations(lambda s: 1.0 if len(s) == 6 or s == (1, 4) else 0.0, 6)
        hits += len(run_search(LasVegasFilter(10), ev, seed).found.subset) == 2
    chance = 1 - (1 - 1 / 6 / comb(6, 2)) ** 10
    assert abs(hits - 400 * chance) < 4 * np.sqrt(400 * chance * (1 - chance))


@given(st.integers(0, 1000))
@settings(max_examples=15)
def test_lvw_improves_in_value_then_size(seed):
    out = run(LasVegasWrapper(patience=30), lambda s: float(min(len(s), 2)), 6, seed)
    steps = [(found.value, -len(found.subset)) for found in out.evaluations.walked]
    assert steps == sorted(set(steps))
    assert steps[0] == (2.0, -6)


def test_monte_carlo_draws_as_many_as_told():
    out = run(MonteCarlo(700), lambda s: float(sum(s)), 30)
    assert out.evaluations.count == 700


def test_runs_needed():
    """Book ch. 3: ten runs of success 1/2 all fail with probability 2**-10."""
    assert runs_needed(0.5, 2**-10) == 10
    assert runs_needed(0.5, 2**-10 * 0.999) == 11
    assert runs_needed(1.0, 0.1) == 1
    with pytest.raises(ParameterError, match="success"):
        runs_needed(0.0, 0.1)


# Root 0; leaves at different depths, fan-outs 1 to 3.
LEAVES = {0: [1, 2, 3], 1: [4], 2: [5, 6, 7], 4: [8, 9]}


def test_leaves_of_an_uneven_tree_are_drawn_uniformly():
    rng = np.random.default_rng(0)
    ends = [3, 5, 6, 7, 8, 9]
    got = [uniform_leaf(0, lambda node: LEAVES.get(node, []), rng, most_children=3, depth=3) for _ in range(3000)]
    assert stats.chisquare([got.count(leaf) for leaf in ends]).pvalue > 1e-3
    with pytest.raises(ParameterError, match="tries"):
        uniform_leaf(0, lambda node: LEAVES.get(node, []), rng, most_children=3, depth=60, max_tries=50)


def test_acceptance_rate_is_leaves_over_full_tree():
    """Book ch. 3: #leaves / f_max**h walks are kept."""

    walks, rng = [], np.random.default_rng(1)

    def children(node):
        if node == 0:
            walks.append(node)
        return LEAVES.get(node, [])

    for _ in range(2000):
        uniform_leaf(0, children, rng, most_children=3, depth=3)
    rate = 6 / 27
    assert abs(2000 / len(walks) - rate) < 5 * np.sqrt(rate * (1 - rate) / len(walks))


@pytest.mark.parametrize(("low", "high"), [(1, 4), (2, 2), (1, 2)])
def test_tree_sampling_is_uniform_over_subsets(low, high):
    counts = dict.fromkeys(all_subsets(4, low, high), 0)
    ev = evaluations(len, 4, min_features=low, max_features=high)
    ask = ev.value
    ev.value = lambda s: counts.__setitem__(s, counts[s] + 1) or ask(s)
    run_search(TreeSampling(3000), ev, 0)
    assert sum(counts.values()) == 3000
    assert stats.chisquare(list(counts.values())).pvalue > 1e-3


def test_modular_problem_of_many_units_is_improved():
    weights = np.random.default_rng(0).normal(size=60)
    for strategy in (Genetic(), Annealing(moves=5), RandomMutation(2000)):
        out = run(strategy, modular(weights), 60)
        assert out.found.value > 0.8 * weights[weights > 0].sum()
