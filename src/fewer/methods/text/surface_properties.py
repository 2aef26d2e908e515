"""What texts look like, as features: lengths, symbols, white space, lines."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from fewer.core.estimators.contracts import BaseGenerator
from fewer.core.records.errors import ParameterError
from fewer.methods.text._text_generator import ON_TEXTS, composed, documents, of_texts, words_of

# Words of so many letters are counted together.
LENGTHS = ((1, 3), (4, 6), (7, 9), (10, None))
NAMES = (
    "characters",
    "words",
    "lines",
    "words per line",
    "mean word length",
    *(f"words of {low} to {high} letters" if high else f"words of {low} letters or more" for low, high in LENGTHS),
    "white space",
    "symbols",
    "digits",
    "capitals",
)


class SurfaceProperties(BaseGenerator):
    """Measure what texts look like: their length, lines, word lengths, symbols and white space.

    The number of characters, words and lines, words per line, mean word length, and fractions: words of 1 to 3, 4 to 6,
    7 to 9 and more letters among all words, white space, symbols, digits and capitals among all characters; and how
    often given keywords occur (section 13.2.5 of [1]_).

    Parameters
    ----------
    keywords : collection of str, default=()
        Texts whose occurrences are counted, such as "http" or "!"; case matters.

    Attributes
    ----------
    keywords_ : tuple of str
        The keywords, in the order of the last columns.

    Notes
    -----
    The text names such properties without formulas. A symbol is what is neither letter, digit nor white space. What is
    a fraction or a mean of nothing is 0. These are measurements, not counts of terms: choose among them with a method
    for numbers.

    See Also
    --------
    Words : Counts of words.

    References
    ----------
    .. [1] G. Forman, "Feature selection for text classification", ch. 13 of H. Liu and H. Motoda (eds.),
       "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> made = SurfaceProperties(["!"]).fit(["Oh no!"])
    >>> found = dict(zip(made.get_feature_names_out(), made.transform(["Oh no!"])[0].round(3).tolist()))
    >>> found["surface:words"], found["surface:symbols"], found["surface:!"]
    (2.0, 0.167, 1.0)
    """

    method_tags = ON_TEXTS
    _parameter_constraints: dict = {"keywords": [list, tuple, set, frozenset]}

    def __init__(self, keywords: Collection[str] = ()) -> None:
        self.keywords = keywords

    def fit(self, X: Any, y: Any = None) -> SurfaceProperties:
        """Learn nothing but the keywords.

        Parameters
        ----------
        X : iterable of str
            The documents; None or NaN is an empty one.
        y : None
            Ignored.

        Returns
        -------
        self : object
            The fitted generator.
        """
        self._validate_params()
        documents(type(self).__name__, X)
        words = self.keywords
        if not all(isinstance(word, str) and word for word in words):
            raise ParameterError(
                f"SurfaceProperties got keywords={words!r}, but counts texts of one character at least; drop others."
            )
        self.keywords_ = tuple(sorted(words) if isinstance(words, (set, frozenset)) else dict.fromkeys(words))
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Measure texts.

        Parameters
        ----------
        X : iterable of str
            The documents.

        Returns
        -------
        ndarray of float64, shape (n_documents, 13 + n_keywords)
        """
        check_is_fitted(self, "keywords_")
        texts = ["\n".join(parts) for parts in documents(type(self).__name__, X)]
        rows = [[*_measured(composed(text)), *(text.count(word) for word in self.keywords_)] for text in texts]
        return np.array(rows, dtype=np.float64).reshape(len(texts), len(NAMES) + len(self.keywords_))

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the properties.

        Parameters
        ----------
        input_features : None
            Ignored.

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self, "keywords_")
        # A keyword may be called as a property is.
        called = [f'"{word}"' if word in NAMES else word for word in self.keywords_]
        return np.array([f"surface:{name}" for name in (*NAMES, *called)], dtype=object)

    def __sklearn_tags__(self) -> Tags:
        return of_texts(super().__sklearn_tags__())


def _measured(text: str) -> list[float]:
    """Return the properties of a text, in the order of `NAMES`."""
    lengths = [len(word) for word in words_of(text, "letters_digits")]
    n_words, n_lines = len(lengths), len(text.splitlines())
    spans = [sum(low <= n and (high is None or n <= high) for n in lengths) for low, high in LENGTHS]
    kinds = [
        sum(c.isspace() for c in text),
        sum(not c.isalnum() and not c.isspace() for c in text),
        sum(c.isdigit() for c in text),
        sum(c.isupper() for c in text),
    ]
    return [
        len(text),
        n_words,
        n_lines,
        n_words / max(n_lines, 1),
        sum(lengths) / max(n_words, 1),
        *(n / max(n_words, 1) for n in spans),
        *(n / max(len(text), 1) for n in kinds),
    ]
