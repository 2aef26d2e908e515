"""What is no network or no question about one is refused in one sentence."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.graphs.dag import DAG
from fewer.core.graphs.network import Network
from fewer.core.graphs.roles import component, descendants, feature_roles
from fewer.core.records.errors import InputError
from fewer.synth import asia_network

COIN = ((), [0.5, 0.5])
COPY = [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ({"a": ((), [0.5, 0.6])}, "probabilities of 'a' that sum to 1.1, but they must add up to 1"),
        ({"a": ((), [1.5, -0.5])}, "got -0.5 in the table of 'a'"),
        ({"a": ((), [np.nan, 0.5])}, "got nan in the table of 'a'"),
        ({"a": ((), [np.inf, 0.5])}, "got inf in the table of 'a'"),
        ({"a": (("b",), COPY), "b": (("a",), COPY)}, "a cycle among a, b"),
        ({"a": (("a",), COPY)}, "parents are other nodes, each once; leave out 'a'"),
        ({"a": COIN, "b": (("a", "a"), [COPY, COPY])}, "each once; leave out 'a'"),
        ({"a": COIN, "b": (("c",), COPY)}, "the parent 'c' of 'b', but has nodes a, b"),
        ({"a": COIN, "b": ("a", COPY)}, "a pair of parents and table"),
        ({"a": [0.5, 0.5, 0.0]}, "a pair of parents and table"),
        ({"a": COIN, "b": (("a",), [[1.0], [0.5, 0.5]])}, "numbers in lines of equal length"),
        ({"a": ((), ["heads", "tails"])}, "numbers in lines of equal length"),
        ({"a": COIN, "b": (("a",), [[1.0, 0.0]])}, r"shape \(1, 2\) for 'b', but needs the shape \(2, 2\)"),
        ({"a": ((), [])}, r"shape \(0,\) for 'a'"),
        ({"a": ((), 1.0)}, "a table of 0 axes for 'a'"),
        ({1: COIN}, "the name 1 of a node, but names are text"),
        ({}, "at least one node"),
        ([COIN], "a mapping of names"),
    ],
)
def test_what_is_no_network_is_refused(nodes, words):
    with pytest.raises(InputError, match=words) as caught:
        Network.of(nodes)
    assert str(caught.value).count("; ") == 1


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda net: net.do(smoke=2), "level 2 of 'smoke', but it has levels 0 to 1"),
        (lambda net: net.do(smoke=-1), "level -1 of 'smoke'"),
        (lambda net: net.do(smoke=0.5), "level 0.5 of 'smoke'"),
        (lambda net: net.probability("lung", {"smoke": 7}), "level 7 of 'smoke'"),
        (lambda net: net.probability("lung", {"smoke": -1}), "level -1 of 'smoke'"),
        (lambda net: net.probability(["lung", "lung"]), "about 'lung' twice"),
        (lambda net: net.probability([]), "about no node"),
        (lambda net: net.probability(1.5), "about node 1.5"),
        (lambda net: net.manipulated({"smoke": [0.2, 0.3, 0.5]}), r"shape \(3,\) for 'smoke'"),
        (lambda net: net.manipulated({"smoke": [0.2, 0.3]}), "that sum to 0.5"),
        (lambda net: net.sample(-1, np.random.default_rng(0)), "asked for -1 rows"),
        (lambda net: net.sample(5, 0), "by a numpy Generator"),
        (lambda net: Network(net.names[:-1], net.graph, net.tables), "7 different names, 8 nodes and 8 tables"),
    ],
)
def test_what_cannot_be_asked_of_a_network_is_refused(ask, words):
    with pytest.raises(InputError, match=words):
        ask(asia_network())


def test_a_node_may_have_any_name_and_inputs_stay_as_they_are():
    table = np.array([0.25, 0.75])
    network = Network.of({"self": ((), table)})
    table[:] = 7.0
    assert network.do(self=1).probability("self").tolist() == [0.0, 1.0]
    assert network.probability(np.int64(0)).tolist() == [0.25, 0.75]


CHAIN = DAG.of_edges(3, [(0, 1), (1, 2)])


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: CHAIN.separated(1, 1), "whether nodes 1 and 1 are separated"),
        (lambda: CHAIN.separated(0, 2, [2]), "name each node once"),
        (lambda: CHAIN.separated(0, 2, [0, 1]), "connected to node 0 given"),
        (lambda: CHAIN.connected(0, [0]), "leave it out of the given ones"),
        (lambda: CHAIN.blanket(0.5), "asked about node 0.5"),
        (lambda: feature_roles(CHAIN, 3), "asked about node 3"),
        (lambda: descendants(CHAIN, -1), "asked about node -1"),
        (lambda: component(CHAIN, -1), "asked about node -1"),
    ],
)
def test_questions_about_a_graph_name_each_node_once(ask, words):
    with pytest.raises(InputError, match=words):
        ask()
    assert CHAIN.separated(0, 2, [1])
