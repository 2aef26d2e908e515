"""Whole numbers that lie close together, as class labels do: told apart by marking, which is faster than sorting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# How far apart the lowest and the highest may be.
WIDEST = 2**12
# Beyond this, a difference of two might be none of int64.
LARGEST = 2**62


@dataclass(frozen=True, eq=False)
class CloseNumbers:
    """The different values of an array in ascending order, and the place of every entry above the lowest."""

    values: np.ndarray
    places: np.ndarray

    @classmethod
    def of(cls, y: np.ndarray) -> CloseNumbers | None:
        """Return the values of one column of whole numbers or booleans, None if it is none or its range is wide.

        Examples
        --------
        >>> found = CloseNumbers.of(np.array([7, 3, 7]))
        >>> found.values.tolist(), found.numbers.tolist()
        ([3, 7], [1, 0, 1])
        """
        if y.dtype.kind not in "iub" or y.ndim != 1 or not len(y):
            return None
        low, high = int(y.min()), int(y.max())
        if high - low >= WIDEST or max(-low, high) > LARGEST:
            return None
        places, here = y.astype(np.int64), np.zeros(high - low + 1, bool)
        places -= low
        here[places] = True
        return cls((np.flatnonzero(here) + low).astype(y.dtype), places)

    @property
    def numbers(self) -> np.ndarray:
        """The place of every entry among the values, as ``return_inverse`` of numpy's ``unique`` gives it."""
        among = np.zeros(int(self.places.max()) + 1, np.int64)
        among[self.values.astype(np.int64) - int(self.values[0])] = np.arange(len(self.values))
        return among[self.places]


def distinct(y: np.ndarray) -> np.ndarray:
    """Return the different values of an array in ascending order."""
    near = CloseNumbers.of(y)
    return np.unique(y) if near is None else near.values
