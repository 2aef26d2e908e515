"""Batches of rows: what a table gives to whoever reads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

# Half a megabyte of numbers.
CACHED_CELLS = 2**16
# From so many columns on they are turned together, eight megabytes at a time.
MANY_COLUMNS, TURNED_CELLS = 256, 2**20
# Rows of bytes that are turned at once.
TURNED_BYTES = 2**12


@dataclass(frozen=True, eq=False)
class Batch:
    """Some rows of a table.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features) or CSR matrix
        float64 and C-contiguous; nominal columns hold level numbers from 0, NaN is a missing value. On their way to
        a method, tables that hold nothing but whole numbers from 0 to 255 are uint8.
    y : ndarray of shape (n_rows,) or None
        Class numbers (int64) or target values (float64).
    weight : ndarray of shape (n_rows,) or None
        Weight of each row.
    """

    X: Any
    y: np.ndarray | None = None
    weight: np.ndarray | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.X.shape[1])

    @property
    def kind(self) -> str:
        """``"dense"`` or ``"sparse"``."""
        return "sparse" if sp.issparse(self.X) else "dense"

    def as_floats(self) -> Batch:
        """Return the same rows as float64."""
        return self if self.X.dtype == np.float64 else replace(self, X=self.X.astype(np.float64))

    def rows(self, start: int, stop: int) -> Batch:
        """Return the rows from ``start`` to ``stop``; dense rows are not copied."""
        if start == 0 and stop >= self.n_rows:
            return self
        return Batch(
            self.X[start:stop],
            None if self.y is None else self.y[start:stop],
            None if self.weight is None else self.weight[start:stop],
        )


def stack(batches: list[Batch]) -> Batch:
    """Put batches one below the other."""
    if len(batches) == 1:
        return batches[0]
    matrices = [batch.X for batch in batches]
    targets = [batch.y for batch in batches if batch.y is not None]
    weights = [batch.weight for batch in batches if batch.weight is not None]
    return Batch(
        sp.vstack(matrices, format="csr") if batches[0].kind == "sparse" else np.concatenate(matrices),
        np.concatenate(targets) if targets else None,
        np.concatenate(weights) if weights else None,
    )


def resize(batches: Iterable[Batch], rows: int, loose: bool = False) -> Iterator[Batch]:
    """Cut and stack batches so that each has ``rows`` rows, the last one perhaps fewer.

    If ``loose``, each has at most so many and all but the last a quarter of them, so that less is copied; they are the
    same at every reading of the same file.
    """
    held: list[Batch] = []
    count = 0
    for batch in batches:
        start = 0
        while start < batch.n_rows:
            if loose and 4 * count >= rows and count + batch.n_rows - start > rows:
                yield stack(held)
                held, count = [], 0
            left, room = batch.n_rows - start, rows - count
            if loose and count and 0 < 4 * (left - room) < rows:
                # In halves, or the small rest would have to be put together with the next one, and so on.
                room = left // 2
            stop = start + min(left, room)
            held.append(batch.rows(start, stop))
            count += stop - start
            start = stop
            if count == rows:
                yield stack(held)
                held, count = [], 0
    if held:
        yield stack(held)


def side_by_side(columns: Sequence[np.ndarray], dtype: Any = np.float64) -> np.ndarray:
    """Return columns as rows in one piece of memory, a few rows of all of them at a time as the caches hold them."""
    if dtype == np.uint8:
        return _bytes_side_by_side(columns)
    X = np.empty((len(columns[0]), len(columns)))
    many = len(columns) >= MANY_COLUMNS
    step = max(1, (TURNED_CELLS if many else CACHED_CELLS) // len(columns))
    for top in range(0, len(X), step):
        rows, some = X[top : top + step], [column[top : top + step] for column in columns]
        if many:
            # All at once: a call for each of many columns takes longer than its few numbers.
            lines = np.concatenate(some, dtype=np.float64, casting="unsafe").reshape(len(some), -1)
            rows[:] = lines.T
            continue
        for j, column in enumerate(some):
            rows[:, j] = column
    return X


def _bytes_side_by_side(columns: Sequence[np.ndarray]) -> np.ndarray:
    from fewer.core.kernels.places import turn_words

    X = np.empty((len(columns[0]), len(columns)), np.uint8)
    # Words of eight bytes, the last of which may not be full.
    lines = np.zeros((-(-len(columns) // 8) * 8, min(TURNED_BYTES, -(-len(X) // 8) * 8)), np.uint8)
    rows = np.empty((lines.shape[1], len(lines)), np.uint8)
    for top in range(0, len(X), TURNED_BYTES):
        n = min(TURNED_BYTES, len(X) - top)
        for line, column in zip(lines, columns):
            line[:n] = column[top : top + n]
        turn_words(lines.view(np.uint64), rows.view(np.uint64))
        X[top : top + n] = rows[:n, : len(columns)]
    return X


def fill(batches: Iterable[Batch], n_rows: int) -> Batch:
    """Stack dense batches into arrays made once, so that the data are never held twice."""
    whole, start = None, 0
    for batch in batches:
        if whole is None:
            whole = Batch(
                np.empty((n_rows, batch.n_features)),
                None if batch.y is None else np.empty(n_rows, batch.y.dtype),
                None if batch.weight is None else np.empty(n_rows),
            )
        stop = start + batch.n_rows
        whole.X[start:stop] = batch.X
        if whole.y is not None:
            whole.y[start:stop] = batch.y
        if whole.weight is not None:
            whole.weight[start:stop] = batch.weight
        start = stop
    # Whoever gives the batches has counted them: no row is left as the memory was.
    assert whole is not None
    assert start == n_rows
    return whole
