"""Prototype selection as the book tells it, with plain loops and a literal string of bits."""

from __future__ import annotations

import numpy as np


def votes_of(X, y, prototypes, x, k, features, skip=None):
    """Return the classes of the k prototypes nearest to x; of equal distances the first is nearest."""
    near = []
    for place, row in enumerate(prototypes):
        if row != skip:
            near.append((sum((float(x[j]) - float(X[row][j])) ** 2 for j in features), place))
    return [y[prototypes[place]] for _, place in sorted(near)[:k]]


def accuracy(X, y, prototypes, k=1, features=None, leave_self_out=False):
    """Return the fraction of rows that the prototypes classify rightly; of equal votes the first class wins."""
    features = range(len(X[0])) if features is None else features
    if len(features) == 0:
        return 0.0
    right = 0
    for i in range(len(X)):
        votes = votes_of(X, y, prototypes, X[i], k, features, i if leave_self_out else None)
        winner = max(sorted(set(votes)), key=votes.count)
        right += int(winner == y[i])
    return right / len(X)


def draw_prototypes(X, y, p, k, max_iter, seed, leave_self_out=False):
    """Return the best draw and the best accuracy after each draw (Fig. 3.3)."""
    rng = np.random.default_rng(seed)
    best, most, history = None, -1.0, []
    for _ in range(max_iter + 1):
        rows = sorted(rng.choice(len(X), p, replace=False).tolist())
        value = accuracy(X, y, rows, k, leave_self_out=leave_self_out)
        if value > most:
            best, most = rows, value
        history.append(most)
    return best, history


def decoded(bits, p, width, n_rows):
    """Return the row numbers in the first bits of the string."""
    codes = [int("".join(str(b) for b in bits[q * width : (q + 1) * width]), 2) for q in range(p)]
    return [code % n_rows for code in codes]


def climb(X, y, p, max_iter, seed, sizes=None, accept_equal=False):
    """Return the accepted strings as (prototypes, features, accuracy), the start first (Fig. 3.5, flips taken back).

    Without sizes, all numbers of features are allowed; with sizes (d, d) the string has no bits for features.
    """
    n, d = len(X), len(X[0])
    rng = np.random.default_rng(seed)
    width = int(np.ceil(np.log2(n)))
    bits = rng.integers(0, 2, p * width).tolist()
    low, high = sizes or (1, d)
    marks = rng.integers(0, 2, d).tolist() if low < d else [1] * d
    inside, outside = [j for j in range(d) if marks[j]], [j for j in range(d) if not marks[j]]
    for j in rng.permutation(inside).astype(int)[high:]:
        marks[j] = 0
    for j in rng.permutation(outside).astype(int)[: max(0, low - len(inside))]:
        marks[j] = 1

    def state(bits, marks):
        features = [j for j in range(d) if marks[j]]
        rows = decoded(bits, p, width, n)
        return rows, features, accuracy(X, y, rows, 1, features)

    path = [state(bits, marks)]
    for _ in range(max_iter):
        at = int(rng.integers(len(bits) + (d if low < d else 0)))
        new_bits, new_marks = list(bits), list(marks)
        if at < len(bits):
            new_bits[at] = 1 - new_bits[at]
        else:
            j = at - len(bits)
            new_marks[j] = 1 - new_marks[j]
            if sizes and not low <= sum(new_marks) <= high:
                other = int(rng.choice([i for i in range(d) if new_marks[i] == new_marks[j] and i != j]))
                new_marks[other] = 1 - new_marks[other]
        there = state(new_bits, new_marks)
        if there[1] and (there[2] > path[-1][2] or (accept_equal and there[2] == path[-1][2])):
            bits, marks = new_bits, new_marks
            path.append(there)
    return path
