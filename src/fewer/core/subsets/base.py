"""What a subset criterion offers to a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fewer.core.base.errors import ParameterError
from fewer.core.views.view import View

# What searches give: numbers of columns.
Columns = Sequence[int] | np.ndarray


class SubsetScore:
    """Base of the subset criteria: a subset of columns has one number, larger is better.

    What is known of a view is prepared once and kept with the view; what is known of the last subset is kept there,
    too, so that a search that moves by one feature pays for one feature. Numbers do not depend on the way to a subset.

    Attributes
    ----------
    requires : tuple of str
        The views it can read.
    monotone : bool
        Whether it never falls when a feature joins.
    """

    requires: tuple[str, ...] = ("dense",)
    monotone = False

    def prepare(self, view: View) -> Any:
        """Return what is known of a view before any subset; made when first asked for."""
        if self not in view._memo:
            # Two threads may come here at once; both must go on with the same splits.
            view._memo.setdefault(self, self._prepare(view))
        return view._memo[self]

    def value(self, view: View, subset: Columns) -> float:
        """Return what a subset is worth; that of none is defined, too."""
        raise NotImplementedError

    def values_added(self, view: View, subset: Columns, candidates: Columns) -> np.ndarray:
        """Return what the subset is worth with each of the candidates, which are outside it."""
        members, candidates = outside(subset, candidates)
        return np.array([self.value(view, np.append(members, j)) for j in candidates], dtype=float)

    def values_removed(self, view: View, subset: Columns, candidates: Columns) -> np.ndarray:
        """Return what the subset is worth without each of the candidates, which are inside it."""
        members, candidates = inside(subset, candidates)
        return np.array([self.value(view, members[members != j]) for j in candidates], dtype=float)

    def _prepare(self, view: View) -> Any:
        """Make what `prepare` returns."""


def sorted_members(subset: Columns) -> np.ndarray:
    """Return a subset as ascending column numbers."""
    members = np.array(subset if isinstance(subset, np.ndarray) else list(subset), dtype=np.int64)
    # Searches give subsets in order; long ones would be sorted again at every step.
    return members if (members[1:] > members[:-1]).all() else np.unique(members)


def outside(subset: Columns, candidates: Columns) -> tuple[np.ndarray, np.ndarray]:
    """Return a subset and candidates to join it, or explain that one is in it already."""
    members, candidates = sorted_members(subset), np.asarray(candidates, dtype=np.int64)
    if np.isin(candidates, members).any():
        raise ParameterError(
            f"The candidates {_shown(candidates[np.isin(candidates, members)])} are in the subset already; candidates "
            "to join must be outside it: leave them out."
        )
    return members, candidates


def inside(subset: Columns, candidates: Columns) -> tuple[np.ndarray, np.ndarray]:
    """Return a subset and candidates to leave it, or explain that one is not in it."""
    members, candidates = sorted_members(subset), np.asarray(candidates, dtype=np.int64)
    if not np.isin(candidates, members).all():
        raise ParameterError(
            f"The candidates {_shown(candidates[~np.isin(candidates, members)])} are not in the subset; candidates to "
            "leave must be inside it: leave them out."
        )
    return members, candidates


def _shown(columns: np.ndarray) -> str:
    return ", ".join(map(str, columns[:5].tolist()))
