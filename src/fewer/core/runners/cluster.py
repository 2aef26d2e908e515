"""A Dask cluster: row blocks stay on the workers, only summaries travel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fewer.core.records.errors import MissingExtraError
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

    def n_blocks(self) -> int:
        """Return into how many row blocks data in memory are cut: two per worker."""
        if self.client is None:
            return 2
        return 2 * max(1, len(self.client.scheduler_info(n_workers=-1)["workers"]))

    def scatter(self, blocks: list[Any]) -> Blocks:
        """Send in-memory row blocks to the workers."""
        if self.client is None:
            return [self._dask.delayed(block, pure=False) for block in blocks]
        futures = self.client.scatter(blocks, hash=False)
        # A delayed object does not keep a future alive; without this the workers would drop the rows.
        self._held.extend(futures)
        return [self._dask.delayed(future) for future in futures]

    def place(self, blocks: Blocks, change: Callable[[Any], Any]) -> Blocks:
        """Change the blocks on the workers and keep the results there."""
        changed = [self._dask.delayed(change, pure=False)(block) for block in blocks]
        return list(self._dask.persist(*changed, scheduler=self.client))

    def place_each(self, blocks: Blocks, change: Callable[[Any, int], Any]) -> Blocks:
        """Change the blocks on the workers and keep the results there."""
        changed = [self._dask.delayed(change, pure=False)(block, number) for number, block in enumerate(blocks)]
        return list(self._dask.persist(*changed, scheduler=self.client))

    def fold(self, summary: Summary[Result], blocks: Blocks) -> Result:
        """Summarise every block on its worker; neighbours merge until one result is left."""
        merge = self._dask.delayed(summary.merge, pure=False)
        level = [self._dask.delayed(summary.whole, pure=False)(block) for block in blocks]
        while len(level) > 1:
            pairs = [merge(*level[i : i + 2]) if i + 1 < len(level) else level[i] for i in range(0, len(level), 2)]
            level = pairs
        (result,) = self._dask.compute(level[0], scheduler=self.client)
        return result

    def close(self) -> None:
        """Let the workers drop the rows that were sent to them."""
        self._held.clear()


def _current_client() -> Any:
    try:
        from distributed import default_client

        return default_client()
    except (ImportError, ValueError):
        return None
