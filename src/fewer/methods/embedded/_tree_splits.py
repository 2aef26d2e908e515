"""What a fitted tree of scikit-learn splits on, node by node."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from fewer.core.records.numerals import numeral
from fewer.core.records.result_table import ResultTable


def places_of(X: np.ndarray) -> np.ndarray:
    """Return the place of every value among those of its column, 0, 1, ...; missing ones stay NaN.

    Trees of scikit-learn read single precision; places part the rows in the same ways and keep all their digits.
    Where its trees part missing values wrongly, these are below all others, and above them in a copy of the column that
    stands after the last: the same splits can be made.
    """
    out = np.full(X.shape, np.nan)
    for j in range(X.shape[1]):
        here = ~np.isnan(X[:, j])
        out[here, j] = np.unique(X[here, j], return_inverse=True)[1]
    missing = np.isnan(out)
    if not missing.any() or _parts_missing_values():
        return out
    copied = _copied(missing)
    above = np.where(missing[:, copied], float(len(out)), out[:, copied])
    return np.column_stack([np.where(missing, -1.0, out), above])


@cache
def _parts_missing_values() -> bool:
    """Return whether trees learn from the rows that they say they send to a side, which they do from 1.9 on.

    Before, a split that was found in a column with missing values could part the rows of the tree in another way.
    """
    X = np.array([[np.nan, np.nan], [0.0, 0.0], [0.0, 2.0], [np.nan, 0.0]], dtype=np.float32)
    tree = DecisionTreeClassifier(random_state=0).fit(X, [0, 1, 1, 1]).tree_
    return bool(np.array_equal(tree.decision_path(X).sum(axis=0).ravel(), tree.n_node_samples))


def _copied(missing: np.ndarray) -> np.ndarray:
    """Return the columns of which places may hold a copy."""
    return np.flatnonzero(missing.any(axis=0))


@dataclass(frozen=True, eq=False)
class TreeSplits:
    """The inner nodes of a tree, parents before children.

    Attributes
    ----------
    feature, threshold : ndarray
        Rows with at most this value of the feature are parted from the others; infinite where rows with a value are
        parted from those without.
    depth, rows : ndarray of int64
        Depth of the node and its rows.
    low_rows, high_rows : ndarray of int64
        Rows of the node up to the threshold and above it.
    missing_low : ndarray of bool
        Whether rows without a value go with those up to the threshold.
    gain : ndarray
        By how much the split lowers the impurity, times the fraction of all rows in the node.
    """

    feature: np.ndarray
    threshold: np.ndarray
    depth: np.ndarray
    rows: np.ndarray
    low_rows: np.ndarray
    high_rows: np.ndarray
    missing_low: np.ndarray
    gain: np.ndarray

    @property
    def missing(self) -> np.ndarray:
        """Rows of every node without a value of its feature."""
        return self.rows - self.low_rows - self.high_rows

    def scores(self, n_features: int) -> np.ndarray:
        """Return the fraction of the fall of the impurity that the splits on every feature bring."""
        total = np.bincount(self.feature, self.gain, n_features)
        return total / total.sum() if total.any() else total

    def note(self, feature: int) -> str:
        """Return in words where the tree splits on a feature."""
        mine = np.flatnonzero(self.feature == feature)
        first = mine[np.argmin(self.depth[mine])]
        times = "one node" if len(mine) == 1 else f"{len(mine)} nodes, first"
        low, high, without = self.low_rows[first], self.high_rows[first], self.missing[first]
        where = f"it splits {times} at depth {self.depth[first]}:"
        if not np.isfinite(self.threshold[first]):
            return f"{where} {low} rows with a value, {without} without"
        side = "the first" if self.missing_low[first] else "the others"
        rest = f", {without} without a value with {side}" if without else ""
        return f"{where} {low} rows up to {numeral(float(self.threshold[first]), '.4g')}, {high} above{rest}"

    def table(self) -> ResultTable:
        """Return one row per split."""
        columns = {
            "feature": self.feature,
            "threshold": self.threshold,
            "depth": self.depth,
            "rows": self.rows,
            "low": self.low_rows,
            "high": self.high_rows,
            "missing": self.missing,
            "gain": self.gain,
        }
        return ResultTable("Splits of the pruned tree", columns, "rows", ("feature",))


def splits_of(tree: Any, X: np.ndarray, places: np.ndarray) -> TreeSplits:
    """Return the splits of a ``tree_`` of places, each by the lowest of the features that part the rows in this way.

    Features that part the rows of a node alike, such as copies, lower its impurity alike; which of them
    scikit-learn takes is drawn at random.
    """
    inner = np.flatnonzero(tree.children_left >= 0)
    depth = np.zeros(tree.node_count, dtype=np.int64)
    # Parents have lower numbers than their children.
    for node in inner:
        depth[[tree.children_left[node], tree.children_right[node]]] = depth[node] + 1
    reached = tree.decision_path(np.asarray(places, dtype=np.float32)).tocsc()
    owner = np.concatenate([np.arange(X.shape[1]), _copied(np.isnan(X))])
    feature, cuts = owner[tree.feature[inner]].astype(np.int64), []
    for place, node in enumerate(inner):
        left, right = (_rows_of(reached, side[node]) for side in (tree.children_left, tree.children_right))
        feature[place] = _lowest_alike(X[left], X[right], feature[place])
        cuts.append(_cut(X[left, feature[place]], X[right, feature[place]]))
    threshold, low, high, missing_low = zip(*cuts, strict=True) if cuts else ((), (), (), ())
    counts = tree.weighted_n_node_samples
    inside = tree.impurity * counts
    gain = (inside[inner] - inside[tree.children_left[inner]] - inside[tree.children_right[inner]]) / counts[0]
    return TreeSplits(
        feature,
        np.array(threshold, dtype=np.float64),
        depth[inner],
        tree.n_node_samples[inner].astype(np.int64),
        np.array(low, dtype=np.int64),
        np.array(high, dtype=np.int64),
        np.array(missing_low, dtype=bool),
        # Rounding of a split of equal impurities.
        np.maximum(gain, 0.0),
    )


def _rows_of(reached: Any, node: int) -> np.ndarray:
    return reached.indices[reached.indptr[node] : reached.indptr[node + 1]]


def _lowest_alike(left: np.ndarray, right: np.ndarray, feature: int) -> int:
    """Return the first feature that parts two sets of rows; those without a value must all be in one of them."""
    left, right = left[:, :feature], right[:, :feature]
    none_left, none_right = np.isnan(left), np.isnan(right)
    below = np.where(none_left, -np.inf, left).max(axis=0) < np.where(none_right, np.inf, right).min(axis=0)
    above = np.where(none_right, -np.inf, right).max(axis=0) < np.where(none_left, np.inf, left).min(axis=0)
    alike = (below | above) & ~(none_left.any(axis=0) & none_right.any(axis=0))
    return int(np.flatnonzero(alike)[0]) if alike.any() else int(feature)


def _cut(left: np.ndarray, right: np.ndarray) -> tuple[float, int, int, bool]:
    """Return the middle between two sets of values, how many are up to it and above, and where missing ones are."""
    low, high = left[~np.isnan(left)], right[~np.isnan(right)]
    missing_low = len(low) < len(left)
    if not len(low) or (len(high) and high.max() < low.min()):
        low, high, missing_low = high, low, len(high) < len(right)
    if not len(high):
        return np.inf, len(low), 0, False
    # Halves, so that their sum stays finite; of neighbouring numbers the middle is rounded to one of them.
    middle = float(0.5 * low.max() + 0.5 * high.min())
    return (middle if low.max() <= middle < high.min() else float(low.max())), len(low), len(high), missing_low
