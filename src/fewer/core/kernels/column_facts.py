"""One look at every column: missing values, range, steps from row to row, a fingerprint of all values."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Odd numbers without a pattern in their bits. A fingerprint is a polynomial of the mixed values in such a number,
# modulo 2^64: that of two row blocks follows from those of each. Two of them are as good as 128 bits.
BASES = (0x9E3779B97F4A7C15, 0xD1342543DE82EF95)
SALTS = (0x2545F4914F6CDD1D, 0x8CB92BA72F3D8DD7)
MISSING = 0x7FF8DEADBEEF1234


@kernel
def _mixed(bits, salt):
    """Spread the bits of a value; those of 0.0 become 0, so that zeros of sparse columns need not be looked at."""
    x = bits * salt
    x ^= x >> np.uint64(29)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(32)
    return x


@kernel
def look_dense(columns, bits, y, ranges, steps, sums, prints, low, high):
    """Look at columns of float64, one per row of ``columns``; ``bits`` are the same bytes as whole numbers.

    ranges[j] is the smallest, the largest, the first and the last value; steps[j] counts missing values, values that
    are not whole, and rows whose value is larger and smaller than the one before (missing ones aside); sums[j] are
    the sums of x, x^2 and row number times x, where x is measured from the first value. low[j, c] and high[j, c] are
    the range in class c; without classes they have no columns.
    """
    for j in range(columns.shape[0]):
        column, word = columns[j], bits[j]
        first, last = np.nan, np.nan
        smallest, largest = np.inf, -np.inf
        x_sum, square_sum, row_sum = 0.0, 0.0, 0.0
        missing, parts, ups, downs = 0, 0, 0, 0
        a, b = np.uint64(0), np.uint64(0)
        for i in range(column.shape[0]):
            x, key = column[i], word[i]
            if x != x:
                missing += 1
                key = np.uint64(MISSING)
            elif first != first:
                first = x
            a = a * np.uint64(BASES[0]) + _mixed(key, np.uint64(SALTS[0]))
            b = b * np.uint64(BASES[1]) + _mixed(key, np.uint64(SALTS[1]))
            # Comparisons with NaN are false.
            parts += x == x and x != np.floor(x)
            ups += x > last
            downs += x < last
            last = x if x == x else last
            smallest = x if x < smallest else smallest
            largest = x if x > largest else largest
            # Only columns without missing values are asked for their sums.
            from_first = x - first
            x_sum += from_first
            square_sum += from_first * from_first
            row_sum += i * from_first
        ranges[j, 0], ranges[j, 1], ranges[j, 2], ranges[j, 3] = smallest, largest, first, last
        steps[j, 0], steps[j, 1], steps[j, 2], steps[j, 3] = missing, parts, ups, downs
        sums[j, 0], sums[j, 1], sums[j, 2] = x_sum, square_sum, row_sum
        prints[j, 0], prints[j, 1] = a, b
        if low.shape[1] > 0:
            _class_ranges(column, y, low[j], high[j])


@kernel
def _class_ranges(column, y, low, high):
    """Widen low[c], high[c] to the values of class c."""
    for i in range(column.shape[0]):
        x, c = column[i], y[i]
        if c >= 0:
            low[c] = x if x < low[c] else low[c]
            high[c] = x if x > high[c] else high[c]


@kernel
def look_sparse(indptr, indices, data, bits, start, stop, y, sizes, powers, ranges, steps, sums, prints, low, high):
    """Do the same for CSC columns ``start`` to ``stop``, in which rows that are not stored are zeros.

    sizes[c] is the number of rows of class c; powers[k, i] is the k-th base to the power of i.
    """
    n, n_classes = powers.shape[1], low.shape[1]
    stored = np.zeros(max(n_classes, 1), np.int64)
    for j in range(stop - start):
        stored[:] = 0
        for at in range(indptr[start + j], indptr[start + j + 1]):
            x, key, i = data[at], bits[at], indices[at]
            if x != x:
                steps[j, 0] += 1
                key = np.uint64(MISSING)
            prints[j, 0] += powers[0, n - 1 - i] * _mixed(key, np.uint64(SALTS[0]))
            prints[j, 1] += powers[1, n - 1 - i] * _mixed(key, np.uint64(SALTS[1]))
            c = y[i] if n_classes > 0 else 0
            if c >= 0:
                stored[c] += 1
            if x != x:
                continue
            steps[j, 1] += x != np.floor(x)
            ranges[j, 0] = min(ranges[j, 0], x)
            ranges[j, 1] = max(ranges[j, 1], x)
            if n_classes > 0 and c >= 0:
                low[j, c] = min(low[j, c], x)
                high[j, c] = max(high[j, c], x)
        if indptr[start + j + 1] - indptr[start + j] < n:
            ranges[j, 0], ranges[j, 1] = min(ranges[j, 0], 0.0), max(ranges[j, 1], 0.0)
        for c in range(n_classes):
            if stored[c] < sizes[c]:
                low[j, c], high[j, c] = min(low[j, c], 0.0), max(high[j, c], 0.0)
        begin, end = indptr[start + j], indptr[start + j + 1]
        _steps_sparse(indices[begin:end], data[begin:end], n, ranges[j], steps[j], sums[j])


@kernel
def _steps_sparse(rows, values, n, ranges, steps, sums):
    """Find first and last value, steps and sums of one sparse column, the rows between stored ones being zeros."""
    first, last = np.nan, np.nan
    ups, downs = 0, 0
    x_sum, square_sum, row_sum = 0.0, 0.0, 0.0
    # Number of the row that comes next, and how many rows are zeros and the sum of their numbers.
    then, zeros, zero_rows = 0, 0.0, 0.0
    for at in range(len(rows) + 1):
        i = rows[at] if at < len(rows) else n
        if i > then:
            zeros += i - then
            # Halves of products below 2^53 are exact.
            zero_rows += 0.5 * float(i - then) * float(i + then - 1)
            ups += last < 0.0
            downs += last > 0.0
            first = 0.0 if first != first else first
            last = 0.0
        if at < len(rows):
            x = values[at]
            first = x if first != first else first
            ups += x > last
            downs += x < last
            last = x if x == x else last
            from_first = x - first
            x_sum += from_first
            square_sum += from_first * from_first
            row_sum += i * from_first
        then = i + 1
    ranges[2], ranges[3], steps[2], steps[3] = first, last, ups, downs
    if zeros > 0:
        x_sum, square_sum, row_sum = (
            x_sum - zeros * first,
            square_sum + zeros * first * first,
            row_sum - zero_rows * first,
        )
    sums[0], sums[1], sums[2] = x_sum, square_sum, row_sum
