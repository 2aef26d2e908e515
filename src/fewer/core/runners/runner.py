"""The contract of a runner: place row blocks, summarise them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from fewer.core.runners.memory import Memory
from fewer.core.summaries.summary import Result, Summary

# A runner's own handle on the row blocks of one data set: a list, a re-iterable stream, a list of futures.
Blocks = Any


class Runner(ABC):
    """Computes summaries of row blocks, wherever they are. Knows no criterion."""

    name: str
    in_memory: bool = False
    budget: Memory = Memory()

    @abstractmethod
    def place(self, blocks: Blocks, change: Callable[[Any], Any]) -> Blocks:
        """Return the row blocks that ``change`` makes of the given ones, kept where this runner keeps data."""

    @abstractmethod
    def place_each(self, blocks: Blocks, change: Callable[[Any, int], Any]) -> Blocks:
        """Return the row blocks that ``change`` makes of the given ones and their numbers, which count from 0."""

    @abstractmethod
    def fold(self, summary: Summary[Result], blocks: Blocks) -> Result:
        """Summarise every row block and merge the results in a fixed order."""

    def takes_over(self, summary: Summary[Any], block: Any) -> bool:
        """Return whether a summary of rows in memory is computed elsewhere, so that it should be asked for whole."""
        return False

    def scan(self, work: Callable[[int, int], Any], width: int, step: int) -> list[Any]:
        """Call ``work(start, stop)`` for consecutive ranges of ``width`` items, results in order."""
        return [work(start, min(start + step, width)) for start in range(0, width, step)]

    def close(self) -> None:
        """Give back what the runner holds."""

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
