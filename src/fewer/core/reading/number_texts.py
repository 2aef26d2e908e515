"""Numbers written for people: thousands separators, decimal commas, currency, percent, negatives in parentheses."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from fewer.core.records.target_kinds import is_missing

MISSING_WORDS = ("", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "None", "?")
# Words that stand for a missing number only beside numbers that are text; a note says so.
UNUSUAL_WORDS = ("-", "--", "\u2013", "n.a.", "missing", "Missing")
_ABSENT = frozenset(MISSING_WORDS)
# A column is nearly one of numbers if more than this part of its different texts are, of so many that are looked at.
NEARLY, FEWEST, LOOKED_AT = 0.8, 10, 1000
_CODES = (
    "USD|EUR|GBP|JPY|CHF|CNY|RMB|INR|AUD|CAD|NZD|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|RUB|UAH|TRY|ILS|AED|SAR|ZAR|NGN|"
    "KES|EGP|BRL|MXN|ARS|CLP|COP|PEN|KRW|TWD|HKD|SGD|THB|MYR|IDR|PHP|VND|PKR|BDT"
)
_CURRENCY = rf"(?:[A-Z]{{0,2}}[$€£¥₹₩₽₺₪฿₫₴₦₱]|(?:{_CODES})|kr\.?|zł|Kč|Ft|Fr\.?|Rs\.?)"
_SPACES = " \u00a0\u2009\u202f'\u2019"
_CELL = re.compile(
    rf"(?P<open>\()?\s*(?P<sign>[-+\u2212])?\s*(?P<before>{_CURRENCY})?\s*(?P<sign2>[-+\u2212])?"
    rf"(?P<digits>[\d.,{_SPACES}]*?\d[.,]?(?:[eE][-+]?\d+)?)"
    rf"\s*(?P<percent>%)?\s*(?P<after>{_CURRENCY})?\s*(?P<close>\))?"
)
_PLAIN = re.compile(r"(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][-+]?\d+)?")
_STANDARD = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*")
_THREES = re.compile(rf"[1-9]\d{{0,2}}(?:([{_SPACES}])\d{{3}}(?:\1\d{{3}})*(?:[.,]\d+)?|(?:,\d{{3}})+(?:\.\d+)?"
                     r"|(?:\.\d{3})+(?:,\d+)?)")  # fmt: skip
MOST_SHOWN = 4


@dataclass(frozen=True)
class Cell:
    """One text that is a number, up to what its points and commas mean.

    ``decimal`` is "." or "," where the text itself says which of them begins the fraction, None where it says nothing,
    and "?," where one comma stands before three digits, as in 1,234.
    """

    digits: str
    decimal: str | None
    negative: bool
    percent: bool
    currency: str
    standard: bool

    def value(self, decimal: str) -> float:
        """Return the number, with this mark before its fraction."""
        text = self.digits.replace("," if decimal == "." else ".", "").replace(",", ".")
        value = float(text) / (100.0 if self.percent else 1.0)
        return -value if self.negative else value


def read_cell(text: str) -> Cell | None:
    """Return what a text says as a number; None where it is none."""
    match = _CELL.fullmatch(text.strip())
    if match is None or (match["open"] is None) != (match["close"] is None):
        return None
    signs = (match["sign"] or "") + (match["sign2"] or "")
    currencies = [found for found in (match["before"], match["after"]) if found]
    if len(signs) + (match["open"] is not None) > 1 or len(currencies) > 1 or (currencies and match["percent"]):
        return None
    digits = match["digits"]
    if not (_PLAIN.fullmatch(digits) or _THREES.fullmatch(digits)):
        return None
    return Cell(
        re.sub(f"[{_SPACES}]", "", digits),
        _decimal_of(digits),
        negative=match["open"] is not None or signs in ("-", "\u2212"),
        percent=match["percent"] is not None,
        currency="".join(currencies),
        standard=_STANDARD.fullmatch(text) is not None,
    )


def _decimal_of(digits: str) -> str | None:
    """Return which mark begins the fraction, as far as this text says it."""
    points, commas = digits.count("."), digits.count(",")
    if points and commas:
        return "." if digits.rfind(".") > digits.rfind(",") else ","
    if points + commas != 1:
        return "." if commas else "," if points else None
    mark = "." if points else ","
    whole, fraction = digits.split(mark)
    # One mark between one to three digits and three digits can be either.
    threes = len(fraction) == 3 and fraction.isdigit() and re.fullmatch(r"[1-9]\d{0,2}", whole) is not None
    return ("?" if threes else "") + mark


def _is_float(text: str) -> bool:
    """Return whether a text is a finite number as programs write it."""
    try:
        return math.isfinite(float(text)) and "_" not in text
    except ValueError:
        return False


class NumberTexts:
    """Learns of the texts of one column, chunk by chunk, whether all are numbers and how these are written.

    What is learned only grows, so that rows can be read in any number of chunks. A column is one of numbers if every
    text is a number and at least one is written so that only people read it. A point begins the fraction unless a text
    shows that the comma does: as in 1,5 or 0,123 or 1.234,5. So 1,234 alone is one thousand. ``decimal`` is what the
    caller says instead.
    """

    def __init__(self, name: str, decimal: str | None = None) -> None:
        self.name, self.given = name, decimal
        self.failed = False
        self.marks: set[str | None] = set()
        self.currency = ""
        self.percent = self.negative = self.needed = False
        self.seen: set[str] = set()
        self.example, self._shown = "", False
        self.absent: dict[str, None] = {}
        self.prevented: tuple[str, ...] = ()

    @property
    def decimal(self) -> str:
        """The mark before the fraction."""
        sure = self.marks & {".", ","}
        if self.given is not None and sure != {"." if self.given == "," else ","}:
            return self.given
        return "," if "," in sure else "."

    @property
    def are_numbers(self) -> bool:
        """Whether the column, as far as it was read, is one of numbers that are written for people."""
        return self.needed and not self.failed

    def read(self, levels: Sequence[str | None], used: Sequence[int]) -> np.ndarray | None:
        """Return the numbers of the texts of a chunk, and NaN behind them; None where they are no such numbers."""
        if self.failed:
            return None
        if self._meets_word(levels, used):
            return None
        cells: dict[int, Cell] = {}
        present = [(i, text) for i in used if (text := levels[i] or "").strip() not in _ABSENT]
        unusual = {i: text.strip() for i, text in present if text.strip() in UNUSUAL_WORDS}
        if unusual:
            self.absent.update(dict.fromkeys(unusual.values()))
            self.needed, present = True, [one for one in present if one[0] not in unusual]
        # Words are met first, and numbers as programs write them are looked at only if others are not.
        odd = [(i, text) for i, text in present if self.given == "," or not _is_float(text)]
        plain = present if odd or self.needed else []
        for i, text in (*odd, *(one for one in plain if len(odd) < len(present))):
            cell = cells.get(i) or read_cell(text)
            if cell is None or not self._add(cell, text):
                self.failed = True
                self.prevented = self._preventing([one for _, one in present[:LOOKED_AT]], text)
                return None
            cells[i] = cell
        if not self.are_numbers:
            return None
        values, decimal = np.full(len(levels) + 1, np.nan), self.decimal
        for i, cell in cells.items():
            values[i] = cell.value(decimal)
        return values

    def _meets_word(self, levels: Sequence[str | None], used: Sequence[int]) -> bool:
        """Return whether the first text that is no number as programs write it is none at all, as in most columns."""
        texts = ((levels[i] or "") for i in used)
        usual = (text for text in texts if text.strip() not in _ABSENT and text.strip() not in UNUSUAL_WORDS)
        first = list(islice(usual, LOOKED_AT))
        odd = next((text for text in first if self.given == "," or not _is_float(text)), None)
        if odd is None or read_cell(odd) is not None:
            return False
        self.failed, self.prevented = True, self._preventing(first, odd)
        return True

    def numbers(self, distinct: Sequence[str]) -> dict[str, float] | None:
        """Return the number of each of some texts; None where they are no such numbers."""
        values = self.read(distinct, range(len(distinct)))
        return None if values is None else dict(zip(distinct, values.tolist()))

    def _add(self, cell: Cell, text: str) -> bool:
        """Take in one text; return whether it goes with the others."""
        self.marks.add(cell.decimal)
        if cell.currency and self.currency and cell.currency != self.currency:
            return False
        self.currency = self.currency or cell.currency
        self.seen.update(mark for mark in ".," if mark in cell.digits)
        self.percent |= cell.percent
        self.negative |= text.strip().startswith("(")
        # With the comma before fractions, a point is between thousands, which is not how programs write.
        odd = not cell.standard or (self.given == "," and "." in cell.digits)
        if odd and not self._shown:
            self.example, self._shown = text.strip(), bool(cell.value(self.decimal))
        self.needed |= odd
        return not {".", ","} <= self.marks

    def _preventing(self, texts: list[str], met: str) -> tuple[str, ...]:
        """Return the first two texts that are no numbers where nearly all others are; none where they are not."""
        others = [text for text in texts if read_cell(text) is None]
        if len(texts) < FEWEST or len(others) >= (1 - NEARLY) * len(texts):
            return ()
        # All are numbers, but not of one kind, as with two currencies.
        return tuple(text.strip() for text in others[:2]) or (self.example, met.strip())

    def words(self) -> str:
        """Return how the numbers are written, with an example."""
        absent = ", ".join(map(repr, self.absent)) + " counts as missing" if self.absent else ""
        if not self.example:
            return f"{self.name!r} ({absent})"
        cell = read_cell(self.example)
        assert cell is not None
        kinds = [f"currency {self.currency}"] if self.currency else []
        kinds += ["percent as fractions"] if self.percent else []
        kinds += ["negatives in parentheses"] if self.negative else []
        if self.decimal == ",":
            kinds += ["decimal comma"] if "," in self.seen else []
            kinds += ["points between thousands"] if "." in self.seen else []
        elif "," in self.seen:
            kinds.append("commas between thousands")
        elif self.given == ",":
            kinds.append("decimal points in spite of decimal=','")
        sure = bool(self.marks & {".", ","}) or self.given is not None
        doubt = "; decimal=',' would read a fraction" if "?," in self.marks and not sure else ""
        kinds = kinds or ["spaces between thousands"]
        doubt += f"; {absent}" if absent else ""
        return f"{self.name!r} ({', '.join(kinds)}: {self.example!r} is {cell.value(self.decimal):.15g}{doubt})"


def number_texts(
    name: str, first: Sequence[object], values: Iterable[object]
) -> tuple[NumberTexts | None, dict[str, float] | None]:
    """Return how the numbers of a column of text are written, and the number of each different text.

    None stands for a column whose first values show that it holds none, and for the numbers of texts that are none.
    """
    if not nearly_numbers([value for value in first if not is_missing(value)]):
        return None, None
    distinct = list(dict.fromkeys("" if is_missing(value) else value for value in values))
    if not all(isinstance(value, str) for value in distinct):
        return None, None
    texts = NumberTexts(name)
    return texts, texts.numbers([str(value) for value in distinct])


def nearly_numbers(values: Sequence[object]) -> bool:
    """Return whether nearly all of some values are texts of numbers or of missing ones."""
    known = {*MISSING_WORDS, *UNUSUAL_WORDS}
    here = sum(isinstance(v, str) and (v.strip() in known or read_cell(v) is not None) for v in values)
    return here >= NEARLY * len(values) and all(isinstance(v, str) for v in values)


def told(found: Iterable[NumberTexts]) -> list[str]:
    """Return the note on columns whose texts were read as numbers; nothing if there are none."""
    known = list(found)
    read = [one.words() for one in known if one.are_numbers]
    more = f" and {len(read) - MOST_SHOWN:,} more" if len(read) > MOST_SHOWN else ""
    notes = [f"Text was read as numbers in {', '.join(read[:MOST_SHOWN])}{more}."] if read else []
    nearly = [one for one in known if one.prevented and one.failed]
    for one in nearly[:MOST_SHOWN]:
        cells = " and ".join(map(repr, dict.fromkeys(one.prevented)))
        notes.append(f"{one.name!r} was read as names, not numbers, because of cells such as {cells}.")
    return notes
