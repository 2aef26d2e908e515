"""Sums over the rows of numbers on a device: of values, squares and products, in an order that never changes."""

from __future__ import annotations

from numba import cuda, float64

TILE = 16


@cuda.jit
def chunk_sums(X, order, begins, of_chunk, weight, partner, origin, mean, sums):
    """Write sums over the rows order[begins[k]:begins[k + 1]] of every chunk k and column.

    With d = X - origin - mean[of_chunk[k]]: sums[0] of weight * d, sums[1] of weight * d^2, sums[2] of partner * d.
    Lanes are columns, so that a row is read at once; nothing is added by two threads.
    """
    f, k = cuda.grid(2)
    if f >= X.shape[1] or k >= begins.shape[0] - 1:
        return
    zero = origin[f]
    centre = mean[of_chunk[k], f]
    total, squares, products = 0.0, 0.0, 0.0
    for at in range(begins[k], begins[k + 1]):
        i = order[at]
        d = float(X[i, f]) - zero - centre
        total += weight[i] * d
        squares += weight[i] * d * d
        products += partner[i] * d
    sums[0, k, f] = total
    sums[1, k, f] = squares
    sums[2, k, f] = products


@cuda.jit
def gram(X, weight, origin, mean, first, last, out):
    """Add to out[i, j] the weighted products of columns i and j over the rows first..last, in tiles of 16 x 16."""
    left = cuda.shared.array((TILE, TILE), float64)
    right = cuda.shared.array((TILE, TILE), float64)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    i, j = cuda.blockIdx.y * TILE + y, cuda.blockIdx.x * TILE + x
    # Columns that lie side by side are read side by side.
    beside = cuda.blockIdx.y * TILE + x
    total = 0.0
    for top in range(first, last, TILE):
        row = top + y
        left[y, x] = 0.0
        right[y, x] = 0.0
        if row < last:
            if beside < X.shape[1]:
                left[y, x] = weight[row] * (float(X[row, beside]) - origin[beside] - mean[beside])
            if j < X.shape[1]:
                right[y, x] = float(X[row, j]) - origin[j] - mean[j]
        cuda.syncthreads()
        for k in range(TILE):
            total += left[k, y] * right[k, x]
        cuda.syncthreads()
    if i < X.shape[1] and j < X.shape[1]:
        out[i, j] += total
