"""Documents and terms that move one by one, so that the integrated likelihood of counts grows."""

from __future__ import annotations

import math

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def _rise(before, more):
    """Return ln Gamma(before + more) - ln Gamma(before); up to three whole tokens, the usual, take one logarithm."""
    if before < 1e90:
        if more == 1.0:
            return math.log(before)
        if more == 2.0:
            return math.log(before * (before + 1.0))
        if more == 3.0:
            return math.log(before * (before + 1.0) * (before + 2.0))
    return math.lgamma(before + more) - math.lgamma(before)


@kernel
def document_sweep(indptr, indices, data, useful, order, labels, counts, totals, sizes, prior, size_prior):
    """Let every document move to the cluster where the integrated likelihood is largest; return how many moved.

    Rows of a sparse matrix of counts; counts[k, u] are the tokens of useful term u in cluster k, totals[k] their sum,
    sizes[k] the documents. A document stays unless another cluster is better by more than rounding.
    """
    n_clusters = sizes.shape[0]
    n_useful = 0
    for t in range(useful.shape[0]):
        n_useful += useful[t]
    gains, moved = np.empty(n_clusters), 0
    for i in order:
        own, length = labels[i], 0.0
        for at in range(indptr[i], indptr[i + 1]):
            if useful[indices[at]]:
                counts[own, indices[at]] -= data[at]
                length += data[at]
        totals[own] -= length
        sizes[own] -= 1.0
        for k in range(n_clusters):
            whole = prior * n_useful + totals[k]
            gain = math.log(size_prior + sizes[k])
            if n_useful > 0:
                gain += math.lgamma(whole) - math.lgamma(whole + length)
            for at in range(indptr[i], indptr[i + 1]):
                if useful[indices[at]]:
                    gain += _rise(prior + counts[k, indices[at]], data[at])
            gains[k] = gain
        best = own
        for k in range(n_clusters):
            if gains[k] > gains[best] + 1e-9 * (1.0 + abs(gains[best])):
                best = k
        moved += best != own
        labels[i] = best
        for at in range(indptr[i], indptr[i + 1]):
            if useful[indices[at]]:
                counts[best, indices[at]] += data[at]
        totals[best] += length
        sizes[best] += 1.0
    return moved


@kernel
def _log_gamma(x):
    """Return ln Gamma(x), 0 for what is empty."""
    return math.lgamma(x) if x > 0.0 else 0.0


@kernel
def term_sweep(order, counts, tokens, own, useful, totals, state, prior, noise_prior, split_prior):
    """Let every term move between useful terms and noise where the integrated likelihood grows; return how many moved.

    counts[k, t] are tokens of all terms; own[t] is what the term alone gains as a useful one; totals[k] the tokens of
    useful terms, state = (useful terms, noise terms, their tokens, tokens of noise terms).
    """
    n_clusters, moved = totals.shape[0], 0
    for t in order:
        sign = -1.0 if useful[t] else 1.0
        gain = sign * own[t]
        n_useful, n_noise = state[0], state[1]
        size = prior * n_useful
        after = prior * (n_useful + sign)
        for k in range(n_clusters):
            gain += _log_gamma(after) - _log_gamma(after + totals[k] + sign * counts[k, t])
            gain -= _log_gamma(size) - _log_gamma(size + totals[k])
        size, after = noise_prior * n_noise, noise_prior * (n_noise - sign)
        change = sign * tokens[t]
        gain += _log_gamma(after) - _log_gamma(after + state[3] - change)
        gain -= _log_gamma(size) - _log_gamma(size + state[3])
        gain += math.lgamma(split_prior + state[2] + change) - math.lgamma(split_prior + state[2])
        gain += math.lgamma(split_prior + state[3] - change) - math.lgamma(split_prior + state[3])
        if gain > 1e-9 * (1.0 + abs(own[t])):
            useful[t] = not useful[t]
            for k in range(n_clusters):
                totals[k] += sign * counts[k, t]
            state[0] += sign
            state[1] -= sign
            state[2] += change
            state[3] -= change
            moved += 1
    return moved
