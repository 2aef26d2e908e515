"""What the nodes of a graph are to one of them: causes, effects, spouses, and how relevant that makes them."""

from __future__ import annotations

from fewer.core.graphs.dag import DAG

# In the order in which the roles of one node are told.
ROLES = (
    "direct cause",
    "direct effect",
    "spouse",
    "indirect cause",
    "consequence of a cause",
    "indirect effect",
    "other",
    "irrelevant",
)


def feature_roles(graph: DAG, target: int) -> dict[int, tuple[str, ...]]:
    """Return the roles of every other node, in the order of `ROLES`; a node may have several.

    A direct cause is a parent, a direct effect a child, a spouse another parent of a child; an indirect cause another
    ancestor, a consequence of a cause another child of a parent, an indirect effect another descendant. Other nodes
    are connected in no such way, irrelevant ones not at all.
    """
    graph._checked([target])
    parents, children = set(graph.parents[target]), set(graph.children[target])
    siblings = {child for parent in parents for child in graph.children[parent]}
    above, below = graph.ancestors([target]), descendants(graph, target)
    reached = component(graph, target)
    out = {}
    for node in range(graph.n_nodes):
        if node == target:
            continue
        has = {
            "direct cause": node in parents,
            "direct effect": node in children,
            "spouse": node in graph.spouses(target),
            "indirect cause": node in above and node not in parents,
            "consequence of a cause": node in siblings and node not in above,
            "indirect effect": node in below and node not in children,
        }
        roles = tuple(role for role in ROLES if has.get(role))
        out[node] = roles or (("other",) if node in reached else ("irrelevant",))
    return out


def relevance(graph: DAG, target: int) -> dict[int, str]:
    """Return "strong", "weak" or "irrelevant" of every other node, as holds in distributions faithful to the graph."""
    blanket, reached = graph.blanket(target), component(graph, target)
    return {
        node: "strong" if node in blanket else "weak" if node in reached else "irrelevant"
        for node in range(graph.n_nodes)
        if node != target
    }


def causal_relevance(graph: DAG, target: int) -> dict[int, str]:
    """Return "strong" of parents, "weak" of other ancestors and "none" of all other nodes."""
    above = graph.ancestors([target])
    return {
        node: "strong" if node in graph.parents[target] else "weak" if node in above else "none"
        for node in range(graph.n_nodes)
        if node != target
    }


def descendants(graph: DAG, node: int) -> set[int]:
    """Return all nodes to which one leads, without itself."""
    waiting, found = graph._checked([node]), set[int]()
    while waiting:
        new = set(graph.children[waiting.pop()]) - found
        found |= new
        waiting.extend(new)
    return found


def component(graph: DAG, node: int) -> set[int]:
    """Return all nodes that are connected to one, whatever the directions, with itself."""
    waiting, found = graph._checked([node]), {node}
    while waiting:
        here = waiting.pop()
        new = {*graph.parents[here], *graph.children[here]} - found
        found |= new
        waiting.extend(new)
    return found
