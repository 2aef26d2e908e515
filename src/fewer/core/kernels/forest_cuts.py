"""The best split of one column of codes at one node of a tree, by a histogram of weights and sums per code."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def gather(rows, start, stop, bag, value, label, total, weights, values, labels):
    """Copy weight, weighted value and label of some rows side by side, and sum them up in total (weight, sums).

    Return the impurity of these rows times their weight.
    """
    total[:] = 0.0
    square = 0.0
    one = total.shape[0] == 2
    for i in range(start, stop):
        row = rows[i]
        weights[i - start] = bag[row]
        total[0] += bag[row]
        if one:
            values[i - start] = bag[row] * value[row]
            total[1] += bag[row] * value[row]
            square += bag[row] * value[row] * value[row]
        else:
            labels[i - start] = label[row]
            total[1 + label[row]] += bag[row]
    if not one:
        square = total[0]
    for k in range(1, total.shape[0]):
        square -= total[k] * total[k] / total[0]
    return square


@kernel
def fill(column, rows, start, stop, weights, values, labels, hist):
    """Add weight and sums of some rows to the histogram of a column; return its lowest and highest code."""
    low = 255
    high = 0
    one = hist.shape[1] == 2
    for i in range(start, stop):
        code = np.int64(column[rows[i]])
        low = min(low, code)
        high = max(high, code)
        hist[code, 0] += weights[i - start]
        if one:
            hist[code, 1] += values[i - start]
        else:
            hist[code, 1 + labels[i - start]] += weights[i - start]
    return low, high


@kernel
def best_cut(hist, low, high, gap, total, least, side):
    """Return w^2 times the largest drop of impurity, the last code that goes left, whether the gap does, left weight.

    The drop times the weight of the node is |S_L w - S w_L|^2 / (w w_L w_R). ``gap`` is the code of missing values, -1
    if there are none: they go to the right or to the left, whichever is better.
    """
    w = total[0]
    best = 0.0
    cut = -1
    gap_left = False
    heavy = 0.0
    for first in range(2):
        side[:] = 0.0
        if first == 1:
            if gap < 0 or hist[gap, 0] == 0.0:
                break
            for k in range(side.shape[0]):
                side[k] = hist[gap, k]
        for code in range(low, high + 1):
            if hist[code, 0] == 0.0 or code == gap:
                continue
            for k in range(side.shape[0]):
                side[k] += hist[code, k]
            left = side[0]
            right = w - left
            if left < least:
                continue
            if right < least:
                break
            apart = 0.0
            for k in range(1, side.shape[0]):
                d = side[k] * w - total[k] * left
                apart += d * d
            score = apart / (left * right)
            if score > best:
                best = score
                cut = code
                gap_left = first == 1
                heavy = left
    return best, cut, gap_left, heavy


@kernel
def order_levels(hist, n_levels, total, keys, moved, order):
    """Order the levels that occur by their mean target (fraction of the largest class) and return how many they are.

    Levels of equal means share a place, so that the result does not depend on their numbers: keys[at] becomes the place
    of level order[at], and moved the histogram of the places, whose number is returned, too.
    """
    largest = 1
    for k in range(2, total.shape[0]):
        if total[k] > total[largest]:
            largest = k
    found = 0
    for level in range(n_levels):
        if hist[level, 0] > 0.0:
            key = hist[level, largest] / hist[level, 0]
            at = found
            while at > 0 and keys[at - 1] > key:
                keys[at] = keys[at - 1]
                order[at] = order[at - 1]
                at -= 1
            keys[at] = key
            order[at] = level
            found += 1
    place = -1
    last = 0.0
    for at in range(found):
        new = at == 0 or keys[at] != last
        place += 1 if new else 0
        last = keys[at]
        keys[at] = place
        for k in range(total.shape[0]):
            moved[place, k] = hist[order[at], k] + (0.0 if new else moved[place, k])
    return found, place + 1


@kernel
def split_column(hist, low, high, nominal, gap, total, least, side, keys, moved, order):
    """Return what `best_cut` does; the codes of a nominal column are put into an order first, and how many they are."""
    if not nominal:
        return best_cut(hist, low, high, gap, total, least, side), 0
    found, places = order_levels(hist, high + 1, total, keys, moved, order)
    return best_cut(moved, 0, places - 1, -1, total, least, side), found


@kernel
def mark_left(split, found, hist, gap, total, keys, order, left):
    """Fill left[code]. Codes that no in-bag row of the node has go where more weight is; numeric codes by the cut."""
    _, cut, gap_left, heavy = split
    heavier = heavy >= total[0] - heavy
    if found > 0:
        left[:] = heavier
        for at in range(found):
            left[order[at]] = keys[at] <= cut
        return
    for code in range(left.shape[0]):
        left[code] = code <= cut
    if gap >= 0:
        left[gap] = gap_left if hist[gap, 0] > 0.0 else heavier
