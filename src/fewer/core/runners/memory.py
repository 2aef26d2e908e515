"""One budget of memory for work on a stream, and what every part of the work gets of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from fewer.core.records.errors import ParameterError, RequirementError
from fewer.core.summaries.quantiles import COLLECT_BYTES, SKETCH_BYTES
from fewer.core.summaries.summary import TILE_BYTES

BATCH_BYTES = 32 * 2**20
CACHE_BYTES = 2**30
# What Python, the libraries and the compiled loops take before any row is read, and what is left at the least.
PROGRAM_BYTES, LEAST_BYTES = 320 * 2**20, 80 * 2**20
UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40}
_WRITTEN = re.compile(r"\s*(\d+(?:\.\d+)?)\s*((?:[KMGT]I?)?)B?\s*", re.IGNORECASE)
STREAMING = "InformationGain, MRMR or FTest for classes, VarianceReduction or Pearson for numbers"


@dataclass(frozen=True)
class Memory:
    """How many bytes each part of the work may take.

    Attributes
    ----------
    total : int or None
        What the whole process may take; None where nobody has said so.
    batch : int
        Rows of one batch, as float64; a few copies of it live at once.
    sketch, collected : int
        Tables of the first pass for quantiles, and what the second collects.
    codes, bits : int
        Codes that are held, one by one or as bits; more of them lie on disk.
    tile : int
        Columns of a batch that one thread works on.
    """

    total: int | None = None
    batch: int = BATCH_BYTES
    sketch: int = SKETCH_BYTES
    collected: int = COLLECT_BYTES
    codes: int = CACHE_BYTES
    bits: int = CACHE_BYTES * 5 // 2
    tile: int = TILE_BYTES

    @classmethod
    def of(cls, given: Any, where: str = "open_table") -> Memory:
        """Return what a budget comes to, given as a text such as "2GB" or as a number of bytes; None is no budget."""
        if given is None or isinstance(given, Memory):
            return given or cls()
        total = as_bytes(given, where)
        free = total - PROGRAM_BYTES
        batch = min(BATCH_BYTES, free // 16)
        return cls(
            total=total,
            batch=batch,
            sketch=min(SKETCH_BYTES, free // 6),
            # Merging holds what is collected twice.
            collected=free // 5,
            # Working copies take one and a half times as much again.
            codes=free // 3,
            # Bits have no working copies, but reading columns of bytes takes what many batches do.
            bits=max(free // 3, min(free * 5 // 6, free - 20 * batch)),
            tile=min(TILE_BYTES, free // 16),
        )

    def with_codes(self, n_bytes: int | None) -> Memory:
        """Return the same with another number of bytes for codes."""
        return self if n_bytes is None else replace(self, codes=n_bytes, bits=n_bytes)

    @property
    def quantiles(self) -> tuple[int, int] | None:
        """Bytes for both passes for quantiles; None leaves it to these."""
        return None if self.total is None else (self.sketch, self.collected)

    @property
    def free(self) -> int | None:
        """Bytes for rows and what is made of them."""
        return None if self.total is None else self.total - PROGRAM_BYTES

    def holds(self, n_bytes: float) -> bool:
        """Return whether data of so many bytes can be held, with a copy as most methods make one."""
        return self.free is None or 2 * n_bytes <= self.free

    def refuse_beyond(self, n_bytes: float, where: str, who: str = "") -> None:
        """Raise if data of so many bytes must be held, but cannot be."""
        if self.holds(n_bytes):
            return
        assert self.total is not None
        assert self.free is not None
        who = f"{who} needs all rows of {where}" if who else f"All rows of {where} are to be"
        raise RequirementError(
            f"{who} in memory, {in_words(n_bytes)} and as much again to work on them, but of {in_words(self.total)} "
            f"given as memory {in_words(self.free)} are left for them; give more memory, or choose a method that works "
            f"in batches, such as {STREAMING}."
        )


def as_bytes(given: Any, where: str = "open_table") -> int:
    """Return the number of bytes that a text such as "2GB", "500MB" or "1.5GiB", or a whole number, stands for."""
    if isinstance(given, str):
        match = _WRITTEN.fullmatch(given)
        total = None if match is None else int(float(match[1]) * UNITS[match[2].upper()])
    else:
        total = given if isinstance(given, int) and not isinstance(given, bool) else None
    if total is None:
        raise ParameterError(
            f"{where} got memory={given!r}, but takes a text such as '2GB', '500MB' or '1.5GiB', or a whole number of "
            "bytes; write it so, or leave it out."
        )
    if total < PROGRAM_BYTES + LEAST_BYTES:
        raise ParameterError(
            f"{where} got memory={given!r}, but at least {(PROGRAM_BYTES + LEAST_BYTES) // 2**20} MiB are needed, of "
            f"which the program itself takes about {PROGRAM_BYTES // 2**20}; give more."
        )
    return total


def in_words(n_bytes: float) -> str:
    """Return a number of bytes as people read it."""
    return f"{n_bytes / 2**30:.1f} GiB" if n_bytes >= 2**30 else f"{n_bytes / 2**20:,.0f} MiB"
