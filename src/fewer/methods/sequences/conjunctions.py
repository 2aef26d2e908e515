"""Letters at several positions at once, as features."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.params import StrOptions, whole_from
from fewer.core.views.letters import Letters
from fewer.methods.sequences._base import SequenceGenerator, levels_of, positions_of, refuse_many, site_of
from fewer.methods.sequences._conjuncts import BLOCK_CELLS, ConjunctSet, all_conjunctions, has, random_conjunctions


class Conjunctions(SequenceGenerator):
    r"""Make features of sequences: whether they have given letters at given positions, all of them.

    A feature is a set of k letters at different positions, such as ``A@3 & G@7``; there are
    :math:`\binom{n}{k} |\Sigma|^k` of them in n positions. With ``basic_positions`` the positions are those of a region
    or interval; with ``n_random`` features are drawn, the baseline of section 18.4.2 of [1]_.

    Parameters
    ----------
    k : int, tuple or str, default=2
        How many letters a word or a conjunction has: a number, or all numbers of a range, (2, 6) or "2-6".
    basic_positions : str, array-like of int or None, default=None
        Positions of which conjunctions are made, from 1: "up", "down", an interval such as "5-12", or a list; None is
        all.
    site : int or None, default=None
        How many letters stand before the site, which divides "up" and "down"; None is the middle.
    n_random : int or None, default=None
        How many conjunctions of every k are drawn: positions first, each set as likely as any other, then letters.
        All of them are kept. None makes all there are.
    alphabet : str, default="dna"
        "dna", "rna", "protein", or the letters themselves.
    words : {"seen", "all"}, default="seen"
        Whether words have a column that occur in `fit`, or all.
    min_count : int, default=1
        In how many sequences of `fit` a word must be.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.

    Attributes
    ----------
    feature_names_ : ndarray of str
        Names such as ``A@3 & G@7``.

    Notes
    -----
    All sequences must be of one length. An ambiguous letter such as N matches nothing.

    See Also
    --------
    FGA : Selects conjunctions while it makes them, so that longer ones can be found.

    References
    ----------
    .. [1] R. Islamaj Dogan, L. Getoor and W. J. Wilbur, "A feature generation algorithm with applications to
       biological sequence classification", in Computational Methods of Feature Selection, 2008.

    Examples
    --------
    >>> made = Conjunctions(2).fit(["ac", "gc", "nc"])
    >>> made.get_feature_names_out().tolist()
    ['A@1 & C@2', 'G@1 & C@2']
    >>> made.transform(["ac", "at"]).toarray().tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """

    _parameter_constraints: dict = {
        "k": "no_validation",
        "basic_positions": [str, "array-like", None],
        "site": [whole_from(1), None],
        "n_random": [whole_from(1), None],
        "alphabet": [str],
        "words": [StrOptions({"seen", "all"})],
        "min_count": [whole_from(1)],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        k: Any = 2,
        *,
        basic_positions: Any = None,
        site: int | None = None,
        n_random: int | None = None,
        alphabet: str = "dna",
        words: str = "seen",
        min_count: int = 1,
        random_state: Any = None,
    ) -> None:
        self.k = k
        self.basic_positions = basic_positions
        self.site = site
        self.n_random = n_random
        self.alphabet = alphabet
        self.words = words
        self.min_count = min_count
        self.random_state = random_state

    def _fixed_length(self) -> bool:
        return True

    def _learn(self, letters: Letters, y: Any) -> list[ConjunctSet]:
        name, size = type(self).__name__, letters.alphabet.size
        length = letters.common_length(name)
        site = site_of(name, self.site, length) if length > 1 else 1
        positions = positions_of(name, self.basic_positions, length, site)
        levels = levels_of(name, self.k)
        if levels[-1] > len(positions):
            raise ParameterError(
                f"{name} got k={self.k!r} for {len(positions)} positions, but a conjunction has at most one letter at "
                "each; pass a smaller k or more positions."
            )
        if self.n_random is not None:
            return self._drawn(positions, size, levels)
        refuse_many(name, sum(comb(len(positions), k) * size**k for k in levels), "pass a smaller k or n_random")
        return [ConjunctSet(self._all(letters, positions, k)) for k in levels]

    def _drawn(self, positions: np.ndarray, size: int, levels: range) -> list[ConjunctSet]:
        rng = np.random.default_rng(self.random_state)
        for k in levels:
            if (self.n_random or 0) > comb(len(positions), k) * size**k // 2:
                raise InputError(
                    f"{type(self).__name__} got n_random={self.n_random}, but there are {comb(len(positions), k)} sets "
                    f"of {k} of the positions, and at most half of all conjunctions are drawn; pass a smaller number, "
                    "or None for all."
                )
        return [ConjunctSet(random_conjunctions(positions, size, k, self.n_random or 0, rng)) for k in levels]

    def _all(self, letters: Letters, positions: np.ndarray, k: int) -> np.ndarray:
        """Return all conjunctions of k letters, without those that are in too few sequences."""
        made = np.concatenate(list(all_conjunctions(positions, letters.alphabet.size, k)))
        if self.words == "all":
            return made
        codes, width = letters.matrix(), max(1, BLOCK_CELLS // letters.n_rows)
        rows = [has(codes, made[j : j + width], letters.alphabet.size).sum(axis=0) for j in range(0, len(made), width)]
        return made[np.concatenate(rows) >= self.min_count]
