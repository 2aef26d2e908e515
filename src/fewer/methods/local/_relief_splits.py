"""What trees by (R)ReliefF share beside their growth: parameters, importances, tables and words."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from fewer.core.estimators.row_model import RowModel
from fewer.core.records.numerals import numeral
from fewer.core.records.params import Interval
from fewer.core.records.ranking import steady
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.views.view import View
from fewer.methods.local._relief_growth import GrowthRules, ReliefGrowth, Split, grow

ONE_OR_MORE = Interval(Integral, 1, None, closed="left")


class TreeBase(RowModel):
    """Grows a tree by the weights of ReliefF or RReliefF; a method says what its leaves predict."""

    _parameter_constraints: dict = {
        "n_neighbors": [ONE_OR_MORE],
        "min_weight": [Interval(Real, 0, None, closed="left")],
        "max_depth": [None, Interval(Integral, 0, None, closed="left")],
        "min_samples_leaf": [ONE_OR_MORE],
        "n_samples": [ONE_OR_MORE, None],
        "categorical_features": ["array-like", None],
        "random_state": [None, Interval(Integral, 0, None, closed="left"), np.random.Generator],
        "n_jobs": [None, ONE_OR_MORE, Interval(Integral, None, -1, closed="right")],
    }
    tree_: ReliefGrowth

    def __init__(
        self,
        max_depth: int | None = None,
        *,
        n_neighbors: int = 10,
        min_weight: float = 0.0,
        min_samples_leaf: int = 5,
        n_samples: int | None = None,
        categorical_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.max_depth = max_depth
        self.n_neighbors = n_neighbors
        self.min_weight = min_weight
        self.min_samples_leaf = min_samples_leaf
        self.n_samples = n_samples
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _learn(self, data: View) -> None:
        rules = GrowthRules(
            self.n_neighbors, float(self.min_weight), self.max_depth, self.min_samples_leaf, self.n_samples,
            self.random_state,
        )  # fmt: skip
        self.tree_, leaf = grow(data, rules)
        self.feature_importances_ = _importances(self.tree_, data.n_features)
        self._learn_leaves(data, leaf)

    def _learn_leaves(self, data: View, leaf: np.ndarray) -> None:
        """Store what every leaf predicts, of the rows that come to it."""
        raise NotImplementedError

    def _selection(self, data: View) -> Selection:
        """Return the features that the tree splits on, those of most importance first."""
        scores = self.feature_importances_
        order = np.argsort(-steady(scores), kind="stable")
        kept = order[: np.count_nonzero(scores)]
        rule = f"the tree splits on {len(kept)} of {data.n_features} features"
        notes = {int(j): _note(self.tree_, int(j), self._labels_of_levels) for j in kept}
        reasons = Reasons.of_kept(data.n_features, kept, NOT_REACHED, rule=rule, note=notes)
        table = _table(self.tree_, self._labels_of_levels)
        return Selection.build(kept, order, reasons, scores, tables={"splits": table})

    def apply(self, X: Any) -> np.ndarray:
        """Return the number of the leaf that every row comes to."""
        return self.tree_.leaves(self._rows(X))

    def to_text(self) -> str:
        """Return the tree as indented lines, with the number of rows and the prediction of each leaf."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", [f"feature {j}" for j in range(self.n_features_in_)])
        lines, ahead = [], [(0, "", "")]
        while ahead:
            node, indent, words = ahead.pop()
            split = self.tree_.split[node]
            if split is None:
                rows = self.tree_.rows[node]
                lines.append(f"{indent}{words}{': ' if words else ''}{self._said(node)} ({rows} rows)")
                continue
            inner = indent + "  " if words else indent
            lines += [f"{indent}{words}"] if words else []
            test = f"{names[split.feature]} {_sign(split)} {_shown(split, self._labels_of_levels)}"
            ahead += [(self.tree_.second[node], inner, "else"), (self.tree_.first[node], inner, test)]
        return "\n".join(lines)

    def _said(self, node: int) -> str:
        """Return in words what a leaf predicts."""
        raise NotImplementedError


def _importances(tree: ReliefGrowth, n_features: int) -> np.ndarray:
    """Return the gains of the splits on every feature, by rows of the node, as fractions."""
    total = np.zeros(n_features)
    for node, split in tree.inner:
        total[split.feature] += split.gain * tree.rows[node]
    return total / total.sum() if total.any() else total


def _sign(split: Split) -> str:
    return "is" if split.nominal else "<="


def _shown(split: Split, labels: Mapping[int, np.ndarray]) -> str:
    if split.nominal:
        return str(labels[split.feature][int(split.value)])
    return numeral(float(split.value), ".4g")


def _note(tree: ReliefGrowth, feature: int, labels: Mapping[int, np.ndarray]) -> str:
    """Return in words where the tree splits on a feature."""
    mine = [(tree.depth[node], node, split) for node, split in tree.inner if split.feature == feature]
    _, first, split = min(mine, key=lambda one: one[:2])
    times = "one node" if len(mine) == 1 else f"{len(mine)} nodes, first"
    sizes = [tree.rows[child] for child in (tree.first[first], tree.second[first])]
    where = f"it splits {times} at depth {tree.depth[first]}"
    return f"{where}: {sizes[0]} rows {_sign(split)} {_shown(split, labels)}, {sizes[1]} others"


def _table(tree: ReliefGrowth, labels: Mapping[int, np.ndarray]) -> ResultTable:
    """Return one row per split."""
    inner = tree.inner
    columns = {
        "feature": np.array([split.feature for _, split in inner], dtype=np.int64),
        "test": [f"{_sign(split)} {_shown(split, labels)}" for _, split in inner],
        "depth": [tree.depth[node] for node, _ in inner],
        "rows": [tree.rows[node] for node, _ in inner],
        "first": [tree.rows[tree.first[node]] for node, _ in inner],
        "second": [tree.rows[tree.second[node]] for node, _ in inner],
        "weight": [split.weight for _, split in inner],
        "gain": [split.gain for _, split in inner],
    }
    return ResultTable("Splits of the tree", columns, "rows", ("feature",))
