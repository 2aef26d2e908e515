"""What a grown tree says: predictions of its leaves, and how well other columns could stand in for its splits."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel
from fewer.core.kernels.forest_trees import FEATURE, MIDDLE, OUT_START, OUT_STOP, START, STOP


@kernel
def add_predictions(nodes, means, rows, out, everywhere, outside, times):
    """Add the mean of its leaf to every row, once for all rows and once for those out of bag, which are counted."""
    for at in range(nodes.shape[0]):
        if nodes[at, FEATURE] >= 0:
            continue
        for i in range(nodes[at, START], nodes[at, STOP]):
            everywhere[rows[i]] += means[at, 0]
        for i in range(nodes[at, OUT_START], nodes[at, OUT_STOP]):
            everywhere[out[i]] += means[at, 0]
            outside[out[i]] += means[at, 0]
            times[out[i]] += 1


@kernel
def agreement(hist, nominal, gap):
    """Return the largest weight that a split of a column sends to the same side as the split that filled hist.

    hist holds the weights per code that went left and right. A nominal column, and missing values of any, send every
    code to the side where more of it went; numbers are cut, and the lower part goes to either side.
    """
    agree = 0.0
    left = 0.0
    right = 0.0
    for code in range(hist.shape[0]):
        if nominal or code == gap:
            agree += max(hist[code, 0], hist[code, 1])
        else:
            left += hist[code, 0]
            right += hist[code, 1]
    best = max(left, right)
    low_left = 0.0
    low_right = 0.0
    for code in range(0 if nominal else hist.shape[0]):
        if code != gap:
            low_left += hist[code, 0]
            low_right += hist[code, 1]
            best = max(best, low_left + right - low_right, low_right + left - low_left)
    return agree + best


@kernel
def add_masking(columns, nominal, gaps, nodes, drops, rows, bag, masking):
    """Add to masking[i, j] the drops of the splits on column i times how well column j could stand in for them.

    The association is (min(p_L, p_R) - (1 - p_LL - p_RR)) / min(p_L, p_R), on in-bag rows; only those above 0 count.
    """
    hist = np.zeros((256, 2))
    for at in range(nodes.shape[0]):
        i = nodes[at, FEATURE]
        if i < 0:
            continue
        start, middle, stop = nodes[at, START], nodes[at, MIDDLE], nodes[at, STOP]
        for j in range(columns.shape[0]):
            hist[:] = 0.0
            for side in range(2):
                for r in range(middle if side else start, stop if side else middle):
                    hist[columns[j, rows[r]], side] += bag[rows[r]]
            left = 0.0
            right = 0.0
            for code in range(256):
                left += hist[code, 0]
                right += hist[code, 1]
            smaller = min(left, right)
            above = smaller - (left + right - agreement(hist, nominal[j], gaps[j]))
            if above > 0.0:
                masking[i, j] += drops[at] * min(above / smaller, 1.0)
