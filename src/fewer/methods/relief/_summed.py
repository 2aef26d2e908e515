"""Weights that follow from sums over rows, here or on the workers of a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from fewer.core.estimators.parts import Parts
from fewer.core.neighbours.spaces import Space
from fewer.core.runners.cluster import DaskRunner
from fewer.core.views.gathered_rows import each_worker
from fewer.core.views.view import View
from fewer.methods.relief._relief import ReliefBase

# Sums of a range of rows; those of ranges add up one by one.
Sums = tuple[Any, ...]
Part = tuple[int, int] | None


@dataclass(frozen=True, eq=False)
class Comparison:
    """What a worker does for a method: it makes a space of all rows, and sums what a range of them finds there."""

    method: Any
    asked: Any

    def prepare(self, view: View) -> tuple[View, Space]:
        """Return all rows and their space."""
        return view, self.method._space(view)

    def sums(self, rows: tuple[View, Space], start: int, stop: int) -> Sums:
        """Sum over a range of the rows that look for neighbours."""
        return self.method._sums(*rows, self.asked, (start, stop))

    def apart(self, rows: tuple[View, Space], start: int, stop: int) -> Sums:
        """Sum what must be known of all rows before anything else."""
        return (self.method._sums_before(*rows, start, stop),)


class SummedRelief(ReliefBase):
    """Ranks features by weights that follow from sums over the rows that look for neighbours.

    A subclass has `_space`, `_asked`, `_sums` and `_from_sums`. On a cluster every worker gathers all rows in few bytes
    and takes a range of those that ask: nothing but their sums comes back.
    """

    # Whether `_sums_before` is needed, and what is asked follows from its sum over all rows.
    _two_rounds = False

    def _together(self, data: View, parts: Parts) -> View:
        """Return the rows where they are if workers can compare them."""
        by_workers = isinstance(data.run, DaskRunner) and data.run.has_workers and self._divides(parts)
        return data if by_workers else super()._together(data, parts)

    def _sends_rows(self, parts: Parts) -> bool:
        return self._divides(parts)

    def _divides(self, parts: Parts) -> bool:
        """Return whether workers can do the work: not for rules that shuffle rows or make columns."""
        return not set(parts.size.needs) & {"probes", "knockoffs", "fixed knockoffs"}

    def _weights(self, view: View) -> np.ndarray:
        if not view.run.in_memory:
            return self._weights_on_workers(view)
        space = self._space(view)
        total = self._sums_before(view, space, 0, view.n_rows) if self._two_rounds else 0.0
        return self._from_sums(self._sums(view, space, self._asked(view.n_rows, space, total), None), view.n_rows)

    def _weights_on_workers(self, view: View) -> np.ndarray:
        method, n, total = clone(self), view.n_rows, 0.0
        if self._two_rounds:
            first = Comparison(method, None)
            total = sum(part for (part,) in each_worker(view, first.prepare, first.apart, n))
        asked = self._asked(n, None, total)
        work = Comparison(method, asked)
        width = len(asked) if isinstance(asked, np.ndarray) else n
        parts = each_worker(view, work.prepare, work.sums, width)
        return self._from_sums(tuple(sum(numbers[1:], numbers[0]) for numbers in zip(*parts)), n)

    def _space(self, view: View) -> Space:
        """Return the rows as a space."""
        raise NotImplementedError

    def _sums_before(self, view: View, space: Space, start: int, stop: int) -> float:
        """Return what a range of rows adds to a number that all need to know."""
        raise NotImplementedError

    def _asked(self, n_rows: int, space: Space | None, total: float) -> Any:
        """Return which rows look for neighbours, None for all; or with two rounds what the first one told."""
        raise NotImplementedError

    def _sums(self, view: View, space: Space, asked: Any, part: Part) -> Sums:
        """Return sums over all rows that ask, or over a range of them."""
        raise NotImplementedError

    def _from_sums(self, sums: Sums, n_rows: int) -> np.ndarray:
        """Return the weights by the sums over all rows that ask."""
        raise NotImplementedError
