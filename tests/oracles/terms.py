"""Slow truths about redundant terms: sets of rows and plain loops (book ch. 16, section 16.3.3 to 16.3.5)."""

from __future__ import annotations

from math import log, sqrt


def class_information(rows, y):
    """I of the rows that have a term, or a pair of terms: (1/n) sum n(t; c) ln(n n(t; c) / (n(t) n(c)))."""
    n, total = len(y), 0.0
    for c in set(y):
        here = sum(1 for i in rows if y[i] == c)
        if here:
            total += here * log(n * here / (len(rows) * sum(1 for label in y if label == c)))
    return total / n


def matrices(terms, y):
    """Phi, cover and R of terms given as sets of rows, as nested lists."""
    m = len(terms)
    alone = [class_information(t, y) for t in terms]
    phi = [[0.0] * m for _ in terms]
    cover = [[0.0] * m for _ in terms]
    for i in range(m):
        for j in range(m):
            both = terms[i] & terms[j]
            cover[i][j] = len(both) / len(terms[i]) if terms[i] else 0.0
            root = sqrt(alone[i] * alone[j])
            # What rounding leaves of an information that is zero must not be divided by.
            phi[i][j] = class_information(both, y) / root if root > 1e-14 else 0.0
    redundancy = [[0.0 if i == j else phi[i][j] * cover[i][j] for j in range(m)] for i in range(m)]
    return phi, cover, redundancy


def components(cover, tau):
    """The set of each term by flooding the graph of covers of at least tau."""
    m = len(cover)
    label = [-1] * m
    for start in range(m):
        if label[start] >= 0:
            continue
        label[start], waiting = start, [start]
        while waiting:
            i = waiting.pop()
            for j in range(m):
                if label[j] < 0 and i != j and max(cover[i][j], cover[j][i]) >= tau:
                    label[j] = start
                    waiting.append(j)
    return label


def best_covers(redundancy, scores):
    """The column of the largest entry of each row; of equal ones the higher score, then the lower number."""
    best = []
    for row in redundancy:
        largest = max(row)
        if largest <= 0:
            best.append(-1)
            continue
        tied = [j for j, value in enumerate(row) if value >= largest * (1 - 1e-12)]
        best.append(min(tied, key=lambda j: (-scores[j], j)))
    return best


def tree_edges(redundancy, best, scores):
    """The edges parent -> child: of two that cover each other the one with the larger entry is the child."""
    edges = set()
    for i, j in enumerate(best):
        if j < 0:
            continue
        if best[j] == i:
            mine, other = redundancy[i][j], redundancy[j][i]
            if abs(mine - other) <= 1e-12 * max(mine, other):
                child = max((i, j), key=lambda t: (-scores[t], t))
            else:
                child = i if mine > other else j
            if child != i:
                continue
        edges.add((j, i))
    return edges
