"""Importances of one fit after another: of the own forest, tree by tree, or of any estimator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from fewer.core.forest.binned import Binned, binned
from fewer.core.forest.importances import tree_importances
from fewer.core.importance.models import fitted, model_for, seen
from fewer.core.importance.native import native_importance, reports_importance
from fewer.core.importance.permuted import held_out_falls
from fewer.core.records.errors import InputError
from fewer.core.runners.fits import FitJournal, run_fits
from fewer.core.runners.runner import Runner
from fewer.core.views.column_types import with_copies
from fewer.core.views.view import View

# A forest is grown in so many parts, whatever the number of threads, so that sums of importances are always the same.
PARTS = 8
# A nominal column with more levels than this divides rows in bag so well by chance that no line is left for others.
MANY_LEVELS = 10


@dataclass(frozen=True)
class ForestSize:
    """Trees and depth of the own forest; without a number of trees, as many as let each column be drawn often."""

    n_trees: int | None = None
    max_depth: int = 5

    def trees(self, n_columns: int) -> int:
        """Return the number of trees for so many columns, of which each node looks at the root of their number."""
        often = int(100 * np.sqrt(n_columns) / self.max_depth)
        return max(PARTS, often) if self.n_trees is None else self.n_trees


@dataclass(frozen=True, eq=False)
class ForestFit:
    """Importances of a forest on codes; may be sent to another process."""

    data: Binned
    target: np.ndarray
    n_classes: int
    weight: np.ndarray | None
    size: ForestSize
    select: str = "in-bag"
    n_parts = PARTS

    @classmethod
    def of(cls, view: View, size: ForestSize) -> ForestFit:
        """Put the columns of a view into bins."""
        block = view.whole()
        weight = block.weight
        if weight is not None and (weight == weight[0]).all():
            # Equal weights are as good as none, to the last bit.
            weight = None
        return cls(binned(view), block.y, view.n_classes, weight, size)

    def with_target(self, target: np.ndarray) -> ForestFit:
        """Return the same for another target."""
        return replace(self, target=target)

    def fair(self) -> ForestFit:
        """Return the same, with splits that are evaluated out of bag if a nominal column has many levels."""
        levels = self.data.columns[self.data.nominal].max(axis=1, initial=0)
        return replace(self, select="own") if (levels >= MANY_LEVELS).any() else self

    def with_shadows(self, left: np.ndarray, shadows: np.ndarray, rng: np.random.Generator) -> ForestFit:
        """Return the same with some of the columns, and shuffled copies of some behind them."""
        kept, copied = self.data.some(left), self.data.some(shadows)
        codes = np.concatenate([kept.columns, rng.permuted(copied.columns, axis=1)]).T
        nominal, missing = (
            np.concatenate([getattr(part, name) for part in (kept, copied)]) for name in ("nominal", "missing")
        )
        return replace(self, data=Binned(codes, nominal, missing))

    def part(self, seed: int, part: int) -> np.ndarray:
        """Return the sum of importances over one part of the trees."""
        n_columns = self.data.codes.shape[1]
        numbers = range(part, self.size.trees(n_columns), self.n_parts)
        found = tree_importances(
            self.data,
            self.target,
            self.n_classes,
            numbers=numbers,
            seed=seed,
            max_features=max(1, int(np.sqrt(n_columns))),
            max_depth=self.size.max_depth,
            weight=self.weight,
            select=self.select,
        )
        return found.sum(axis=0)


@dataclass(frozen=True, eq=False)
class ModelFit:
    """Importances that an estimator reports; may be sent to another process."""

    model: Any
    X: Any
    target: np.ndarray
    fit_params: dict[str, Any]
    n_parts = 1

    @classmethod
    def of(cls, view: View, estimator: Any) -> ModelFit:
        """Prepare a copy of an estimator, whose own seeds do not count, for a view."""
        model = model_for(view, estimator)
        seeds = [name for name in model.get_params(deep=True) if name.rpartition("__")[2] == "random_state"]
        X, y, fit_params = seen(view, model)
        return cls(model.set_params(**dict.fromkeys(seeds)), X, y, fit_params)

    def with_target(self, target: np.ndarray) -> ModelFit:
        """Return the same for another target."""
        return replace(self, target=target)

    def part(self, seed: int, part: int) -> np.ndarray:
        """Return the importances: those that the model reports, or by permutation those of one that reports none."""
        whole = fitted(self.model, self.X, self.target, self.fit_params, seed)
        if reports_importance(whole):
            return native_importance(whole, self.X.shape[1])
        return held_out_falls(self.model, self.X, self.target, self.fit_params, seed)


def shadowed(view: View, estimator: Any, forest: ForestSize) -> Callable[..., ForestFit | ModelFit]:
    """Return what makes of columns, columns to copy and a generator the fit with shadows behind the columns."""
    if estimator is None:
        return ForestFit.of(view, forest).fair().with_shadows

    def made(left: np.ndarray, shadows: np.ndarray, rng: np.random.Generator) -> ModelFit:
        copied = view.columns(shadows)
        orders = rng.permuted(np.tile(np.arange(view.n_rows)[:, None], (1, len(shadows))), axis=0)
        return ModelFit.of(with_copies(view.columns(left), copied.reordered(orders)), estimator)

    return made


def importances(
    run: Runner, fit: ForestFit | ModelFit, seed: int, number: int, what: str, journal: FitJournal | None
) -> np.ndarray:
    """Return the importances of fit ``number`` of a series, each a fraction of their sum."""
    first = number * fit.n_parts
    parts = run_fits(
        run,
        partial(_part, fit, seed, first),
        range(first, first + fit.n_parts),
        what=what,
        journal=journal,
    )
    return fractions(np.sum(parts, axis=0))


def fractions(values: np.ndarray) -> np.ndarray:
    """Return importances as fractions of their sum."""
    total = values.sum()
    return values / total if total > 0 else values


def _part(fit: ForestFit | ModelFit, seed: int, first: int, number: int) -> np.ndarray:
    return fit.part(seed, number - first)


def seed_of(seed: int, number: int) -> int:
    """Return the seed of fit ``number`` of a series."""
    return int(np.random.default_rng([seed, number]).integers(2**31 - 1))


def first_seed(random_state: Any) -> int:
    """Return one whole number that stands for a seed, a generator or neither."""
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(np.random.default_rng(random_state).integers(2**31 - 1))


def varying(name: str, view: View) -> np.ndarray:
    """Return the columns that have more than one value, a missing one among them, or say that there are none."""
    X = view.whole().X
    with np.errstate(invalid="ignore"):
        same = (X[:1] == X).all(axis=0)
    if X.dtype.kind == "f":
        same |= np.isnan(X).all(axis=0)
    if same.all():
        raise InputError(
            f"{name} compares features with shuffled ones, but all {view.n_features} columns of X are constant, so "
            "that shuffling changes nothing; give at least one column with two values."
        )
    return np.flatnonzero(~same)


def equal_columns(view: View) -> np.ndarray | None:
    """Return for every column the number of the first one with the same values; None if no two are equal."""
    first: dict[bytes, int] = {}
    columns = np.ascontiguousarray(view.whole().X.T)
    out = np.array([first.setdefault(column.tobytes(), j) for j, column in enumerate(columns)])
    return None if len(first) == len(out) else out


def shared(values: np.ndarray, groups: np.ndarray | None) -> np.ndarray:
    """Return the mean over equal columns in place of each: a model has no reason to prefer one of them."""
    if groups is None:
        return values
    _, group = np.unique(groups, return_inverse=True)
    return (np.bincount(group, values) / np.bincount(group))[group]
