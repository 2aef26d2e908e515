"""Distances between class probabilities at two points, and how far nearest neighbours are."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from scipy.special import gammaln

from fewer.core.records.errors import InputError, ParameterError

KINDS = ("risk", "asymptotic", "squared_risk", "chi2", "weighted_chi2")
# Columns of probabilities that sum to 1 within this.
SUM = 1e-6


def posterior_distance(at: Any, there: Any = None, kind: str = "weighted_chi2", floor: float = 1e-3) -> Any:
    r"""Return how far the class probabilities at points are from those at a query, eq. 11.9 to 11.11.

    Parameters
    ----------
    at : array-like of shape (n_classes,) or (n_points, n_classes)
        P(j | x0) of the query, or of one query per point.
    there : array-like of the same shape, optional
        P(j | x) of the points; not needed for "asymptotic".
    kind : {"weighted_chi2", "chi2", "squared_risk", "risk", "asymptotic"}, default="weighted_chi2"
        With P of the query and Q of the point, :math:`\sum_j (Q_j - P_j)^2 / P_j`; the same without the denominator;
        :math:`(\sum_j P_j (Q_j - P_j))^2`; the risk of the nearest-neighbour rule if the point is the neighbour,
        :math:`r = \sum_j P_j (1 - Q_j)`; or with a neighbour of equal probabilities,
        :math:`r^* = \sum_j P_j (1 - P_j)`.
    floor : float, default=1e-3
        Denominators of "weighted_chi2" below this count as this; with 0 they do not, and the distance is infinite
        where a class is impossible at the query and possible at the point.

    Returns
    -------
    float or ndarray of shape (n_points,)

    Notes
    -----
    "weighted_chi2" is not symmetric. "squared_risk" is :math:`(r^* - r)^2`; it is 0 for every point if all classes are
    equally likely at the query.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 11.3.3.

    Examples
    --------
    >>> posterior_distance([0.5, 0.5], [0.8, 0.2]).round(3).item()
    0.36
    >>> posterior_distance([0.5, 0.5], [0.8, 0.2], "squared_risk").round(12).item()
    0.0
    """
    if kind not in KINDS:
        raise ParameterError(f"posterior_distance got kind={kind!r}, but knows {', '.join(KINDS)}; pass one of them.")
    if not isinstance(floor, Real) or not 0 <= floor < 1:
        raise ParameterError(f"posterior_distance got floor={floor!r}, but takes a number from 0 to below 1; pass one.")
    p = _probabilities("at", at)
    if kind == "asymptotic":
        return (p * (1.0 - p)).sum(axis=-1)
    if there is None:
        raise ParameterError(f"posterior_distance got no points, but kind={kind!r} compares with them; pass there=.")
    q = _probabilities("there", there)
    if p.shape[-1] != q.shape[-1]:
        raise InputError(
            f"posterior_distance got {p.shape[-1]} classes at the query and {q.shape[-1]} at the points; give equal "
            "numbers."
        )
    if kind == "risk":
        return (p * (1.0 - q)).sum(axis=-1)
    if kind == "squared_risk":
        return (p * (q - p)).sum(axis=-1) ** 2
    squares = (q - p) ** 2
    if kind == "chi2":
        return squares.sum(axis=-1)
    below = np.broadcast_to(np.maximum(p, floor), squares.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(squares > 0, squares / below, 0.0).sum(axis=-1)


def nn_diameter(n_features: Any, n_rows: Any) -> Any:
    r"""Return how wide the neighbourhood of one nearest neighbour is among uniform rows in the unit cube.

    :math:`d = 2 (M V_N)^{-1/N}`, where a ball of diameter d holds one of M rows on average and
    :math:`V_N = \pi^{N/2} / \Gamma(N/2 + 1)` is the volume of the unit ball; it reproduces Table 11.1 of [1]_.

    Parameters
    ----------
    n_features : int or array-like of int
        Number of features N.
    n_rows : int, float or array-like
        Number of rows M.

    Returns
    -------
    float or ndarray

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), "Computational Methods of Feature Selection", 2008, section 11.2.

    Examples
    --------
    >>> nn_diameter(20, [1e4, 1e6, 1e10]).round(3).tolist()
    [1.515, 1.203, 0.759]
    """
    p, n = np.asarray(n_features, dtype=np.float64), np.asarray(n_rows, dtype=np.float64)
    if not (np.isfinite(p).all() and np.isfinite(n).all() and (p >= 1).all() and (n > 0).all()):
        raise ParameterError(
            f"nn_diameter got n_features={n_features!r} and n_rows={n_rows!r}, but takes at least 1 feature and more "
            "than 0 rows; pass such numbers."
        )
    volume = 0.5 * p * np.log(np.pi) - gammaln(0.5 * p + 1.0)
    return 2.0 * np.exp(-(np.log(n) + volume) / p)


def _probabilities(name: str, given: Any) -> np.ndarray:
    p = np.asarray(given, dtype=np.float64)
    if (
        p.ndim not in (1, 2)
        or not p.size
        or not ((p >= 0) & (p <= 1 + SUM)).all()
        or (np.abs(p.sum(axis=-1) - 1.0) > SUM).any()
    ):
        raise InputError(
            f"posterior_distance takes probabilities of classes that sum to 1, but {name} holds others; pass what "
            "predict_proba returns."
        )
    return p
