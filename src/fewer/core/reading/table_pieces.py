"""Parts of the rows of a table, which workers of a cluster read where they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from socket import gethostname

from fewer.core.reading.io.batch import Batch, stack
from fewer.core.reading.io.roles import Roles
from fewer.core.reading.io.source import Facts, Source
from fewer.core.records.errors import FileError


@dataclass(frozen=True, eq=False)
class TablePiece:
    """Some of the rows of a table, as they are read on another machine."""

    source: Source
    roles: Roles
    facts: Facts

    def batches(self) -> Iterator[Batch]:
        """Read the rows at once."""
        for path, (size, _) in zip(self.source.paths, self.source.seen):
            there = path.stat().st_size if path.exists() else None
            if there != size:
                seen = "does not see" if there is None else f"sees {there:,} bytes where {size:,} are expected in"
                raise FileError(
                    f"The worker on {gethostname()} {seen} {path}, but all workers of a cluster read the file "
                    "themselves; put it where they find it under the same path, or leave the cluster out."
                )
        yield stack(list(self.source.batches(self.roles, self.facts)))
