"""The two classes of a binary problem, side by side."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewer.core.measures._scatter import ROUND_OFF, above_noise, divisor
from fewer.core.records.errors import InputError
from fewer.core.summaries.results import Moments


class TwoClasses(NamedTuple):
    """Rows of class 0 and 1; per feature mean 1 - mean 0 and the sums of squares about the class means.

    ``rows`` has shape (2,), ``difference`` (n_features,), ``m2`` (n_features, 2).
    """

    rows: np.ndarray
    difference: np.ndarray
    m2: np.ndarray

    @property
    def mean_squares(self) -> np.ndarray:
        """The variances m2 / (n - 1) per class, m2 / n for a class that weighs less than two rows."""
        return self.m2 / np.where(self.rows > 0, divisor(self.rows, 1.0, self.rows >= 2), 1.0)


def two_classes(moments: Moments, asked_by: str) -> TwoClasses:
    """Take the moments apart, cleaned of round-off; a class that is absent has no rows and no difference."""
    n_features, n_classes = moments.mean.shape
    if n_classes > 2:
        raise InputError(
            f"{asked_by} got {n_classes} classes, but it compares two; merge classes, or use f_test or fisher_score."
        )
    rows = np.zeros(2)
    rows[:n_classes] = moments.weight
    if not (rows > 0).all():
        return TwoClasses(rows, np.zeros(n_features), np.zeros((n_features, 2)))
    size = np.abs(moments.mean).max(axis=1)
    difference = moments.mean[:, 1] - moments.mean[:, 0]
    difference = np.where(np.abs(difference) > ROUND_OFF * size, difference, 0.0)
    return TwoClasses(rows, difference, above_noise(moments.m2, size[:, None], rows))
