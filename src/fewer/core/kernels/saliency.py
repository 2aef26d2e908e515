"""Mixtures in which a feature tells the components apart with some probability, and else is noise common to all."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

LOG_2_PI = 1.8378770664093453
# Beyond this difference of logarithms the smaller of two densities leaves no trace; also where one of them is 0.
FAR = 40.0
LARGE = 1e200


@kernel
def _log(x):
    return np.log(x) if x > 0.0 else -np.inf


@kernel
def saliency_pass(X, weights, means, variances, noise_mean, noise_variance, saliency, memberships, relevant, noise):
    """Fill memberships, and the sums over rows that the next model is made of; return the log-likelihood.

    relevant[s, j, l] and noise[s, l] are the sums of u (x - mean)^s and v (x - noise mean)^s for s = 0, 1, 2: u is the
    probability that a row belongs to component j and that feature l is relevant in it, v that it is noise.
    """
    n, d = X.shape
    k = weights.shape[0]
    log_weights, inside, outside = np.empty(k), np.empty((k, d)), np.empty(d)
    fraction, b, half = np.empty((k, d)), np.empty(d), 0.5 / variances
    for j in range(k):
        log_weights[j] = _log(weights[j])
        for l in range(d):
            inside[j, l] = _log(saliency[l]) - 0.5 * (LOG_2_PI + np.log(variances[j, l]))
    for l in range(d):
        outside[l] = _log(1.0 - saliency[l]) - 0.5 * (LOG_2_PI + np.log(noise_variance[l]))
    relevant[:] = 0.0
    noise[:] = 0.0
    likelihood = 0.0
    for i in range(n):
        for l in range(d):
            off = X[i, l] - noise_mean[l]
            b[l] = outside[l] - 0.5 * off * off / noise_variance[l]
        largest = -np.inf
        for j in range(k):
            total, product = log_weights[j], 1.0
            for l in range(d):
                off = X[i, l] - means[j, l]
                a = inside[j, l] - off * off * half[j, l]
                gap = a - b[l]
                if gap > FAR:
                    total += a
                    fraction[j, l] = 1.0
                elif gap < -FAR:
                    total += b[l]
                    fraction[j, l] = 0.0
                else:
                    # ln(e^a + e^b) = max(a, b) + ln(1 + e^-|a - b|), and one logarithm of a product for many features.
                    small = np.exp(-abs(gap))
                    total += max(a, b[l])
                    product *= 1.0 + small
                    fraction[j, l] = (1.0 if gap > 0.0 else small) / (1.0 + small)
                    if product > LARGE:
                        total += np.log(product)
                        product = 1.0
            total += np.log(product)
            memberships[i, j] = total
            largest = max(largest, total)
        total = 0.0
        for j in range(k):
            memberships[i, j] = np.exp(memberships[i, j] - largest)
            total += memberships[i, j]
        likelihood += largest + np.log(total)
        for j in range(k):
            w = memberships[i, j] / total
            memberships[i, j] = w
            if w == 0.0:
                continue
            for l in range(d):
                u = w * fraction[j, l]
                off = X[i, l] - means[j, l]
                relevant[0, j, l] += u
                relevant[1, j, l] += u * off
                relevant[2, j, l] += u * off * off
                off = X[i, l] - noise_mean[l]
                noise[0, l] += w - u
                noise[1, l] += (w - u) * off
                noise[2, l] += (w - u) * off * off
    return likelihood
