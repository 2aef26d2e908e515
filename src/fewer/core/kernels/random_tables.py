"""Random tables with given margins: the classes of the rows are shuffled, the levels stay where they are."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def shuffled_counts(labels, random, out):
    """Fill how many of the first rows are of each class, (n_shuffles, n_rows + 1, n_classes), in shuffled rows.

    Every line of ``random`` (uint32) shuffles once and has a number for each row. ``labels`` are mixed in place.
    """
    n_rows, n_classes = labels.shape[0], out.shape[2]
    for draw in range(random.shape[0]):
        for c in range(n_classes):
            out[draw, 0, c] = 0
        for at in range(n_rows):
            # Below 2^63: the number has 32 bits, and rows are fewer than 2^31.
            pick = at + ((np.int64(random[draw, at]) * (n_rows - at)) >> 32)
            label = labels[pick]
            labels[pick] = labels[at]
            labels[at] = label
            for c in range(n_classes):
                out[draw, at + 1, c] = out[draw, at, c]
            out[draw, at + 1, label] += 1


@kernel
def sums_of_tables(counts, ends, weight, power, out):
    """Fill the sums over all cells of weight[level, class] * power[rows of the cell], one for every shuffle.

    A level has the rows up to its end; the next one begins there.
    """
    for draw in range(counts.shape[0]):
        value, start = 0.0, 0
        for level in range(ends.shape[0]):
            end = ends[level]
            for c in range(counts.shape[2]):
                rows = np.int64(counts[draw, end, c]) - np.int64(counts[draw, start, c])
                value += weight[level, c] * power[rows]
            start = end
        out[draw] = value
