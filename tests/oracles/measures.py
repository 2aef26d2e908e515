"""The plain definitions of the measures: loops over cells, rows and pairs of rows, one feature at a time."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, product

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from fewer.core.summaries.results import Counts, LevelMoments, Moments, TargetProducts

UP_TO_FIVE, UP_TO_FOUR = st.integers(1, 5), st.integers(1, 4)


@st.composite
def count_tables(draw, levels=UP_TO_FIVE, classes=UP_TO_FOUR, high=9):
    """Small tables of counts that are not empty; single levels and classes may be."""
    shape = draw(levels), draw(classes)
    cells = st.lists(st.integers(0, high), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])
    table = np.array(draw(cells)).reshape(shape)
    assume(table.sum() > 0)
    return table


def stacked(tables) -> Counts:
    """Counts of several tables that may differ in their number of levels."""
    tables = [np.asarray(table) for table in tables]
    return Counts(np.concatenate(tables), np.cumsum([0] + [len(table) for table in tables]))


def rows_of(table) -> list[tuple[int, int]]:
    """(level, class) of every row that the table counts."""
    return [(j, c) for j, line in enumerate(table) for c, n in enumerate(line) for _ in range(int(n))]


def entropy(counts) -> float:
    total = sum(counts)
    return -sum(n / total * math.log(n / total) for n in counts if n > 0)


def row_entropy(table) -> float:
    return entropy([sum(line) for line in table])


def column_entropy(table) -> float:
    return entropy([sum(line) for line in zip(*table)])


def joint_entropy(table) -> float:
    return entropy([n for line in table for n in line])


def information_gain(table) -> float:
    """H(Y) - H(Y | F)."""
    total = sum(map(sum, table))
    return column_entropy(table) - sum(sum(line) / total * entropy(line) for line in table if sum(line) > 0)


def divided(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator > 0 else 0.0


def gain_ratio(table) -> float:
    return divided(information_gain(table), row_entropy(table))


def cost_shares(counts, cost) -> list[float]:
    """Book ch. 9, eq. 9.12, term by term; zeros where no error costs anything."""
    p, classes = [n / sum(counts) for n in counts], range(len(counts))
    expected = [divided(sum(p[u] * cost[c][u] for u in classes if u != c), 1 - p[c]) for c in classes]
    return [divided(p[c] * expected[c], sum(p[u] * expected[u] for u in classes)) for c in classes]


def cost_drop(table, cost, impurity) -> float:
    """Impurity of the adjusted fractions of all rows, less the mean of those of the rows of each level."""
    total = sum(map(sum, table))
    within = sum(sum(line) / total * impurity(cost_shares(line, cost)) for line in table if sum(line) > 0)
    return impurity(cost_shares([sum(line) for line in zip(*table)], cost)) - within


def cost_information_gain(table, cost) -> float:
    return cost_drop(table, cost, lambda shares: -sum(p * math.log(p) for p in shares if p > 0))


def cost_gain_ratio(table, cost) -> float:
    return divided(cost_information_gain(table, cost), row_entropy(table))


def cost_gini_gain(table, cost) -> float:
    return cost_drop(table, cost, lambda shares: 1 - sum(p**2 for p in shares) if any(shares) else 0.0)


def distance_gain(table) -> float:
    return divided(information_gain(table), joint_entropy(table))


def symmetrical_uncertainty(table) -> float:
    return divided(2 * information_gain(table), row_entropy(table) + column_entropy(table))


def mdl_score(table) -> float:
    """Kononenko's printed formula, with exact integers."""
    columns = [sum(line) for line in zip(*table)]
    n_classes = sum(n > 0 for n in columns)

    def code(parts):
        multinomial = math.factorial(sum(parts))
        for n in parts:
            multinomial //= math.factorial(n)
        return math.log(multinomial) + math.log(math.comb(sum(parts) + n_classes - 1, n_classes - 1))

    return (code(columns) - sum(code(line) for line in table)) / sum(columns)


def gini_gain(table) -> float:
    total = sum(map(sum, table))
    after = sum(sum(n * n for n in line) / sum(line) / total for line in table if sum(line) > 0)
    return after - sum((sum(line) / total) ** 2 for line in zip(*table))


def myopic_relief(table) -> float:
    """Both conditional probabilities by enumerating all pairs of rows, a row with itself included."""
    pairs = list(product(rows_of(table), repeat=2))
    same = [a[0] != b[0] for a, b in pairs if a[1] == b[1]]
    different = [a[0] != b[0] for a, b in pairs if a[1] != b[1]]
    return sum(different) / len(different) - sum(same) / len(same) if different else 0.0


def relieff_with_all_neighbours(table) -> float:
    """ReliefF where every row of a class is a neighbour, a row its own hit included."""
    rows = rows_of(table)
    sizes = Counter(c for _, c in rows)
    weight = 0.0
    for level, label in rows:
        for other, size in sizes.items():
            unlike = sum(l != level for l, c in rows if c == other) / size
            share = -1.0 if other == label else size / (len(rows) - sizes[label])
            weight += share * unlike / len(rows)
    return weight


def chi2(table) -> float:
    total = sum(map(sum, table))
    statistic = 0.0
    for line in table:
        for n, column in zip(line, zip(*table)):
            expected = sum(line) * sum(column) / total
            statistic += (n - expected) ** 2 / expected if expected > 0 else 0.0
    return statistic


def catanova(table) -> float:
    """(N - 1)(C - 1) BSS / TSS, the sums of squares as halved counts of unlike pairs over group sizes."""
    rows = rows_of(table)

    def sum_of_squares(labels):
        return sum(a != b for a, b in product(labels, repeat=2)) / (2 * len(labels)) if labels else 0.0

    total = sum_of_squares([c for _, c in rows])
    within = sum(sum_of_squares([c for l, c in rows if l == level]) for level in range(len(table)))
    n_classes = len({c for _, c in rows})
    return (len(rows) - 1) * (n_classes - 1) * divided(total - within, total)


def moments(X, y, n_classes) -> Moments:
    """Moments per class; a class without rows has mean and m2 zero."""
    parts = [np.asarray(X, dtype=float)[np.asarray(y) == c] for c in range(n_classes)]
    mean = [part.mean(axis=0) if len(part) else np.zeros(np.shape(X)[1]) for part in parts]
    m2 = [((part - m) ** 2).sum(axis=0) for part, m in zip(parts, mean)]
    return Moments(np.array([len(part) for part in parts], dtype=float), np.array(mean).T, np.array(m2).T)


def level_moments(codes, y, n_levels) -> LevelMoments:
    """Moments of y at the levels of the columns of codes; n_levels per column."""
    y = np.asarray(y, dtype=float)
    parts = [y[np.asarray(codes)[:, j] == level] for j, n in enumerate(n_levels) for level in range(n)]
    mean = [part.mean() if len(part) else 0.0 for part in parts]
    m2 = [((part - m) ** 2).sum() for part, m in zip(parts, mean)]
    weight = np.array([len(part) for part in parts], dtype=float)
    return LevelMoments(weight, np.array(mean), np.array(m2), np.cumsum([0, *n_levels]))


def target_products(X, y) -> TargetProducts:
    X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
    dx, dy = X - X.mean(axis=0), y - y.mean()
    return TargetProducts(
        float(len(y)), X.mean(axis=0), float(y.mean()), (dx**2).sum(axis=0), float((dy**2).sum()), dx.T @ dy
    )


def variance_reduction(codes, y) -> float:
    """s^2 - sum_j p_j s_j^2 for one column of codes."""
    codes, y = np.asarray(codes), np.asarray(y, dtype=float)
    return float(y.var() - sum((codes == j).mean() * y[codes == j].var() for j in np.unique(codes)))


def mixture_overlap(weight, mean, variance, n_points=400_001) -> float:
    """Integral of the smaller of the two weighted densities, by the trapezoidal rule."""
    sd = np.sqrt(variance)
    low, high = np.min(mean - 12 * sd), np.max(mean + 12 * sd)
    x = np.linspace(low, high, n_points)
    density = [w * np.exp(-0.5 * ((x - m) / s) ** 2) / (s * np.sqrt(2 * np.pi)) for w, m, s in zip(weight, mean, sd)]
    return float(np.trapezoid(np.minimum(*density), x))


def tie_sizes(values) -> list[int]:
    return list(Counter(np.asarray(values).tolist()).values())


def balance(x, y) -> float:
    """Concordant minus discordant pairs."""
    return float(sum(np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]) for i, j in combinations(range(len(x)), 2)))


def auc(x, y) -> float:
    """P(x_1 > x_0) + P(x_1 = x_0) / 2 over all pairs of a row of class 1 and a row of class 0."""
    pairs = list(product(np.asarray(x)[np.asarray(y) == 1], np.asarray(x)[np.asarray(y) == 0]))
    return sum((a > b) + 0.5 * (a == b) for a, b in pairs) / len(pairs)
