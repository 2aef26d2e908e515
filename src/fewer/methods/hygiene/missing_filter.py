"""Columns with many missing values."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from fewer.core.hygiene.near_constant import mostly_missing
from fewer.core.hygiene.strata import look_at
from fewer.core.records.params import Interval
from fewer.core.views.view import View
from fewer.methods.hygiene._filter import FILTER_CONSTRAINTS, TAGS, ColumnsFound, HygieneFilter


class MissingFilter(HygieneFilter):
    """Leave out columns of which too many values are missing.

    The score of a column is the fraction of its values that are there.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); of the columns
        that are not left out. None keeps all of them.
    max_missing : float, default=0.5
        The largest fraction of missing values with which a column is kept.
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
    fewer.LeakSuspects : Finds columns whose missing values give the target away.

    Examples
    --------
    >>> nan = float("nan")
    >>> X = [[1, nan, 5.0], [1, nan, 4.0], [1, nan, nan], [2, 1, 2.0]]
    >>> MissingFilter().fit(X).selection_.indices.tolist()
    [0, 2]
    """

    method_tags = TAGS
    kind = "mostly missing"
    _parameter_constraints: dict = {**FILTER_CONSTRAINTS, "max_missing": [Interval(Real, 0, 1, closed="both")]}

    def __init__(
        self,
        n_features_to_select: Any = None,
        *,
        max_missing: float = 0.5,
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
        self.max_missing = max_missing

    def _found(self, data: View) -> ColumnsFound:
        looks = look_at(data)
        none = np.zeros(data.n_features, bool)
        return ColumnsFound(1 - looks.missing / looks.n_rows, mostly_missing(looks, none, self.max_missing))
