"""How similar columns are to each other: correlations of values or ranks, Cramer's V and symmetrical uncertainty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.criteria.uncertainties import Uncertainties
from fewer.core.measures import chi2, correlation_ratio, pearson
from fewer.core.measures._tables import ratio
from fewer.core.records.rounding import steady
from fewer.core.summaries.counts import PairCounts, TargetCounts
from fewer.core.summaries.moments import ClassMoments
from fewer.core.summaries.products import FeatureProducts, ProductsWithTarget
from fewer.core.summaries.results import Counts
from fewer.core.views.column_ranks import column_ranks
from fewer.core.views.spread import check_moments
from fewer.core.views.view import View

SIMILARITIES = ("pearson", "spearman", "cramer", "su")
# Those of levels.
OF_LEVELS = ("cramer", "su")


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

    @property
    def constant(self) -> np.ndarray:
        """Which columns have one value."""
        return self.spread == 0

    def row(self, j: int) -> np.ndarray:
        """Return the correlations of a column with all; at most 1 but for rounding."""
        scale = self.spread[j] * self.spread
        return np.divide(self.c[j], scale, out=np.zeros(len(scale)), where=scale > 0)


class CramersV:
    """Cramer's V of the columns of a codes view, sqrt(chi-squared / (n (the smaller number of levels - 1)))."""

    def __init__(self, view: View) -> None:
        self.view = view
        # Without a target all rows are of one class.
        counts = view.fold(TargetCounts(max(1, view.n_classes)))
        self.levels, self.constant = counts.occurring, counts.occurring < 2
        self.rows = float(counts.of(0).sum())
        self.with_classes = self._of(counts, int(np.count_nonzero(counts.of(0).sum(axis=0))))

    def row(self, j: int) -> np.ndarray:
        """Return V of every column and column ``j``; 0 with a constant."""
        return self._of(self.view.run.fold(PairCounts(j), self.view.blocks), int(self.levels[j]))

    def _of(self, counts: Counts, levels: int) -> np.ndarray:
        fewest = np.minimum(self.levels, levels) - 1.0
        return np.sqrt(np.minimum(ratio(chi2(counts), self.rows * fewest), 1.0))


class SimilarColumns:
    """How similar the columns of a view are, whatever the sign, to about twelve digits, row by row.

    Parameters
    ----------
    view : View
        Numbers for correlations, levels for "cramer" and "su"; in memory, unless for "pearson".
    similarity : str
        One of `SIMILARITIES`.
    """

    def __init__(self, view: View, similarity: str) -> None:
        if similarity in OF_LEVELS and view.classes is None:
            # Joint tables are counted class by class; without a target all rows are of one.
            view = view.with_classes(np.zeros(view.n_rows, np.int64), np.arange(1))
        if similarity == "spearman":
            view = view.with_numbers(column_ranks(view.whole().X, view.run)[0].T)
        self.view, self._known = view, _known(view, similarity)
        self.constant: np.ndarray = self._known.constant

    def row(self, j: int) -> np.ndarray:
        """Return how similar every column is to column ``j``, from 0 to 1; 0 with itself and with constants."""
        row = np.minimum(steady(np.abs(self._known.row(j))), 1.0)
        row[self.constant | self.constant[j]] = row[j] = 0.0
        return row

    def with_target(self) -> np.ndarray:
        """Return how similar every column is to the target; for a correlation and classes the root of eta squared."""
        if not isinstance(self._known, Correlations):
            return steady(self._known.with_classes)
        if self.view.classes is not None:
            return steady(np.sqrt(correlation_ratio(self.view.fold(ClassMoments(self.view.n_classes)))))
        return steady(np.abs(pearson(self.view.fold(ProductsWithTarget()))))


def _known(view: View, similarity: str) -> Correlations | CramersV | Uncertainties:
    if similarity in OF_LEVELS:
        return CramersV(view) if similarity == "cramer" else Uncertainties.of(view)
    return Correlations.of(view)


def similarity_matrix(view: View, similarity: str, signed: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return how similar all columns are, to about twelve digits, and which are constant.

    Parameters
    ----------
    view : View
        Numbers for correlations, levels for "cramer" and "su"; in memory, unless for "pearson".
    similarity : {"pearson", "spearman", "cramer", "su"}
        Correlation of values or of ranks, Cramer's V or symmetrical uncertainty of levels.
    signed : bool, default=False
        Whether opposite columns are dissimilar, rather than as similar as equal ones.

    Returns
    -------
    similar : ndarray of shape (n_features, n_features)
        Symmetric, 1 on the diagonal; 0 for constant columns.
    constant : ndarray of bool of shape (n_features,)
        Which columns are constant.
    """
    found = SimilarColumns(view, similarity)
    values = np.stack([found._known.row(j) for j in range(view.n_features)])
    constant = found.constant
    values = values if signed else np.abs(values)
    values = np.clip(steady((values + values.T) / 2), -1.0, 1.0)
    values[constant] = values[:, constant] = 0.0
    np.fill_diagonal(values, 1.0)
    return values, constant
