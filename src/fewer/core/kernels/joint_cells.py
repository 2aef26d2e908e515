"""Sums of x ln x over joint tables of every feature with an anchor, and with an anchor and the classes.

The tables themselves are never stored. With T(x) = x ln x in whole numbers (`CountLogs`) all kernels add
pair[f] = sum over (s, a) of T(n_sa) and triple[f] = sum over (s, c, a) of T(n_sca), a being the level of the feature, s
that of the anchor and c the class. Whole numbers add up to the same in any order, so that ties stay ties.
Groups are numbered s * n_classes + c; rows of group g are order[bounds[g]:bounds[g + 1]].
"""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel
from fewer.core.kernels.bits import popcount

# One-byte counters overflow after 255 rows.
BYTE_ROWS = 255
LANES = 256
# Words of planes and masks that are counted together, all groups and levels.
WORDS = 512


@kernel
def pack_tiles(rows, features, tiles):
    """Copy the listed features of codes (n, d) into tiles (n_tiles, n, LANES); lanes beyond the last stay zero."""
    for t in range(tiles.shape[0]):
        lanes = min(LANES, features.shape[0] - t * LANES)
        for i in range(rows.shape[0]):
            row, out = rows[i], tiles[t, i]
            for j in range(lanes):
                out[j] = row[features[t * LANES + j]]


@kernel
def _count_group(tile, order, begin, end, n_levels, byte, wide):
    """Fill wide[a, j] with how often lane j holds level a in the rows order[begin:end]."""
    wide[:n_levels] = 0
    last = n_levels - 1
    for top in range(begin, end, BYTE_ROWS):
        bottom = min(top + BYTE_ROWS, end)
        byte[:last] = 0
        for k in range(top, bottom):
            row = tile[order[k]]
            for a in range(last):
                counter, level = byte[a], np.uint8(a)
                for j in range(LANES):
                    counter[j] += np.uint8(row[j] == level)
        for a in range(last):
            into, counter = wide[a], byte[a]
            for j in range(LANES):
                into[j] += counter[j]
    rest = wide[last]
    rest[:] = end - begin
    for a in range(last):
        taken = wide[a]
        for j in range(LANES):
            rest[j] -= taken[j]


@kernel
def lane_sums(tiles, tile_levels, order, bounds, n_classes, xlogx, first, last, pair, triple):
    """Fill pair and triple (n_tiles * LANES) for tiles first..last: SIMD lanes are features, counters are bytes."""
    most = 0
    for t in range(first, last):
        most = max(most, tile_levels[t])
    byte = np.zeros((most, LANES), np.uint8)
    wide = np.zeros((most, LANES), np.int32)
    both = np.zeros((most, LANES), np.int32)
    for t in range(first, last):
        n_levels = tile_levels[t]
        into2, into3 = pair[t * LANES : (t + 1) * LANES], triple[t * LANES : (t + 1) * LANES]
        into2[:] = 0
        into3[:] = 0
        for g in range(0, bounds.shape[0] - 1, n_classes):
            # T(0) = T(1) = 0: groups of one row add nothing, and there are many when the anchor tells most rows apart.
            if bounds[g + n_classes] - bounds[g] <= 1:
                continue
            both[:n_levels] = 0
            for c in range(n_classes):
                if bounds[g + c] == bounds[g + c + 1]:
                    continue
                _count_group(tiles[t], order, bounds[g + c], bounds[g + c + 1], n_levels, byte, wide)
                for a in range(n_levels):
                    counts, total = wide[a], both[a]
                    for j in range(LANES):
                        into3[j] += xlogx[counts[j]]
                        total[j] += counts[j]
            for a in range(n_levels):
                total = both[a]
                for j in range(LANES):
                    into2[j] += xlogx[total[j]]


@kernel
def _plane_cells(planes, low, high, masks, sizes, start, stop, cells):
    """Fill cells[g - start, a] with how often the feature of planes low..high has level a in group g.

    Words go by in stretches, so that those of masks and planes stay in the first cache while all pairs are counted.
    """
    words, last = planes.shape[1], high - low - 1
    cells[: stop - start, :last] = 0
    for begin in range(0, words, WORDS):
        end = min(begin + WORDS, words)
        for a in range(last):
            plane = planes[low + a, begin:end]
            for g in range(start, stop):
                if sizes[g] == 0:
                    continue
                mask = masks[g, begin:end]
                ones = np.uint64(0)
                for w in range(end - begin):
                    ones += popcount(plane[w] & mask[w])
                cells[g - start, a] += np.int64(ones)
    for g in range(start, stop):
        rest = sizes[g]
        for a in range(last):
            rest -= cells[g - start, a]
        cells[g - start, last] = rest


@kernel
def plane_sums(planes, ends, features, masks, sizes, starts, n_classes, xlogx, first, last, pair, triple):
    """Fill pair[q, k], triple[q, k] for features[first:last] from bit planes by popcount; the last level is the rest.

    The groups of anchor q are starts[q] to starts[q + 1].
    """
    most = 0
    for k in range(first, last):
        most = max(most, ends[features[k] + 1] - ends[features[k]])
    cells = np.zeros((masks.shape[0], most), np.int64)
    for k in range(first, last):
        low, high = ends[features[k]], ends[features[k] + 1]
        for q in range(starts.shape[0] - 1):
            _plane_cells(planes, low, high, masks, sizes, starts[q], starts[q + 1], cells)
            sum2, sum3 = 0, 0
            for g in range(0, starts[q + 1] - starts[q], n_classes):
                for a in range(high - low):
                    both = 0
                    for c in range(n_classes):
                        sum3 += xlogx[cells[g + c, a]]
                        both += cells[g + c, a]
                    sum2 += xlogx[both]
            pair[q, k], triple[q, k] = sum2, sum3


@kernel
def column_sums(columns, features, n_levels, order, bounds, n_classes, xlogx, first, last, pair, triple):
    """Fill pair[k], triple[k] for features[first:last], anchor level by anchor level; for features with many levels.

    Only the cells that the rows of one anchor level touch are looked at and cleared, so that empty ones cost nothing.
    """
    most = 0
    for k in range(first, last):
        most = max(most, n_levels[features[k]])
    table, both = np.zeros((n_classes, most), np.int64), np.zeros(most, np.int64)
    for k in range(first, last):
        column = columns[features[k]]
        sum2, sum3 = 0, 0
        for g in range(0, bounds.shape[0] - 1, n_classes):
            if bounds[g + n_classes] - bounds[g] <= 1:
                continue
            for c in range(n_classes):
                for r in range(bounds[g + c], bounds[g + c + 1]):
                    table[c, column[order[r]]] += 1
                    both[column[order[r]]] += 1
            for c in range(n_classes):
                for r in range(bounds[g + c], bounds[g + c + 1]):
                    a = column[order[r]]
                    sum3 += xlogx[table[c, a]]
                    sum2 += xlogx[both[a]]
                    table[c, a] = 0
                    both[a] = 0
        pair[k], triple[k] = sum2, sum3


@kernel
def table_sums(table, offsets, n_classes, xlogx, pair, triple):
    """Fill pair[f], triple[f] from stacked whole-number tables, levels by groups."""
    for f in range(offsets.shape[0] - 1):
        sum2, sum3 = 0, 0
        for g in range(0, table.shape[1], n_classes):
            for c in range(n_classes):
                for r in range(offsets[f], offsets[f + 1]):
                    sum3 += xlogx[table[r, g + c]]
            for r in range(offsets[f], offsets[f + 1]):
                total = 0
                for c in range(n_classes):
                    total += table[r, g + c]
                sum2 += xlogx[total]
        pair[f], triple[f] = sum2, sum3
