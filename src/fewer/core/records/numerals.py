"""How numbers are written: the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def numeral(value: float, spec: str = ".6g") -> str:
    """Return a number as text; what would be a negative zero is written as zero.

    Which of two equal zeros comes out of a sort, a sum or a minimum depends on the processor.

    Parameters
    ----------
    value : float
        The number.
    spec : str, default=".6g"
        How to write it, as in `format`: digits and kind.
    """
    return format(float(value), f"z{spec}")


def numerals(values: Sequence[float] | np.ndarray, digits: int = 6) -> list[str]:
    """Return numbers as text with so many digits, or with as many as tell them apart."""
    words: list[str] = []
    for some in range(digits, 18):
        words = [numeral(v, f".{some}g") for v in np.asarray(values, dtype=np.float64).tolist()]
        if len(set(words)) == len(words):
            break
    return words


def without_negative_zero(values: Any) -> Any:
    """Return an array of floats with 0.0 for -0.0, of others as it is; for labels made by sorting."""
    return values + values.dtype.type(0) if values.dtype.kind == "f" else values
