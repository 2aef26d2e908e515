"""Parameter constraints. The only place that imports scikit-learn's private validation."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

from sklearn.utils._param_validation import (
    HasMethods,
    Hidden,
    Interval,
    InvalidParameterError,
    Options,
    StrOptions,
    make_constraint,
    validate_params,
)

from fewer.core.records.errors import ParameterError

__all__ = [
    "FRACTION",
    "HasMethods",
    "Hidden",
    "Interval",
    "InvalidParameterError",
    "Options",
    "StrOptions",
    "check_value",
    "number_above",
    "number_from",
    "validate_params",
    "whole_from",
]
# A part of a whole, which may be nothing or all.
FRACTION = Interval(Real, 0, 1, closed="both")


def whole_from(least: int) -> Interval:
    """Return that a whole number of at least ``least`` is wanted."""
    return Interval(Integral, least, None, closed="left")


def number_from(least: float) -> Interval:
    """Return that a number of at least ``least`` is wanted."""
    return Interval(Real, least, None, closed="left")


def number_above(bound: float) -> Interval:
    """Return that a number above ``bound`` is wanted."""
    return Interval(Real, bound, None, closed="neither")


def check_value(where: str, name: str, value: Any, allowed: Any) -> None:
    """Raise unless a value meets one of the constraints, given as scikit-learn writes them."""
    if isinstance(allowed, str):
        # "no_validation": it is read elsewhere.
        return
    made = [make_constraint(one) for one in allowed]
    if not any(one.is_satisfied_by(value) for one in made):
        raise ParameterError(
            f"{where} got {name}={value!r}, but takes {' or '.join(map(str, made))}; pass such a value."
        )
