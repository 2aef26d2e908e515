"""Tests of independence by partial correlation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from scipy.special import ndtri

from fewer.core.criteria.independence_contract import Answers, IndependenceTest, Y, pair_of
from fewer.core.discretize.code_cache import keep_numbers
from fewer.core.kernels import partial_sets
from fewer.core.measures._pvalues import normal_two_sided
from fewer.core.measures._scatter import above_noise
from fewer.core.measures._tables import ratio
from fewer.core.records.errors import InputError, ParameterError, RequirementError
from fewer.core.summaries.column_products import ProductsWithColumns
from fewer.core.summaries.products import FeatureProducts, ProductsWithTarget
from fewer.core.summaries.results import Products, TargetProducts
from fewer.core.views.spread import SMALLEST, check_spread, check_target, spread_of
from fewer.core.views.view import View

# Up to so many features the products of all pairs are made in one pass (128 MB), and otherwise those with one column
# each, when it is first a target or given.
MOST_PAIRED = 4096
# Products with single columns that are made in one pass over the rows.
PASS_BYTES = 2**26
# What the given columns leave of the variance of a column that they determine, at most: rounding, not information.
DETERMINED = 1e-10
# A limit of the statistic is computed to about twelve digits; what lies beyond it by less is decided by its p-value.
MARGIN = 1.0 + 1e-9
# Behind the last column of a set.
NONE = -2


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
        if not isinstance(self.min_dof, Real) or not 1 <= self.min_dof < np.inf:
            raise ParameterError(
                f"FisherZ got min_dof={self.min_dof!r}, but the variance of z takes at least 1, and finitely many; "
                "choose 1 or more."
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
        anchors = (*given, target)
        products = self._products(view, Y in anchors)
        shared, varies = products.correlations(anchors, [*candidates, *anchors])
        left = varies.astype(np.float64)
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
        size, free = _sizes(shared[-1, :first], left[:first], left[-1:])
        return self._of(size, free, np.full(first, products.n_rows - rank - 3.0))

    def first_separating(
        self, view: View, x: int, target: int, givens: Sequence[tuple[int, ...]], alpha: float
    ) -> tuple[int, Answers]:
        """Ask about one pair given one set after another, in one loop over the correlations of all columns in them.

        Of these answers only the last is remembered: there may be millions.
        """
        if not givens:
            return super().first_separating(view, x, target, givens, alpha)
        sets = _lines(givens)
        self._check_question(view, [x], frozenset(np.unique(sets[sets >= Y]).tolist()), target)
        # The test is symmetric: where y is the candidate, the target takes its place, as in single questions.
        pair = (target, Y) if x == Y else (x, target)
        products = self._products(view, Y in (x, target) or bool((sets == Y).any()))
        (one, other), sets, table = products.table(pair, sets)
        n, limits = products.n_rows, _limits(products.n_rows, self.min_dof, sets.shape[1], alpha)
        out, start, place = np.empty((len(sets), 4)), 0, -1
        while start < len(sets) and place < 0:
            rest = (sets[start:], DETERMINED, *limits, out[start:])
            start += partial_sets.first_independent(table, one, other, *rest)
            answers = self._of(*_sizes(*out[:start, :3].T), n - out[:start, 3] - 3.0)
            # The loop also stops where the p-value is alpha but for rounding.
            place = start - 1 if answers.reliable[-1] and answers.pvalue[-1] > alpha else -1
        memory = self.memory(view)
        memory.asked += start
        memory.computed += start
        if place >= 0:
            row = tuple(column[place].item() for column in answers)
            memory.known.setdefault(frozenset(givens[place]), {})[pair_of(x, target)] = row
        return place, answers

    def _products(self, view: View, with_y: bool) -> _Products:
        kept = self.memory(view).kept
        if not (with_y in kept or True in kept):
            kept[with_y] = _Products(view, with_y)
        return kept[True] if True in kept else kept[with_y]

    def _of(self, size: np.ndarray, varies: np.ndarray, dof: np.ndarray) -> Answers:
        """Return what follows from partial correlations and the degrees of freedom."""
        whole, left = size > 1.0 - DETERMINED, np.maximum(dof, 0.0)
        z = np.where(whole, np.inf, np.sqrt(left) * np.arctanh(np.where(whole, 0.0, size)))
        z = np.where(dof > 0, z, 0.0)
        # Among as few rows as given columns, these determine any column, which says nothing about it.
        reliable = (dof > 0) & (~varies | (dof >= self.min_dof))
        return Answers(normal_two_sided(z), z, np.where(varies, left, 0.0), reliable)


def _sizes(shared: np.ndarray, left: np.ndarray, target_left: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return partial correlations of what the given columns left, without sign, and where anything is left."""
    varies = (left > DETERMINED) & (target_left > DETERMINED)
    size = np.zeros(len(left))
    np.divide(np.abs(shared), np.sqrt(np.maximum(left * target_left, 0.0)), out=size, where=varies)
    return size, varies


@lru_cache(maxsize=64)
def _limits(n_rows: float, min_dof: float, most: int, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Return by rank up to which partial correlation a set separates, or slightly above, and whether rows are left."""
    dof = n_rows - np.arange(most + 1) - 3.0
    z = -float(ndtri(alpha / 2.0)) * MARGIN
    return np.where(dof >= min_dof, np.tanh(z / np.sqrt(np.maximum(dof, 1.0))), -1.0), dof > 0


def _lines(givens: Sequence[tuple[int, ...]]) -> np.ndarray:
    """Return sets as lines of equal length, in ascending order, NONE behind the last."""
    width = max(map(len, givens))
    if all(len(given) == width for given in givens):
        return np.sort(np.array(givens, np.int64).reshape(len(givens), width), axis=1)
    return np.array([[*sorted(given), *[NONE] * (width - len(given))] for given in givens], np.int64)


class _Products:
    """Centred sums of products of columns; y, where it is asked for, comes last and so has number -1."""

    def __init__(self, view: View, with_y: bool) -> None:
        self.in_pairs = view.n_features <= MOST_PAIRED
        # Else the rows are asked again and again.
        self.view, self.with_y = view if self.in_pairs else keep_numbers(view), with_y
        self._whole: np.ndarray | None = None
        self._columns: dict[int, TargetProducts] = {}
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

    def correlations(self, anchors: Sequence[int], columns: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Return those of some columns (lines) with others, 0 where one is constant, and which others vary.

        Correlations, so that one tolerance fits all columns.
        """
        lines, asked = np.array(anchors), np.array(columns)
        spread = np.sqrt(self.squares)
        products = self._lines(lines, asked)
        return ratio(ratio(products, spread[asked]), spread[lines][:, None]), spread[asked] > 0

    def table(self, pair: tuple[int, int], sets: np.ndarray) -> tuple[tuple[int, int], np.ndarray, np.ndarray]:
        """Return correlations in one square, and before it a pair and sets by their numbers there.

        All of them, where products of all pairs are there; else those that are asked for, without the line of the
        first one of the pair, which nobody needs.
        """
        if self.in_pairs:
            if self._whole is None:
                everything = [*range(self.view.n_features), *[Y] * self.with_y]
                self._whole = self.correlations(everything, everything)[0]
            last = len(self._whole) - 1
            return (pair[0], last if pair[1] == Y else pair[1]), np.where(sets == Y, last, sets), self._whole
        inside = np.unique(sets[sets >= Y])
        asked = [pair[0], *inside.tolist(), pair[1]]
        shared, varies = self.correlations(asked[1:], asked)
        table = np.vstack([np.where(np.arange(len(asked)) == 0, varies[0], 0.0), shared])
        return (0, len(inside) + 1), np.where(sets >= Y, np.searchsorted(inside, sets) + 1, NONE), table

    def _lines(self, anchors: np.ndarray, columns: np.ndarray) -> np.ndarray:
        out = np.empty((len(anchors), len(columns)))
        plain = columns != Y
        if not self.in_pairs:
            self._read(anchors[anchors != Y].tolist())
        for line, j in zip(out, anchors.tolist()):
            if self.in_pairs and j != Y:
                line[plain] = self._pairs().c[j, columns[plain]]
            else:
                line[plain] = self._anchored(j).c_xy[columns[plain]]
            if not plain.all():
                y = self._anchored(Y)
                line[~plain] = y.m2_y if j == Y else y.c_xy[j]
        return out

    def _pairs(self) -> Products:
        return self.view.fold(FeatureProducts())

    def _anchored(self, j: int) -> TargetProducts:
        if j == Y:
            return self.view.fold(ProductsWithTarget())
        self._read([j])
        return self._columns[j]

    def _read(self, columns: list[int]) -> None:
        """Make the products with some columns, as far as they are not known, several in one pass over the rows."""
        new = [j for j in dict.fromkeys(columns) if j not in self._columns]
        step = max(1, PASS_BYTES // (40 * self.view.n_features))
        for start in range(0, len(new), step):
            some = tuple(new[start : start + step])
            found = self.view.fold(ProductsWithColumns(some))
            self._columns.update(zip(some, found))
