"""From values to level numbers."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Features worked on side by side; one row of X, its codes and the edges stay in the first-level cache.
LANES = 512
# Rows after which features with many edges are looked at, while their values are still in the second-level cache.
ROWS = 128
# Up to this many edges are compared one after another without a branch; more are searched by halving.
FEW_EDGES = 16
# Largest level number that a code can hold.
LARGEST_CODE = 65535
# What integer_codes reports about a column.
FITS, MISSING, NEGATIVE, FRACTION, TOO_LARGE = 0, 1, 2, 3, 4


@kernel
def _edges_below(x, edges, first, last):
    """Return how many of the ascending edges[first:last] are smaller than x, by halving without branches."""
    below, left = first, last - first
    while left > 0:
        half = (left + 1) >> 1
        below += half * (edges[below + half - 1] < x)
        left -= half
    return below - first


@kernel
def _code(x, j, edges, offsets, states, nominal, missing_code):
    """Return the code of one value of feature j."""
    if x != x:
        return missing_code[j]
    if nominal[j]:
        return np.int64(x)
    below = _edges_below(x, edges, offsets[j], offsets[j + 1])
    return np.int64(states[offsets[j] + j + below])


@kernel
def _renames(j, offsets, states):
    """Return whether any interval of feature j stands for another state than its own number."""
    for k in range(offsets[j + 1] - offsets[j] + 1):
        if states[offsets[j] + j + k] != k:
            return True
    return False


@kernel
def _prepare_lanes(edges, offsets, states, nominal, left, lanes, padded, searched, renamed):
    """Fill padded with the edges of features left..left + lanes and +inf; list those that need more than counting.

    Returns the number of edge rounds (a multiple of four), of searched and of renamed features.
    """
    n_rounds, n_searched, n_renamed = 0, 0, 0
    padded[:] = np.inf
    for j in range(left, left + lanes):
        first, last = offsets[j], offsets[j + 1]
        if nominal[j] or last - first > FEW_EDGES:
            searched[n_searched] = j
            n_searched += 1
            continue
        n_rounds = max(n_rounds, last - first)
        for k in range(last - first):
            padded[k, j - left] = edges[first + k]
        if _renames(j, offsets, states):
            renamed[n_renamed] = j
            n_renamed += 1
    return (n_rounds + 3) // 4 * 4, n_searched, n_renamed


@kernel
def _count_lanes(row, padded, n_rounds, codes):
    """Set codes[j] to the number of edges padded[:n_rounds, j] below row[j]; return how many values are missing."""
    lanes = row.shape[0]
    missing = 0
    for j in range(lanes):
        codes[j] = 0
        missing += row[j] != row[j]
    # Four edges per visit: the codes are loaded and stored a quarter as often.
    for k in range(0, n_rounds, 4):
        a, b, c, d = padded[k], padded[k + 1], padded[k + 2], padded[k + 3]
        for j in range(lanes):
            x = row[j]
            codes[j] += np.uint8(x > a[j]) + np.uint8(x > b[j]) + np.uint8(x > c[j]) + np.uint8(x > d[j])
    return missing


@kernel
def _search_column(values, edges, states, codes, place):
    """Set codes[i] to the state of the interval of values[i], by halving; the rows are halved side by side."""
    n = values.shape[0]
    for i in range(n):
        place[i] = 0
    left = edges.shape[0]
    while left > 0:
        half = (left + 1) >> 1
        for i in range(n):
            place[i] += half * (edges[place[i] + half - 1] < values[i])
        left -= half
    for i in range(n):
        codes[i] = states[place[i]]


@kernel
def _encode_searched(X, top, bottom, j, edges, offsets, states, nominal, values, place, codes):
    """Encode rows top..bottom of feature j, which is nominal or has many edges; missing values get any code."""
    n = bottom - top
    if nominal[j]:
        for i in range(n):
            x = X[top + i, j]
            codes[i] = np.int64(x) if x == x else 0
        return
    for i in range(n):
        values[i] = X[top + i, j]
    first, last = offsets[j], offsets[j + 1]
    _search_column(values[:n], edges[first:last], states[first + j : last + j + 1], codes, place)


@kernel
def encode_rows(X, edges, offsets, states, nominal, missing_code, start, stop, out):
    """Fill out[i, j - start] with the code of X[i, j]: states[offsets[j] + j + #{edges of j < X[i, j]}].

    Codes of nominal features are their values, codes of missing values missing_code[j]. Returns which of the
    features start..stop have missing values. SIMD lanes are features.
    """
    n = X.shape[0]
    has_missing = np.zeros(stop - start, np.bool_)
    padded, values, place = np.empty((FEW_EDGES, LANES)), np.empty(ROWS), np.empty(ROWS, np.int64)
    searched, renamed = np.empty(LANES, np.int64), np.empty(LANES, np.int64)
    for left in range(start, stop, LANES):
        lanes = min(LANES, stop - left)
        n_rounds, n_searched, n_renamed = _prepare_lanes(
            edges, offsets, states, nominal, left, lanes, padded, searched, renamed
        )
        for top in range(0, n, ROWS):
            bottom = min(top + ROWS, n)
            missing = 0
            for i in range(top, bottom):
                codes = out[i, left - start : left - start + lanes]
                missing += _count_lanes(X[i, left : left + lanes], padded, n_rounds, codes)
                for k in range(n_renamed):
                    j = renamed[k]
                    codes[j - left] = states[offsets[j] + j + codes[j - left]]
            for k in range(n_searched):
                j = searched[k]
                column = out[top:bottom, j - start]
                _encode_searched(X, top, bottom, j, edges, offsets, states, nominal, values, place, column)
            if missing > 0:
                _mark_missing(X, top, bottom, left, lanes, missing_code, start, out, has_missing)
    return has_missing


@kernel
def _mark_missing(X, top, bottom, left, lanes, missing_code, start, out, has_missing):
    """Give the missing values of one piece their code and note their features."""
    for i in range(top, bottom):
        for j in range(left, left + lanes):
            if X[i, j] != X[i, j]:
                out[i, j - start] = missing_code[j]
                has_missing[j - start] = True


@kernel
def encode_sparse(indptr, data, edges, offsets, states, nominal, missing_code, start, stop, out, zero_code):
    """Fill out[k - indptr[start]] with the code of the stored value data[k] of CSC columns start..stop.

    zero_code[j - start] is the code of the zeros that are not stored. Returns which columns have missing values.
    """
    base = indptr[start]
    has_missing = np.zeros(stop - start, np.bool_)
    for j in range(start, stop):
        zero_code[j - start] = _code(0.0, j, edges, offsets, states, nominal, missing_code)
        for k in range(indptr[j], indptr[j + 1]):
            x = data[k]
            out[k - base] = _code(x, j, edges, offsets, states, nominal, missing_code)
            if x != x:
                has_missing[j - start] = True
    return has_missing


@kernel
def integer_codes(X, start, stop, out):
    """Cast X[:, start:stop], which should hold level numbers, into out (n, stop - start) in one pass.

    Returns per column the largest value (as far as it fits 0..65535) and what does not fit: FITS, MISSING, NEGATIVE,
    FRACTION or TOO_LARGE. A largest value beyond the type of out means that out holds nothing of use.
    """
    n, width = X.shape[0], stop - start
    largest = np.zeros(width, np.int32)
    misfit = np.zeros(width, np.uint8)
    for i in range(n):
        row, codes = X[i, start:stop], out[i]
        for j in range(width):
            x = row[j]
            # Bounds before the cast: a float that does not fit an integer would give any number.
            bounded = max(min(x, LARGEST_CODE), 0)
            code = np.int32(bounded) if x == x else np.int32(0)
            codes[j] = code
            largest[j] = max(largest[j], code)
            misfit[j] |= np.uint8(code != x)
    problem = np.zeros(width, np.int64)
    for j in range(width):
        if misfit[j]:
            problem[j] = _first_misfit(X, start + j)
    return largest, problem


@kernel
def _first_misfit(X, j):
    """Return why the first bad value of column j is not a level number."""
    for i in range(X.shape[0]):
        x = X[i, j]
        if x != x:
            return MISSING
        if x < 0:
            return NEGATIVE
        if x > LARGEST_CODE:
            return TOO_LARGE
        if np.int64(x) != x:
            return FRACTION
    return FITS


@kernel
def column_max(X):
    """Return the largest value of every column of C-contiguous codes; zeros if there are no rows."""
    largest = np.zeros(X.shape[1], X.dtype)
    for i in range(X.shape[0]):
        row = X[i]
        for j in range(row.shape[0]):
            largest[j] = max(largest[j], row[j])
    return largest
