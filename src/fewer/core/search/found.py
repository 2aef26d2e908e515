"""What a search finds, and how it is told to end."""

from __future__ import annotations

from dataclasses import dataclass

from fewer.core.search.units import Subset


class SearchOver(Exception):
    """Ends a search from inside an evaluation; what was found until then counts."""


@dataclass(frozen=True)
class Found:
    """A subset and its value. Ordered: by value, then fewer units, then lower unit numbers."""

    subset: Subset
    value: float

    def beats(self, other: Found | None) -> bool:
        """Return whether this subset is to be preferred."""
        if other is None or self.value != other.value:
            return other is None or self.value > other.value
        return (len(self.subset), self.subset) < (len(other.subset), other.subset)
