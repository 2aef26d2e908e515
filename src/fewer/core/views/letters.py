"""Sequences as numbers: one byte per letter, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fewer.core.records.alphabets import FOREIGN, Alphabet, code_table
from fewer.core.records.errors import InputError

# Letters that are looked at together: what is made of each takes a few dozen bytes.
BLOCK_LETTERS = 2**20


@dataclass(frozen=True, eq=False)
class Letters:
    """Sequences of any lengths.

    Attributes
    ----------
    codes : ndarray of int8
        Codes of all letters; -1 for one that is ambiguous or a gap.
    starts : ndarray of int64, shape (n_rows + 1,)
        Where each sequence begins.
    alphabet : Alphabet
        What the codes stand for.
    """

    codes: np.ndarray
    starts: np.ndarray
    alphabet: Alphabet

    @classmethod
    def of(cls, name: str, texts: Sequence[str], alphabet: Alphabet) -> Letters:
        """Read texts, and raise on the first letter that is not of the alphabet."""
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        starts = np.concatenate([[0], np.cumsum(lengths)])
        # Lone surrogates are no letters of anything, and are to be refused as other letters are.
        joined = "".join(texts).encode("utf-32-le", "surrogatepass")
        codes = code_table(alphabet)[np.frombuffer(joined, np.uint32)]
        wrong = np.flatnonzero(codes == FOREIGN)
        if len(wrong):
            row = int(np.searchsorted(starts, wrong[0], side="right")) - 1
            place = int(wrong[0] - starts[row])
            raise InputError(
                f"{name} found {texts[row][place]!r} at position {place + 1} of sequence {row}, but the letters of "
                f"{alphabet.name} are {alphabet.letters}, and those that match nothing {alphabet.ambiguous}; correct "
                "it, or choose another alphabet."
            )
        return cls(codes, starts, alphabet)

    @property
    def n_rows(self) -> int:
        """Number of sequences."""
        return len(self.starts) - 1

    @property
    def lengths(self) -> np.ndarray:
        """Number of letters of every sequence."""
        return np.diff(self.starts)

    def rows(self, start: int, stop: int) -> Letters:
        """Return some of the sequences."""
        begin, end = self.starts[start], self.starts[stop]
        return Letters(self.codes[begin:end], self.starts[start : stop + 1] - begin, self.alphabet)

    def blocks(self) -> Iterator[tuple[int, Letters]]:
        """Return blocks of sequences of a bounded number of letters, each with the number of its first sequence."""
        start = 0
        while start < self.n_rows:
            stop = int(np.searchsorted(self.starts, self.starts[start] + BLOCK_LETTERS, side="right")) - 1
            stop = min(max(stop, start + 1), self.n_rows)
            yield start, self.rows(start, stop)
            start = stop

    def common_length(self, name: str, wanted: int | None = None) -> int:
        """Return the length that all sequences have; raise if they have not, or not the one that is wanted."""
        lengths = self.lengths
        first = int(lengths[0]) if wanted is None else wanted
        other = np.flatnonzero(lengths != first)
        if len(other):
            whose = "the first has" if wanted is None else "those of fit had"
            raise InputError(
                f"{name} reads positions, so that all sequences must be of one length, but sequence {other[0]} has "
                f"{lengths[other[0]]:,} letters and {whose} {first:,}; cut them to one length."
            )
        return first

    def matrix(self) -> np.ndarray:
        """Return sequences of one length as rows of codes."""
        return self.codes.reshape(self.n_rows, -1) if self.n_rows else np.zeros((0, 0), np.int8)
