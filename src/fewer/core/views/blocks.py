"""Row blocks: what a summary sees of the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fewer.core.kernels import bits
from fewer.core.records.sized import Sized


def _at_once(work: Callable[[int, int], Any], width: int, step: int) -> Any:
    """Call ``work`` for everything, as a runner of one thread could."""
    return work(0, width)


@dataclass(frozen=True, eq=False)
class DenseBlock(Sized):
    """Rows of numbers, ``X`` of shape (n_rows, n_features), C-contiguous float64, float32 or integers.

    Nominal columns hold level numbers. ``y`` holds class numbers (int64) or target values (float64).
    """

    X: np.ndarray
    y: np.ndarray | None = None
    weight: np.ndarray | None = None
    kind = "dense"

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.X.shape[1])

    @property
    def row_bytes(self) -> float:
        """Bytes of the numbers of one row."""
        return float(self.X.strides[0])

    def column(self, j: int) -> np.ndarray:
        """One column of numbers."""
        return self.X[:, j]


@dataclass(frozen=True, eq=False)
class SparseBlock(Sized):
    """Rows of a sparse matrix, kept by columns (CSC) with sorted indices and no stored zeros."""

    X: Any
    y: np.ndarray | None = None
    weight: np.ndarray | None = None
    kind = "sparse"

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.X.shape[1])


@dataclass(frozen=True, eq=False)
class CodesBlock(Sized):
    """Rows of level numbers: ``rows`` (n_rows, n_features), uint8 or uint16, C-contiguous.

    ``columns`` is the same table feature by feature and made when first asked for: a single pass over all features
    is fastest along the rows, where SIMD lanes are features; repeated work on chosen features wants columns.
    """

    rows: np.ndarray
    n_levels: np.ndarray
    y: np.ndarray | None = None
    weight: np.ndarray | None = None
    kind = "codes"
    packed = False

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.rows.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.rows.shape[1])

    @property
    def row_bytes(self) -> float:
        """Bytes of the codes of one row."""
        return float(self.rows.strides[0])

    @cached_property
    def columns(self) -> np.ndarray:
        """The codes feature by feature, (n_features, n_rows), C-contiguous."""
        columns = np.empty(self.rows.shape[::-1], self.rows.dtype)
        bits.transpose(self.rows, columns)
        return columns

    @cached_property
    def planes(self) -> np.ndarray:
        """One bit plane per level of every feature, (total levels, ceil(n_rows / 64)) words."""
        return self._packed(_at_once)

    def planes_by(self, scan: Callable[[Callable[[int, int], Any], int, int], Any]) -> np.ndarray:
        """Return the planes; those not made yet are made by the threads of a runner's ``scan``."""
        if "planes" not in self.__dict__:
            self.__dict__["planes"] = self._packed(scan)
        return self.planes

    def _packed(self, scan: Callable[[Callable[[int, int], Any], int, int], Any]) -> np.ndarray:
        ends = np.concatenate([[0], np.cumsum(self.n_levels)]).astype(np.int64)
        planes = np.zeros((ends[-1], (self.n_rows + 63) // 64), np.uint64)
        most = int(self.n_levels.max(initial=1))
        if "columns" in self.__dict__ or most > bits.FEW_LEVELS:
            columns = self.columns

            def pack(start: int, stop: int) -> None:
                bits.pack_planes(columns, ends, start, stop, planes[ends[start] : ends[stop]])

            scan(pack, self.n_features, bits.WORD_LANES)
        else:
            scan(lambda a, b: bits.pack_planes_from_rows(self.rows, ends, most, a, b, planes), planes.shape[1], 256)
        return planes

    def column(self, j: int) -> np.ndarray:
        """The codes of one feature, contiguous."""
        return self.columns[j] if "columns" in self.__dict__ else np.ascontiguousarray(self.rows[:, j])


@dataclass(frozen=True, eq=False)
class SparseCodesBlock(Sized):
    """Level numbers of a sparse matrix: a CSC matrix whose stored data are codes, and the code of a zero per column."""

    X: Any
    zero_code: np.ndarray
    n_levels: np.ndarray
    y: np.ndarray | None = None
    weight: np.ndarray | None = None
    kind = "sparse codes"
    packed = False

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.X.shape[1])

    def column(self, j: int) -> np.ndarray:
        """The codes of one feature, dense."""
        start, stop = self.X.indptr[j], self.X.indptr[j + 1]
        column = np.full(self.n_rows, self.zero_code[j], dtype=self.X.data.dtype)
        column[self.X.indices[start:stop]] = self.X.data[start:stop]
        return column
