"""What a search moves: single features, or groups of them as one, beside those that are always in."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.core.records.result_table import ResultTable
from fewer.core.views.column_groups import column_groups, column_numbers

# A subset of units: their numbers, in ascending order.
Subset = tuple[int, ...]


@dataclass(frozen=True)
class Units:
    """The units of a search, numbered by their lowest column.

    Sizes count units: a group counts as one, and so does each unit that is always in.

    Attributes
    ----------
    groups : tuple of tuple of int
        Columns of each unit that may move.
    fixed : tuple of tuple of int
        Columns of each unit that is always in.
    n_features : int
        Number of columns.

    Examples
    --------
    >>> units = Units.of(5, feature_groups=[[1, 3]], fixed_features=[4])
    >>> units.groups
    ((0,), (1, 3), (2,))
    >>> units.columns((1,))
    (1, 3, 4)
    """

    groups: tuple[tuple[int, ...], ...]
    fixed: tuple[tuple[int, ...], ...]
    n_features: int

    @classmethod
    def of(
        cls,
        n_features: int,
        feature_groups: Any = None,
        fixed_features: Any = None,
        names: Sequence[str] | None = None,
    ) -> Units:
        """Make units of what users write.

        Parameters
        ----------
        n_features : int
            Number of columns.
        feature_groups : sequence of sequences of int or str, or array-like of shape (n_features,), optional
            Columns that move as one, by number or name, or one label per column; columns of no group move alone.
        fixed_features : sequence of int or str, or array-like of bool of shape (n_features,), optional
            Columns that are always in. A group with such a column is always in as a whole.
        names : sequence of str, optional
            Names of the columns.
        """
        groups = column_groups(feature_groups, n_features, names)
        wanted = (
            set()
            if fixed_features is None
            else set(column_numbers(fixed_features, n_features, names, "fixed_features"))
        )
        fixed = tuple(g for g in groups if wanted.intersection(g))
        return cls(tuple(g for g in groups if not wanted.intersection(g)), fixed, n_features)

    def __len__(self) -> int:
        return len(self.groups)

    @property
    def n_fixed(self) -> int:
        """Number of units that are always in."""
        return len(self.fixed)

    @cached_property
    def fixed_columns(self) -> tuple[int, ...]:
        """Columns that are always in, in ascending order."""
        return tuple(sorted(j for unit in self.fixed for j in unit))

    @cached_property
    def single(self) -> np.ndarray:
        """Which units are one column."""
        return np.array([len(g) == 1 for g in self.groups], dtype=bool)

    @cached_property
    def first(self) -> np.ndarray:
        """The lowest column of each unit."""
        return np.array([g[0] for g in self.groups], dtype=np.int64)

    @cached_property
    def _plain(self) -> bool:
        return not self.fixed and len(self.groups) == self.n_features

    def table(self) -> ResultTable:
        """Return the columns that move as one or are always in, with the number of their group."""
        shown = sorted([*self.fixed, *(group for group in self.groups if len(group) > 1)])
        rows = [(j, number, unit in self.fixed) for number, unit in enumerate(shown, start=1) for j in unit]
        columns = {head: [row[place] for row in rows] for place, head in enumerate(("feature", "group", "always in"))}
        return ResultTable("Groups and fixed features", columns, "rows", ("feature",))

    def columns(self, subset: Iterable[int]) -> tuple[int, ...]:
        """Return the columns of some units and those that are always in, in ascending order."""
        if self._plain:
            return tuple(subset)
        moved = (j for u in subset for j in self.groups[u])
        return tuple(sorted([*self.fixed_columns, *moved]))


def as_units(chosen: Any) -> Subset:
    """Return a mask or numbers of units as an ascending tuple."""
    if isinstance(chosen, (list, tuple)) and len(chosen) and isinstance(chosen[0], (bool, np.bool_)):
        chosen = np.array(chosen, dtype=bool)
    if isinstance(chosen, tuple):
        return chosen if all(a < b for a, b in zip(chosen, chosen[1:])) else tuple(sorted(set(chosen)))
    if isinstance(chosen, np.ndarray):
        return tuple((np.flatnonzero(chosen) if chosen.dtype == bool else np.unique(chosen)).tolist())
    return tuple(sorted({int(u) for u in chosen}))


def with_unit(subset: Subset, unit: int) -> Subset:
    """Return a subset and one unit outside it."""
    at = bisect_left(subset, unit)
    return (*subset[:at], unit, *subset[at:])


def without(subset: Subset, unit: int) -> Subset:
    """Return a subset without one unit inside it."""
    at = bisect_left(subset, unit)
    return (*subset[:at], *subset[at + 1 :])


def size_range(units: Units, min_features: int | None, max_features: int | None) -> tuple[int, int]:
    """Return fewest and most moving units for limits that count those that are always in."""
    total = len(units) + units.n_fixed
    most = total if max_features is None else min(int(max_features), total)
    fewest = 1 if min_features is None else int(min_features)
    if not 0 <= fewest <= most or most < units.n_fixed:
        raise ParameterError(
            f"A search got min_features={min_features} and max_features={max_features}, but there are {total} units, "
            f"{units.n_fixed} of them always in; pass 0 <= min_features <= max_features with room for the fixed ones."
        )
    return max(fewest - units.n_fixed, 0), most - units.n_fixed
