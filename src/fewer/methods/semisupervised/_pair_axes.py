"""Axes that draw some pairs of rows apart and others together: eigenvectors of a signed sum of differences."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.linalg
import scipy.sparse

from fewer.core.views.pairs import Pairs

# Eigenvalues below this fraction of the largest are rounding.
ROUNDING = 1e-12


class PairAxes(NamedTuple):
    """Axes as rows, what each is worth, and which of them nothing in the pairs speaks for."""

    components: np.ndarray
    values: np.ndarray
    arbitrary: np.ndarray


def differences(X: Any, pairs: np.ndarray) -> Any:
    """Return the differences of the rows of every pair, (n_pairs, n_features), sparse if the rows are."""
    return X[pairs[:, 0]] - X[pairs[:, 1]]


def stacked(parts: list[Any]) -> Any:
    """Return blocks of rows as one."""
    if any(scipy.sparse.issparse(part) for part in parts):
        return scipy.sparse.csr_array(scipy.sparse.vstack(parts))
    return np.vstack(parts)


def pair_axes(X: Any, pairs: Pairs, beta: float, most: int, fill: bool = False) -> PairAxes:
    """Return the axes that draw cannot-links apart and, counted by `beta`, must-links together (eq. 15.10)."""
    C = stacked([differences(X, pairs.cannot), differences(X, pairs.must)])
    signs = np.repeat([1.0 - beta, -float(beta)], [len(pairs.cannot), len(pairs.must)])
    return scaled_axes(C, signs, most, fill)


def scaled_axes(C: Any, signs: np.ndarray, most: int, fill: bool) -> PairAxes:
    """Return `top_axes` of differences of any size; none if all of them are 0."""
    scale = float(abs(C).max()) if C.shape[0] else 0.0
    if scale == 0:
        return PairAxes(np.zeros((0, C.shape[1])), np.zeros(0), np.zeros(0, dtype=bool))
    # Squares of very small or very large differences would leave the range of numbers.
    found = top_axes(C / scale, signs, most, fill)
    return found._replace(values=found.values * scale * scale)


def top_axes(C: Any, signs: np.ndarray, most: int, fill: bool) -> PairAxes:
    r"""Return the eigenvectors of :math:`Q = \sum_m d_m \delta_m \delta_m^T` with the largest eigenvalues.

    Parameters
    ----------
    C : ndarray or sparse array of shape (n_pairs, n_features)
        The differences.
    signs : ndarray of shape (n_pairs,)
        What each counts: more than 0 to be drawn apart, less to be drawn together.
    most : int
        How many axes at the most.
    fill : bool
        Whether directions that no pair speaks for (eigenvalue 0), and then those that draw together more than apart,
        fill up the number.
    """
    basis, coordinates = _span(C)
    values, inner = scipy.linalg.eigh((coordinates * signs) @ coordinates.T)
    values, inner = values[::-1], inner[:, ::-1]
    top = float(np.abs(values).max(initial=0.0))
    positive = int(np.count_nonzero(values > ROUNDING * top))
    first = steady_signs(basis(inner[:, : min(positive, most)]))
    axes, found = [first], [values[: len(first)]]
    free = C.shape[1] - len(coordinates)
    if fill and len(first) < most:
        null = _null_directions(C, basis, coordinates, min(free, most - len(first)))
        # Inside the span an eigenvalue may be 0, too.
        rest = inner[:, positive : positive + most - len(first) - len(null)]
        axes += [null, steady_signs(basis(rest))]
        found += [np.zeros(len(null)), values[positive : positive + rest.shape[1]]]
    components, worth = np.vstack(axes), np.concatenate(found)
    order = np.argsort(-worth, kind="stable")
    return PairAxes(components[order], worth[order], np.abs(worth[order]) <= ROUNDING * top)


def _span(C: Any) -> tuple[Any, np.ndarray]:
    """Return a map from coordinates to directions in the span of the differences, and the differences in them."""
    if not scipy.sparse.issparse(C):
        U, R, _ = scipy.linalg.qr(C.T, mode="economic", pivoting=True, check_finite=False)
        large = np.abs(np.diag(R))
        rank = int(np.count_nonzero(large > ROUNDING * large.max(initial=0.0)))
        # The columns of C in the order in which they were given.
        coordinates = U[:, :rank].T @ C.T
        return (lambda inner: (U[:, :rank] @ inner).T), coordinates
    # Sparse differences are not made dense: their inner products say all.
    values, inside = scipy.linalg.eigh((C @ C.T).toarray())
    kept = values > 1e-10 * values.max(initial=0.0)
    values, inside = values[kept], inside[:, kept]
    back = inside / np.sqrt(values)
    return (lambda inner: (C.T @ (back @ inner)).T), (inside * np.sqrt(values)).T


def _null_directions(C: Any, basis: Any, coordinates: np.ndarray, count: int) -> np.ndarray:
    """Return orthonormal directions on which all differences are 0: of the first features, what the span leaves."""
    found: list[np.ndarray] = []
    n_features = C.shape[1]
    span = basis(np.eye(len(coordinates))) if count and len(coordinates) else np.zeros((0, n_features))
    # A feature with little part in the span leaves most.
    order = np.argsort(np.round(np.einsum("kj,kj->j", span, span), 9), kind="stable")
    for j in order.tolist():
        if len(found) == count:
            break
        left = np.zeros(n_features)
        left[j] = 1.0
        for _ in range(2):
            left -= span.T @ (span @ left)
            for other in found:
                left -= (other @ left) * other
        length = float(np.linalg.norm(left))
        if length > 1e-6:
            found.append(left / length)
    return np.array(found).reshape(len(found), n_features)


def steady_signs(axes: np.ndarray) -> np.ndarray:
    """Return axes whose largest part, of equal ones the first, is positive."""
    if not axes.size:
        return axes
    largest = np.abs(axes).max(axis=1, keepdims=True)
    # Parts that differ by rounding only count as equal, so that the first decides.
    first = (np.abs(axes) >= largest * (1 - 1e-9)).argmax(axis=1)
    return axes * np.sign(axes[np.arange(len(axes)), first])[:, None]
