"""Columns made of features: their powers, or all products of them up to a degree."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError
from fewer.core.summaries.products import ProductsWithTarget
from fewer.core.summaries.results import TargetProducts
from fewer.core.views.blocks import DenseBlock
from fewer.core.views.view import View

# Columns of a full expansion; at this number a step of a search takes about as long as reading as many features.
MOST_COLUMNS = 200_000
# Factors of all columns; 800 MB.
MOST_FACTORS = 100_000_000
# Larger numbers have up to thousands of digits, of which none matters.
MOST_COUNTED = 10**15
# A factor that is not there.
NONE = -1


@dataclass(frozen=True, eq=False)
class MonomialBlock:
    """Rows whose columns are products of features, made where they are read and never all at once.

    ``X`` (n_rows, n_features + 1) holds the features divided by their largest size, so that no power overflows, and
    ones as its last column. Line j of ``factors`` (n_columns, degree) numbers the features whose product is column j,
    -1 in the place of missing factors.
    """

    X: np.ndarray
    factors: np.ndarray
    y: np.ndarray | None = None
    weight: np.ndarray | None = None
    kind = "monomials"

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.factors.shape[0])

    def take(self, start: int, stop: int) -> np.ndarray:
        """Return columns ``start`` to ``stop``, (n_rows, stop - start)."""
        factors = self.factors[start:stop]
        product = np.take(self.X, factors[:, 0], axis=1)
        for k in range(1, int((factors != NONE).sum(axis=1).max(initial=1))):
            product *= np.take(self.X, factors[:, k], axis=1)
        return product

    def column(self, j: int) -> np.ndarray:
        """Return one column."""
        return self.take(j, j + 1)[:, 0]


@dataclass(frozen=True)
class MonomialProducts(ProductsWithTarget):
    """Centred sums of squares and products of every product of features with a numeric target."""

    requires: tuple[str, ...] = ("monomials",)  # type: ignore[assignment]

    def bytes_per_feature(self, block: Any) -> int:
        """A tile of columns, and the factor by which it is multiplied, are held beside the features."""
        return 16 * int(block.n_rows)

    def tile(self, block: Any, start: int, stop: int) -> TargetProducts:
        """Summarise columns ``start`` to ``stop``."""
        return super().tile(DenseBlock(block.take(start, stop), block.y, block.weight), 0, stop - start)


def powers(features: np.ndarray, degree: int) -> np.ndarray:
    """Return the factors of the powers 1 to ``degree`` of some features, all first powers first (eq. 9)."""
    factors = np.full((degree, len(features), degree), NONE, dtype=np.int64)
    for power in range(degree):
        factors[power, :, : power + 1] = features[:, None]
    return factors.reshape(-1, degree)


def monomials(features: np.ndarray, degree: int) -> np.ndarray:
    """Return the factors of all products of 1 to ``degree`` of some features, of lower degree first."""
    parts = []
    for size in range(1, degree + 1):
        chosen = np.array(list(combinations_with_replacement(features.tolist(), size)), dtype=np.int64)
        parts.append(np.pad(chosen.reshape(-1, size), ((0, 0), (0, degree - size)), constant_values=NONE))
    return np.concatenate(parts)


def n_monomials(n_features: int, degree: int) -> int:
    """Return how many products of 1 to ``degree`` of the features there are."""
    return math.comb(n_features + degree, degree) - 1


def refuse_too_many(name: str, n_features: int, degree: int, expansion: str) -> None:
    """Raise when a full expansion has more columns than can be searched, or any more factors than memory holds."""
    n_columns = n_features * degree
    if expansion == "full":
        # Exact up to 50; beyond, a lower bound that is large enough.
        n_columns = math.comb(n_features + degree, min(n_features, degree, 50)) - 1
        if n_columns > MOST_COLUMNS:
            shown = f"{n_columns:,}" if n_columns <= MOST_COUNTED else f"more than {MOST_COUNTED:,}"
            raise InputError(
                f"{name} with expansion='full' and degree={degree} makes {shown} columns of {n_features:,} features, "
                f"but takes at most {MOST_COLUMNS:,}; choose a lower degree or expansion='simplified', or keep fewer "
                "features first."
            )
    if n_columns * degree > MOST_FACTORS:
        raise InputError(
            f"{name} with degree={degree} makes {n_columns:,} columns of {n_features:,} features, each of up to "
            f"{degree} factors, but takes at most {MOST_FACTORS:,} factors; choose a lower degree, or keep fewer "
            "features first."
        )


def expanded(view: View, factors: np.ndarray) -> View:
    """Return the rows of a dense view with products of its features as columns."""

    def change(block: Any) -> MonomialBlock:
        X = np.ones((block.n_rows, block.n_features + 1))
        X[:, :-1] = block.X
        # A correlation does not depend on the scale, and products of numbers up to 1 cannot overflow.
        peak = np.abs(X).max(axis=0)
        X /= np.where(peak > 0, peak, 1.0)
        return MonomialBlock(X, factors, block.y, block.weight)

    return replace(
        view,
        blocks=view.run.place(view.blocks, change),
        kind="monomials",
        n_features=len(factors),
        nominal=np.zeros(len(factors), bool),
        labels={},
        names=None,
        _memo={},
    )
