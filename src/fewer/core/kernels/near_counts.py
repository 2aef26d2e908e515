"""Counts of near rows for estimates of mutual information.

Distances are differences times a scale, never differences of scaled values. What is nearer than the k-th nearest row is
nearer by more than rounding, so that tenths count as whole numbers do, in any unit. Where the k-th nearest row is at
distance 0, rows at distance 0 are counted in place of nearer ones, and k is their number, each row included itself.
What is returned says how often digamma of each whole number is added, or taken off: whole numbers, which do not depend
on the order of rows.
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def _insert(nearest, k, distance):
    """Put a distance below nearest[k - 1] into its place among the k smallest, which are sorted."""
    at = k - 1
    while at > 0 and nearest[at - 1] > distance:
        nearest[at] = nearest[at - 1]
        at -= 1
    nearest[at] = distance


# Distances that differ by less than this fraction are equal.
NEARER = 1.0 - 1e-9
# The smallest number above 0.
TINY = 5e-324
# So many values are looked at together, which a processor does at once, and so many times; what is beyond is halved.
# Counts about the root of the rows are usual.
STRIDE, STRIDES = 64, 4


@kernel
def _near(values, start, stop, centre, scale, limit):
    """Return how many values from start to stop are nearer to a centre than a limit."""
    found, here = 0, values[start:stop]
    for j in range(here.shape[0]):
        found += np.int64(abs(here[j] - centre) * scale < limit)
    return found


@kernel
def _lowest(values, at, centre, scale, limit):
    """Return the first place up to ``at`` from which on sorted values are nearer to a centre than a limit."""
    for _ in range(STRIDES):
        start = max(at - STRIDE, 0)
        found = _near(values, start, at, centre, scale, limit)
        if found < at - start or start == 0:
            return at - found
        at = start
    step = STRIDE
    while at - step >= 0 and (centre - values[at - step]) * scale < limit:
        at, step = at - step, 2 * step
    low = max(at - step, -1) + 1
    left = at - low
    while left > 0:
        # Which half is a coin toss that no processor foresees, so there is no branch.
        half = (left + 1) >> 1
        low += half * np.int64((centre - values[low + half - 1]) * scale >= limit)
        left -= half
    return low


@kernel
def _highest(values, at, centre, scale, limit):
    """Return the last place from ``at`` on, and one more, up to which sorted values are nearer than a limit."""
    n, at = values.shape[0], at + 1
    for _ in range(STRIDES):
        stop = min(at + STRIDE, n)
        found = _near(values, at, stop, centre, scale, limit)
        if found < stop - at or stop == n:
            return at + found
        at = stop
    at, step = at - 1, STRIDE
    while at + step < n and (values[at + step] - centre) * scale < limit:
        at, step = at + step, 2 * step
    left = min(at + step, n) - at - 1
    at += 1
    while left > 0:
        half = (left + 1) >> 1
        at += half * np.int64((values[at + half - 1] - centre) * scale < limit)
        left -= half
    return at


@kernel
def _within(values, at, scale, radius):
    """Return how many sorted values are nearer to values[at] than a radius; for radius 0 how many are equal to it."""
    centre, limit = values[at], max(radius, TINY)
    return _highest(values, at, centre, scale, limit) - _lowest(values, at, centre, scale, limit)


@kernel
def in_strips(a, by_a, width, ranks, order, low, high):
    """Cut rows into strips of width rows by a, and fill order with the rows of each strip in their own order.

    by_a sorts a; ranks becomes what place in it each row has; low and high are the ends of a in each strip.
    """
    n = a.shape[0]
    ends = np.empty(low.shape[0], np.int64)
    for strip in range(low.shape[0]):
        start, stop = strip * width, min((strip + 1) * width, n)
        low[strip], high[strip] = a[by_a[start]], a[by_a[stop - 1]]
        ends[strip] = start
        for place in range(start, stop):
            ranks[by_a[place]] = place
    for i in range(n):
        strip = ranks[i] // width
        order[ends[strip]] = i
        ends[strip] += 1


@kernel
def _first_from(values, start, stop, bound):
    """Return the first place from start to stop whose value is not below a bound."""
    left = stop - start
    while left > 0:
        half = (left + 1) >> 1
        start += half * np.int64(values[start + half - 1] < bound)
        left -= half
    return start


@kernel
def _look(a, b, c, classes, by_class, start, stop, down, up, q, scales, nearest, k):
    """Look at one strip from places down and up outwards, as long as b alone is near enough."""
    for step in (-1, 1):
        j = down if step < 0 else up
        while start <= j < stop:
            gap = abs(b[j] - b[q]) * scales[1]
            if gap >= nearest[k - 1]:
                break
            if not by_class:
                gap = max(gap, abs(c[j] - c[q]) * scales[2])
            gap = max(gap, abs(a[j] - a[q]) * scales[0])
            if gap < nearest[k - 1] and (not by_class or classes[j] == classes[q]):
                _insert(nearest, k, gap)
            j += step


@kernel
def _radius(a, b, c, classes, by_class, low, high, width, q, scales, nearest, k):
    """Return the distance of row q to its k-th nearest row, of its class if by_class; rows are in strips."""
    n, strip = a.shape[0], q // width
    nearest[:k] = np.inf
    start, stop = strip * width, min((strip + 1) * width, n)
    _look(a, b, c, classes, by_class, start, stop, q - 1, q + 1, q, scales, nearest, k)
    left, right = strip - 1, strip + 1
    while True:
        to_left = (a[q] - high[left]) * scales[0] if left >= 0 else np.inf
        to_right = (low[right] - a[q]) * scales[0] if right < low.shape[0] else np.inf
        if min(to_left, to_right) >= nearest[k - 1]:
            return nearest[k - 1]
        here = left if to_left <= to_right else right
        left, right = (left - 1, right) if to_left <= to_right else (left, right + 1)
        start, stop = here * width, min((here + 1) * width, n)
        at = _first_from(b, start, stop, b[q])
        _look(a, b, c, classes, by_class, start, stop, at - 1, at, q, scales, nearest, k)


@kernel
def _near_pair(a, b, c, classes, by_class, low, high, width, q, scales, radius):
    """Return how many rows are equal in a, b and c or class, and how many are nearer in a and b than a radius."""
    n, own, both = a.shape[0], 0, 0
    for strip in range(low.shape[0]):
        gap = max((a[q] - high[strip]) * scales[0], (low[strip] - a[q]) * scales[0])
        if gap >= radius and gap > 0.0:
            continue
        start, stop = strip * width, min((strip + 1) * width, n)
        at = _first_from(b, start, stop, b[q])
        for step in (-1, 1):
            j = at - 1 if step < 0 else at
            while start <= j < stop:
                gap = abs(b[j] - b[q]) * scales[1]
                if gap >= radius and gap > 0.0:
                    break
                gap = max(gap, abs(a[j] - a[q]) * scales[0])
                both += gap < radius or gap == 0.0
                own += gap == 0.0 and (classes[j] == classes[q] if by_class else c[j] == c[q])
                j += step
    return own, both


@kernel
def _look_at_two(a, b, start, stop, down, up, a_here, b_here, a_scale, b_scale, nearest, k):
    """Do what `_look` does, of two columns."""
    worst = nearest[k - 1]
    while down >= start:
        gap = (b_here - b[down]) * b_scale
        if gap >= worst:
            break
        gap = max(gap, abs(a[down] - a_here) * a_scale)
        if gap < worst:
            _insert(nearest, k, gap)
            worst = nearest[k - 1]
        down -= 1
    while up < stop:
        gap = (b[up] - b_here) * b_scale
        if gap >= worst:
            break
        gap = max(gap, abs(a[up] - a_here) * a_scale)
        if gap < worst:
            _insert(nearest, k, gap)
            worst = nearest[k - 1]
        up += 1


@kernel
def _radius_of_two(a, b, low, high, width, q, a_scale, b_scale, nearest, k):
    """Do what `_radius` does, of two columns."""
    n, strip, a_here, b_here = a.shape[0], q // width, a[q], b[q]
    nearest[:] = np.inf
    start, stop = strip * width, min((strip + 1) * width, n)
    _look_at_two(a, b, start, stop, q - 1, q + 1, a_here, b_here, a_scale, b_scale, nearest, k)
    left, right = strip - 1, strip + 1
    while True:
        to_left = (a_here - high[left]) * a_scale if left >= 0 else np.inf
        to_right = (low[right] - a_here) * a_scale if right < low.shape[0] else np.inf
        if min(to_left, to_right) >= nearest[k - 1]:
            return nearest[k - 1]
        here = left if to_left <= to_right else right
        left, right = (left - 1, right) if to_left <= to_right else (left, right + 1)
        start, stop = here * width, min((here + 1) * width, n)
        at = _first_from(b, start, stop, b_here)
        _look_at_two(a, b, start, stop, at - 1, at, a_here, b_here, a_scale, b_scale, nearest, k)


@kernel
def count_numbers(a, b, ranks, places, a_sorted, b_sorted, none, low, high, width, scales, k, times):
    """Add to times what psi(k) - psi(n_a + 1) - psi(n_b + 1) is over all rows (Kraskov and others 2004, equation 8).

    Rows are in strips of a, see `in_strips`, and sorted by b in each; ranks and places say where their values stand in
    the sorted columns. none holds whole zeros, where `count_pairs` has a third column.
    """
    nearest = np.empty(k)
    for q in range(a.shape[0]):
        radius, own = _radius_of_two(a, b, low, high, width, q, scales[0], scales[1], nearest, k), k
        if radius == 0.0:
            own, _ = _near_pair(a, b, a, none, True, low, high, width, q, scales, 0.0)
        radius *= NEARER
        times[own] += 1
        times[_within(a_sorted, ranks[q], scales[0], radius)] -= 1
        times[_within(b_sorted, places[q], scales[1], radius)] -= 1


@kernel
def count_pairs(a, b, c, places, c_sorted, classes, sizes, low, high, width, scales, k, times):
    """Do the same for the pair (a, b), by the larger of both distances, and c, or classes where sizes are given.

    Rows are in strips of a and sorted by b in each; every class has two rows or more.
    """
    by_class, nearest = sizes.shape[0] > 0, np.empty(k)
    for q in range(a.shape[0]):
        own = min(k, sizes[classes[q]] - 1) if by_class else k
        radius = _radius(a, b, c, classes, by_class, low, high, width, q, scales, nearest, own)
        radius *= NEARER
        equal, both = _near_pair(a, b, c, classes, by_class, low, high, width, q, scales, radius)
        other = sizes[classes[q]] if by_class else _within(c_sorted, places[q], scales[2], radius)
        times[own if radius > 0.0 else equal] += 1
        times[both] -= 1
        times[other] -= 1


@kernel
def count_classes(x, classes, sizes, k, times):
    """Add to times what psi(k) - psi(n_c) - psi(m) is over all rows (Ross 2014), of sorted x.

    Every class has two rows or more.
    """
    n = x.shape[0]
    starts = np.zeros(sizes.shape[0] + 1, np.int64)
    for c in range(sizes.shape[0]):
        starts[c + 1] = starts[c] + sizes[c]
    place, values, ranks = starts.copy(), np.empty(n), np.empty(n, np.int64)
    for i in range(n):
        values[place[classes[i]]] = x[i]
        ranks[place[classes[i]]] = i
        place[classes[i]] += 1
    for c in range(sizes.shape[0]):
        own, k_here = values[starts[c] : starts[c + 1]], min(k, sizes[c] - 1)
        times[sizes[c]] -= sizes[c]
        for i in range(sizes[c]):
            down, up, radius = i - 1, i + 1, 0.0
            for _ in range(k_here):
                to_left = own[i] - own[down] if down >= 0 else np.inf
                to_right = own[up] - own[i] if up < sizes[c] else np.inf
                radius = min(to_left, to_right)
                if to_left <= to_right:
                    down -= 1
                else:
                    up += 1
            times[k_here if radius > 0.0 else _within(own, i, 1.0, 0.0)] += 1
            times[_within(x, ranks[starts[c] + i], 1.0, radius * NEARER)] -= 1
