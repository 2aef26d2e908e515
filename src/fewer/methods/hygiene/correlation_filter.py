"""Columns that are nearly the same as another one, up to their units."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from fewer.core.criteria.column_similarity import Correlations
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector
from fewer.core.hygiene.examine import kept_columns
from fewer.core.records.params import Interval
from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import REDUNDANT
from fewer.core.records.result import Selection, after
from fewer.core.records.tags import MethodTags
from fewer.core.search import top_ranked
from fewer.core.views.view import View


class CorrelationFilter(BaseSelector):
    """Leave out columns that are strongly correlated with an earlier one that is kept.

    Columns are visited in their order, without a look at the target; one is left out if its correlation with a column
    that was kept before is, whatever its sign, at least ``max_correlation``. The score is 1 minus the largest such
    correlation. Constant columns are correlated with none.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); of the columns
        that are not left out. None keeps all of them.
    max_correlation : float, default=0.95
        The correlation from which on the later of two columns is left out.
    keep : str, list of str or int, or None, default=None
        Columns that are not left out, whatever is found of them: names or numbers, or "all".
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    See Also
    --------
    fewer.DuplicateFilter : Leaves out exact copies, of any number of columns.
    fewer.GaussianMRMR : Weighs correlation against relevance.
    fewer.FeatureClustering : Keeps the middle of each group of columns, whatever their order.

    Notes
    -----
    All pairs of columns are held at once: 8 bytes each, so 800 MB for 10,000 columns.

    Examples
    --------
    >>> selection = CorrelationFilter().fit([[1, 0, -2.1], [2, 5, -4.0], [3, 1, -5.9], [4, 1, -8.0]]).selection_
    >>> selection.kept_names, selection.reason(2).related
    (['x0', 'x1'], ('x0',))
    """

    method_tags = MethodTags(
        targets=("none",),
        views=("dense", "sparse"),
        handles_sparse=True,
        streams=True,
        invariance=("row_order", "scale"),
        cost="n*d^2",
    )
    _asks_again = False
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "max_correlation": [Interval(Real, 0, 1, closed="right")],
        # The look at the columns reads it.
        "keep": ["array-like", str, None],
    }

    def __init__(
        self,
        n_features_to_select: Any = None,
        *,
        max_correlation: float = 0.95,
        keep: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.max_correlation = max_correlation
        self.keep = keep
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _select(self, data: View, parts: Parts) -> Selection:
        nearest, by = self._nearest(data, kept_columns(self.keep, data))
        gone = {j: int(nearest[j]) for j in np.flatnonzero(nearest >= 0).tolist()}
        left = np.flatnonzero(nearest < 0)
        chosen = top_ranked(lambda: Ranking(1 - by[left]), parts.size)
        wide = chosen.on(left, data.n_features)
        said = wide.reasons
        said.kind[list(gone)] = REDUNDANT
        related = {**said.related, **{j: (first,) for j, first in gone.items()}}
        amount = {**said.amount, **{j: float(by[j]) for j in gone}}
        words = f"correlated with it, {self.max_correlation:g} or more is too much"
        reasons = replace(said, related=related, amount=amount, note={**said.note, **dict.fromkeys(gone, words)})
        return replace(wide, order=after(wide.order, [*gone]), reasons=reasons, scores=1 - by)

    def _nearest(self, data: View, kept: set[int]) -> tuple[np.ndarray, np.ndarray]:
        """Return for every column the earlier one that makes it redundant, -1 if none does, and the correlation."""
        found = Correlations.of(data)
        nearest, by = np.full(data.n_features, -1), np.zeros(data.n_features)
        left = np.zeros(data.n_features, bool)
        for j in range(data.n_features):
            row = np.abs(found.row(j, left))
            first = int(np.argmax(row))
            by[j] = min(1.0, row[first])
            if by[j] >= self.max_correlation and j not in kept:
                nearest[j] = first
            else:
                left[j] = True
        return nearest, by
