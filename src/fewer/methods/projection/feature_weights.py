"""Weights of the original features, from axes across borders."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.records.errors import InputError, ParameterError


def dbfe_feature_weights(eigenvalues: Any, axes: Any, kind: str = "absolute") -> np.ndarray:
    r"""Return what each feature counts on the axes, in percent.

    Parameters
    ----------
    eigenvalues : array-like of shape (n_axes,)
        What each axis is worth.
    axes : array-like of shape (n_axes, n_features)
        The axes, such as ``axes_`` of `DecisionBoundary`, for standardized features: others cannot be compared.
    kind : {"first", "absolute", "squared"}, default="absolute"
        "first" is :math:`|u_{1f}|` of the first axis alone (table 6.1 of the book, ch. 6), "absolute" is
        :math:`\sum_k \lambda_k |u_{kf}|`, which is the same where one eigenvalue is not 0, "squared" is
        :math:`\sum_k \lambda_k u_{kf}^2`, the diagonal of the matrix, by which ``selection_`` is ordered.

    Returns
    -------
    ndarray of shape (n_features,)
        Summing to 100.

    Examples
    --------
    >>> dbfe_feature_weights([0.75, 0.25], [[0.6, 0.8], [0.8, -0.6]], "first").round(2).tolist()
    [42.86, 57.14]
    >>> dbfe_feature_weights([0.75, 0.25], [[0.6, 0.8], [0.8, -0.6]]).round(2).tolist()
    [46.43, 53.57]
    """
    kinds = ("first", "absolute", "squared")
    if kind not in kinds:
        raise ParameterError(
            f"dbfe_feature_weights got kind={kind!r}, but knows {', '.join(kinds)}; pass one of these."
        )
    values, parts = np.asarray(eigenvalues, dtype=np.float64), np.asarray(axes, dtype=np.float64)
    if parts.ndim != 2 or values.ndim != 1 or len(values) < len(parts) or not len(parts):
        raise InputError(
            f"dbfe_feature_weights got eigenvalues of shape {values.shape} and axes of shape {parts.shape}, but needs "
            "an eigenvalue for every axis; pass eigenvalues_ and axes_ of one fit."
        )
    values = values[: len(parts)]
    # Eigenvalues of rounding may be a little below 0.
    if not np.isfinite(parts).all() or not (values >= -1e-9 * np.abs(values).max()).all():
        raise InputError(
            f"dbfe_feature_weights got eigenvalues {values.tolist()} and axes of shape {parts.shape}, but needs finite "
            "axes and eigenvalues of at least 0; pass eigenvalues_ and axes_ of one fit."
        )
    values = np.maximum(values, 0.0)
    if kind == "first":
        weights = np.abs(parts[0])
    else:
        weights = values @ (np.abs(parts) if kind == "absolute" else parts**2)
    total = weights.sum()
    return 100.0 * weights / total if total > 0 else np.full(parts.shape[1], 100.0 / parts.shape[1])
