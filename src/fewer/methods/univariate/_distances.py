"""Sums over the distances of all pairs of rows, from which distance correlations follow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.kernels import distance_products as kernels
from fewer.core.views.unit_columns import unit_columns
from fewer.core.views.view import View

# What is left of terms that cancel, as a fraction of them and per row, is rounding below this.
ROUNDING = 8.0 * np.finfo(float).eps


@dataclass(frozen=True, eq=False)
class Distances:
    """What is known of the distances of one variable: sums of every row, their sum, and the sum of squares."""

    rows: np.ndarray
    whole: float
    squares: float

    @classmethod
    def of(cls, values: np.ndarray) -> Distances:
        """Sum up the distances of sorted numbers with mean 0."""
        rows = np.empty(len(values))
        return cls(rows, kernels.distance_sums(values, rows), 2.0 * len(values) * float(values @ values))

    def covariance(self, other: Distances, products: float, rows: float, corrected: bool) -> float:
        """Return dCov² from the sum of products of distances and that of sums of rows.

        Biased (Szekely and others 2007, definition 4), or corrected (Szekely and Rizzo 2014, proposition 1), which
        needs four rows. 0 if it is within rounding: the corrected variance of a column of which all rows but one are
        equal is 0, and a quotient of two such rests could be anything.
        """
        n, wholes = len(self.rows), self.whole * other.whole
        if corrected and n <= 3:
            return 0.0
        by_row, by_whole, pairs = (n - 2, (n - 1) * (n - 2), n * (n - 3)) if corrected else (n, n * n, n * n)
        terms = (products, 2.0 * rows / by_row, wholes / by_whole)
        left = terms[0] - terms[1] + terms[2]
        if abs(left) <= ROUNDING * n * sum(terms):
            return 0.0
        return (left if corrected else max(0.0, left)) / pairs

    def correlation(self, other: Distances, products: float, rows: float, corrected: bool) -> float:
        """Return dCov² over the root of both distance variances, 0 of a constant; at most 1."""
        first, second = (
            one.covariance(one, one.squares, float(one.rows @ one.rows), corrected) for one in (self, other)
        )
        if not (first > 0.0 and second > 0.0):
            return 0.0
        return min(1.0, self.covariance(other, products, rows, corrected) / np.sqrt(first * second))


def standard(column: np.ndarray, deviation: float) -> np.ndarray:
    """Return a column with mean 0 and deviation 1, all 0 of a constant."""
    return (column - column.mean()) / deviation if deviation > 0 else np.zeros(len(column))


class TargetDistances:
    """The distances of a target, |y - y'| of numbers and 1 between classes; rows are sorted by it.

    Attributes
    ----------
    order : ndarray of int
        What sorts the target.
    own : Distances
        Its distances, in that order.
    """

    def __init__(self, view: View) -> None:
        y = np.asarray(view.whole().y)
        self.order, self.n_classes = np.argsort(y, kind="stable"), view.n_classes
        self.y = y[self.order]
        if self.n_classes:
            rows = len(y) - np.bincount(self.y)[self.y].astype(np.float64)
            self.own = Distances(rows, float(rows.sum()), float(rows.sum()))
        else:
            column, deviation = unit_columns(self.y[:, None])
            self.y = standard(column[0], float(deviation[0]))
            self.own = Distances.of(self.y)

    def products(self, x: np.ndarray, of_x: Distances, rows: np.ndarray) -> tuple[float, float]:
        """Return the sum of products of distances of all pairs, and of the sums of rows.

        ``rows`` are the places in the sorted target of the rows of ``x``, which is sorted.
        """
        if self.n_classes:
            total = of_x.whole - kernels.distance_within(x, self.y[rows], self.n_classes)
        else:
            total = kernels.distance_product(x, self.y[rows], np.empty((4, len(x))))
        return total, float(of_x.rows @ self.own.rows[rows])
