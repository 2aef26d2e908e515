"""The nearest of many candidates, kept in one list per query and group while tiles of distances pass by."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

FEW_CLASSES = 4


@kernel
def _later(distance, index, other_distance, other_index):
    """Return whether the first neighbour comes after the second: farther, or as far with a higher number."""
    return distance > other_distance or (distance == other_distance and index > other_index)


@kernel
def _swap(distances, indices, i, j):
    """Let two neighbours change places."""
    distances[i], distances[j] = distances[j], distances[i]
    indices[i], indices[j] = indices[j], indices[i]


@kernel
def _first_k(distances, indices, n, k):
    """Move the first k of n neighbours to the front, in any order, with the last of them at place k - 1."""
    left, right = 0, n - 1
    while left < right:
        middle = (left + right) // 2
        for a, b in ((left, middle), (middle, right), (left, middle)):
            if _later(distances[a], indices[a], distances[b], indices[b]):
                _swap(distances, indices, a, b)
        d, index = distances[middle], indices[middle]
        i, j = left, right
        while i <= j:
            while _later(d, index, distances[i], indices[i]):
                i += 1
            while _later(distances[j], indices[j], d, index):
                j -= 1
            if i <= j:
                _swap(distances, indices, i, j)
                i += 1
                j -= 1
        if k - 1 <= j:
            right = j
        elif k - 1 >= i:
            left = i
        else:
            break


@kernel
def _insert(distances, indices, n, distance, index):
    """Put a candidate among n sorted ones, after equal distances; the last of a full list falls out."""
    at = min(n, distances.shape[0] - 1)
    while at > 0 and distances[at - 1] > distance:
        distances[at], indices[at] = distances[at - 1], indices[at - 1]
        at -= 1
    distances[at], indices[at] = distance, index


@kernel
def keep_nearest(tile, first, own, slots, kind, group, size, counts, limits, distances, indices):
    """Offer a tile of candidates to the lists of its queries, which hold the ``size`` nearest and some more.

    ``tile[i, j]`` is the distance of query i and candidate first + j; ``own[i]`` is the candidate that is the query
    itself, or -1. The candidate goes to the list ``slots[kind[i], group[first + j]]``, or nowhere if that is
    negative. ``counts`` (queries, slots) says how full the lists ``distances`` and ``indices`` (queries, slots, room)
    are, ``limits`` from which distance on nothing is taken any more: infinite at first. A full list is cut to its
    ``size`` nearest. Candidates come with rising numbers, so that of equal distances the lower number stays. Lists
    without room for more than ``size`` are sorted at any time, which is fast for short ones.
    """
    chosen, room = np.empty(tile.shape[1] + 1, np.int64), distances.shape[2]
    for i in range(tile.shape[0]):
        row, of_group, me = tile[i], slots[kind[i]], own[i] - first
        limit = limits[i].max()
        # The list is filled without branches, because no processor could guess them.
        n = 0
        for j in range(row.shape[0]):
            chosen[n] = j
            n += row[j] < limit
        for at in range(n):
            j = chosen[at]
            s = of_group[group[first + j]]
            if s < 0 or j == me or not row[j] < limits[i, s]:
                continue
            full = counts[i, s]
            if room == size:
                _insert(distances[i, s], indices[i, s], full, row[j], first + j)
                counts[i, s] = min(full + 1, size)
                if full + 1 >= size:
                    limits[i, s] = distances[i, s, size - 1]
                continue
            distances[i, s, full], indices[i, s, full] = row[j], first + j
            counts[i, s] = full + 1
            if full + 1 == room:
                _first_k(distances[i, s], indices[i, s], room, size)
                counts[i, s] = size
                limits[i, s] = distances[i, s, size - 1]


@kernel
def cut_lists(size, counts, limits, distances, indices):
    """Cut all lists to their ``size`` nearest; limits become the distance of the last one, or stay infinite."""
    for i in range(counts.shape[0]):
        for s in range(counts.shape[1]):
            if counts[i, s] >= size:
                _first_k(distances[i, s], indices[i, s], counts[i, s], size)
                counts[i, s] = size
                limits[i, s] = distances[i, s, size - 1]


@kernel
def spread(distance, own, mean, deviation):
    """Write the mean of every row of distances and their standard deviation, without the query itself."""
    for i in range(distance.shape[0]):
        row, total, n = distance[i], 0.0, 0
        for j in range(row.shape[0]):
            if j != own[i]:
                total += row[j]
                n += 1
        mean[i] = total / n if n else 0.0
        squares = 0.0
        for j in range(row.shape[0]):
            if j != own[i]:
                squares += (row[j] - mean[i]) ** 2
        deviation[i] = np.sqrt(squares / n) if n else 0.0


@kernel
def _count_side(row, group, sign, bound, of_class):
    """Write how many candidates of every class lie on one side of a bound."""
    of_class[:] = 0.0
    if of_class.shape[0] > FEW_CLASSES:
        for j in range(row.shape[0]):
            of_class[group[j]] += sign * row[j] < bound
        return
    # A pass per class has no sums that wait for each other.
    for c in range(of_class.shape[0]):
        n = 0
        for j in range(row.shape[0]):
            n += (sign * row[j] < bound) & (group[j] == c)
        of_class[c] = n


@kernel
def side_weights(distance, own, group, kind, share, limit, far, of_class, weights):
    """Give every candidate on one side of a limit its weight in a difference of means; return misses less hits.

    Candidates nearer than limit[i] (with ``far``: farther) count. Those of the query's own class have weight
    -1 / number, those of another class c share[c] / number, where the fractions of the classes that are there add up to
    1; far ones have the opposite sign. The result is the number of queries with misses less those with hits.
    ``of_class`` is scratch, one number per class. No branch depends on a distance: no processor could guess it.
    """
    balance, sign = 0, -1.0 if far else 1.0
    for i in range(distance.shape[0]):
        row, mine, bound = distance[i], kind[i], sign * limit[i]
        _count_side(row, group, sign, bound, of_class)
        if own[i] >= 0:
            of_class[group[own[i]]] -= sign * row[own[i]] < bound
        total = 0.0
        for c in range(of_class.shape[0]):
            if c != mine and of_class[c] > 0.0:
                total += share[c]
        balance += int(total > 0.0) - int(of_class[mine] > 0.0)
        for c in range(of_class.shape[0]):
            if of_class[c] > 0.0:
                of_class[c] = -sign / of_class[c] if c == mine else sign * share[c] / total / of_class[c]
        kept = weights[i, own[i]] if own[i] >= 0 else 0.0
        for j in range(row.shape[0]):
            weights[i, j] += of_class[group[j]] if sign * row[j] < bound else 0.0
        if own[i] >= 0:
            weights[i, own[i]] = kept
    return balance


@kernel
def doubtful_pairs(distance, limit, error, rows, others):
    """Write the pairs whose distance is within ``error`` of limit[i, j] (or limit[i, 0]); return how many there are.

    Nothing more is written once the lists are full, but counting goes on.
    """
    n, wide = 0, limit.shape[1] > 1
    for i in range(distance.shape[0]):
        row = distance[i]
        for j in range(row.shape[0]):
            if abs(row[j] - limit[i, j if wide else 0]) <= error:
                if n < rows.shape[0]:
                    rows[n], others[n] = i, j
                n += 1
    return n
