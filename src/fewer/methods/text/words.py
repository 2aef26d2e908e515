"""Words and phrases of texts as features."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

from fewer.core.reading.porter import stem
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.params import StrOptions, whole_from
from fewer.methods.text._text_generator import TOKENS, TermGenerator, composed, words_of

WORDS: dict[str, Any] = {
    "tokens": [StrOptions(set(TOKENS))],
    "lowercase": ["boolean"],
    "stop_words": [None, StrOptions({"english"}), list, tuple, set, frozenset],
    "glossary": [None, dict],
    "stemmer": [None, StrOptions({"porter"}), callable],
    "prefix_length": [None, whole_from(1)],
    "min_df": [whole_from(1)],
}


@dataclass(frozen=True)
class WordTokens:
    """Makes of a text its words: stop words left out, the others replaced, stemmed, cut off."""

    tokens: str
    stop_words: frozenset[str]
    glossary: Mapping[str, str]
    stem: Callable[[str], str] | None
    length: int | None

    def __call__(self, text: str) -> list[str]:
        """Return the words in their order."""
        words = [self.glossary.get(w, w) for w in words_of(text, self.tokens) if w not in self.stop_words]
        words = words if self.stem is None else [_stemmed(self.stem, word) for word in words]
        # What a stemmer or a glossary leaves nothing of is no word.
        return [word[: self.length] for word in words if word]


def _stemmed(stem_of: Callable[[str], str], word: str) -> str:
    made = stem_of(word)
    if not isinstance(made, str):
        raise InputError(
            f"Words got a stemmer that makes {made!r} of {word!r}, but it must return a text; return the word where it "
            "has no stem."
        )
    return made


class Words(TermGenerator):
    """Count the words of texts.

    A word is a run of letters, or of letters and digits, of any script (section 13.2.1 of [1]_). Variants may be
    merged: by case, by a glossary, by a stemmer, or by the first letters alone, which works in all languages.

    Parameters
    ----------
    tokens : {"letters_digits", "letters"}, default="letters_digits"
        What words are made of; digits keep names such as ioctl32 whole.
    lowercase : bool, default=True
        Whether upper and lower case are the same.
    stop_words : {"english"}, collection of str or None, default=None
        Words that are left out before anything else, in any case if `lowercase`; "english" is scikit-learn's list.
    glossary : dict of str to str, default=None
        What words, in any case if `lowercase`, are replaced by: acronyms, synonyms, part numbers.
    stemmer : {"porter"}, callable or None, default=None
        What takes a word and returns its stem; "porter" is for English.
    prefix_length : int, default=None
        How many characters of every word are kept; None keeps all.
    min_df : int, default=1
        Terms in fewer rows are left out.

    Attributes
    ----------
    terms_ : ndarray of str
        The words, in the order of the columns.

    Notes
    -----
    The text suggests the letters of the class L&, which have no case in many scripts; here letters are those of all
    scripts, with the marks that belong to them: accents, and the vowels of many Indian scripts. Spelling correction,
    which the text advises against, is not offered.

    See Also
    --------
    Phrases : Words that follow each other.
    CharacterNgrams : Pieces of texts, words or not.
    TextFields : Records of several texts.

    References
    ----------
    .. [1] G. Forman, "Feature selection for text classification", ch. 13 of H. Liu and H. Motoda (eds.),
       "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> made = Words(stop_words=["the"]).fit(["The naïve ball", "a ball of the ioctl32 kind"])
    >>> made.get_feature_names_out().tolist()
    ['word:a', 'word:ball', 'word:ioctl32', 'word:kind', 'word:naïve', 'word:of']
    """

    _parameter_constraints: dict = WORDS
    prefix = "word"

    def __init__(
        self,
        tokens: str = "letters_digits",
        *,
        lowercase: bool = True,
        stop_words: str | Collection[str] | None = None,
        glossary: Mapping[str, str] | None = None,
        stemmer: str | Callable[[str], str] | None = None,
        prefix_length: int | None = None,
        min_df: int = 1,
    ) -> None:
        self.tokens = tokens
        self.lowercase = lowercase
        self.stop_words = stop_words
        self.glossary = glossary
        self.stemmer = stemmer
        self.prefix_length = prefix_length
        self.min_df = min_df

    def _words(self) -> WordTokens:
        as_read = lower if self.lowercase else composed
        stops = (
            ENGLISH_STOP_WORDS if isinstance(self.stop_words, str) else frozenset(map(as_read, self.stop_words or ()))
        )
        glossary = {as_read(word): made for word, made in (self.glossary or {}).items()}
        stemmer = stem if isinstance(self.stemmer, str) else self.stemmer
        return WordTokens(self.tokens, stops, glossary, stemmer, self.prefix_length)

    def _runs(self) -> tuple[int, int]:
        return (1, 1)

    def _analyzer(self) -> Callable[[str], list[str]]:
        made = CountVectorizer(
            preprocessor=lower if self.lowercase else composed,
            tokenizer=self._words(),
            token_pattern=None,
            ngram_range=self._runs(),
        )
        return made.build_analyzer()


class Phrases(Words):
    """Count the phrases of texts: words that follow each other.

    Two words by default; more seldom help (section 13.2.3 of [1]_). Stop words are left out before phrases are made,
    which extends their reach: "head of the household" has the phrase "head household".

    Parameters
    ----------
    ngram_range : tuple of two ints, default=(2, 2)
        Least and most words or characters of a term.
    tokens : {"letters_digits", "letters"}, default="letters_digits"
        What words are made of; digits keep names such as ioctl32 whole.
    lowercase : bool, default=True
        Whether upper and lower case are the same.
    stop_words : {"english"}, collection of str or None, default=None
        Words that are left out before anything else, in any case if `lowercase`; "english" is scikit-learn's list.
    glossary : dict of str to str, default=None
        What words, in any case if `lowercase`, are replaced by: acronyms, synonyms, part numbers.
    stemmer : {"porter"}, callable or None, default=None
        What takes a word and returns its stem; "porter" is for English.
    prefix_length : int, default=None
        How many characters of every word are kept; None keeps all.
    min_df : int, default=1
        Terms in fewer rows are left out.

    Attributes
    ----------
    terms_ : ndarray of str
        The phrases, in the order of the columns.

    See Also
    --------
    Words : Words alone; a `FeatureUnion` of scikit-learn puts both side by side.

    References
    ----------
    .. [1] G. Forman, "Feature selection for text classification", ch. 13 of H. Liu and H. Motoda (eds.),
       "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> made = Phrases(stop_words=["of", "the"]).fit(["head of the household"])
    >>> made.get_feature_names_out().tolist()
    ['phrase:head household']
    """

    _parameter_constraints: dict = {**WORDS, "ngram_range": [tuple, list]}
    prefix = "phrase"

    def __init__(
        self,
        ngram_range: tuple[int, int] = (2, 2),
        *,
        tokens: str = "letters_digits",
        lowercase: bool = True,
        stop_words: str | Collection[str] | None = None,
        glossary: Mapping[str, str] | None = None,
        stemmer: str | Callable[[str], str] | None = None,
        prefix_length: int | None = None,
        min_df: int = 1,
    ) -> None:
        super().__init__(
            tokens,
            lowercase=lowercase,
            stop_words=stop_words,
            glossary=glossary,
            stemmer=stemmer,
            prefix_length=prefix_length,
            min_df=min_df,
        )
        self.ngram_range = ngram_range

    def _runs(self) -> tuple[int, int]:
        return checked_range("Phrases", self.ngram_range)


def lower(text: str) -> str:
    """Return a text in lower case, an accent and its letter as one character."""
    return composed(composed(text).lower())


def checked_range(where: str, given: Any) -> tuple[int, int]:
    """Return the least and the most of a range of lengths; raise if it is none."""
    whole = len(given) == 2 and all(isinstance(n, int) and not isinstance(n, bool) for n in given)
    if not whole or not 1 <= given[0] <= given[1]:
        raise ParameterError(
            f"{where} got ngram_range={given!r}, but takes two whole numbers from 1, the larger one last; pass for "
            "example (2, 3)."
        )
    return int(given[0]), int(given[1])
