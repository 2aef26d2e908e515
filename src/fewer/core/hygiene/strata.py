"""Counts of every column by class and by part of the rows, on any runner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.discretize.binning import EqualFrequency
from fewer.core.discretize.codes import codes_view
from fewer.core.hygiene.look import ColumnLook, Looks
from fewer.core.records.errors import InputError
from fewer.core.runners.stream import identity
from fewer.core.summaries.counts import TargetCounts
from fewer.core.summaries.extent import ColumnExtent
from fewer.core.summaries.quantiles import edges_key, frequency_edges, target_edges_key
from fewer.core.summaries.results import EdgesOfTarget, Extent
from fewer.core.summaries.summary import Summary
from fewer.core.views.target_column import target_column
from fewer.core.views.view import View

# Into so many bins of equal frequency a target of numbers is put.
TARGET_BINS = 10
# Row groups are compared with each other up to this number; with more of them the two halves of the rows are.
MOST_GROUPS = 10


@dataclass(frozen=True, eq=False)
class Strata:
    """How often every level of every column occurs in every class and part of the rows.

    Attributes
    ----------
    table : ndarray of shape (n_levels, n_classes, n_parts)
        The levels of all columns one after another; a target of numbers is in bins. Missing values are the last level
        of a column that has some.
    offsets : ndarray of int
        Column j has the levels ``offsets[j]`` to ``offsets[j + 1]``.
    n_known : int
        Number of classes; one more in the table are rows without a target.
    halves : bool
        Whether the parts are the first and the second half of the rows of each class, not groups.
    """

    table: np.ndarray
    offsets: np.ndarray
    n_known: int
    halves: bool = True

    @property
    def by_class(self) -> np.ndarray:
        """Counts of levels by class, of rows whose class is known."""
        return self.table[:, : self.n_known].sum(axis=2)

    @property
    def by_level(self) -> np.ndarray:
        """Counts of levels."""
        return self.table.sum(axis=(1, 2))

    def per_column(self, values: np.ndarray) -> np.ndarray:
        """Sum over the levels of each column."""
        return np.add.reduceat(values, self.offsets[:-1], axis=0)

    def largest(self, values: np.ndarray) -> np.ndarray:
        """Return the largest over the levels of each column."""
        return np.maximum.reduceat(values, self.offsets[:-1], axis=0)

    def columns_of(self) -> np.ndarray:
        """Return to which column each level belongs."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


def strata(view: View, looks: Looks, bins: int) -> Strata:
    """Count all columns, numbers in bins of equal frequency."""
    edges = _target_edges(view) if looks.numbers else None
    known = max(1, view.n_classes) if edges is None else len(edges) + 1
    by_block = looks.sizes if edges is None else view.fold(StrataSizes(tuple(edges.tolist())))
    sizes = np.stack(by_block)
    parts = _group_numbers(view)
    n_parts = 2 if parts is None else int(parts.max()) + 1
    before = np.cumsum(sizes, axis=0) - sizes
    make = [InStrata(sizes.sum(axis=0), part, edges, n_parts, parts) for part in before]
    n_classes = sizes.shape[1]
    # What the first look has found: which columns have missing values.
    extent = Extent(looks.ranges[:, 0], looks.ranges[:, 1], looks.missing, float(looks.n_rows))
    placed = replace(
        view,
        blocks=_each(view, make),
        classes=np.arange(n_classes * n_parts),
        weights=None,
        may_miss=bool(looks.missing.any()),
        labelled=None,
        _memo={ColumnExtent(of_all): extent for of_all in (False, True)},
    )
    _share_edges(view, placed, bins)
    codes = codes_view(placed, EqualFrequency(bins))
    counts = codes.fold(TargetCounts(n_classes * n_parts))
    return Strata(counts.table.reshape(-1, n_classes, n_parts), counts.offsets, known, parts is None)


def _share_edges(view: View, placed: View, bins: int) -> None:
    """Find the edges of all columns for so many bins and all divisors of it, and keep them with both views.

    They take passes over a file, which a method that follows and counts each row once need not make again.
    """
    if view.run.in_memory or view.weights is not None:
        return
    divisors = tuple(b for b in range(2, bins) if bins % b == 0)
    if view.known(edges_key(bins)) is None:
        found = frequency_edges(placed.fold, bins, ~view.nominal, divisors, view.run.budget.quantiles)
        view._memo.update({edges_key(b): edges for b, edges in found.items()})
    placed._memo[edges_key(bins)] = view.known(edges_key(bins))


def _group_numbers(view: View) -> np.ndarray | None:
    """Return the number of the group of every row, where there are a few groups and rows are in memory."""
    if view.groups is None or not view.run.in_memory or len(np.shape(view.groups)) != 1:
        return None
    try:
        groups, numbers = np.unique(np.asarray(view.groups), return_inverse=True)
    except TypeError as error:
        raise InputError(
            f"groups holds values of different kinds ({error}), but one kind is needed to tell them apart; give "
            "numbers or texts, without missing ones."
        ) from error
    return numbers if 2 <= len(groups) <= MOST_GROUPS and len(numbers) == view.n_rows else None


@dataclass(frozen=True, eq=False)
class InStrata:
    """Makes of a block the same rows, without weights, whose target is the number of class and part.

    Parts are given groups, or the first and the second half of the rows of each class: in a file that is sorted by
    class the halves of the file would differ in everything that tells the classes apart.
    """

    totals: np.ndarray
    before: np.ndarray
    edges: np.ndarray | None
    n_parts: int
    groups: np.ndarray | None

    def __call__(self, block: Any) -> Any:
        """Number the rows of one block."""
        y = class_numbers(block, self.edges, len(self.totals))
        if self.groups is not None:
            return replace(block, y=y * self.n_parts + self.groups, weight=None)
        order = np.argsort(y, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(y, minlength=len(self.totals)))])
        place = np.empty(len(y), np.int64)
        place[order] = np.arange(len(y)) - starts[y[order]]
        late = 2 * (place + self.before[y]) >= self.totals[y]
        return replace(block, y=y * 2 + late, weight=None)


def class_numbers(block: Any, edges: np.ndarray | None, n_classes: int) -> np.ndarray:
    """Return the class of every row; of a number its bin, and one more number for rows without a class."""
    if edges is not None:
        return np.searchsorted(edges, block.y).astype(np.int64)
    if n_classes == 1 or block.y is None:
        return np.zeros(block.n_rows, np.int64)
    return np.where(block.y < 0, n_classes - 1, block.y).astype(np.int64)


@dataclass(frozen=True)
class StrataSizes(Summary[tuple[np.ndarray, ...]]):
    """For each row block in order, how many rows have a target in each bin."""

    edges: tuple[float, ...]
    words = "counting rows"

    def width(self, block: Any) -> int:
        """Say that the work cannot be cut by features."""
        return 1

    def tile(self, block: Any, start: int, stop: int) -> tuple[np.ndarray, ...]:
        """Count one block."""
        return (np.bincount(class_numbers(block, np.array(self.edges), 0), minlength=len(self.edges) + 1),)

    def join(self, parts: list[tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
        """Return the only tile."""
        return parts[0]

    def merge(self, first: tuple[np.ndarray, ...], second: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        """Put one after the other."""
        return first + second


@dataclass(frozen=True, eq=False)
class EachBlock:
    """Row blocks that stream by, each changed in its own way."""

    blocks: Any
    changes: list[InStrata]
    n_rows: int | None = None

    def __iter__(self) -> Iterator[Any]:
        return (change(block) for change, block in zip(self.changes, self.blocks))

    @property
    def identity(self) -> Any:
        """What these rows are, for work that is kept."""
        return ("changed each", identity(self.blocks), self.changes)


def _each(view: View, changes: list[InStrata]) -> Any:
    """Change every row block in its own way, where the runner keeps them."""
    if isinstance(view.blocks, list):
        return [view.run.place([block], change)[0] for block, change in zip(view.blocks, changes)]
    return EachBlock(view.blocks, changes, getattr(view.blocks, "n_rows", None))


def _target_edges(view: View) -> np.ndarray:
    edges = EqualFrequency(TARGET_BINS).cuts(target_column(view, weighted=False)).of(0)
    if view.weights is None:
        view._memo[target_edges_key(TARGET_BINS)] = EdgesOfTarget(edges)
    return edges


def look_at(view: View) -> Looks:
    """Look at all columns."""
    return view.fold(ColumnLook(view.n_classes))
