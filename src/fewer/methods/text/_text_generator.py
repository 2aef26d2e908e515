"""What generators of terms share: documents in, sparse counts and readable names out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, ClassVar

import numpy as np
import scipy.sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from fewer.core.estimators.contracts import BaseGenerator
from fewer.core.records.errors import InputError
from fewer.core.records.tags import MethodTags

# Letters, or letters and digits, of all scripts; the underscore is neither.
TOKENS = {"letters": r"[^\W\d_]", "letters_digits": r"[^\W_]"}
ON_TEXTS = MethodTags(targets=("none",), views=("texts",), handles_sparse=True, handles_nan=True, cost="length")


def documents(where: str, X: Any) -> list[tuple[str, ...]]:
    """Return every document as the tuple of its parts; missing ones have no part.

    A document is a text, or a tuple of texts that no term may span.
    """
    if isinstance(X, (str, bytes)):
        raise InputError(f"{where} got one text, but takes a list of documents; pass [text].")
    if scipy.sparse.issparse(X) or not hasattr(X, "__iter__"):
        raise InputError(f"{where} got a {type(X).__name__}, but takes a list of texts; pass one text per document.")
    shape: tuple[int, ...] = getattr(X, "shape", (0,))
    if len(shape) == 2:
        if shape[1] != 1:
            raise InputError(
                f"{where} got {shape[1]} columns, but takes one text per document; pass one column, or use TextFields."
            )
        X = X.iloc[:, 0] if hasattr(X, "iloc") else X[:, 0]
    return [_parts(where, one) for one in X]


def _parts(where: str, one: Any) -> tuple[str, ...]:
    if isinstance(one, str):
        return (one,)
    if one is None or (isinstance(one, float) and np.isnan(one)):
        return ()
    if isinstance(one, tuple):
        return tuple(chain.from_iterable(_parts(where, part) for part in one))
    raise InputError(
        f"{where} got a document of type {type(one).__name__} ({one!r:.40}), but takes texts; convert it with str(...)."
    )


def composed(text: str) -> str:
    """Return a text in which an accent and its letter are one character, so that accented words are not split."""
    return unicodedata.normalize("NFC", text)


@cache
def _marks() -> re.Pattern[str]:
    """Return what finds marks that stand with a letter: accents that no one character has, vowels of some scripts."""
    found = (chr(c) for c in range(0x300, 0x1EC00) if unicodedata.category(chr(c)) in ("Mn", "Mc"))
    return re.compile(f"[{''.join(found)}]")


def words_of(text: str, tokens: str) -> list[str]:
    """Return the runs of letters, or of letters and digits, with the marks that stand behind them."""
    one = TOKENS[tokens]
    if text.isascii() or not _marks().search(text):
        return re.findall(f"{one}+", text)
    return re.findall(f"{one}+(?:{_marks().pattern}+{one}*)*", text)


@dataclass(frozen=True)
class EachPart:
    """Makes the terms of a document out of those of its parts."""

    make: Callable[[str], list[str]]

    def __call__(self, parts: tuple[str, ...]) -> list[str]:
        """Return the terms of all parts."""
        return list(chain.from_iterable(map(self.make, parts)))


class TermGenerator(BaseGenerator):
    """Base of generators that count terms with scikit-learn's `CountVectorizer`; they say how a text is analysed."""

    method_tags = ON_TEXTS
    # What names begin with, so that equal texts of different generators are different features.
    prefix: ClassVar[str]
    min_df: int

    def fit(self, X: Any, y: Any = None) -> Any:
        """Learn which terms there are.

        Parameters
        ----------
        X : iterable of str
            The documents; None or NaN is one without terms, a tuple of texts one in parts that no term spans.
        y : None
            Ignored.

        Returns
        -------
        self : object
            The fitted generator.
        """
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Learn which terms there are, and return their counts: `fit` and `transform` in one pass."""
        self._validate_params()
        name = type(self).__name__
        texts = documents(name, X)
        self.vectorizer_ = CountVectorizer(analyzer=EachPart(self._analyzer()))
        try:
            counts = self.vectorizer_.fit_transform(texts)
        except ValueError as error:
            # A stemmer may fail too.
            if "empty vocabulary" not in str(error):
                raise
            raise InputError(
                f"{name} found no term in {len(texts)} documents, but needs one at least; pass texts that hold some, "
                "or other parameters."
            ) from error
        return self._frequent(scipy.sparse.csr_array(counts))

    def _frequent(self, counts: Any) -> Any:
        """Leave out terms in too few documents."""
        enough = np.bincount(counts.indices, minlength=counts.shape[1]) >= self.min_df
        names = self.vectorizer_.get_feature_names_out()
        if not enough.any():
            raise InputError(
                f"{type(self).__name__} got min_df={self.min_df}, but no term is in so many of the {counts.shape[0]} "
                "documents; pass a smaller number."
            )
        if not enough.all():
            self.vectorizer_.vocabulary_ = {term: j for j, term in enumerate(names[enough].tolist())}
        self.terms_ = names[enough]
        return counts[:, np.flatnonzero(enough)]

    def transform(self, X: Any) -> Any:
        """Return how often every term occurs.

        Parameters
        ----------
        X : iterable of str
            The documents.

        Returns
        -------
        csr_array of int64, shape (n_documents, n_terms)
        """
        check_is_fitted(self, "terms_")
        texts = documents(type(self).__name__, X)
        return scipy.sparse.csr_array(self.vectorizer_.transform(texts))

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the terms: what kind of term it is, and the term.

        Parameters
        ----------
        input_features : None
            Ignored.

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self, "terms_")
        return np.array([f"{self.prefix}:{term}" for term in self.terms_], dtype=object)

    def _analyzer(self) -> Callable[[str], list[str]]:
        """Return what makes the terms of a text."""
        raise NotImplementedError

    def __sklearn_tags__(self) -> Tags:
        return of_texts(super().__sklearn_tags__())


def of_texts(tags: Tags) -> Tags:
    """Return the tags of what takes texts."""
    tags.input_tags.string = tags.input_tags.one_d_array = True
    tags.input_tags.two_d_array = False
    tags.input_tags.sparse = False
    return tags
