"""Relevance by intervention: what changes if a node is set from outside."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from fewer.core.graphs.network import Network


def depends_on_do(network: Network, node: int, target: int, held: tuple[int, ...] = (), tol: float = 1e-12) -> bool:
    """Return whether the target changes with the level to which a node is set, others being held at some levels."""
    for levels in product(*(range(network.n_levels[j]) for j in held)):
        fixed = {network.names[j]: level for j, level in zip(held, levels)}
        found = [
            network.do(**fixed, **{network.names[node]: level}).probability(target)
            for level in range(network.n_levels[node])
        ]
        if np.ptp(found, axis=0).max() > tol:
            return True
    return False


def causal_relevance_by_do(network: Network, target: int | str, tol: float = 1e-12) -> dict[str, str]:
    """Return how relevant every other node is as a cause of the target, by setting nodes in the network.

    "strong" if the target changes with the node while all others are held, "weak" if it does while some others are held
    (or none), and "none" if it never does. Of nodes that do not lead to the target none needs to be held.

    Parameters
    ----------
    network : Network
        Its probabilities.
    target : int or str
        A node.
    tol : float, default=1e-12
        Difference of probabilities up to which they are equal.

    Examples
    --------
    >>> from fewer.synth import asia_network
    >>> found = causal_relevance_by_do(asia_network(), "either")
    >>> found["tub"], found["smoke"], found["xray"]
    ('strong', 'weak', 'none')
    """
    y = network.number(target)
    above = sorted(network.graph.ancestors([y]) - {y})
    out = {}
    for node in range(network.n_nodes):
        if node == y:
            continue
        others = [j for j in above if j != node]
        if depends_on_do(network, node, y, tuple(others), tol):
            out[network.names[node]] = "strong"
            continue
        some = (held for size in range(len(others)) for held in combinations(others, size))
        out[network.names[node]] = "weak" if any(depends_on_do(network, node, y, h, tol) for h in some) else "none"
    return out
