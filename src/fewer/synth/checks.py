"""Checks of parameters, and the few random things that generators share."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

import numpy as np

from fewer.core.records.errors import ParameterError


def counts(where: str, low: int = 0, high: float = math.inf, **values: Any) -> None:
    """Raise unless every named value is a whole number from ``low`` to ``high``."""
    for name, value in values.items():
        good = isinstance(value, Integral) and not isinstance(value, bool) and low <= int(value) <= high
        if not good:
            limits = f"of at least {low}" if high == math.inf else f"from {low} to {high:g}"
            raise ParameterError(
                f"{where} got {name}={value!r}, but {name} must be a whole number {limits}; "
                f"pass for example {name}={low}."
            )


def numbers(where: str, low: float = 0.0, high: float = math.inf, **values: Any) -> None:
    """Raise unless every named value is a finite number from ``low`` to ``high``."""
    for name, value in values.items():
        good = isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
        if not good or not low <= float(value) <= high:
            limits = f"of at least {low:g}" if high == math.inf else f"from {low:g} to {high:g}"
            raise ParameterError(
                f"{where} got {name}={value!r}, but {name} must be a finite number {limits}; "
                f"pass for example {name}={low:g}."
            )


def choice(where: str, allowed: tuple[Any, ...], **values: Any) -> None:
    """Raise unless every named value is one of ``allowed``."""
    for name, value in values.items():
        if isinstance(value, bool) or value not in allowed:
            raise ParameterError(
                f"{where} got {name}={value!r}, but knows {', '.join(map(repr, allowed))}; pass one of them."
            )


def generator(where: str, random_state: Any) -> np.random.Generator:
    """Return the one source of randomness of a generator."""
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise ParameterError(
            f"{where} got random_state={random_state!r}, but it must be None, a whole number of at least 0 "
            "or a numpy Generator; pass for example random_state=0."
        ) from error


def balanced_labels(n_samples: int, n_classes: int, rng: np.random.Generator) -> np.ndarray:
    """Return classes in random order, as equal in size as possible."""
    return rng.permutation(np.arange(n_samples) % n_classes)


def flipped(y: np.ndarray, share: float, n_classes: int, rng: np.random.Generator) -> np.ndarray:
    """Return labels of which a fraction, rounded to whole samples, is replaced by another class."""
    wrong = rng.permutation(len(y))[: round(share * len(y))]
    y = y.copy()
    y[wrong] = (y[wrong] + rng.integers(1, n_classes, size=len(wrong))) % n_classes
    return y


def away_from_zero(shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """Return numbers with absolute values in [1, 2] and random signs."""
    return rng.uniform(1.0, 2.0, size=shape) * rng.choice([-1.0, 1.0], size=shape)


def numbered(prefix: str, n: int, start: int = 0) -> tuple[str, ...]:
    """Return the names prefix0, prefix1, ..."""
    return tuple(f"{prefix}{i}" for i in range(start, start + n))
