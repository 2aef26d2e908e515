"""Names and messages as a terminal may show them: nothing in them is acted on."""

from __future__ import annotations


def printable(text: str) -> str:
    """Return text in which characters that a terminal would act on are written as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def printable_json(text: str) -> str:
    """Return JSON that means the same, in which such characters, which stand in its texts only, are escapes."""
    return "".join(c if c.isprintable() or c == "\n" else _escape(c) for c in text)


def _escape(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{int.from_bytes(units[i : i + 2]):04x}" for i in range(0, len(units), 2))
