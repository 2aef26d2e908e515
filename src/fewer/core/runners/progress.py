"""Progress of long work, told to whoever listens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

# Receives what is being done, how many steps are done, and how many there are (None when unknown); may return True to
# ask for an end of the work at hand.
Listener = Callable[[str, int, "int | None"], "bool | None"]

_listener: ContextVar[Listener | None] = ContextVar("fewer_progress", default=None)
# What a step of some work is, where that is not a step: its name and how many bytes it takes.
_units: dict[str, tuple[str, float]] = {}


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


def report_rows(what: str, done: int, total: int | None, row_bytes: float) -> bool:
    """Tell the listener how many rows were read, and how many bytes each of them takes, for the rate."""
    _units[what] = ("rows", row_bytes)
    return report(what, done, total)


def rate(what: str, per_second: float | None) -> str:
    """Return how fast work goes, in words: steps a second, and bytes where these are known."""
    if not per_second:
        return ""
    unit, n_bytes = _units.get(what, ("", 0.0))
    shown = f"{per_second:,.0f}" if per_second >= 10 else f"{per_second:.1f}"
    return f"{shown} {unit}/s".replace(" /", "/") + (f", {per_second * n_bytes / 1e6:,.0f} MB/s" if n_bytes else "")


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
        from rich.progress import Progress, ProgressColumn
        from rich.text import Text
    except ImportError:
        with listen(_log):
            yield
        return

    class Rate(ProgressColumn):
        """How fast the work goes."""

        def render(self, task: Any) -> Text:
            """Return it in words."""
            return Text(rate(task.description, task.finished_speed or task.speed), style="progress.data.speed")

    # Description, bar, percentage and time left.
    columns = (*Progress.get_default_columns(), Rate())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
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
