"""The merit of correlation-based selection."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.criteria.shapes import Columns, SubsetScore, inside, outside, sorted_members
from fewer.core.criteria.uncertainties import Uncertainties
from fewer.core.measures._tables import ratio
from fewer.core.views.view import View

# Merits are rounded to this many decimals, so that round-off does not choose between features of equal merit.
DECIMALS = 12


def merit(with_class: Any, n_features: Any, among: Any) -> Any:
    """Return the merit of subsets from the sum of r_cf, their size and the sum of r_ff over their pairs.

    k mean(r_cf) / sqrt(k + k (k - 1) mean(r_ff)) is the first sum over the root of k and twice the second; 0 of none.
    """
    return np.round(ratio(with_class, np.sqrt(np.maximum(n_features + 2.0 * among, 0.0))), DECIMALS)


class Merit(SubsetScore):
    r"""The merit of correlation-based selection, :math:`k \bar r_{cf} / \sqrt{k + k (k - 1) \bar r_{ff}}`.

    r is the symmetrical uncertainty of a feature and the class, or of two features. No subset is worth 0. Not monotone.
    """

    requires: tuple[str, ...] = ("codes", "sparse codes")

    def value(self, view: View, subset: Columns) -> float:
        """Return the merit of a subset."""
        members = sorted_members(subset)
        return float(self._merits(view, members, np.zeros(1), np.zeros(1), len(members))[0])

    def values_added(self, view: View, subset: Columns, candidates: Columns) -> np.ndarray:
        """Return the merit with each of the candidates."""
        members, candidates = outside(subset, candidates)
        known = Uncertainties.of(view)
        pairs = np.sum([known.row(int(j))[candidates] for j in members], axis=0) + np.zeros(len(candidates))
        return self._merits(view, members, known.with_classes[candidates], pairs, len(members) + 1)

    def values_removed(self, view: View, subset: Columns, candidates: Columns) -> np.ndarray:
        """Return the merit without each of the candidates."""
        members, candidates = inside(subset, candidates)
        known = Uncertainties.of(view)
        # A feature is not a pair with itself.
        pairs = np.array([known.row(int(j))[members[members != j]].sum() for j in candidates])
        return self._merits(view, members, -known.with_classes[candidates], -pairs, len(members) - 1)

    def _merits(self, view: View, members: np.ndarray, classes: np.ndarray, pairs: np.ndarray, size: int) -> np.ndarray:
        """Return the merits when the sums over a subset change by so much."""
        known = Uncertainties.of(view)
        among = sum(float(known.row(int(j))[members[k + 1 :]].sum()) for k, j in enumerate(members))
        return merit(known.with_classes[members].sum() + classes, size, among + pairs)
