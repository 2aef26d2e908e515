"""Two sets of rows with the same columns, one above the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.reading.frames import as_rows, is_frame
from fewer.core.records.errors import InputError


def stacked_rows(name: str, first: Any, second: Any) -> tuple[Any, int]:
    """Return the rows of a reference above those of X, and how many the first are.

    Parameters
    ----------
    name : str
        Who asks, for messages.
    first, second : array-like or data frame
        The reference and X: both frames with the same columns, in any order, or both arrays.
    """
    first, second = as_rows(first, name), as_rows(second, name)
    if is_frame(first) != is_frame(second):
        raise InputError(
            f"{name} got {type(first).__name__} as reference and {type(second).__name__} as X, but both must be arrays "
            "or both data frames, so that columns are told apart alike; convert one of them."
        )
    if not is_frame(second):
        first, second = np.asarray(first), np.asarray(second)
        if first.ndim != 2 or second.ndim != 2 or first.shape[1] != second.shape[1]:
            raise InputError(
                f"{name} got a reference of shape {first.shape} and X of shape {second.shape}, but both must have the "
                "same columns; check which columns they hold."
            )
        return np.concatenate([first, second]), len(first)
    import narwhals as nw

    above, below = nw.from_native(first), nw.from_native(second)
    if set(above.columns) != set(below.columns):
        other = sorted(set(map(str, above.columns)) ^ set(map(str, below.columns)))
        raise InputError(
            f"{name} got a reference and X with other columns, such as {other[0]!r}, but both must have the same; "
            "drop or add columns."
        )
    try:
        both = nw.concat([above.select(below.columns), below])
    except Exception as error:
        raise InputError(
            f"{name} cannot put the reference ({type(first).__name__}) above X ({type(second).__name__}): {error}; "
            "give frames of one library with the same types of columns."
        ) from error
    return both.to_native(), len(above)
