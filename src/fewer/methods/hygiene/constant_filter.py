"""Columns with one value in all rows, or in nearly all."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from fewer.core.hygiene.examine import bins_for, constant_columns
from fewer.core.hygiene.strata import look_at, strata
from fewer.core.records.params import Interval
from fewer.core.views.view import View
from fewer.methods.hygiene._filter import FILTER_CONSTRAINTS, TAGS, ColumnsFound, HygieneFilter


class ConstantFilter(HygieneFilter):
    """Leave out columns with one value in all rows, or in nearly all.

    The score of a column is the fraction of its rows with another value than the most frequent one; a missing value is
    a value, too. Columns of score 0 are left out, and with ``max_fraction`` below 1 those whose most frequent value has
    at least that fraction of the rows.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); of the columns
        that are not left out. None keeps all of them.
    max_fraction : float, default=1.0
        The fraction of rows with the same value from which on a column is left out, from 0.5 to 1.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    keep : str, list of str or int, or None, default=None
        Columns that are not left out, whatever is found of them: names or numbers, or "all".
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    fewer.DuplicateFilter, fewer.MissingFilter, fewer.IdentifierFilter

    Examples
    --------
    >>> X = [[1, 0, 5.0], [1, 0, 4.0], [1, 0, 3.0], [1, 1, 2.0]]
    >>> ConstantFilter().fit(X).selection_.indices.tolist()
    [2, 1]
    >>> ConstantFilter(max_fraction=0.75).fit(X).selection_.indices.tolist()
    [2]
    """

    method_tags = TAGS
    kind = "constant"
    _parameter_constraints: dict = {**FILTER_CONSTRAINTS, "max_fraction": [Interval(Real, 0.5, 1, closed="both")]}

    def __init__(
        self,
        n_features_to_select: Any = None,
        *,
        max_fraction: float = 1.0,
        categorical_features: Any = None,
        keep: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            n_features_to_select,
            categorical_features=categorical_features,
            keep=keep,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        self.max_fraction = max_fraction

    def _found(self, data: View) -> ColumnsFound:
        looks = look_at(data)
        counted = strata(data, looks, bins_for(looks))
        rows = counted.per_column(counted.by_level)
        fraction = counted.largest(counted.by_level) / rows
        wrong = constant_columns(looks)
        for j in np.flatnonzero(fraction >= self.max_fraction).tolist():
            wrong.setdefault(j, f"one value in {fraction[j]:.1%} of the rows, {self.max_fraction:.1%} are too many")
        return ColumnsFound(1 - fraction, wrong)
