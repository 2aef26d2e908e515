"""ordEval by plain loops over rows, neighbours and features, with exact fractions for distances."""

from __future__ import annotations

from fractions import Fraction
from math import exp, nan


def number_levels(column):
    """Levels by the order of the values; None where missing."""
    values = sorted({v for v in column if v == v})
    return [values.index(v) if v == v else None for v in column], values


def difference(levels, n_levels, a, b):
    """|a - b| / (levels - 1); for missing values the mean difference from the present ones."""
    if n_levels < 2:
        return Fraction(0)
    present = [v for v in levels if v is not None]
    if a is None and b is None:
        total = sum(abs(u - v) for u in present for v in present)
        return Fraction(total, len(present) ** 2 * (n_levels - 1))
    if a is None or b is None:
        known = b if a is None else a
        return Fraction(sum(abs(known - v) for v in present), len(present) * (n_levels - 1))
    return Fraction(abs(a - b), n_levels - 1)


def neighbours(columns, row, k, sigma=None):
    """Return (other row, weight) pairs; equal distances share the places that they take."""
    n = len(columns[0][0])
    distance = {
        other: sum(difference(lv, len(values), lv[row], lv[other]) for lv, values in columns)
        for other in range(n)
        if other != row
    }
    order = sorted(distance, key=lambda other: distance[other])
    raw = {}
    for other in order:
        ranks = [r for r, o in enumerate(order, 1) if distance[o] == distance[other]]
        inside = [r for r in ranks if r <= k]
        if inside:
            first = 1.0 if sigma is None else exp(-((ranks[0] / sigma) ** 2))
            raw[other] = first * len(inside) / len(ranks)
    total = sum(raw.values())
    return [(other, w / total) for other, w in raw.items()]


def reinforcement(X, y, k, sigma=None, rows=None, copy_of=None):
    """Return per feature a list of (up, down, anchor) per level, and the net change.

    ``copy_of`` is an order of the rows by which the features, but not the distances, are shuffled.
    """
    columns = [number_levels(column) for column in X.T.tolist()]
    near = {r: neighbours(columns, r, k, sigma) for r in (range(len(y)) if rows is None else rows)}
    out = []
    for levels, values in columns:
        at = levels if copy_of is None else [levels[i] for i in copy_of]
        table, along, against, moved = [], 0.0, 0.0, 0.0
        for j in range(len(values)):
            sums = dict.fromkeys(["F+", "F+y+", "F-", "F-y-", "F=", "F=y="], 0.0)
            for r, pairs in near.items():
                for s, w in pairs:
                    if at[r] != j or at[s] is None:
                        continue
                    feature = "+" if at[r] > at[s] else "-" if at[r] < at[s] else "="
                    target = "+" if y[r] > y[s] else "-" if y[r] < y[s] else "="
                    sums[f"F{feature}"] += w
                    if feature == target:
                        sums[f"F{feature}y{target}"] += w
                    if feature != "=":
                        moved += w
                        along += w * (feature == target)
                        against += w * (feature != target and target != "=")
            table.append(
                tuple(sums[f"F{c}y{c}"] / sums[f"F{c}"] if sums[f"F{c}"] > 0 else nan for c in ("+", "-", "="))
            )
        out.append((table, (along - against) / moved if moved > 0 else 0.0))
    return out
