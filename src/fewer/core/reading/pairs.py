"""Pairs of rows that belong together, or apart: read, checked, closed under "together", cut to some rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse
from scipy.sparse.csgraph import connected_components

from fewer.core.records.errors import InputError

# What the third column of `pairs` says.
MUST, CANNOT = 1, -1


@dataclass(frozen=True, eq=False)
class PairConstraints:
    """What is known of pairs of rows.

    Attributes
    ----------
    must, cannot : ndarray of int64, shape (n_pairs, 2)
        Rows that belong together, and rows that do not, as they were given.
    n_rows : int
        Number of rows that the pairs are of.
    dropped : int
        Pairs that lost a row when rows were taken.

    Examples
    --------
    >>> found = PairConstraints.read("doctest", 5, must_link=[[0, 1], [1, 3]], cannot_link=[[3, 4]])
    >>> found.groups.tolist(), found.between_groups.tolist()
    ([0, 0, 1, 0, 2], [[0, 2]])
    >>> found.rows(np.array([0, 1, 4])).dropped
    2
    """

    must: np.ndarray
    cannot: np.ndarray
    n_rows: int
    dropped: int = 0

    @classmethod
    def read(
        cls, where: str, n_rows: int, pairs: Any = None, must_link: Any = None, cannot_link: Any = None
    ) -> PairConstraints:
        """Return what was given in any of three forms, which add up; raise if it contradicts itself.

        Parameters
        ----------
        where : str
            What takes the pairs, for messages.
        n_rows : int
            Number of rows.
        pairs : array-like of int, shape (n_pairs, 3), optional
            Two row numbers, and 1 if they belong together, -1 (or 0) if apart.
        must_link : array-like of int, shape (n_pairs, 2) or (n_rows,), optional
            Pairs that belong together, or a group per row, below 0 or missing for none.
        cannot_link : array-like of int of shape (n_pairs, 2), or sparse matrix of shape (n_rows, n_rows), optional
            Pairs that belong apart, or a matrix with an entry for each.
        """
        both = np.empty((0, 3), np.int64) if pairs is None else _whole(where, "pairs", pairs, 3)
        kinds = set(np.unique(both[:, 2]).tolist())
        if kinds - {MUST, CANNOT, 0}:
            raise InputError(
                f"{where} got pairs whose third column holds {sorted(kinds - {MUST, CANNOT, 0})[0]}, but takes 1 for "
                "rows that belong together and -1 or 0 for rows that do not; code the kinds so."
            )
        together = [both[both[:, 2] == MUST, :2], _must(where, n_rows, must_link)]
        apart = [both[both[:, 2] != MUST, :2], _cannot(where, n_rows, cannot_link)]
        must, cannot = (_checked(where, n_rows, np.concatenate(lists)) for lists in (together, apart))
        found = cls(must, cannot, n_rows)
        found.refuse_conflicts(where)
        return found

    def __len__(self) -> int:
        return len(self.must) + len(self.cannot)

    @cached_property
    def groups(self) -> np.ndarray:
        """Number of the group of every row: rows that pairs tie together, however long the chain; others are alone.

        Groups are numbered by their first rows, so that without pairs every row has its own number.
        """
        shape = (self.n_rows, self.n_rows)
        tied = scipy.sparse.coo_array((np.ones(len(self.must), bool), (self.must[:, 0], self.must[:, 1])), shape)
        found = connected_components(tied, directed=False)[1]
        first = np.unique(found, return_index=True)[1]
        return np.argsort(np.argsort(first))[found].astype(np.int64)

    @cached_property
    def between_groups(self) -> np.ndarray:
        """Pairs of groups that belong apart, each once, smaller number first, in the order in which they were given."""
        pairs = np.sort(self.groups[self.cannot], axis=1).reshape(-1, 2)
        return pairs[np.sort(np.unique(pairs, axis=0, return_index=True)[1])] if len(pairs) else pairs

    def violations(self, labels: np.ndarray) -> int:
        """Return how many pairs labels of rows do not meet; a label below 0 is no group."""
        together, apart = labels[self.must], labels[self.cannot]
        same = (apart[:, 0] == apart[:, 1]) & (apart[:, 0] >= 0)
        return int((together[:, 0] != together[:, 1]).sum() + same.sum())

    def rows(self, subset: np.ndarray) -> PairConstraints:
        """Return the pairs among some rows, by their new numbers; those that lose a row are counted as dropped.

        Rows that others tied together stay so only if a pair among those that are left says it.
        """
        place = np.full(self.n_rows, -1, np.int64)
        subset = np.arange(self.n_rows)[np.asarray(subset)]
        place[subset] = np.arange(len(subset))
        lists = [place[pairs] for pairs in (self.must, self.cannot)]
        kept = [pairs[(pairs >= 0).all(axis=1)] for pairs in lists]
        lost = sum(map(len, lists)) - sum(map(len, kept))
        return PairConstraints(kept[0], kept[1], len(subset), self.dropped + lost)

    def refuse_conflicts(self, where: str) -> None:
        """Raise if two rows belong both together and apart."""
        groups = self.groups
        wrong = np.flatnonzero(groups[self.cannot[:, 0]] == groups[self.cannot[:, 1]])
        if len(wrong):
            i, j = self.cannot[wrong[0]]
            more = f" ({len(wrong)} such pairs)" if len(wrong) > 1 else ""
            raise InputError(
                f"{where} got the rows {i} and {j} as belonging apart, but other pairs tie them together{more}, and "
                "only one of the two can hold; leave out one side."
            )


def _whole(where: str, name: str, given: Any, width: int) -> np.ndarray:
    """Return a table of whole numbers with so many columns."""
    table = np.asarray(given)
    if table.size == 0:
        return np.empty((0, width), np.int64)
    if table.ndim != 2 or table.shape[1] != width:
        raise InputError(
            f"{where} got {name} of shape {table.shape}, but takes one line per pair with {width} numbers; give an "
            f"array of shape (n_pairs, {width})."
        )
    whole = table.dtype.kind in "iu" or (table.dtype.kind == "f" and bool((table == np.floor(table)).all()))
    if not whole:
        raise InputError(
            f"{where} got {name} of {table.dtype}, but takes numbers of rows; give whole numbers from 0 on."
        )
    return table.astype(np.int64)


def _must(where: str, n_rows: int, given: Any) -> np.ndarray:
    """Return pairs that tie rows: those given, or neighbours in every group of labels per row."""
    if given is None:
        return np.empty((0, 2), np.int64)
    labels = np.asarray(given)
    if labels.ndim != 1 or labels.size == 0:
        return _whole(where, "must_link", given, 2)
    if len(labels) != n_rows:
        raise InputError(
            f"{where} got must_link with {len(labels)} groups, but X has {n_rows} rows; give one group per row, -1 "
            "for none, or pairs of row numbers."
        )
    known = np.flatnonzero((labels == labels) & ~(labels < 0)) if labels.dtype.kind in "iuf" else np.arange(n_rows)
    order = known[np.argsort(labels[known], kind="stable")]
    tied = labels[order[1:]] == labels[order[:-1]]
    return np.column_stack([order[:-1][tied], order[1:][tied]]).astype(np.int64)


def _cannot(where: str, n_rows: int, given: Any) -> np.ndarray:
    """Return pairs that part rows: those given, or the entries of a sparse matrix, each pair once."""
    if given is None:
        return np.empty((0, 2), np.int64)
    if not scipy.sparse.issparse(given):
        return _whole(where, "cannot_link", given, 2)
    if given.shape != (n_rows, n_rows):
        raise InputError(
            f"{where} got cannot_link of shape {given.shape}, but X has {n_rows} rows; give a sparse matrix of shape "
            f"({n_rows}, {n_rows}), or pairs of row numbers."
        )
    i, j = scipy.sparse.coo_array(given).nonzero()
    pairs = np.sort(np.column_stack([i, j]).astype(np.int64), axis=1)
    return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)


def _checked(where: str, n_rows: int, pairs: np.ndarray) -> np.ndarray:
    """Return pairs of two rows that there are."""
    wrong = pairs[(pairs < 0) | (pairs >= n_rows)]
    if len(wrong):
        raise InputError(
            f"{where} got a pair with the row {wrong[0]}, but X has {n_rows} rows; number them from 0 to {n_rows - 1}."
        )
    return pairs
