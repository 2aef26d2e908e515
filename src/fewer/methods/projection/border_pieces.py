"""How much border lies between two code vectors of different classes: rows near it, or its area."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, HalfspaceIntersection, QhullError
from scipy.spatial.distance import cdist

from fewer.core.kernels import border_codes


def sample_counts(rows: np.ndarray, code: np.ndarray, labels: np.ndarray, window: float) -> np.ndarray:
    """Return rows near the border of every pair of code vectors k < z (eq. 6.6), by their two nearest code vectors.

    The window is doubled until some row is near a border. Where the two nearest are of one class for all rows, each row
    counts for its nearest one and the nearest of another class.
    """
    first, second = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
    offset = np.empty(len(rows))
    border_codes.nearest_two(np.ascontiguousarray(rows), np.ascontiguousarray(code), first, second, offset)
    counts = np.zeros((len(code), len(code)))
    if len(np.unique(labels)) < 2:
        return counts
    different = labels[first] != labels[second]
    if different.any():
        while not (different & (offset <= window / 2)).any():
            window *= 2.0
        near = different & (offset <= window / 2)
    else:
        second = _nearest_other(rows, code, labels, first)
        near = np.ones(len(rows), dtype=bool)
    low, high = np.minimum(first, second)[near], np.maximum(first, second)[near]
    np.add.at(counts, (low, high), 1.0)
    return counts


def _nearest_other(rows: np.ndarray, code: np.ndarray, labels: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Return the nearest code vector of another class than the nearest one."""
    out = np.empty(len(rows), dtype=np.int64)
    for c in np.unique(labels):
        mine, others = labels[first] == c, np.flatnonzero(labels != c)
        if mine.any():
            out[mine] = others[cdist(rows[mine], code[others], "sqeuclidean").argmin(axis=1)]
    return out


def face_volumes(code: np.ndarray, labels: np.ndarray, box: np.ndarray) -> np.ndarray:
    """Return the area of the border of every pair of code vectors k < z of different classes inside a box.

    Parameters
    ----------
    code : ndarray of shape (n_codes, n_features)
        The code vectors.
    labels : ndarray of int of shape (n_codes,)
        Their classes.
    box : ndarray of shape (n_features, 2)
        Lower and upper ends.

    Returns
    -------
    ndarray of shape (n_codes, n_codes)
        Lengths for 2 features, areas for 3, and so on; with one feature 1 for a border inside the box.
    """
    out = np.zeros((len(code), len(code)))
    for k in range(len(code)):
        for z in range(k + 1, len(code)):
            if labels[k] != labels[z] and (code[k] != code[z]).any():
                out[k, z] = _face(code, k, z, box)
    return out


def _face(code: np.ndarray, k: int, z: int, box: np.ndarray) -> float:
    """Return the area of the piece of plane between two code vectors to which no other is nearer."""
    middle, way = (code[k] + code[z]) / 2, code[k] - code[z]
    # Points of the plane are middle + B u, with an orthonormal basis B of what is orthogonal to the way.
    basis = np.linalg.svd(way[None])[2][1:].T
    others = [q for q in range(len(code)) if q not in (k, z)]
    # Nearer to m_k than to m_q: 2 (m_q - m_k) x <= m_q^2 - m_k^2, about the middle to keep digits.
    a = [2 * (code[q] - code[k]) for q in others]
    b = [((code[q] - middle) ** 2).sum() - ((code[k] - middle) ** 2).sum() for q in others]
    eye = np.eye(len(middle))
    left = np.array([*a, *eye, *-eye]).reshape(-1, len(middle))
    right = np.array([*b, *(box[:, 1] - middle), *(middle - box[:, 0])])
    inside = left @ basis
    if not basis.shape[1]:
        return float((right >= 0).all())
    return _interval(inside[:, 0], right) if basis.shape[1] == 1 else _polytope(inside, right)


def _interval(a: np.ndarray, b: np.ndarray) -> float:
    """Return the length of {u: a u <= b}."""
    if (b[a == 0] < 0).any():
        return 0.0
    upper, lower = (b[a > 0] / a[a > 0]).min(), (b[a < 0] / a[a < 0]).max()
    return float(max(0.0, upper - lower))


def _polytope(a: np.ndarray, b: np.ndarray) -> float:
    """Return the volume of {u: a u <= b}, 0 where it is empty or flat."""
    lengths = np.sqrt((a**2).sum(axis=1))
    if (b[lengths < 1e-12] < 0).any():
        return 0.0
    a, b = a[lengths >= 1e-12] / lengths[lengths >= 1e-12, None], b[lengths >= 1e-12] / lengths[lengths >= 1e-12]
    # The centre of the largest ball inside: max r with a u + r <= b.
    free = [(None, None)] * a.shape[1]
    done = linprog([*[0.0] * a.shape[1], -1.0], np.c_[a, np.ones(len(a))], b, bounds=[*free, (0, None)])
    if done.status != 0 or done.x[-1] <= 1e-9 * max(1.0, float(np.abs(b).max())):
        return 0.0
    try:
        return float(ConvexHull(HalfspaceIntersection(np.c_[a, -b], done.x[:-1]).intersections).volume)
    except QhullError:
        return 0.0
