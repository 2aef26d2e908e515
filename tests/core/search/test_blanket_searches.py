"""Searches for blankets: the truth where tests never err, the published steps where they do."""

from __future__ import annotations

import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from fewer.core.criteria.d_separation import DSeparation
from fewer.core.criteria.g_test import GTest
from fewer.core.criteria.independence_contract import Y
from fewer.core.criteria.information_test import ConditionalInformation
from fewer.core.graphs.dag import DAG
from fewer.core.graphs.patterns import cpdag
from fewer.core.search.grow_shrink import GrowShrinkSearch
from fewer.core.search.neighbourhoods import Neighbourhoods, interleaved_neighbours, max_min_neighbours
from fewer.core.search.questions import Questions
from fewer.core.search.skeleton import pc_pattern
from fewer.core.search.twins import strongest_lost, twins_of
from oracles import causal as oracle

sys.path.insert(0, str(Path(__file__).parents[1] / "criteria"))
from independence_cases import codes_on, random_codes

WHOLE = {
    "GrowShrink": GrowShrinkSearch("in order"),
    "IAMB": GrowShrinkSearch("best"),
    "InterIAMB": GrowShrinkSearch("best", interleaved=True),
    "FastIAMB": GrowShrinkSearch("all"),
}
LOCAL = {"HITON": interleaved_neighbours, "MMPC": max_min_neighbours}


@st.composite
def graphs(draw, most=9):
    n = draw(st.integers(2, most))
    order = draw(st.permutations(range(n)))
    density = draw(st.sampled_from([2, 3, 5]))
    pairs = [(order[i], order[j]) for i, j in combinations(range(n), 2)]
    kept = [pair for pair in pairs if draw(st.integers(1, density)) == 1]
    return DAG.of_edges(n, kept), draw(st.integers(0, n - 1))


def asked(graph, target, max_k):
    test = DSeparation(graph, target)
    return test, Questions(test.view(), test, 0.05, max_k)


def nodes(test, columns):
    return {test.node(j) for j in columns}


@for_all(graphs())
@settings(max_examples=150)
def test_tests_that_never_err_give_the_true_blanket(case):
    graph, target = case
    blanket, near = set(graph.blanket(target)), {*graph.parents[target], *graph.children[target]}
    for name, search in WHOLE.items():
        test, questions = asked(graph, target, None)
        assert nodes(test, search.run(questions, Y)) == blanket, name
    for name, find in LOCAL.items():
        test, questions = asked(graph, target, None)
        around = Neighbourhoods(questions, find)
        found = around.of(Y)
        assert nodes(test, found) == near, name
        assert nodes(test, [*found, *around.spouses(Y, found)]) == blanket, name


@for_all(graphs(most=8))
@settings(max_examples=100)
def test_pc_finds_the_true_pattern(case):
    graph, target = case
    test, questions = asked(graph, target, None)
    found = pc_pattern(questions)
    order = [test.node(j) for j in range(graph.n_nodes - 1)] + [target]
    np.testing.assert_array_equal(found.marks, cpdag(graph)[np.ix_(order, order)])
    assert not found.conflicts
    assert nodes(test, [*found.neighbours(Y), *found.spouses(Y)]) == set(graph.blanket(target))


@for_all(graphs(most=8), st.sampled_from([0, 1, 3]))
@settings(max_examples=80)
def test_no_member_is_missed_where_few_columns_are_given(case, max_k):
    graph, target = case
    blanket, near = set(graph.blanket(target)), {*graph.parents[target], *graph.children[target]}
    for find in LOCAL.values():
        test, questions = asked(graph, target, max_k)
        around = Neighbourhoods(questions, find)
        found = around.of(Y)
        assert nodes(test, found) >= near
        assert nodes(test, [*found, *around.spouses(Y, found)]) >= blanket
    test, questions = asked(graph, target, max_k)
    found = pc_pattern(questions)
    assert nodes(test, [*found.neighbours(Y), *found.spouses(Y)]) >= blanket


def test_symmetry_drops_a_descendant_that_only_its_own_parents_separate():
    """T -> A -> B, C -> A, C -> B: from T, B cannot be separated without C (catalogue, HITON)."""
    graph = DAG.of_edges(4, [(3, 0), (0, 1), (2, 0), (2, 1)])
    for find in LOCAL.values():
        _, questions = asked(graph, 3, 3)
        around = Neighbourhoods(questions, find)
        assert sorted(around.one_way(Y)) == [0, 1]
        assert around.of(Y) == [0]
        assert sorted(around.of(1)) == [0, 2]
        assert sorted(Neighbourhoods(questions, find, symmetry=False).of(Y)) == [0, 1]


def test_a_hidden_common_cause_makes_two_colliders_that_differ():
    """A -> B <- L -> C <- D with L hidden: PC meets both B <- C and B -> C, keeps the first and says so."""
    graph = DAG.of_edges(5, [(0, 1), (4, 1), (4, 2), (3, 2)])

    class WithoutL(DSeparation):
        def check(self, view, columns):
            pass

        def node(self, column):
            return [0, 1, 2, 3][column]

    test = WithoutL(graph)
    found = pc_pattern(Questions(DSeparation(DAG.of_edges(4, [])).view(), test, 0.05, None))
    assert found.conflicts
    assert len(found.colliders) == 2
    assert any(drawn.endswith("!") for _, _, drawn in found.edges())


def test_the_printed_rules_of_pc_would_be_wrong():
    """P -> B, A -> B, B -> C, A -> C is found whole; 0 -> 1, 2, 3 and 1, 2 -> 3 needs the third rule of Meek."""
    for n, edges, directed in ((4, [(0, 1), (2, 1), (1, 3), (2, 3)], [(0, 1), (2, 1), (1, 3), (2, 3)]),):
        test, questions = asked(DAG.of_edges(n, edges), n - 1, None)
        marks = pc_pattern(questions).marks
        assert {(a, b) for a, b in np.argwhere(marks & ~marks.T).tolist()} == set(directed)
    _, questions = asked(DAG.of_edges(4, [(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]), 3, None)
    marks = pc_pattern(questions).marks
    assert marks[0, 3]
    assert not marks[3, 0]


@pytest.mark.parametrize("seed", range(6))
def test_searches_take_the_published_steps(seed):
    rng = np.random.default_rng(seed)
    codes, y = random_codes(rng, n=400, d=8)
    codes[:, 7] = (y + codes[:, 6] + (rng.random(400) < 0.2)) % 2
    view, test, others = codes_on("one thread", codes, y), GTest(h=0), list(range(8))

    def ask(x, target, given):
        found = test.pvalues(view, [x], given, target)
        return found.pvalue[0] > 0.05, found.pvalue[0], -test.strength(found)[0]

    def fresh(max_k):
        return Questions(codes_on("one thread", codes, y), test, 0.05, max_k)

    assert WHOLE["GrowShrink"].run(fresh(None), Y) == oracle.grow_shrink(ask, others, Y)
    assert WHOLE["IAMB"].run(fresh(None), Y) == oracle.iamb(ask, others, Y)
    for max_k in (1, 3, None):
        assert sorted(interleaved_neighbours(fresh(max_k), Y)) == sorted(oracle.hiton_pc(ask, others, Y, max_k))
        assert sorted(max_min_neighbours(fresh(max_k), Y)) == sorted(oracle.mmpc(ask, others, Y, max_k))
        for target in (2, 7):
            rest = [Y, *[j for j in others if j != target]]
            assert sorted(max_min_neighbours(fresh(max_k), target)) == sorted(oracle.mmpc(ask, rest, target, max_k))


def test_members_stay_dependent_given_each_other(rng):
    codes, y = random_codes(rng, n=2000, d=8)
    for search in WHOLE.values():
        questions = Questions(codes_on("one thread", codes, y), GTest(), 0.05, None)
        found = search.run(questions, Y)
        assert found
        for j in found:
            assert not questions.ask([j], [i for i in found if i != j], Y)[0].independent


def test_too_few_rows_neither_admit_nor_drop(rng):
    codes, y = random_codes(rng, n=60, d=8)
    codes[:, 5] = y * 2
    questions = Questions(codes_on("one thread", codes, y), GTest(h=1e6), 0.05, 3)
    for search in WHOLE.values():
        assert search.run(questions, Y) == []
    assert interleaved_neighbours(questions, Y) == []
    assert not questions.separators
    assert all((Y, j) in questions.unsure for j in range(8))
    # Two copies: rows suffice to see both alone, and not to drop one given the other.
    codes[:, 4] = codes[:, 5]
    enough_alone = GTest(h=60 / 9)
    found = interleaved_neighbours(Questions(codes_on("one thread", codes, y), enough_alone, 0.05, 3), Y)
    assert sorted(found)[-2:] == [4, 5]


@pytest.mark.parametrize("find", LOCAL.values())
def test_a_neighbour_that_others_determine_stays(find):
    """0 and 1 determine 2, the cause of y: given both nothing of 2 can vary, which says nothing about y."""
    rng = np.random.default_rng(0)
    causes = rng.integers(0, 2, (2000, 2))
    either = causes.max(axis=1)
    y = np.where(rng.random(2000) < 0.1, 1 - either, either)
    questions = Questions(codes_on("one thread", np.column_stack([causes, either]), y), GTest(), 0.01, 3)
    assert Neighbourhoods(questions, find).of(Y) == [2]


@for_all(graphs(most=8), st.sampled_from([1, 3, None]))
@settings(max_examples=60)
def test_in_a_graph_nothing_is_lost_together(case, max_k):
    """Whatever separates two columns: if one may take the place of the other, neither depends on the target."""
    graph, target = case
    _, questions = asked(graph, target, max_k)
    pc_pattern(questions)
    for find in LOCAL.values():
        Neighbourhoods(questions, find).of(Y)
    for a, b in list(questions.separators):
        assert twins_of(questions, a, b) == twins_of(questions, b, a) == ()


@for_all(graphs(most=8), st.sampled_from([0, 1, 3, None]), st.booleans())
@settings(max_examples=80)
def test_in_a_graph_nobody_comes_back(case, max_k, symmetry):
    """Outside the blanket, or a larger set, nothing depends on the target given it, whatever separated it."""
    graph, target = case
    for find in LOCAL.values():
        test, questions = asked(graph, target, max_k)
        around = Neighbourhoods(questions, find, symmetry)
        near, spouses = around.blanket(Y)
        assert near == around.of(Y)
        assert spouses == around.spouses(Y, near)
        assert around.back[Y] == {}
        assert Neighbourhoods(questions, find, symmetry).blanket(Y, all_of_it=False)[0] == near
        assert strongest_lost(questions, Y, [*near, *spouses]) is None
        if max_k is None and symmetry:
            assert nodes(test, near) == {*graph.parents[target], *graph.children[target]}
    test, questions = asked(graph, target, max_k)
    assert not any(pc_pattern(questions).back.values())


def test_a_neighbour_of_a_spouse_and_a_child_does_not_come_back():
    """T -> A -> B, C -> A, C -> B: given A alone B depends on T; that C separates it, no neighbour of T, is no loss."""
    graph = DAG.of_edges(4, [(3, 0), (0, 1), (2, 0), (2, 1)])
    for find in LOCAL.values():
        _, questions = asked(graph, 3, 3)
        near, _ = Neighbourhoods(questions, find).blanket(Y, all_of_it=False)
        assert near == [0]
        assert strongest_lost(questions, Y, near) == (1, [2])
        assert strongest_lost(questions, Y, [0, 2]) is None


def test_p_values_by_shuffles_are_near_a_level_by_one_step(rng):
    """1 / 20 is one step of 19 shuffles: p-values of 1, 2 and 3 steps are near 0.1, others are not."""
    codes, y = random_codes(rng, n=60, d=8)
    view, test = codes_on("one thread", codes, y), ConditionalInformation(19)
    questions = Questions(view, test, 0.1, 3)
    steps = np.array([a.pvalue for a in questions.ask(range(8), (), Y)]) * 20
    wanted = int(np.isin(np.rint(steps), (1, 2, 3)).sum())
    assert wanted > 0
    assert questions.near_alpha == wanted
    far = Questions(view, test, 0.5 / 20, 3)
    far.ask(range(8), (), Y)
    assert far.near_alpha == int((np.rint(steps) == 1).sum())


def test_p_values_that_rounding_may_decide_are_counted(rng):
    codes, y = random_codes(rng, d=4)
    view = codes_on("one thread", codes, y)
    p = float(GTest().pvalues(view, [2]).pvalue[0])
    for alpha, wanted in ((p + 1e-12, 1), (p + 1e-6, 0)):
        questions = Questions(view, GTest(), alpha, 3)
        questions.ask([2], (), Y)
        assert questions.near_alpha == wanted


def test_p_values_of_zero_are_ordered_by_strength(rng):
    """With many rows both p-values are 0; the stronger one comes first although it has the higher number."""
    y = rng.integers(0, 2, 30_000)
    weak, strong = (np.where(rng.random(30_000) < noise, 1 - y, y) for noise in (0.2, 0.05))
    questions = Questions(codes_on("one thread", np.column_stack([weak, strong]), y), GTest(), 0.05, 3)
    assert [a.pvalue for a in questions.ask([0, 1], (), Y)] == [0.0, 0.0]
    assert questions.by_association([0, 1], Y) == [1, 0]
