"""How a rank-entropy tree grows, and how rows go down it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fewer.core.kernels import monotone_splits as kernels
from fewer.core.measures._ordered import count_logs


@dataclass(frozen=True)
class Growth:
    """When a node is not cut any more, and which information is compared."""

    max_depth: int | None
    min_samples_leaf: int
    min_information: float
    ascending: float
    descending: float


@dataclass
class RankTree:
    """A binary tree: rows of a node go to its low or high child, where lower and higher classes are expected.

    Attributes
    ----------
    feature : list of int
        Feature that a node is cut by; -1 in leaves.
    cut : list of float
        Values above the cut go to one child, the others to the other.
    direction : list of int
        1 if the values above the cut go to the high child, -1 if to the low one.
    low, high : list of int
        Children; -1 in leaves.
    label : list of int
        Class number of a node: the median of its rows.
    counts : list of ndarray
        Rows of every class.
    information : list of float
        Rank mutual information of the cut; 0 in leaves.
    """

    feature: list[int] = field(default_factory=list)
    cut: list[float] = field(default_factory=list)
    direction: list[int] = field(default_factory=list)
    low: list[int] = field(default_factory=list)
    high: list[int] = field(default_factory=list)
    label: list[int] = field(default_factory=list)
    counts: list[np.ndarray] = field(default_factory=list)
    information: list[float] = field(default_factory=list)

    def add(self, counts: np.ndarray, upper: bool) -> int:
        """Add a leaf and return its number; ``upper`` says that it is the high child of its parent."""
        self.feature.append(-1)
        self.cut.append(np.nan)
        self.direction.append(1)
        self.low.append(-1)
        self.high.append(-1)
        self.label.append(median_class(counts, upper))
        self.counts.append(counts)
        self.information.append(0.0)
        return len(self.feature) - 1

    def leaves(self, X: np.ndarray) -> np.ndarray:
        """Return the number of the leaf that every row comes to."""
        feature, cut, sign = np.array(self.feature), np.array(self.cut), np.array(self.direction)
        low, high = np.array(self.low), np.array(self.high)
        at = np.zeros(len(X), np.int64)
        moving = np.flatnonzero(feature[at] >= 0)
        while len(moving):
            node = at[moving]
            above = X[moving, feature[node]] > cut[node]
            at[moving] = np.where(above == (sign[node] > 0), high[node], low[node])
            moving = moving[feature[at[moving]] >= 0]
        return at

    @property
    def depth(self) -> int:
        """Number of cuts on the longest way down."""
        depths = [0] * len(self.feature)
        for node, (low, high) in enumerate(zip(self.low, self.high)):
            if low >= 0:
                depths[low] = depths[high] = depths[node] + 1
        return max(depths)


def median_class(counts: np.ndarray, upper: bool) -> int:
    """Return the median class; between two of them the better one in a high child, else the worse one."""
    total, run = int(counts.sum()), np.cumsum(counts)
    # The first class by which more than half of the rows, or at least half, are passed.
    return int(np.argmax(2 * run > total) if upper else np.argmax(2 * run >= total))


def grow(X: np.ndarray, y: np.ndarray, n_classes: int, directions: np.ndarray, rules: Growth) -> RankTree:
    """Cut nodes by the feature and value of the largest rank mutual information with the class."""
    columns, logs, tree = np.ascontiguousarray(X.T, dtype=np.float64), count_logs(len(X)), RankTree()
    n_features = len(columns)
    gains, cuts, signs = np.empty(n_features), np.empty(n_features), np.empty(n_features, np.int64)
    ahead = [(np.arange(len(X)), tree.add(np.bincount(y, minlength=n_classes), False), 0)]
    while ahead:
        rows, node, depth = ahead.pop()
        pure = np.count_nonzero(tree.counts[node]) < 2
        if pure or depth == rules.max_depth or len(rows) < 2 * rules.min_samples_leaf:
            continue
        shares = (rules.ascending, rules.descending, rules.min_samples_leaf)
        kernels.best_cuts(columns, rows, y, n_classes, directions, logs, *shares, gains, cuts, signs)
        best = int(np.argmax(gains >= gains.max() - kernels.EQUAL))
        if gains[best] < max(rules.min_information, kernels.EQUAL):
            continue
        tree.feature[node], tree.cut[node], tree.direction[node] = best, float(cuts[best]), int(signs[best])
        tree.information[node] = float(gains[best])
        to_high = (columns[best, rows] > cuts[best]) == (signs[best] > 0)
        low, high = rows[~to_high], rows[to_high]
        tree.low[node] = tree.add(np.bincount(y[low], minlength=n_classes), False)
        tree.high[node] = tree.add(np.bincount(y[high], minlength=n_classes), True)
        ahead += [(high, tree.high[node], depth + 1), (low, tree.low[node], depth + 1)]
    return tree
