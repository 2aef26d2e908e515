"""Mixtures of two Gaussians, one per feature, by expectation and maximisation."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import fast_kernel, kernel

# Smallest variance of a component, in units of the variance of the feature. Without it the likelihood has no maximum:
# a component on a single value could grow without bound.
FLOOR = 1e-3
# Parameters of two components and of one: weight, means and variances.
TWO, ONE = 5, 2
# A component with less than this fraction of the values has died.
DEAD = 1e-10
# Values worked on together; their exponentials stay in the first-level cache and their product cannot overflow.
PIECE = 256
LOG_2_PI = 1.8378770664093453
# Adding and taking away this number rounds to a whole number, whose bits are then the lowest ones of the sum.
ROUNDER = 6755399441055744.0
LOG2_E = 1.4426950408889634
LN2_HIGH = 6.93147180369123816490e-01
LN2_LOW = 1.90821492927058770002e-10


@kernel
def _exponentials(y, n):
    """Replace y[i], which lie between -700 and 0, by exp(y[i]).

    Cody-Waite reduction and the Taylor polynomial of degree 12: SIMD lanes, where the library's function is a call.
    """
    for i in range(n):
        shifted = y[i] * LOG2_E + ROUNDER
        whole = shifted - ROUNDER
        r = (y[i] - whole * LN2_HIGH) - whole * LN2_LOW
        p = 1.0 / 479001600.0
        p = p * r + 1.0 / 39916800.0
        p = p * r + 1.0 / 3628800.0
        p = p * r + 1.0 / 362880.0
        p = p * r + 1.0 / 40320.0
        p = p * r + 1.0 / 5040.0
        p = p * r + 1.0 / 720.0
        p = p * r + 1.0 / 120.0
        p = p * r + 1.0 / 24.0
        p = p * r + 1.0 / 6.0
        p = p * r + 0.5
        p = p * r + 1.0
        p = p * r + 1.0
        power = np.int64(((np.float64(shifted).view(np.int64) & 0x7FF) + 1023) << 52 & 0x7FF0000000000000)
        y[i] = p * power.view(np.float64)


@fast_kernel
def _compare(x, model, gap, small):
    """Fill gap with the log density of component 1 over that of 0, small with -|gap|; return the sum of the larger.

    model = (weight 0, mean 0, variance 0, weight 1, mean 1, variance 1); the densities of eq. 6.1 without 1/sqrt(2 pi).
    """
    mean0, half0 = model[1], 0.5 / model[2]
    mean1, half1 = model[4], 0.5 / model[5]
    height0 = np.log(model[0]) - 0.5 * np.log(model[2])
    height1 = np.log(model[3]) - 0.5 * np.log(model[5])
    larger = 0.0
    for i in range(x.shape[0]):
        log0 = height0 - half0 * (x[i] - mean0) * (x[i] - mean0)
        log1 = height1 - half1 * (x[i] - mean1) * (x[i] - mean1)
        larger += max(log0, log1)
        gap[i] = log1 - log0
        small[i] = max(-abs(gap[i]), -700.0)
    return larger


@fast_kernel
def _weigh(x, gap, small, sums):
    """Add (r, r x, r x^2) to sums, r = P(component 1 | x); return the sum of ln(1 + small)."""
    product, s, sx, sxx = 1.0, 0.0, 0.0, 0.0
    for i in range(x.shape[0]):
        # One logarithm per piece, of the product.
        both = 1.0 + small[i]
        product *= both
        r = (1.0 if gap[i] > 0.0 else small[i]) / both
        s += r
        sx += r * x[i]
        sxx += r * x[i] * x[i]
    sums[0] += s
    sums[1] += sx
    sums[2] += sxx
    return np.log(product)


# Not a fast kernel: those hand their flags down to what they call, and reordered sums would undo the rounding in
# _exponentials.
@kernel
def _expect(z, model, gap, small, sums):
    """Fill sums with (sum r, sum r z, sum r z^2), r = P(component 1 | z); return the log-likelihood."""
    n = z.shape[0]
    likelihood = -0.5 * LOG_2_PI * n
    sums[:] = 0.0
    for begin in range(0, n, PIECE):
        x = z[begin : min(begin + PIECE, n)]
        # ln(e^a + e^b) = max(a, b) + ln(1 + e^-|a - b|).
        likelihood += _compare(x, model, gap, small)
        _exponentials(small, x.shape[0])
        likelihood += _weigh(x, gap, small, sums)
    return likelihood


@kernel
def _maximise(sums, totals, model):
    """Set the model to the weights, means and variances of the softly divided values; False if a component died."""
    n = totals[0]
    if sums[0] < DEAD * n or sums[0] > (1.0 - DEAD) * n:
        return False
    for c in range(2):
        weight = sums[0] if c == 1 else n - sums[0]
        mean = (sums[1] if c == 1 else totals[1] - sums[1]) / weight
        square = (sums[2] if c == 1 else totals[2] - sums[2]) / weight
        model[3 * c] = weight / n
        model[3 * c + 1] = mean
        model[3 * c + 2] = max(square - mean * mean, FLOOR)
    return True


@kernel
def _climb(z, split, max_iter, tol, model, gap, small, sums, totals):
    """Start with the first split values in component 0 and climb; return log-likelihood and iterations."""
    n = z.shape[0]
    totals[0], totals[1], totals[2] = n, 0.0, 0.0
    sums[:] = 0.0
    for i in range(n):
        totals[1] += z[i]
        totals[2] += z[i] * z[i]
        if i >= split:
            sums[0] += 1.0
            sums[1] += z[i]
            sums[2] += z[i] * z[i]
    _maximise(sums, totals, model)
    likelihood = _expect(z, model, gap, small, sums)
    for iteration in range(max_iter):
        if not _maximise(sums, totals, model):
            return likelihood, iteration
        before = likelihood
        likelihood = _expect(z, model, gap, small, sums)
        if likelihood - before < tol * n:
            return likelihood, iteration + 1
    return likelihood, max_iter


@kernel
def _split_at(x, rank):
    """Return how many of the ascending values are not larger than x[rank], or smaller if that were all."""
    n, split = x.shape[0], rank + 1
    while split < n and x[split] == x[rank]:
        split += 1
    if split == n:
        split = rank
        while split > 0 and x[split - 1] == x[rank]:
            split -= 1
    return split


@kernel
def _n_present(x):
    """Return how many values stand before the missing ones."""
    n = x.shape[0]
    while n > 0 and x[n - 1] != x[n - 1]:
        n -= 1
    return n


@kernel
def _centre_and_spread(x):
    """Return mean and standard deviation of ascending values, without rounding if they are all equal."""
    if x.shape[0] == 0:
        return np.nan, np.nan
    if x[0] == x[-1]:
        return x[0], 0.0
    centre = x.mean()
    return centre, np.sqrt(((x - centre) ** 2).mean())


@kernel
def fit_columns(columns, max_iter, tol, weight, mean, variance, two_states, n_iter):
    """Fit every row of columns (ascending, missing values last): see Mixtures for what the results mean.

    Starts: split at the median, at the lower and at the upper quartile; the largest likelihood wins, the earlier of
    equal ones. Values are centred and scaled first, so results follow shifts and scales of a feature.
    Five values or fewer have one component.
    """
    n_rows = columns.shape[1]
    z, gap, small = np.empty(n_rows), np.empty(PIECE), np.empty(PIECE)
    sums, totals, model, best = np.empty(3), np.empty(3), np.empty(6), np.empty(6)
    for j in range(columns.shape[0]):
        x = columns[j, : _n_present(columns[j])]
        n = x.shape[0]
        centre, spread = _centre_and_spread(x)
        weight[j, 0], mean[j, 0], variance[j, 0] = 1.0, centre, spread * spread
        weight[j, 1], mean[j, 1], variance[j, 1] = 0.0, np.nan, np.nan
        two_states[j], n_iter[j] = False, 0
        if n <= TWO or not (spread > 0.0 and spread < np.inf):
            continue
        for i in range(n):
            z[i] = (x[i] - centre) / spread
        top = -np.inf
        for quarter in (2, 1, 3):
            split = _split_at(x, (quarter * n + 3) // 4 - 1)
            likelihood, used = _climb(z[:n], split, max_iter, tol, model, gap, small, sums, totals)
            if likelihood > top:
                top, n_iter[j] = likelihood, used
                best[:] = model
        # The Bayesian information criterion of two components against that of one.
        single = -0.5 * n * (LOG_2_PI + 1.0)
        if TWO * np.log(n) - 2.0 * top < ONE * np.log(n) - 2.0 * single:
            two_states[j] = True
            first = 0 if best[1] <= best[4] else 3
            for c in range(2):
                k = first if c == 0 else 3 - first
                weight[j, c] = best[k]
                mean[j, c] = best[k + 1] * spread + centre
                variance[j, c] = best[k + 2] * spread * spread
