"""Numbers and reasons in plain words."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from fewer.core.records.needs import AT_LEAST, apart
from fewer.core.records.numerals import numeral
from fewer.core.records.reasons import KIND_NAMES, Reason
from fewer.core.records.result import Selection

KINDS = ("kept", "redundant", "irrelevant", "not reached")
DIGITS = 4
LONGEST_NAME = 60
_SMALLEST, _LARGEST = 1e-3, 1e7


def number(value: Any) -> str:
    """Return a number with four digits, whole numbers complete, nothing for a missing one."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool) or not isinstance(value, (int, float)):
        return "" if value is None else str(value)
    if isinstance(value, int):
        return f"{value:,}"
    if not math.isfinite(value):
        return "" if math.isnan(value) else ("∞" if value > 0 else "-∞")
    if 10**DIGITS <= abs(value) < _LARGEST:
        return numeral(value, ",.0f")
    return numeral(value, f".{DIGITS}g")


def column(values: Sequence[Any]) -> list[str]:
    """Return numbers as text with the same number of decimals, so that they can be compared down a column."""
    floats = [v for v in values if isinstance(v, float) and math.isfinite(v) and v != 0]
    if not floats:
        return [number(v) for v in values]
    largest = max(abs(v) for v in floats)
    if not _SMALLEST <= largest < _LARGEST:
        return [f"{v:.3e}" if isinstance(v, float) and math.isfinite(v) and v != 0 else number(v) for v in values]
    decimals = max(0, DIGITS - 1 - math.floor(math.log10(largest)))
    return [_fixed(v, decimals) for v in values]


def _fixed(value: Any, decimals: int) -> str:
    """Return a float with a number of decimals, but with two digits where all of these would be zero."""
    if not isinstance(value, float) or not math.isfinite(value) or value == 0:
        return number(value)
    return f"{value:.{decimals}f}" if abs(value) >= 10.0**-decimals else f"{value:.2g}"


def listed(names: Iterable[str], most: int = 3) -> str:
    """Return ``a, b and c``, or ``a, b, c and 5 more``."""
    names = list(names)
    if len(names) > most + 1:
        names = [*names[:most], f"{len(names) - most:,} more"]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def shortened(name: str, most: int) -> str:
    """Return a name cut to about ``most`` letters, with dots where it was cut; wide letters count twice."""
    widths = [2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in name]
    if sum(widths) <= most:
        return name
    used, end = 1, 0
    while end < len(name) and used + widths[end] <= most:
        used += widths[end]
        end += 1
    return name[:end].rstrip() + "…"


def counted(n: int, noun: str) -> str:
    """Return ``1 feature``, ``2 features``."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def headline(selection: Selection) -> str:
    """Return how many features were kept by which method."""
    by = f" by {selection.meta['method']}" if selection.meta.get("method") else ""
    n, kept = selection.n_features, len(selection)
    if kept == 0:
        return f"None of {counted(n, 'feature')} kept{by}" if n else f"No features to select from{by}"
    if kept == n:
        return f"The only feature was kept{by}" if n == 1 else f"All {n:,} features kept{by}"
    return f"{kept:,} of {counted(n, 'feature')} kept{by}"


def counts(selection: Selection) -> dict[str, int]:
    """Return how many features have each kind of reason, kinds that occur only."""
    found = np.bincount(np.asarray(selection.reasons.kind, dtype=np.int64), minlength=len(KIND_NAMES))
    by_kind = dict(zip(KIND_NAMES, found.tolist()))
    return {kind: by_kind[kind] for kind in KINDS if by_kind[kind]}


def rest_in_words(selection: Selection) -> str:
    """Return what became of the features that were not kept."""
    dropped = {kind: n for kind, n in counts(selection).items() if kind != "kept"}
    total = sum(dropped.values())
    if not total:
        return ""
    other = "other " if len(selection) else ""
    if len(dropped) == 1:
        (kind,) = dropped
        return f"The {other}{'one' if total == 1 else f'{total:,}'} {_verb(kind, total)} {kind}."
    parts = listed([f"{n:,} {_verb(kind, n)} {kind}" for kind, n in dropped.items()])
    return f"Of the {other}{total:,}, {parts}."


def _verb(kind: str, n: int) -> str:
    """Return is, are, was or were."""
    was = kind == "not reached"
    return ("was" if was else "is") if n == 1 else ("were" if was else "are")


def why(reason: Reason, score: str = "") -> str:
    """Return why a feature was kept or dropped, as a sentence to stand beside its name, rank and score.

    ``score`` is the score as it is shown beside; it is told again where its digits are too few to see what it missed.
    """
    words = reason.kind.capitalize()
    if reason.related:
        names = listed([shortened(name, LONGEST_NAME) for name in reason.related])
        words += f" to {names}" if reason.kind == "redundant" else f", see {names}"
        words += "" if reason.amount is None else f" by {number(reason.amount)}"
    facts = [fact.rstrip(".") for fact in (*_decided(reason, score), reason.rule, reason.note) if fact]
    return f"{words}: {'; '.join(facts)}." if facts else f"{words}."


def _decided(reason: Reason, shown: str) -> list[str]:
    """Return which number decided, and what it had to reach; the rule tells it of p-values."""
    if reason.threshold is not None:
        if reason.score is None:
            return [f"needed {reason.side}{number(reason.threshold)}"]
        score, needed = apart(reason.score, reason.threshold, DIGITS, number)
        seen = reason.how != AT_LEAST or _value(shown or number(reason.score)) < _value(needed)
        return [f"needed {reason.side}{needed}" if seen else f"score {score}, needed {needed}"]
    if reason.measured is not None and reason.needed is not None and reason.quantity != "p-value":
        return [", ".join(reason.decided(*apart(reason.measured, reason.needed, DIGITS, number)))]
    return []


def _value(text: str) -> float:
    """Return the value of a number as it is shown."""
    try:
        return float(text.replace(",", "").replace("\N{INFINITY}", "inf"))
    except ValueError:
        return math.nan
