"""How similar columns are to each other: correlations of values or ranks, and symmetrical uncertainty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.criteria.uncertainties import Uncertainties
from fewer.core.records.rounding import steady
from fewer.core.summaries.moments import ClassMoments
from fewer.core.summaries.products import FeatureProducts
from fewer.core.views.column_ranks import column_ranks
from fewer.core.views.spread import check_moments
from fewer.core.views.view import View

SIMILARITIES = ("pearson", "spearman", "su")


@dataclass(frozen=True, eq=False)
class Correlations:
    """Pearson correlations of all columns, row by row; those of constant columns are 0.

    Attributes
    ----------
    c : ndarray of shape (n_features, n_features)
        Centred sums of products.
    spread : ndarray of shape (n_features,)
        Roots of the sums of squares, 0 of constant columns.
    """

    c: np.ndarray
    spread: np.ndarray

    @classmethod
    def of(cls, view: View) -> Correlations:
        """Return the correlations of the columns of a view, on any runner; refuse columns out of range."""
        products = view.fold(FeatureProducts())
        spread = np.sqrt(np.diag(products.c))
        view.check_finite(products.mean, spread)
        check_moments(view, view.fold(ClassMoments()))
        return cls(products.c, spread)

    def row(self, j: int, among: np.ndarray) -> np.ndarray:
        """Return the correlations of a column with those in a mask, 0 for others; at most 1 but for rounding."""
        scale = self.spread[j] * self.spread
        return np.divide(self.c[j], scale, out=np.zeros(len(scale)), where=among & (scale > 0))

    def matrix(self) -> np.ndarray:
        """Return all correlations."""
        everyone = np.ones(len(self.spread), bool)
        return np.stack([self.row(j, everyone) for j in range(len(self.spread))])


def similarity_matrix(view: View, similarity: str, signed: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return how similar all columns are, to about twelve digits, and which are constant.

    Parameters
    ----------
    view : View
        Numbers for correlations, levels for "su"; in memory, unless for "pearson".
    similarity : {"pearson", "spearman", "su"}
        Correlation of values or of ranks, or symmetrical uncertainty of levels.
    signed : bool, default=False
        Whether opposite columns are dissimilar, rather than as similar as equal ones.

    Returns
    -------
    similar : ndarray of shape (n_features, n_features)
        Symmetric, 1 on the diagonal; 0 for constant columns.
    constant : ndarray of bool of shape (n_features,)
        Which columns are constant.
    """
    if similarity == "su":
        # Joint tables are counted class by class; without a target all rows are of one.
        view = view.with_classes(np.zeros(view.n_rows, np.int64), np.arange(1))
        known = Uncertainties.of(view)
        values, constant = np.stack([known.row(j) for j in range(view.n_features)]), known.constant
    else:
        if similarity == "spearman":
            view = view.with_numbers(column_ranks(view.whole().X, view.run)[0].T)
        found = Correlations.of(view)
        values, constant = found.matrix(), found.spread == 0
    values = values if signed else np.abs(values)
    values = np.clip(steady((values + values.T) / 2), -1.0, 1.0)
    values[constant] = values[:, constant] = 0.0
    np.fill_diagonal(values, 1.0)
    return values, constant
