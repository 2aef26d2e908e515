"""Two summaries in one pass over the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fewer.core.summaries.summary import Summary


@dataclass(frozen=True)
class Both(Summary[tuple[Any, Any]]):
    """Two summaries of the same features, so that a file is read once for them."""

    first: Summary[Any]
    second: Summary[Any]
    remembered = False

    def bytes_per_feature(self, block: Any) -> int:
        """Bound the tile by what either needs."""
        return self.first.bytes_per_feature(block) + self.second.bytes_per_feature(block)

    def tile(self, block: Any, start: int, stop: int) -> tuple[Any, Any]:
        """Summarise features ``start`` to ``stop``."""
        return self.first.tile(block, start, stop), self.second.tile(block, start, stop)

    def join(self, parts: list[tuple[Any, Any]]) -> tuple[Any, Any]:
        """Put the features side by side."""
        return self.first.join([one for one, _ in parts]), self.second.join([other for _, other in parts])

    def merge(self, first: tuple[Any, Any], second: tuple[Any, Any]) -> tuple[Any, Any]:
        """Combine two row blocks."""
        return self.first.merge(first[0], second[0]), self.second.merge(first[1], second[1])
