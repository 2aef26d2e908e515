"""Who made what is kept with a view, and who found it there: so that times of methods can be told fairly."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from uuid import uuid4

# Keys of what is kept begin with this where the ledger notes its own entries.
NOTED = "noted by a ledger"


@dataclass(eq=False)
class Ledger:
    """What one method made and found.

    Attributes
    ----------
    made : dict of str to float
        Entries that it made, with the seconds that took, those of other entries inside not counted.
    found : set of str
        Entries of others that it found.
    """

    made: dict[str, float] = field(default_factory=dict)
    found: set[str] = field(default_factory=set)
    _inside: list[float] = field(default_factory=list)


_OPEN: ContextVar[Ledger | None] = ContextVar("ledger", default=None)
_RUN, _NUMBERS = uuid4().hex, count()


@contextmanager
def kept() -> Iterator[Ledger]:
    """Keep a ledger of what is made and found in the ``with`` block."""
    ledger = Ledger()
    token = _OPEN.set(ledger)
    try:
        yield ledger
    finally:
        _OPEN.reset(token)


def found(memo: dict[Any, Any], key: Any) -> None:
    """Note that an entry was found."""
    ledger = _OPEN.get()
    if ledger is not None and (NOTED, key) in memo:
        name = memo[NOTED, key]
        if name not in ledger.made:
            ledger.found.add(name)


@contextmanager
def making(memo: dict[Any, Any], key: Any) -> Iterator[None]:
    """Note that an entry is made, and how long that takes."""
    ledger = _OPEN.get()
    if ledger is None:
        yield
        return
    ledger._inside.append(0.0)
    begin = time.perf_counter()
    try:
        yield
    finally:
        taken, inside = time.perf_counter() - begin, ledger._inside.pop()
        if ledger._inside:
            ledger._inside[-1] += taken
        # Numbers alone would be the same in two processes.
        memo[NOTED, key] = name = f"{_RUN}-{next(_NUMBERS)}"
        ledger.made[name] = taken - inside
