"""Bit planes: one bit per row and level; joint counts by AND and popcount."""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import intrinsic

from fewer.core.kernels._jit import JIT_DISABLED, kernel

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
    for j in range(start, stop):
        shift = offsets[j] - base
        column = columns[j]
        for i in range(column.shape[0]):
            planes[shift + column[i], i >> 6] |= np.uint64(1) << np.uint64(i & 63)


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
