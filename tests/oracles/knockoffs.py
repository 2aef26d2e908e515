"""Knockoffs by their definitions: joint covariances, and a threshold found by trying all."""

from __future__ import annotations

import numpy as np


def threshold(W, fdr):
    """Try every |W| from the smallest and count."""
    for t in sorted({abs(w) for w in W if w != 0}):
        above, below = sum(w >= t for w in W), sum(w <= -t for w in W)
        if above and (1 + below) / above <= fdr + 1e-12:
            return t
    return float("inf")


def joint(R, s):
    """Return the covariance that features and knockoffs must have together (Candes et al. 2018, eq. 3.1)."""
    D = s * np.eye(len(R))
    return np.block([[R, R - D], [R - D, R]])


def conditional(R, s):
    """Return the coefficients and the covariance of the knockoffs given the features, from the joint covariance."""
    G, p = joint(R, s), len(R)
    coefficients = np.linalg.pinv(G[:p, :p]) @ G[:p, p:]
    return coefficients, G[p:, p:] - G[p:, :p] @ coefficients
