"""Counts within the strata of several lists of columns, in one pass over the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fewer.core.summaries.strata import CountsInStrata, StrataCounts
from fewer.core.summaries.summary import Summary


@dataclass(frozen=True)
class CountsInStrataLists(Summary[list[StrataCounts]]):
    """Several questions about levels, so that rows that are not in memory are read once for all of them.

    Parameters
    ----------
    parts : tuple of CountsInStrata
        The questions.
    """

    parts: tuple[CountsInStrata, ...]

    remembered = False
    words = "counting levels in strata"

    def width(self, block: Any) -> int:
        """Return the number of questions, over which the work may be cut."""
        return len(self.parts)

    def bytes_per_feature(self, block: Any) -> int:
        """Bound the tile by its tables."""
        return max(part.width(block) * part.bytes_per_feature(block) for part in self.parts)

    def tile(self, block: Any, start: int, stop: int) -> list[StrataCounts]:
        """Count for some of the questions."""
        return [part.tile(block, 0, part.width(block)) for part in self.parts[start:stop]]

    def join(self, parts: list[list[StrataCounts]]) -> list[StrataCounts]:
        """Put the questions behind each other."""
        return [counts for some in parts for counts in some]

    def merge(self, first: list[StrataCounts], second: list[StrataCounts]) -> list[StrataCounts]:
        """Add the tables of each question."""
        return [part.merge(one, other) for part, one, other in zip(self.parts, first, second)]
