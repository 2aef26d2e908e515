"""Nested subsets of features and the order of the distances on each."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fewer.core.records.reasons import IRRELEVANT, Reasons
from fewer.core.records.result import Selection, after
from fewer.core.records.result_table import ResultTable
from fewer.core.records.trace import Trace
from fewer.core.search.elimination import Elimination, said_interrupted
from fewer.core.search.greedy import ASKED
from fewer.methods.unsupervised._distance_entropy import CONSTANT


@dataclass(frozen=True, eq=False)
class EntropyPath:
    """An order of features, best first, and minus the entropy per pair of its beginnings.

    Attributes
    ----------
    order : ndarray of int
        The features that were ordered.
    values : dict of int to float
        What the first so many are worth.
    scores : ndarray of shape (n_features,)
        What the subset that ends with a feature is worth; one that was not ordered ends all that were.
    trace : Trace
        What was done.
    ended : str, default=""
        Why it ended before its time, if it did.
    """

    order: np.ndarray
    values: dict[int, float]
    scores: np.ndarray
    trace: Trace
    ended: str = ""

    @classmethod
    def forward(cls, found: Selection) -> EntropyPath:
        """Return the path of a search that added features."""
        values = {k: float(step.value) for k, step in enumerate(found.trace, 1)}
        assert found.scores is not None
        ended = ASKED if found.reasons.rule == ASKED else ""
        return cls(found.indices, values, found.scores, found.trace, ended)

    @classmethod
    def backward(cls, found: Elimination) -> EntropyPath:
        """Return the path of a search that removed features."""
        values = {int(k): float(step.value) for k, step in zip(found.sizes, found.trace)}
        scores = np.empty(len(found.order))
        scores[found.order] = [values.get(k, -np.inf) for k in range(1, len(found.order) + 1)]
        return cls(found.order, values, scores, found.trace, said_interrupted(found))

    def so_far(self, sizes: list[int]) -> int:
        """Return the best of some sizes that are known, or what was reached where none of them was."""
        reached = [min(self.values)] if len(self.order) > len(self.values) else [max(self.values)]
        return max(sizes or reached, key=lambda k: (self.values[k], -k))

    def table(self, n_pairs: int) -> ResultTable:
        """Return the entropy by number of features."""
        sizes = sorted(self.values)
        each = [-self.values[k] for k in sizes]
        columns = {"features": sizes, "entropy per pair": each, "entropy": [n_pairs * value for value in each]}
        return ResultTable("Entropy of the distances by number of features", columns, "curve")

    @staticmethod
    def widened(made: Selection, left: np.ndarray, n_features: int) -> Selection:
        """Return the selection with constant columns, which stand last."""
        wide, constant = made.on(left, n_features), np.setdiff1d(np.arange(n_features), left)
        wide.reasons.kind[constant] = IRRELEVANT
        note = {**wide.reasons.note, **dict.fromkeys(constant.tolist(), CONSTANT)}
        assert wide.scores is not None
        scores = wide.scores.copy()
        scores[constant] = -np.inf
        order = after(wide.order, constant)
        return replace(wide, order=order, reasons=replace(wide.reasons, note=note), scores=scores)


def nothing_varies(n_features: int) -> Selection:
    """Return the selection of data without a column that varies: none."""
    note = dict.fromkeys(range(n_features), CONSTANT)
    reasons = Reasons.of_kept(n_features, [], IRRELEVANT, rule="no column varies", note=note)
    return Selection.build([], np.arange(n_features), reasons, np.full(n_features, -np.inf))
