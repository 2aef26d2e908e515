"""Sparse principal components by turns: an elastic net for the loadings, a rotation for what they approximate."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import lars_path_gram

# The quadratic penalty unless one is given, in parts of the largest eigenvalue.
SMALL = 1e-6


@dataclass(frozen=True, eq=False)
class SparseLoadings:
    """Columns of loadings before they are scaled to length 1, the turns that it took, and the last change."""

    beta: np.ndarray
    n_iter: int
    change: float


@dataclass(frozen=True, eq=False)
class Components:
    """The problem of Zou, Hastie and Tibshirani (2006) for several components.

    Attributes
    ----------
    root : ndarray of shape (m, d)
        Centred data, or any matrix with the same products of columns.
    l2 : float or None
        Quadratic penalty, infinity for thresholding, None for `SMALL` times the largest eigenvalue of the products.
    l1 : ndarray of shape (k,) or None
        1-norm penalty of every component.
    sizes : ndarray of int of shape (k,) or None
        Number of loadings of every component that are not 0, where no penalties are given.
    """

    root: np.ndarray
    l2: float | None
    l1: np.ndarray | None
    sizes: np.ndarray | None

    def solve(self, n_components: int, tol: float, max_iter: int) -> SparseLoadings:
        """Take turns from the ordinary components until loadings change by at most ``tol``."""
        _, d, vt = np.linalg.svd(self.root, full_matrices=False)
        # In units in which the largest eigenvalue is 1; penalties have those of eigenvalues.
        unit = d[0] if d[0] > 0 else 1.0
        l1 = None if self.l1 is None else self.l1 / unit / unit
        l2 = SMALL if self.l2 is None else self.l2 / unit / unit
        return Components(self.root / unit, l2, l1, self.sizes)._turns(d / unit, vt, n_components, tol, max_iter)

    def _turns(self, d: np.ndarray, vt: np.ndarray, n_components: int, tol: float, max_iter: int) -> SparseLoadings:
        assert self.l2 is not None
        root = self.root
        alpha = vt[:n_components].T
        gram = None if np.isinf(self.l2) else root.T @ root
        shrunk = d**2 / (d**2 + self.l2) if gram is not None else d
        before, change = np.zeros_like(alpha), np.inf
        for turn in range(1, max_iter + 1):  # noqa: B007
            target = root.T @ (root @ alpha)
            # Without a 1-norm penalty: the ridge regression of X alpha on X.
            ridge = vt.T @ (shrunk[:, None] * (vt @ alpha))
            beta = np.column_stack([self._loading(gram, target[:, k], ridge[:, k], k) for k in range(n_components)])
            unit = unit_columns(beta)
            change = float(np.abs(unit - before).max())
            if change <= tol or not beta.any():
                break
            before = unit
            # X'X B = U D V', A = U V': the rank-1 case is X'X beta / |X'X beta|.
            left, _, right = np.linalg.svd(root.T @ (root @ beta), full_matrices=False)
            alpha = left @ right
        return SparseLoadings(beta, turn, change)

    def _loading(self, gram: np.ndarray | None, target: np.ndarray, ridge: np.ndarray, k: int) -> np.ndarray:
        """Return the naive elastic net of response X alpha on X, given ``target = X'X alpha``."""
        if gram is None:
            return self._threshold(target, k)
        size = len(gram) if self.sizes is None else int(self.sizes[k])
        if self.l1[k] == 0 if self.l1 is not None else size == len(gram):
            return ridge
        assert self.l2 is not None
        penalized = gram + self.l2 * np.eye(len(gram))
        with warnings.catch_warnings():
            # Equal columns: LARS takes the first and says so.
            warnings.simplefilter("ignore", ConvergenceWarning)
            _, _, path = lars_path_gram(
                target,
                penalized,
                n_samples=1,
                method="lasso",
                alpha_min=0.0 if self.l1 is None else self.l1[k] / 2,
                max_iter=8 * len(gram) if self.l1 is not None else 4 * size + 8,
            )
        if self.l1 is not None:
            return path[:, -1]
        within = (path != 0).sum(axis=0) <= size
        return path[:, (len(within) if within.all() else int(np.argmin(within))) - 1]

    def _threshold(self, target: np.ndarray, k: int) -> np.ndarray:
        """Return the limit of large l2: what is beyond half the penalty, or beyond the largest that is left out."""
        sizes = np.abs(target)
        if self.l1 is not None:
            line = self.l1[k] / 2
        else:
            assert self.sizes is not None
            line = 0.0 if self.sizes[k] >= len(target) else float(np.sort(sizes)[::-1][self.sizes[k]])
        return np.sign(target) * np.maximum(sizes - line, 0.0)


def unit_columns(beta: np.ndarray) -> np.ndarray:
    """Return columns of length 1, those of zeros as they are."""
    length = np.sqrt((beta**2).sum(axis=0))
    return beta / np.where(length > 0, length, 1.0)
