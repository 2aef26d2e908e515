"""A labelled vector quantizer: code vectors with classes, of which the nearest answers."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from fewer.core.estimators.classifier import BaseClassifier

ROWS_AT_ONCE = 4096


class LabelledQuantizer(BaseClassifier):
    """Base of classifiers by the nearest code vector (defs. 6.1 to 6.3). `_learn` sets what is below.

    Attributes
    ----------
    code_vectors_ : ndarray of shape (n_prototypes, n_features)
        The code vectors, in units of the features.
    code_labels_ : ndarray of int of shape (n_prototypes,)
        Places of their classes in ``classes_``.
    mean_, scale_ : ndarray of shape (n_features,)
        Distances are those of features less the mean, divided by the scale.
    """

    code_vectors_: np.ndarray
    code_labels_: np.ndarray
    mean_: np.ndarray
    scale_: np.ndarray

    def _votes(self, rows: np.ndarray) -> np.ndarray:
        """Return minus the squared distance to the nearest code vector of each class; -inf for a class without one."""
        votes = np.full((len(rows), len(self.classes_)), -np.inf)
        code = (self.code_vectors_ - self.mean_) / self.scale_
        for at in range(0, len(rows), ROWS_AT_ONCE):
            away = cdist((rows[at : at + ROWS_AT_ONCE] - self.mean_) / self.scale_, code, "sqeuclidean")
            for c in np.unique(self.code_labels_):
                votes[at : at + ROWS_AT_ONCE, c] = -away[:, self.code_labels_ == c].min(axis=1)
        return votes


def plane_offset(rows: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return signed distances of rows from the plane halfway between two vectors, above 0 on the side of the first.

    Examples
    --------
    >>> plane_offset(np.array([[3.0, 5.0]]), np.array([2.0, 0.0]), np.array([0.0, 0.0])).tolist()
    [2.0]
    """
    way = first - second
    return (rows - (first + second) / 2) @ way / np.sqrt(way @ way)


def on_plane(rows: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the nearest points of the plane halfway between two vectors (t_ij of section 6.3)."""
    way = first - second
    return rows - plane_offset(rows, first, second)[:, None] * way / np.sqrt(way @ way)
