"""Discrete networks against their whole joint table; roles, relevance and interventions of chapter 4."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from fewer.core.graphs.dag import DAG
from fewer.core.graphs.intervention import causal_relevance_by_do, depends_on_do
from fewer.core.graphs.network import Network
from fewer.core.graphs.roles import causal_relevance, feature_roles, relevance
from fewer.core.measures.relevance import relevance_categories
from fewer.core.records.errors import InputError
from fewer.synth import asia_network, lung_cancer_network
from oracles import graphs as paths


@st.composite
def networks(draw, most=5):
    n = draw(st.integers(2, most))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    levels = [draw(st.integers(2, 3)) for _ in range(n)]
    nodes = {}
    order = draw(st.permutations(range(n)))
    for place, j in enumerate(order):
        parents = [i for i in order[:place] if draw(st.booleans())][:3]
        shape = [levels[i] for i in parents]
        nodes[f"n{j}"] = ([f"n{i}" for i in parents], rng.dirichlet(np.ones(levels[j]), shape))
    return Network.of({f"n{j}": nodes[f"n{j}"] for j in range(n)})


def joint(network):
    """The product of all tables, level by level."""
    out = np.ones(network.n_levels)
    for levels in product(*map(range, network.n_levels)):
        for node, parents in enumerate(network.graph.parents):
            out[levels] *= network.tables[node][tuple(levels[p] for p in parents)][levels[node]]
    return out


@for_all(networks(), st.data())
@settings(max_examples=30)
def test_elimination_sums_the_joint_table(network, data):
    table, n = joint(network), network.n_nodes
    assert table.sum() == pytest.approx(1.0)
    wanted = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=2, unique=True))
    rest = [j for j in range(n) if j not in wanted]
    given = {j: 0 for j in rest if data.draw(st.booleans())}
    slices = table[tuple(0 if j in given else slice(None) for j in range(n))]
    left = [j for j in range(n) if j not in given]
    sums = slices.sum(axis=tuple(k for k, j in enumerate(left) if j not in wanted))
    sums = np.moveaxis(sums, range(sums.ndim), [sorted(wanted).index(j) for j in sorted(wanted)])
    if wanted != sorted(wanted):
        sums = sums.T
    np.testing.assert_allclose(network.probability(wanted, given), sums / sums.sum(), atol=1e-12)


@for_all(networks(most=4))
@settings(max_examples=20)
def test_what_the_graph_separates_is_independent(network):
    table, n = joint(network), network.n_nodes
    edges = [(p, j) for j, parents in enumerate(network.graph.parents) for p in parents]
    for a, b in combinations(range(n), 2):
        others = [j for j in range(n) if j not in (a, b)]
        for given in (tuple(others), ()):
            if paths.separated(edges, a, b, given):
                kept = table.sum(axis=tuple(j for j in others if j not in given), keepdims=True)
                both, one, two = (kept.sum(axis=axes, keepdims=True) for axes in ((), (a,), (b,)))
                np.testing.assert_allclose(both * kept.sum(axis=(a, b), keepdims=True), one * two, atol=1e-12)


def test_samples_have_the_frequencies_of_the_tables():
    network = lung_cancer_network()
    rows = network.sample(40_000, np.random.default_rng(0))
    for node, parents in enumerate(network.graph.parents):
        for levels in product(range(2), repeat=len(parents)):
            here = np.all(rows[:, list(parents)] == levels, axis=1)
            frequency = rows[here, node].mean()
            assert frequency == pytest.approx(network.tables[node][levels][1], abs=4.5 * 0.5 / np.sqrt(here.sum()))
    again = network.sample(40_000, np.random.default_rng(0))
    np.testing.assert_array_equal(rows, again)


def test_setting_a_consequence_changes_nothing():
    """Disease -> Bed, Disease -> Death: those in bed die more often, but nobody dies of being put to bed."""
    network = Network.of(
        {
            "Disease": ((), [0.9, 0.1]),
            "Bed": (("Disease",), [[0.95, 0.05], [0.2, 0.8]]),
            "Death": (("Disease",), [[0.99, 0.01], [0.6, 0.4]]),
        }
    )
    assert network.probability("Death", {"Bed": 1})[1] > 2 * network.probability("Death")[1]
    for level in (0, 1):
        np.testing.assert_allclose(network.do(Bed=level).probability("Death"), network.probability("Death"))
    assert depends_on_do(network, 0, 2)
    assert not depends_on_do(network, 1, 2)


def test_relevance_by_intervention_is_that_of_the_graph():
    for network, target in (
        (asia_network(), "either"),
        (asia_network(), "dysp"),
        (lung_cancer_network(), "LungCancer"),
    ):
        y = network.number(target)
        wanted = {network.names[j]: word for j, word in causal_relevance(network.graph, y).items()}
        assert causal_relevance_by_do(network, target) == wanted


def test_roles_of_the_lung_cancer_network():
    network = lung_cancer_network()
    y = network.number("LungCancer")
    roles = {network.names[j]: words for j, words in feature_roles(network.graph, y).items()}
    assert roles["Smoking"] == roles["GeneticFactor1"] == ("direct cause",)
    assert roles["Anxiety"] == ("indirect cause",)
    assert roles["OtherCancers"] == ("consequence of a cause",)
    assert roles["Coughing"] == roles["Metastasis"] == roles["Biomarker1"] == ("direct effect",)
    assert roles["Allergy"] == roles["HormonalFactor"] == roles["Biomarker2"] == ("spouse",)
    known = relevance(network.graph, y)
    assert {network.names[j] for j, word in known.items() if word == "weak"} == {"Anxiety", "OtherCancers"}


def test_a_node_may_have_several_roles():
    """0 -> 3, 0 -> 1 <- 3: parent and spouse at once; 2 is alone, 4 below 1, 5 above 4 only."""
    graph = DAG.of_edges(6, [(0, 3), (0, 1), (3, 1), (1, 4), (5, 4)])
    roles = feature_roles(graph, 3)
    assert roles[0] == ("direct cause", "spouse")
    assert roles[1] == ("direct effect", "consequence of a cause")
    assert (roles[2], roles[4], roles[5]) == (("irrelevant",), ("indirect effect",), ("other",))


@for_all(networks(most=4))
@settings(max_examples=10)
def test_relevance_in_the_joint_table_is_that_of_the_graph(network):
    """Tables drawn at random are faithful to their graph, so that blankets are the strongly relevant features."""
    rows = np.array(list(product(*map(range, network.n_levels))))
    weights = joint(network).ravel()
    y = network.n_nodes - 1
    found = relevance_categories(np.delete(rows, y, axis=1), rows[:, y], weights, tol=1e-9)
    wanted = relevance(network.graph, y)
    assert [word == "strong" for word in found] == [wanted[j] == "strong" for j in range(y)]


def test_networks_refuse_what_is_no_distribution():
    with pytest.raises(InputError, match="add up to 1"):
        Network.of({"a": ((), [0.5, 0.6])})
    with pytest.raises(InputError, match="parent 'b' of 'a'"):
        Network.of({"a": (("b",), [0.5, 0.5])})
    with pytest.raises(InputError, match="no node 'smokes'.*smoke"):
        asia_network().probability("smokes")
    with pytest.raises(InputError, match="probability 0"):
        asia_network().probability("smoke", {"either": 0, "lung": 1})
