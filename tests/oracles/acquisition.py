"""Slow truths of active acquisition: relevances, benefits and chances straight from the equations."""

from __future__ import annotations

from math import log


def product(codes, classes, n_classes, n_levels, laplace=1.0):
    """Return theta[c][f][x] of one product distribution per class, level by level."""
    theta = []
    for c in range(n_classes):
        rows = [row for row, label in zip(codes, classes) if label == c]
        features = []
        for f, v in enumerate(n_levels):
            seen = [row[f] for row in rows if row[f] >= 0]
            total = len(seen) + laplace * v
            features.append([(seen.count(x) + laplace) / total if total else 1.0 / v for x in range(v)])
        theta.append(features)
    return theta


def priors(classes, n_classes):
    """Return Laplace-smoothed class frequencies."""
    return [(list(classes).count(c) + 1) / (len(classes) + n_classes) for c in range(n_classes)]


def information(p, given):
    """Return H(x) - H(x | c) of one feature, from p(c) and p(x | c) (eqs. 5.9 to 5.11)."""
    mean = [sum(pc * g[x] for pc, g in zip(p, given)) for x in range(len(given[0]))]
    entropy = -sum(q * log(q) for q in mean if q > 0)
    return entropy + sum(pc * q * log(q) for pc, g in zip(p, given) for q in g if q > 0)


def relevances(codes, classes, n_classes, n_levels, laplace=1.0):
    """Return the relevance of every feature."""
    theta, p = product(codes, classes, n_classes, n_levels, laplace), priors(classes, n_classes)
    return [information(p, [theta[c][f] for c in range(n_classes)]) for f in range(len(n_levels))]


def benefit(codes, classes, n_classes, n_levels, row, f, laplace=1.0):
    """Return eq. 5.4 of a missing cell: fill in every level and estimate all relevances again."""
    codes = [list(one) for one in codes]
    now = relevances(codes, classes, n_classes, n_levels, laplace)
    chances = product(codes, classes, n_classes, n_levels, laplace)[classes[row]][f]
    total = 0.0
    for x, chance in enumerate(chances):
        codes[row][f] = x
        after = relevances(codes, classes, n_classes, n_levels, laplace)
        total += chance * sum((b - a) ** 2 for a, b in zip(now, after))
    return total
