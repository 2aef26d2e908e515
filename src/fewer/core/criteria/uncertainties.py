"""Symmetrical uncertainties of features with the classes and with each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.criteria.joint_sums import JointSums
from fewer.core.measures._tables import ratio
from fewer.core.summaries.counts import TargetCounts
from fewer.core.views.view import View

# Rows of the matrix of feature pairs that are remembered, in bytes.
REMEMBERED = 64 * 2**20


class Uncertainties:
    r"""Symmetrical uncertainties :math:`SU(A, B) = 2 I(A; B) / (H(A) + H(B))` of a codes view, 0 if both are constant.

    Attributes
    ----------
    with_classes : ndarray of shape (n_features,)
        SU of every feature and the classes.
    constant : ndarray of bool, shape (n_features,)
        Which features have one level in all rows. Counted, because with weights an entropy of 0 is only nearly 0.
    """

    def __init__(self, view: View) -> None:
        self.sums = JointSums.of(view)
        self.constant = view.fold(TargetCounts(view.n_classes)).occurring < 2
        self.entropy = np.where(self.constant, 0.0, self.sums.entropy_of(self.sums.feature))
        self.class_entropy = float(self.sums.entropy_of(self.sums.classes))
        self.with_classes = self._of(self.sums.relevance, self.entropy, self.class_entropy)
        self._rows: dict[int, np.ndarray] = {}

    @classmethod
    def of(cls, view: View) -> Uncertainties:
        """Return the uncertainties of a view, made when first asked for."""
        if "uncertainties" not in view._memo:
            view._memo["uncertainties"] = cls(view)
        return view._memo["uncertainties"]

    def between(self, candidates: np.ndarray, j: int) -> np.ndarray:
        """Return SU of each listed feature and feature ``j``."""
        return self._of(self.sums.redundancy_of(candidates, j), self.entropy[candidates], self.entropy[j])

    def row(self, j: int) -> np.ndarray:
        """Return SU of every feature and feature ``j``; the last rows are remembered."""
        if j not in self._rows:
            while self._rows and 8 * len(self.entropy) * (len(self._rows) + 1) > REMEMBERED:
                self._rows.pop(next(iter(self._rows)))
            self._rows[j] = self._of(self.sums.redundancy_with(j), self.entropy, self.entropy[j])
        return self._rows[j]

    def of_pairs(self, candidates: np.ndarray, j: int) -> tuple[np.ndarray, np.ndarray]:
        """Return SU(pair, classes) for the pairs of the listed features with feature ``j``, and I(f; classes | j)."""
        terms = self.sums.terms_of(candidates, j)
        return self._of(terms.joint, terms.pair_entropy, self.class_entropy), terms.conditional

    def _of(self, information: np.ndarray, first: np.ndarray, second: Any) -> np.ndarray:
        return np.minimum(ratio(2.0 * information, first + second), 1.0)
