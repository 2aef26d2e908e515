"""Letters at fixed distances from each other, wherever they stand."""

from __future__ import annotations

from typing import Any

from fewer.core.records.errors import ParameterError
from fewer.core.records.params import StrOptions, whole_from
from fewer.core.views.letters import Letters
from fewer.methods.sequences._base import SequenceGenerator, levels_of
from fewer.methods.sequences._words import WordKind, WordSet
from fewer.methods.sequences.kmers import learn_words


class FloatingConjunctions(SequenceGenerator):
    r"""Make features of sequences: how often letters stand at given distances from each other.

    A feature has k letters at offsets :math:`0 = o_1 < \dots < o_k < n_1` in a window of :math:`n_1` positions; its
    value is the number of places where all of them match. Other letters between do not matter (section 18.3.1 of [1]_).

    Parameters
    ----------
    k : int, tuple or str, default=2
        How many letters a word or a conjunction has: a number, or all numbers of a range, (2, 6) or "2-6".
    window : int, default=5
        How many positions the letters may span.
    alphabet : str, default="dna"
        "dna", "rna", "protein", or the letters themselves.
    words : {"seen", "all"}, default="seen"
        Whether words have a column that occur in `fit`, or all.
    min_count : int, default=1
        In how many sequences of `fit` a word must be.

    Attributes
    ----------
    feature_names_ : ndarray of str
        Names such as ``A**C``: an A, any two letters, and a C.

    Notes
    -----
    The chapter names no window; 5 is ours. The first letter has the offset 0, so that no pattern occurs twice. With
    as many letters as the window has positions these are the k-mers. A place where the pattern would run over the end
    does not count; ambiguous letters match nothing, but may stand between the letters.

    See Also
    --------
    Kmers : Letters side by side.
    Conjunctions : Letters at fixed positions.

    References
    ----------
    .. [1] R. Islamaj Dogan, L. Getoor and W. J. Wilbur, "A feature generation algorithm with applications to
       biological sequence classification", in Computational Methods of Feature Selection, 2008.

    Examples
    --------
    >>> made = FloatingConjunctions(2, window=4).fit(["aaccaggc"])
    >>> dict(zip(made.get_feature_names_out(), made.transform(["aaccaggc"]).toarray()[0].astype(int).tolist()))["A**C"]
    2
    """

    _parameter_constraints: dict = {
        "k": "no_validation",
        "window": [whole_from(1)],
        "alphabet": [str],
        "words": [StrOptions({"seen", "all"})],
        "min_count": [whole_from(1)],
    }

    def __init__(
        self, k: Any = 2, *, window: int = 5, alphabet: str = "dna", words: str = "seen", min_count: int = 1
    ) -> None:
        self.k = k
        self.window = window
        self.alphabet = alphabet
        self.words = words
        self.min_count = min_count

    def _learn(self, letters: Letters, y: Any) -> list[WordSet]:
        name, levels = type(self).__name__, levels_of("FloatingConjunctions", self.k)
        if levels[-1] > self.window:
            raise ParameterError(
                f"{name} got k={self.k!r} and window={self.window}, but at most as many letters as positions fit; pass "
                "a smaller k or a larger window."
            )
        return learn_words(name, letters, WordKind(window=self.window), levels, self.words, self.min_count)
