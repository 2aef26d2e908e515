"""Relevance and redundancy of numbers, pair by pair."""

from __future__ import annotations

import numpy as np

MOST = 1 - 1e-12


def share_explained(x, y, classes):
    """Correlation ratio for classes, squared correlation for numbers."""
    total = np.sum((x - x.mean()) ** 2)
    if total == 0:
        return 0.0
    if classes:
        return sum(np.sum(y == c) * (x[y == c].mean() - x.mean()) ** 2 for c in np.unique(y)) / total
    return np.corrcoef(x, y)[0, 1] ** 2


def information(r2):
    return -0.5 * np.log(1 - min(r2, MOST))


def gaussian_mrmr(X, y, n_steps, classes, relevance="information", scheme="difference"):
    """The order of choice and the score each had when it joined."""
    n, d = X.shape
    r2 = [min(share_explained(x, y, classes), MOST) for x in X.T]
    groups = len(np.unique(y)) if classes else 2
    factor = (n - groups) / (groups - 1)
    worth = [information(r) if relevance == "information" else factor * r / (1 - r) for r in r2]
    chosen, joined = [], []
    for _ in range(n_steps):
        scores = []
        for j in range(d):
            shared = [np.corrcoef(X[:, j], X[:, s])[0, 1] if X[:, j].std() and X[:, s].std() else 0 for s in chosen]
            parts = [information(r**2) if relevance == "information" else abs(r) for r in shared]
            mean = np.mean(parts) if parts else 0.0
            whole = worth[j] - mean if scheme == "difference" or not parts else worth[j] / max(mean, 1e-12)
            scores.append(-np.inf if j in chosen else whole)
        chosen.append(int(np.argmax(scores)))
        joined.append(max(scores))
    return chosen, joined
