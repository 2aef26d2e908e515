"""The dual problem of support vector machines, started from a near solution and solved to a certified gap.

Minimise ½ γ'Kγ + Σ c_i γ_i over γ_i = s_i a_i with 0 <= a_i <= u_i and Σ γ_i unchanged. Support vector classification
and regression, and the smallest sphere around points, are all of this form.
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import fast_kernel, kernel

# A pair of rows that are alike has no curvature; this much lets the step go to a bound.
FLAT = 1e-12
# Gradients are sums of products; below this fraction of their size they are rounding.
ROUNDING = 1e-15
# Pairs that are moved before the first look at the free entries: from a near solution few are needed.
FEW = 4


@kernel
def _worst_pair(K, at, sign, cost, upper, a, f):
    """Return the pair that promises the largest fall (second order) and the largest violation of optimality."""
    first, high, low = -1, -np.inf, np.inf
    for i in range(at.shape[0]):
        v = -f[at[i]] - cost[i]
        if (a[i] < upper[i] if sign[i] > 0 else a[i] > 0.0) and v > high:
            first, high = i, v
    second, best = -1, -np.inf
    if first < 0:
        return first, second, 0.0
    row = K[at[first]]
    for j in range(at.shape[0]):
        if a[j] > 0.0 if sign[j] > 0 else a[j] < upper[j]:
            v = -f[at[j]] - cost[j]
            low = min(low, v)
            if v < high:
                curve = row[at[first]] + K[at[j], at[j]] - 2.0 * row[at[j]]
                gain = (high - v) * (high - v) / max(curve, FLAT)
                if gain > best:
                    second, best = j, gain
    return first, second, high - low if second >= 0 else 0.0


@kernel
def _step(K, at, sign, cost, upper, a, f, i, j):
    """Move a pair to its minimum, or until one of the two is at a bound."""
    curve = max(K[at[i], at[i]] + K[at[j], at[j]] - 2.0 * K[at[i], at[j]], FLAT)
    move = (f[at[j]] + cost[j] - f[at[i]] - cost[i]) / curve
    room_i = upper[i] - a[i] if sign[i] > 0 else a[i]
    room_j = a[j] if sign[j] > 0 else upper[j] - a[j]
    move = min(move, room_i, room_j)
    a[i] += sign[i] * move
    a[j] -= sign[j] * move
    # To the last bit, so that a bound is seen as one.
    if move == room_i:
        a[i] = upper[i] if sign[i] > 0 else 0.0
    if move == room_j:
        a[j] = 0.0 if sign[j] > 0 else upper[j]
    p, q = K[at[i]], K[at[j]]
    for k in range(f.shape[0]):
        f[k] += move * (p[k] - q[k])


@kernel
def _add_rows(K, rows, scales, count, out):
    """Write the sum of ``count`` rows of K, each times its scale."""
    out[:] = 0.0
    n, t = out.shape[0], 0
    # Four rows at a time, so that the sum is read and written less often.
    while t + 4 <= count:
        a, b, c, d = scales[t], scales[t + 1], scales[t + 2], scales[t + 3]
        p, q, r, s = K[rows[t]], K[rows[t + 1]], K[rows[t + 2]], K[rows[t + 3]]
        for k in range(n):
            out[k] += (a * p[k] + b * q[k]) + (c * r[k] + d * s[k])
        t += 4
    while t < count:
        a, p = scales[t], K[rows[t]]
        for k in range(n):
            out[k] += a * p[k]
        t += 1


@fast_kernel
def _residual(at, cost, f, free, r):
    """Write the steepest descent among the free entries that keeps their sum; return its square."""
    mean, square = 0.0, 0.0
    for t in range(free.shape[0]):
        r[t] = -f[at[free[t]]] - cost[free[t]]
        mean += r[t]
    mean /= free.shape[0]
    for t in range(free.shape[0]):
        r[t] -= mean
        square += r[t] * r[t]
    return square


@kernel
def _limit(sign, upper, a, free, d):
    """Return how far the free entries can move along a direction, and which one stops them."""
    far, stops = np.inf, -1
    for t in range(free.shape[0]):
        i = free[t]
        slope = sign[i] * d[t]
        if slope > 0.0 and (upper[i] - a[i]) / slope < far:
            far, stops = (upper[i] - a[i]) / slope, t
        elif slope < 0.0 and -a[i] / slope < far:
            far, stops = -a[i] / slope, t
    return far, stops


@kernel
def _among_free(K, at, sign, cost, upper, a, f, free, tol):
    """Minimise over the free entries by conjugate gradients, until one of them meets a bound."""
    m = free.shape[0]
    r, d, Kd = np.empty(m), np.empty(m), np.empty(f.shape[0])
    rows = at[free]
    square = _residual(at, cost, f, free, r)
    d[:] = r
    for _ in range(2 * m):
        if square <= 0.01 * tol * tol:
            return
        _add_rows(K, rows, d, m, Kd)
        curve = 0.0
        for t in range(m):
            curve += d[t] * Kd[at[free[t]]]
        far, stops = _limit(sign, upper, a, free, d)
        flat = curve <= FLAT * square
        if flat and stops < 0:
            return
        move = far if flat else min(far, square / curve)
        for t in range(m):
            a[free[t]] += sign[free[t]] * move * d[t]
        for k in range(f.shape[0]):
            f[k] += move * Kd[k]
        if move == far:
            i = free[stops]
            a[i] = upper[i] if sign[i] * d[stops] > 0 else 0.0
            return
        before, square = square, _residual(at, cost, f, free, r)
        for t in range(m):
            d[t] = r[t] + square / before * d[t]


@kernel
def gradient(K, at, sign, a, f):
    """Write Kγ and return the size of the numbers that it sums."""
    rows, scales, count, size = np.empty_like(at), np.empty(at.shape[0]), 0, 0.0
    for i in range(at.shape[0]):
        if a[i] != 0.0:
            rows[count], scales[count] = at[i], sign[i] * a[i]
            size += a[i] * abs(K[at[i], at[i]])
            count += 1
    _add_rows(K, rows, scales, count, f)
    return size


@kernel
def solve(K, at, sign, cost, upper, a, tol, max_iter):
    """Change a feasible ``a`` to the solution; return the gap of optimality that is left, and the steps it took.

    ``K`` is symmetric; entry i belongs to row ``at[i]`` of it, with sign s_i and linear cost c_i of γ_i. Steps on pairs
    (sequential minimal optimization) find which entries are at their bounds, conjugate gradients solve for the others.
    The gap is the largest difference of gradients that optimality forbids, found with a gradient computed again.
    """
    f, steps, burst = np.empty(K.shape[0]), 0, FEW
    size = gradient(K, at, sign, a, f)
    while True:
        tried, gap = 0, np.inf
        while tried < burst:
            i, j, gap = _worst_pair(K, at, sign, cost, upper, a, f)
            if gap <= max(tol, ROUNDING * size):
                break
            _step(K, at, sign, cost, upper, a, f, i, j)
            tried += 1
        steps += tried
        if tried == 0 or steps >= max_iter:
            return gap, steps
        free = np.flatnonzero((a > 0.0) & (a < upper))
        if tried == burst and free.shape[0] > 1:
            _among_free(K, at, sign, cost, upper, a, f, free, tol)
        burst = min(2 * burst, 2 * at.shape[0])
        size = gradient(K, at, sign, a, f)
