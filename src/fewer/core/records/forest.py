"""Trees of which feature covers which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fewer.core.records.errors import InputError, MissingExtraError
from fewer.core.records.numerals import numeral
from fewer.core.records.result_table import ResultTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class RedundancyForest:
    """Who covers whom: every feature hangs below the feature that covers it best.

    Attributes
    ----------
    parents : ndarray of int64
        Number of the parent of each feature, -1 for a feature without.
    weights : ndarray of float64
        How well the parent covers the feature; 0 for a feature without parent.
    names : tuple of str, optional
        Feature names; x0, x1, ... if None.

    Examples
    --------
    >>> print(RedundancyForest([-1, 0, 0, 1, -1], [0, 0.5, 0.4, 0.3, 0]))
    x0
      x1 (0.5)
        x3 (0.3)
      x2 (0.4)
    1 feature alone
    """

    parents: np.ndarray
    weights: np.ndarray
    names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "parents", np.asarray(self.parents, dtype=np.int64))
        object.__setattr__(self, "weights", np.asarray(self.weights, dtype=np.float64))
        n = len(self.parents)
        if len(self.weights) != n or (self.names is not None and len(self.names) != n):
            raise InputError(
                f"RedundancyForest got {n} parents with {len(self.weights)} weights and "
                f"{n if self.names is None else len(self.names)} names; give one of each per feature."
            )
        if sum(1 for _ in self.walk()) != n:
            raise InputError(
                "RedundancyForest got parents that go round in a circle or are no feature numbers; every feature must "
                "lead to one whose parent is -1."
            )

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features."""
        return self.names if self.names is not None else tuple(f"x{j}" for j in range(len(self.parents)))

    @property
    def edges(self) -> list[tuple[int, int, float]]:
        """Parent, child and weight of every edge, by child."""
        return [(int(self.parents[j]), int(j), float(self.weights[j])) for j in np.flatnonzero(self.parents >= 0)]

    @property
    def roots(self) -> np.ndarray:
        """Features with children but without a parent."""
        return np.flatnonzero((self.parents < 0) & self._has_children)

    @property
    def leaves(self) -> np.ndarray:
        """Features with a parent but without children: the redundant ones."""
        return np.flatnonzero((self.parents >= 0) & ~self._has_children)

    @property
    def alone(self) -> np.ndarray:
        """Features without parent and children."""
        return np.flatnonzero((self.parents < 0) & ~self._has_children)

    @cached_property
    def _has_children(self) -> np.ndarray:
        return np.isin(np.arange(len(self.parents)), self.parents)

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        """The children of each feature, the best covered first; those of -1 are the roots and the features alone."""
        children: dict[int, list[int]] = {}
        for j in np.argsort(-self.weights, kind="stable"):
            children.setdefault(int(self.parents[j]), []).append(int(j))
        return children

    def children(self, j: int) -> list[int]:
        """Return the features below feature ``j``, the best covered first."""
        return list(self._children.get(int(j), []))

    def walk(self) -> Iterator[tuple[int, int]]:
        """Visit every feature before the features below it; yields feature and depth."""
        waiting = [(j, 0) for j in reversed(self._children.get(-1, []))]
        while waiting:
            j, depth = waiting.pop()
            yield j, depth
            waiting.extend((child, depth + 1) for child in reversed(self._children.get(j, [])))

    def table(self) -> ResultTable:
        """Return the trees as a table, every feature after its parent; features alone are left out."""
        shown = np.array([j for j, depth in self.walk() if depth or self._has_children[j]], dtype=np.int64)
        columns = {"feature": shown, "covered by": self.parents[shown], "weight": self.weights[shown]}
        return ResultTable("Which feature covers which", columns, "tree", ("feature", "covered by"))

    @classmethod
    def from_table(cls, table: ResultTable, n_features: int, names: tuple[str, ...] | None = None) -> RedundancyForest:
        """Make a forest of what `table` returned."""
        parents, weights = np.full(n_features, -1, dtype=np.int64), np.zeros(n_features)
        shown = np.array(table.columns["feature"], dtype=np.int64)
        parents[shown], weights[shown] = table.columns["covered by"], table.columns["weight"]
        return cls(parents, weights, names)

    def __str__(self) -> str:
        n_alone = len(self.alone)
        alone = [f"{n_alone} feature{'' if n_alone == 1 else 's'} alone"] if n_alone else []
        return "\n".join([*self.table().lines(self.feature_names), *alone])

    def __repr__(self) -> str:
        return f"<RedundancyForest: {len(self.parents)} features, {len(self.roots)} trees, {len(self.leaves)} leaves>"

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the trees from left to right, with names and the weights of the edges; features alone are left out.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure if None.

        Returns
        -------
        matplotlib Axes
        """
        shown = [(j, depth) for j, depth in self.walk() if depth or self._has_children[j]]
        ax = _axes(len(shown)) if ax is None else ax
        heights = self._heights([j for j, _ in shown])
        depths, names = dict(shown), self.feature_names
        for j, depth in shown:
            parent = int(self.parents[j])
            if parent >= 0:
                ax.plot([depths[parent], depth], [heights[parent], heights[j]], color="0.7", lw=1.0, zorder=1)
                # Nearer to the child, where the edges of one parent have parted.
                there = (depth - 0.35, 0.35 * heights[parent] + 0.65 * heights[j])
                white = {"boxstyle": "square,pad=0.1", "fc": "white", "ec": "none"}
                words = numeral(self.weights[j], ".2g")
                ax.text(*there, words, size="x-small", color="0.4", ha="center", va="center", bbox=white)
            box = {"boxstyle": "round,pad=0.2", "fc": "white" if self._has_children[j] else "0.92", "ec": "0.6"}
            ax.text(depth, heights[j], names[j], size="small", ha="center", va="center", bbox=box, parse_math=False)
        ax.set_xlim(-0.6, max(depths.values(), default=0) + 0.6)
        ax.set_ylim(max(heights.values(), default=0) + 0.8, -0.8)
        ax.set_axis_off()
        return ax

    def _heights(self, shown: list[int]) -> dict[int, float]:
        """Return where each feature stands: leaves below each other, parents in the middle of their children."""
        heights: dict[int, float] = {}
        for j in shown:
            if not self._has_children[j]:
                heights[j] = float(len(heights))
        for j in reversed(shown):
            if self._has_children[j]:
                heights[j] = float(np.mean([heights[child] for child in self._children[j]]))
        return heights


def _axes(n_shown: int) -> Axes:
    """Return axes of a new figure that is high enough."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise MissingExtraError(
            "Drawing a forest needs matplotlib, which is not installed; run pip install 'fewer[plot]'."
        ) from error
    _, ax = plt.subplots(figsize=(8.0, min(40.0, 1.0 + 0.3 * n_shown)), layout="constrained")
    return ax
