"""One tree of a forest, grown on uint8 codes by histograms, its splits chosen on in-bag or out-of-bag rows.

A node is a range of the in-bag rows and a range of the out-of-bag rows, both kept so that the left child comes first;
a row of ``nodes`` holds its feature (-1: a leaf), the two starts, middles and stops, and its depth. No histogram is
made by subtraction: every node draws features of its own, so that its parent has not counted them.
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel
from fewer.core.kernels.forest_cuts import fill, gather, mark_left, split_column

IN_BAG, OWN, REFERENCE = range(3)
FEATURE, START, MIDDLE, STOP, OUT_START, OUT_MIDDLE, OUT_STOP, DEPTH = range(8)
# A split must explain more than this fraction of what the target varies at the root; less is rounding.
SLIGHT = 1e-12


@kernel
def draw(state, n):
    """Return a whole number below n < 2^32 and move on the generator (xorshift of Marsaglia, 2003)."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    # Both factors are below 2^32, so that the product does not overflow.
    return np.int64(((x >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@kernel
def sample(state, weight, bootstrap, bag, rows, out):
    """Fill bag with the in-bag weight of all rows, rows and out with those in and out of bag; return how many are in.

    In-bag weights are how often a row was drawn times its weight; without bootstrap every row is drawn once.
    """
    n = weight.shape[0]
    bag[:] = 0.0 if bootstrap else 1.0
    if bootstrap:
        for _ in range(n):
            bag[draw(state, n)] += 1.0
    inside = 0
    outside = 0
    for i in range(n):
        if bag[i] > 0.0:
            bag[i] *= weight[i]
            rows[inside] = i
            inside += 1
        else:
            out[outside] = i
            outside += 1
    return inside


@kernel
def drop_outside(column, out, start, stop, weight, value, label, left, mean, sides, hist, reference):
    """Return the drop of impurity of a split on out-of-bag rows, times their weight.

    By their own means, or with ``reference`` by the mean of the node and of its children in bag; 0 if a child is empty.
    """
    sides[:] = 0.0
    for i in range(start, stop):
        row = out[i]
        at = 0 if left[column[row]] else 1
        sides[at, 0] += weight[row]
        if sides.shape[1] == 2:
            sides[at, 1] += weight[row] * value[row]
        else:
            sides[at, 1 + label[row]] += weight[row]
    if sides[0, 0] == 0.0 or sides[1, 0] == 0.0:
        return 0.0
    drop = 0.0
    if not reference:
        for k in range(1, sides.shape[1]):
            # In this form whole numbers stay whole, and equal drops are equal.
            d = sides[0, k] * sides[1, 0] - sides[1, k] * sides[0, 0]
            drop += d * d
        return drop / (sides[0, 0] * sides[1, 0]) / (sides[0, 0] + sides[1, 0])
    for at in range(2):
        inside = 0.0
        for code in range(left.shape[0]):
            inside += hist[code, 0] if left[code] == (at == 0) else 0.0
        for k in range(1, sides.shape[1]):
            child = 0.0
            for code in range(left.shape[0]):
                child += hist[code, k] if left[code] == (at == 0) else 0.0
            child /= inside
            drop += (child - mean[k]) * (2.0 * sides[at, k] - (child + mean[k]) * sides[at, 0])
    return drop


@kernel
def part(rows, start, stop, column, left, spare):
    """Put the rows of a range that go left before the others, each in their order; return where the others begin."""
    at = start
    rest = 0
    for i in range(start, stop):
        row = rows[i]
        if left[column[row]]:
            rows[at] = row
            at += 1
        else:
            spare[rest] = row
            rest += 1
    for i in range(rest):
        rows[at + i] = spare[i]
    return at


@kernel
def choose(columns, nominal, gaps, weight, value, label, mode, max_features, least, state, tree, node, work, floor):
    """Draw features for a node, fill work.best with the split that is best, return feature and drop times weight.

    Features are drawn until there are max_features and one of them can be split. Of equal drops the one drawn first
    wins, not the lower number: contrasts stand behind features and would lose all ties.
    """
    rows, out, bag, order = tree
    total, mean, side, sides, hist, keys, moved, levels, left, best_left, weights, values, labels, spare = work
    start, stop, first, last = node[START], node[STOP], node[OUT_START], node[OUT_STOP]
    impurity = gather(rows, start, stop, bag, value, label, total, weights, values, labels)
    for k in range(1, total.shape[0]):
        mean[k] = total[k] / total[0]
    feature = -1
    highest = floor if mode == IN_BAG else 0.0
    usable = False
    if impurity <= floor or total[0] < 2.0 * least or (mode != IN_BAG and last - first < 2):
        return feature, highest
    for drawn in range(order.shape[0]):
        if drawn >= max_features and usable:
            break
        other = drawn + draw(state, order.shape[0] - drawn)
        order[drawn], order[other] = order[other], order[drawn]
        j = order[drawn]
        low, high = fill(columns[j], rows, start, stop, weights, values, labels, hist)
        drop = 0.0
        if low < high:
            split, found = split_column(hist, low, high, nominal[j], gaps[j], total, least, side, keys, moved, levels)
            drop = split[0] / total[0]
            usable = usable or drop > floor
            if drop > (highest if mode == IN_BAG else floor):
                mark_left(split, found, hist, gaps[j], total, keys, levels, left)
                if mode != IN_BAG:
                    drop = drop_outside(
                        columns[j], out, first, last, weight, value, label, left, mean, sides, hist, mode == REFERENCE
                    )
            elif mode != IN_BAG:
                drop = 0.0
        hist[low : high + 1] = 0.0
        if drop > highest:
            highest = drop
            feature = j
            # A loop: copying by slices would compile for seconds.
            for code in range(left.shape[0]):
                best_left[code] = left[code]
    return feature, highest


@kernel
def grow_tree(columns, nominal, gaps, weight, value, label, settings, state, tree, work, nodes, drops, means):
    """Grow a tree and return its number of nodes, parents before their children, and of in-bag rows.

    ``drops`` gets the drop of impurity of every split times the fraction of the rows (in bag or out of bag, as
    ``settings`` says) that are at the node, ``means`` the mean of the target at every node in bag.
    """
    bootstrap, mode, max_depth, max_features, least = settings
    rows, out, bag, order = tree
    mean, best_left, spare = work[1], work[9], work[13]
    inside = sample(state, weight, bootstrap > 0, bag, rows, out)
    nodes[0, :] = 0
    nodes[0, STOP] = inside
    nodes[0, OUT_STOP] = columns.shape[1] - inside
    for j in range(order.shape[0]):
        order[j] = j
    count = 1
    at = 0
    floor, scale = root_scale(rows, out, inside, bag, weight, value, mode, mean.shape[0])
    while at < count:
        node = nodes[at]
        node[FEATURE] = -1
        drops[at] = 0.0
        limit = least if node[DEPTH] < max_depth else np.inf
        j, drop = choose(
            columns, nominal, gaps, weight, value, label, mode, max_features, limit, state, tree, node, work, floor
        )
        for k in range(1, mean.shape[0]):
            means[at, k] = mean[k]
        if j >= 0:
            node[FEATURE] = j
            drops[at] = drop / scale
            node[MIDDLE] = part(rows, node[START], node[STOP], columns[j], best_left, spare)
            node[OUT_MIDDLE] = part(out, node[OUT_START], node[OUT_STOP], columns[j], best_left, spare)
            add_children(nodes, at, count)
            count += 2
        at += 1
    return count, inside


@kernel
def add_children(nodes, at, count):
    """Append the two children of a node."""
    for child in range(2):
        new = nodes[count + child]
        new[START] = nodes[at, MIDDLE] if child else nodes[at, START]
        new[STOP] = nodes[at, STOP] if child else nodes[at, MIDDLE]
        new[OUT_START] = nodes[at, OUT_MIDDLE] if child else nodes[at, OUT_START]
        new[OUT_STOP] = nodes[at, OUT_STOP] if child else nodes[at, OUT_MIDDLE]
        new[DEPTH] = nodes[at, DEPTH] + 1


@kernel
def root_scale(rows, out, inside, bag, weight, value, mode, width):
    """Return the least drop (times weight) that counts, and the weight of the rows that importances refer to."""
    scale = 0.0
    square = 0.0
    sums = 0.0
    for i in range(inside):
        row = rows[i]
        scale += bag[row]
        sums += bag[row] * value[row]
        square += bag[row] * value[row] * value[row]
    floor = SLIGHT * (square - sums * sums / scale if width == 2 else scale)
    if mode == IN_BAG:
        return max(floor, 0.0), scale
    scale = 0.0
    for i in range(out.shape[0] - inside):
        scale += weight[out[i]]
    return max(floor, 0.0), scale
