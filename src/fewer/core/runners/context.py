"""Which runner a fit opens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any

from fewer.core.records.errors import ParameterError

_client: ContextVar[Any] = ContextVar("fewer_client", default=None)
_device: ContextVar[bool] = ContextVar("fewer_device", default=False)


@contextmanager
def use(client: Any) -> Iterator[Any]:
    """Run every fit inside the ``with`` block on the workers of a Dask cluster, or on a CUDA device.

    A client is given by context and not as a parameter because it can neither be cloned nor pickled.

    Parameters
    ----------
    client : dask.distributed.Client, str
        The client whose workers hold the data and compute the summaries; the address of a scheduler, as in
        "tcp://10.0.0.1:8786", to which a client is opened for as long as the block lasts; or "cuda" for the NVIDIA GPU
        of this machine.

    Examples
    --------
    >>> with use("cuda"):  # doctest: +SKIP
    ...     selection = fewer.select(X, y, "MRMR")
    >>> with use("tcp://10.0.0.1:8786"):  # doctest: +SKIP
    ...     selection = fewer.select(X, y, "MRMR")
    """
    if isinstance(client, str) and client != "cuda" and "://" not in client:
        raise ParameterError(
            f"use got {client!r}, but takes a client of dask.distributed, the address of a scheduler, such as "
            "'tcp://10.0.0.1:8786', or 'cuda'; give one of them, or leave the block out to work on the threads of this "
            "machine."
        )
    with _opened(client) as here:
        device = _device.set(True) if client == "cuda" else None
        token = _client.set(None if client == "cuda" else here)
        try:
            yield here
        finally:
            _client.reset(token)
            if device is not None:
                _device.reset(device)


def _opened(client: Any) -> AbstractContextManager[Any]:
    """Return what gives the client of an address, and closes it afterwards; else what was given."""
    if isinstance(client, str) and client != "cuda":
        from fewer.core.runners.connect import connected

        return connected(client)
    return nullcontext(client)


def on_cuda() -> bool:
    """Return whether the innermost `use` block names the device, and no block inside it a client."""
    return _device.get() and _client.get() is None


def active_client() -> Any:
    """Return the client of the innermost `use` block, or None."""
    return _client.get()
