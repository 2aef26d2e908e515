"""Pieces of texts as features."""

from __future__ import annotations

from collections.abc import Callable

from sklearn.feature_extraction.text import CountVectorizer

from fewer.core.records.params import whole_from
from fewer.methods.text._text_generator import TermGenerator, composed
from fewer.methods.text.words import checked_range, lower


class CharacterNgrams(TermGenerator):
    """Count all runs of n characters of texts.

    They need no words (section 13.2.4 of [1]_): two characters for scripts without spaces, three to six for Latin
    script. A text of L characters has L - n + 1 of them, or none.

    Parameters
    ----------
    ngram_range : tuple of two ints, default=(3, 5)
        Least and most words or characters of a term.
    lowercase : bool, default=True
        Whether upper and lower case are the same.
    strip_whitespace : bool, default=False
        Whether all white space is removed first, which helps where words were torn apart or run together, as in texts
        from PDF files.
    min_df : int, default=1
        Terms in fewer rows are left out.

    Attributes
    ----------
    terms_ : ndarray of str
        The runs, in the order of the columns.

    Notes
    -----
    Several blanks in a row are one, as in scikit-learn's `CountVectorizer`; L counts them so. No run spans the parts of
    a document.

    See Also
    --------
    Words : Words instead of pieces.

    References
    ----------
    .. [1] G. Forman, "Feature selection for text classification", ch. 13 of H. Liu and H. Motoda (eds.),
       "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> CharacterNgrams((3, 3)).fit(["a cat"]).get_feature_names_out().tolist()
    ['chars: ca', 'chars:a c', 'chars:cat']
    """

    _parameter_constraints: dict = {
        "ngram_range": [tuple, list],
        "lowercase": ["boolean"],
        "strip_whitespace": ["boolean"],
        "min_df": [whole_from(1)],
    }
    prefix = "chars"

    def __init__(
        self,
        ngram_range: tuple[int, int] = (3, 5),
        *,
        lowercase: bool = True,
        strip_whitespace: bool = False,
        min_df: int = 1,
    ) -> None:
        self.ngram_range = ngram_range
        self.lowercase = lowercase
        self.strip_whitespace = strip_whitespace
        self.min_df = min_df

    def _analyzer(self) -> Callable[[str], list[str]]:
        runs = checked_range("CharacterNgrams", self.ngram_range)
        read = {
            (True, True): lower_solid,
            (True, False): lower,
            (False, True): solid,
            (False, False): composed,
        }[self.lowercase, self.strip_whitespace]
        return CountVectorizer(analyzer="char", preprocessor=read, ngram_range=runs).build_analyzer()


def solid(text: str) -> str:
    """Return a text without white space."""
    return "".join(composed(text).split())


def lower_solid(text: str) -> str:
    """Return a text in lower case and without white space."""
    return solid(text).lower()
