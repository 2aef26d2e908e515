"""Which runner a fit opens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from fewer.core.records.errors import ParameterError

_client: ContextVar[Any] = ContextVar("fewer_client", default=None)
_device: ContextVar[bool] = ContextVar("fewer_device", default=False)


@contextmanager
def use(client: Any) -> Iterator[Any]:
    """Run every fit inside the ``with`` block on the workers of a ``dask.distributed`` client, or on a CUDA device.

    A client is given by context and not as a parameter because it can neither be cloned nor pickled.

    Parameters
    ----------
    client : dask.distributed.Client or "cuda"
        The client whose workers hold the data and compute the summaries; "cuda" for the NVIDIA GPU of this machine.

    Examples
    --------
    >>> with use("cuda"):  # doctest: +SKIP
    ...     selection = fewer.select(X, y, "MRMR")
    """
    if isinstance(client, str) and client != "cuda":
        raise ParameterError(
            f"use got {client!r}, but takes a client of dask.distributed or 'cuda'; give one of them, or leave the "
            "block out to work on the threads of this machine."
        )
    token, device = (_client.set(None), _device.set(True)) if client == "cuda" else (_client.set(client), None)
    try:
        yield client
    finally:
        _client.reset(token)
        if device is not None:
            _device.reset(device)


def on_cuda() -> bool:
    """Return whether the innermost `use` block names the device, and no block inside it a client."""
    return _device.get() and _client.get() is None


def active_client() -> Any:
    """Return the client of the innermost `use` block, or None."""
    return _client.get()
