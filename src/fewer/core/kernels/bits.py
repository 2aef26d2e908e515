"""Bit planes: one bit per row and level; joint counts by AND and popcount."""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import intrinsic

from fewer.core.kernels._jit import JIT_DISABLED, kernel

# Beyond so many levels it is cheaper to set single bits than to compare with every level.
FEW_LEVELS = 16
SQUARE = 64
WORD_LANES = 256
# Words of a line of the cache.
LINE = 8

if JIT_DISABLED:

    def popcount(word):
        """Return the number of ones in a word."""
        return int(word).bit_count()

else:

    @intrinsic
    def popcount(typing_context, word):
        """Return the number of ones in a 64-bit word, as the processor's own instruction."""

        def generate(context, builder, signature, arguments):
            return builder.ctpop(arguments[0])

        return types.uint64(types.uint64), generate


@kernel
def pack_planes(columns, offsets, start, stop, planes):
    """Set bit i of planes[offsets[j] - offsets[start] + columns[j, i]] for features start..stop; planes start at 0."""
    base = offsets[start]
    n = columns.shape[1]
    full = n >> 6
    for j in range(start, stop):
        shift, levels = offsets[j] - base, offsets[j + 1] - offsets[j]
        column = columns[j]
        if levels > FEW_LEVELS:
            for i in range(n):
                planes[shift + column[i], i >> 6] |= np.uint64(1) << np.uint64(i & 63)
            continue
        # Comparing 64 codes with each level in turn runs in SIMD lanes; setting bit after bit does not.
        for w in range(full):
            codes = column[w << 6 : (w + 1) << 6]
            for a in range(levels):
                word = np.uint64(0)
                for b in range(64):
                    word |= np.uint64(codes[b] == a) << np.uint64(b)
                planes[shift + a, w] = word
        for i in range(full << 6, n):
            planes[shift + column[i], i >> 6] |= np.uint64(1) << np.uint64(i & 63)


@kernel
def _fill_parts(rows, top, bottom, left, sought, parts):
    """Set bit (i - top) % 8 of parts[(i - top) // 8, j] where rows[i, left + j] is the level sought."""
    parts[:] = np.uint8(0)
    for i in range(top, bottom):
        row, part = rows[i, left : left + parts.shape[1]], parts[(i - top) >> 3]
        bit = np.uint8(1 << ((i - top) & 7))
        for j in range(parts.shape[1]):
            part[j] |= bit if row[j] == sought else np.uint8(0)


@kernel
def pack_planes_from_rows(rows, ends, n_levels, first, last, planes):
    """Fill the words first..last of planes like pack_planes, straight from codes (n, d).

    Lanes are features, eight rows make a byte of a word. n_levels is the largest number of levels; every feature is
    compared with so many. Words go to the planes in lines of eight, because neighbouring planes are far apart.
    """
    n, d = rows.shape
    buffer, level = np.zeros((n_levels, WORD_LANES, LINE), np.uint64), np.zeros(1, rows.dtype)
    for left in range(0, d, WORD_LANES):
        lanes = min(WORD_LANES, d - left)
        parts = np.zeros((8, lanes), np.uint8)
        for begin in range(first, last, LINE):
            words = min(LINE, last - begin)
            for w in range(words):
                top = (begin + w) << 6
                for a in range(n_levels):
                    # Of the type of the codes, so that as many lanes as possible are compared at once.
                    level[0] = a
                    _fill_parts(rows, top, min(top + 64, n), left, level[0], parts)
                    for j in range(lanes):
                        word = np.uint64(0)
                        for q in range(8):
                            word |= np.uint64(parts[q, j]) << np.uint64(8 * q)
                        buffer[a, j, w] = word
            for j in range(lanes):
                for a in range(ends[left + j + 1] - ends[left + j]):
                    planes[ends[left + j] + a, begin : begin + words] = buffer[a, j, :words]


@kernel
def transpose(rows, columns):
    """Copy codes (n, d) to (d, n), in squares that stay in cache."""
    n, d = rows.shape
    for top in range(0, n, SQUARE):
        bottom = min(top + SQUARE, n)
        for left in range(0, d, SQUARE):
            right = min(left + SQUARE, d)
            for j in range(left, right):
                for i in range(top, bottom):
                    columns[j, i] = rows[i, j]


@kernel
def count_planes(planes, masks, first, last, out):
    """Fill out[a - first, c] = popcount(planes[a] & masks[c]) for planes first..last."""
    words = planes.shape[1]
    for a in range(first, last):
        plane = planes[a]
        for c in range(masks.shape[0]):
            mask = masks[c]
            total = np.uint64(0)
            for w in range(words):
                total += popcount(plane[w] & mask[w])
            out[a - first, c] = np.int64(total)
