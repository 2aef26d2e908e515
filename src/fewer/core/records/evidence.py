"""The test of independence that decided about a feature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from fewer.core.records.numerals import numeral

INDEPENDENT, DEPENDENT, TOO_FEW = "independent of y", "depends on y", "too few rows to tell whether it depends on y"


class Evidence(NamedTuple):
    """What a test of independence said of a feature.

    Attributes
    ----------
    words : str
        Its verdict.
    given : tuple of int
        The features that were given.
    pvalue : float
        The p-value, NaN where it means nothing.

    Examples
    --------
    >>> Evidence(INDEPENDENT, (3, 9), 0.41).sentence([f"f{j}" for j in range(10)])
    'independent of y given {f3, f9}: p = 0.41'
    """

    words: str
    given: tuple[int, ...] = ()
    pvalue: float = float("nan")

    def sentence(self, names: Sequence[str]) -> str:
        """Return it in words."""
        given = f" given {{{', '.join(names[j] for j in self.given)}}}" if self.given else ""
        return f"{self.words}{given}" + ("" if np.isnan(self.pvalue) else f": p = {numeral(self.pvalue, '.3g')}")

    def on(self, numbers: np.ndarray) -> Evidence:
        """Return the same of more features: feature ``j`` becomes ``numbers[j]``."""
        return self._replace(given=tuple(int(numbers[j]) for j in self.given))

    def to_list(self) -> list[Any]:
        """Return plain values that `read_evidence` reads."""
        return [self.words, list(self.given), None if np.isnan(self.pvalue) else self.pvalue]


def read_evidence(data: Mapping[str, Any]) -> dict[int, Evidence]:
    """Return the tests of all features from what `Evidence.to_list` returned of each."""
    return {
        int(j): Evidence(words, tuple(given), float("nan") if p is None else float(p))
        for j, (words, given, p) in data.items()
    }
