"""Slow truths about scores of terms: lists of documents, plain loops, fractions and integrals (book ch. 13, 14)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import exp, inf, lgamma, log, log2
from statistics import NormalDist


def cells(rows, labels, term, chosen):
    """(tp, fn, fp, tn) of a term and a class; ``labels`` holds a set of labels per document."""
    out = [0, 0, 0, 0]
    for row, mine in zip(rows, labels):
        out[(0 if chosen in mine else 2) + (0 if row[term] else 1)] += 1
    return tuple(out)


def information_bits(a, b, c, d):
    """Table 13.1: e(pos, neg) - [P_w e(a, c) + (1 - P_w) e(b, d)]."""

    def e(x, y):
        return -sum(v / (x + y) * log2(v / (x + y)) for v in (x, y) if v)

    m, with_term = a + b + c + d, a + c
    return e(a + b, c + d) - (with_term / m * e(a, c) + (1 - with_term / m) * e(b, d))


def chi2_by_cells(a, b, c, d):
    """Table 13.1: the sum over cells of (observed - expected)^2 / expected, in fractions."""
    m, total = a + b + c + d, Fraction(0)
    for observed, column, row in ((a, a + c, a + b), (b, b + d, a + b), (c, a + c, c + d), (d, b + d, c + d)):
        expected = Fraction(column * row, m)
        total += (observed - expected) ** 2 / expected
    return float(total)


def bns_by_quantiles(a, b, c, d, eps=None, xi=None):
    """Quantiles of the standard library; rates clipped, or counts backed off."""

    def rate(x, n):
        if eps is not None:
            return min(max(x / n, eps), 1 - eps)
        return (xi if x == 0 else n - xi if x == n else x) / n

    normal = NormalDist()
    return abs(normal.inv_cdf(rate(a, a + b)) - normal.inv_cdf(rate(c, c + d)))


def others(a, b, c, d):
    """Forman's other metrics, of telling tables."""
    tpr, fpr = a / (a + b), c / (c + d)
    a1, b1, c1, d1 = (x or 1 for x in (a, b, c, d))
    return {
        **others_of_two_sides(a, b, c, d),
        "balanced_accuracy": abs(tpr - fpr),
        "odds_numerator": tpr * (1 - fpr),
        "forman_odds": a1 * d1 / (b1 * c1),
        "odds_ratio": (a + 0.1) * (d + 0.1) / ((b + 0.1) * (c + 0.1)),
        "power": (1 - fpr) ** 5 - (1 - tpr) ** 5,
    }


def others_of_two_sides(a, b, c, d):
    """Those of the other metrics that terms in no document, or in all, have by their formula, too."""
    tpr, fpr = a / (a + b), c / (c + d)
    return {
        "accuracy": a - c,
        "f1": 2 * a / (a + b + a + c),
        "probability_ratio": tpr / fpr if c else inf if a else 0.0,
    }


def rising(x, n):
    """x (x + 1) ... (x + n - 1) of a fraction."""
    out = Fraction(1)
    for i in range(n):
        out *= x + i
    return out


def beta_evidence(present, absent, alpha, beta):
    """B(present + alpha, absent + beta) / B(alpha, beta), a fraction of rising factorials."""
    return rising(alpha, present) * rising(beta, absent) / rising(alpha + beta, present + absent)


def evidences(a, b, c, d, alphas, betas):
    """(l_0, l) of eqs. 14.3 to 14.6, exactly."""
    apart = beta_evidence(a, b, alphas[0], betas[0]) * beta_evidence(c, d, alphas[1], betas[1])
    return apart, beta_evidence(a + c, b + d, alphas[2], betas[2])


def inclusion_by_enumeration(tables, alphas, betas):
    """Posterior inclusion of every term by the sum over all models (eq. 14.1)."""
    pairs = [evidences(*table, alphas, betas) for table in tables]
    total, inside = Fraction(0), [Fraction(0)] * len(tables)
    for model in product((0, 1), repeat=len(tables)):
        weight = Fraction(1)
        for included, (apart, common) in zip(model, pairs):
            weight *= apart if included else common
        total += weight
        inside = [s + weight * included for s, included in zip(inside, model)]
    return [float(s / total) for s in inside]


def poisson_evidence_by_integral(times, n, shape, scale, steps=9000):
    """The integral of lambda^S e^(-n lambda) under the gamma prior, by the trapezoidal rule in log lambda."""
    low, high = -320.0, 8.0
    step, total = (high - low) / steps, 0.0
    for i in range(steps + 1):
        u = low + i * step
        rate = exp(u)
        # The Jacobian of u = log lambda is one more factor lambda.
        total += exp((times + shape) * u - n * rate - rate / scale - lgamma(shape) - shape * log(scale))
    return total * step


def merged_turns(lists, skip):
    """SpreadFx in rounds, by the words of the definition."""
    left, out = [list(one) for one in lists], []
    while any(left):
        for one in left:
            while skip and one and one[0] in out:
                one.pop(0)
            if one:
                named = one.pop(0)
                if named not in out:
                    out.append(named)
    return out


def single_term_accuracy(rows, y, term, beta=16, gamma=4):
    """Predict every document by one term, Rocchio for those that hold it, the largest class for others."""
    classes = sorted(set(y))
    size = {k: sum(1 for label in y if label == k) for k in classes}

    def pull(k):
        inside = sum(1 for row, label in zip(rows, y) if label == k and row[term]) / size[k]
        outside = sum(1 for row, label in zip(rows, y) if label != k and row[term]) / (len(y) - size[k])
        return round(beta * inside - gamma * outside, 12)

    chosen, fallback = max(classes, key=lambda k: (pull(k), -k)), max(classes, key=lambda k: (size[k], -k))
    return sum((chosen if row[term] else fallback) == label for row, label in zip(rows, y)) / len(y)
