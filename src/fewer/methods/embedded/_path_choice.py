"""Where a path is left: at a number of features, or where the error on rows that were held out is least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.criteria.folds import make_folds
from fewer.core.criteria.splitters import splitter
from fewer.core.records.errors import InputError, RequirementError
from fewer.core.runners.fits import run_fits
from fewer.core.stop import Stop
from fewer.core.stop.wanted import Wanted
from fewer.core.views.view import View
from fewer.methods.embedded._columns import UnitColumns
from fewer.methods.embedded._elastic_net_path import ElasticNetPath
from fewer.methods.embedded._lars_en import lars_en

# Fractions of the largest L1 norm at which errors are compared.
FRACTIONS = np.linspace(0.0, 1.0, 101)


@dataclass(frozen=True)
class PathFolds:
    """Predicts held-out rows along a path, once per fold; what runs on workers.

    Attributes
    ----------
    X, y : ndarray
        All rows.
    splits : list of (ndarray, ndarray)
        Rows to learn from and rows to test on.
    l2 : sequence of float
        Second penalties; fold ``i`` of penalty ``p`` has the number ``p * n_folds + i``.
    steps : int or None
        Knots behind the first at which errors are wanted; None for `FRACTIONS` of the L1 norm.
    max_steps, last_l1 : int or None, float
        Where paths end.
    naive : bool
        Whether coefficients are those of the naive elastic net.
    """

    X: np.ndarray
    y: np.ndarray
    splits: list[tuple[np.ndarray, np.ndarray]]
    l2: tuple[float, ...]
    steps: int | None
    max_steps: int | None
    last_l1: float
    naive: bool

    def __call__(self, number: int) -> np.ndarray:
        """Return the mean squared error at every place of one fold and penalty."""
        l2, (train, test) = self.l2[number // len(self.splits)], self.splits[number % len(self.splits)]
        unit = UnitColumns.of(self.X[train], self.y[train])
        path = lars_en(unit.rows, unit.target, l2, self.max_steps, last_l1=self.last_l1)
        ever, beta = path.table()
        at_knots = unit.predicted(self.X[test], beta / (1.0 + l2 if self.naive else 1.0), ever)
        if self.steps is not None:
            predicted = at_knots[:, np.minimum(np.arange(self.steps + 1), len(path) - 1)]
        else:
            norms = path.norms / max(path.norms[-1], np.finfo(float).tiny)
            predicted = np.array([np.interp(FRACTIONS, norms, row) for row in at_knots])
        return ((self.y[test, None] - predicted) ** 2).mean(axis=0)


@dataclass(frozen=True, eq=False)
class Errors:
    """Errors of one second penalty along its path: mean over all tested rows, and its standard error over folds."""

    mean: np.ndarray
    deviation: np.ndarray

    def least(self, allowed: np.ndarray, parsimonious: bool) -> int:
        """Return the first allowed place with the least error, or the first within one standard error of it."""
        error = np.where(allowed, self.mean, np.inf)
        best = int(np.argmin(error))
        if not parsimonious:
            return best
        return int(np.flatnonzero(error <= error[best] + self.deviation[best])[0])


def errors_along(data: View, cv: Any, folds_of: Any, n_penalties: int, name: str) -> list[Errors]:
    """Return the errors of every second penalty, over folds that run side by side.

    Parameters
    ----------
    data : View
        All rows, in memory.
    cv : int, splitter, list of splits or None
        How rows are held out.
    folds_of : callable
        Makes the work of the splits.
    n_penalties : int
        How many second penalties there are.
    name : str
        Told to whoever listens to progress.
    """
    splits = make_folds(data, splitter(cv, data), data.classes is not None, {"groups": data.groups}).splits
    if min(len(train) for train, _ in splits) < 2:
        raise InputError(f"{name} got cv={cv!r}, but some fold leaves one row to learn from; pass fewer folds.")
    found = run_fits(data.run, folds_of(splits), range(n_penalties * len(splits)), what=name)
    tested = np.array([len(test) for _, test in splits], dtype=float)
    out = []
    for first in range(0, len(found), len(splits)):
        folds = np.array(found[first : first + len(splits)])
        spread = folds.std(axis=0, ddof=1) if len(splits) > 1 else np.zeros(folds.shape[1])
        out.append(Errors(tested @ folds / tested.sum(), spread / np.sqrt(len(splits))))
    return out


def sizes_wanted(name: str, size: Stop, n_features: int) -> Wanted:
    """Return the sizes that a rule allows; raise if it speaks of steps, which a path takes by itself."""
    wanted = size.wanted(n_features)
    if any(limit is not None for limit in (wanted.gain, wanted.patience, wanted.seconds, wanted.evaluations)):
        raise RequirementError(
            f"{name} follows its path to the end and takes a number of features, a range, 'best' or 'parsimonious', "
            f"but got the rule {str(size)!r}; pass one of those."
        )
    return wanted


def first_of_size(path: ElasticNetPath, n: int) -> int:
    """Return the first knot at which so many features have coefficients, or the last knot."""
    reached = np.flatnonzero(path.sizes >= n)
    return int(reached[0]) if len(reached) else len(path) - 1
