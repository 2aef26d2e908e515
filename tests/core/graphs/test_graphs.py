"""d-separation, blankets and patterns against all paths and all graphs, and facts of the catalogue."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from fewer.core.criteria.d_separation import DSeparation
from fewer.core.criteria.independence_contract import Y
from fewer.core.graphs.dag import DAG
from fewer.core.graphs.patterns import completed, cpdag, cycles, unshielded
from fewer.core.records.errors import InputError, ParameterError
from oracles import graphs as oracle

# Book chapter 4, figure 4.2, reconstructed in the catalogue.
NODES = [
    "Anxiety",
    "Smoking",
    "LungCancer",
    "GeneticFactor1",
    "OtherCancers",
    "Coughing",
    "Allergy",
    "Metastasis",
    "HormonalFactor",
    "Biomarker1",
    "Biomarker2",
]
EDGES = [
    "Anxiety-Smoking",
    "Smoking-LungCancer",
    "GeneticFactor1-LungCancer",
    "GeneticFactor1-OtherCancers",
    "LungCancer-Coughing",
    "Allergy-Coughing",
    "LungCancer-Metastasis",
    "HormonalFactor-Metastasis",
    "LungCancer-Biomarker1",
    "Biomarker2-Biomarker1",
]
LUNG_CANCER = DAG.of_edges(11, [tuple(NODES.index(name) for name in edge.split("-")) for edge in EDGES])


def named(nodes):
    return {NODES[j] for j in nodes}


@st.composite
def random_edges(draw, most=6):
    n = draw(st.integers(2, most))
    order = draw(st.permutations(range(n)))
    pairs = [(order[i], order[j]) for i, j in combinations(range(n), 2)]
    return n, [pair for pair in pairs if draw(st.booleans())]


@for_all(random_edges(), st.data())
def test_separation_agrees_with_all_paths(case, data):
    n, edges = case
    graph = DAG.of_edges(n, edges)
    given = data.draw(st.sets(st.integers(0, n - 1), max_size=n - 2))
    for a, b in combinations([j for j in range(n) if j not in given], 2):
        assert graph.separated(a, b, sorted(given)) == graph.separated(b, a, sorted(given))
        assert graph.separated(a, b, sorted(given)) == oracle.separated(edges, a, b, given)


@for_all(random_edges(5))
def test_blankets_are_the_smallest_sets_that_separate(case):
    n, edges = case
    graph = DAG.of_edges(n, edges)
    for node in range(n):
        assert graph.blanket(node) == oracle.blanket(n, edges, node)
        # In the moral graph the neighbours are the blanket.
        assert tuple(np.flatnonzero(graph.moral()[node])) == graph.blanket(node)


@for_all(random_edges(8))
def test_relatives_and_order(case):
    n, edges = case
    graph = DAG.of_edges(n, edges)
    assert sorted(graph.order) == list(range(n))
    assert all(graph.order.index(a) < graph.order.index(b) for a, b in edges)
    assert {tuple(edge) for edge in np.argwhere(graph.matrix)} == set(edges)
    for node in range(n):
        assert graph.children[node] == tuple(sorted(b for a, b in edges if a == node))
        assert {j for j in range(n) if node in oracle.descendants(edges, j)} == graph.ancestors([node])


def test_patterns_are_what_graphs_of_equal_separations_agree_on():
    alike = defaultdict(list)
    for edges in oracle.all_graphs(4):
        alike[oracle.signature(4, edges)].append(edges)
    assert len(alike) == 185
    for graphs in alike.values():
        expected = oracle.agreed(4, graphs)
        for edges in graphs:
            assert cpdag(DAG.of_edges(4, edges)).tolist() == expected


@pytest.mark.parametrize(
    ("edges", "directed"),
    [
        ([(0, 1)], set()),
        ([(0, 1), (1, 2)], set()),
        ([(0, 2), (1, 2)], {(0, 2), (1, 2)}),
        # Rule (ii) of the book without its condition of non-adjacency would make a cycle of A = 1, B = 2, C = 3.
        ([(0, 2), (1, 2), (2, 3), (1, 3)], {(0, 2), (1, 2), (2, 3), (1, 3)}),
        # Without Meek's third rule 0 - 3 stays undirected.
        ([(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)], {(0, 3), (1, 3), (2, 3)}),
    ],
)
def test_directions_that_follow(edges, directed):
    marks = cpdag(DAG.of_edges(4, edges))
    assert {tuple(edge) for edge in np.argwhere(marks & ~marks.T)} == directed
    assert (completed(marks) == marks).all()


def test_no_rule_rests_on_a_triple_that_may_be_a_collider():
    """0 -> 1 - 2 becomes 0 -> 1 -> 2 by the first rule, unless 0 -> 1 <- 2 is possible; likewise the third."""
    marks = np.zeros((3, 3), bool)
    marks[0, 1] = marks[1, 2] = marks[2, 1] = True
    assert not completed(marks)[2, 1]
    assert completed(marks, [(0, 1, 2)])[2, 1]
    assert not completed(marks, [(0, 2, 1)])[2, 1]
    kite = cpdag(DAG.of_edges(4, [(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]))
    kite[3, 0] = True
    assert not completed(kite)[3, 0]
    assert completed(kite, [(1, 0, 2)])[3, 0]


def test_colliders_and_cycles_of_patterns():
    marks = np.zeros((5, 5), bool)
    marks[0, 1] = marks[1, 2] = marks[2, 0] = marks[3, 4] = marks[4, 3] = True
    assert cycles(marks) == [(0, 1, 2)]
    assert unshielded(marks) == []
    marks[2, 0], marks[0, 1], marks[2, 1], marks[1, 2] = False, True, True, False
    assert cycles(marks) == []
    assert unshielded(marks) == [(0, 1, 2)]


def test_figure_4_2():
    y = NODES.index("LungCancer")
    assert named(LUNG_CANCER.blanket(y)) == set(NODES) - {"LungCancer", "Anxiety", "OtherCancers"}
    assert named(LUNG_CANCER.parents[y]) == {"Smoking", "GeneticFactor1"}
    assert named(LUNG_CANCER.children[y]) == {"Coughing", "Metastasis", "Biomarker1"}
    assert named(LUNG_CANCER.spouses(y)) == {"Allergy", "HormonalFactor", "Biomarker2"}
    allergy, coughing = NODES.index("Allergy"), NODES.index("Coughing")
    assert LUNG_CANCER.separated(allergy, y)
    assert not LUNG_CANCER.separated(allergy, y, [coughing])
    marks = cpdag(LUNG_CANCER)
    loose = {frozenset(named(edge)) for edge in np.argwhere(marks & marks.T)}
    assert loose == {frozenset({"Anxiety", "Smoking"}), frozenset({"GeneticFactor1", "OtherCancers"})}


@for_all(random_edges(), st.data())
def test_the_test_of_separation_keeps_the_contract(case, data):
    n, edges = case
    y = data.draw(st.integers(0, n - 1))
    test = DSeparation(DAG.of_edges(n, edges), y)
    view, node = test.view(), [j for j in range(n) if j != y]
    given = sorted(data.draw(st.sets(st.integers(0, n - 2), max_size=n - 2)))
    asked = [j for j in range(n - 1) if j not in given]
    found = test.pvalues(view, asked, given)
    expected = [oracle.separated(edges, node[j], y, [node[z] for z in given]) for j in asked]
    assert (found.pvalue == expected).all()
    assert (found.statistic == 1.0 - found.pvalue).all()
    assert found.reliable.all()
    # The same questions the other way round are known.
    for j, p in zip(asked, found.pvalue):
        assert test.pvalues(view, [Y], given, j).pvalue[0] == p
    assert test.memory(view).computed == len(asked)


def test_what_is_no_graph_is_refused():
    with pytest.raises(InputError, match="A DAG got a cycle among the nodes 0, 1, 2"):
        DAG.of_edges(4, [(0, 1), (1, 2), (2, 0)])
    with pytest.raises(InputError, match=r"A DAG of 2 nodes got the parents \(1,\) of node 1"):
        DAG(((), (1,)))
    with pytest.raises(InputError, match=r"got the edge \(0, 5\)"):
        DAG.of_edges(2, [(0, 5)])
    with pytest.raises(ParameterError, match="DSeparation got target=2, but the graph has nodes 0 to 1"):
        DSeparation(DAG.of_edges(2, []), 2)
