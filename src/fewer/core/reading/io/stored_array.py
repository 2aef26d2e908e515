"""An array in a file, read in pieces: never mapped, because a mapped file that shrinks ends the process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fewer.core.reading.io.encoder import refuse_change


@dataclass(frozen=True)
class StoredArray:
    """A matrix in a file, of which slices of rows are read.

    Attributes
    ----------
    path : Path
        The file.
    start : int
        Where the numbers begin, in bytes.
    dtype : dtype
        Type of the numbers.
    shape : tuple of int
        Rows and columns.
    by_columns : bool
        Whether columns lie one after another, rather than rows.
    """

    path: Path
    start: int
    dtype: np.dtype
    shape: tuple[int, ...]
    by_columns: bool

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        """How many bytes the numbers take."""
        size = self.dtype.itemsize
        for length in self.shape:
            size *= length
        return size

    def __getitem__(self, rows: slice) -> np.ndarray:
        first, last, _ = rows.indices(self.shape[0])
        n, width = last - first, self.shape[1]
        if not self.by_columns:
            return self._read([first * width], n * width).reshape(n, width)
        return self._read([j * self.shape[0] + first for j in range(width)], n).reshape(width, n).T

    def _read(self, places: list[int], count: int) -> np.ndarray:
        """Return ``count`` numbers from each of some places, one after another."""
        out = np.empty(len(places) * count, self.dtype)
        with open(self.path, "rb", buffering=0) as file:
            for at, place in enumerate(places):
                piece = memoryview(out[at * count : (at + 1) * count]).cast("B")
                file.seek(self.start + place * self.dtype.itemsize)
                while len(piece):
                    got = file.readinto(piece)
                    if not got:
                        # What is missing would be whatever the memory held before.
                        refuse_change(str(self.path))
                    piece = piece[got:]
        return out
