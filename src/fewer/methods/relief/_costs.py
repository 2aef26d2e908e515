"""Class shares that know what errors cost."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.base.errors import InputError


def as_costs(name: str, cost_matrix: Any, n_classes: int) -> np.ndarray:
    """Return the costs of errors as a square matrix with an empty diagonal."""
    try:
        costs = np.array(cost_matrix, dtype=np.float64)
    except (TypeError, ValueError):
        costs = np.empty(0)
    if costs.shape != (n_classes, n_classes):
        raise InputError(
            f"{name} got a cost_matrix of shape {costs.shape}, but needs shape ({n_classes}, {n_classes}) for "
            f"{n_classes} classes; give a row for every true class and a column for every predicted one."
        )
    if not np.isfinite(costs).all() or (costs < 0).any():
        bad = float(costs[~(costs >= 0) | np.isinf(costs)][0])
        raise InputError(
            f"{name} got a cost_matrix with {bad} in it, but costs are finite numbers of at least 0; replace it."
        )
    np.fill_diagonal(costs, 0.0)
    if not costs.any():
        raise InputError(
            f"{name} got a cost_matrix in which no error costs anything, but at least one must; give a positive cost, "
            "or None."
        )
    return costs


def cost_shares(shares: np.ndarray, costs: np.ndarray, mode: str) -> np.ndarray:
    """Return the shares of classes adjusted by expected (eq. 9.12) or by average cost (eq. 9.13)."""
    if mode == "average":
        average = costs.sum(axis=1) / (len(shares) - 1)
        return average / average.sum()
    rest = 1.0 - shares
    expected = costs @ shares / np.where(rest > 0, rest, 1.0)
    return shares * expected / (shares * expected).sum()
