"""Codes of one byte, and as places of binary numbers: one bit per row, of which three planes hold five levels."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel
from fewer.core.kernels.bits import LINE, WORD_LANES, popcount

# Levels of a feature that are made and counted at once stay in the first-level cache: so many words of each.
WORDS = 256


@kernel
def _swapped(a, b, shift, mask):
    """Exchange the upper parts of one word with the lower parts of another."""
    differ = ((a >> shift) ^ b) & mask
    return a ^ (differ << shift), b ^ differ


@kernel
def turn_words(lines, rows):
    """Set byte c of rows[r, c // 8] to byte r of lines[c, r // 8], eight by eight; both are words of eight bytes."""
    one, two, four = np.uint64(8), np.uint64(16), np.uint64(32)
    bytes_, pairs = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
    halves = np.uint64(0x00000000FFFFFFFF)
    for left in range(0, lines.shape[0], 8):
        for w in range(lines.shape[1]):
            a, b = _swapped(lines[left, w], lines[left + 1, w], one, bytes_)
            c, d = _swapped(lines[left + 2, w], lines[left + 3, w], one, bytes_)
            e, f = _swapped(lines[left + 4, w], lines[left + 5, w], one, bytes_)
            g, h = _swapped(lines[left + 6, w], lines[left + 7, w], one, bytes_)
            a, c = _swapped(a, c, two, pairs)
            b, d = _swapped(b, d, two, pairs)
            e, g = _swapped(e, g, two, pairs)
            f, h = _swapped(f, h, two, pairs)
            a, e = _swapped(a, e, four, halves)
            b, f = _swapped(b, f, four, halves)
            c, g = _swapped(c, g, four, halves)
            d, h = _swapped(d, h, four, halves)
            top, at = w << 3, left >> 3
            rows[top, at], rows[top + 1, at], rows[top + 2, at], rows[top + 3, at] = a, b, c, d
            rows[top + 4, at], rows[top + 5, at], rows[top + 6, at], rows[top + 7, at] = e, f, g, h


@kernel
def count_bytes(rows, features, out):
    """Add to out[k, x] how often feature features[k] has the value x."""
    for i in range(rows.shape[0]):
        row = rows[i]
        for k in range(features.shape[0]):
            out[k, row[features[k]]] += 1


@kernel
def _fill_place(rows, top, bottom, left, value, parts):
    """Set bit (i - top) % 8 of parts[(i - top) // 8, j] where rows[i, left + j] has the bit that value has."""
    parts[:] = np.uint8(0)
    for i in range(top, bottom):
        row, part = rows[i, left : left + parts.shape[1]], parts[(i - top) >> 3]
        bit = np.uint8(1 << ((i - top) & 7))
        for j in range(parts.shape[1]):
            part[j] |= bit if row[j] & value else np.uint8(0)


@kernel
def pack_places(rows, ends, first, last, begin, planes):
    """Set bit i of planes[ends[j] + k, begin:] to bit k of rows[i, j], words first..last of the rows (n, d).

    Feature j has the planes ends[j]..ends[j + 1]. Lanes are features, eight rows make a byte of a word.
    """
    n, d = rows.shape
    most = 0
    for j in range(d):
        most = max(most, ends[j + 1] - ends[j])
    buffer, value = np.zeros((most, WORD_LANES, LINE), np.uint64), np.zeros(1, rows.dtype)
    for left in range(0, d, WORD_LANES):
        lanes = min(WORD_LANES, d - left)
        parts = np.zeros((8, lanes), np.uint8)
        for at in range(first, last, LINE):
            words = min(LINE, last - at)
            for w in range(words):
                top = (at + w) << 6
                for k in range(most):
                    # Of the type of the codes, so that as many lanes as possible are looked at at once.
                    value[0] = 1 << k
                    _fill_place(rows, top, min(top + 64, n), left, value[0], parts)
                    for j in range(lanes):
                        word = np.uint64(0)
                        for q in range(8):
                            word |= np.uint64(parts[q, j]) << np.uint64(8 * q)
                        buffer[k, j, w] = word
            for j in range(lanes):
                for k in range(ends[left + j + 1] - ends[left + j]):
                    planes[ends[left + j] + k, begin + at : begin + at + words] = buffer[k, j, :words]


@kernel
def unpack_places(planes, ends, first, last, rows):
    """Fill rows[64 * first : 64 * last] (n, d) with the codes whose bits the planes are; rows start at 0."""
    n, d = rows.shape
    lanes = np.zeros(d, np.uint64)
    for w in range(first, last):
        top = w << 6
        for k in range(8):
            some = False
            for j in range(d):
                here = ends[j] + k < ends[j + 1]
                lanes[j] = planes[ends[j] + k, w] if here else np.uint64(0)
                some |= here
            if not some:
                break
            for i in range(top, min(top + 64, n)):
                row, shift = rows[i], np.uint64(i - top)
                for j in range(d):
                    row[j] |= np.uint8((lanes[j] >> shift) & np.uint64(1)) << np.uint8(k)


@kernel
def unpack_column(planes, first, last, column):
    """Fill a column with the codes whose bits the planes first..last are; it starts at 0."""
    for k in range(first, last):
        plane = planes[k]
        for i in range(column.shape[0]):
            column[i] |= np.uint8((plane[i >> 6] >> np.uint64(i & 63)) & np.uint64(1)) << np.uint8(k - first)


@kernel
def _flip(level, k):
    """Return ones if bit k of a level is 0, zeros if it is 1."""
    return np.uint64(0) if (level >> k) & 1 else ~np.uint64(0)


@kernel
def level_words(planes, first, last, level, begin, words, out):
    """Set the bits of out[:words] where the rows of the words from begin on have a level of one feature.

    Its planes are first..last, at most four; where they are fewer the last is looked at again.
    """
    if last == first:
        out[:words] = ~np.uint64(0)
        return
    end = begin + words
    a, b = planes[first, begin:end], planes[min(first + 1, last - 1), begin:end]
    c, d = planes[min(first + 2, last - 1), begin:end], planes[min(first + 3, last - 1), begin:end]
    e, f = _flip(level, 0), _flip(level, min(1, last - 1 - first))
    g, h = _flip(level, min(2, last - 1 - first)), _flip(level, min(3, last - 1 - first))
    for w in range(words):
        out[w] = (a[w] ^ e) & (b[w] ^ f) & (c[w] ^ g) & (d[w] ^ h)


@kernel
def _add_cells(level, masks, begin, words, cells):
    """Add to cells[c] the rows of masks[c] among those of a level: four masks at a time, so that it is read once."""
    n, c = masks.shape[0], 0
    while c + 4 <= n:
        m, n_ = masks[c, begin : begin + words], masks[c + 1, begin : begin + words]
        o, p = masks[c + 2, begin : begin + words], masks[c + 3, begin : begin + words]
        q, r, s, t = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
        for w in range(words):
            here = level[w]
            q += popcount(here & m[w])
            r += popcount(here & n_[w])
            s += popcount(here & o[w])
            t += popcount(here & p[w])
        cells[c] += np.int64(q)
        cells[c + 1] += np.int64(r)
        cells[c + 2] += np.int64(s)
        cells[c + 3] += np.int64(t)
        c += 4
    while c < n:
        mask, total = masks[c, begin : begin + words], np.uint64(0)
        for w in range(words):
            total += popcount(level[w] & mask[w])
        cells[c] += np.int64(total)
        c += 1


@kernel
def count_places(planes, ends, offsets, masks, first, last, out):
    """Add to out[offsets[j] - offsets[first] + a, c] the rows of masks[c] with level a of feature j, first..last.

    The last level is left out.
    """
    base, n_words = offsets[first], planes.shape[1]
    level = np.zeros(WORDS, np.uint64)
    for begin in range(0, n_words, WORDS):
        words = min(WORDS, n_words - begin)
        for j in range(first, last):
            for a in range(offsets[j + 1] - offsets[j] - 1):
                level_words(planes, ends[j], ends[j + 1], a, begin, words, level)
                _add_cells(level, masks, begin, words, out[offsets[j] - base + a])
