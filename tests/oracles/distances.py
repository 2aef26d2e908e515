"""Entropy of distances, dependence of features, groups of columns and category utility by plain loops."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np


def scaled(X, nominal):
    """Fractions of the range; levels and constants as they are."""
    Z = np.array(X, dtype=float)
    for j in range(Z.shape[1]):
        low, high = Z[:, j].min(), Z[:, j].max()
        if not nominal[j] and high > low:
            Z[:, j] = (Z[:, j] - low) / (high - low)
    return Z


def distance(a, b, nominal):
    """Euclidean, levels differ by 0 or 1."""
    return math.sqrt(sum(float(x != y) if n else (x - y) ** 2 for x, y, n in zip(a, b, nominal)))


def row_correlation_distance(a, b):
    """1 - Pearson correlation of two rows, 1 if one of them is constant."""
    if len(set(a.tolist())) == 1 or len(set(b.tolist())) == 1:
        return 1.0
    x, y = a - math.fsum(a) / len(a), b - math.fsum(b) / len(b)
    return round(1 - math.fsum(x * y) / math.sqrt(math.fsum(x * x) * math.fsum(y * y)), 12)


def distances(X, subset, nominal, metric):
    """All distances of a subset, a plain list."""
    subset = list(subset)
    if metric == "pearson":
        return [row_correlation_distance(a, b) for a, b in combinations(np.asarray(X, float)[:, subset], 2)]
    Z = scaled(X, nominal)[:, subset]
    return [distance(a, b, [nominal[j] for j in subset]) for a, b in combinations(Z, 2)]


def similarity_entropy(found):
    """The form of 1997."""
    mean = sum(found) / len(found)
    if mean == 0:
        return math.inf
    alpha, total = -math.log(0.5) / mean, 0.0
    for d in found:
        s = math.exp(-alpha * d)
        total -= sum(p * math.log(p) for p in (s, 1 - s) if p > 0)
    return total


def peak(d, mu, beta):
    """E_ij of 2002."""
    if d <= mu:
        return (math.exp(beta * d) - 1) / (math.exp(beta * mu) - 1)
    return (math.exp(beta * (1 - d)) - 1) / (math.exp(beta * (1 - mu)) - 1)


def deepest_valley(fractions, n_bins=100):
    """Middle of the deepest valley of the histogram, smoothed over five bins."""
    counts = [0] * n_bins
    for f in fractions:
        # What is on an edge on paper belongs to the bin above.
        counts[min(int(f * n_bins + 1e-9), n_bins - 1)] += 1
    smooth = [sum(counts[max(0, b - 2) : b + 3]) for b in range(n_bins)]
    depth = [min(max(smooth[: b + 1]), max(smooth[b:])) - smooth[b] for b in range(n_bins)]
    if max(depth) <= 0:
        return 0.5
    first = depth.index(max(depth))
    last = first
    while last + 1 < n_bins and depth[last + 1] == depth[first]:
        last += 1
    return (first + last + 1) / 2 / n_bins


def peak_entropy(found, mu=0.5, beta=10.0):
    """The form of 2002."""
    largest = max(found)
    if largest == 0:
        return math.inf
    fractions = [d / largest for d in found]
    at = deepest_valley(fractions) if mu == "valley" else mu
    return sum(peak(f, at, beta) for f in fractions)


def entropy(X, subset, nominal=None, metric="euclidean", form="similarity", mu=0.5, beta=10.0):
    """Entropy of a subset of columns."""
    nominal = [False] * np.shape(X)[1] if nominal is None else nominal
    if not len(subset) or (metric == "pearson" and len(subset) < 2):
        return math.inf
    found = distances(X, subset, nominal, metric)
    return similarity_entropy(found) if form == "similarity" else peak_entropy(found, mu, beta)


def rounded(value):
    """Ten digits or decimals, so that ties are ties."""
    return value if math.isinf(value) else round(float(f"{value:.9e}"), 10)


def forward(X, **how):
    """Order of joining and the entropies; of equal ones the lower number joins."""
    left, chosen, values = list(range(np.shape(X)[1])), [], []
    while left:
        found = [rounded(entropy(X, [*chosen, j], **how)) for j in left]
        best = min(range(len(left)), key=lambda k: (found[k], left[k]))
        values.append(found[best])
        chosen.append(left.pop(best))
    return chosen, values


def backward(X, **how):
    """Order, best first, and the entropy of its beginnings; of equal ones the higher number leaves."""
    left, gone = list(range(np.shape(X)[1])), []
    values = {len(left): rounded(entropy(X, left, **how))}
    while len(left) > 1:
        found = {j: rounded(entropy(X, [i for i in left if i != j], **how)) for j in left}
        worst = min(left, key=lambda j: (found[j], -j))
        left.remove(worst)
        gone.append(worst)
        values[len(left)] = found[worst]
    return [*left, *gone[::-1]], values


def dependence(codes):
    """Talavera's score of every column of level numbers."""
    n, d = codes.shape
    out = []
    for m in range(d):
        total = 0.0
        for i in range(d):
            if i == m:
                continue
            for v in set(codes[:, i].tolist()):
                rows = codes[codes[:, i] == v, m]
                for u in set(codes[:, m].tolist()):
                    total += len(rows) / n * (np.mean(rows == u) ** 2 - np.mean(codes[:, m] == u) ** 2)
        out.append(total / (d - 1) if d > 1 else 0.0)
    return out


def best_medoids(similar, k):
    """The largest sum of similarities to k medoids, by all subsets."""
    d = len(similar)
    return max(sum(max(similar[j][m] for m in chosen) for j in range(d)) for chosen in combinations(range(d), k))


def medoids_from(similar, first, k):
    """K-means on columns from one start, until the medoids are unchanged."""
    d, chosen = len(similar), [first]
    while len(chosen) < k:
        rest = [j for j in range(d) if j not in chosen]
        chosen.append(min(rest, key=lambda j: (max(similar[j][m] for m in chosen), j)))
    while True:
        member = [j if j in chosen else max(sorted(chosen), key=lambda m: similar[j][m]) for j in range(d)]
        groups = [[j for j in range(d) if member[j] == m] for m in chosen]
        moved = [max(group, key=lambda f: sum(similar[f][g] for g in group)) for group in groups]
        if sorted(moved) == sorted(chosen):
            return sorted(chosen), sum(similar[j][member[j]] for j in range(d))
        chosen = moved


def average_merges(similar):
    """Average linkage by definition: similarities of the joined groups, most similar first."""
    groups, out = [[j] for j in range(len(similar))], []
    while len(groups) > 1:
        mean = {
            (a, b): np.mean([similar[i][j] for i in groups[a] for j in groups[b]])
            for a, b in combinations(range(len(groups)), 2)
        }
        a, b = max(mean, key=lambda pair: mean[pair])
        out.append(mean[a, b])
        groups[a] = groups[a] + groups[b]
        del groups[b]
    return out


def category_utility(levels, labels):
    """What one nominal feature adds."""
    clusters = sorted(set(labels))
    total = 0.0
    for c in clusters:
        inside = [v for v, k in zip(levels, labels) if k == c]
        for v in set(levels):
            given, whole = inside.count(v) / len(inside), list(levels).count(v) / len(levels)
            total += len(inside) / len(levels) * (given**2 - whole**2)
    return total / len(clusters)


def normal_category_utility(x, labels, acuity):
    """What one numeric feature adds."""
    x, labels = np.asarray(x, float), np.asarray(labels)
    clusters = sorted(set(labels.tolist()))
    whole = max(float(x.std()), acuity)
    terms = [np.mean(labels == c) * (1 / max(float(x[labels == c].std()), acuity) - 1 / whole) for c in clusters]
    return sum(terms) / (2 * math.sqrt(math.pi) * len(clusters))
