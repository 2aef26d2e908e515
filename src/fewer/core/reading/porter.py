"""Porter's stemmer (M. F. Porter, "An algorithm for suffix stripping", Program 14, 1980), as published."""

from __future__ import annotations

import re

# Suffix and what replaces it, where the measure of what is before it is large enough; the longest that fits counts.
STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "abli": "able", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
STEP_4 = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment"),
    *("ent", "ion", "ou", "ism", "ate", "iti", "ous", "ive", "ize"),
)


def stem(word: str) -> str:
    """Return the stem of a word in lower case.

    Examples
    --------
    >>> [stem(word) for word in ("graphics", "relational", "hopping", "generalizations")]
    ['graphic', 'relat', 'hop', 'gener']
    """
    if len(word) < 3:
        return word
    word = _past(_plural(word))
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(word, STEP_2)
    word = _replaced(word, STEP_3)
    return _end(_stripped(word))


def _shape(text: str) -> str:
    """Return v for vowels and c for consonants; y after a consonant is a vowel."""
    out = ""
    for i, letter in enumerate(text):
        vowel = letter in "aeiou" or (letter == "y" and i > 0 and out[-1] == "c")
        out += "v" if vowel else "c"
    return out


def _measure(text: str) -> int:
    """Return how often a vowel is followed by a consonant."""
    return len(re.findall("v+c+", _shape(text)))


def _has_vowel(text: str) -> bool:
    return "v" in _shape(text)


def _double(text: str) -> bool:
    return len(text) > 1 and text[-1] == text[-2] and _shape(text)[-1] == "c"


def _short_end(text: str) -> bool:
    """Return whether a text ends with consonant, vowel, consonant, the last not w, x or y."""
    return len(text) > 2 and _shape(text)[-3:] == "cvc" and text[-1] not in "wxy"


def _plural(word: str) -> str:
    for suffix, new in (("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")):
        if word.endswith(suffix):
            return word[: -len(suffix)] + new
    return word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix):
            left = word[: -len(suffix)]
            if not _has_vowel(left):
                return word
            if left.endswith(("at", "bl", "iz")):
                return left + "e"
            if _double(left) and left[-1] not in "lsz":
                return left[:-1]
            return left + "e" if _measure(left) == 1 and _short_end(left) else left
    return word


def _replaced(word: str, suffixes: dict[str, str]) -> str:
    fits = [suffix for suffix in suffixes if word.endswith(suffix)]
    if not fits:
        return word
    suffix = max(fits, key=len)
    left = word[: -len(suffix)]
    return left + suffixes[suffix] if _measure(left) > 0 else word


def _stripped(word: str) -> str:
    fits = [suffix for suffix in STEP_4 if word.endswith(suffix)]
    if not fits:
        return word
    suffix = max(fits, key=len)
    left = word[: -len(suffix)]
    if suffix == "ion" and not left.endswith(("s", "t")):
        return word
    return left if _measure(left) > 1 else word


def _end(word: str) -> str:
    if word.endswith("e"):
        left = word[:-1]
        if _measure(left) > 1 or (_measure(left) == 1 and not _short_end(left)):
            word = left
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
