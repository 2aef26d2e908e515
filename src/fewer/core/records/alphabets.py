"""Letters of sequences: DNA, RNA, protein, or the user's own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from fewer.core.records.errors import ParameterError

GAPS = "-.?"
# What a letter becomes that stands for several letters, or for none; and one that has no place in the alphabet.
UNKNOWN, FOREIGN = -1, -2
# Codes are bytes, and the last numbers below 128 are kept free.
MOST_LETTERS = 100


@dataclass(frozen=True)
class Alphabet:
    """The letters that features are made of, and those that say only that something is there.

    Attributes
    ----------
    name : str
        What it is called in messages.
    letters : str
        The letters; their places are their codes.
    ambiguous : str
        Letters that may stand in a sequence and match nothing, such as N.
    any_case : bool
        Whether small letters are the same as capital ones.
    """

    name: str
    letters: str
    ambiguous: str = GAPS
    any_case: bool = False

    @property
    def size(self) -> int:
        """Number of letters."""
        return len(self.letters)

    def __hash__(self) -> int:
        return hash((self.letters, self.ambiguous, self.any_case))

    def word(self, code: int, k: int) -> str:
        """Return the word of k letters with this code."""
        out = []
        for _ in range(k):
            code, letter = divmod(code, self.size)
            out.append(self.letters[letter])
        return "".join(reversed(out))


NAMED = {
    "dna": Alphabet("DNA", "ACGT", "RYSWKMBDHVN" + GAPS, True),
    "rna": Alphabet("RNA", "ACGU", "RYSWKMBDHVN" + GAPS, True),
    "protein": Alphabet("protein", "ACDEFGHIKLMNPQRSTVWY", "BJOUXZ*" + GAPS, True),
}


def as_alphabet(where: str, given: str) -> Alphabet:
    """Return an alphabet by its name, or the one that these letters make."""
    if not isinstance(given, str):
        raise ParameterError(
            f"{where} got alphabet={given!r}, but takes {', '.join(map(repr, NAMED))} or a text of at least two "
            "letters, such as 'HP'; pass one of them."
        )
    if given.lower() in NAMED:
        return NAMED[given.lower()]
    if not 2 <= len(given) <= MOST_LETTERS or len(set(given)) < len(given) or set(given) & {*GAPS, *" \t\r\n>@&:*"}:
        raise ParameterError(
            f"{where} got alphabet={given!r}, but takes {', '.join(map(repr, NAMED))} or from 2 to {MOST_LETTERS} "
            "different letters, none of them a blank or one of - . ? > @ & : *; pass such a text."
        )
    return Alphabet(repr(given), given)


@cache
def code_table(alphabet: Alphabet) -> np.ndarray:
    """Return the code of every character by its number, `UNKNOWN` and `FOREIGN` included."""
    table = np.full(0x110000, FOREIGN, dtype=np.int8)
    for letters, codes in ((alphabet.ambiguous, [UNKNOWN] * len(alphabet.ambiguous)),
                           (alphabet.letters, range(alphabet.size))):  # fmt: skip
        for letter, code in zip(letters, codes):
            for one in {letter, letter.lower()} if alphabet.any_case else {letter}:
                table[ord(one)] = code
    return table
