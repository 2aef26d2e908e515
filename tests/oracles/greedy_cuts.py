"""Cutting by ReliefF and RReliefF with plain loops: every candidate, every pair, every time."""

from __future__ import annotations


def distance(a, b, ranges, nominal):
    """Sum of |a - b| / range, or of 1 where levels differ."""
    total = 0.0
    for x, y, width, level in zip(a, b, ranges, nominal):
        total += float(x != y) if level else (abs(x - y) / width if width > 0 else 0.0)
    return round(total, 9)


def near_pairs(X, y, k, nominal, rows, numeric=False):
    """Return (row, neighbour, group of the neighbour, number of neighbours of that group) with lower numbers first."""
    n, d = X.shape
    ranges = [X[:, j].max() - X[:, j].min() for j in range(d)]
    out = []
    for r in rows:
        far = sorted((distance(X[r], X[s], ranges, nominal), s) for s in range(n) if s != r)
        for group in [None] if numeric else sorted(set(y.tolist())):
            best = [s for _, s in far if group is None or y[s] == group][:k]
            out += [(r, s, group, len(best)) for s in best]
    return out


def relieff_quality(levels, y, pairs, n_rows):
    """Alg. 9.3.1 of the book for one feature with difference 0 or 1."""
    share = {c: float((y == c).mean()) for c in set(y.tolist())}
    quality = 0.0
    for r, s, group, size in pairs:
        if levels[r] is None or levels[s] is None:
            continue
        diff = float(levels[r] != levels[s])
        if group == y[r]:
            quality -= diff / (n_rows * size)
        else:
            quality += share[group] / (1 - share[y[r]]) * diff / (n_rows * size)
    return quality


def rrelieff_quality(levels, y, pairs, n_rows):
    """Alg. 9.3.2 of the book for one feature with difference 0 or 1."""
    width = y.max() - y.min()
    n_dy = n_df = n_both = 0.0
    for r, s, _, size in pairs:
        d0 = abs(y[r] - y[s]) / width
        known = levels[r] is not None and levels[s] is not None
        diff = float(known and levels[r] != levels[s])
        n_dy += d0 / size
        n_df += diff / size
        n_both += d0 * diff / size
    return n_both / n_dy - (n_df - n_both) / (n_rows - n_dy)


def greedy_cuts(column, quality, most, lookahead):
    """Add the best cut again and again; return the best cuts and their quality."""
    values = sorted({v for v in column if v == v})
    candidates = [(a + b) / 2 for a, b in zip(values, values[1:])]

    def worth(cuts):
        return quality([None if v != v else sum(c < v for c in cuts) for v in column])

    cuts, best, best_worth, in_vain = [], [], 0.0, 0
    while len(cuts) < most and len(cuts) < len(candidates):
        found = None
        for c in candidates:
            if c not in cuts:
                value = worth([*cuts, c])
                if found is None or value > found[0] + 1e-12:
                    found = (value, c)
        cuts = [*cuts, found[1]]
        if found[0] > best_worth + 1e-12:
            best, best_worth, in_vain = list(cuts), found[0], 0
        else:
            in_vain += 1
            if in_vain >= max(1, lookahead):
                break
    return sorted(best), best_worth
