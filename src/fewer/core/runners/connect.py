"""A client of the cluster whose scheduler has a given address, for as long as it is needed."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from fewer.core.records.errors import ClusterError, MissingExtraError
from fewer.core.runners.lost_workers import ANSWER, wait_for_workers


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Open a client, and close it at the end, whatever happened; what it asked for and nobody took is then dropped.

    Parameters
    ----------
    address : str
        Such as tcp://10.0.0.1:8786.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingExtraError(
            f"The scheduler {address} was given, but distributed is not installed; install the extra with pip install "
            "'fewer[dask]'."
        ) from error
    from distributed.comm.registry import get_backend

    protocol = address.partition("://")[0]
    try:
        get_backend(protocol)
    except ValueError as error:
        # A client of such an address would be half made, and complain when it goes.
        raise ClusterError(
            f"The address {address} names the protocol {protocol!r}, but a scheduler of Dask is reached by tcp or tls; "
            "give its address as the scheduler prints it, such as tcp://10.0.0.1:8786."
        ) from error
    with _quiet():
        try:
            client = Client(address, timeout=ANSWER, set_as_default=False, name="fewer")
        except (OSError, ValueError, TypeError) as error:
            raise ClusterError(
                f"No scheduler of a Dask cluster answers at {address} within {ANSWER:g} seconds "
                f"({type(error).__name__}), but the work was to be done there; check the address and start one with "
                "'dask scheduler', or leave it out to work here."
            ) from error
        try:
            wait_for_workers(client)
            yield client
        finally:
            # A scheduler that is gone cannot be told.
            with suppress(OSError, TimeoutError):
                client.close(timeout=ANSWER)


@contextmanager
def _quiet() -> Iterator[None]:
    """Leave out what the library logs of connections that break: what matters is said in one sentence."""
    loggers = [logging.getLogger(name) for name in ("distributed.client", "distributed.comm", "distributed.core")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before):
            logger.setLevel(level)
