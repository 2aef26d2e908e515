"""The nearest of rows of bits, by the number of bits in which they differ."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.kernels.order_pairs import add_differing_bits

QUERIES_AT_ONCE = 64


def packed_rows(bits: np.ndarray) -> np.ndarray:
    """Return rows of booleans as rows of 64-bit words, the last one filled up with zeros."""
    n, d = bits.shape
    bytes_ = np.zeros((n, 8 * max(1, -(-d // 64))), np.uint8)
    bytes_[:, : -(-d // 8)] = np.packbits(bits, axis=1, bitorder="little")
    return bytes_.view(np.uint64)


def near_shares(
    run: Any, words: np.ndarray, queries: np.ndarray, among: np.ndarray, k: int, average: bool
) -> scipy.sparse.csr_array:
    """Return what every candidate counts for every query: the k nearest share 1, all others have 0.

    Parameters
    ----------
    run : Runner
        Its threads do the work.
    words : ndarray of uint64 of shape (n_rows, n_words)
        All rows.
    queries, among : ndarray of int
        Numbers of the rows that ask, and of the candidates, ascending; a row is not its own candidate.
    k : int
        Number of nearest candidates; all there are if fewer.
    average : bool
        Whether all candidates as far as the last one divide the places that are left; else the lowest numbers have
        them.

    Returns
    -------
    csr_array of shape (n_queries, n_candidates)
    """
    others = words[among]

    def work(start: int, stop: int) -> scipy.sparse.csr_array:
        rows = queries[start:stop]
        distance = np.zeros((len(rows), len(among)), np.int64)
        add_differing_bits(words[rows], others, 0, len(rows), distance)
        own = rows[:, None] == among[None, :]
        return scipy.sparse.csr_array(_shares(np.where(own, np.iinfo(np.int64).max, distance), own, k, average))

    return scipy.sparse.vstack(run.scan(work, len(queries), QUERIES_AT_ONCE), format="csr")


def _shares(distance: np.ndarray, own: np.ndarray, k: int, average: bool) -> np.ndarray:
    """Return the share of every candidate; rows without candidates have none."""
    there = np.minimum(k, (~own).sum(axis=1))
    ordered = np.sort(distance, axis=1)
    last = ordered[np.arange(len(ordered)), np.maximum(there - 1, 0)][:, None]
    near, tied = (distance < last) & ~own, (distance == last) & ~own
    left = there - near.sum(axis=1)
    places = tied * (left / np.maximum(tied.sum(axis=1), 1))[:, None]
    if not average:
        places = (tied & (np.cumsum(tied, axis=1) <= left[:, None])).astype(np.float64)
    return (near + places) / np.maximum(there, 1)[:, None]
