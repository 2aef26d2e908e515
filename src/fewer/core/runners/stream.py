"""A file larger than memory, read batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from fewer.core.records.errors import InputError
from fewer.core.runners import progress
from fewer.core.runners.runner import Blocks, Runner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries.summary import Result, Summary

CACHE_BYTES = 2**30


@dataclass(frozen=True)
class ChangedBlocks:
    """Row blocks changed one at a time, each time they are read."""

    blocks: Iterable[Any]
    change: Callable[[Any], Any]
    n_rows: int | None = None

    def __iter__(self) -> Iterator[Any]:
        return (self.change(block) for block in self.blocks)


@dataclass(frozen=True)
class NumberedBlocks:
    """Row blocks changed one at a time, each time they are read, by what knows their number."""

    blocks: Iterable[Any]
    change: Callable[[Any, int], Any]
    n_rows: int | None = None

    def __iter__(self) -> Iterator[Any]:
        return (self.change(block, number) for number, block in enumerate(self.blocks))


class StreamRunner(Runner):
    """Reads the batches once per summary and keeps one batch and one running result in memory.

    Parameters
    ----------
    n_jobs : int, optional
        Number of threads.
    keeps : bool
        Whether codes are asked for again and again, and so kept: `fewer.core.discretize.code_cache`.
    cache_bytes : int
        How many bytes of codes are kept in memory; more are kept on disk.
    """

    name = "stream"

    def __init__(self, n_jobs: int | None = None, keeps: bool = False, cache_bytes: int = CACHE_BYTES) -> None:
        self.threads, self.keeps, self.cache_bytes = ThreadRunner(n_jobs), keeps, cache_bytes
        # Temporary files with codes: closed with the runner, also after errors, and thereby removed.
        self.opened = ExitStack()

    def place(self, blocks: Blocks, change: Callable[[Any], Any]) -> Blocks:
        """Change every batch when it is read."""
        return ChangedBlocks(blocks, change, getattr(blocks, "n_rows", None))

    def place_each(self, blocks: Blocks, change: Callable[[Any, int], Any]) -> Blocks:
        """Change every batch when it is read; batches come in the same order each time."""
        return NumberedBlocks(blocks, change, getattr(blocks, "n_rows", None))

    def fold(self, summary: Summary[Result], blocks: Blocks) -> Result:
        """Read the batches in order and merge each into the running result."""
        total = getattr(blocks, "n_rows", None)
        result, rows = None, 0
        for block in blocks:
            part = self.threads.tiles(summary, block)
            result = part if result is None else summary.merge(result, part)
            rows += block.n_rows
            progress.report(summary.words, rows, total)
        if result is None:
            raise InputError("The table has no rows, but at least two are needed; check the file.")
        return result

    def scan(self, work: Callable[[int, int], Any], width: int, step: int) -> list[Any]:
        """Call ``work(start, stop)`` on all threads."""
        return self.threads.scan(work, width, step)

    def close(self) -> None:
        """End the threads and let go of temporary files."""
        self.threads.close()
        self.opened.close()
