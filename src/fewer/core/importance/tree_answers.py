"""Predictions of scikit-learn's trees and forests for permuted columns, without passing all rows through all trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor

from fewer.core.kernels.tree_routes import changed_sums, find_meetings, leaves_of_rows, sums_of_leaves

FORESTS = (RandomForestClassifier, RandomForestRegressor, ExtraTreesClassifier, ExtraTreesRegressor)
TREES = (DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor)
# Pairs of row and tree that are remembered at a time, at 12 bytes each.
MOST_PAIRS = 4_000_000


def has_routes(model: Any, X: Any) -> bool:
    """Return whether a fitted model is one of these trees and forests as they are, with one output, on numbers."""
    plain = type(model) in FORESTS or type(model) in TREES
    return plain and isinstance(X, np.ndarray) and getattr(model, "n_outputs_", 1) == 1


class TreeAnswers:
    """What a tree or a forest answers when columns are permuted.

    A row needs a new way through a tree only if a column that changes is asked on its old one, and only from there on;
    a feature that no tree uses changes nothing. The answers are those of `predict_proba` and `predict`, to the last
    bit, because the trees are added up in the same order.

    Parameters
    ----------
    model : estimator
        Fitted, one for which `has_routes`.
    X : ndarray of shape (n_rows, n_features)
        The rows to predict.
    """

    def __init__(self, model: Any, X: np.ndarray) -> None:
        self.model, self.X = model, np.ascontiguousarray(X, dtype=np.float32)
        members = model.estimators_ if type(model) in FORESTS else [model]
        trees = [member.tree_ for member in members]
        # The last one is where all nodes end.
        bounds = np.cumsum([0, *(tree.node_count for tree in trees)])
        self.roots = bounds[:-1].astype(np.int64)
        self.nodes = (
            np.concatenate([tree.children_left for tree in trees]).astype(np.int64),
            np.concatenate([tree.children_right for tree in trees]).astype(np.int64),
            np.concatenate([tree.feature for tree in trees]).astype(np.int64),
            np.concatenate([tree.threshold for tree in trees]).astype(np.float64),
            np.concatenate([tree.missing_go_to_left for tree in trees]).astype(np.uint8),
        )
        self.values = np.ascontiguousarray(np.concatenate([tree.value[:, 0, :] for tree in trees]))
        self.leaves = np.empty((len(X), len(trees)), dtype=np.int32)
        leaves_of_rows(self.X, self.roots, *self.nodes, self.leaves)
        self.sums = np.empty((len(X), self.values.shape[1]))
        sums_of_leaves(self.leaves, self.values, self.sums)

    def changed(self, units: list[np.ndarray], orders: Any) -> Iterator[tuple[int, int, dict[str, np.ndarray]]]:
        """Yield unit, repetition and answers of every permutation that changes an answer.

        Parameters
        ----------
        units : list of ndarray of int
            Columns that are permuted together; no column is in two of them.
        orders : callable
            Returns the row from which each row takes the columns of a unit, (n_repeats, n_rows).
        """
        for some, counts in self._portions(units):
            unit = self._unit_of([units[u] for u in some])
            starts = np.concatenate([[0], np.cumsum(counts)])
            rows, trees, nodes = (np.empty(starts[-1], dtype=np.int32) for _ in range(3))
            if starts[-1]:
                self._meet(unit, starts[:-1].copy(), rows, trees, nodes)
            for place, u in enumerate(some):
                pairs = slice(starts[place], starts[place + 1])
                if pairs.start == pairs.stop:
                    continue
                met = (rows[pairs], trees[pairs], nodes[pairs])
                for repeat, order in enumerate(orders(u)):
                    sums = self.sums.copy()
                    order = np.ascontiguousarray(order, dtype=np.int64)
                    how = (self.X, self.roots, *self.nodes, unit, place, order, *met, self.leaves, self.values, sums)
                    if changed_sums(*how):
                        yield u, repeat, self.answers(sums)

    def answers(self, sums: np.ndarray) -> dict[str, np.ndarray]:
        """Return what the model would predict, given sums over its trees."""
        model = self.model
        values = sums / len(self.roots) if type(model) in FORESTS else sums
        if not is_classifier(model):
            return {"predict": values[:, 0]}
        return {"predict": model.classes_.take(values.argmax(axis=1)), "predict_proba": values}

    def _unit_of(self, units: list[np.ndarray]) -> np.ndarray:
        """Return the unit of every column, -1 where it is in none."""
        unit = np.full(self.X.shape[1], -1, dtype=np.int64)
        for u, columns in enumerate(units):
            unit[columns] = u
        return unit

    def _meet(self, unit: np.ndarray, ends: np.ndarray, *found: np.ndarray) -> None:
        """Count the pairs of row and tree that ask a column of each unit, or write them."""
        seen = np.full(len(ends), -1, dtype=np.int64)
        find_meetings(self.X, self.roots, *self.nodes, unit, ends, seen, *found)

    def _portions(self, units: list[np.ndarray]) -> Iterator[tuple[range, np.ndarray]]:
        """Yield units of which so few rows ask at a time that the pairs fit into memory, and the numbers of pairs."""
        counts, none = np.zeros(len(units), dtype=np.int64), np.empty(0, dtype=np.int32)
        self._meet(self._unit_of(units), counts, none, none, none)
        start, total = 0, 0
        for u, count in enumerate(counts.tolist()):
            if total + count > MOST_PAIRS and u > start:
                yield range(start, u), counts[start:u]
                start, total = u, 0
            total += count
        yield range(start, len(units)), counts[start:]
