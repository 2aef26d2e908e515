"""Votes of pipelines by their definitions, step by step."""

from __future__ import annotations

import numpy as np
import scipy.stats


def votes(sets, accuracies, n_features):
    """Return s and ws, feature by feature (eq. 19.1 and 19.2)."""
    s = [sum(a for chosen, a in zip(sets, accuracies) if j in set(chosen)) for j in range(n_features)]
    ws = [sum(a / len(chosen) for chosen, a in zip(sets, accuracies) if j in set(chosen)) for j in range(n_features)]
    return s, ws


def bins(coordinates, gap):
    """Walk up the sorted coordinates and begin a bin at every gap."""
    rising = sorted(range(len(coordinates)), key=lambda j: coordinates[j])
    groups = [[rising[0]]]
    for before, j in zip(rising, rising[1:]):
        if coordinates[j] - coordinates[before] < gap:
            groups[-1].append(j)
        else:
            groups.append([j])
    return groups


def preselected(X, y, n):
    """Return the columns of least rank-sum p-value, by the largest |z| of scipy without continuity."""
    z = []
    for column in X.T:
        a, b = column[y == 1], column[y == 0]
        z.append(abs(scipy.stats.mannwhitneyu(a, b).statistic - len(a) * len(b) / 2) / spread(column, len(a), len(b)))
    return sorted(sorted(range(X.shape[1]), key=lambda j: (-z[j], j))[:n])


def spread(column, n1, n0):
    """Return the standard deviation of U with ties."""
    n = n1 + n0
    ties = sum(c**3 - c for c in np.unique(column, return_counts=True)[1])
    return max(np.sqrt(n1 * n0 / 12 * ((n + 1) - ties / (n * (n - 1)))), 1e-300)


def incremental(curve, patience):
    """Return how many features are kept, given accuracy and error of every size."""
    best_accuracy, best_error, size, waited = -np.inf, np.inf, 0, 0
    for k, (accuracy, error) in enumerate(curve, start=1):
        if accuracy > best_accuracy or error < best_error:
            size, waited = k, 0
        else:
            waited += 1
        best_accuracy, best_error = max(best_accuracy, accuracy), min(best_error, error)
        if waited > patience:
            break
    return size
