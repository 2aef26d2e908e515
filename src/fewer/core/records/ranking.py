"""One number per feature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from fewer.core.records.result_table import ResultTable
from fewer.core.records.rounding import steady as steady


@dataclass(frozen=True)
class Ranking:
    """What a ranking criterion returns.

    Attributes
    ----------
    scores : ndarray of shape (n_features,)
        Larger is better; never NaN.
    pvalues : ndarray of shape (n_features,), optional
        Probability of such a score or a larger one if the feature and the target were independent; NaN
        where there is no test, which counts as 1.
    columns : mapping of str to ndarray of shape (n_features,)
        Further numbers per feature worth showing, such as a signed statistic.
    constant : ndarray of bool, shape (n_features,), optional
        Which features have one level in all rows, where the criterion knows. A rule that evaluates features drops them
        whatever their score; one that counts features may keep them.
    tables : mapping of str to ResultTable
        What was found beside, for the selection to carry.
    notes : mapping of int to str
        What is to be said of single features beside their numbers, such as why a p-value is doubtful.
    """

    scores: np.ndarray
    pvalues: np.ndarray | None = None
    columns: Mapping[str, np.ndarray] = field(default_factory=dict)
    constant: np.ndarray | None = None
    tables: Mapping[str, ResultTable] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def order(self) -> np.ndarray:
        """Feature numbers, best first; of scores that agree to twelve digits the lower number comes first."""
        return np.argsort(-steady(self.scores), kind="stable")
