"""Aggregated ranks by their definitions: pairs counted one by one, all orders tried, densities integrated."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import scipy.stats


def filled(ranks):
    """Give what a list does not rank the mean of the places that are left."""
    out = []
    for row in ranks:
        known = [r for r in row if not math.isnan(r)]
        left = [len(known) + 1 + i for i in range(len(row) - len(known))]
        out.append([sum(left) / len(left) if math.isnan(r) else r for r in row])
    return out


def borda(ranks, weights):
    """Count for every feature the weight of the others that it is before, half of those that it is level with."""
    ranks, p = filled(ranks), len(ranks[0])
    total = sum(weights) * max(p - 1, 1)
    points = []
    for j in range(p):
        won = 0.0
        for row, weight in zip(ranks, weights):
            won += weight * sum((row[j] < row[i]) + 0.5 * (row[j] == row[i]) for i in range(p) if i != j)
        points.append(won / total)
    return points


def median(ranks, weights):
    """Repeat ranks by whole weights and take the middle."""
    p, rows = len(ranks[0]), filled(ranks)
    out = []
    for j in range(p):
        values = [row[j] for row, weight in zip(rows, weights) for _ in range(weight)]
        out.append((p - float(np.median(values))) / max(p - 1, 1))
    return out


def disagreement(order, ranks, weights):
    """Count the weight of pairs that lists put the other way round."""
    total = 0.0
    for row, weight in zip(filled(ranks), weights):
        for at, i in enumerate(order):
            total += weight * sum(row[j] < row[i] for j in order[at + 1 :])
    return total


def best_disagreement(ranks, weights):
    """Try all orders."""
    return min(disagreement(order, ranks, weights) for order in permutations(range(len(ranks[0]))))


def minority(ranks, weights):
    """Add up, pair by pair, the smaller side."""
    rows, p = filled(ranks), len(ranks[0])
    total = 0.0
    for i in range(p):
        for j in range(i):
            first = sum(w for row, w in zip(rows, weights) if row[i] < row[j])
            second = sum(w for row, w in zip(rows, weights) if row[j] < row[i])
            total += min(first, second)
    return total


def rho(ranks):
    """Take the least binomial tail: the chance that at least k of n uniform numbers are that small."""
    n, p = len(ranks), len(ranks[0])
    out = []
    for j in range(p):
        r = sorted(1.0 if math.isnan(row[j]) else row[j] / p for row in ranks)
        out.append(min(float(scipy.stats.binom.sf(k - 1, n, x)) for k, x in enumerate(r, start=1)))
    return out


def chance(rho_value, n):
    """Integrate the density n! of ordered uniform numbers over what lies above all bounds, with exact fractions."""
    bounds = [Fraction(float(scipy.stats.beta.ppf(rho_value, k, n - k + 1))) for k in range(1, n + 1)]
    # f(u) = integral of the inner variables, a polynomial in the next one; coefficients by power.
    inner = [Fraction(1)]
    for low in bounds[:-1]:
        whole = [Fraction(0), *(c / (i + 1) for i, c in enumerate(inner))]
        whole[0] = -sum(c * low**i for i, c in enumerate(whole))
        inner = whole
    whole = [Fraction(0), *(c / (i + 1) for i, c in enumerate(inner))]
    area = sum(whole) - sum(c * bounds[-1] ** i for i, c in enumerate(whole))
    return float(1 - math.factorial(n) * area)
