"""A cluster that loses workers, all of them, or its scheduler: what that looks like, and what is said."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from typing import Any

from fewer.core.records.errors import ClusterError

# Seconds that a scheduler has to answer at first, that it may be too busy to answer later, that a cluster may be
# without any worker, and between two looks.
ANSWER, BUSY, WAIT, LOOK = 10.0, 30.0, 30.0, 2.0
TRIES = 4
# Seconds until somebody asks again whether anything is done.
PAUSE = 0.01


def lost() -> tuple[type[BaseException], ...]:
    """Return the errors that say that data or work went with a worker, or the scheduler."""
    from asyncio import CancelledError as Cancelled

    from distributed import KilledWorker, client
    from distributed.comm import CommClosedError

    # What a client says that is closed has this name in newer releases only.
    closed = getattr(client, "ClosedClientError", CommClosedError)
    return (CancelledError, Cancelled, KilledWorker, CommClosedError, closed)


def out_of_reach() -> tuple[type[BaseException], ...]:
    """Return the errors of asking a scheduler, or of sending to a worker, that is no longer there."""
    return (OSError, KeyError, *lost())


def n_workers(client: Any) -> int:
    """Return how many workers a cluster has; raise if its scheduler does not answer."""
    return len(threads_of_workers(client))


def n_threads(client: Any) -> int:
    """Return how many pieces of work a cluster can do at the same time."""
    return sum(threads_of_workers(client).values())


def threads_of_workers(client: Any) -> dict[str, int]:
    """Return the number of threads of every worker by its address; raise if the scheduler does not answer."""
    end = time.monotonic() + LOOK * TRIES
    while client.status == "connecting" and time.monotonic() < end:
        # Older clients lose the scheduler for a moment when a worker is killed, and find it again.
        time.sleep(PAUSE)
    try:
        if client.status != "running":
            raise KeyError(client.status)
        workers = client.sync(client.scheduler.identity, callback_timeout=BUSY)["workers"]
        return {address: int(workers[address]["nthreads"]) for address in sorted(workers)}
    except out_of_reach() as error:
        raise ClusterError(
            f"The scheduler of the Dask cluster {client!r} does not answer ({type(error).__name__}), but the work runs "
            "there; start the cluster again and repeat the call."
        ) from error


def wait_for_workers(client: Any, since: float | None = None) -> None:
    """Wait until there is a worker; raise if there is none for half a minute."""
    since = time.monotonic() if since is None else since
    while not n_workers(client):
        if time.monotonic() - since > WAIT:
            raise ClusterError(
                f"The Dask cluster {client!r} has had no worker for {WAIT:g} seconds, but the work needs one; start "
                "workers and repeat the call."
            )
        time.sleep(min(LOOK, WAIT))


def lost_too_often(client: Any, when: str, error: BaseException) -> ClusterError:
    """Return what is said where workers end again and again."""
    return ClusterError(
        f"The Dask cluster {client!r} lost its workers {TRIES} times {when} ({type(error).__name__}); look why they "
        "end, for lack of memory perhaps, and repeat the call."
    )


def scattered(client: Any, things: list[Any]) -> list[Any]:
    """Send things to workers; to others if one that was chosen has just gone."""
    for left in range(TRIES)[::-1]:
        wait_for_workers(client)
        try:
            return list(client.scatter(things, hash=False))
        except out_of_reach() as error:
            if not left:
                raise lost_too_often(client, "while rows were sent", error) from error
            # So long the scheduler may take to see that the worker has gone.
            time.sleep(LOOK / TRIES)
    raise AssertionError


def result_of(client: Any, future: Any) -> Any:
    """Wait for a result, and look now and then whether anybody still works for it; cancel it after Ctrl-C."""
    try:
        while True:
            try:
                return future.result(timeout=LOOK)
            except TimeoutError:
                if future.done():
                    # It may have come at the last moment; a TimeoutError of the work itself is raised here.
                    return future.result()
            wait_for_workers(client)
    finally:
        cancel(client, [future])


def cancel(client: Any, futures: Iterable[Any]) -> None:
    """Tell a cluster that nobody waits for what is not done yet; one that is gone need not be told."""
    waiting = [future for future in futures if not future.done()]
    if waiting and client.status == "running":
        client.cancel(waiting, force=True)


def done_of(client: Any, futures: Iterable[Any]) -> Iterator[Any]:
    """Yield futures as they are done, and look now and then whether anybody still works for them."""
    from distributed import as_completed

    # A client that is in use here need not be the one that dask takes by itself.
    some, looked = as_completed(list(futures), loop=client.loop), time.monotonic()
    while not some.is_empty():
        done = some.next_batch(block=False)
        yield from done
        if done:
            looked = time.monotonic()
            continue
        if time.monotonic() - looked > LOOK:
            wait_for_workers(client)
            looked = time.monotonic()
        time.sleep(PAUSE)
