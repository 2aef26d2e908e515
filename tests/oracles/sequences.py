"""Features of sequences, their scores and models by plain loops over texts."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from math import log

import numpy as np

LETTERS = "ACGT"


def places(text, pattern):
    """Return the starts, from 0, where a pattern stands; * matches everything."""
    out = []
    for start in range(len(text) - len(pattern) + 1):
        if all(p in ("*", s) for p, s in zip(pattern, text[start:])):
            out.append(start)
    return out


def value(text, name, regions):
    """Return the value of a feature of any type, by its name."""
    text = text.upper()
    if "&" in name or (name.count("@") == 1 and len(name.split("@")[0]) == 1):
        return int(all(text[int(p) - 1] == letter for letter, p in (part.split("@") for part in name.split(" & "))))
    if "@" in name:
        word, start = name.split("@")
        return int(text[int(start) - 1 :].startswith(word))
    if ":" in name:
        region, word = name.split(":")
        first, last = regions[region]
        return len(places(text[first - 1 : last], word))
    return len(places(text, name))


def seen_words(texts, k, letters=LETTERS):
    return sorted({t[i : i + k] for t in texts for i in range(len(t) - k + 1) if set(t[i : i + k]) <= set(letters)})


def table(has, y):
    """Return N_fc, N_fn, N_nc, N_nn of every class."""
    return {
        c: [
            sum(1 for h, l in zip(has, y) if bool(h) == a and (l == c) == b)
            for a in (True, False)
            for b in (True, False)
        ]
        for c in sorted(set(y))
    }


def information_gain(has, y):
    def entropy(labels):
        return -sum(n / len(labels) * log(n / len(labels)) for n in Counter(labels).values())

    out = entropy(y)
    for side in (True, False):
        mine = [l for h, l in zip(has, y) if bool(h) == side]
        out -= len(mine) / len(y) * entropy(mine) if mine else 0.0
    return out


def chi2(has, y):
    best = 0.0
    for fc, fn, nc, nn in table(has, y).values():
        below = (fc + nc) * (fn + nn) * (fc + fn) * (nc + nn)
        best = max(best, len(y) * (fc * nn - nc * fn) ** 2 / below if below else 0.0)
    return best


def mutual(has, y, smoothing=0.0):
    """Return P(c) and MI(f, c) of every class."""
    out = {}
    classes = sorted(set(y))
    total = len(y) + 2 * smoothing * len(classes)
    f = (sum(map(bool, has)) + smoothing * len(classes)) / total
    for c in classes:
        joint = (sum(1 for h, l in zip(has, y) if h and l == c) + smoothing) / total
        share = (sum(1 for l in y if l == c) + 2 * smoothing) / total
        out[c] = (share, log(joint / (f * share)) if joint else (-np.inf if f else 0.0))
    return out


def kl(has, y):
    mine = [l for h, l in zip(has, y) if h]
    n = Counter(y)
    return sum(m / len(mine) * log((m / len(mine)) / (n[c] / len(y))) for c, m in Counter(mine).items())


SCORES = {
    "ig": information_gain,
    "chi2": chi2,
    "kl": kl,
    "mi_max": lambda has, y: max(mi for _, mi in mutual(has, y, 0.5).values()),
    "mi_abs": lambda has, y: sum(p * abs(mi) for p, mi in mutual(has, y, 0.5).values()),
}


def conjunctions(texts, parents, positions, letters=LETTERS):
    """Return all conjunctions of one more letter that occur; a conjunction is a tuple of (position, letter)."""
    out = set()
    for parent in parents:
        for place, letter in product(positions, letters):
            if place not in [p for p, _ in parent]:
                out.add(tuple(sorted([*parent, (place, letter)])))
    return [one for one in sorted(out) if any(all(t[p] == s for p, s in one) for t in texts)]


def coupled(texts, y, positions, most, keep, score):
    """Return the kept conjunctions of every level, best first."""
    kept, out = [()], {}
    for k in range(1, most + 1):
        made = conjunctions(texts, kept, positions)
        rated = [(round(SCORES[score]([all(t[p] == s for p, s in one) for t in texts], y), 10), one) for one in made]
        kept = [
            one for _, one in sorted(rated, key=lambda pair: (-pair[0], [(p, LETTERS.index(s)) for p, s in pair[1]]))
        ]
        kept = kept[:keep]
        out[k] = kept
    return out


def modified_squares(X, signs, penalty, schedule):
    """Return weights after passes of Gauss-Seidel, one c per pass."""
    n, d = X.shape
    w, r = np.zeros(d), np.zeros(n)
    for c in schedule:
        for j in range(d):
            C = np.array([1 - r[i] if r[i] <= 1 else c * (1 - r[i]) for i in range(n)])
            change = -(penalty * n * w[j] - (C * X[:, j] * signs).sum()) / (penalty * n + (X[:, j] ** 2).sum())
            w[j] += change
            r += change * X[:, j] * signs
    return w


def weight_matrix(texts, text, alpha=1.0):
    """Return log P(text | class) of the class of these texts."""
    out = 0.0
    for i, letter in enumerate(text):
        column = [t[i] for t in texts if t[i] in LETTERS]
        if letter in LETTERS:
            out += log((column.count(letter) + alpha) / (len(column) + alpha * len(LETTERS)))
    return out


def eleven_points(labels, scores, interpolated=True):
    def at(threshold):
        mine = [l for l, s in zip(labels, scores) if s >= threshold]
        return sum(mine) / sum(labels), sum(mine) / len(mine)

    steps = [at(t) for t in sorted(set(scores), reverse=True)]
    total = 0.0
    for tenth in range(11):
        reached = [p for r, p in steps if r >= tenth / 10 - 1e-9]
        total += max(reached) if interpolated else reached[0]
    return total / 11


def all_texts(length):
    return ["".join(letters) for letters in product(LETTERS, repeat=length)]


def all_pairs(length):
    return list(combinations(range(length), 2))
