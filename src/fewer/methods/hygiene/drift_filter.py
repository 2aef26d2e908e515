"""Columns whose values change along the rows, or from group to group."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from fewer.core.hygiene.drift import stability
from fewer.core.hygiene.examine import bins_for
from fewer.core.hygiene.strata import look_at, strata
from fewer.core.records.params import Interval
from fewer.core.views.view import View
from fewer.methods.hygiene._filter import FILTER_CONSTRAINTS, TAGS, ColumnsFound, HygieneFilter


class DriftFilter(HygieneFilter):
    """Leave out columns with other values in the second half of the rows than in the first, or in one of some groups.

    The score is minus the population stability index: with bins of equal frequency, the sum of (p - q) ln(p / q) over
    the bins, where p and q are the fractions of both parts in a bin, less what noise adds to it. A column drifts if the
    index reaches ``max_index`` and a chi-squared test says that it is more than noise, at a chance of one in a thousand
    for all columns together.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); of the columns
        that are not left out. None keeps all of them.
    max_index : float, default=0.25
        The population stability index from which on a column is left out.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    keep : str, list of str or int, or None, default=None
        Columns that are not left out, whatever is found of them: names or numbers, or "all".
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Notes
    -----
    Of several groups the index is that of each group against all others, the largest; more than ten groups are not
    looked at, but the two halves of the rows.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(400, 3))
    >>> X[200:, 1] += 1.0
    >>> DriftFilter().fit(X).selection_.kept_names
    ['x2', 'x0']
    """

    method_tags = replace(TAGS, invariance=("scale", "monotone"))
    kind = "drift"
    _parameter_constraints: dict = {**FILTER_CONSTRAINTS, "max_index": [Interval(Real, 0, None, closed="left")]}

    def __init__(
        self,
        n_features_to_select: Any = None,
        *,
        max_index: float = 0.25,
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
        self.max_index = max_index

    def fit(self, X: Any, y: Any = None, *more: Any, groups: Any = None, **params: Any) -> Any:
        """Select features.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame, Table or Dask collection of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,), optional
            Not looked at.
        *more, **params
            Nothing: what a method does not take, such as ``sample_weight``, is refused in a sentence.
        groups : array-like of shape (n_samples,), optional
            The group of every row, up to ten of them, such as the place or the year it comes from.

        Returns
        -------
        self : object
            The fitted selector.
        """
        self._refuse_more(more, params)
        return self._fit(X, y, groups=groups)

    def _found(self, data: View) -> ColumnsFound:
        looks = look_at(data)
        counted = strata(data, looks, bins_for(looks))
        index, sure = stability(counted)
        drifts = np.flatnonzero(sure & (index >= self.max_index)).tolist()
        words = {j: f"population stability index {index[j]:.2f}, {self.max_index:g} is too much" for j in drifts}
        return ColumnsFound(-np.maximum(index, 0.0), words)
