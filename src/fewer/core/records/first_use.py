"""Who is told, once, that loops are compiled because they are used for the first time."""

from __future__ import annotations

from collections.abc import Callable

_listeners: list[Callable[[], None]] = []


def tell_first_use(listener: Callable[[], None]) -> None:
    """Have a function called when the first loop that is not kept on disk is about to be compiled."""
    _listeners[:] = [listener]


def compiling_begins() -> None:
    """Tell the listener, if it was not told before."""
    while _listeners:
        _listeners.pop()()
