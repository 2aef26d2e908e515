"""All rows, in the smallest type that holds their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.summaries.summary import Summary

SMALL = (np.uint8, np.int8, np.int16)
# Whole numbers up to here, and their differences, are exact in float32.
LARGEST_WHOLE = 2.0**23

Rows = tuple[np.ndarray, np.ndarray | None, np.ndarray | None]


@dataclass(frozen=True)
class SmallRows(Summary[list[Rows]]):
    """Numbers, target and weights of all row blocks, one after another."""

    remembered = False
    words = "gathering rows"

    def width(self, block: Any) -> int:
        """Rows stay whole."""
        return 1

    def tile(self, block: Any, start: int, stop: int) -> list[Rows]:
        """Return the rows of one block."""
        return [(in_smallest_type(block.X), block.y, block.weight)]

    def join(self, parts: list[list[Rows]]) -> list[Rows]:
        """Return the one part."""
        return parts[0]

    def merge(self, first: list[Rows], second: list[Rows]) -> list[Rows]:
        """Put row blocks one after another."""
        return first + second


def in_smallest_type(X: np.ndarray) -> np.ndarray:
    """Return whole numbers in the smallest type that holds them, in float32 if some are missing, others as they are."""
    if not X.size:
        return X
    low, high = float(np.fmin.reduce(X, axis=None)), float(np.fmax.reduce(X, axis=None))
    missing = X.dtype.kind == "f" and bool(np.isnan(X).any())
    if not -LARGEST_WHOLE <= low <= high <= LARGEST_WHOLE or not _all_whole(X):
        return X
    for dtype in () if missing else SMALL:
        if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
            return X.astype(dtype)
    return X.astype(np.float32) if X.dtype.itemsize > 4 or missing else X


def _all_whole(X: np.ndarray) -> bool:
    return X.dtype.kind in "iu" or bool(((np.rint(X) == X) | np.isnan(X)).all())
