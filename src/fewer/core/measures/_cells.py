"""The four cells of a term against a class, as the scores of terms take them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from fewer.core.measures._tables import ratio
from fewer.core.records.errors import InputError
from fewer.core.summaries.term_counts import TermCounts


class Cells:
    """Documents with and without a term in a class (tp, fn) and outside it (fp, tn), with their sums, all float64."""

    def __init__(self, where: str, tp: ArrayLike, fn: ArrayLike, fp: ArrayLike, tn: ArrayLike) -> None:
        given = [np.asarray(cells, dtype=np.float64) for cells in (tp, fn, fp, tn)]
        # The sum is not finite if a cell is not.
        if any(cells.size and not (cells.min() >= 0 and np.isfinite(cells.sum())) for cells in given):
            raise InputError(
                f"{where} got numbers of documents that are negative, infinite or missing, but takes counts from 0; "
                "check tp, fn, fp and tn."
            )
        self.tp, self.fn, self.fp, self.tn = given
        self.positive, self.negative = self.tp + self.fn, self.fp + self.tn
        self.holding, self.lacking = self.tp + self.fp, self.fn + self.tn
        self.total = self.positive + self.negative

    def moderate(self) -> Cells:
        """Return cells whose products neither overflow nor vanish: these, or all times one power of two."""
        power = moderate_power(float(self.total.max(initial=0.0)))
        if power == 0:
            return self
        return Cells("moderate", *(np.ldexp(cells, power) for cells in (self.tp, self.fn, self.fp, self.tn)))

    @property
    def tpr(self) -> np.ndarray:
        """Fraction of the documents of the class that hold the term; 0 without such documents."""
        return ratio(self.tp, self.positive)

    @property
    def fpr(self) -> np.ndarray:
        """Fraction of the other documents that hold the term; 0 without such documents."""
        return ratio(self.fp, self.negative)

    @property
    def telling(self) -> np.ndarray:
        """Where something can be told: some documents hold the term and others lack it, in the class and outside."""
        return (self.holding > 0) & (self.lacking > 0) & (self.positive > 0) & (self.negative > 0)

    def where_two_sides(self, scores: np.ndarray) -> np.ndarray:
        """Return scores, or 0 for classes of no documents or of all."""
        return np.where((self.positive > 0) & (self.negative > 0), scores, 0.0)

    def where_telling(self, scores: np.ndarray, otherwise: float = 0.0) -> np.ndarray:
        """Return scores, or one number for terms that all documents hold, or none does."""
        return np.where(self.telling, scores, otherwise)


def moderate_power(largest: float) -> int:
    """Return by what power of two to multiply weights of documents so that products of four are doubles; mostly 0."""
    return 0 if largest == 0 or 2.0**-200 < largest < 2.0**200 else -int(np.frexp(largest)[1])


def exclusive(where: str, counts: TermCounts) -> TermCounts:
    """Return counts of classes that exclude each other; explain that a measure needs these."""
    if counts.exclusive:
        return counts
    raise InputError(
        f"{where} got documents with several labels, but takes classes that exclude each other; score every label "
        "against the rest and aggregate."
    )
