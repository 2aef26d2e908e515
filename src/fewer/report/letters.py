"""How wide words may become: the page is read with fonts that nobody knows when it is written.

Widths are upper bounds over the usual fonts without serifs, of which DejaVu Sans and Verdana are the widest. A font
that is wider still, or a reader's own least size of letters, is met in the page itself, where a script narrows what is
too wide for its room.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

# In parts of the size of the font; the wider of DejaVu Sans and Verdana, rounded up.
_WIDTHS = {
    0.30: "'il",
    0.35: ",./:;\\j|·’‘",
    0.40: " ()-[]ft",
    0.45: "!Ir",
    0.50: '"*J`–',
    0.55: "csz",
    0.60: "?L_kvxy“”",
    0.65: "$0123456789FTabdeghnopqu{}€",
    0.70: "ABEKPSVXYZ",
    0.75: "CNRU",
    0.80: "&DGHOQ",
    0.85: "#+<=>^w~±×≤≥∞−",
    0.90: "M",
    1.00: "%Wm…—æ",
    1.05: "@œ",
    1.10: "ŒÆ",
}
_WIDTH = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_LOWER, _OTHER, _SQUARE, _PICTURE = 0.85, 1.0, 1.05, 1.4
_BOLDER, _BOLD = 1.1, 0.05
DOTS = "…"


def width(words: str, size: float = 12.0, bold: bool = False) -> float:
    """Return how many pixels words may take at a size of the font, whichever common font the reader has."""
    # A letter and its accents are one place wide.
    return sum(_letter(letter, bold) for letter in unicodedata.normalize("NFC", words)) * size


def widest(words: Iterable[str], size: float = 12.0, bold: bool = False) -> float:
    """Return the width of the widest of several words, 0 for none."""
    return max((width(one, size, bold) for one in words), default=0.0)


def fitted(words: str, room: float, size: float = 12.0, bold: bool = False) -> str:
    """Return words cut to what fits into some pixels, with dots where they were cut."""
    if width(words, size, bold) <= room:
        return words
    left, end = room - width(DOTS, size, bold), 0
    while end < len(words) and (left := left - width(words[end], size, bold)) >= 0:
        end += 1
    return words[:end].rstrip() + DOTS


def _letter(letter: str, bold: bool) -> float:
    """Return the width of one letter in parts of the size of the font."""
    regular = _WIDTH.get(letter)
    if regular is None:
        regular = _unlisted(letter)
    return regular * _BOLDER + _BOLD if bold and regular else regular


def _unlisted(letter: str) -> float:
    """Return the width of a letter outside the table, by that of the letter without its accents or by its kind."""
    base, kind = unicodedata.normalize("NFD", letter)[0], unicodedata.category(letter)
    if base in _WIDTH:
        # A circumflex, or a caron beside it, may be wider than a thin letter.
        return max(_WIDTH[base] + (0.1 if base in "dLlt" else 0.0), 0.4)
    if kind.startswith(("M", "C")):
        return 0.0
    if kind == "So":
        return _PICTURE
    if unicodedata.east_asian_width(letter) in "WF":
        return _SQUARE
    return _LOWER if kind == "Ll" else _OTHER
