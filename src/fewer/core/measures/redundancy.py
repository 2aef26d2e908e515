"""Redundancy of binary features, "terms" that a row has or has not (book ch. 16, section 16.3.3 to 16.3.5).

Counts come in as numbers of rows: n(t; c) as an array (n_terms, n_classes), n(t_i, t_j; c) as one matrix per class with
the counts of single terms on the diagonal, in a dense array (n_classes, n_terms, n_terms) or a sequence of sparse
matrices (`PresencePairs` makes both). Dense counts give dense results, sparse counts give CSR arrays that hold only
pairs of terms that occur together. Information is in nats.
"""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike
from scipy.sparse.csgraph import connected_components
from scipy.special import xlogy

from fewer.core.measures._entries import entries, like, stored
from fewer.core.measures._tables import ratio

# Values that differ by less, relatively, are taken for equal: they are made of equal counts in another order.
SAME = 1e-12
# What the rounding of weighted counts may leave of an information that is zero.
NOTHING = 1e-15


def term_class_information(counts: ArrayLike, class_sizes: ArrayLike) -> np.ndarray:
    """Return what the presence of terms tells about the class, I(t; c) = P(t) KL(P(c | t) || P(c)) (eq. 16.11).

    With what the absence tells, computed from ``class_sizes - counts``, it adds up to the information gain.

    Parameters
    ----------
    counts : array-like of shape (..., n_classes)
        n(t; c), rows of each class that have the term (or the pair of terms).
    class_sizes : array-like of shape (n_classes,)
        n(c), rows of each class.

    Returns
    -------
    ndarray of shape (...)
        Not negative; 0 for a term that no row has.

    Examples
    --------
    >>> round(float(term_class_information([2, 0], [2, 2])), 6)
    0.346574
    """
    counts, class_sizes = np.asarray(counts, dtype=np.float64), np.asarray(class_sizes, dtype=np.float64)
    n = class_sizes.sum()
    # n n(t; c) / (n(t) n(c)) in an order of operations that is exact where the term says nothing.
    lift = ratio(counts * n, counts.sum(axis=-1, keepdims=True) * class_sizes, otherwise=1.0)
    return np.maximum(ratio(xlogy(counts, lift).sum(axis=-1), n), 0.0)


def pair_information(pairs: Any, class_sizes: ArrayLike) -> Any:
    """Return what the presence of two terms together tells about the class, phi(t_i; t_j) (eq. 16.12).

    The diagonal is I(t; c). Equations 16.8 and 16.9 of the text define another quantity in words; its estimates, 16.11
    to 16.13, are what is computed and printed there.

    Parameters
    ----------
    pairs : ndarray of shape (n_classes, n_terms, n_terms) or sequence of sparse matrices
        n(t_i, t_j; c).
    class_sizes : array-like of shape (n_classes,)
        n(c).

    Returns
    -------
    ndarray or csr_array of shape (n_terms, n_terms)
        Symmetric, not negative.
    """
    class_sizes = np.asarray(class_sizes, dtype=np.float64)
    n, total = class_sizes.sum(), sum(pairs[1:], pairs[0])
    # One class at a time: all classes together would need as many matrices at once.
    parts = (_class_part(part, total, size, n) for part, size in zip(pairs, class_sizes))
    phi = reduce(add, parts) / n
    if not scipy.sparse.issparse(phi):
        return np.maximum(phi, 0.0)
    phi = scipy.sparse.csr_array(phi)
    return like(phi, np.maximum(phi.data, 0.0))


def _class_part(part: Any, total: Any, size: float, n: float) -> Any:
    """Return n(t_i, t_j; c) ln(n n(t_i, t_j; c) / (n(t_i, t_j) n(c))) of one class; 0 exactly where that is so."""
    if not scipy.sparse.issparse(part):
        return xlogy(part, ratio(part * n, total * size, otherwise=1.0))
    part = scipy.sparse.csr_array(part, copy=True)
    part.eliminate_zeros()
    part.sort_indices()
    there = scipy.sparse.csr_array(total.multiply(part.astype(bool)))
    there.sort_indices()
    return like(part, xlogy(part.data, part.data * n / (there.data * size)))


def phi_redundancy(phi: Any, *, clip: bool = False) -> Any:
    """Return the normalised pair information, Phi = phi(t_i; t_j) / sqrt(I(t_i; c) I(t_j; c)) (eq. 16.10, 16.13).

    1 for identical terms, 0 for terms that never occur together or of which one tells nothing. The text gives 1 as
    upper bound, but two terms together may be more specific for a class than either, and then Phi is larger.

    Parameters
    ----------
    phi : ndarray or sparse matrix of shape (n_terms, n_terms)
        What `pair_information` returns.
    clip : bool, default=False
        Whether to cut at 1.

    Returns
    -------
    ndarray or csr_array of shape (n_terms, n_terms)
        Symmetric.
    """
    rows, columns, values, shape = entries(phi)
    alone = np.asarray(phi.diagonal(), dtype=np.float64)
    alone = np.where(alone > NOTHING, alone, 0.0)
    root = np.sqrt(alone[rows] * alone[columns])
    scaled = np.where(rows == columns, (alone[rows] > 0).astype(float), ratio(values, root))
    return shape(np.minimum(scaled, 1.0) if clip else scaled)


def inclusion(pairs: Any) -> Any:
    """Return how far terms cover each other: ``cover[i, j] = n(t_i, t_j) / n(t_i)``, the fraction of i that j covers.

    The text's Inc(t_i, t_j) of eq. 16.15 is ``cover[j, i]``; its table 16.2(b), and the removal that is built on it,
    have the orientation used here.

    Parameters
    ----------
    pairs : ndarray or sparse matrix of shape (n_terms, n_terms)
        n(t_i, t_j) with n(t_i) on the diagonal.

    Returns
    -------
    ndarray or csr_array of shape (n_terms, n_terms)
        Diagonal 1, or 0 for a term that no row has.
    """
    rows, _, values, shape = entries(pairs)
    return shape(ratio(values, np.asarray(pairs.diagonal(), dtype=np.float64)[rows]))


def correlated_sets(cover: Any, tau: float = 0.5) -> np.ndarray:
    """Return the number of the set that each term belongs to (section 16.3.4).

    The text leaves open how the sets follow from the inclusion matrix; here they are the connected components of the
    graph in which two terms are neighbours if one covers at least a fraction ``tau`` of the other.
    """
    rows, columns, values = stored(cover)
    near = values >= tau
    graph = scipy.sparse.coo_array((near[near], (rows[near], columns[near])), shape=cover.shape)
    return connected_components(graph, directed=False)[1]


def redundancy_matrix(phi: Any, cover: Any, sets: ArrayLike | None = None) -> Any:
    """Return R(i, j) = Phi(i, j) cover(i, j), how well j stands for i; the diagonal is 0 (eq. 16.16).

    Parameters
    ----------
    phi : ndarray or sparse matrix of shape (n_terms, n_terms)
        What `phi_redundancy` returns.
    cover : ndarray or sparse matrix of shape (n_terms, n_terms)
        What `inclusion` returns, of the same kind.
    sets : array-like of int of shape (n_terms,), optional
        Sets of terms; R is 0 between terms of different sets.

    Returns
    -------
    ndarray or csr_array of shape (n_terms, n_terms)
    """
    product = scipy.sparse.csr_array(phi.multiply(cover)) if scipy.sparse.issparse(phi) else phi * cover
    rows, columns, values, shape = entries(product)
    sets = np.zeros(cover.shape[0], np.int64) if sets is None else np.asarray(sets)
    made = shape(np.where((rows != columns) & (sets[rows] == sets[columns]), values, 0.0))
    if scipy.sparse.issparse(made):
        made.eliminate_zeros()
    return made


def row_maxima(redundancy: Any, scores: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return for each term the term that covers it best and how well: the kept entries of table 16.2(d).

    Parameters
    ----------
    redundancy : ndarray or sparse matrix of shape (n_terms, n_terms)
        What `redundancy_matrix` returns.
    scores : array-like of shape (n_terms,), optional
        Of equally good covers the one with the higher score is taken, of these the lower number.

    Returns
    -------
    best : ndarray of int64
        Number of the cover; -1 for a term without any.
    value : ndarray of float64
        R of the two; 0 for a term without cover.
    """
    n = redundancy.shape[0]
    rows, columns, values = stored(redundancy)
    largest = np.zeros(n)
    np.maximum.at(largest, rows, values)
    tied = np.flatnonzero((values > 0) & (values >= largest[rows] * (1.0 - SAME)))
    preferred = _preference(n, scores)[columns[tied]]
    # Written in falling preference, so that the last writer of a row is its best.
    tied = tied[np.argsort(-preferred, kind="stable")]
    best, value = np.full(n, -1, np.int64), np.zeros(n)
    best[rows[tied]], value[rows[tied]] = columns[tied], values[tied]
    return best, value


def redundant_by_matrix(best: np.ndarray) -> np.ndarray:
    """Return which terms are redundant by the rule of section 16.3.4: they have a cover and are nobody's best cover.

    Two terms that cover each other are both kept. A term without cover is kept, although its column of the matrix is
    zero, too; the text does not treat this case.
    """
    return (best >= 0) & ~np.isin(np.arange(len(best)), best)


def tree_parents(best: np.ndarray, value: np.ndarray, scores: ArrayLike | None = None) -> np.ndarray:
    """Return the parent of each term in the redundancy tree (section 16.3.5), -1 for a root.

    The best cover of a term is its parent. Where two cover each other, the one that is covered better is the child; if
    they are equal, as duplicates are, the one with the lower score, then the one with the higher number.

    Parameters
    ----------
    best, value : ndarray of shape (n_terms,)
        What `row_maxima` returns.
    scores : array-like of shape (n_terms,), optional
        For ties; the same as for `row_maxima`.

    Notes
    -----
    The text turns the comparison round ("if R(i, j) < R(j, i), from j to i"), which fits eq. 16.15 but not its table;
    with ``cover[i, j] = n_ij / n_i`` a larger R(i, j) says that j includes i, and the edge goes from j to i.
    """
    parents, place = best.copy(), _preference(len(best), scores)
    for i in np.flatnonzero((best >= 0) & (best[best] == np.arange(len(best)))):
        j = best[i]
        same = abs(value[i] - value[j]) <= SAME * max(value[i], value[j])
        if (place[i] < place[j]) if same else (value[i] < value[j]):
            parents[i] = -1
    return _without_cycles(parents, place)


def _without_cycles(parents: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Make the preferred term of every longer cycle a root; a matrix that comes from counts has none, but for ties."""
    while True:
        above = parents.copy()
        for _ in range(len(parents).bit_length()):
            above = np.where(above >= 0, above[above], -1)
        # What is so far above others that the tree is not as high must be in a cycle.
        turning = np.unique(above[above >= 0])
        if not len(turning):
            return parents
        parents[turning[np.argmin(place[turning])]] = -1


def redundant_by_tree(parents: np.ndarray) -> np.ndarray:
    """Return which terms are redundant: those with a parent and without children, the terminal nodes of the tree."""
    return (parents >= 0) & ~np.isin(np.arange(len(parents)), parents)


def _preference(n_terms: int, scores: ArrayLike | None) -> np.ndarray:
    """Return the place of each term among all, 0 for the highest score, of equal ones for the lower number."""
    place = np.empty(n_terms, np.int64)
    scores = np.zeros(n_terms) if scores is None else np.asarray(scores, dtype=np.float64)
    place[np.argsort(-scores, kind="stable")] = np.arange(n_terms)
    return place
