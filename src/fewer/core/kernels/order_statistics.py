"""Several order statistics of a column at once, without sorting it."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Parts into which the middle of a column is cut; their counts stay in the first-level cache.
PARTS = 2048
# Values looked at to find where the middle of a column lies.
SAMPLE = 128
# Columns are copied together, in pieces of so many rows that the cache lines of X serve them all.
COLUMNS = 32
ROWS = 64
# Copied columns hold no more values than this, if one does not.
COPIED = 2**23


@kernel
def dense_quantiles(X, bins, wanted, start, stop, out, high):
    """Fill out[j - start, k - 1] with the ceil(k n / bins)-th smallest of the n values of feature j, k = 1..bins - 1.

    Missing values are left out; high[j - start] is the largest value. Returns which of the wanted features were found;
    the others are short or lie too close together for this way and must be sorted.
    """
    n = X.shape[0]
    found = np.zeros(stop - start, np.bool_)
    together = max(1, min(COLUMNS, COPIED // max(n, 1)))
    columns, kept = np.empty((together, n)), np.empty(n)
    parts, counts, ends = np.empty(n, np.uint16), np.empty(PARTS + 2, np.int64), np.empty(PARTS + 2, np.int64)
    for left in range(start, stop, together):
        right = min(left + together, stop)
        for top in range(0, n, ROWS):
            bottom = min(top + ROWS, n)
            for j in range(left, right):
                column = columns[j - left]
                for i in range(top, bottom if wanted[j] else top):
                    column[i] = X[i, j]
        for j in range(left, right):
            if not wanted[j]:
                continue
            values = columns[j - left, : _drop_missing(columns[j - left])]
            if values.shape[0] < 4 * SAMPLE:
                continue
            high[j - start] = _largest(values)
            low, scale = _middle(values, bins)
            if scale > 0.0:
                found[j - start] = _select(values, low, scale, parts, counts, ends, kept, out[j - start])
    return found


@kernel
def _drop_missing(values):
    """Move the values that are not missing to the front, -0.0 as 0.0; return how many there are."""
    n = 0
    for i in range(values.shape[0]):
        x = values[i] + 0.0
        values[n] = x
        n += x == x
    return n


@kernel
def _largest(values):
    """Return the largest of values of which none is missing (the library's own takes long to compile)."""
    largest = values[0]
    for i in range(1, values.shape[0]):
        largest = max(largest, values[i])
    return largest


@kernel
def _differ(values):
    """Return whether any of the values differs from the first."""
    for i in range(1, values.shape[0]):
        if values[i] != values[0]:
            return True
    return False


@kernel
def _middle(values, bins):
    """Return where the parts begin and how many there are per unit, none if the middle has no width."""
    sample = values[:: values.shape[0] // SAMPLE].copy()
    _sort(sample)
    # The outermost quantiles sought are 1/bins and 1 - 1/bins; a quarter of that leaves room for chance.
    margin = sample.shape[0] // (4 * bins)
    low, high = sample[margin], sample[sample.shape[0] - 1 - margin]
    if not (high > low and high - low < np.inf):
        return 0.0, 0.0
    scale = PARTS / (high - low)
    return low, scale if scale < np.inf else 0.0


@kernel
def _rank(k, n, bins):
    """Return the place of the k/bins quantile among n ascending values, counted from 0."""
    return (k * n + bins - 1) // bins - 1


@kernel
def _select(values, low, scale, parts, counts, ends, kept, quantiles):
    """Count the values by parts of the range, keep those of the parts that hold a quantile, and sort only these.

    Returns False if a part holds so many different values that sorting the column is better.
    """
    n, bins = values.shape[0], quantiles.shape[0] + 1
    counts[:] = 0
    ends[:] = -1
    for i in range(n):
        # Rounding is monotone, so the parts ascend with the values. Bounds first: a cast beyond them gives any number.
        parts[i] = np.uint16(min(max((values[i] - low) * scale + 1.0, 0.0), PARTS + 1.0))
    for i in range(n):
        counts[parts[i]] += 1
    part, before, begin = 0, 0, 0
    for k in range(1, bins):
        while before + counts[part] <= _rank(k, n, bins):
            before += counts[part]
            part += 1
        if ends[part] < 0:
            ends[part] = begin
            begin += counts[part]
    for i in range(n):
        place = ends[parts[i]]
        if place >= 0:
            kept[place] = values[i]
            ends[parts[i]] = place + 1
    return _pick(n, counts, ends, kept, quantiles)


@kernel
def _pick(n, counts, ends, kept, quantiles):
    """Fill the quantiles from the kept values; ends[p] is where those of part p end."""
    bins = quantiles.shape[0] + 1
    part, before, ready = 0, 0, -1
    for k in range(1, bins):
        rank = _rank(k, n, bins)
        while before + counts[part] <= rank:
            before += counts[part]
            part += 1
        inside = kept[ends[part] - counts[part] : ends[part]]
        if part != ready:
            if _differ(inside):
                if inside.shape[0] > n // 16:
                    return False
                _sort(inside)
            ready = part
        quantiles[k - 1] = inside[rank - before]
    return True


@kernel
def _sort(values):
    """Sort in place (Shell's method: the library's sort takes seconds to compile)."""
    n = values.shape[0]
    gap = 1
    while gap < n // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n):
            x = values[i]
            k = i
            while k >= gap and values[k - gap] > x:
                values[k] = values[k - gap]
                k -= gap
            values[k] = x
        gap //= 3
