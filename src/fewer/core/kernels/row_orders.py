"""Loops over the order of features inside rows: places, pair counts, hashes."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel


@kernel
def dense_codes(X, order, codes):
    """Write the dense place of every value of a row from 1; 0 for NaN. ``order`` is the argsort of each row."""
    for row in range(X.shape[0]):
        place = 0
        for p in range(X.shape[1]):
            j = order[row, p]
            if X[row, j] != X[row, j]:
                codes[row, j] = 0
                continue
            if p == 0 or X[row, j] != X[row, order[row, p - 1]]:
                place += 1
            codes[row, j] = place


@kernel
def average_ranks(X, order, ranks):
    """Write the rank of every value of a row from 1, average of equal ones; NaN for NaN."""
    n = X.shape[1]
    for row in range(X.shape[0]):
        p = 0
        while p < n:
            j = order[row, p]
            q = p + 1
            if X[row, j] != X[row, j]:
                ranks[row, j] = np.nan
                p = q
                continue
            while q < n and X[row, order[row, q]] == X[row, j]:
                q += 1
            for k in range(p, q):
                ranks[row, order[row, k]] = 0.5 * (p + 1 + q)
            p = q


@kernel
def count_before(codes, y, columns, start, stop, before):
    """Add to ``before[c, i - start, j]`` the rows of class c in which column i has a lower place than column j."""
    n_rows, n = codes.shape[0], columns.shape[0]
    chosen = np.empty((n_rows, n), codes.dtype)
    for row in range(n_rows):
        for j in range(n):
            chosen[row, j] = codes[row, columns[j]]
    for i in range(start, stop):
        for row in range(n_rows):
            counts, others, own = before[y[row], i - start], chosen[row], chosen[row, i]
            # An unknown place is 0: it comes before nothing, and nothing comes before it.
            if own != 0:
                for j in range(n):
                    counts[j] += own < others[j]


@kernel
def pair_spoilers(before, start, stop, spoilers):
    """Write sum_c before[c, i, j] * before[c, j, i] for rows i of the matrix, in blocks for the transposed reads."""
    n = before.shape[1]
    for left in range(0, n, 64):
        right = min(left + 64, n)
        for i in range(start, stop):
            for j in range(left, right):
                total = 0
                for c in range(before.shape[0]):
                    total += np.int64(before[c, i, j]) * np.int64(before[c, j, i])
                spoilers[i, j] = total


@kernel
def insertion_place(codes, rows, known, n_known, feature, low, equal, single):
    """Write how many known features lie below and level with a new one in each row, and the single known feature."""
    for at in range(rows.shape[0]):
        row = rows[at]
        own, below, level, present, last = codes[row, feature], 0, 0, 0, -1
        for p in range(n_known):
            other = codes[row, known[p]]
            if other != 0:
                present += 1
                last = known[p]
                below += other < own
                level += other == own
        # Without a known partner, or unknown itself, the new feature adds no comparison.
        nothing = own == 0 or present == 0
        low[at], equal[at] = (-1, -1) if nothing else (below, level)
        single[at] = last if present == 1 and not nothing else -1


@kernel
def balance(before, out):
    """Write before[i, j] - before[j, i], in blocks for the transposed reads."""
    n = before.shape[0]
    for top in range(0, n, 64):
        for left in range(0, n, 64):
            for i in range(top, min(top + 64, n)):
                for j in range(left, min(left + 64, n)):
                    out[i, j] = np.int64(before[i, j]) - np.int64(before[j, i])


@kernel
def _word(pair, state, salt):
    """Return the 64-bit word of a comparison: a fixed number that looks random (splitmix64)."""
    x = np.uint64(3 * pair + state) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(salt)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel
def hash_comparisons(codes, columns, salts, parts, total):
    """Add the words of all comparisons of each row: those of feature k to parts[k, row], all of them to total[row].

    ``codes`` is (n_features, n_rows); ``parts`` and ``total`` end in two words each. Unknown comparisons have no word.
    """
    n, n_all, words = columns.shape[0], codes.shape[0], np.empty((3, 2), np.uint64)
    for p in range(n):
        i = columns[p]
        for q in range(p + 1, n):
            j = columns[q]
            for state in range(3):
                for h in range(2):
                    words[state, h] = _word(i * n_all + j, state, salts[h])
            for row in range(codes.shape[1]):
                one, two = codes[i, row], codes[j, row]
                if one != 0 and two != 0:
                    state = 0 if one < two else (1 if one > two else 2)
                    for h in range(2):
                        parts[i, row, h] += words[state, h]
                        parts[j, row, h] += words[state, h]
                        total[row, h] += words[state, h]


@kernel
def unhash(codes, left, gone, salts, parts, total):
    """Take the comparisons of one feature out of the hashes of the others and of the rows."""
    n_all = codes.shape[0]
    for row in range(codes.shape[1]):
        for h in range(2):
            total[row, h] -= parts[gone, row, h]
    for p in range(left.shape[0]):
        k = left[p]
        if k == gone:
            continue
        i, j = min(k, gone), max(k, gone)
        for row in range(codes.shape[1]):
            one, two = codes[i, row], codes[j, row]
            if one != 0 and two != 0:
                state = 0 if one < two else (1 if one > two else 2)
                for h in range(2):
                    parts[k, row, h] -= _word(i * n_all + j, state, salts[h])


@kernel
def candidate_doubts(left, parts, total, y, terms, table, cells, out):
    """Write for every candidate n H(C | order without it), rows with equal hashes counted together.

    ``table`` (size, 2) holds hashes in slots, ``cells`` (size, n_classes + 1) counts; both are scratch.
    """
    n_rows, size, n_classes = total.shape[0], table.shape[0], cells.shape[1] - 1
    used = np.empty(n_rows, np.int64)
    for p in range(left.shape[0]):
        k, n_used = left[p], 0
        for row in range(n_rows):
            one, two = total[row, 0] - parts[k, row, 0], total[row, 1] - parts[k, row, 1]
            slot = np.int64(one & np.uint64(size - 1))
            while cells[slot, n_classes] > 0 and (table[slot, 0] != one or table[slot, 1] != two):
                slot = (slot + 1) % size
            if cells[slot, n_classes] == 0:
                table[slot, 0], table[slot, 1] = one, two
                used[n_used] = slot
                n_used += 1
            cells[slot, n_classes] += 1
            cells[slot, y[row]] += 1
        doubt = 0
        for u in range(n_used):
            doubt += terms[cells[used[u], n_classes]]
            for c in range(n_classes):
                doubt -= terms[cells[used[u], c]]
            cells[used[u], :] = 0
        out[p] = doubt
