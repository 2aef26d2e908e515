"""Smallest and largest values."""

from __future__ import annotations

from fewer.core.kernels._jit import kernel


@kernel
def dense_extent(X, weight, start, stop, low, high, missing):
    """Widen low[j - start], high[j - start] to the values of features start..stop and count the missing ones.

    Rows of weight 0 do not widen; an empty weight stands for ones. SIMD lanes are features.
    """
    weighted = weight.shape[0] > 0
    for i in range(X.shape[0]):
        row = X[i, start:stop]
        for j in range(row.shape[0]):
            missing[j] += row[j] != row[j]
        if weighted and weight[i] == 0.0:
            continue
        # Comparisons with NaN are false, so missing values leave both bounds alone.
        for j in range(row.shape[0]):
            x = row[j]
            low[j] = x if x < low[j] else low[j]
            high[j] = x if x > high[j] else high[j]


@kernel
def sparse_extent(indptr, indices, data, weight, n_positive, start, stop, low, high, missing):
    """Like dense_extent for CSC columns; n_positive is the number of rows of positive weight."""
    weighted = weight.shape[0] > 0
    for j in range(start, stop):
        stored = 0
        for k in range(indptr[j], indptr[j + 1]):
            x = data[k]
            missing[j - start] += x != x
            if weighted and weight[indices[k]] == 0.0:
                continue
            stored += 1
            low[j - start] = min(low[j - start], x) if x == x else low[j - start]
            high[j - start] = max(high[j - start], x) if x == x else high[j - start]
        if stored < n_positive:
            low[j - start] = min(low[j - start], 0.0)
            high[j - start] = max(high[j - start], 0.0)
