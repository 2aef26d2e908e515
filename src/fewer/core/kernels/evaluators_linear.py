"""Linear models on all folds from correlations of features, when one feature joins or leaves.

Features are centred and scaled in every fold, so that the matrix of the chosen ones, R = L L', has a diagonal of ones.
With z = L^-1 x and u = L^-1 b an answer is the sum of u z over the features; for discriminants u z - u^2 / 2. Test rows
are numbered fold after fold, those of fold f are test[bounds[f]:bounds[f + 1]].
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def invert_factors(matrices, least, inverses, traces):
    """Fill inverses[f] = L^-1 and traces[f] = trace of R^-1, infinite where R is singular to the precision least.

    The smallest eigenvalue of R is at least 1 / trace.
    """
    s = matrices.shape[1]
    factor = np.zeros((s, s))
    for f in range(matrices.shape[0]):
        traces[f] = 0.0
        for a in range(s):
            for b in range(a + 1):
                total = matrices[f, a, b]
                for q in range(b):
                    total -= factor[a, q] * factor[b, q]
                if a > b:
                    factor[a, b] = total / factor[b, b]
                elif total > least:
                    factor[a, a] = np.sqrt(total)
                else:
                    # Also where it is not a number.
                    traces[f] = np.inf
                    factor[a, a] = 1.0
        inverse = inverses[f]
        for a in range(s):
            for b in range(a):
                total = 0.0
                for q in range(b, a):
                    total -= factor[a, q] * inverse[q, b]
                inverse[a, b] = total / factor[a, a]
            inverse[a, a] = 1.0 / factor[a, a]
            for b in range(a + 1):
                traces[f] += inverse[a, b] ** 2
        if not traces[f] * least < 1.0:
            traces[f] = np.inf


@kernel
def project(columns, members, mean, scale, inverses, test, bounds, right, half, out_z, out_u, answers):
    """Fill z of every test row, u of every fold, and add their answers to those that are there."""
    s, n_outputs = members.shape[0], right.shape[2]
    x = np.empty(s)
    for f in range(bounds.shape[0] - 1):
        for a in range(s):
            for m in range(n_outputs):
                total = 0.0
                for b in range(a + 1):
                    total += inverses[f, a, b] * right[f, members[b], m]
                out_u[f, a, m] = total
        for i in range(bounds[f], bounds[f + 1]):
            for a in range(s):
                j = members[a]
                x[a] = (columns[j, test[i]] - mean[f, j]) / scale[f, j]
            for a in range(s):
                total = 0.0
                for b in range(a + 1):
                    total += inverses[f, a, b] * x[b]
                out_z[i, a] = total
                for m in range(n_outputs):
                    u = out_u[f, a, m]
                    answers[i, m] += u * total - half * u * u


@kernel
def join(
    columns, candidates, near, inverses, traces, z, u, mean, scale, right, least, cut, low_scale, sum_scale, half,
    test, bounds, answers, gains, out, doubt,
):  # fmt: skip
    """Fill out[c] with the answers and gains[c, f] with the u of the new feature when each candidate joins.

    near[f, c] are the correlations of candidate c with the members. doubt[c, f] tells that the smallest eigenvalue of
    R may be below least, or the ratio of the smallest to the largest one of the matrix before scaling below cut.
    """
    s, n_outputs = near.shape[2], right.shape[2]
    l, gain = np.empty(s), np.empty(n_outputs)
    for f in range(bounds.shape[0] - 1):
        for c in range(candidates.shape[0]):
            j = candidates[c]
            pivot = 1.0
            for a in range(s):
                l[a] = 0.0
                for b in range(a + 1):
                    l[a] += inverses[f, a, b] * near[f, c, b]
                pivot -= l[a] * l[a]
            back = 1.0
            for b in range(s):
                w = 0.0
                for a in range(b, s):
                    w += inverses[f, a, b] * l[a]
                back += w * w
            bound = 1.0 / (traces[f] + back / pivot) if pivot > least else 0.0
            d = scale[f, j] ** 2
            if not bound > least or not bound * min(low_scale[f], d) > cut * (sum_scale[f] + d):
                doubt[c, f] = True
                continue
            root = np.sqrt(pivot)
            for m in range(n_outputs):
                total = right[f, j, m]
                for a in range(s):
                    total -= l[a] * u[f, a, m]
                gain[m] = total / root
                gains[c, f, m] = gain[m]
            for i in range(bounds[f], bounds[f + 1]):
                x = (columns[j, test[i]] - mean[f, j]) / scale[f, j]
                for a in range(s):
                    x -= l[a] * z[i, a]
                x /= root
                for m in range(n_outputs):
                    out[c, i, m] = answers[i, m] + (gain[m] * x - half * gain[m] * gain[m])


@kernel
def leave(places, inverses, z, u, half, bounds, answers, gains, out):
    """Fill out[c] with the answers when the member in places[c] leaves, and gains[c, f] with the u that it had."""
    s, n_outputs = inverses.shape[1], u.shape[2]
    gain = np.empty(n_outputs)
    for f in range(bounds.shape[0] - 1):
        for c in range(places.shape[0]):
            q = places[c]
            size = 0.0
            for a in range(q, s):
                size += inverses[f, a, q] ** 2
            root = np.sqrt(size)
            for m in range(n_outputs):
                total = 0.0
                for a in range(q, s):
                    total += inverses[f, a, q] * u[f, a, m]
                gain[m] = total / root
                gains[c, f, m] = gain[m]
            for i in range(bounds[f], bounds[f + 1]):
                x = 0.0
                for a in range(q, s):
                    x += inverses[f, a, q] * z[i, a]
                x /= root
                for m in range(n_outputs):
                    out[c, i, m] = answers[i, m] - (gain[m] * x - half * gain[m] * gain[m])
