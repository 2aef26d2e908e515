"""Clusters of subspaces by plain loops over all subspaces, cells, rows and pairs."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations


def dense_units(codes, density, max_dim=None):
    """Return {columns: {cell: rows}} of all cells of all subspaces with more than a fraction of the rows."""
    n, d = len(codes), len(codes[0])
    several = [j for j in range(d) if len({row[j] for row in codes}) > 1]
    found = {}
    for k in range(1, min(len(several), max_dim or d) + 1):
        for columns in combinations(several, k):
            cells = Counter(tuple(int(row[j]) for j in columns) for row in codes)
            dense = {cell: rows for cell, rows in cells.items() if rows > density * n}
            if dense:
                found[columns] = dense
    return found


def connected(cells):
    """Return the groups of cells that hang together by faces."""
    left, groups = set(cells), []
    while left:
        group, edge = set(), [left.pop()]
        while edge:
            cell = edge.pop()
            group.add(cell)
            for p in range(len(cell)):
                for step in (-1, 1):
                    other = (*cell[:p], cell[p] + step, *cell[p + 1 :])
                    if other in left:
                        left.remove(other)
                        edge.append(other)
        groups.append(frozenset(group))
    return groups


def clusters(codes, density, max_dim=None):
    """Return {(columns, cells): rows} of all clusters, rows as a frozen set."""
    out = {}
    for columns, cells in dense_units(codes, density, max_dim).items():
        for group in connected(cells):
            rows = [i for i, row in enumerate(codes) if tuple(int(row[j]) for j in columns) in group]
            out[columns, group] = frozenset(rows)
    return out


def mdl_kept(coverage):
    """Return which coverages are in the first of the two groups with the shortest description."""

    def bits(numbers):
        if not numbers:
            return 0.0
        mean = math.ceil(sum(numbers) / len(numbers))
        return sum(math.log2(v) for v in [mean, *(abs(x - mean) for x in numbers)] if v > 1)

    best = None
    for line in sorted(set(coverage), reverse=True):
        first, second = [x for x in coverage if x >= line], [x for x in coverage if x < line]
        length = bits(first) + bits(second)
        if best is None or length <= best[0] + 1e-9:
            best = (length, line)
    return [x >= best[1] for x in coverage]


def entropy(codes, columns):
    """Return the entropy of the cells of a subspace in nats."""
    n = len(codes)
    cells = Counter(tuple(int(row[j]) for j in columns) for row in codes)
    return -sum(rows / n * math.log(rows / n) for rows in cells.values())


def interest(codes, columns):
    """Return the total correlation of columns."""
    return sum(entropy(codes, (j,)) for j in columns) - entropy(codes, columns)


def low_entropy(codes, omega, least, minimal):
    """Return all reported subspaces of two or more columns."""
    several = [j for j in range(len(codes[0])) if len({row[j] for row in codes}) > 1]
    spaces = [s for k in range(2, len(several) + 1) for s in combinations(several, k) if entropy(codes, s) < omega]
    if minimal:
        much = [s for s in spaces if interest(codes, s) > least]
        return {s for s in much if not any(set(t) < set(s) for t in much)}

    def gain(s):
        return interest(codes, s) - max(interest(codes, s[:p] + s[p + 1 :]) for p in range(len(s)))

    return {s for s in spaces if gain(s) > least}


def segmental(row, point, columns):
    """Return the mean absolute difference over columns."""
    return sum(abs(row[j] - point[j]) for j in columns) / len(columns)


def columns_of_medoids(spread, total):
    """Return the columns of every medoid by the smallest z."""
    d = len(spread[0])
    z = {}
    for i, line in enumerate(spread):
        mean = sum(line) / d
        deviation = math.sqrt(sum((x - mean) ** 2 for x in line) / max(1, d - 1))
        for j, x in enumerate(line):
            z[i, j] = (x - mean) / deviation if deviation > 0 else 0.0
    order = sorted(z, key=lambda pair: (z[pair], pair))
    taken = {pair for i in range(len(spread)) for pair in [p for p in order if p[0] == i][:2]}
    for pair in order:
        if len(taken) < total:
            taken.add(pair)
    return [sorted(j for i, j in taken if i == m) for m in range(len(spread))]


def around_medoids(rows, medoids, total):
    """Return the columns of every medoid, the label of every row and the cost: one step of PROCLUS."""
    d = len(rows[0])
    spread = []
    for m in medoids:
        reach = min((segmental(rows[o], rows[m], range(d)) for o in medoids if o != m), default=math.inf)
        near = [row for row in rows if segmental(row, rows[m], range(d)) <= reach]
        spread.append([sum(abs(row[j] - rows[m][j]) for row in near) / len(near) for j in range(d)])
    columns = columns_of_medoids(spread, total)
    labels, cost = [], 0.0
    for row in rows:
        away = [segmental(row, rows[m], own) for m, own in zip(medoids, columns)]
        labels.append(away.index(min(away)))
    for i, own in enumerate(columns):
        mine = [row for row, label in zip(rows, labels) if label == i]
        centre = {j: sum(row[j] for row in mine) / len(mine) for j in own} if mine else {}
        cost += sum(segmental(row, centre, own) for row in mine)
    return columns, labels, cost / len(rows)


def proclus(rows, medoids, total):
    """Return the columns and labels after the last pass: columns by the clusters themselves, then outliers as -1."""
    d = len(rows[0])
    _, labels, _ = around_medoids(rows, medoids, total)
    spread = []
    for i, m in enumerate(medoids):
        mine = [row for row, label in zip(rows, labels) if label == i]
        spread.append([sum(abs(row[j] - rows[m][j]) for row in mine) / max(1, len(mine)) for j in range(d)])
    columns, labels = columns_of_medoids(spread, total), []
    spheres = [
        min((segmental(rows[o], rows[m], own) for o in medoids if o != m), default=math.inf)
        for m, own in zip(medoids, columns)
    ]
    for row in rows:
        away = [segmental(row, rows[m], own) for m, own in zip(medoids, columns)]
        inside = any(far <= sphere for far, sphere in zip(away, spheres))
        labels.append(away.index(min(away)) if inside else -1)
    return columns, labels


def soft_distance(gaps, weights, eta):
    """Return -eta ln sum w exp(-gap / eta)."""
    return -eta * math.log(sum(w * math.exp(-gap / eta) for w, gap in zip(weights, gaps)))


def cosa(rows, scale, n_neighbors, max_iter):
    """Return weights of all rows and the matrix of distances after so many rounds, or when no weight changes."""
    n, d = len(rows), len(rows[0])
    pairs = list(combinations(range(n), 2))
    unit = [sum(abs(rows[i][j] - rows[k][j]) for i, k in pairs) / len(pairs) for j in range(d)]

    def gaps(i, k):
        return [abs(rows[i][j] - rows[k][j]) / unit[j] for j in range(d)]

    def distances(weights, eta):
        out = [[0.0] * n for _ in range(n)]
        for i, k in pairs:
            here = gaps(i, k)
            out[i][k] = out[k][i] = max(soft_distance(here, weights[i], eta), soft_distance(here, weights[k], eta))
        return out

    weights, eta = [[1 / d] * d for _ in range(n)], scale
    for _ in range(max_iter):
        away, new = distances(weights, eta), []
        for i in range(n):
            near = sorted((k for k in range(n) if k != i), key=lambda k: (away[i][k], k))[:n_neighbors]
            mean = [sum(gaps(i, k)[j] for k in near) / len(near) for j in range(d)]
            raw = [math.exp(-x / scale) for x in mean]
            new.append([x / sum(raw) for x in raw])
        weights, before = new, weights
        if all(abs(a - b) <= 1e-9 for one, other in zip(weights, before) for a, b in zip(one, other)):
            break
        eta += 0.1 * scale
    return weights, distances(weights, eta), eta
