"""What a subset of columns is worth by the clusters that a mixture of Gaussians finds in it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from fewer.core.clustering.gaussian_merging import bic_gaussians
from fewer.core.clustering.gaussians import Climb, fit_gaussians
from fewer.core.clustering.standard_columns import standard_columns
from fewer.core.criteria.shapes import Columns, SubsetScore, sorted_members
from fewer.core.measures.partitions import scatter_separability
from fewer.core.records.rounding import steady
from fewer.core.views.view import View

# Divisions that are kept; a search asks again only for those of its last steps.
KEPT = 4
# By which part of its size a value must be larger to win, where climbs end exactly.
STRICTLY = 1e-9


@dataclass(eq=False)
class Divisions:
    """Standard columns of a view, and the divisions of the rows that were found in some of them."""

    Z: np.ndarray
    constant: np.ndarray
    known: dict[tuple[int, ...], np.ndarray] = field(default_factory=dict)
    comparisons: list[dict[str, float]] = field(default_factory=list)

    @property
    def varying(self) -> np.ndarray:
        """Columns that are not constant."""
        return np.flatnonzero(~self.constant)


class ClusterScore(SubsetScore):
    """Separability or likelihood of the clusters of a subset, in its own columns or in all.

    Parameters
    ----------
    objective : {"separability", "likelihood"}
        What is computed of columns and a division of the rows.
    in_all : bool
        Whether that is done in all columns, for the division that was found in the subset.
    n_clusters : int or None
        Number of clusters; None chooses it by BIC for every subset.
    max_clusters : int
        Where the merging begins.
    n_starts : int
        Sub-samples to start from.
    how : Climb
        How mixtures are fitted.
    seed : int
        Draws the same rows for every subset, so that values do not depend on the way to it.
    """

    requires = ("dense",)
    parallel_values = True
    by_one = False

    def __init__(
        self,
        objective: str,
        in_all: bool,
        n_clusters: int | None,
        max_clusters: int,
        n_starts: int,
        how: Climb,
        seed: int,
    ) -> None:
        self.objective, self.in_all, self.n_clusters, self.max_clusters = objective, in_all, n_clusters, max_clusters
        self.n_starts, self.how, self.seed = n_starts, how, seed

    def value(self, view: View, subset: Columns) -> float:
        """Return what the clusters of a subset are worth; constant columns add nothing."""
        found = self.prepare(view)
        members = self._members(found, subset)
        columns = found.varying if self.in_all else members
        return self.projected(view, columns, self.division(view, members))

    def division(self, view: View, subset: Columns) -> np.ndarray:
        """Return to which part every row belongs to each cluster of a subset."""
        found = self.prepare(view)
        members = self._members(found, subset)
        key = tuple(members.tolist())
        if not key:
            return np.ones((view.n_rows, 1))
        known = found.known.get(key)
        if known is None:
            known = self._divided(np.ascontiguousarray(found.Z[:, members]))
            # Several threads may come here; each finds the same.
            for old in list(found.known)[: max(len(found.known) + 1 - KEPT, 0)]:
                found.known.pop(old, None)
            found.known[key] = known
        return known

    def projected(self, view: View, columns: Columns, division: np.ndarray) -> float:
        """Return what a division is worth in some columns; means and covariances are estimated there once more."""
        Z = np.ascontiguousarray(self.prepare(view).Z[:, sorted_members(columns)])
        if not Z.shape[1]:
            return 0.0
        if self.objective == "separability":
            value = scatter_separability(Z, division, self.how.ridge)
        else:
            value = fit_gaussians(Z, division, replace(self.how, max_iter=0)).log_likelihood(Z)
        # What is equal on paper shall not be told apart by rounding.
        return float(steady(np.array(value)))

    def normalized(self, view: View, one: Columns, other: Columns) -> tuple[float, float]:
        """Return the values of two subsets after each division was looked at in the columns of both.

        They are products for the separability and sums for the likelihood, whose logarithm it is.
        """
        found = self.prepare(view)
        subsets = [self._members(found, one), self._members(found, other)]
        out = []
        for members in subsets:
            division = self.division(view, members)
            values = [self.projected(view, columns, division) for columns in subsets]
            out.append(values[0] * values[1] if self.objective == "separability" else values[0] + values[1])
        return out[0], out[1]

    def prefers(self, view: View, larger: Columns, smaller: Columns) -> bool:
        """Return whether the larger of two subsets is strictly better; what was compared is written down."""
        a, b = self.normalized(view, larger, smaller)
        # Divisions that are equal on paper differ by what is left to climb.
        better = a > b + max(STRICTLY, self.how.tol) * abs(b)
        clusters = [self.division(view, columns).shape[1] for columns in (larger, smaller)]
        new = set(np.asarray(larger).tolist()) - set(np.asarray(smaller).tolist())
        self.prepare(view).comparisons.append(
            {
                "features": len(larger),
                "feature": min(new, default=-1),
                "clusters with it": clusters[0],
                "clusters without": clusters[1],
                "value with it": a,
                "value without": b,
                "better with it": int(better),
            }
        )
        return better

    def _members(self, found: Divisions, subset: Columns) -> np.ndarray:
        members = sorted_members(subset)
        return members[~found.constant[members]]

    def _divided(self, Z: np.ndarray) -> np.ndarray:
        fixed = self.n_clusters
        return bic_gaussians(
            Z,
            self.max_clusters if fixed is None else fixed,
            self.n_starts,
            np.random.default_rng(self.seed),
            self.how,
            min_components=1 if fixed is None else fixed,
        ).best.memberships

    def _prepare(self, view: View) -> Divisions:
        return Divisions(*standard_columns(view.whole().X))
