"""Sequences with planted conjunctions of letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.records.alphabets import as_alphabet
from fewer.core.records.errors import ParameterError
from fewer.synth.checks import balanced_labels, counts, generator, numbered, numbers
from fewer.synth.synthetic import Synthetic


@dataclass(frozen=True, eq=False)
class SyntheticSequences(Synthetic):
    """Sequences with known truth; X holds one column of letter codes per position.

    Attributes
    ----------
    letters : str
        The letters that the codes stand for.
    motifs : tuple of str
        What was planted into sequences of class 1, such as ``A@3 & G@7``.
    """

    letters: str = ""
    motifs: tuple[str, ...] = ()

    @property
    def sequences(self) -> list[str]:
        """The sequences as texts."""
        return ["".join(self.letters[code] for code in row) for row in self.X.tolist()]


def make_planted_sequences(
    n_samples: int = 400,
    length: int = 30,
    motifs: str | Sequence[str] = ("A@3 & C@6 & G@9",),
    strength: float = 0.9,
    alphabet: str = "dna",
    random_state: Any = None,
) -> SyntheticSequences:
    """Make random sequences of two classes; those of class 1 have planted letters.

    All letters are drawn uniformly. A fraction of the sequences of class 1 then gets one of the motifs, each as likely
    as the others. In both classes k letters are there by chance with probability 4^-k, of four letters.

    Parameters
    ----------
    n_samples : int, default=400
        Number of sequences, half of each class.
    length : int, default=30
        Number of letters of each.
    motifs : str or sequence of str, default=("A@3 & C@6 & G@9",)
        What is planted: letters at positions, counted from 1, or a word such as "TATA" or "A**C", * for any letter,
        that stands anywhere.
    strength : float, default=0.9
        Which fraction of the sequences of class 1 has a motif planted.
    alphabet : str, default="dna"
        "dna", "rna", "protein", or the letters themselves.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    SyntheticSequences
        ``sequences`` as texts; X holds one nominal column per position. Relevant are the positions of motifs, all of
        them if a word may stand anywhere.

    References
    ----------
    .. [1] R. Islamaj Dogan, L. Getoor and W. J. Wilbur, "A feature generation algorithm with applications to
       biological sequence classification", in Computational Methods of Feature Selection, 2008, section 18.3.1.

    Examples
    --------
    >>> data = make_planted_sequences(4, 5, "TATA", random_state=0)
    >>> data.sequences, data.y.tolist()
    (['CAAAA', 'TGTGG', 'TTATA', 'TTATA'], [0, 0, 1, 1])
    """
    where = "make_planted_sequences"
    counts(where, 2, n_samples=n_samples)
    counts(where, 1, length=length)
    numbers(where, 0.0, 1.0, strength=strength)
    known, rng = as_alphabet(where, alphabet), generator(where, random_state)
    planted = [motifs] if isinstance(motifs, str) else list(motifs)
    parsed = [_parsed(where, str(one), known.letters, length) for one in planted]
    if not parsed:
        raise ParameterError(f"{where} got no motif in motifs={motifs!r}, but plants at least one; pass 'TATA'.")
    y = balanced_labels(n_samples, 2, rng)
    X = rng.integers(0, known.size, size=(n_samples, length))
    of_one = rng.permutation(np.flatnonzero(y == 1))
    for row in of_one[: round(strength * len(of_one))].tolist():
        places, codes, free = parsed[int(rng.integers(len(parsed)))]
        shift = int(rng.integers(length - places[-1])) if free else 0
        X[row, places + shift] = codes
    fixed = {int(place) for places, _, free in parsed for place in places if not free}
    relevant = range(length) if any(free for *_, free in parsed) else sorted(fixed)
    names = tuple(str(one) for one in planted)
    words = f"{strength:.0%} of class 1 have {' or '.join(names)}; all other letters are random."
    return SyntheticSequences(
        X,
        y,
        numbered("p", length, start=1),
        tuple(relevant),
        description=words,
        nominal=tuple(range(length)),
        letters=known.letters,
        motifs=names,
    )


def _parsed(where: str, motif: str, letters: str, length: int) -> tuple[np.ndarray, np.ndarray, bool]:
    """Return positions, from 0, codes, and whether a motif may stand anywhere."""
    parts = [part.strip().partition("@") for part in motif.split("&")]
    free = all(not at for _, at, _ in parts)
    if free:
        pairs = [(i, letter) for i, letter in enumerate(motif.strip()) if letter != "*"]
    else:
        pairs = sorted((int(place) - 1 if place.strip().isdigit() else -1, letter) for letter, _, place in parts)
    places = [place for place, _ in pairs]
    wanted = [letter if letter in letters else letter.upper() for _, letter in pairs]
    good = bool(pairs) and min(places) >= 0 and max(places) < length and len(set(places)) == len(places)
    if not good or any(len(letter) != 1 or letter not in letters for letter in wanted) or (free and places[0]):
        raise ParameterError(
            f"{where} got the motif {motif!r}, but takes letters of {letters} at different positions from 1 to "
            f"{length}, such as 'A@3 & G@7', or a word such as 'TATA' or 'A**C'; pass such a text."
        )
    return np.array(places), np.array([letters.index(letter) for letter in wanted]), free
