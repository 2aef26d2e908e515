"""How long loops are compiled, which is no part of the work of a method."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from numba.core import event


@contextmanager
def compiling() -> Iterator[list[float]]:
    """Give a list to which the seconds of every compilation in the ``with`` block are added."""
    seconds: list[float] = []
    with event.install_timer("numba:compile", seconds.append):
        yield seconds
