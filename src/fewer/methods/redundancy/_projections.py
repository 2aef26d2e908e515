"""Columns seen beside a growing set of chosen columns: what lies along them and what is left."""

from __future__ import annotations

import numpy as np

# Core shares its floor of round-off, so that a constant column is constant in every family.
from fewer.core.measures._scatter import ROUND_OFF, above_noise
from fewer.core.summaries.products import ProductsWithTarget
from fewer.core.summaries.results import TargetProducts
from fewer.core.views.view import View

# What computes the products of the columns of a dense view.
OF_FEATURES = ProductsWithTarget()


class Projections:
    r"""Centred columns of length one, and the orthonormal directions of the chosen ones.

    With directions :math:`q_1, \dots, q_k` what is left of a column u is
    :math:`u - \sum_i \langle u, q_i \rangle q_i`, of squared length :math:`1 - \sum_i \langle u, q_i \rangle^2`. The
    columns themselves therefore never change: a step of modified Gram-Schmidt becomes one product of all columns with
    the new direction, and as the directions are orthogonal to the last digits, it loses as few.

    Parameters
    ----------
    view : View
        The columns; in memory.
    products : TargetProducts
        Their means and sums of squares.
    summary : ProductsWithTarget
        What computes their products with a direction.

    Attributes
    ----------
    varies : ndarray of bool
        Which columns are not constant.
    left : ndarray
        Fraction of the squared length of each column outside the span of the chosen ones, 0 for constant columns.
    chosen : list of int
        The columns in the span, in the order of joining.
    """

    def __init__(self, view: View, products: TargetProducts, summary: ProductsWithTarget = OF_FEATURES) -> None:
        self.view, self.summary = view, summary
        self.mean, self.origin = products.mean_x, np.asarray(products.origin_x)
        self.length = np.sqrt(above_noise(products.m2_x, np.abs(products.mean_x), products.weight))
        self.varies = self.length > 0
        self.left = self.varies.astype(float)
        self.chosen: list[int] = []
        self._directions = np.empty((min(view.n_rows, view.n_features), view.n_rows))

    @property
    def directions(self) -> np.ndarray:
        """The orthonormal directions, one per row."""
        return self._directions[: len(self.chosen)]

    @property
    def noise(self) -> float:
        """What rounding alone can leave of the product of a column with a vector, both of length one."""
        return ROUND_OFF * float(np.sqrt(self.view.n_rows * (1 + len(self.chosen))))

    def unit(self, j: int) -> np.ndarray:
        """Return column ``j``, centred and of length one."""
        return (self.view.whole().column(j) - self.origin[j] - self.mean[j]) / self.length[j]

    def include(self, j: int) -> tuple[np.ndarray, np.ndarray]:
        """Add column ``j`` to the span; return its direction and the coefficient of every column along it."""
        direction = self._outside(self.unit(j))
        along = self.view.with_target(direction).fold(self.summary).c_xy
        coefficients = np.divide(along, self.length, out=np.zeros_like(along), where=self.varies)
        self.left = np.maximum(self.left - coefficients**2, 0.0)
        self._directions[len(self.chosen)] = direction
        self.chosen.append(j)
        return direction, coefficients

    def _outside(self, vector: np.ndarray) -> np.ndarray:
        """Return the direction of what is left of a vector, orthogonal to all directions to the last digits."""
        for _ in range(3):
            # Not by BLAS, which would wake its threads for each of very many small products.
            along = np.einsum("ki,i->k", self.directions, vector)
            vector = vector - np.einsum("ki,k->i", self.directions, along)
            vector -= vector.mean()
            length = float(np.sqrt(vector @ vector))
            vector /= length
            # What loses half of its length also loses digits, and is taken out once more.
            if length > 0.5:
                break
        return vector

    def relatives(self, j: int, n_chosen: int) -> tuple[int, ...]:
        """Return those of the first ``n_chosen`` columns along whose direction column ``j`` mostly lies.

        These are the one with the largest squared coefficient and any other that has half of their sum.
        """
        squares = (self.directions[:n_chosen] @ self.unit(j)) ** 2
        order = np.argsort(-squares, kind="stable")
        halves = squares >= (0.5 - 1e-9) * squares.sum()
        return tuple(self.chosen[i] for place, i in enumerate(order) if place == 0 or halves[i])
