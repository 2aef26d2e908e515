"""Refuses columns and targets whose squares leave the range of floating point.

Methods on moments square differences of values. Beyond these bounds squares overflow, or lose digits and become 0, and
a column that varies would look like a constant, or one that noise alone moves like one that the classes determine.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fewer.core.records.errors import InputError
from fewer.core.summaries.results import LevelMoments, Moments, TargetProducts

# Differences in between have squares, and sums of many squares, with all their digits.
SMALLEST, LARGEST = 1e-130, 1e150


def spread_of(weight: ArrayLike, mean: ArrayLike, m2: ArrayLike) -> np.ndarray:
    """Return about how far values lie from their origin, 0 of constants: means are sums and do not underflow."""
    weight = np.asarray(weight, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        return np.maximum(np.abs(mean), np.sqrt(np.asarray(m2) / np.where(weight > 0, weight, 1.0)))


def check_moments(view: Any, moments: Moments) -> None:
    """Raise unless the squares of all features, by class or of all rows, are in range."""
    view.check_finite(moments.mean, moments.m2)
    spread = spread_of(moments.weight, moments.mean, moments.m2).max(axis=1)
    check_spread(view, spread, spread > 0)


def check_products(view: Any, products: TargetProducts) -> None:
    """Raise unless the squares of the target and of all features are in range."""
    check_target(products)
    view.check_finite(products.mean_x, products.m2_x, products.c_xy)
    spread = spread_of(products.weight, products.mean_x, products.m2_x)
    # Values about a mean of 0 may have left no trace but their products with the target.
    check_spread(view, spread, (spread > 0) | (products.c_xy != 0))


def check_target(found: TargetProducts | LevelMoments | np.ndarray) -> None:
    """Raise unless the squares of the target, or of what it is summed up in, are in range."""
    if isinstance(found, TargetProducts):
        spread = float(spread_of(found.weight, found.mean_y, found.m2_y))
    elif isinstance(found, LevelMoments):
        spread = float(spread_of(found.weight, found.mean, found.m2).max(initial=0.0))
    else:
        spread = float(found.max()) - float(found.min())
    if spread != 0 and not SMALLEST <= spread <= LARGEST:
        raise InputError(_sentence("The target", spread, "rescale it"))


def check_varies(name: str, y: np.ndarray) -> None:
    """Raise unless a numeric target varies, by numbers whose squares are in range."""
    low, high = float(y.min()), float(y.max())
    if low == high:
        raise InputError(
            f"{name} needs a target that varies, but y goes from {low:g} to {high:g}; check the target column."
        )
    check_target(y)


def check_spread(data: Any, spread: np.ndarray, varies: np.ndarray) -> None:
    """Raise if a feature that varies does so by too little, or by too much."""
    wrong = varies & ~((spread >= SMALLEST) & (spread <= LARGEST))
    if wrong.any():
        j = int(np.flatnonzero(wrong)[0])
        raise InputError(_sentence(f"Column {data.name_of(j)}", float(spread[j]), "rescale or drop it"))


def _sentence(what: str, spread: float, cure: str) -> str:
    small = spread < SMALLEST
    how = f"by less than {SMALLEST:g}" if small else f"by more than {LARGEST:g}"
    return (
        f"{what} varies {how}, so that squares of differences {'underflow' if small else 'overflow'}; this method "
        f"takes differences from about {SMALLEST:g} to {LARGEST:g}: {cure}, or use a method on ranks or levels, "
        "such as Spearman or InformationGain."
    )
