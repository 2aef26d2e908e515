"""Short keys of subsets: 16 bytes whatever their size, changed by one operation when a unit joins or leaves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np


class Keys:
    """Gives each unit 128 random bits; the key of a subset is their exclusive or (Zobrist 1970).

    Two of a billion subsets share a key with a probability of about 1e-21. The bits are always the same.
    """

    def __init__(self, n_units: int) -> None:
        raw = np.random.default_rng(128).bytes(16 * n_units)
        self._bits = [int.from_bytes(raw[16 * u : 16 * u + 16], "little") for u in range(n_units)]

    def of(self, subset: Iterable[int]) -> int:
        """Return the key of a subset."""
        key = 0
        for u in subset:
            key ^= self._bits[u]
        return key

    def changed(self, key: int, units: Sequence[int]) -> list[int]:
        """Return the keys of the subset with each of the units put in or taken out."""
        return [key ^ self._bits[u] for u in units]
