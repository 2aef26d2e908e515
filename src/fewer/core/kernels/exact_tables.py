"""Null distributions of contingency tables with fixed margins: one table after another, or all of them on a grid.

A statistic is a sum over cells. A level takes some rows of every class, which is a step; a table is one step per level.
Steps are listed level after level: their rows per class (all but the last one), the logarithm of their weight
1 / prod k! and the part of the statistic that they add.
"""

from __future__ import annotations

import math

import numpy as np

from fewer.core.kernels._jit import fast_kernel, kernel

PEARSON, INFORMATION, GINI = 0, 1, 2


@kernel
def cell_part(kind, k, expected, rows):
    """Return what a cell of k rows adds to the statistic; never negative, 0 at the expected number."""
    if kind == PEARSON:
        return (k - expected) * (k - expected) / expected
    if kind == GINI:
        return (k - expected) * (k - expected) / rows
    part = expected - k
    return part + k * np.log(k / expected) if k > 0 else part


@kernel
def count_steps(total, classes, most):
    """Return in how many ways ``total`` rows fall into classes of these sizes; infinity if in more than ``most``."""
    # Numbers of ways may leave the range of whole numbers.
    ways, sums = np.zeros(total + 1), np.zeros(total + 2)
    ways[0] = 1.0
    for c in range(len(classes) - 1):
        for t in range(total + 1):
            sums[t + 1] = sums[t] + ways[t]
        for t in range(total + 1):
            ways[t] = sums[t + 1] - sums[max(t - classes[c], 0)]
        # Differences of sums far beyond what is asked for mean nothing.
        if sums[total + 1] > 1e15:
            return np.inf
    found = 0.0
    for t in range(max(total - classes[-1], 0), total + 1):
        found += ways[t]
    return found if found <= most else np.inf


@kernel
def log_factorial(k):
    """Return log k!."""
    return math.lgamma(k + 1.0)


@kernel
def step_of(kind, k, total, weight, shares):
    """Return the logarithm of the weight of a step and what it adds to the statistic."""
    size, part = 0.0, 0.0
    for c in range(len(k)):
        size -= log_factorial(k[c])
        part += cell_part(kind, np.float64(k[c]), total * shares[c], weight[c])
    return size, part


@kernel
def fill_steps(kind, total, weight, classes, shares, taken, log_weight, part):
    """List the steps of a level; ``weight`` is what the Gini gain divides by, per class."""
    last = len(classes) - 1
    k = np.zeros(last + 1, np.int64)
    at = 0
    while True:
        k[last] = total - k[:last].sum()
        if 0 <= k[last] <= classes[last]:
            taken[at] = k[:last]
            log_weight[at], part[at] = step_of(kind, k, total, weight, shares)
            at += 1
        c = 0
        while c < last:
            k[c] += 1
            if k[c] <= classes[c] and k[:last].sum() <= total:
                break
            k[c] = 0
            c += 1
        if c == last:
            return at


@kernel
def last_step(kind, left, total, weight, shares, k):
    """Return weight and part of the last level, which takes the rows that are left; -inf if it cannot."""
    last = len(shares) - 1
    k[:last] = left
    k[last] = total - left.sum()
    if left.min() < 0 or k[last] < 0:
        return -np.inf, 0.0
    return step_of(kind, k, total, weight, shares)


@kernel
def enumerate_tables(kind, classes, shares, starts, taken, log_weight, part, total, weight, log_scale, limits, tails):
    """Add the probability of every table to the last of the ascending limits that its statistic reaches.

    Steps are those of all levels but the last, which has ``total`` rows and is given by the others.
    """
    n_steps, n_free = len(starts) - 1, len(classes) - 1
    place, k = np.zeros(n_steps, np.int64), np.zeros(n_free + 1, np.int64)
    left = np.zeros((n_steps + 1, n_free), np.int64)
    left[0] = classes[:n_free]
    value, size = np.zeros(n_steps + 1), np.zeros(n_steps + 1)
    level = 0
    while level >= 0:
        step = place[level]
        if step == starts[level + 1]:
            level -= 1
            continue
        place[level] += 1
        left[level + 1] = left[level] - taken[step]
        if left[level + 1].min() < 0:
            continue
        value[level + 1], size[level + 1] = value[level] + part[step], size[level] + log_weight[step]
        if level < n_steps - 1:
            level += 1
            place[level] = starts[level]
            continue
        end_size, end_part = last_step(kind, left[n_steps], total, weight, shares, k)
        reached = np.searchsorted(limits, value[n_steps] + end_part, side="right")
        if end_size > -np.inf and reached > 0:
            tails[reached - 1] += np.exp(size[n_steps] + end_size + log_scale)


@fast_kernel
def add_scaled(old, used, factor, shift, new):
    """Add the first cells of a distribution, moved up by ``shift``; what leaves the grid stays in its last cell."""
    n = len(old)
    inside = max(min(used, n - shift), 0)
    for m in range(inside):
        new[m + shift] += factor * old[m]
    beyond = 0.0
    for m in range(inside, used):
        beyond += old[m]
    new[n - 1] += factor * beyond
    return min(used + shift, n)


@kernel
def add_steps(old, chance, moves, new):
    """Add a distribution once for every step, as likely as it is and moved up as far."""
    used = len(old)
    while used > 1 and old[used - 1] == 0.0:
        used -= 1
    for step in range(len(chance)):
        add_scaled(old, used, chance[step], moves[step], new)


@kernel
def grid_distribution(kind, classes, shares, starts, taken, log_weight, part, total, weight, most, cell, n_cells):
    """Return the distribution of the statistic on a grid of cells of this width.

    ``most`` says how many rows of every class but the last can lie outside the last level. Weights of a level are taken
    relative to its largest, so that products stay in range.
    """
    n_free = len(classes) - 1
    strides = np.ones(n_free + 1, np.int64)
    for c in range(n_free):
        strides[c + 1] = strides[c] * (most[c] + 1)
    n_states = strides[n_free]
    # How many cells of every state may be other than 0.
    old, used = np.zeros((n_states, n_cells)), np.zeros(n_states, np.int64)
    old[0, 0], used[0] = 1.0, 1
    for level in range(len(starts) - 1):
        new, reached = np.zeros((n_states, n_cells)), np.zeros(n_states, np.int64)
        best = log_weight[starts[level] : starts[level + 1]].max()
        for state in np.flatnonzero(used):
            for step in range(starts[level], starts[level + 1]):
                to, fits = state, True
                for c in range(n_free):
                    have = (state // strides[c]) % (most[c] + 1)
                    fits = fits and have + taken[step, c] <= most[c]
                    to += taken[step, c] * strides[c]
                if fits:
                    factor, shift = np.exp(log_weight[step] - best), round(part[step] / cell)
                    reached[to] = max(reached[to], add_scaled(old[state], used[state], factor, shift, new[to]))
        new /= new.sum()
        old, used = new, reached
    out, k, left = np.zeros(n_cells), np.zeros(n_free + 1, np.int64), np.zeros(n_free, np.int64)
    sizes, parts = np.full(n_states, -np.inf), np.zeros(n_states)
    for state in np.flatnonzero(used):
        for c in range(n_free):
            left[c] = classes[c] - (state // strides[c]) % (most[c] + 1)
        sizes[state], parts[state] = last_step(kind, left, total, weight, shares, k)
    best = sizes.max()
    for state in np.flatnonzero(sizes > -np.inf):
        add_scaled(old[state], used[state], np.exp(sizes[state] - best), round(parts[state] / cell), out)
    return out / out.sum()


@kernel
def two_by_two(kind, k, r, c, n):
    """Return the statistic of a table of two by two."""
    return (
        cell_part(kind, np.float64(k), r * c / n, np.float64(r))
        + cell_part(kind, np.float64(r - k), r * (n - c) / n, np.float64(r))
        + cell_part(kind, np.float64(c - k), (n - r) * c / n, np.float64(n - r))
        + cell_part(kind, np.float64(n - r - c + k), (n - r) * (n - c) / n, np.float64(n - r))
    )


@kernel
def outer_sum(k, step, r, c, n):
    """Return the hypergeometric probability of k and all counts beyond it in the direction of ``step``."""
    low, high = max(0, r + c - n), min(r, c)
    if k < low or k > high:
        return 0.0
    size = log_factorial(r) + log_factorial(n - r) + log_factorial(c) + log_factorial(n - c) - log_factorial(n)
    size -= log_factorial(k) + log_factorial(r - k) + log_factorial(c - k) + log_factorial(n - r - c + k)
    term, tail = 1.0, 1.0
    # Relative to the first term, which may underflow where the others do not matter.
    while low < k + min(step, 0) + 1 and k + max(step, 0) <= high and term > 1e-18 * tail:
        if step > 0:
            term *= (r - k) * (c - k) / ((k + 1.0) * (n - r - c + k + 1.0))
        else:
            term *= k * (n - r - c + k) / ((r - k + 1.0) * (c - k + 1.0))
        k += step
        tail += term
    return np.exp(size) * tail


@kernel
def fisher_tails(kind, a, row, column, total, out):
    """Fill p-values of tables [[a, row - a], [column - a, ...]]: the probability of all whose statistic is as large.

    With fixed margins there is one free count, and every statistic grows with its distance from what is expected.
    """
    for j in range(len(a)):
        r, c, n = row[j], column[j], total[j]
        low, high = max(0, r + c - n), min(r, c)
        observed = two_by_two(kind, a[j], r, c, n) * (1.0 - 1e-9)
        middle = (r * c) // n
        # The count nearest to the middle on either side that is as extreme.
        first, last = low - 1, middle
        while first < last:
            k = (first + last + 1) // 2
            if two_by_two(kind, k, r, c, n) >= observed:
                first = k
            else:
                last = k - 1
        below = first
        first, last = middle + 1, high + 1
        while first < last:
            k = (first + last) // 2
            if two_by_two(kind, k, r, c, n) >= observed:
                last = k
            else:
                first = k + 1
        out[j] = min(outer_sum(below, -1, r, c, n) + outer_sum(first, 1, r, c, n), 1.0)
