"""Ctrl-C that the code it hits may swallow, and the end of a process that others work for."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# How often a worker looks whether its parent still lives, in seconds.
LOOK = 0.5


@contextmanager
def noticed_interrupt(stop: threading.Event | None = None) -> Iterator[threading.Event]:
    """Set an event when SIGINT comes, and go on as before; only the main thread can.

    A SIGINT that the parent of this process told it to ignore, as ``nohup`` and ``&`` in a script do, stays ignored.
    """
    stop = threading.Event() if stop is None else stop
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield stop
        return

    def notice(number: int, frame: Any) -> None:
        stop.set()
        before(number, frame)

    signal.signal(signal.SIGINT, notice)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def deaf_children() -> Iterator[None]:
    """Let processes that start inside not hear SIGINT, which a terminal sends to all; who starts them also ends them.

    A SIGINT that comes meanwhile is heard by this process at the end.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    from joblib.externals.loky.backend import resource_tracker as other_tracker

    # Both would let the signal through again when they start.
    resource_tracker.ensure_running()
    other_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def watch_parent(parent: int) -> None:
    """End this process when its parent has ended, even by kill -9: nobody waits for its work, and pipes stay open.

    The parent says its number itself: it may be gone before this process, which loads much first, gets to ask.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
