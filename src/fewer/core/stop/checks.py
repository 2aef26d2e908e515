"""Checks of the numbers that stop rules are made with."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

from fewer.core.records.errors import ParameterError


def whole(rule: str, name: str, value: Any, low: int = 1) -> int:
    """Return ``value`` as an int, or raise if it is not a whole number of at least ``low``."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < low:
        raise ParameterError(
            f"{rule} got {name}={value!r}, but {name} must be a whole number of at least {low}; "
            f"pass for example {name}={max(low, 10)}."
        )
    return int(value)


def number(rule: str, name: str, value: Any) -> float:
    """Return ``value`` as a float, or raise if it is not a finite number."""
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise ParameterError(
            f"{rule} got {name}={value!r}, but {name} must be a finite number; pass for example {name}=0.1."
        )
    return float(value)


def as_fraction(rule: str, name: str, value: Any, advice: str) -> float:
    """Return ``value`` as a float, or raise if it does not lie strictly between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < 1:
        raise ParameterError(f"{rule} got {name}={value!r}, but {name} must lie between 0 and 1; {advice}.")
    return float(value)
