"""The rows of a view as a space, in which every feature counts by its range."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.neighbours.few_valued import MOST_STEPS, few_valued
from fewer.core.neighbours.joint_space import JointSpace, SpacePart
from fewer.core.neighbours.mixed_spaces import mixed_space
from fewer.core.neighbours.spaces import Space, number_space
from fewer.core.neighbours.step_space import step_space
from fewer.core.records.errors import InputError
from fewer.core.summaries.extent import ColumnExtent
from fewer.core.views.view import View


def range_space(
    view: View, ramp: tuple[float, float] | None = None, *, squared: bool = False, bits: bool = True
) -> Space:
    """Return the rows as a space whose differences are those of the Relief family, eq. 9.3 and 9.4.

    A nominal feature differs by 0 or 1, a number by its fraction of the range of the feature. Missing values take the
    mean difference over the known values of the class of their row (of all rows, if the target is not of classes).

    Parameters
    ----------
    view : View
        Dense rows in memory.
    ramp : tuple of two floats, optional
        Fractions of the range up to which two numbers are equal, and beyond which they are different.
    squared : bool, default=False
        Whether differences are squared, so that the distance orders rows as the Euclidean one does.
    bits : bool, default=True
        Whether columns of few values may be held as bits; the distances are the same.
    """
    if bits and ramp is None and not squared and not view.nominal.any():
        found = step_space(view.run, view.whole().X, lambda: _by_ranges(view, None, False, True))
        if found is not None:
            return found
    return _by_ranges(view, ramp, squared, bits)


def _by_ranges(view: View, ramp: tuple[float, float] | None, squared: bool, bits: bool) -> Space:
    """Return the rows as a space of the processor; see above."""
    block, (low, width, factor) = view.whole(), column_ranges(view)
    complete = view.fold(ColumnExtent(all_rows=True)).missing == 0
    # Two levels are as far apart as the ends of a range.
    # A ramp of the whole range makes all numbers equal, but not levels.
    flat = ramp is not None and ramp[0] >= 1.0
    several = np.zeros(view.n_features, bool)
    few, nominal = 1 if flat else 2, view.nominal.tolist()
    several[[j for j, labels in view.labels.items() if len(labels) > few and nominal[j]]] = True
    label = block.y if view.n_classes else np.zeros(view.n_rows, np.int64)
    most_steps = MOST_STEPS if ramp is None and not squared else 1
    columns = (low, width, several, complete, most_steps, label, squared)
    planes = few_valued(block.X, *columns) if bits and not flat else []
    if not planes:
        return _plain_space(block.X, low, factor, several, label, ramp, squared)
    # Numbers that are all the same differ by nothing, known or not.
    rest = several | (factor > 0.0)
    for part in planes:
        rest[part.owner] = False
    if rest.any():
        X = np.ascontiguousarray(block.X[:, rest])
        others = _plain_space(X, low[rest], factor[rest], several[rest], label, ramp, squared)
        planes = [*planes, SpacePart(others, np.flatnonzero(rest))]
    return JointSpace(tuple(planes), view.n_features)


def column_ranges(view: View) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the smallest value of every feature, its range, and 1 / range, or 0 where nothing differs."""
    extent = view.fold(ColumnExtent(all_rows=True))
    known = extent.missing < view.n_rows
    with np.errstate(over="ignore", invalid="ignore"):
        width = np.where(known, extent.high - extent.low, 0.0)
    # 1 / range must be a number of full precision.
    fits = width <= 1.0 / np.finfo(float).tiny
    if not fits.all():
        name = getattr(view, "name_of", str)(int(np.flatnonzero(~fits)[0]))
        raise InputError(
            f"The range of column {name} is infinite or so large that it overflows, but rows are compared by fractions "
            "of the range; remove infinite values or rescale the column."
        )
    low = np.where(known, extent.low, 0.0)
    with np.errstate(divide="ignore", over="ignore"):
        factor = np.where(known & (width > 0), 1.0 / width, 0.0)
    factor[~np.isfinite(factor)] = 0.0
    return low, width, factor


def as_ramp(name: str, ramp: Any) -> tuple[float, float] | None:
    """Return the two fractions of the range between which a difference grows from 0 to 1, or None for no ramp."""
    if ramp is None:
        return None
    try:
        equal, different = (float(share) for share in ramp)
    except (TypeError, ValueError):
        equal, different = np.nan, np.nan
    if 0.0 <= equal <= different <= 1.0:
        return equal, different
    raise InputError(
        f"{name} got ramp={ramp!r}, but takes None or two fractions of the range, 0 <= t_equal <= t_different <= 1; "
        "give, for example, (0.05, 0.10)."
    )


def _plain_space(
    X: np.ndarray,
    low: np.ndarray,
    factor: np.ndarray,
    several: np.ndarray,
    label: np.ndarray,
    ramp: tuple[float, float] | None,
    squared: bool,
) -> Space:
    """Return rows as a space of numbers, or of numbers, levels and missing values."""
    if ramp is None and not several.any() and not np.isnan(X.sum(dtype=np.float64)):
        return number_space(X, low, factor, squared=squared)
    return mixed_space(X, low, factor, several, label, ramp, squared=squared)
