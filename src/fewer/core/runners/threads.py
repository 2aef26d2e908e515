"""Data in memory, serial kernels on a pool of threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from functools import partial
from typing import Any

from joblib import cpu_count, effective_n_jobs

from fewer.core.runners.joblib_place import named_place
from fewer.core.runners.memory import Memory
from fewer.core.runners.runner import Blocks, Runner
from fewer.core.summaries.summary import TILES_PER_THREAD, Result, Summary


class ThreadRunner(Runner):
    """Cuts each row block by features; a feature is always worked on by one thread.

    Results therefore do not depend on the number of threads, to the last bit.
    """

    name = "threads"
    in_memory = True

    def __init__(self, n_jobs: int | None = None, budget: Memory | None = None) -> None:
        self.n_jobs, self.budget = n_jobs, budget or Memory()
        # Inside a block of joblib that names a cluster the number of its workers is none of threads here.
        asked = effective_n_jobs(n_jobs)
        self.n_threads = max(1, asked if named_place(n_jobs) is None else min(asked, cpu_count()))
        # The thread that calls works too.
        self._pool = ThreadPoolExecutor(self.n_threads - 1) if self.n_threads > 1 else None

    def place(self, blocks: Blocks, change: Callable[[Any], Any]) -> Blocks:
        """Change the blocks now."""
        return [change(block) for block in blocks]

    def place_each(self, blocks: Blocks, change: Callable[[Any, int], Any]) -> Blocks:
        """Change the blocks now."""
        return [change(block, number) for number, block in enumerate(blocks)]

    def fold(self, summary: Summary[Result], blocks: Blocks) -> Result:
        """Summarise tiles of features side by side, then merge the row blocks."""
        return summary.merge_all([self.tiles(summary, block) for block in blocks])

    def tiles(self, summary: Summary[Result], block: Any) -> Result:
        """Summarise one row block on all threads."""
        n_tiles = 1 if self._pool is None else TILES_PER_THREAD * self.n_threads
        ranges = summary.ranges(block, n_tiles, self.budget.tile)
        return summary.join(self._map(partial(_tile, summary, block), ranges))

    def scan(self, work: Callable[[int, int], Any], width: int, step: int) -> list[Any]:
        """Call ``work(start, stop)`` on all threads."""
        ranges = [(start, min(start + step, width)) for start in range(0, width, step)]
        return self._map(lambda r: work(*r), ranges)

    def _map(self, function: Callable[[Any], Any], items: list[Any]) -> list[Any]:
        if self._pool is None or len(items) == 1:
            return [function(item) for item in items]
        results: list[Any] = [None] * len(items)
        # Whoever is free takes the next item; this thread works too, which saves waking another one.
        queue = iter(range(len(items)))

        def work() -> None:
            try:
                for at in queue:
                    results[at] = function(items[at])
            finally:
                # After an error nothing new is begun.
                for _ in queue:
                    pass

        # Each thread gets the listener of progress and whatever else the caller has set; a context runs once at a time.
        helpers = [self._pool.submit(copy_context().run, work) for _ in range(min(self.n_threads, len(items)) - 1)]
        try:
            work()
        finally:
            # Threads that are not free yet would find nothing left to do.
            wait([helper for helper in helpers if not helper.cancel()])
        for helper in helpers:
            if not helper.cancelled():
                helper.result()
        return results

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def _tile(summary: Summary[Result], block: Any, span: tuple[int, int]) -> Result:
    return summary.tile(block, *span)
