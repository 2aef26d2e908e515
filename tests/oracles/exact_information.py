"""Greedy information filters in exact arithmetic: logarithms of primes to sixty digits, sums in Python's own integers.

The logarithm of any other number is the sum over its prime factors, so informations that are equal on paper are equal
integers, and nothing overflows.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache

DIGITS = 60
NAT = 10**DIGITS


@cache
def log(x):
    """ln x in multiples of 1 / NAT."""
    for p in range(2, x + 1):
        if x % p == 0 and p < x:
            return log(p) + log(x // p)
        if p * p > x:
            break
    with localcontext(prec=DIGITS + 10):
        return int(Decimal(x).ln() * NAT)


def tower(*columns):
    """Sum of n ln n over the cells of a table."""
    return sum(n * log(n) for n in Counter(zip(*columns)).values())


class Data:
    """Columns as lists of numbers; informations are times the number of rows and remembered."""

    def __init__(self, X, y):
        self.columns, self.y, self.n = [tuple(column) for column in X.T.tolist()], tuple(y.tolist()), len(y)
        self.total, self.known = len(y) * log(len(y)), {}

    def table(self, features, with_classes):
        key = tuple(sorted(features)), with_classes
        if key not in self.known:
            columns = [self.columns[j] for j in key[0]] + [self.y] * with_classes
            self.known[key] = tower(*columns)
        return self.known[key]

    def joint(self, *features):
        """I(features; y)."""
        return self.total + self.table(features, True) - self.table(features, False) - self.table((), True)

    def shared(self, f, s):
        """I(f; s)."""
        return self.total + self.table((f, s), False) - self.table((f,), False) - self.table((s,), False)

    def shared_within(self, f, s):
        """I(f; s | y)."""
        return (
            self.table((f, s), True) + self.table((), True) - self.table((f,), True) - self.table((s,), True)
        )  # fmt: skip

    def gain(self, f, s):
        return self.shared_within(f, s) - self.shared(f, s)

    def ratio(self, f, s):
        """I(f, s; y) / H(f, s, y)."""
        return Fraction(self.joint(f, s), self.total - self.table((f, s), True))


def _jmi3(data, f, S):
    if len(S) == 1:
        return Fraction(data.joint(f, S[0]))
    terms = [data.joint(f, s, t) for i, s in enumerate(S) for t in S[:i]]
    return Fraction(sum(terms), len(terms))


SCORES = {
    "MIFS": lambda data, f, S: Fraction(data.joint(f) - sum(data.shared(f, s) for s in S)),
    "MRMR": lambda data, f, S: data.joint(f) - Fraction(sum(data.shared(f, s) for s in S), len(S)),
    "CIFE": lambda data, f, S: Fraction(data.joint(f) + sum(data.gain(f, s) for s in S)),
    "ICAP": lambda data, f, S: Fraction(data.joint(f) + sum(min(data.gain(f, s), 0) for s in S)),
    "JMI": lambda data, f, S: Fraction(sum(data.joint(f, s) for s in S), len(S)),
    "JMI3": _jmi3,
    "CMIM": lambda data, f, S: Fraction(min(data.joint(f), min(data.joint(f, s) - data.joint(s) for s in S))),
    "JMIM": lambda data, f, S: Fraction(min(data.joint(f, s) for s in S)),
    # Ratios have no unit; they are given one, so that all scores are divided by the same number in the end.
    "DISR": lambda data, f, S: sum(data.ratio(f, s) for s in S) / len(S) * data.n * NAT,
    "NJMIM": lambda data, f, S: min(data.ratio(f, s) for s in S) * data.n * NAT,
}


def greedy(name, X, y, k):
    """Choose k features, of equal scores the lowest; return them and the value in nats that each joined with."""
    data, chosen, values = Data(X, y), [], []
    for _ in range(k):
        left = [j for j in range(X.shape[1]) if j not in chosen]
        scores = [SCORES[name](data, j, chosen) if chosen else Fraction(data.joint(j)) for j in left]
        best = max(scores)
        chosen.append(left[scores.index(best)])
        values.append(float(best / (data.n * NAT)))
    return chosen, values
