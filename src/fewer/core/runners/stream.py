"""A file larger than memory, read batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any

from fewer.core.records.errors import InputError
from fewer.core.runners import progress
from fewer.core.runners.kept_work import KeptWork
from fewer.core.runners.memory import Memory
from fewer.core.runners.runner import Blocks, Runner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries.summary import Result, Summary


@dataclass(frozen=True)
class ChangedBlocks:
    """Row blocks changed one at a time, each time they are read."""

    blocks: Iterable[Any]
    change: Callable[[Any], Any]
    n_rows: int | None = None

    def __iter__(self) -> Iterator[Any]:
        return (self.change(block) for block in self.blocks)

    @property
    def identity(self) -> Any:
        """What these rows are, for work that is kept."""
        return ("changed", identity(self.blocks), self.change)


@dataclass(frozen=True)
class NumberedBlocks:
    """Row blocks changed one at a time, each time they are read, by what knows their number."""

    blocks: Iterable[Any]
    change: Callable[[Any, int], Any]
    n_rows: int | None = None

    def __iter__(self) -> Iterator[Any]:
        return (self.change(block, number) for number, block in enumerate(self.blocks))

    @property
    def identity(self) -> Any:
        """What these rows are, for work that is kept."""
        return ("changed by number", identity(self.blocks), self.change)


class _Untold:
    """Stands for rows that do not say what they are: it cannot be pickled, so that nothing is kept of them."""

    def __reduce__(self) -> Any:
        raise TypeError("These rows do not say what they are; nothing is kept of them.")


def identity(blocks: Blocks) -> Any:
    """Return what row blocks are, as something that can be pickled if they can be told again in another process."""
    known = getattr(blocks, "identity", None)
    return _Untold() if known is None else known


class StreamRunner(Runner):
    """Reads the batches once per summary and keeps one batch and one running result in memory.

    Parameters
    ----------
    n_jobs : int, optional
        Number of threads.
    keeps : bool
        Whether codes are asked for again and again, and so kept: `fewer.core.discretize.code_cache`.
    budget : Memory, optional
        How many bytes of codes are kept in memory, more being kept on disk, and what else the work may take.
    kept : KeptWork, optional
        Where finished passes and codes are kept for a later process.
    """

    name = "stream"
    # Whether codes of few levels are kept as bits.
    packs = True

    def __init__(
        self,
        n_jobs: int | None = None,
        keeps: bool = False,
        budget: Memory | None = None,
        kept: KeptWork | None = None,
    ) -> None:
        self.keeps, self.budget, self.kept = keeps, budget or Memory(), kept
        self.threads = ThreadRunner(n_jobs, self.budget)
        # Temporary files with codes: closed with the runner, also after errors, and thereby removed.
        self.opened = ExitStack()

    def place(self, blocks: Blocks, change: Callable[[Any], Any]) -> Blocks:
        """Change every batch when it is read."""
        return ChangedBlocks(blocks, change, getattr(blocks, "n_rows", None))

    def place_each(self, blocks: Blocks, change: Callable[[Any, int], Any]) -> Blocks:
        """Change every batch when it is read; batches come in the same order each time."""
        return NumberedBlocks(blocks, change, getattr(blocks, "n_rows", None))

    def fold(self, summary: Summary[Result], blocks: Blocks) -> Result:
        """Read the batches in order and merge each into the running result, unless that was kept before."""
        if self.kept is None:
            return self._folded(summary, blocks)
        key = self.kept.key(type(summary).__qualname__, summary, identity(blocks))
        return self.kept.remembered(key, lambda: self._folded(summary, blocks))

    def _folded(self, summary: Summary[Result], blocks: Blocks) -> Result:
        total = getattr(blocks, "n_rows", None)
        result, rows = None, 0
        for block in self.ahead(blocks):
            part = self.threads.tiles(summary, block)
            result = part if result is None else summary.merge(result, part)
            rows += block.n_rows
            progress.report_rows(summary.words, rows, total, getattr(block, "row_bytes", 0.0))
        if result is None:
            raise InputError("The table has no rows, but at least two are needed; check the file.")
        return result

    def ahead(self, blocks: Iterable[Any]) -> Iterator[Any]:
        """Yield row blocks; with several threads the next one is read while the caller works on this one."""
        if self.threads.n_threads == 1 or getattr(blocks, "reads_ahead", False):
            yield from blocks
            return
        if isinstance(blocks, ChangedBlocks):
            # Changing them is work, too; it is done beside the reading.
            for block in self.ahead(blocks.blocks):
                yield blocks.change(block)
            return
        rows, last = iter(blocks), object()

        def read() -> Any:
            return next(rows, last)

        with ThreadPoolExecutor(1) as reader:
            coming = reader.submit(copy_context().run, read)
            while (block := coming.result()) is not last:
                # Nothing is read ahead of a block that nobody asks for any more.
                coming = reader.submit(copy_context().run, read)
                yield block
                del block

    def scan(self, work: Callable[[int, int], Any], width: int, step: int) -> list[Any]:
        """Call ``work(start, stop)`` on all threads."""
        return self.threads.scan(work, width, step)

    def close(self) -> None:
        """End the threads and let go of temporary files."""
        self.threads.close()
        self.opened.close()
