"""Which runner a fit opens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_client: ContextVar[Any] = ContextVar("fewer_client", default=None)


@contextmanager
def use(client: Any) -> Iterator[Any]:
    """Run every fit inside the ``with`` block on the workers of a ``dask.distributed`` client.

    A client is given by context and not as a parameter because it can neither be cloned nor pickled.

    Parameters
    ----------
    client : dask.distributed.Client
        The client whose workers hold the data and compute the summaries.
    """
    token = _client.set(client)
    try:
        yield client
    finally:
        _client.reset(token)


def active_client() -> Any:
    """Return the client of the innermost `use` block, or None."""
    return _client.get()
