"""A Dask cluster: row blocks stay on the workers, only summaries travel."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from fewer.core.records.errors import MissingExtraError
from fewer.core.runners import progress
from fewer.core.runners.lost_workers import (
    TRIES,
    lost,
    lost_too_often,
    n_workers,
    result_of,
    scattered,
    threads_of_workers,
    wait_for_workers,
)
from fewer.core.runners.runner import Blocks, Runner
from fewer.core.summaries.summary import Result, Summary


class DaskRunner(Runner):
    """Keeps delayed row blocks, summarises each where it lies and merges in a binary tree of fixed shape.

    Without a client the same graph runs on Dask's local threads.
    """

    name = "dask"

    def __init__(self, client: Any = None) -> None:
        try:
            import dask
        except ImportError as error:
            raise MissingExtraError(
                "Dask data were given but dask is not installed; install the extra with pip install 'fewer[dask]'."
            ) from error
        self._dask = dask
        self.client = client if client is not None else _current_client()
        self._held: list[Any] = []
        # How every block is made of what is here, and what was made again since a worker was lost.
        self._made: dict[str, Callable[[], Any]] = {}
        self._now: dict[str, Any] = {}
        self._again = False

    @property
    def has_workers(self) -> bool:
        """Whether rows are on the workers of a cluster, not on Dask's local threads."""
        return self.client is not None

    def n_blocks(self) -> int:
        """Return into how many row blocks data in memory are cut: two per worker."""
        return 2 if self.client is None else 2 * max(1, n_workers(self.client))

    def scatter(self, blocks: list[Any]) -> Blocks:
        """Send in-memory row blocks to the workers."""
        if self.client is None:
            return [self._dask.delayed(block, pure=False) for block in blocks]
        sent = self._sent(blocks)
        self._made.update((one.key, partial(self._send, block)) for one, block in zip(sent, blocks))
        return sent

    def _send(self, block: Any) -> Any:
        return self._sent([block])[0]

    def _sent(self, blocks: list[Any]) -> Blocks:
        futures = scattered(self.client, blocks)
        # A delayed object does not keep a future alive; without this the workers would drop the rows.
        self._held.extend(futures)
        return [self._dask.delayed(future) for future in futures]

    def made(self, calls: list[Callable[[], Any]]) -> Blocks:
        """Let the workers make row blocks, by reading a file for example, and keep them there."""
        return self.kept([self._dask.delayed(call, pure=False, traverse=False)() for call in calls])

    def kept(self, delayed: list[Any]) -> Blocks:
        """Let the workers begin to make row blocks that are delayed, and keep them."""
        if self.client is None:
            return list(self._dask.persist(*delayed))
        # A client that is closed says so in words of its own.
        wait_for_workers(self.client)
        # Older versions of dask.persist fetch the rows of a client that is not their default one.
        return list(self.client.persist(delayed))

    def sent_each(self, blocks: Iterable[Any]) -> Blocks:
        """Send row blocks that come one after another, as those of a file do, and can come again."""
        sent = []
        for number, block in enumerate(blocks):
            if self.client is None:
                sent.append(self._dask.delayed(block, pure=False))
                continue
            sent.append(self._send(block))
            # Held here all of them might be too many.
            self._made[sent[-1].key] = partial(self._send_from, blocks, number)
        return sent

    def _send_from(self, blocks: Iterable[Any], number: int) -> Any:
        return self._send(next(islice(blocks, number, None)))

    def place(self, blocks: Blocks, change: Callable[[Any], Any]) -> Blocks:
        """Change the blocks on the workers and keep the results there."""
        return self._changed(blocks, lambda block, number: self._dask.delayed(change, pure=False)(block))

    def place_each(self, blocks: Blocks, change: Callable[[Any, int], Any]) -> Blocks:
        """Change the blocks on the workers and keep the results there."""
        return self._changed(blocks, lambda block, number: self._dask.delayed(change, pure=False)(block, number))

    def _changed(self, blocks: Blocks, delayed: Callable[[Any, int], Any]) -> Blocks:
        given = [self._current(block) for block in blocks]
        changed = [delayed(block, number) for number, block in enumerate(given)]
        kept = self.kept(changed)
        if self.client is not None:
            for number, (one, block) in enumerate(zip(kept, blocks)):
                self._made[one.key] = partial(self._remade, delayed, block, number)
        return kept

    def _remade(self, delayed: Callable[[Any, int], Any], block: Any, number: int) -> Any:
        return delayed(self._current(block), number)

    def computed(self, delayed: list[Any]) -> list[Any]:
        """Return what small delayed objects are, such as what partitions tell of themselves."""
        if self.client is None:
            return list(self._dask.compute(*delayed))
        wait_for_workers(self.client)
        return self._done(lambda: self.client.compute(delayed))

    def fold(self, summary: Summary[Result], blocks: Blocks) -> Result:
        """Summarise every block on its worker; neighbours merge until one result is left.

        Rows that went with a worker are placed again, with all that was made of them.
        """
        progress.report(summary.words, 0, 1)
        result = self._folded(summary, blocks)
        progress.report(summary.words, 1, 1)
        return result

    def _folded(self, summary: Summary[Result], blocks: Blocks) -> Result:
        if self.client is None:
            return self._dask.compute(self._tree(summary, blocks))[0]

        def begun() -> list[Any]:
            return [self.client.compute(self._tree(summary, [self._current(block) for block in blocks]))]

        return self._done(begun)[0]

    def pairs(
        self, blocks: Blocks, gather: Callable[[list[Any]], Any], work: Callable[[Any, int, int], Any], width: int
    ) -> list[Any]:
        """Call ``work(rows, start, stop)`` on the workers for ranges of ``width`` rows, results in order.

        ``rows`` is what ``gather`` makes of all blocks, once on every worker: the blocks go from worker to worker. Each
        thread has one range. Who loses its worker is done by another.
        """

        def begun() -> list[Any]:
            given = [self._current(block) for block in blocks]
            futures: list[Any] = []
            threads = threads_of_workers(self.client)
            cuts = np.linspace(0, width, sum(threads.values()) + 1).astype(int).tolist()
            ranges = iter(zip(cuts[:-1], cuts[1:]))
            for address, n_threads in threads.items():
                rows, some = self._dask.delayed(gather, pure=False)(given), [next(ranges) for _ in range(n_threads)]
                mine = [self._dask.delayed(work, pure=False)(rows, *span) for span in some if span[0] < span[1]]
                futures += self.client.compute(mine, workers=[address], allow_other_workers=True) if mine else []
            return futures

        return self._done(begun)

    def _done(self, begun: Callable[[], list[Any]]) -> list[Any]:
        """Wait for what is begun on the workers; after a loss begin again, with the rows that were lost."""
        for left in range(TRIES)[::-1]:
            try:
                return [result_of(self.client, future) for future in begun()]
            except lost() as error:
                wait_for_workers(self.client)
                if not left:
                    raise lost_too_often(self.client, "during one step", error) from error
                self._now.clear()
                self._again = True
        raise AssertionError

    def _tree(self, summary: Summary[Result], blocks: Blocks) -> Any:
        merge = self._dask.delayed(summary.merge, pure=False)
        level = [self._dask.delayed(summary.whole, pure=False)(block) for block in blocks]
        while len(level) > 1:
            level = [merge(*level[i : i + 2]) if i + 1 < len(level) else level[i] for i in range(0, len(level), 2)]
        return level[0]

    def _current(self, block: Any) -> Any:
        """Return a block, or after a loss what takes its place: made again once, from rows that are here."""
        if not self._again or block.key not in self._made:
            return block
        if block.key not in self._now:
            self._now[block.key] = self._made[block.key]()
        return self._now[block.key]

    def close(self) -> None:
        """Let the workers drop the rows that were sent to them."""
        self._held.clear()
        self._made.clear()
        self._now.clear()


def _current_client() -> Any:
    try:
        from distributed import default_client

        return default_client()
    except (ImportError, ValueError):
        return None
