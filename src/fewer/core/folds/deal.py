"""Rows dealt to folds: class by class in turn, the same on every runner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.discretize.binning import EqualFrequency
from fewer.core.records.errors import InputError
from fewer.core.summaries.moments import ClassMoments
from fewer.core.summaries.quantiles import target_edges_key
from fewer.core.summaries.results import KnownOfColumns
from fewer.core.summaries.summary import Summary
from fewer.core.views.spread import LARGEST, SMALLEST, check_target
from fewer.core.views.target_column import target_column
from fewer.core.views.view import View

FOLDS = 5
# A numeric target is known by bins: so many at most and at least, else of so many rows.
BINS, FEWEST_BINS, ROWS_PER_BIN = 10, 4, 20
# What a row is dealt with: its fold, its class or the bin of its target, and the target in standard deviations.
TARGET = np.dtype([("fold", np.int64), ("part", np.int64), ("value", np.float64)])


@dataclass(frozen=True, eq=False)
class Dealt:
    """Rows with folds.

    Attributes
    ----------
    view : View
        The rows; the target of a block is an array of `TARGET`.
    n_folds : int
        Number of folds.
    n_parts : int
        Number of classes, or of bins of a numeric target.
    numbers : bool
        Whether the target is numeric.
    """

    view: View
    n_folds: int
    n_parts: int
    numbers: bool

    def learned(self, per_fold: np.ndarray) -> np.ndarray:
        """Return what each fold learns from, the sum over the other folds, and last the sum over all; by folds first.

        Sums, not differences: nothing cancels.
        """
        others = [np.delete(per_fold, f, axis=0).sum(axis=0) for f in range(self.n_folds)]
        return np.stack([*others, per_fold.sum(axis=0)])


def deal(data: View) -> Dealt:
    """Deal the rows of a view to five folds.

    Rows are taken class by class (bin by bin of a numeric target) in their order. Each five in a row go to the five
    folds in an order drawn for them by a fixed rule, so that neither sorted nor periodic rows do harm, and fractions of
    classes differ by one row at most. Rows of one group, where groups are given, go together, as their first row does.
    """
    maker = _Maker.of(data)
    rows = data.fold(RowsPerBlock(maker))
    before = np.concatenate([np.zeros((1, rows.shape[1]), np.int64), np.cumsum(rows, axis=0)])
    of_parts = np.concatenate([[0], np.cumsum(before[-1])[:-1]])
    n_folds = int(min(FOLDS, before[-1].sum()))
    change: Any = Deal(maker, before[:-1] + of_parts, n_folds)
    if data.groups is not None:
        folds, n_folds = _of_groups(data.groups, maker.of_block(data.whole())["part"])
        change = GivenFolds(maker, folds)
    # What is known of the columns does not depend on the target.
    known = {key: found for key, found in data._memo.items() if isinstance(found, KnownOfColumns)}
    view = replace(data, blocks=data.run.place_each(data.blocks, change), classes=None, _memo=known)
    return Dealt(view, n_folds, maker.n_parts, data.classes is None)


@dataclass(frozen=True, eq=False)
class _Maker:
    """Makes of the target of a block what rows are dealt with."""

    n_parts: int
    edges: np.ndarray | None = None
    mean: float = 0.0
    deviation: float = 1.0

    @classmethod
    def of(cls, data: View) -> _Maker:
        if data.classes is not None:
            return cls(data.n_classes)
        column = target_column(data, weighted=True)
        if data.run.in_memory:
            check_target(data.whole().y)
        found = column.fold(ClassMoments(0))
        total, m2 = float(found.weight[0]), float(found.m2[0, 0])
        if not (m2 == 0 or SMALLEST**2 <= m2 / total <= LARGEST**2):
            raise InputError(
                "The target varies so little or so much that squares of differences underflow or overflow; rescale it."
            )
        origin = 0.0 if found.origin is None else float(found.origin[0])
        bins = int(min(BINS, max(FEWEST_BINS, data.n_rows // ROWS_PER_BIN)))
        known = data.known(target_edges_key(bins))
        edges = EqualFrequency(bins).cuts(column).of(0) if known is None else known.edges
        return cls(len(edges) + 1, edges, origin + float(found.mean[0, 0]), float(np.sqrt(m2 / total)) or 1.0)

    def of_block(self, block: Any) -> np.ndarray:
        """Return the target of a block, the folds still empty."""
        made = np.zeros(block.n_rows, TARGET)
        if self.edges is None:
            made["part"] = block.y
        else:
            y = np.asarray(block.y, dtype=np.float64)
            made["part"] = np.searchsorted(self.edges, y, side="left")
            made["value"] = (y - self.mean) / self.deviation
        return made


@dataclass(frozen=True, eq=False)
class RowsPerBlock(Summary[np.ndarray]):
    """How many rows each row block has of each class, block below block."""

    maker: _Maker

    remembered = False
    words = "dealing rows"

    def width(self, block: Any) -> int:
        """Say that the work is not cut by features."""
        return 1

    def tile(self, block: Any, start: int, stop: int) -> np.ndarray:
        """Count the rows of one block."""
        return np.bincount(self.maker.of_block(block)["part"], minlength=self.maker.n_parts)[None, :]

    def join(self, parts: list[np.ndarray]) -> np.ndarray:
        """Return the only tile."""
        return parts[0]

    def merge(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Put blocks below each other."""
        return np.concatenate([first, second])


@dataclass(frozen=True, eq=False)
class Deal:
    """Deals the rows of a block, given how many of each class come before it."""

    maker: _Maker
    before: np.ndarray
    n_folds: int

    def __call__(self, block: Any, number: int) -> Any:
        """Deal the rows of block ``number``."""
        made = self.maker.of_block(block)
        order = np.argsort(made["part"], kind="stable")
        sizes = np.bincount(made["part"], minlength=self.maker.n_parts)
        starts = np.cumsum(sizes) - sizes
        places = np.empty(block.n_rows, np.int64)
        places[order] = np.arange(block.n_rows) + np.repeat(self.before[number] - starts, sizes)
        made["fold"] = folds_of(places, self.n_folds)
        return replace(block, y=made)


@dataclass(frozen=True, eq=False)
class GivenFolds:
    """Gives the rows of the only block their folds."""

    maker: _Maker
    folds: np.ndarray

    def __call__(self, block: Any, number: int) -> Any:
        """Deal the rows of the block."""
        made = self.maker.of_block(block)
        made["fold"] = self.folds
        return replace(block, y=made)


def folds_of(places: np.ndarray, n_folds: int) -> np.ndarray:
    """Return the fold of every place: each ``n_folds`` places in a row go to all folds, in an order of their own."""
    first = (places // n_folds * n_folds).astype(np.uint64)
    keys = _scrambled(first[:, None] + np.arange(n_folds, dtype=np.uint64))
    own = keys[np.arange(len(places)), places % n_folds]
    return (keys < own[:, None]).sum(axis=1)


def _scrambled(numbers: np.ndarray) -> np.ndarray:
    """Return numbers without any order, different ones of different ones (splitmix64)."""
    with np.errstate(over="ignore"):
        z = (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _of_groups(groups: Any, part: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the fold of every row, whole groups in a fold, and how many folds there are."""
    given = np.asarray(groups)
    if len(given) != len(part):
        raise InputError(
            f"groups has {len(given)} entries, but X has {len(part)} rows; give the group of every row, or leave it "
            "out."
        )
    _, first, number = np.unique(given, return_index=True, return_inverse=True)
    if len(first) < 2:
        raise InputError(
            f"groups has {len(first)} different values, but its rows are kept together in at least 2 folds; give as "
            "many groups as folds, or leave groups out."
        )
    n_folds = min(FOLDS, len(first))
    # Groups by the class of their first row, then as they come.
    order = np.lexsort((first, part[first]))
    folds = np.empty(len(first), np.int64)
    folds[order] = folds_of(np.arange(len(first)), n_folds)
    return folds[number.reshape(-1)], n_folds
