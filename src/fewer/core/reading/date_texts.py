"""Texts that are dates: 2020-12-31, 2020/12/31, 31.12.2020, 31/12/2020 or 12/31/2020, with or without a time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from fewer.core.reading.number_texts import MISSING_WORDS

_DATE = re.compile(
    r"(?:(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})"
    r"|(?P<one>\d{1,2})(?P<sign>[-/.])(?P<two>\d{1,2})(?P=sign)(?P<last>\d{4}))"
    r"(?:[ T]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}(?:\.\d+)?))?)?\s*(?:Z|[+-]\d{2}:?\d{2})?"
)
# What part of the cells may look like dates and be none, as 0000-00-00 is; one always may.
MOST_WRONG = 0.05


@dataclass(frozen=True)
class DateTexts:
    """How the dates of a column are written.

    Attributes
    ----------
    day_first : bool
        Whether the day stands before the month where the year comes last.
    remark : str
        What was not plain, empty if all was.
    """

    day_first: bool = True
    remark: str = ""

    def moment(self, text: str) -> np.datetime64:
        """Return the moment that a text says, NaT where it says none."""
        found = _DATE.fullmatch(text.strip())
        if found is None:
            return np.datetime64("NaT", "us")
        year, month, day = found["year"], found["month"], found["day"]
        if year is None:
            day, month = (found["one"], found["two"]) if self.day_first else (found["two"], found["one"])
            year = found["last"]
        time = f"{int(found['hour'] or 0):02}:{found['minute'] or '00'}:{found['second'] or '00'}"
        try:
            return np.datetime64(f"{year}-{int(month):02}-{int(day):02}T{time}", "us")
        except ValueError:
            return np.datetime64("NaT", "us")


def date_texts(texts: Iterable[str]) -> DateTexts | None:
    """Return how different texts are written if they are dates, missing ones aside; None if they are none.

    Where the year comes last, the column tells which part is the month: the one that is never above 12.
    """
    present, ones, twos = [], [], []
    for text in texts:
        if text.strip() in MISSING_WORDS:
            continue
        found = _DATE.fullmatch(text.strip())
        if found is None:
            return None
        present.append(text)
        if found["one"] is not None:
            ones.append(int(found["one"]) > 12)
            twos.append(int(found["two"]) > 12)
    if not present:
        return None
    how = DateTexts(sum(ones) >= sum(twos))
    wrong = [text for text in present if np.isnat(how.moment(text))]
    if len(wrong) > max(1, MOST_WRONG * len(present)) or len(wrong) == len(present):
        return None
    remarks = [f"{wrong[0].strip()!r} is none and counts as missing"] if wrong else []
    if ones and not any(ones) and not any(twos):
        remarks.append("the day is taken to stand before the month, of which nothing tells")
    return DateTexts(how.day_first, "; ".join(remarks))
