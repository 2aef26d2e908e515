"""The parts that the parameters of a selector stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Parts:
    """What the parameters of a selector stand for, read once per fit and before any data; None for what it has not.

    Attributes
    ----------
    size : Stop
        How many, and when it is enough.
    discretizer : Discretizer or ForeignDiscretizer
        How numbers are put into bins; also None where X holds level numbers already.
    criterion : Criterion
        What features or subsets are worth, where that can be said without the data.
    search : Search
        How subsets are visited.
    units : Units
        What moves as one and what is always in, where another selector says so.
    """

    size: Any = None
    discretizer: Any = None
    criterion: Any = None
    search: Any = None
    units: Any = None
