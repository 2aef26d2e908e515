"""All pairs of rows that have labels, which are made one by one only where a method asks for them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.records.target_kinds import label_numbers
from fewer.core.views.pairs import Pairs, refuse_many


class LabelPairs(Pairs):
    """All pairs of rows with labels: together if these are the same, else apart.

    Attributes
    ----------
    codes : ndarray of int, shape (n_rows,)
        Number of the label of every row, -1 for none.
    """

    from_labels = True

    def __init__(self, codes: np.ndarray, n_dropped: int = 0) -> None:
        self.n_rows, self.codes, self.n_dropped = len(codes), codes, n_dropped

    @classmethod
    def of(cls, y: Any) -> LabelPairs:
        """Return the pairs of labels as they were given; -1 and missing values are no label."""
        return cls(label_numbers("Pairs", y))

    @cached_property
    def must(self) -> np.ndarray:  # type: ignore[override]
        """Pairs of rows with the same label."""
        return self._all_pairs[0]

    @cached_property
    def cannot(self) -> np.ndarray:  # type: ignore[override]
        """Pairs of rows with different labels."""
        return self._all_pairs[1]

    @cached_property
    def _all_pairs(self) -> tuple[np.ndarray, np.ndarray]:
        known = np.flatnonzero(self.codes >= 0)
        refuse_many("y", len(known) * (len(known) - 1) // 2)
        first, second = (known[k] for k in np.triu_indices(len(known), 1))
        same = self.codes[first] == self.codes[second]
        return np.column_stack([first[same], second[same]]), np.column_stack([first[~same], second[~same]])

    @cached_property
    def _sizes(self) -> np.ndarray:
        return np.bincount(self.codes[self.codes >= 0], minlength=1)

    @property
    def n_must(self) -> int:
        """Number of pairs that belong together."""
        return int((self._sizes * (self._sizes - 1) // 2).sum())

    @property
    def n_cannot(self) -> int:
        """Number of pairs that do not belong together."""
        known = int(self._sizes.sum())
        return known * (known - 1) // 2 - self.n_must

    def __getitem__(self, rows: Any) -> Pairs:
        """Return the pairs of some rows, given by number, mask or slice; of a row taken twice the first counts."""
        taken = np.atleast_1d(np.arange(self.n_rows)[rows[0] if isinstance(rows, tuple) else rows])
        codes = np.full(len(taken), -1, np.int64)
        first = np.unique(taken, return_index=True)[1]
        codes[first] = self.codes[taken[first]]
        out = LabelPairs(codes)
        out.n_dropped = self.n_dropped + self.n_must + self.n_cannot - out.n_must - out.n_cannot
        return out

    @cached_property
    def groups(self) -> np.ndarray:
        """Group of every row: that of its label; a row without one is a group of its own."""
        own = np.where(self.codes >= 0, self.codes, len(self._sizes) + np.arange(self.n_rows))
        _, first, inverse = np.unique(own, return_index=True, return_inverse=True)
        return np.argsort(np.argsort(first))[inverse]

    @cached_property
    def apart(self) -> np.ndarray:
        """All pairs of groups of labels."""
        labels = np.unique(self.groups[self.codes >= 0])
        return np.column_stack([labels[k] for k in np.triu_indices(len(labels), 1)])

    @cached_property
    def parts(self) -> np.ndarray:
        """0 for rows with a label, -1 for others."""
        return np.where((self.codes >= 0) & (self._sizes.sum() > 1), 0, -1)

    def signed_sum(self, M: np.ndarray, must: float, cannot: float) -> np.ndarray:
        """Return the signed sum over all pairs, by the sums of labels."""
        rows, known = np.flatnonzero(self.codes >= 0), (self.codes >= 0)[:, None]
        shape = (self.n_rows, len(self._sizes))
        group = scipy.sparse.csr_array((np.ones(len(rows)), (rows, self.codes[rows])), shape=shape)
        sums = group.T @ M
        size = np.where(self.codes >= 0, self._sizes[self.codes], 0)[:, None]
        together = size * M - group @ sums
        everything = np.where(known, self._sizes.sum() * M - sums.sum(axis=0), 0.0)
        return must * together + cannot * (everything - together)

    def check(self, name: str) -> Pairs:
        """Return the same: labels do not contradict each other."""
        return self
