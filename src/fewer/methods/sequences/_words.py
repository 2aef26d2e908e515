"""Words of sequences as numbers: k-mers anywhere, in regions or at positions, and words with gaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

import numpy as np
import scipy.sparse

from fewer.core.records.alphabets import Alphabet
from fewer.core.records.errors import ParameterError
from fewer.core.views.letters import Letters

# Numbers of words fit into 64 bits with a little room.
MOST_WORDS = 2**62


@dataclass(frozen=True)
class WordKind:
    """Where words are looked for, and how their letters lie.

    Attributes
    ----------
    regions : tuple of (str, int, int or None)
        Name, first and last position, from 1, of every region; None is the end of the sequence.
    length : int or None
        Length of all sequences where every start position makes a feature of its own; otherwise None.
    window : int or None
        For words with gaps, how many positions they may span; None for letters side by side.
    """

    regions: tuple[tuple[str, int, int | None], ...] = (("", 1, None),)
    length: int | None = None
    window: int | None = None

    @property
    def n_places(self) -> int:
        """Number of regions or positions."""
        return len(self.regions) if self.length is None else self.length

    def patterns(self, k: int) -> tuple[tuple[int, ...], ...]:
        """Return where the k letters of a word lie, from its first one on."""
        return _patterns(k, self.window)

    def check(self, name: str, alphabet: Alphabet, k: int) -> None:
        """Raise if words are too many for numbers of 64 bits."""
        if len(self.patterns(k)) * self.n_places * alphabet.size**k >= MOST_WORDS:
            raise ParameterError(
                f"{name} got k={k} for {alphabet.size} letters and {self.n_places:,} places, but more than 2^62 words "
                "cannot be told apart; pass a smaller k."
            )

    def found(self, letters: Letters, k: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Return rows and word numbers of all places where a word of k known letters stands, by pattern and region."""
        lengths = letters.lengths
        rows = np.repeat(np.arange(letters.n_rows), lengths)
        at = np.arange(len(letters.codes)) - np.repeat(letters.starts[:-1], lengths)
        behind = np.repeat(lengths, lengths)
        size = letters.alphabet.size
        for number, offsets in enumerate(self.patterns(k)):
            words, known = _words(letters.codes, offsets, size)
            n, span = len(words), offsets[-1] + 1
            start, last, row = at[:n], behind[:n], rows[:n]
            if self.length is not None:
                here = known & (start + span <= last)
                yield row[here], start[here] * size**k + words[here]
                continue
            for place, (_, first, end) in enumerate(self.regions):
                here = known & (start >= first - 1) & (start + span <= (last if end is None else np.minimum(last, end)))
                yield row[here], (number * self.n_places + place) * size**k + words[here]

    def parents(self, ids: np.ndarray, k: int, size: int) -> np.ndarray:
        """Return the number of the word without its last letter, of words of k letters."""
        place, word = np.divmod(ids, size**k)
        pattern, place = np.divmod(place, self.n_places)
        shorter = {offsets: number for number, offsets in enumerate(self.patterns(k - 1))}
        of = np.array([shorter[offsets[:-1]] for offsets in self.patterns(k)], dtype=np.int64)
        return (of[pattern] * self.n_places + place) * size ** (k - 1) + word // size

    def names(self, ids: np.ndarray, k: int, alphabet: Alphabet) -> list[str]:
        """Return how words are called: ``ACG``, ``up:ACG``, ``ACG@12``, or ``A**C``."""
        pattern, rest = np.divmod(ids, self.n_places * alphabet.size**k)
        place, word = np.divmod(rest, alphabet.size**k)
        # Many words stand at several places; each text is made once.
        pairs, at = np.unique(np.column_stack([pattern, word]), axis=0, return_inverse=True)
        texts = [gapped(alphabet.word(w, k), self.patterns(k)[p]) for p, w in pairs.tolist()]
        named = zip(at.ravel().tolist(), place.tolist())
        if self.length is not None:
            return [f"{texts[i]}@{where + 1}" for i, where in named]
        before = [f"{region}:" if region else "" for region, _, _ in self.regions]
        return [before[where] + texts[i] for i, where in named]


@cache
def _patterns(k: int, window: int | None) -> tuple[tuple[int, ...], ...]:
    if window is None:
        return (tuple(range(k)),)
    return tuple((0, *rest) for rest in combinations(range(1, window), k - 1))


def gapped(letters: str, offsets: tuple[int, ...]) -> str:
    """Return letters at their offsets, with * between them."""
    return "".join(letters[offsets.index(o)] if o in offsets else "*" for o in range(offsets[-1] + 1))


def _words(codes: np.ndarray, offsets: tuple[int, ...], size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of the word that begins at each letter, and whether all of its letters are known."""
    n = max(len(codes) - offsets[-1], 0)
    words, known = np.zeros(n, dtype=np.int64), np.ones(n, dtype=bool)
    for offset in offsets:
        letter = codes[offset : offset + n]
        words = words * size + letter
        known &= letter >= 0
    return words, known


@dataclass(frozen=True, eq=False)
class WordSet:
    """Words of k letters, as features: how often each occurs; at a position, whether it does."""

    kind: WordKind
    k: int
    ids: np.ndarray

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, which: np.ndarray) -> WordSet:
        """Return some of the words, in the order of their numbers."""
        return replace(self, ids=self.ids[which])

    def columns(self, letters: Letters) -> scipy.sparse.csr_array:
        """Return the counts of all words in sequences."""
        rows, places = [], []
        for row, ids in self.kind.found(letters, self.k):
            place = np.minimum(np.searchsorted(self.ids, ids), max(len(self.ids) - 1, 0))
            hit = self.ids[place] == ids if len(self.ids) else np.zeros(len(ids), bool)
            rows.append(row[hit])
            places.append(place[hit])
        at = (np.concatenate([*rows, []]).astype(np.int64), np.concatenate([*places, []]).astype(np.int64))
        found = scipy.sparse.coo_array((np.ones(len(at[0])), at), shape=(letters.n_rows, len(self.ids)))
        return scipy.sparse.csr_array(found)

    def names(self, alphabet: Alphabet) -> list[str]:
        """Return the names of the words."""
        return self.kind.names(self.ids, self.k, alphabet)


@dataclass(frozen=True, eq=False)
class WordCounts:
    """Words that occur, with counts per group of rows, (n_words, n_groups), the rows that have them, and totals."""

    ids: np.ndarray
    counts: np.ndarray
    rows: np.ndarray
    sizes: np.ndarray


def count_words(
    letters: Letters,
    kind: WordKind,
    k: int,
    groups: np.ndarray,
    n_groups: int,
    kept: np.ndarray | None = None,
    event: str = "presence",
) -> WordCounts:
    """Count words of k letters per group of rows, in blocks of sequences.

    Parameters
    ----------
    letters : Letters
        The sequences.
    kind, k : WordKind, int
        Which words.
    groups : ndarray of int
        Group, such as the class, of every sequence.
    n_groups : int
        How many there are.
    kept : ndarray of int, optional
        Sorted numbers of words of k - 1 letters; only words that begin with one of them count.
    event : {"presence", "occurrence"}
        Whether sequences that have the word are counted, or places where it stands.
    """
    # The last column counts rows, whatever the others count.
    known, table = np.zeros(0, np.int64), np.zeros((0, n_groups + 1))
    tokens = np.zeros(n_groups)
    for start, block in letters.blocks():
        found = list(kind.found(block, k))
        rows, ids = (np.concatenate(parts) for parts in zip(*found))
        y = groups[start : start + block.n_rows]
        tokens += np.bincount(y[rows], minlength=n_groups)
        if kept is not None:
            stays = np.isin(kind.parents(ids, k, letters.alphabet.size), kept)
            rows, ids = rows[stays], ids[stays]
        here, place = np.unique(ids, return_inverse=True)
        once = np.divmod(np.unique(place * block.n_rows + rows), block.n_rows)
        in_rows = np.bincount(once[0], minlength=len(here))
        if event == "presence":
            place, rows = once
        cells = np.bincount(place * n_groups + y[rows], minlength=len(here) * n_groups).reshape(-1, n_groups)
        joined = np.union1d(known, here)
        sums = np.zeros((len(joined), n_groups + 1))
        sums[np.searchsorted(joined, known)] += table
        sums[np.searchsorted(joined, here)] += np.column_stack([cells, in_rows])
        known, table = joined, sums
    totals = np.bincount(groups, minlength=n_groups) if event == "presence" else tokens
    return WordCounts(known, table[:, :-1], table[:, -1], totals)
