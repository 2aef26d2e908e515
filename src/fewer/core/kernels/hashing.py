"""Distinct keys by hashing, for tables with many more cells than rows."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels._jit import kernel

GOLDEN = 0x9E3779B97F4A7C15


@kernel
def number_keys(keys, slots, numbers, ids, first_row):
    """Give each distinct key (uint64) a number in order of first appearance; return how many there are.

    slots and numbers are the hash table: a power of two of at least twice the rows; numbers start at -1.
    first_row[g] is the row where key g appeared first.
    """
    mask = np.uint64(slots.shape[0] - 1)
    found = 0
    for i in range(keys.shape[0]):
        key = keys[i]
        # Multiplying by 2^64 / golden ratio spreads neighbouring keys; the high bits are the good ones.
        slot = (key * np.uint64(GOLDEN)) >> np.uint64(20)
        slot = slot & mask
        while numbers[slot] >= 0 and slots[slot] != key:
            slot = (slot + np.uint64(1)) & mask
        if numbers[slot] < 0:
            numbers[slot] = found
            slots[slot] = key
            first_row[found] = i
            found += 1
        ids[i] = numbers[slot]
    return found


@kernel
def count_groups(ids, other, weight, out):
    """Add weight[i] to out[ids[i], other[i]]."""
    for i in range(ids.shape[0]):
        out[ids[i], other[i]] += weight[i]
