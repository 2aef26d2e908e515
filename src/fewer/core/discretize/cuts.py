"""Cut points of many features, and the level numbers that follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.kernels import encode
from fewer.core.records.numerals import without_negative_zero

# Rows are contiguous pieces of memory, columns are not: threads share rows.
ROWS_PER_TASK = 1024


@dataclass(frozen=True, eq=False)
class Cuts:
    """Where the values of each feature are cut into intervals.

    A value x falls into interval k = number of edges smaller than x: a value equal to an edge belongs to the left of
    it. Values beyond the outermost edges belong to the outermost intervals.

    Attributes
    ----------
    edges : ndarray of float64
        The edges of all features, ascending within a feature; none is a negative zero.
    offsets : ndarray of int64, shape (n_features + 1,)
        Feature j has the edges ``offsets[j]`` to ``offsets[j + 1]``.
    states : ndarray of uint16
        The level number of every interval; interval k of feature j stands at ``offsets[j] + j + k``. Two intervals
        may share a level.
    n_levels : ndarray of int64, shape (n_features,)
        Number of levels per feature.
    """

    edges: np.ndarray
    offsets: np.ndarray
    states: np.ndarray
    n_levels: np.ndarray

    @classmethod
    def from_lists(cls, lists: Sequence[Any], states: Sequence[Any] | None = None) -> Cuts:
        """Make cuts of one sequence of ascending edges per feature and, if given, of states per interval."""
        edges = [np.asarray(one, dtype=np.float64).ravel() for one in lists]
        offsets = np.concatenate([[0], np.cumsum([len(one) for one in edges])]).astype(np.int64)
        if states is None:
            states = [np.arange(len(one) + 1) for one in edges]
        n_levels = np.array([int(np.max(one)) + 1 for one in states], dtype=np.int64)
        flat = without_negative_zero(np.concatenate([np.empty(0), *edges]))
        return cls(
            without_negative_zero(flat),
            offsets,
            np.concatenate([np.empty(0, int), *states]).astype(np.uint16),
            n_levels,
        )

    @classmethod
    def from_table(cls, values: np.ndarray, keep: np.ndarray) -> Cuts:
        """Make cuts of those of the ascending values, (n_features, n_values), that ``keep`` marks."""
        n_edges = keep.sum(axis=1)
        offsets = np.concatenate([[0], np.cumsum(n_edges)]).astype(np.int64)
        starts = offsets[:-1] + np.arange(len(values))
        states = np.arange(offsets[-1] + len(values)) - np.repeat(starts, n_edges + 1)
        edges = without_negative_zero(values[keep].astype(np.float64))
        return cls(edges, offsets, states.astype(np.uint16), n_edges + 1)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.n_levels)

    def of(self, j: int) -> np.ndarray:
        """The edges of feature j."""
        return self.edges[self.offsets[j] : self.offsets[j + 1]]

    def states_of(self, j: int) -> np.ndarray:
        """The level numbers of the intervals of feature j."""
        return self.states[self.offsets[j] + j : self.offsets[j + 1] + j + 1]

    def encode(
        self,
        X: np.ndarray,
        nominal: np.ndarray | None = None,
        missing_code: np.ndarray | None = None,
        out: np.ndarray | None = None,
        run: Any = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the level numbers of C-contiguous X, and which features have missing values.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_features)
            Numbers.
        nominal : ndarray of bool, optional
            Features whose values are level numbers already.
        missing_code : ndarray of int64, optional
            The level number of a missing value per feature; by default one more than the levels.
        out : ndarray of uint8 or uint16, optional
            Where to write; needed when nominal features have more levels than the cuts tell.
        run : Runner, optional
            Its threads share the rows.
        """
        nominal, missing_code = self._filled(nominal, missing_code)
        if out is None:
            out = np.empty(X.shape, code_type(missing_code.max(initial=0) + 1))
        rule = (self.edges, self.offsets, self.states, nominal, missing_code, 0, self.n_features)
        if run is None or len(X) <= ROWS_PER_TASK:
            return out, encode.encode_rows(X, *rule, out)

        def work(start: int, stop: int) -> np.ndarray:
            return encode.encode_rows(X[start:stop], *rule, out[start:stop])

        return out, np.any(run.scan(work, len(X), ROWS_PER_TASK), axis=0)

    def encode_sparse(
        self, X: Any, nominal: np.ndarray | None = None, missing_code: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the level numbers of what a CSC matrix stores and of zero, and which features have missing values."""
        nominal, missing_code = self._filled(nominal, missing_code)
        largest = max(missing_code.max(initial=0), np.fmax.reduce(X.data, initial=0) if nominal.any() else 0)
        codes = np.empty(len(X.data), code_type(int(largest) + 1))
        zero_code = np.empty(self.n_features, np.int64)
        has_missing = encode.encode_sparse(
            X.indptr, X.data, self.edges, self.offsets, self.states, nominal, missing_code, 0, self.n_features,
            codes, zero_code,
        )  # fmt: skip
        return codes, zero_code, has_missing

    def _filled(self, nominal: np.ndarray | None, missing_code: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        if nominal is None:
            nominal = np.zeros(self.n_features, dtype=bool)
        return nominal, self.n_levels if missing_code is None else missing_code


def code_type(n_levels: int) -> type[np.unsignedinteger]:
    """Return the smallest type that holds ``n_levels`` level numbers."""
    return np.uint8 if n_levels <= 256 else np.uint16
