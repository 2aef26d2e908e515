"""Pairs of rows that belong together or apart, which follow their rows into folds and pipelines."""

from __future__ import annotations

from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
import scipy.sparse
from scipy.sparse.csgraph import connected_components

from fewer.core.records.errors import InputError
from fewer.core.records.target_kinds import label_numbers

# Pairs that groups may stand for: 160 MB.
MOST_PAIRS = 10_000_000


class Pairs:
    """Pairs of rows: those that belong together (must-links) and those that do not (cannot-links).

    It has one entry per row, as weights have, so that whatever takes rows of X takes the pairs with them: rows are
    numbered again, and a pair that has lost a row is dropped and counted.

    Parameters
    ----------
    n_rows : int
        Number of rows of X.
    must_link : array-like of shape (n_pairs, 2) or (n_rows,), optional
        Row numbers of pairs that belong together, or the group of every row, with -1 or a missing value for none.
    cannot_link : array-like of shape (n_pairs, 2) or (n_rows, n_rows), optional
        Row numbers of pairs that do not belong together, or a matrix that is not 0 for them, best a sparse one. Of
        exactly two rows it is read as pairs.

    Attributes
    ----------
    must, cannot : ndarray of int, shape (n_pairs, 2)
        The pairs, the lower row number first, each once, in the order given.
    n_dropped : int
        Pairs that were lost with their rows.

    Examples
    --------
    >>> pairs = Pairs(5, must_link=[(0, 1), (1, 4)], cannot_link=[(2, 4)])
    >>> some = pairs[[1, 2, 4]]
    >>> some.must.tolist(), some.cannot.tolist(), some.n_dropped
    ([[0, 2]], [[1, 2]], 1)
    >>> pairs.groups.tolist(), pairs.apart.tolist()
    ([0, 0, 1, 2, 0], [[0, 1]])
    """

    # One entry per row, for whatever cuts arrays by rows.
    ndim = 1
    # Whether it was made of labels.
    from_labels = False
    n_rows: int
    must: np.ndarray
    cannot: np.ndarray
    n_dropped: int

    def __init__(self, n_rows: int, must_link: Any = None, cannot_link: Any = None) -> None:
        if not isinstance(n_rows, Integral) or n_rows < 0:
            raise InputError(f"Pairs got n_rows={n_rows!r}, but takes the number of rows of X; pass len(X).")
        self.n_rows = int(n_rows)
        self.must = _unique(self._read("must_link", must_link))
        self.cannot = _unique(self._read("cannot_link", cannot_link))
        self.n_dropped = 0

    @classmethod
    def of_labels(cls, y: Any) -> Pairs:
        """Return all pairs of rows with a label: together if it is the same, else apart; -1 and missing are no label.

        Examples
        --------
        >>> Pairs.of_labels(["a", "b", None, "a"])
        <Pairs of 4 rows: 1 together, 2 apart>
        """
        from fewer.core.views.label_pairs import LabelPairs

        return LabelPairs.of(y)

    @property
    def n_must(self) -> int:
        """Number of pairs that belong together."""
        return len(self.must)

    @property
    def n_cannot(self) -> int:
        """Number of pairs that do not belong together."""
        return len(self.cannot)

    @cached_property
    def parts(self) -> np.ndarray:
        """Part of every row: pairs of both kinds tie rows to one part; -1 for rows in no pair."""
        both = np.vstack([self.must, self.cannot])
        graph = scipy.sparse.coo_array((np.ones(len(both), bool), both.T), (self.n_rows, self.n_rows))
        found, inside = connected_components(graph, directed=False)[1], np.zeros(self.n_rows, bool)
        inside[both.ravel()] = True
        return np.where(inside, found, -1)

    def signed_sum(self, M: np.ndarray, must: float, cannot: float) -> np.ndarray:
        r"""Return :math:`\sum_p w_p (e_i - e_j)(e_i - e_j)^T M` over all pairs p = (i, j), with a weight per kind."""
        pairs = np.vstack([self.must, self.cannot])
        weight = np.repeat([float(must), float(cannot)], [len(self.must), len(self.cannot)])
        W = scipy.sparse.coo_array((weight, pairs.T), (self.n_rows, self.n_rows)).tocsr()
        W = W + W.T
        return np.asarray(W.sum(axis=1)).reshape(-1, 1) * M - W @ M

    @property
    def shape(self) -> tuple[int]:
        """One entry per row."""
        return (self.n_rows,)

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        lost = f", {self.n_dropped} dropped" if self.n_dropped else ""
        return f"<Pairs of {self.n_rows} rows: {self.n_must} together, {self.n_cannot} apart{lost}>"

    def __getitem__(self, rows: Any) -> Pairs:
        """Return the pairs of some rows, given by number, mask or slice; of a row taken twice the first counts."""
        if isinstance(rows, tuple):
            rows = rows[0]
        taken = np.atleast_1d(np.arange(self.n_rows)[rows])
        place = np.full(self.n_rows, -1)
        place[taken[::-1]] = np.arange(len(taken))[::-1]
        out = Pairs(len(taken))
        for name in ("must", "cannot"):
            pairs = place[getattr(self, name)].reshape(-1, 2)
            here = (pairs >= 0).all(axis=1)
            setattr(out, name, _unique(pairs[here]))
            out.n_dropped += int(np.count_nonzero(~here))
        out.n_dropped += self.n_dropped
        return out

    @cached_property
    def groups(self) -> np.ndarray:
        """Group of every row: must-links hold from pair to pair; a row in none is a group of its own."""
        ones = np.ones(len(self.must), dtype=bool)
        graph = scipy.sparse.coo_array((ones, (self.must[:, 0], self.must[:, 1])), (self.n_rows, self.n_rows))
        found = connected_components(graph, directed=False)[1]
        # Numbered by their first row.
        _, first, inverse = np.unique(found, return_index=True, return_inverse=True)
        return np.argsort(np.argsort(first))[inverse]

    @cached_property
    def apart(self) -> np.ndarray:
        """Pairs of groups that do not belong together, each once, in the order given."""
        return _unique(self.groups[self.cannot].reshape(-1, 2))

    def violations(self, labels: np.ndarray) -> int:
        """Return how many pairs labels of rows do not meet; a label below 0 is no group."""
        together, apart = np.asarray(labels)[self.must], np.asarray(labels)[self.cannot]
        same = (apart[:, 0] == apart[:, 1]) & (apart[:, 0] >= 0)
        return int((together[:, 0] != together[:, 1]).sum() + same.sum())

    def check(self, name: str) -> Pairs:
        """Return the same; raise if rows that belong together, be it by way of others, also do not."""
        inside = self.groups[self.cannot[:, 0]] == self.groups[self.cannot[:, 1]]
        if inside.any():
            i, j = self.cannot[inside.argmax()].tolist()
            raise InputError(
                f"{name} got pairs that contradict each other: rows {i} and {j} are kept apart, but must-links join "
                f"them, directly or by way of other rows ({int(inside.sum())} such pairs); drop one side."
            )
        return self

    def _read(self, name: str, given: Any) -> np.ndarray:
        """Return pairs of row numbers, given as such, as groups, or as a matrix."""
        if given is None:
            return np.zeros((0, 2), dtype=np.int64)
        if scipy.sparse.issparse(given):
            return self._of_matrix(name, given)
        array = np.asarray(given)
        if array.ndim == 1 and array.size and name == "must_link":
            return self._of_groups(label_numbers("Pairs", given))
        if name == "cannot_link" and array.ndim == 2 and array.shape == (self.n_rows,) * 2 and self.n_rows != 2:
            return self._of_matrix(name, scipy.sparse.coo_array(array))
        return self._of_numbers(name, array.reshape(0, 2) if array.size == 0 else array)

    def _of_numbers(self, name: str, array: np.ndarray) -> np.ndarray:
        whole = array.ndim == 2 and array.shape[1] == 2 and array.dtype.kind in "iuf"
        if not whole or not np.array_equal(array, np.trunc(array)):
            allowed = "pairs of row numbers, or one group per row" if name == "must_link" else "pairs of row numbers"
            matrix = "" if name == "must_link" else f", or a matrix of {self.n_rows} x {self.n_rows}"
            raise InputError(
                f"Pairs got {name} of shape {array.shape} and type {array.dtype}, but takes {allowed}{matrix}; pass "
                "whole numbers in two columns."
            )
        if array.size and (array.min() < 0 or array.max() >= self.n_rows):
            worst = array.min() if array.min() < 0 else array.max()
            raise InputError(
                f"Pairs got the row number {worst:g} in {name}, but rows are numbered from 0 to {self.n_rows - 1}; "
                "pass numbers of rows of X."
            )
        pairs = array.astype(np.int64)
        if (pairs[:, 0] == pairs[:, 1]).any():
            row = int(pairs[(pairs[:, 0] == pairs[:, 1]).argmax(), 0])
            raise InputError(f"Pairs got row {row} paired with itself in {name}, but takes two rows; drop that pair.")
        return pairs

    def _of_matrix(self, name: str, matrix: Any) -> np.ndarray:
        if matrix.shape != (self.n_rows, self.n_rows):
            raise InputError(
                f"Pairs got {name} as a matrix of shape {matrix.shape}, but there are {self.n_rows} rows; pass one of "
                f"{self.n_rows} x {self.n_rows}."
            )
        found = scipy.sparse.coo_array(matrix)
        on = found.data != 0
        return self._of_numbers(name, np.column_stack([found.coords[0][on], found.coords[1][on]]))

    def _of_groups(self, codes: np.ndarray) -> np.ndarray:
        if len(codes) != self.n_rows:
            raise InputError(
                f"Pairs got must_link with {len(codes)} groups, but there are {self.n_rows} rows; pass one group per "
                "row, or pairs of row numbers in two columns."
            )
        sizes = np.bincount(codes[codes >= 0])
        refuse_many("must_link", int((sizes * (sizes - 1) // 2).sum()))
        found = [np.zeros((0, 2), dtype=np.int64)]
        for rows in np.split(np.argsort(codes, kind="stable")[np.count_nonzero(codes < 0) :], np.cumsum(sizes)[:-1]):
            first, second = np.triu_indices(len(rows), 1)
            found.append(np.column_stack([rows[first], rows[second]]))
        return np.vstack(found)


def refuse_many(name: str, n_pairs: int) -> None:
    """Raise if labels stand for more pairs than can be listed."""
    if n_pairs > MOST_PAIRS:
        raise InputError(
            f"Pairs got {name} that stands for {n_pairs:,} pairs, but takes at most {MOST_PAIRS:,}; name fewer rows, "
            "or draw pairs with fewer.synth.sample_pairwise_constraints."
        )


def _unique(pairs: np.ndarray) -> np.ndarray:
    """Return pairs with the lower number first, each once, in the order of their first mention."""
    ordered = np.sort(np.asarray(pairs, dtype=np.int64).reshape(-1, 2), axis=1)
    _, first = np.unique(ordered, axis=0, return_index=True)
    return ordered[np.sort(first)]


def as_pairs(name: str, given: Any, n_rows: int) -> Pairs:
    """Return the pairs that `fit` was given: `Pairs`, or a tuple of must-links and cannot-links."""
    if isinstance(given, Pairs):
        if given.n_rows != n_rows and given.from_labels:
            raise InputError(f"{name} got y with {given.n_rows} labels, but X has {n_rows} rows; pass one per row.")
        if given.n_rows != n_rows:
            raise InputError(
                f"{name} got pairs of {given.n_rows} rows, but X has {n_rows}; pass fewer.Pairs({n_rows}, ...) whose "
                "row numbers are those of X."
            )
        return given.check(name)
    if isinstance(given, tuple) and len(given) == 2:
        return Pairs(n_rows, *given).check(name)
    raise InputError(
        f"{name} got pairs={given!r}, but takes fewer.Pairs(n_rows, must_link, cannot_link) or a tuple of must-links "
        "and cannot-links; pass one of these."
    )
