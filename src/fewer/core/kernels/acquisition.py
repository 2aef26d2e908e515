"""Which missing value changes estimated relevances most: benefits in closed form, and whole runs of asking for values.

``counts[c, f, x]`` are the known values of rows of class c. Theirs are the frequencies (count + laplace) / (sum +
laplace * levels) of one product distribution per class; with nothing counted and nothing added, all levels alike.
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

# Benefits that differ less, relative to the largest, are equal (rounding must not choose).
TIE = 1e-12
LOW = 0xFFFFFFFF


@kernel
def _mixed(x):
    """Spread the bits of a number below 2^32; products stay below 2^64."""
    x ^= x >> np.uint64(16)
    x = (x * np.uint64(0x7FEB352D)) & np.uint64(LOW)
    x ^= x >> np.uint64(15)
    x = (x * np.uint64(0x846CA68B)) & np.uint64(LOW)
    return x ^ (x >> np.uint64(16))


@kernel
def drawn(seed, step, number, n):
    """Return a whole number from 0 to n - 1 that depends on nothing but seed, step and number (all below 2^32)."""
    x = _mixed(np.uint64(seed))
    x = _mixed((x + np.uint64(step) * np.uint64(0x9E3779B1)) & np.uint64(LOW))
    x = _mixed((x + np.uint64(number) * np.uint64(0x85EBCA77)) & np.uint64(LOW))
    return np.int64((x * np.uint64(n)) >> np.uint64(32))


@kernel
def candidate_cells(missing, n_candidates, seed, step, out):
    """Put ``n_candidates`` of the missing cells into ``out``, drawn without replacement; return nothing.

    ``out`` has room for all missing cells; they are listed row by row and shuffled as far as needed.
    """
    n = 0
    for cell in range(missing.shape[0]):
        if missing[cell]:
            out[n] = cell
            n += 1
    for i in range(n_candidates):
        j = i + drawn(seed, step, i + 1, n - i)
        out[i], out[j] = out[j], out[i]


@kernel
def _frequencies(counts, n_levels, laplace, theta):
    """Fill theta[c, x] for one feature."""
    for c in range(counts.shape[0]):
        total = 0.0
        for x in range(n_levels):
            total += counts[c, x] + laplace
        for x in range(n_levels):
            theta[c, x] = (counts[c, x] + laplace) / total if total > 0 else 1.0 / n_levels


@kernel
def _gain(old, new, change):
    """Return new ln new - old ln old, exact to rounding also where the change is small."""
    if old <= 0.0:
        return new * np.log(new) if new > 0.0 else 0.0
    if new <= 0.0:
        return -old * np.log(old)
    return change * np.log(old) + new * np.log1p(change / old)


@kernel
def relevance(counts, priors, n_levels, laplace, theta):
    """Return the mutual information of one feature with the class under the model, in nats (eq. 5.10)."""
    _frequencies(counts, n_levels, laplace, theta)
    value = 0.0
    for x in range(n_levels):
        mean = 0.0
        for c in range(len(priors)):
            mean += priors[c] * theta[c, x]
        for c in range(len(priors)):
            if theta[c, x] > 0.0:
                value += priors[c] * theta[c, x] * np.log(theta[c, x] / mean)
    return max(value, 0.0)


@kernel
def class_benefits(counts, priors, n_levels, laplace, theta, out):
    """Fill out[c] with the benefit of one more value of one feature in a row of class c (eq. 5.4).

    Only the relevance of this feature moves, and the value is x with probability theta[c, x].
    """
    _frequencies(counts, n_levels, laplace, theta)
    for c in range(len(priors)):
        total = 0.0
        for x in range(n_levels):
            total += counts[c, x] + laplace
        out[c] = 0.0
        for x in range(n_levels):
            moved = 0.0
            for v in range(n_levels):
                here = 1.0 if v == x else 0.0
                new = (counts[c, v] + here + laplace) / (total + 1.0)
                change = (here - theta[c, v]) / (total + 1.0) if total > 0.0 else new - theta[c, v]
                mean = 0.0
                for k in range(len(priors)):
                    mean += priors[k] * theta[k, v]
                moved += priors[c] * _gain(theta[c, v], new, change)
                moved -= _gain(mean, mean + priors[c] * change, priors[c] * change)
            out[c] += theta[c, x] * moved * moved


@kernel
def disclosed(codes, classes, known, counts, priors, n_levels, laplace, scales, fraction, informed, seed, order, path):
    """Ask for every missing value of a complete table, one after the other.

    ``known`` and ``counts`` say what is known at first, and are changed. ``scales[f]`` multiplies the benefits of a
    feature. order[k] is the cell (row * n_features + feature) asked for in step k, path[k] the relevances before it.
    """
    n, d = codes.shape
    k_classes, width = counts.shape[0], counts.shape[2]
    theta = np.empty((k_classes, width))
    benefits, left = np.zeros((d, k_classes)), np.zeros((d, k_classes), np.int64)
    missing, cells = np.zeros(n * d, np.bool_), np.empty(n * d, np.int64)
    for i in range(n):
        for f in range(d):
            if not known[i, f]:
                missing[i * d + f] = True
                left[f, classes[i]] += 1
    for f in range(d):
        path[0, f] = relevance(counts[:, f], priors, n_levels[f], laplace, theta)
        if informed:
            class_benefits(counts[:, f], priors, n_levels[f], laplace, theta, benefits[f])
            benefits[f] *= scales[f]
    for step in range(len(order)):
        if fraction < 1.0:
            cell = _best_of_some(missing, benefits, classes, d, len(order) - step, fraction, seed, step, cells)
        else:
            cell = _best_of_all(missing, benefits, left, classes, d, seed, step)
        i, f = cell // d, cell % d
        order[step] = cell
        missing[cell] = False
        left[f, classes[i]] -= 1
        counts[classes[i], f, codes[i, f]] += 1.0
        path[step + 1] = path[step]
        path[step + 1, f] = relevance(counts[:, f], priors, n_levels[f], laplace, theta)
        if informed:
            class_benefits(counts[:, f], priors, n_levels[f], laplace, theta, benefits[f])
            benefits[f] *= scales[f]


@kernel
def _best_of_all(missing, benefits, left, classes, d, seed, step):
    """Return a missing cell of largest benefit, each of those equally likely."""
    best = 0.0
    for f in range(d):
        for c in range(left.shape[1]):
            if left[f, c] > 0:
                best = max(best, benefits[f, c])
    n_best = 0
    for f in range(d):
        for c in range(left.shape[1]):
            if benefits[f, c] >= best * (1.0 - TIE):
                n_best += left[f, c]
    skipped = drawn(seed, step, 0, n_best)
    for cell in range(len(missing)):
        if missing[cell] and benefits[cell % d, classes[cell // d]] >= best * (1.0 - TIE):
            if skipped == 0:
                return cell
            skipped -= 1
    return -1


@kernel
def _best_of_some(missing, benefits, classes, d, n_missing, fraction, seed, step, cells):
    """Return a cell of largest benefit among a drawn part of the missing ones."""
    n_candidates = max(1, int(np.ceil(fraction * n_missing - 1e-9)))
    candidate_cells(missing, n_candidates, seed, step, cells)
    best = 0.0
    for i in range(n_candidates):
        best = max(best, benefits[cells[i] % d, classes[cells[i] // d]])
    n_best = 0
    for i in range(n_candidates):
        if benefits[cells[i] % d, classes[cells[i] // d]] >= best * (1.0 - TIE):
            n_best += 1
    skipped = drawn(seed, step, 0, n_best)
    for i in range(n_candidates):
        if benefits[cells[i] % d, classes[cells[i] // d]] >= best * (1.0 - TIE):
            if skipped == 0:
                return cells[i]
            skipped -= 1
    return -1
