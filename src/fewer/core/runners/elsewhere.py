"""Where work goes that does not stay on the threads of this process: to a Dask cluster, or to a backend of joblib."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Protocol
from weakref import ref

from fewer.core.runners.context import active_client

# Portions of work per slot: enough that a slow one leaves the others little time to wait.
PORTIONS = 4

Call = Callable[[Any, Any], Any]


class Place(Protocol):
    """Does independent pieces of work, each of which needs a small item of its own and what all of them share."""

    @property
    def slots(self) -> int:
        """Return how many pieces are done at the same time."""

    def each(self, call: Call, shared: Any, items: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Yield the place in ``items`` and ``call(shared, item)``, as they are done.

        What is shared may be large; it is not sent with every item, and may be shared by several calls of this method.
        """


def elsewhere(n_jobs: int | None = None) -> Place | None:
    """Return where the caller wants such work to be done; None for the threads of this process.

    The client of the innermost `use` block comes first, then a backend of joblib that a ``with`` block names, which is
    asked for ``n_jobs``.
    """
    client = active_client()
    if client is not None:
        from fewer.core.runners.workers import Workers

        return Workers(client)
    from fewer.core.runners.joblib_place import named_place

    return named_place(n_jobs)


def portions(items: Sequence[Any], slots: int) -> list[Sequence[Any]]:
    """Cut items into a few portions per slot, in order."""
    size = max(1, -(-len(items) // (PORTIONS * max(1, slots))))
    return [items[start : start + size] for start in range(0, len(items), size)]


class KnownOf:
    """What is known of objects, by their identity, and forgotten when they go."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Any]] = {}

    def get(self, thing: Any) -> Any:
        """Return what is known of an object; None if nothing is."""
        pointer, value = self._known.get(id(thing), (None, None))
        return value if pointer is not None and pointer() is thing else None

    def note(self, thing: Any, value: Any) -> Any:
        """Note something, and return it; of lists and the like, which cannot be watched, nothing is noted."""
        key = id(thing)
        with suppress(TypeError):
            self._known[key] = ref(thing, lambda _: self._known.pop(key, None)), value
        return value
