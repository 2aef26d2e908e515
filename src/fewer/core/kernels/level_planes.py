"""Rows of few-valued columns as bits: distances and sums of differences by popcount.

A level number is written in binary, one plane of bits per place, 64 features a word. Two rows differ in a feature where
any place differs, so that one popcount counts the differences of 64 features. For the sums of one feature the planes
stand upright, one bit per row and level, and near rows are a mask of bits: no pair is visited feature by feature.
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel
from fewer.core.kernels.bits import popcount

# Words of a row that stay in the nearest caches while a tile of rows passes by.
WORDS_AT_ONCE = 256


@kernel
def pack_rows(columns, ends, planes):
    """Write level numbers (n_features, n_rows) as bits: place b of feature f is bit f % 64 of word ends[b] + f // 64.

    Features with more levels stand first; place b holds the first 64 * (ends[b + 1] - ends[b]) features.
    """
    for b in range(ends.shape[0] - 1):
        last = min(columns.shape[0], (ends[b + 1] - ends[b]) << 6)
        for f in range(last):
            column, word, shift = columns[f], ends[b] + (f >> 6), np.uint64(f & 63)
            for i in range(column.shape[0]):
                planes[i, word] |= np.uint64((column[i] >> b) & 1) << shift


@kernel
def _add_one(left, right, first, last, out):
    """Add the differences of features with one place."""
    for i in range(left.shape[0]):
        x = left[i, first:last]
        for j in range(right.shape[0]):
            y, total = right[j, first:last], np.uint64(0)
            for w in range(x.shape[0]):
                total += popcount(x[w] ^ y[w])
            out[i, j] += np.float64(total)


@kernel
def _add_two(left, right, ends, first, last, out):
    """Add the differences of features with two places."""
    more = ends[1]
    for i in range(left.shape[0]):
        x, u = left[i, first:last], left[i, more + first : more + last]
        for j in range(right.shape[0]):
            y, v, total = right[j, first:last], right[j, more + first : more + last], np.uint64(0)
            for w in range(x.shape[0]):
                total += popcount((x[w] ^ y[w]) | (u[w] ^ v[w]))
            out[i, j] += np.float64(total)


@kernel
def _add_several(left, right, ends, n_places, first, last, differ, out):
    """Add the differences of features with more places; ``differ`` is scratch."""
    for i in range(left.shape[0]):
        for j in range(right.shape[0]):
            some, total = differ[: last - first], np.uint64(0)
            some[:] = np.uint64(0)
            for b in range(n_places):
                x, y = left[i, ends[b] + first : ends[b] + last], right[j, ends[b] + first : ends[b] + last]
                for w in range(some.shape[0]):
                    some[w] |= x[w] ^ y[w]
            for w in range(some.shape[0]):
                total += popcount(some[w])
            out[i, j] += np.float64(total)


@kernel
def differing_tile(left, right, ends, out):
    """Fill out[i, j] with the number of features in which two rows differ."""
    out[:, :] = 0.0
    differ = np.empty(WORDS_AT_ONCE, np.uint64)
    for b in range(ends.shape[0] - 1):
        # Words that place b has and place b + 1 has not.
        begin = ends[b + 2] - ends[b + 1] if b + 2 < ends.shape[0] else 0
        for first in range(begin, ends[b + 1] - ends[b], WORDS_AT_ONCE):
            last = min(first + WORDS_AT_ONCE, ends[b + 1] - ends[b])
            if b == 0:
                _add_one(left, right, first, last, out)
            elif b == 1:
                _add_two(left, right, ends, first, last, out)
            else:
                _add_several(left, right, ends, b + 1, first, last, differ, out)


@kernel
def side_masks(distance, own, group, place, kind, share, limit, far, masks, values):
    """Mark the candidates on one side of a limit, and say what those of each class count; return misses less hits.

    As `tiles.side_weights`, but in place of a weight per candidate: bit place[j] of masks[:, i] for every candidate j
    that counts, and values[c, i] for those of class c.
    """
    balance, sign = 0, -1.0 if far else 1.0
    mask, of_class = np.empty(masks.shape[0], np.uint64), np.empty(values.shape[0])
    for i in range(distance.shape[0]):
        row, mine, bound = distance[i], kind[i], sign * limit[i]
        mask[:] = np.uint64(0)
        of_class[:] = 0.0
        for j in range(row.shape[0]):
            counts = (sign * row[j] < bound) & (j != own[i])
            mask[place[j] >> 6] |= np.uint64(counts) << np.uint64(place[j] & 63)
            of_class[group[j]] += counts
        total = 0.0
        for c in range(of_class.shape[0]):
            if c != mine and of_class[c] > 0.0:
                total += share[c]
        balance += int(total > 0.0) - int(of_class[mine] > 0.0)
        for c in range(of_class.shape[0]):
            if of_class[c] > 0.0:
                of_class[c] = -sign / of_class[c] if c == mine else sign * share[c] / total / of_class[c]
        for w in range(mask.shape[0]):
            masks[w, i] = mask[w]
        for c in range(of_class.shape[0]):
            values[c, i] = of_class[c]
    return balance


@kernel
def count_marked(plane, masks, first, last, count):
    """Fill count[i] with the number of bits that the words first to last of a plane and of mask i share."""
    count[:] = np.uint64(0)
    # Four words at a time save the way of the counts to memory and back.
    for w in range(first, last - 3, 4):
        p, q, r, s = plane[w], plane[w + 1], plane[w + 2], plane[w + 3]
        a, b, c, d = masks[w], masks[w + 1], masks[w + 2], masks[w + 3]
        for i in range(count.shape[0]):
            count[i] += popcount(p & a[i]) + popcount(q & b[i]) + popcount(r & c[i]) + popcount(s & d[i])
    for w in range(last - (last - first) % 4, last):
        p, a = plane[w], masks[w]
        for i in range(count.shape[0]):
            count[i] += popcount(p & a[i])


@kernel
def add_up(numbers):
    """Return the sum of numbers by halves, in the same order on every processor; they are lost."""
    n = numbers.shape[0]
    while n > 1:
        half = (n + 1) // 2
        for i in range(n - half):
            numbers[i] += numbers[half + i]
        n = half
    return numbers[0]


@kernel
def add_agreements(columns, first, planes, starts, masks, values, ends, out):
    """Add to out[f] what the marked rows count that have the same level as the row that they were marked for.

    Parameters
    ----------
    columns : (n_features, n_rows)
        Level numbers; the rows from ``first`` on ask, as many as there are masks.
    planes : (n_levels in all, n_words)
        One bit per row and level; those of feature f begin at starts[f].
    masks, values : (n_words, n_queries), (n_classes, n_queries)
        The rows that count, and what each of a class counts.
    ends : (n_classes + 1,)
        The words of every class.
    """
    n, n_classes = masks.shape[1], values.shape[0]
    count, marked, same = np.empty(n, np.uint64), np.empty((n_classes, n), np.uint64), np.empty(n)
    rest, all_ones = np.empty(n, np.uint64), np.full(masks.shape[0], ~np.uint64(0))
    for c in range(n_classes):
        count_marked(all_ones, masks, ends[c], ends[c + 1], marked[c])
    for f in range(columns.shape[0]):
        levels, column = starts[f + 1] - starts[f], columns[f, first : first + n]
        same[:] = 0.0
        for c in range(n_classes):
            value = values[c]
            rest[:] = marked[c]
            for a in range(levels):
                if a + 1 < levels:
                    count_marked(planes[starts[f] + a], masks, ends[c], ends[c + 1], count)
                    for i in range(n):
                        rest[i] -= count[i]
                else:
                    # Every row has a level, so that the last one has the rows that are left.
                    count[:] = rest
                for i in range(n):
                    same[i] += value[i] * np.float64(count[i]) if column[i] == a else 0.0
        out[f] += add_up(same)


@kernel
def add_differing_pairs(left, right, rows, starts, others, weights, out):
    """Add to ``out[f]`` the weights of the chosen pairs that differ in feature f, as in `add_l1_pairs`."""
    for k in range(rows.shape[0]):
        a = left[rows[k]]
        for at in range(starts[k], starts[k + 1]):
            b, w = right[others[at]], weights[at]
            for f in range(out.shape[0]):
                out[f] += w if a[f] != b[f] else 0.0
