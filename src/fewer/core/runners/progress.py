"""Progress of long work, told to whoever listens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# Receives what is being done, how many steps are done, and how many there are (None when unknown); may return True to
# ask for an end of the work at hand.
Listener = Callable[[str, int, "int | None"], "bool | None"]

_listener: ContextVar[Listener | None] = ContextVar("fewer_progress", default=None)


@contextmanager
def listen(listener: Listener) -> Iterator[None]:
    """Send every progress report inside the ``with`` block to ``listener``."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def report(what: str, done: int, total: int | None = None) -> bool:
    """Tell the listener, if there is one, how far the work is; return whether it asks for an end of it."""
    listener = _listener.get()
    return listener is not None and listener(what, done, total) is True


def listener() -> Listener | None:
    """Return who listens, if anybody does."""
    return _listener.get()


def listening() -> bool:
    """Return whether anybody listens."""
    return _listener.get() is not None


@contextmanager
def bar() -> Iterator[None]:
    """Show a progress bar on standard error, drawn by rich if it is installed."""
    try:
        from rich.console import Console
        from rich.progress import Progress
    except ImportError:
        with listen(_log):
            yield
        return
    with Progress(console=Console(stderr=True), transient=True) as progress:
        tasks: dict[str, object] = {}

        def draw(what: str, done: int, total: int | None) -> None:
            if what not in tasks:
                tasks[what] = progress.add_task(what, total=total)
            progress.update(tasks[what], completed=done, total=total)  # type: ignore[arg-type]

        with listen(draw):
            yield


def _log(what: str, done: int, total: int | None) -> None:
    import logging

    logging.getLogger("fewer").info("%s: %d of %s", what, done, "?" if total is None else total)
