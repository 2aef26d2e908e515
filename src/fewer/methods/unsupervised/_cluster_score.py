"""What a subset of columns is worth by the clusters that a mixture of Gaussians finds in it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from scipy.stats import t as student

from fewer.core.clustering.gaussian_merging import bic_gaussians
from fewer.core.clustering.gaussians import Climb, fit_gaussians
from fewer.core.clustering.standard_columns import rounding_variances, standard_columns
from fewer.core.criteria.shapes import Columns, SubsetScore, sorted_members
from fewer.core.measures.partitions import scatter_separability, separability_rows
from fewer.core.records.rounding import steady
from fewer.core.views.view import View

# Divisions that are kept; a search asks again only for those of its last steps.
KEPT = 4
# By which part of its size a value must be larger to win, whatever the level of the test.
STRICTLY = 1e-9


@dataclass(eq=False)
class Divisions:
    """Standard columns of a view, and the divisions of the rows that were found in some of them."""

    Z: np.ndarray
    constant: np.ndarray
    rounding: np.ndarray
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
    alpha : float
        Level of the test that the larger of two subsets must pass; 1 takes every gain.
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
        alpha: float,
        seed: int,
    ) -> None:
        self.objective, self.in_all, self.n_clusters, self.max_clusters = objective, in_all, n_clusters, max_clusters
        self.n_starts, self.how, self.alpha, self.seed = n_starts, how, alpha, seed

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
            known = self._divided(np.ascontiguousarray(found.Z[:, members]), self._how(found, members))
            # Several threads may come here; each finds the same.
            for old in list(found.known)[: max(len(found.known) + 1 - KEPT, 0)]:
                found.known.pop(old, None)
            found.known[key] = known
        return known

    def projected(self, view: View, columns: Columns, division: np.ndarray) -> float:
        """Return what a division is worth in some columns; means and covariances are estimated there once more."""
        found, members = self.prepare(view), sorted_members(columns)
        Z, how = np.ascontiguousarray(found.Z[:, members]), self._how(found, members)
        if not Z.shape[1]:
            return 0.0
        if self.objective == "separability":
            value = scatter_separability(Z, division, how.ridge)
        else:
            value = fit_gaussians(Z, division, replace(how, max_iter=0)).log_likelihood(Z)
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

    def chance(self, view: View, larger: Columns, smaller: Columns, gain: float) -> float:
        """Return the p-value of what the larger of two subsets gains over the smaller, by Student's t.

        Every row has its influence on both values; how much the differences vary is the error of the gain. Of
        likelihoods this is the test of Vuong (1989). The clusters are those that were found.
        """
        found = self.prepare(view)
        subsets = [self._members(found, larger), self._members(found, smaller)]
        apart = np.zeros(view.n_rows)
        for sign, members in zip((1.0, -1.0), subsets):
            division = self.division(view, members)
            apart += sign * self._influence(found, subsets, division)
        error = float(apart.std()) / float(np.sqrt(len(apart)))
        if not error > 0:
            return 0.0 if gain > 0 else 1.0
        return float(student.sf(gain / error, max(len(apart) - 1, 1)))

    def _influence(self, found: Divisions, subsets: list[np.ndarray], division: np.ndarray) -> np.ndarray:
        """Return the influence of every row on the value of a division in two subsets."""
        rows, values = [], []
        for members in subsets:
            Z, how = np.ascontiguousarray(found.Z[:, members]), self._how(found, members)
            if not Z.shape[1]:
                rows.append(np.zeros(len(Z)))
                values.append(0.0)
            elif self.objective == "separability":
                rows.append(separability_rows(Z, division, how.ridge))
                values.append(scatter_separability(Z, division, how.ridge))
            else:
                rows.append(len(Z) * fit_gaussians(Z, division, replace(how, max_iter=0)).log_densities(Z))
        if self.objective == "separability":
            return values[1] * rows[0] + values[0] * rows[1]
        return rows[0] + rows[1]

    def prefers(self, view: View, larger: Columns, smaller: Columns, n_tried: int = 1) -> bool:
        """Return whether the larger of two subsets, the best of so many, is better; what was compared is kept."""
        a, b = self.normalized(view, larger, smaller)
        p = self.chance(view, larger, smaller, a - b)
        # Sidak: the best of several must be better by more than one would.
        level = -np.expm1(np.log1p(-self.alpha) / n_tried) if self.alpha < 1 else 1.0
        better = bool(a > b + STRICTLY * abs(b) and p <= level)
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
                "p-value": p,
                "better with it": int(better),
            }
        )
        return better

    def _how(self, found: Divisions, members: np.ndarray) -> Climb:
        """Return how mixtures are fitted in some columns: rounding blurs them, too."""
        return replace(self.how, ridge=self.how.ridge + found.rounding[members])

    def _members(self, found: Divisions, subset: Columns) -> np.ndarray:
        members = sorted_members(subset)
        return members[~found.constant[members]]

    def _divided(self, Z: np.ndarray, how: Climb) -> np.ndarray:
        fixed = self.n_clusters
        return bic_gaussians(
            Z,
            self.max_clusters if fixed is None else fixed,
            self.n_starts,
            np.random.default_rng(self.seed),
            how,
            min_components=1 if fixed is None else fixed,
        ).best.memberships

    def _prepare(self, view: View) -> Divisions:
        Z, constant = standard_columns(view.whole().X)
        return Divisions(Z, constant, rounding_variances(Z))
