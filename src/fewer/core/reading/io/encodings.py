"""In which encoding a text file is: by its first bytes, or by whether all that is looked at is UTF-8."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import Any

from fewer.core.records.errors import ParameterError

UTF8 = "utf-8"
LATIN = "cp1252"
# So much of a file is looked at; what comes later is refused while it is read if it is something else.
MOST_BYTES = 64 * 2**20
MOST_PACKED = 4 * 2**20  # unpacking takes longer
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def encoding_of(opened: Callable[[], Any], given: str | None, where: str, most: int = MOST_BYTES) -> str:
    """Return the encoding of a file.

    Parameters
    ----------
    opened : callable
        Opens the file for its bytes.
    given : str or None
        What the caller says.
    where : str
        The name of the file, for messages.
    most : int, default=2**26
        How many bytes are looked at.
    """
    if given is not None:
        try:
            found = codecs.lookup(given)
        except (LookupError, ValueError):
            found = None
        # Some codecs, such as rot13, make bytes of bytes, and one decodes nothing at all.
        if found is None or not getattr(found, "_is_text_encoding", True) or found.name == "undefined":
            raise ParameterError(
                f"encoding={given!r} for {where} is not known, but names such as 'utf-8', 'utf-16', 'latin-1' and "
                "'cp1252' are; correct it, or leave it out to have it found."
            )
        return found.name
    with opened() as file:
        start = file.read(2**16)
        for mark, name in _MARKS:
            if start.startswith(mark):
                return UTF8 if name == "utf-8-sig" else name
        return _without_mark(start) or (UTF8 if _is_utf8(start, file, most) else LATIN)


def _without_mark(start: bytes) -> str | None:
    """Return UTF-16 if every other byte is zero, as in text of Latin letters without a mark."""
    even, odd = start[0 : len(start) // 2 * 2 : 2], start[1::2]
    if len(odd) < 2:
        return None
    if odd.count(0) > 0.9 * len(odd) and not even.count(0):
        return "utf-16-le"
    return "utf-16-be" if even.count(0) > 0.9 * len(even) and not odd.count(0) else None


def _is_utf8(start: bytes, file: Any, most: int) -> bool:
    decoder = codecs.getincrementaldecoder(UTF8)()
    block, left, inside = start, most, False
    try:
        while block and left > 0:
            # Most files are ASCII, which is known at the speed of memory.
            if inside or not block.isascii():
                decoder.decode(block)
                inside = bool(decoder.getstate()[0])
            left -= len(block)
            block = file.read(2**20)
        if not block:
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def told_encoding(encoding: str, given: str | None) -> list[str]:
    """Return the note on a file that is not UTF-8 by itself."""
    if encoding == UTF8 or given is not None:
        return []
    other = "; encoding= names another" if encoding == LATIN else ""
    what = "is not UTF-8 and was read as" if encoding == LATIN else "was read as"
    return [f"The text {what} {'Latin-1 (cp1252)' if encoding == LATIN else encoding.upper()}{other}."]
