"""What stands for a number in each scheme of Bregman co-clustering: one run, and new rows after it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.clustering.bregman_blocks import (
    BlockMeans,
    MeanBlocks,
    Residues,
    bregman_blocks,
    group_means,
    measure,
    measure_residues,
)
from fewer.core.clustering.by_label import best_label, columns_added, spans
from fewer.core.clustering.divergences import DIVERGENCES
from fewer.core.clustering.information_blocks import Joint, inform_blocks, nearest_profile

# Divergences that each basis takes.
BASES = {"block": ("squared", "kl", "itakura_saito"), "marginals": ("squared", "kl"), "residue": ("squared",)}


@dataclass(eq=False)
class MeanScheme:
    """Blocks about means, with or without means of rows and columns, or residues."""

    Z: Any
    divergence: str
    basis: str
    known: dict[str, Any] = field(default_factory=dict)

    def data(self, Z: Any) -> BlockMeans | Residues:
        """Return rows as the engine sees them; means of columns are those of the fit."""
        if self.basis == "residue":
            return Residues(Z)
        if self.basis == "block":
            return BlockMeans(Z, self.divergence)
        rows = np.asarray(Z.mean(axis=1)).ravel()
        columns = self.known["columns"] if self.Z is None else np.asarray(self.Z.mean(axis=0)).ravel()
        return BlockMeans(Z, self.divergence, (rows, columns, float(columns.mean())))

    def run(self, start: tuple[np.ndarray, np.ndarray], shape: tuple[int, int], max_iter: int, tol: float) -> Any:
        """Return the groups that a start leads to."""
        return bregman_blocks(self.data(self.Z), start, shape, max_iter, tol)

    def settled(self, found: MeanBlocks, shape: tuple[int, int]) -> MeanScheme:
        """Return what new rows are compared with, without the rows of the fit."""
        data, sizes = self.data(self.Z), np.bincount(found.rows, minlength=shape[0])
        seen = data.means(found.columns, shape[1])
        if isinstance(data, Residues):
            centres = data.centres(seen[0], found.columns, found.rows, shape[0])
        else:
            centres = group_means(seen[0], found.rows, shape[0])
        columns = np.asarray(self.Z.mean(axis=0)).ravel()
        apart = self._said(found.rows, sizes, columns)
        known = {"groups": found.columns, "shape": shape, "centres": centres, "sizes": sizes, "columns": columns}
        return MeanScheme(None, self.divergence, self.basis, {**known, "said": apart})

    def _said(self, labels: np.ndarray, sizes: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        means = group_means(self.Z, labels, len(sizes))
        means[sizes == 0] = columns
        each = np.zeros_like(means)
        # A mean of nothing stands for nothing but zeros.
        some = columns != 0 if self.divergence != "squared" else np.ones(len(columns), bool)
        each[:, some] = DIVERGENCES[self.divergence].between(means[:, some], columns[some][None])
        # Means of equal numbers differ by rounding.
        each[np.abs(means - columns) <= 1e-12 * np.abs(columns)] = 0.0
        return sizes[:, None] * each, means > columns

    @property
    def said(self) -> tuple[np.ndarray, np.ndarray]:
        """How far the mean of every cluster is from that of the column, times its rows; and whether it is above."""
        return self.known["said"]

    def nearest(self, Z: Any) -> np.ndarray:
        """Return the nearest group of new rows."""
        known, data = self.known, self.data(Z)
        seen = data.means(known["groups"], known["shape"][1])
        if isinstance(data, Residues):
            costs = measure_residues(seen[0], seen[1], known["centres"], known["sizes"])
        else:
            live = np.flatnonzero(seen[1])
            means, centres = seen[0][:, live], known["centres"][:, live]
            costs = measure(self.divergence, means, seen[1][live], centres, known["sizes"])
        out = np.empty(Z.shape[0], np.int64)
        for part in spans(Z.shape[0], sum(known["shape"])):
            apart, rounding = costs(part)
            # Infinitely far from all is as far from the first as from any.
            rounding = np.where(np.isfinite(rounding), rounding, 0.0)
            out[part] = best_label(-apart, np.full(len(apart), -1), rounding)
        return out


@dataclass(eq=False)
class InformationScheme(MeanScheme):
    """Means of rows, columns and blocks under "kl": information-theoretic co-clustering, times the sum of all."""

    def run(self, start: tuple[np.ndarray, np.ndarray], shape: tuple[int, int], max_iter: int, tol: float) -> Any:
        """Return the groups that a start leads to; rows and columns of zeros are in the first."""
        P = scipy.sparse.csr_array(self.Z)
        live = [np.flatnonzero(P.max(axis=axis).toarray().ravel() > 0) for axis in (1, 0)]
        size = P.shape
        rows, columns = np.zeros(size[0], np.int64), np.zeros(size[1], np.int64)
        if not len(live[0]):
            return MeanBlocks(rows, columns, (0.0, 0.0, 0.0), (0, 0, 0))
        joint = Joint.of(P[live[0]][:, live[1]])
        found = inform_blocks(joint, (start[0][live[0]], start[1][live[1]]), shape, max_iter, tol)
        rows[live[0]], columns[live[1]] = found.rows, found.columns
        whole = float(P.sum())
        return MeanBlocks(rows, columns, tuple(whole * loss for loss in found.history), found.reseeded)

    def settled(self, found: MeanBlocks, shape: tuple[int, int]) -> InformationScheme:
        """Return what new rows are compared with, without the rows of the fit."""
        A = columns_added(self.Z, found.columns, shape[1])
        known = MeanScheme(self.Z, self.divergence, "block").settled(found, shape).known
        joint = group_means(A, found.rows, shape[0]) * np.bincount(found.rows, minlength=shape[0])[:, None]
        return replace(self, Z=None, known={**known, "joint": joint / max(joint.sum(), np.finfo(float).tiny)})

    def nearest(self, Z: Any) -> np.ndarray:
        """Return the nearest group of new rows, the first for rows of zeros."""
        A = columns_added(Z, self.known["groups"], self.known["shape"][1])
        whole = A.sum(axis=1)
        A /= (whole + (whole == 0))[:, None]
        return np.where(whole > 0, nearest_profile(A, self.known["joint"]), 0)


def fitted_scheme(divergence: str, basis: str, Z: Any) -> MeanScheme:
    """Return the scheme of a divergence and a basis."""
    kind = InformationScheme if (divergence, basis) == ("kl", "marginals") else MeanScheme
    return kind(Z, divergence, basis)
