"""Slow truths about pairs of features inside rows: plain loops over rows and pairs."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np


def outcome(a, b) -> str:
    """The order of two values: <, >, = or unknown."""
    if math.isnan(a) or math.isnan(b):
        return "unknown"
    return "<" if a < b else ">" if a > b else "="


def naive_bayes_joint(X, y, queries, alpha, ties, weight=None):
    """log P(c) + sum of log P(outcome of every pair | c), for every query (rows) and class (columns)."""
    classes = sorted(set(y))
    weight = np.ones(len(y)) if weight is None else weight
    joint = np.zeros((len(queries), len(classes)))
    for k, c in enumerate(classes):
        rows = [r for r in range(len(y)) if y[r] == c]
        for q, query in enumerate(queries):
            total = math.log(sum(weight[r] for r in rows) / sum(weight))
            for i, j in combinations(range(X.shape[1]), 2):
                total += pair_log(X, rows, weight, i, j, outcome(query[i], query[j]), alpha, ties)
            joint[q, k] = total
    return joint


def pair_log(X, rows, weight, i, j, seen, alpha, ties) -> float:
    if seen == "unknown":
        return 0.0
    n = {"<": 0.0, ">": 0.0, "=": 0.0, "unknown": 0.0}
    for r in rows:
        n[outcome(X[r, i], X[r, j])] += weight[r]
    total = n["<"] + n[">"] + n["="]
    if ties == "state":
        return math.log((n[seen] + alpha) / (total + 3 * alpha))
    less = math.log((n["<"] + n["="] / 2 + alpha) / (total + 2 * alpha))
    more = math.log((n[">"] + n["="] / 2 + alpha) / (total + 2 * alpha))
    return {"<": less, ">": more, "=": (less + more) / 2}[seen]


def kendall_distance(a, b) -> float:
    """Pairs in opposite order, plus half the pairs tied in exactly one."""
    total = 0.0
    for i, j in combinations(range(len(a)), 2):
        one, other = outcome(a[i], a[j]), outcome(b[i], b[j])
        if one != other:
            total += 0.5 if "=" in (one, other) else 1.0
    return total


def pair_share(X, rows, i, j) -> float:
    """Fraction of the rows with x_i < x_j, ties halved, unknown ones left aside."""
    seen = [outcome(X[r, i], X[r, j]) for r in rows]
    n_known = len(seen) - seen.count("unknown")
    return (seen.count("<") + seen.count("=") / 2) / n_known if n_known else 0.5
