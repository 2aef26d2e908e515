"""Entropy of the distances between all pairs of rows, for subsets that differ by one feature; no pair is stored."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Below this fraction of its squared length a row that loses a feature is measured again.
LITTLE = 1e-6
NO_DISTANCE = 1e-12
# What is left of a correlation near 1 or -1 is measured again, and fractions so near to a bin belong to it.
NEAR = 1e-9


@kernel
def _squares(a, b, nominal, members, out):
    """Write the squared difference of two rows in every member; levels, where nominal is not 0, differ by 1."""
    for m in range(members.shape[0]):
        f = members[m]
        if nominal[f] != 0.0:
            out[m] = 1.0 if a[f] != b[f] else 0.0
        else:
            out[m] = (a[f] - b[f]) * (a[f] - b[f])


@kernel
def distances_added(Z, nominal, members, candidates, i, j, work, out):
    """Write the Euclidean distance of rows i and j on the members and each candidate."""
    _squares(Z[i], Z[j], nominal, members, work)
    base = 0.0
    for m in range(members.shape[0]):
        base += work[m]
    _squares(Z[i], Z[j], nominal, candidates, out)
    for c in range(candidates.shape[0]):
        out[c] = np.sqrt(base + out[c])


@kernel
def distances_removed(Z, nominal, members, candidates, i, j, work, out):
    """Write the Euclidean distance without each candidate, a place among the members; -1 removes none.

    Sums from both ends: what is left after a subtraction would be rounding where nothing is left.
    """
    size = members.shape[0]
    _squares(Z[i], Z[j], nominal, members, work)
    # work[size:] holds the sums of the members from each place on.
    work[2 * size] = 0.0
    for m in range(size - 1, -1, -1):
        work[size + m] = work[size + m + 1] + work[m]
    before = 0.0
    at = 0
    for c in range(candidates.shape[0]):
        if candidates[c] < 0:
            out[c] = np.sqrt(work[size])
            continue
        while at < candidates[c]:
            before += work[at]
            at += 1
        out[c] = np.sqrt(before + work[size + at + 1])


@kernel
def distances_pearson(X, U, shrunk, members, candidates, i, j, work, out):
    """Write 1 - Pearson correlation of rows i and j over the members without each candidate, a place; -1 removes none.

    U holds the rows on the members, centred and of length 1, and shrunk how much of the squared length is left without
    each member. A constant row is correlated with none.
    """
    size = members.shape[0]
    r = 0.0
    for m in range(size):
        r += U[i, m] * U[j, m]
    for c in range(candidates.shape[0]):
        m = candidates[c]
        if m < 0:
            out[c] = 1.0 - r
        elif shrunk[i, m] < LITTLE or shrunk[j, m] < LITTLE:
            out[c] = 1.0 - _correlation(X[i], X[j], members, m)
        else:
            left = (r - U[i, m] * U[j, m] * size / (size - 1.0)) / np.sqrt(shrunk[i, m] * shrunk[j, m])
            out[c] = 1.0 - (left if abs(left) < 1.0 - NEAR else _correlation(X[i], X[j], members, m))
        # What is perfectly correlated is at no distance, not at one of rounding.
        out[c] = min(out[c], 2.0) if out[c] > NO_DISTANCE else 0.0


@kernel
def _correlation(a, b, members, without):
    """Return the correlation of two rows over all members but one, 0 if one of them is constant there."""
    first = members[1] if without == 0 else members[0]
    x0, y0, n = a[first], b[first], members.shape[0] - 1.0
    largest_x, largest_y = 0.0, 0.0
    for m in range(members.shape[0]):
        if m != without:
            largest_x = max(largest_x, abs(a[members[m]] - x0))
            largest_y = max(largest_y, abs(b[members[m]] - y0))
    if largest_x == 0.0 or largest_y == 0.0:
        return 0.0
    mean_x, mean_y = 0.0, 0.0
    for m in range(members.shape[0]):
        if m != without:
            mean_x += (a[members[m]] - x0) / largest_x
            mean_y += (b[members[m]] - y0) / largest_y
    mean_x, mean_y = mean_x / n, mean_y / n
    xx, yy, xy = 0.0, 0.0, 0.0
    for m in range(members.shape[0]):
        if m != without:
            x, y = (a[members[m]] - x0) / largest_x - mean_x, (b[members[m]] - y0) / largest_y - mean_y
            xx, yy, xy = xx + x * x, yy + y * y, xy + x * y
    return xy / np.sqrt(xx * yy)


@kernel
def _distances(kind, X, U, extra, members, candidates, i, j, work, out):
    if kind == 0:
        distances_added(X, extra[0], members, candidates, i, j, work, out)
    elif kind == 1:
        distances_removed(X, extra[0], members, candidates, i, j, work, out)
    else:
        distances_pearson(X, U, extra, members, candidates, i, j, work, out)


@kernel
def extents(kind, X, U, extra, members, candidates, start, stop, total, largest):
    """Add up the distances of the rows start to stop from all later rows, and find the largest, per candidate."""
    work, out = np.empty(2 * members.shape[0] + 1), np.empty(candidates.shape[0])
    row = np.empty(candidates.shape[0])
    for i in range(start, stop):
        row[:] = 0.0
        for j in range(i + 1, X.shape[0]):
            _distances(kind, X, U, extra, members, candidates, i, j, work, out)
            for c in range(out.shape[0]):
                row[c] += out[c]
                largest[c] = max(largest[c], out[c])
        for c in range(out.shape[0]):
            total[c] += row[c]


@kernel
def histograms(kind, X, U, extra, members, candidates, start, stop, largest, counts):
    """Count distances, as fractions of the largest, in bins of equal width, per candidate."""
    work, out = np.empty(2 * members.shape[0] + 1), np.empty(candidates.shape[0])
    n_bins = counts.shape[1]
    for i in range(start, stop):
        for j in range(i + 1, X.shape[0]):
            _distances(kind, X, U, extra, members, candidates, i, j, work, out)
            for c in range(out.shape[0]):
                if largest[c] > 0.0:
                    counts[c, min(int(out[c] / largest[c] * n_bins + NEAR), n_bins - 1)] += 1


@kernel
def similarity_entropies(kind, X, U, extra, members, candidates, start, stop, alpha, total):
    """Add up -s ln s - (1 - s) ln(1 - s) of the similarities s = exp(-alpha D), per candidate."""
    work, out = np.empty(2 * members.shape[0] + 1), np.empty(candidates.shape[0])
    row = np.empty(candidates.shape[0])
    for i in range(start, stop):
        row[:] = 0.0
        for j in range(i + 1, X.shape[0]):
            _distances(kind, X, U, extra, members, candidates, i, j, work, out)
            for c in range(out.shape[0]):
                far = alpha[c] * out[c]
                s = np.exp(-far)
                if s < 1.0:
                    row[c] += far * s - (1.0 - s) * np.log(1.0 - s)
        for c in range(out.shape[0]):
            total[c] += row[c]


@kernel
def peak_entropies(kind, X, U, extra, members, candidates, start, stop, largest, mu, beta, total):
    """Add up a curve that rises from 0 at D = 0 to 1 at D = mu and falls to 0 at the largest D, per candidate."""
    work, out = np.empty(2 * members.shape[0] + 1), np.empty(candidates.shape[0])
    row = np.empty(candidates.shape[0])
    for i in range(start, stop):
        row[:] = 0.0
        for j in range(i + 1, X.shape[0]):
            _distances(kind, X, U, extra, members, candidates, i, j, work, out)
            for c in range(out.shape[0]):
                if largest[c] > 0.0:
                    d = out[c] / largest[c]
                    if d <= mu[c]:
                        row[c] += np.expm1(beta * d) / np.expm1(beta * mu[c])
                    else:
                        row[c] += np.expm1(beta * (1.0 - d)) / np.expm1(beta * (1.0 - mu[c]))
        for c in range(out.shape[0]):
            total[c] += row[c]
