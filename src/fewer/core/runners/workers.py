"""The workers of a Dask cluster as a place for independent pieces of work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fewer.core.records.errors import ClusterError
from fewer.core.runners.elsewhere import Call, KnownOf
from fewer.core.runners.lost_workers import TRIES, cancel, done_of, lost, n_threads, n_workers, wait_for_workers

# What was sent to clusters, by the ids of their clients; workers drop it when the object itself goes.
_SENT = KnownOf()


class Workers:
    """Sends what is shared to workers once, and each piece of work to whoever is free.

    Parameters
    ----------
    client : dask.distributed.Client
        Of the cluster.
    """

    def __init__(self, client: Any) -> None:
        self.client = client

    @property
    def slots(self) -> int:
        """Return the number of threads of all workers."""
        return max(1, n_threads(self.client))

    def each(self, call: Call, shared: Any, items: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Yield the place in ``items`` and ``call(shared, item)``, as they are done."""
        left = dict.fromkeys(range(len(items)))
        for tries in range(TRIES)[::-1]:
            wait_for_workers(self.client)
            futures: dict[Any, int] = {}
            try:
                sent = self._sent(shared, len(items))
                futures = {self.client.submit(_apply, call, sent, items[at], pure=False): at for at in left}
                for future in done_of(self.client, futures):
                    value = future.result()
                    del left[futures[future]]
                    yield futures[future], value
                return
            except lost() as error:
                # What is shared may have gone with a worker.
                (_SENT.get(shared) or {}).pop(self.client.id, None)
                if not tries:
                    raise ClusterError(
                        f"The Dask cluster {self.client!r} lost its workers {TRIES} times ({type(error).__name__}); "
                        "look why they end, for lack of memory perhaps, and repeat the call."
                    ) from error
            finally:
                # After an error or Ctrl-C nobody waits for the others.
                cancel(self.client, futures)

    def _sent(self, shared: Any, n_items: int) -> Any:
        """Return what is shared as the workers have it: all of them, or where there are few items those who need it."""
        known = _SENT.get(shared)
        if known is None:
            known = _SENT.note(shared, {})
        if self.client.id not in known:
            everywhere = n_items >= n_workers(self.client)
            # As one thing: of a list each entry would be sent.
            known[self.client.id] = self.client.scatter([shared], broadcast=everywhere, hash=False)[0]
        return known[self.client.id]


def _apply(call: Call, shared: Any, item: Any) -> Any:
    return call(shared, item)
