"""Axes that draw some pairs of rows apart and others together: eigenvectors of a signed sum of differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.linalg
import scipy.sparse

from fewer.core.clustering.by_label import membership
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


class SignedRows(NamedTuple):
    r"""A matrix :math:`C^T S C` by its rows and what multiplies by S.

    Attributes
    ----------
    C : ndarray or sparse array of shape (n, n_features)
        Rows in units of the largest number.
    times : callable
        Returns S M for an array M of shape (n, m).
    scale : float
        The unit; 0 if there is nothing.
    centred : callable
        Returns what is left of M of shape (n, m) where S sees differences only; dense rows are so already.
    """

    C: Any
    times: Callable[[np.ndarray], np.ndarray]
    scale: float
    centred: Callable[[np.ndarray], np.ndarray] = np.asarray


def _in_units(C: Any) -> tuple[Any, float]:
    # Squares of very small or very large differences would leave the range of numbers.
    scale = float(abs(C).max()) if C.shape[0] else 0.0
    return (C / scale if scale else C), scale


def pair_signs(C: Any, signs: np.ndarray) -> SignedRows:
    """Return differences, each with what it counts: more than 0 to be drawn apart, less to be drawn together."""
    C, scale = _in_units(C)
    return SignedRows(C, lambda M: signs[:, None] * M, scale)


def signed_rows(X: Any, pairs: Pairs, must: float, cannot: float) -> SignedRows:
    """Return the differences of all pairs, or where there are more pairs than rows in them, these rows."""
    inside = np.flatnonzero(pairs.parts >= 0)
    if pairs.n_must + pairs.n_cannot <= len(inside):
        parts = [differences(X, pairs.cannot), differences(X, pairs.must)]
        sparse = scipy.sparse.issparse(X)
        C = scipy.sparse.csr_array(scipy.sparse.vstack(parts)) if sparse else np.vstack(parts)
        return pair_signs(C, np.repeat([cannot, must], [len(pairs.cannot), len(pairs.must)]))
    here = pairs[inside]
    _, first, part = np.unique(pairs.parts[inside], return_index=True, return_inverse=True)
    group, size = membership(part, int(part.max()) + 1), np.bincount(part)[:, None]

    def centred(M: np.ndarray) -> np.ndarray:
        return np.asarray(M - group @ ((group.T @ M) / size))

    # Less a row of their part, rows far from the origin keep their digits, and sparse ones stay sparse.
    rows = X[inside] - X[inside[first[part]]]
    if scipy.sparse.issparse(rows) and rows.shape[1] <= rows.shape[0]:
        rows = rows.toarray()
    C, scale = _in_units(rows if scipy.sparse.issparse(rows) else centred(rows))
    return SignedRows(C, lambda M: here.signed_sum(M, must, cannot), scale, centred)


def top_axes(signed: SignedRows, most: int, fill: bool) -> PairAxes:
    r"""Return the eigenvectors of :math:`C^T S C` with the largest eigenvalues.

    Parameters
    ----------
    signed : SignedRows
        The matrix.
    most : int
        How many axes at the most.
    fill : bool
        Whether directions that no pair speaks for (eigenvalue 0), and then those that draw together more than apart,
        fill up the number.
    """
    C = signed.C
    basis, coordinates = _span(C, signed.centred)
    inside = coordinates @ signed.times(np.ascontiguousarray(coordinates.T))
    values, inner = scipy.linalg.eigh((inside + inside.T) / 2)
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


def _span(C: Any, centred: Callable[[np.ndarray], np.ndarray]) -> tuple[Any, np.ndarray]:
    """Return a map from coordinates to directions in the span of the differences, and the differences in them."""
    if not scipy.sparse.issparse(C):
        U, R, _ = scipy.linalg.qr(C.T, mode="economic", pivoting=True, check_finite=False)
        large = np.abs(np.diag(R))
        rank = int(np.count_nonzero(large > ROUNDING * large.max(initial=0.0)))
        # The columns of C in the order in which they were given.
        coordinates = U[:, :rank].T @ C.T
        return (lambda inner: (U[:, :rank] @ inner).T), coordinates
    # Sparse differences are not made dense: their inner products say all.
    values, inside = scipy.linalg.eigh(centred(centred((C @ C.T).toarray()).T))
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


def pair_axes(X: Any, pairs: Pairs, beta: float, most: int, fill: bool = False) -> tuple[PairAxes, float]:
    """Return the axes that draw cannot-links apart and, counted by `beta`, must-links together (eq. 15.10).

    Values are in units of the largest difference, which is returned beside; there is no axis if all are 0.
    """
    return scaled_axes(signed_rows(X, pairs, -float(beta), 1.0 - beta), most, fill)


def scaled_axes(signed: SignedRows, most: int, fill: bool) -> tuple[PairAxes, float]:
    """Return `top_axes` and the unit of their values; none if all differences are 0."""
    if not signed.scale:
        return PairAxes(np.zeros((0, signed.C.shape[1])), np.zeros(0), np.zeros(0, dtype=bool)), 1.0
    return top_axes(signed, most, fill), signed.scale


def steady_signs(axes: np.ndarray) -> np.ndarray:
    """Return axes whose largest part, of equal ones the first, is positive."""
    if not axes.size:
        return axes
    largest = np.abs(axes).max(axis=1, keepdims=True)
    # Parts that differ by rounding only count as equal, so that the first decides.
    first = (np.abs(axes) >= largest * (1 - 1e-9)).argmax(axis=1)
    return axes * np.sign(axes[np.arange(len(axes)), first])[:, None]
