"""How often two features are present together in each class: whole numbers, so they add up exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.summaries.summary import Summary

# Counts made by a product of float32 matrices are exact up to here.
EXACT_FLOAT32 = 2**24
ROWS_AT_ONCE = 8192


@dataclass(frozen=True, eq=False)
class PairPresence:
    """Co-occurrence counts per class.

    ``pairs[c][i, j]`` is the number (or weight) of rows of class c in which the i-th and the j-th of the chosen
    features are both present; the diagonal holds the counts of single features. An array (n_classes, m, m) for dense
    data, a tuple of CSR matrices for sparse data.
    """

    pairs: Any


@dataclass(frozen=True)
class PresencePairs(Summary[PairPresence]):
    """Co-occurrence of the chosen columns per class, :math:`X_c^T X_c` of the 0/1 matrix. Present means level 1.

    Sparse codes are never made dense, unless it is a zero that means present.
    """

    n_classes: int
    columns: tuple[int, ...]
    words = "pairs of features"

    def width(self, block: Any) -> int:
        """Return the number of chosen columns."""
        return len(self.columns)

    def bytes_per_feature(self, block: Any) -> int:
        """One row of every matrix."""
        return 16 * self.n_classes * len(self.columns)

    def tile(self, block: Any, start: int, stop: int) -> PairPresence:
        """Count rows ``start`` to ``stop`` of the matrices."""
        if block.kind == "sparse codes":
            return PairPresence(tuple(self._sparse(block, start, stop)))
        whole = block.weight is None
        narrow = whole and block.n_rows < EXACT_FLOAT32
        out = np.zeros((self.n_classes, stop - start, len(self.columns)), np.int64 if whole else np.float64)
        columns = np.asarray(self.columns)
        for c in range(self.n_classes):
            rows = np.flatnonzero(block.y == c)
            for top in range(0, len(rows), ROWS_AT_ONCE):
                some = rows[top : top + ROWS_AT_ONCE]
                here = (block.rows[some[:, None], columns] == 1).astype(np.float32 if narrow else np.float64)
                left = here[:, start:stop] if whole else here[:, start:stop] * block.weight[some, None]
                out[c] += (left.T @ here).astype(out.dtype)
        return PairPresence(out)

    def _sparse(self, block: Any, start: int, stop: int) -> list[Any]:
        weight = np.ones(block.n_rows, np.int64) if block.weight is None else block.weight
        here = scipy.sparse.csr_array(presence(block, self.columns)).astype(weight.dtype)
        out = []
        for c in range(self.n_classes):
            rows = np.flatnonzero(block.y == c)
            of_class = here[rows]
            left = of_class[:, start:stop].multiply(weight[rows, None])
            counts = scipy.sparse.csr_array(left.T @ of_class)
            # Rows of weight zero leave stored zeros behind.
            counts.eliminate_zeros()
            counts.sort_indices()
            out.append(counts)
        return out

    def join(self, parts: list[PairPresence]) -> PairPresence:
        """Stack rows of the matrices."""
        if len(parts) == 1:
            return parts[0]
        if isinstance(parts[0].pairs, np.ndarray):
            return PairPresence(np.concatenate([part.pairs for part in parts], axis=1))
        return PairPresence(
            tuple(scipy.sparse.vstack([part.pairs[c] for part in parts], "csr") for c in range(self.n_classes))
        )

    def merge(self, first: PairPresence, second: PairPresence) -> PairPresence:
        """Add the counts of two row blocks."""
        if isinstance(first.pairs, np.ndarray):
            return PairPresence(first.pairs + second.pairs)
        return PairPresence(tuple(a + b for a, b in zip(first.pairs, second.pairs)))


def presence(block: Any, columns: tuple[int, ...]) -> Any:
    """Return the 0/1 matrix (CSC, int8) of the chosen columns of sparse codes: 1 where the level is 1."""
    chosen = np.asarray(columns, dtype=np.int64)
    if (block.zero_code[chosen] == 1).any():
        dense = np.column_stack([block.column(int(j)) == 1 for j in chosen])
        return scipy.sparse.csc_array(dense.astype(np.int8))
    codes = block.X[:, chosen]
    out = scipy.sparse.csc_array(((codes.data == 1).astype(np.int8), codes.indices, codes.indptr), shape=codes.shape)
    out.eliminate_zeros()
    return out
