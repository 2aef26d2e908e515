"""Conjunctions of letters at positions: whether a sequence has them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np
import scipy.sparse

from fewer.core.records.alphabets import Alphabet
from fewer.core.records.rounding import steady
from fewer.core.views.letters import Letters

# Cells of a table of rows by conjunctions that are held at once.
BLOCK_CELLS = 2**23
# Rows whose products are added in float32, which holds whole numbers up to 2^24.
BLOCK_ROWS = 4096


@dataclass(frozen=True, eq=False)
class ConjunctSet:
    """Conjunctions of k letters, as features; ``basics`` holds position * size + letter, rising in every row."""

    basics: np.ndarray

    @property
    def k(self) -> int:
        """Number of letters of a conjunction."""
        return int(self.basics.shape[1])

    def __len__(self) -> int:
        return len(self.basics)

    def take(self, which: np.ndarray) -> ConjunctSet:
        """Return some of the conjunctions."""
        return replace(self, basics=self.basics[which])

    def columns(self, letters: Letters) -> scipy.sparse.csr_array:
        """Return which sequences have which conjunctions, as 0 and 1."""
        codes, width = letters.matrix(), max(1, BLOCK_CELLS // max(letters.n_rows, 1))
        parts = [
            scipy.sparse.csr_array(has(codes, self.basics[j : j + width], letters.alphabet.size), dtype=np.float64)
            for j in range(0, len(self), width)
        ]
        return scipy.sparse.csr_array(scipy.sparse.hstack(parts)) if parts else empty(letters.n_rows)

    def names(self, alphabet: Alphabet) -> list[str]:
        """Return names such as ``A@3 & G@7``."""
        return [" & ".join(f"{alphabet.letters[b % alphabet.size]}@{b // alphabet.size + 1}" for b in row)
                for row in self.basics.tolist()]  # fmt: skip


def empty(n_rows: int) -> scipy.sparse.csr_array:
    """Return a table without columns."""
    return scipy.sparse.csr_array((n_rows, 0), dtype=np.float64)


def has(codes: np.ndarray, basics: np.ndarray, size: int) -> np.ndarray:
    """Return whether each row has each conjunction, (n_rows, n_conjunctions)."""
    there = np.ones((len(codes), len(basics)), dtype=bool)
    for basic in basics.T:
        there &= codes[:, basic // size] == basic % size
    return there


def all_conjunctions(positions: np.ndarray, size: int, k: int) -> Iterator[np.ndarray]:
    """Return all conjunctions of k letters at these positions, those of one set of positions at a time."""
    words = np.array(list(product(range(size), repeat=k)), dtype=np.int64).reshape(-1, k)
    for chosen in combinations(positions.tolist(), k):
        yield np.array(chosen) * size + words


def random_conjunctions(
    positions: np.ndarray, size: int, k: int, n_wanted: int, rng: np.random.Generator
) -> np.ndarray:
    """Return so many different conjunctions: positions drawn uniformly, then letters; in the order of their numbers."""
    found = np.zeros((0, k), dtype=np.int64)
    while len(found) < n_wanted:
        missing = n_wanted - len(found)
        chosen = np.sort(np.argsort(rng.random((2 * missing, len(positions))), axis=1)[:, :k], axis=1)
        drawn = positions[chosen] * size + rng.integers(0, size, (2 * missing, k))
        # Of what was drawn the first are kept, or the smallest numbers would be.
        joined = np.concatenate([found, drawn])
        first = np.sort(np.unique(joined, axis=0, return_index=True)[1])
        found = joined[first][:n_wanted]
    return found[np.lexsort(found.T[::-1])]


@dataclass(frozen=True, eq=False)
class Scored:
    """The best conjunctions of a level: themselves, scores, counts per class, and how many were looked at."""

    basics: np.ndarray
    scores: np.ndarray
    counts: np.ndarray
    n_seen: int


def grow(
    letters: Letters,
    y: np.ndarray,
    n_classes: int,
    parents: np.ndarray,
    basics: np.ndarray,
    score: Callable[[np.ndarray], np.ndarray],
    keep: int | None,
    once: bool,
    min_count: int = 1,
    threshold: float = -np.inf,
) -> Scored:
    """Add one more letter to conjunctions in all possible ways and return the best.

    The counts of all that come of some parents are one product per class, of which only the best are held.

    Parameters
    ----------
    letters, y, n_classes
        The sequences and their classes.
    parents : ndarray of shape (n_parents, k)
        What is extended; one row without columns begins.
    basics : ndarray of int
        The letters at positions that may be added, rising.
    score : callable
        From counts per class to one number each.
    keep : int or None
        How many to keep; None for all.
    once : bool
        Whether a letter is added behind the others only: all conjunctions come of their first k letters, if these
        are among the parents.
    min_count : int
        In how many sequences a conjunction must be.
    threshold : float
        What its score must reach.
    """
    k, size, codes = parents.shape[1] + 1, letters.alphabet.size, letters.matrix()
    held: list[tuple[np.ndarray, ...]] = [(np.zeros((0, k), np.int64), np.zeros(0), np.zeros((0, n_classes)))]
    n_seen = 0
    width = max(1, BLOCK_CELLS // (max(BLOCK_ROWS, len(basics) * n_classes)))
    for j in range(0, len(parents), width):
        some = parents[j : j + width]
        counts = _products(codes, y, n_classes, some, basics, size)
        taken = (some[:, :, None] // size == basics[None, None, :] // size).any(axis=1)
        if once and k > 1:
            taken |= some[:, -1:] >= basics[None, :]
        who, which = np.nonzero(~taken & (counts.sum(axis=2) >= min_count))
        cells = counts[who, which]
        values = score(cells)
        good = values >= threshold
        who, which, cells, values = who[good], which[good], cells[good], values[good]
        n_seen += len(values)
        if keep is not None and len(values) > keep * k:
            # A conjunction comes of at most k parents, so the best `keep` of all are among these.
            line = np.partition(values, len(values) - keep * k)[len(values) - keep * k]
            near = steady(values) >= steady(np.array([line]))[0]
            who, which, cells, values = who[near], which[near], cells[near], values[near]
        made = np.sort(np.column_stack([some[who], basics[which]]), axis=1)
        held.append((made, values, cells))
        if keep is not None:
            held = [_best(held, keep)]
    return Scored(*_best(held, keep), n_seen)


def _best(held: list[tuple[np.ndarray, ...]], keep: int | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return different conjunctions, the best first, of equal ones the lower numbers."""
    basics, scores, counts = (np.concatenate(parts) for parts in zip(*held))
    first = np.unique(basics, axis=0, return_index=True)[1]
    order = first[np.argsort(-steady(scores[first]), kind="stable")][:keep]
    return basics[order], scores[order], counts[order]


def _products(
    codes: np.ndarray, y: np.ndarray, n_classes: int, parents: np.ndarray, basics: np.ndarray, size: int
) -> np.ndarray:
    """Return how many rows of each class have a parent and one more letter, (n_parents, n_basics, n_classes)."""
    out = np.zeros((len(parents), len(basics), n_classes))
    for start in range(0, len(codes), BLOCK_ROWS):
        rows, classes = codes[start : start + BLOCK_ROWS], y[start : start + BLOCK_ROWS]
        one_more = has(rows, basics[:, None], size).astype(np.float32)
        there = has(rows, parents, size).astype(np.float32)
        for c in range(n_classes):
            mine = classes == c
            out[:, :, c] += there[mine].T @ one_more[mine]
    return out
