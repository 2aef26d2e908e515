"""Which columns number or name the rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.hygiene.look import Looks
from fewer.core.hygiene.names import is_identifier_name, stem
from fewer.core.kernels import column_facts
from fewer.core.summaries.summary import Summary
from fewer.core.views.view import View

# With fewer rows nothing can be said.
LEAST_ROWS = 20
# What part of the values must be different, of the rows rise, and of a range be there.
NEARLY = 0.95
RISING = 0.99
# So many columns that are numbered alike, fill a range alike, or rise alike, are a block of similar columns.
ALIKE = {"name": 3, "range": 3, "rising": 5}
# Different values are counted up to this number, beyond it estimated from the smallest fingerprints of values.
KEPT_PRINTS = 4096


def identifiers(view: View, looks: Looks) -> dict[int, str]:
    """Return the columns that are identifiers, and why.

    Text is one if nearly all its values are different. Whole numbers must also rise or fall steadily with the row
    number, fill a range without gaps, or bear the name of an identifier; and there must not be a block of columns of
    which that is true.
    """
    n = looks.n_rows
    if n < LEAST_ROWS:
        return {}
    found: dict[int, str] = {}
    present = n - looks.missing
    for j, labels in view.labels.items():
        # What stands for text are as many labels as different values.
        if present[j] >= LEAST_ROWS and len(labels) >= NEARLY * present[j] and _is_text(labels):
            found[j] = f"text with {len(labels):,} different values in {int(present[j]):,} rows: a name, not a quantity"
    if view.kind not in ("dense", "sparse"):
        return found
    return {**found, **_numbers(view, looks)}


def _is_text(labels: Any) -> bool:
    return np.asarray(labels).dtype.kind in "OUS"


def _numbers(view: View, looks: Looks) -> dict[int, str]:
    """Return the columns of whole numbers that are identifiers."""
    low, high = looks.ranges[:, 0], looks.ranges[:, 1]
    present = looks.n_rows - looks.missing
    with np.errstate(invalid="ignore"):
        span = high - low + 1
    suspect = looks.whole & ~view.nominal & (present >= LEAST_ROWS) & (span >= NEARLY * present)
    marks = {
        "rising": suspect & (looks.steps[:, 2:].max(axis=1) >= RISING * (present - 1)) & (abs(looks.with_rows) > 0.99),
        "range": suspect & (span * NEARLY <= present),
        "name": suspect & _named(view),
    }
    listed = np.flatnonzero(np.any(list(marks.values()), axis=0))
    if not len(listed):
        return {}
    different = _different(view, listed)
    nearly = np.zeros(view.n_features, bool)
    nearly[listed] = different >= NEARLY * present[listed]
    words = {
        "rising": "nearly all different, and rise or fall steadily with the row number",
        "range": "all different, and fill their range without gaps",
        "name": "nearly all different, under the name of an identifier",
    }
    found: dict[int, str] = {}
    for mark, mask in marks.items():
        columns = np.flatnonzero(mask & nearly)
        for j in columns[~_in_block(view, looks, columns, mark)].tolist():
            found.setdefault(j, f"whole numbers, {words[mark]}")
    return found


def _named(view: View) -> np.ndarray:
    if view.names is None:
        return np.zeros(view.n_features, bool)
    return np.array([is_identifier_name(name) for name in view.names], bool)


def _in_block(view: View, looks: Looks, columns: np.ndarray, mark: str) -> np.ndarray:
    """Return which columns with a mark have it like many others, copies counted once."""
    if mark == "name":
        names = [stem(view.names[j]) for j in columns] if view.names is not None else []
        often = Counter(names)
        return np.array([often[name] >= ALIKE[mark] for name in names], bool)
    different = len({tuple(pair) for pair in looks.prints[columns].tolist()})
    return np.full(len(columns), different >= ALIKE[mark])


@dataclass(frozen=True, eq=False)
class SmallestPrints(Summary[tuple[np.ndarray, ...]]):
    """The smallest fingerprints of the different values of some columns: exact while there are few of them."""

    features: tuple[int, ...]
    remembered = False
    words = "counting different values"

    def width(self, block: Any) -> int:
        """Return the number of columns to look at."""
        return len(self.features)

    def tile(self, block: Any, start: int, stop: int) -> tuple[np.ndarray, ...]:
        """Look at some of the columns."""
        columns = (_values(block, j) for j in self.features[start:stop])
        return tuple(_smallest(_prints(column[column == column])) for column in columns)

    def join(self, parts: list[tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
        """Put the columns side by side."""
        return tuple(one for part in parts for one in part)

    def merge(self, first: tuple[np.ndarray, ...], second: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        """Keep the smallest of both."""
        return tuple(_smallest(np.concatenate(both)) for both in zip(first, second))


def _values(block: Any, j: int) -> np.ndarray:
    """Return a column; adding 0 makes one of the two zeros of floating point."""
    if block.kind == "dense":
        return np.asarray(block.X[:, j], dtype=np.float64) + 0.0
    stored = np.asarray(block.X.data[block.X.indptr[j] : block.X.indptr[j + 1]], dtype=np.float64)
    # All rows that are not stored have the same value.
    return stored + 0.0 if len(stored) == block.n_rows else np.append(stored, 0.0) + 0.0


def _prints(values: np.ndarray) -> np.ndarray:
    """Return a fingerprint of each value, uniform over 64 bits."""
    x = values.view(np.uint64) * np.uint64(column_facts.SALTS[0])
    x ^= x >> np.uint64(31)
    x *= np.uint64(column_facts.BASES[0])
    x ^= x >> np.uint64(29)
    x *= np.uint64(column_facts.BASES[1])
    return x ^ (x >> np.uint64(32))


def _smallest(prints: np.ndarray) -> np.ndarray:
    return np.unique(prints)[:KEPT_PRINTS]


def _different(view: View, columns: np.ndarray) -> np.ndarray:
    """Return how many different values each of these columns has, to about two percent."""
    kept = view.fold(SmallestPrints(tuple(columns.tolist())))
    counts = []
    for prints in kept:
        full = len(prints) == KEPT_PRINTS
        counts.append((KEPT_PRINTS - 1) / (float(prints[-1]) / 2.0**64) if full else float(len(prints)))
    return np.array(counts)
