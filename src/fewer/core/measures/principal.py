"""Principal components of columns, their loadings cut to the large ones, and the variance that sparse ones explain."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewer.core.records.errors import ParameterError


class EigenGenes(NamedTuple):
    """Principal components: ``scores`` per row, ``loadings`` per column of the data, and parts of the variance."""

    scores: np.ndarray
    loadings: np.ndarray
    explained: np.ndarray


def eigengenes(X: np.ndarray, n_components: int | None = None) -> EigenGenes:
    """Return the principal components of centred columns, ``X = U D V'``.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The data.
    n_components : int or None, default=None
        How many; None is all.

    Returns
    -------
    EigenGenes
        Scores ``U D``, loadings ``V`` (n_features, n_components), each with its largest entry positive, and the
        fraction of the variance of each component.

    Examples
    --------
    >>> found = eigengenes(np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]), 1)
    >>> found.explained.round(6).tolist(), found.loadings.round(3).ravel().tolist()
    ([1.0], [0.447, 0.894])
    """
    X = np.asarray(X, dtype=np.float64)
    most = min(X.shape)
    if n_components is not None and not 1 <= n_components <= most:
        raise ParameterError(
            f"eigengenes got n_components={n_components!r}, but X of shape {X.shape} has from 1 to {most} of them; "
            "pass such a number, or None."
        )
    u, d, vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    signs = largest_signs(vt.T)
    total = float((d**2).sum())
    explained = d**2 / total if total > 0 else np.zeros(len(d))
    kept = slice(n_components)
    return EigenGenes((u * d * signs)[:, kept], (vt.T * signs)[:, kept], explained[kept])


def truncate_loadings(loadings: np.ndarray, threshold: float) -> np.ndarray:
    """Return loadings without those that are smaller than a threshold, whatever their sign.

    Examples
    --------
    >>> truncate_loadings(np.array([0.9, -0.4, 0.1]), 0.3).tolist()
    [0.9, -0.4, 0.0]
    """
    loadings = np.asarray(loadings, dtype=np.float64)
    return np.where(np.abs(loadings) < threshold, 0.0, loadings)


def largest_signs(loadings: np.ndarray) -> np.ndarray:
    """Return 1 or -1 for every column, so that times it the largest entry, the first of equal ones, is positive."""
    top = np.abs(loadings).argmax(axis=0)
    return np.where(loadings[top, np.arange(loadings.shape[1])] < 0, -1.0, 1.0)


def adjusted_variance(root: np.ndarray, loadings: np.ndarray) -> np.ndarray:
    """Return the variance of each component beyond those before it, as a fraction of all variance.

    Sparse components are correlated; the diagonal of R in ``Q R = X V`` counts what each adds (Zou, Hastie and
    Tibshirani 2006, section 3.4).

    Parameters
    ----------
    root : ndarray of shape (m, n_features)
        Centred data, or any matrix with the same ``X' X``.
    loadings : ndarray of shape (n_features, n_components)
        Loadings, each of length 1 or 0.
    """
    total = float((root**2).sum())
    diagonal = np.abs(np.diag(np.linalg.qr(root @ loadings, mode="r"))) ** 2
    return diagonal / total if total > 0 else np.zeros(len(diagonal))
