"""The population stability index, as scorecards report it."""

from __future__ import annotations

from dataclasses import replace
from numbers import Integral, Real
from typing import Any

import numpy as np
from scipy.special import chdtri

from fewer.core.discretize.codes import codes_view
from fewer.core.discretize.named import EqualFrequency, UserEdges
from fewer.core.measures.evidence_weights import information_value
from fewer.core.reading.stacked import stacked_rows
from fewer.core.records.errors import RequirementError
from fewer.core.records.params import Interval
from fewer.core.summaries.counts import TargetCounts
from fewer.core.summaries.extent import ColumnExtent
from fewer.core.views.view import View
from fewer.methods.hygiene._filter import FILTER_CONSTRAINTS, TAGS, ColumnsFound, HygieneFilter

# The chance that any column of noise is left out.
CHANCE = 1e-3


class PopulationStability(HygieneFilter):
    r"""Leave out columns with other values now than in a reference.

    The score is minus the population stability index :math:`\sum_j (a_j - e_j) \ln (a_j / e_j)` [1]_, with
    :math:`e_j` and :math:`a_j` the fractions of the reference and of X in bin j, bins of equal frequency of the
    reference. Below 0.1 is called stable, from 0.25 on a large change.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); of the columns
        that are not left out. None keeps all of them.
    reference : array-like, data frame or None, default=None
        Rows with the same columns that X is compared with, such as those of last year; None compares the second half
        of the rows of X with the first.
    max_index : float, default=0.25
        The population stability index from which on a column is left out.
    bins : int, default=10
        Number of bins for "quantile" and "uniform". Here of equal frequency in the reference.
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
    fewer.DriftFilter : Takes off what noise adds to the index and tests it; several groups of rows; files.
    fewer.InformationValue : The same sum for two classes.

    Notes
    -----
    Levels of nominal columns are bins, also those that only one side has, and so are missing values. Of a column with
    one value in the reference the bins are this value and what lies below and above it. Half a row is added to every
    bin that occurs. With few rows the index of noise is large, about :math:`(1/n + 1/m) \chi^2` with as
    many degrees of freedom as bins but one [2]_; a column is left out only beyond what this exceeds at a chance of one
    in a thousand for all columns together. The score is the plain index.

    References
    ----------
    .. [1] N. Siddiqi, "Credit Risk Scorecards", Wiley, 2006.
    .. [2] B. Yurdakul and J. Naranjo, "Statistical properties of the population stability index", Journal of Risk Model
       Validation 14, 2020.

    Examples
    --------
    >>> import numpy as np
    >>> old, new = np.random.default_rng(0).normal(size=(2, 400, 3))
    >>> new[:, 1] += 1.0
    >>> PopulationStability(reference=old).fit(new).selection_.kept_names
    ['x0', 'x2']
    """

    method_tags = replace(TAGS, handles_sparse=False, streams=False, invariance=("scale", "monotone"))
    kind = "drift"
    _parameter_constraints: dict = {
        **FILTER_CONSTRAINTS,
        # Read together with X.
        "reference": "no_validation",
        "max_index": [Interval(Real, 0, None, closed="left")],
        "bins": [Interval(Integral, 2, 65535, closed="both")],
    }

    def __init__(
        self,
        n_features_to_select: Any = None,
        *,
        reference: Any = None,
        max_index: float = 0.25,
        bins: int = 10,
        categorical_features: Any = None,
        keep: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            n_features_to_select, categorical_features=categorical_features, keep=keep, n_jobs=n_jobs, verbose=verbose
        )
        self.reference = reference
        self.max_index = max_index
        self.bins = bins

    def fit(self, X: Any, y: Any = None, *more: Any, **params: Any) -> Any:
        """Select features.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,), optional
            Not looked at.
        *more, **params
            Nothing: what a method does not take, such as ``sample_weight``, is refused in a sentence.

        Returns
        -------
        self : object
            The fitted selector.
        """
        self._refuse_more(more, params)
        if self.reference is None:
            return self._fit(X, None)
        self.check()
        both, first = stacked_rows(type(self).__name__, self.reference, X)
        return self._fit(both, None, groups=(np.arange(len(both)) >= first).astype(np.int64))

    def _found(self, data: View) -> ColumnsFound:
        if self.reference is not None and data.groups is None:
            raise RequirementError(
                "PopulationStability got a reference, which only `fit` can put beside X, but was run on data that were "
                "read already; call fit(X), or leave the reference out to compare the halves of the rows."
            )
        now = np.asarray(data.groups) == 1 if self.reference is not None else _second_half(data.n_rows)
        before = data.rows(np.flatnonzero(~now))
        cuts, extent = EqualFrequency(self.bins).cuts(before), before.fold(ColumnExtent())
        edges = {j: cuts.of(j) for j in range(data.n_features) if not data.nominal[j]}
        for j in np.flatnonzero((extent.low == extent.high) & ~data.nominal).tolist():
            # What lies below or above the only value is not that value.
            around = np.array([np.nextafter(extent.low[j], -np.inf), extent.low[j]])
            edges[j] = around[np.isfinite(around)]
        codes = codes_view(data, UserEdges(edges)).with_classes(now.astype(np.int64), np.arange(2))
        counts = codes.fold(TargetCounts(2))
        index = information_value(counts)
        # Of equal populations the index is about (1/n + 1/m) chi-squared (Yurdakul and Naranjo 2020).
        beyond = chdtri(np.maximum(counts.occurring - 1.0, 1.0), CHANCE / data.n_features)
        noise = beyond * (1.0 / counts.of(0).sum(axis=0)).sum()
        drifts = np.flatnonzero(index >= np.maximum(noise, self.max_index)).tolist()
        words = {j: f"population stability index {index[j]:.2f}, {self.max_index:g} is too much" for j in drifts}
        return ColumnsFound(-index, words)


def _second_half(n_rows: int) -> np.ndarray:
    return np.arange(n_rows) >= (n_rows + 1) // 2
