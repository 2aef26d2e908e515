"""Rows and centres under weights of features: which is nearest, and sums over the rows of a centre."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Distances that differ by less than this part of the smaller are equal: on paper they would be.
EQUAL = 1e-12
# Where less than this part of the squares of a centre is left of a difference, rounding could be seen in it.
LITTLE = 1e-3


@kernel
def choose_nearest(products, own, ends, slack, labels, doubtful):
    """Give each row to its nearest centre, the first of equal ones, and mark rows for which rounding could decide.

    A distance is the squares of row and centre less twice their product.

    Parameters
    ----------
    products : ndarray of shape (n_centres, n_rows)
        Products of rows and centres.
    own : ndarray of shape (1, n_rows) or (n_centres, n_rows)
        Squares of the rows, under the weights of all centres or of each; under those of all it may be larger, because
        then it tells only how large rounding may be.
    ends : ndarray of shape (n_centres,)
        Squares of the centres.
    slack : float
        Error of a distance in parts of the squares that it is made of.
    labels, doubtful : ndarrays of shape (n_rows,)
        Are filled.
    """
    k, n = products.shape
    each, longest = (1 if len(own) > 1 else 0), ends.max()
    first, second, size = np.full(n, np.inf), np.full(n, np.inf), own[0].copy()
    labels[:] = 0
    # Centre by centre and without branches, so that a processor compares several rows at once.
    for c in range(k):
        end, product, squares = ends[c], products[c], own[c * each]
        for i in range(n):
            d, least, next_least = squares[i] + end - 2.0 * product[i], first[i], second[i]
            size[i] = squares[i] if squares[i] > size[i] else size[i]
            nearer = d < least
            other = least if nearer else d
            second[i] = other if other < next_least else next_least
            labels[i] = c if nearer else labels[i]
            first[i] = d if nearer else least
    for i in range(n):
        best, equal = labels[i], 2 * EQUAL * abs(first[i])
        # Not "<=": a NaN, where numbers overflow, is a doubt.
        doubtful[i] = not (second[i] - first[i] > 2 * slack * (size[i] + longest) + equal)
        if doubtful[i] and np.isfinite(first[i]):
            # A long centre elsewhere is none.
            unsure = False
            for c in range(k):
                sizes = own[c * each, i] + ends[c] + own[best * each, i] + ends[best]
                d = own[c * each, i] + ends[c] - 2.0 * products[c, i]
                unsure = unsure or (c != best and not (d - first[i] > slack * sizes + equal))
            doubtful[i] = unsure


@kernel
def weighted_apart(x, centre, weights):
    """Return the weighted sum of squared differences."""
    total = 0.0
    for j in range(len(x)):
        t = x[j] - centre[j]
        total += weights[j] * t * t
    return total


@kernel
def _unlike(code, mode, weights):
    total = 0.0
    for j in range(len(code)):
        if code[j] != mode[j]:
            total += weights[j]
    return total


@kernel
def first_least(distances):
    """Return the first place whose distance is the least but for rounding."""
    least = distances.min()
    for c in range(len(distances)):
        if distances[c] <= least + EQUAL * least:
            return c
    return 0


@kernel
def exact_nearest(rows, X, codes, centres, modes, weights, level_weights, offsets, labels):
    """Give some rows to their nearest centres, by differences and in one order of sums.

    Parameters
    ----------
    rows : ndarray of int
        Which rows.
    X, codes : ndarrays of shape (n_rows, n_numeric) and (n_rows, n_nominal)
        Numbers and level numbers.
    centres, modes, weights, level_weights : ndarrays, a row per centre
        Centres and weights of both; one row of weights stands for all centres.
    offsets : ndarray of shape (n_centres,)
        What every distance to a centre has besides.
    labels : ndarray of shape (n_rows,)
        Filled for these rows.
    """
    last = len(weights) - 1
    d = np.empty(len(centres))
    for i in rows:
        for c in range(len(centres)):
            w = min(c, last)
            d[c] = (
                weighted_apart(X[i], centres[c], weights[w])
                + _unlike(codes[i], modes[c], level_weights[w])
                + offsets[c]
            )
        labels[i] = first_least(d)


@kernel
def exact_nearest_sparse(rows, indptr, indices, data, centres, weights, offsets, labels):
    """Give some sparse rows to their nearest centres, by differences where a row has numbers.

    What a centre has elsewhere is the rest of its squares. Where so much of them is taken away that rounding could
    decide, the row is spread out instead, in a row of its own for as long.
    """
    last, k = len(weights) - 1, len(centres)
    x, d, whole = np.zeros(centres.shape[1]), np.empty(k), np.zeros(k)
    for c in range(k):
        whole[c] = weighted_apart(x, centres[c], weights[min(c, last)])
    for i in rows:
        largest = 0.0
        for c in range(k):
            w, rest, here = min(c, last), whole[c], 0.0
            for at in range(indptr[i], indptr[i + 1]):
                j = indices[at]
                t, z = data[at] - centres[c, j], centres[c, j]
                here += weights[w, j] * t * t
                rest -= weights[w, j] * z * z
            d[c] = here + max(rest, 0.0) + offsets[c]
        least = d.min()
        for c in range(k):
            if not d[c] > 2 * least:
                largest = max(largest, whole[c])
        if not EQUAL * least > 2e-14 * largest:
            for at in range(indptr[i], indptr[i + 1]):
                x[indices[at]] = data[at]
            for c in range(k):
                d[c] = weighted_apart(x, centres[c], weights[min(c, last)]) + offsets[c]
            for at in range(indptr[i], indptr[i + 1]):
                x[indices[at]] = 0.0
        labels[i] = first_least(d)


@kernel
def distances_to(X, codes, centre, mode, weights, level_weights, out):
    """Fill the distance of every row to one centre, by differences."""
    for i in range(len(X)):
        out[i] = weighted_apart(X[i], centre, weights) + _unlike(codes[i], mode, level_weights)


@kernel
def own_distances(X, codes, labels, centres, modes, weights, level_weights, out):
    """Fill the distance of every row to the centre of its cluster, by differences; one row of weights is for all."""
    last = len(weights) - 1
    for i in range(len(X)):
        c, w = labels[i], min(labels[i], last)
        out[i] = weighted_apart(X[i], centres[c], weights[w]) + _unlike(codes[i], modes[c], level_weights[w])


@kernel
def _apart_sparse(indices, data, centre, weights, whole, x):
    """Return the distance of a sparse row to a centre with these squares; x is zeros, before and after.

    What the centre has elsewhere is the rest of its squares. Where little is left of them, the row is spread out.
    """
    rest, here = whole, 0.0
    for at in range(len(indices)):
        j = indices[at]
        t = data[at] - centre[j]
        here += weights[j] * t * t
        rest -= weights[j] * centre[j] * centre[j]
    if here + rest > LITTLE * whole:
        return here + max(rest, 0.0)
    for at in range(len(indices)):
        x[indices[at]] = data[at]
    total = weighted_apart(x, centre, weights)
    for at in range(len(indices)):
        x[indices[at]] = 0.0
    return total


@kernel
def distances_to_sparse(indptr, indices, data, centre, weights, out):
    """Fill the distance of every sparse row to one centre."""
    x = np.zeros(len(centre))
    whole = weighted_apart(x, centre, weights)
    for i in range(len(indptr) - 1):
        row = slice(indptr[i], indptr[i + 1])
        out[i] = _apart_sparse(indices[row], data[row], centre, weights, whole, x)


@kernel
def own_distances_sparse(indptr, indices, data, labels, centres, weights, out):
    """Fill the distance of every sparse row to the centre of its cluster; weights are of one or all centres."""
    last, whole, x = len(weights) - 1, np.empty(len(centres)), np.zeros(centres.shape[1])
    for c in range(len(centres)):
        whole[c] = weighted_apart(x, centres[c], weights[min(c, last)])
    for i in range(len(labels)):
        c, row = labels[i], slice(indptr[i], indptr[i + 1])
        out[i] = _apart_sparse(indices[row], data[row], centres[c], weights[min(c, last)], whole[c], x)


@kernel
def add_rows(X, labels, centres, sums, squares):
    """Add to every centre the differences of its rows from it, and their squares, per column."""
    for i in range(len(X)):
        c = labels[i]
        for j in range(X.shape[1]):
            t = X[i, j] - centres[c, j]
            sums[c, j] += t
            squares[c, j] += t * t


@kernel
def add_sparse_rows(indptr, indices, data, labels, sums, stored):
    """Add up the stored numbers of the rows of every centre, per column, and count them."""
    for i in range(len(labels)):
        c = labels[i]
        for at in range(indptr[i], indptr[i + 1]):
            sums[c, indices[at]] += data[at]
            stored[c, indices[at]] += 1


@kernel
def add_sparse_differences(indptr, indices, data, labels, centres, sums, squares):
    """Add to every centre the differences of the stored numbers of its rows from it, and their squares, per column."""
    for i in range(len(labels)):
        c = labels[i]
        for at in range(indptr[i], indptr[i + 1]):
            j = indices[at]
            t = data[at] - centres[c, j]
            sums[c, j] += t
            squares[c, j] += t * t


@kernel
def count_levels(codes, starts, labels, table):
    """Count the levels of every nominal column in every centre; the levels of column j begin at starts[j]."""
    for i in range(len(codes)):
        for j in range(codes.shape[1]):
            table[labels[i], starts[j] + codes[i, j]] += 1


@kernel
def take_unlike(codes, modes, level_weights, products):
    """Take from products of rows and centres half of the weights of the levels in which they differ."""
    last = len(level_weights) - 1
    for i in range(len(codes)):
        for c in range(len(modes)):
            products[c, i] -= 0.5 * _unlike(codes[i], modes[c], level_weights[min(c, last)])
