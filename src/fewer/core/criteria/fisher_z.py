"""Tests of independence by partial correlation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from fewer.core.criteria.independence_contract import Answers, IndependenceTest, Y
from fewer.core.measures._pvalues import normal_two_sided
from fewer.core.measures._scatter import above_noise
from fewer.core.measures._tables import ratio
from fewer.core.records.errors import InputError, ParameterError, RequirementError
from fewer.core.summaries.products import FeatureProducts, ProductsWithTarget
from fewer.core.summaries.results import Products, TargetProducts
from fewer.core.views.spread import SMALLEST, check_spread, check_target, spread_of
from fewer.core.views.view import View

# Up to so many features the products of all pairs are made in one pass (128 MB), and otherwise those with one column
# at a time, when it is first a target or given.
MOST_PAIRED = 4096
# What the given columns leave of the variance of a column that they determine, at most: rounding, not information.
DETERMINED = 1e-10


@dataclass(frozen=True)
class FisherZ(IndependenceTest):
    r"""Test by the partial correlation: :math:`z = \sqrt{N - |Z| - 3}\, \mathrm{artanh} |\rho|`, about normal.

    For numbers that are about jointly normal. The target of the view may be numeric, or two classes, which are taken
    as 0 and 1.

    Parameters
    ----------
    min_dof : float, default=10.0
        A test is reliable if N - \|Z\| - 3 is at least this; at least 1.

    Notes
    -----
    Z counts linearly independent columns only: one that the others determine (by all but 1e-10 of its variance) adds
    nothing to them, as with a pseudo-inverse. A candidate or target that is constant, or that the given columns
    determine, has nothing left to vary, so it is independent: z is 0, without degrees of freedom, the p-value is 1,
    and that is reliable. A
    partial correlation of 1 has an infinite z and p-value 0. Where N - \|Z\| - 3 is not above 0 the p-value is 1 and
    not reliable, whatever the columns: as many given columns as rows determine everything.

    Products of columns are sums of floats: on streams and clusters they agree with those in memory to about 1e-12.
    Weights count rows: N is their sum.

    References
    ----------
    .. [1] R. A. Fisher, "The distribution of the partial correlation coefficient", Metron 3, 1924.
    """

    min_dof: float = 10.0

    requires: ClassVar[tuple[str, ...]] = ("dense", "sparse")

    def __post_init__(self) -> None:
        if not isinstance(self.min_dof, Real) or not self.min_dof >= 1:
            raise ParameterError(
                f"FisherZ got min_dof={self.min_dof!r}, but the variance of z takes at least 1; choose 1 or more."
            )

    def check(self, view: View, columns: Sequence[int]) -> None:
        """Refuse nominal columns, and a target that is neither numeric nor of two classes."""
        nominal = [j for j in columns if j != Y and view.nominal[j]]
        if nominal:
            raise RequirementError(
                f"FisherZ was asked about column {view.name_of(nominal[0])}, which is nominal, but correlates numbers; "
                "leave it out, or use GTest."
            )
        if Y in columns and view.run.in_memory and view.whole().y is None:
            raise RequirementError(
                "FisherZ was asked about y, but the view has no target, only columns; name a column as the target."
            )
        if Y in columns and view.n_classes > 2:
            raise RequirementError(
                f"FisherZ was asked about y of {view.n_classes} classes, but correlates numbers or two classes; use "
                "GTest for more."
            )

    def answer(self, view: View, candidates: tuple[int, ...], given: tuple[int, ...], target: int) -> Answers:
        """Take the given columns out of all others one after another, always the one that has most left."""
        anchors, kept = (*given, target), self.memory(view).kept
        with_y = Y in anchors
        products = kept.get(with_y) or kept.setdefault(with_y, _Products(view, with_y))
        asked = np.array([*candidates, *anchors])
        # Correlations, so that one tolerance fits all columns; those of a constant are 0.
        spread = np.sqrt(products.squares[asked])
        shared = np.array([ratio(ratio(products.with_column(j)[asked], spread), spread[asked == j]) for j in anchors])
        left = (spread > 0).astype(np.float64)
        rank, first, to_take = 0, len(candidates), list(range(len(given)))
        while to_take:
            best = max(to_take, key=lambda k: left[first + k])
            to_take.remove(best)
            if left[first + best] <= DETERMINED:
                break
            slope = shared[best] / np.sqrt(left[first + best])
            shared = shared - np.outer(slope[first:], slope)
            left = left - slope**2
            rank += 1
        return self._of(shared[-1, :first], left[:first], float(left[-1]), products.n_rows - rank - 3.0)

    def _of(self, shared: np.ndarray, left: np.ndarray, target_left: float, dof: float) -> Answers:
        """Return what follows from products of what the given columns left."""
        varies = (left > DETERMINED) & (target_left > DETERMINED)
        size = np.zeros(len(left))
        np.divide(np.abs(shared), np.sqrt(np.maximum(left * target_left, 0.0)), out=size, where=varies)
        whole = size > 1.0 - DETERMINED
        z = np.where(whole, np.inf, np.sqrt(max(dof, 0.0)) * np.arctanh(np.where(whole, 0.0, size)))
        z = np.where(dof > 0, z, 0.0)
        # Among as few rows as given columns, these determine any column, which says nothing about it.
        reliable = (dof > 0) & (~varies | (dof >= self.min_dof))
        return Answers(normal_two_sided(z), z, np.where(varies, max(dof, 0.0), 0.0), reliable)


class _Products:
    """Centred sums of products of columns; y, where it is asked for, comes last and so has number -1."""

    def __init__(self, view: View, with_y: bool) -> None:
        self.view, self.with_y = view, with_y
        self.in_pairs = view.n_features <= MOST_PAIRED
        one: Any = self._pairs() if self.in_pairs else self._anchored(Y if with_y else 0)
        mean, squares = (one.mean, np.diag(one.c)) if self.in_pairs else (one.mean_x, one.m2_x)
        view.check_finite(squares)
        spread = spread_of(one.weight, mean, squares)
        check_spread(view, spread, (spread > 0) & (spread < SMALLEST))
        self.n_rows = float(one.weight)
        self.squares = above_noise(squares, np.abs(mean), one.weight)
        if with_y:
            y = self._anchored(Y)
            if not np.isfinite(y.m2_y):
                raise InputError(
                    "FisherZ got y with NaN, infinity or values whose squares overflow, but correlates finite numbers "
                    "up to about 1e150; fill in or drop them, or rescale."
                )
            check_target(y)
            self.squares = np.append(self.squares, above_noise(y.m2_y, abs(y.mean_y), y.weight))

    def with_column(self, j: int) -> np.ndarray:
        """Return the products of all columns with column ``j``."""
        if j == Y:
            y = self._anchored(Y)
            return np.append(y.c_xy, y.m2_y)
        products = self._pairs().c[j] if self.in_pairs else self._anchored(j).c_xy
        return np.append(products, self._anchored(Y).c_xy[j]) if self.with_y else products

    def _pairs(self) -> Products:
        return self.view.fold(FeatureProducts())

    def _anchored(self, j: int) -> TargetProducts:
        if j == Y:
            return self.view.fold(ProductsWithTarget())
        memo = self.view._memo
        if ("products", j) not in memo:
            other = replace(self.view, blocks=self.view.run.place(self.view.blocks, ColumnAsTarget(j)), _memo={})
            memo["products", j] = other.fold(ProductsWithTarget())
        return memo["products", j]


@dataclass(frozen=True)
class ColumnAsTarget:
    """Makes of a block the same block with one of its columns as the target."""

    column: int

    def __call__(self, block: Any) -> Any:
        """Copy the column of one block."""
        if block.kind == "sparse":
            return replace(block, y=block.X[:, [self.column]].toarray().ravel())
        return replace(block, y=np.array(block.X[:, self.column], dtype=np.float64))
