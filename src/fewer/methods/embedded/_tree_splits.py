"""What a fitted tree of scikit-learn splits on, node by node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.records.numerals import numeral
from fewer.core.records.result_table import ResultTable


@dataclass(frozen=True, eq=False)
class TreeSplits:
    """The inner nodes of a tree, parents before children.

    Attributes
    ----------
    feature, threshold : ndarray
        Rows with at most this value of the feature go left.
    depth, rows, left_rows : ndarray of int64
        Depth of the node, its rows, and those that go left.
    gain : ndarray
        By how much the split lowers the impurity, times the fraction of all rows in the node.
    """

    feature: np.ndarray
    threshold: np.ndarray
    depth: np.ndarray
    rows: np.ndarray
    left_rows: np.ndarray
    gain: np.ndarray

    def scores(self, n_features: int) -> np.ndarray:
        """Return the fraction of the fall of the impurity that the splits on every feature bring."""
        total = np.bincount(self.feature, self.gain, n_features)
        return total / total.sum() if total.any() else total

    def note(self, feature: int) -> str:
        """Return in words where the tree splits on a feature."""
        mine = np.flatnonzero(self.feature == feature)
        first = mine[np.argmin(self.depth[mine])]
        times = "one node" if len(mine) == 1 else f"{len(mine)} nodes, first"
        low, high = self.left_rows[first], self.rows[first] - self.left_rows[first]
        cut = numeral(float(self.threshold[first]), ".4g")
        return f"it splits {times} at depth {self.depth[first]}: {low} rows up to {cut}, {high} above"

    def table(self) -> ResultTable:
        """Return one row per split."""
        columns = {
            "feature": self.feature,
            "threshold": self.threshold,
            "depth": self.depth,
            "rows": self.rows,
            "left": self.left_rows,
            "gain": self.gain,
        }
        return ResultTable("Splits of the pruned tree", columns, "rows", ("feature",))


def splits_of(tree: Any, X: np.ndarray) -> TreeSplits:
    """Return the splits of a fitted ``tree_``, each by the lowest of the features that part the rows of X in this way.

    Features that part the rows of a node alike, such as copies, lower its impurity alike; which of them
    scikit-learn takes is drawn at random.
    """
    inner = np.flatnonzero(tree.children_left >= 0)
    depth = np.zeros(tree.node_count, dtype=np.int64)
    # Parents have lower numbers than their children.
    for node in inner:
        depth[[tree.children_left[node], tree.children_right[node]]] = depth[node] + 1
    reached = tree.decision_path(np.asarray(X, dtype=np.float32)).tocsc()
    feature, threshold = tree.feature[inner].astype(np.int64), tree.threshold[inner].astype(np.float64)
    left_rows = np.empty(len(inner), dtype=np.int64)
    for place, node in enumerate(inner):
        low, high = (_rows_of(reached, side[node]) for side in (tree.children_left, tree.children_right))
        left_rows[place] = len(low)
        feature[place], threshold[place] = _lowest_alike(X[low], X[high], feature[place], threshold[place])
    counts = tree.weighted_n_node_samples
    inside = tree.impurity * counts
    gain = (inside[inner] - inside[tree.children_left[inner]] - inside[tree.children_right[inner]]) / counts[0]
    rows = tree.n_node_samples[inner].astype(np.int64)
    # Rounding of a split of equal impurities.
    return TreeSplits(feature, threshold, depth[inner], rows, left_rows, np.maximum(gain, 0.0))


def _rows_of(reached: Any, node: int) -> np.ndarray:
    return reached.indices[reached.indptr[node] : reached.indptr[node + 1]]


def _lowest_alike(low: np.ndarray, high: np.ndarray, feature: int, threshold: float) -> tuple[int, float]:
    """Return the first feature that parts two sets of rows, and the middle between them; with NaN it parts nothing."""
    before_low, before_high = low[:, :feature], high[:, :feature]
    below, above = before_low.max(axis=0), before_high.min(axis=0)
    alike = (below < above) | (before_high.max(axis=0) < before_low.min(axis=0))
    if not alike.any():
        return feature, threshold
    first = int(np.flatnonzero(alike)[0])
    ends = (low[:, first].max(), high[:, first].min(), low[:, first].min(), high[:, first].max())
    return first, float((ends[0] + ends[1]) / 2 if ends[0] < ends[1] else (ends[2] + ends[3]) / 2)
