"""Powers of weights: which are allowed, and what they say of features."""

from __future__ import annotations

import numpy as np

from fewer.core.records.errors import ParameterError


def checked_power(where: str, beta: float) -> float:
    """Return the power of weights; raise if the weights that follow from it would be the worst."""
    if 0 < beta < 1:
        raise ParameterError(
            f"{where} got beta={beta}, but between 0 and 1 the weights would make the objective large instead of "
            "small; pass 1, more than 1, 0 or less."
        )
    return float(beta)


def important(weights: np.ndarray, beta: float) -> np.ndarray:
    """Return weights of which larger ones matter more: with a negative power those to the power, with sum 1."""
    if beta >= 0:
        return weights
    powers, used = np.zeros_like(weights), weights > 0
    # In parts of the smallest, of which no power is too large.
    least = np.where(used, weights, np.inf).min(axis=-1, keepdims=True)
    with np.errstate(under="ignore"):
        np.power(weights / least, beta, out=powers, where=used)
    return powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
