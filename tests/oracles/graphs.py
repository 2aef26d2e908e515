"""Slow truths about directed graphs: all paths one by one, all graphs one by one."""

from __future__ import annotations

from itertools import combinations, permutations, product


def descendants(edges, node):
    found = {node}
    while True:
        new = {b for a, b in edges if a in found} - found
        if not new:
            return found
        found |= new


def paths(edges, start, end, taken=()):
    """Every path without a repeated node, whatever the directions."""
    taken = (*taken, start)
    if start == end:
        yield taken
        return
    for nearby in {b for a, b in edges if a == start} | {a for a, b in edges if b == start}:
        if nearby not in taken:
            yield from paths(edges, nearby, end, taken)


def is_open(edges, path, given):
    for a, c, b in zip(path, path[1:], path[2:]):
        if (a, c) in edges and (b, c) in edges:
            if not descendants(edges, c) & given:
                return False
        elif c in given:
            return False
    return True


def separated(edges, first, second, given):
    """Every path has a node known that is no collider, or a collider of which nothing is known."""
    edges, given = set(edges), set(given)
    return not any(is_open(edges, path, given) for path in paths(edges, first, second))


def blanket(n, edges, node):
    """The smallest set that separates a node from all others."""
    others = [j for j in range(n) if j != node]
    for size in range(n):
        for some in combinations(others, size):
            if all(separated(edges, node, j, some) for j in others if j not in some):
                return some
    raise AssertionError


def is_acyclic(n, edges):
    return any(all(order.index(a) < order.index(b) for a, b in edges) for order in permutations(range(n)))


def signature(n, edges):
    """All that data can tell: the separations of every pair by every set."""
    out = []
    for a, b in combinations(range(n), 2):
        others = [j for j in range(n) if j not in (a, b)]
        for size in range(n - 1):
            out += [(a, b, z) for z in combinations(others, size) if separated(edges, a, b, z)]
    return tuple(out)


def all_graphs(n):
    pairs = list(combinations(range(n), 2))
    for choice in product((0, 1, 2), repeat=len(pairs)):
        edges = [(a, b) if c == 1 else (b, a) for (a, b), c in zip(pairs, choice) if c]
        if is_acyclic(n, edges):
            yield edges


def agreed(n, graphs):
    """Entry (i, j) says whether some graph has the edge i -> j."""
    return [[any((i, j) in edges for edges in graphs) for j in range(n)] for i in range(n)]
