"""Words of k letters as features: anywhere, in regions, or at positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.core.records.params import StrOptions, whole_from
from fewer.core.views.letters import Letters
from fewer.methods.sequences._base import SequenceGenerator, levels_of, refuse_many, site_of
from fewer.methods.sequences._words import WordKind, WordSet, count_words


class Kmers(SequenceGenerator):
    """Make features of sequences: how often each word of k letters occurs, anywhere, in a region or at a position.

    The value of a k-mer is the number of places at which it begins; words that overlap count, all of them. In a region
    it is the number of places inside, and a word across the border of two regions is in neither. At a position it is 1
    or 0 (section 18.3.1 of [1]_).

    Parameters
    ----------
    k : int, tuple or str, default=(2, 6)
        How many letters a word or a conjunction has: a number, or all numbers of a range, (2, 6) or "2-6".
    kind : {"general", "region", "position"}, default="general"
        Where words are looked for.
    site : int or None, default=None
        How many letters stand before the site, which divides "up" and "down"; None is the middle.
    regions : mapping of str to (int, int) or None, default=None
        First and last position, from 1, of every region; None is {"up": before the site, "down": behind it}.
    alphabet : str, default="dna"
        "dna", "rna", "protein", or the letters themselves.
    words : {"seen", "all"}, default="seen"
        Whether words have a column that occur in `fit`, or all.
    min_count : int, default=1
        In how many sequences of `fit` a word must be.

    Attributes
    ----------
    feature_names_ : ndarray of str
        Names such as ``ACG``, ``up:ACG`` or ``ACG@12`` for position 12; positions count from 1.

    Notes
    -----
    Letters that stand for several others, such as N, and gaps match nothing: a word with one of them is not counted.
    Small letters are the same as capital ones, but not in an alphabet of one's own. The chapter says nothing on words
    that overlap or cross a border.

    See Also
    --------
    FGA : Selects words while it makes them.

    References
    ----------
    .. [1] R. Islamaj Dogan, L. Getoor and W. J. Wilbur, "A feature generation algorithm with applications to
       biological sequence classification", in Computational Methods of Feature Selection, 2008.

    Examples
    --------
    >>> made = Kmers(2).fit(["acgacn", "ttac"])
    >>> made.get_feature_names_out().tolist()
    ['AC', 'CG', 'GA', 'TA', 'TT']
    >>> made.transform(["acgacn", "ttac"]).toarray().astype(int).tolist()
    [[2, 1, 1, 0, 0], [1, 0, 0, 1, 1]]
    """

    _parameter_constraints: dict = {
        "k": "no_validation",
        "kind": [StrOptions({"general", "region", "position"})],
        "site": [whole_from(1), None],
        "regions": [Mapping, None],
        "alphabet": [str],
        "words": [StrOptions({"seen", "all"})],
        "min_count": [whole_from(1)],
    }

    def __init__(
        self,
        k: Any = (2, 6),
        *,
        kind: str = "general",
        site: int | None = None,
        regions: Mapping[str, tuple[int, int]] | None = None,
        alphabet: str = "dna",
        words: str = "seen",
        min_count: int = 1,
    ) -> None:
        self.k = k
        self.kind = kind
        self.site = site
        self.regions = regions
        self.alphabet = alphabet
        self.words = words
        self.min_count = min_count

    def _fixed_length(self) -> bool:
        return self.kind == "position" or (self.kind == "region" and self.regions is None)

    def _learn(self, letters: Letters, y: Any) -> list[WordSet]:
        kind = word_kind(type(self).__name__, letters, self.kind, self.site, self.regions)
        return learn_words(type(self).__name__, letters, kind, levels_of("Kmers", self.k), self.words, self.min_count)


def word_kind(name: str, letters: Letters, kind: str, site: int | None, regions: Any = None) -> WordKind:
    """Return where words of this kind are looked for."""
    if kind == "general":
        return WordKind()
    if kind == "position":
        return WordKind(length=letters.common_length(name))
    if regions is None:
        length = letters.common_length(name)
        p = site_of(name, site, length)
        return WordKind((("up", 1, p), ("down", p + 1, length)))
    found, longest = [], int(letters.lengths.max())
    for label, ends in regions.items():
        first, last = ends if isinstance(ends, (tuple, list)) and len(ends) == 2 else (0, 0)
        if not (isinstance(first, (int, np.integer)) and isinstance(last, (int, np.integer)) and 1 <= first <= last):
            raise ParameterError(
                f"{name} got the region {label!r} as {ends!r}, but takes its first and last position, counted from 1, "
                "such as (1, 80); correct it."
            )
        if last > longest:
            raise ParameterError(
                f"{name} got the region {label!r} as {ends!r}, but the longest sequence has {longest} letters; pass an "
                f"end of at most {longest}."
            )
        found.append((str(label), int(first), int(last)))
    if not found:
        raise ParameterError(f"{name} got no region in regions={regions!r}, but needs one; pass {{'up': (1, 80)}}.")
    return WordKind(tuple(found))


def learn_words(
    name: str, letters: Letters, kind: WordKind, levels: range, words: str, min_count: int
) -> list[WordSet]:
    """Return the words of all lengths that are there often enough, or all that are possible."""
    size, sets, total = letters.alphabet.size, [], 0
    for k in levels:
        kind.check(name, letters.alphabet, k)
        if words == "all":
            starts = kind.n_places if kind.length is None else max(kind.length - k + 1, 0)
            total += len(kind.patterns(k)) * starts * size**k
            refuse_many(name, total, "pass a smaller k or words='seen'")
            sets.append(WordSet(kind, k, np.arange(len(kind.patterns(k)) * starts * size**k)))
            continue
        found = count_words(letters, kind, k, np.zeros(letters.n_rows, np.int64), 1)
        ids = found.ids[found.counts[:, 0] >= min_count]
        total += len(ids)
        refuse_many(name, total, "pass a smaller k or a larger min_count")
        sets.append(WordSet(kind, k, ids))
    return sets
