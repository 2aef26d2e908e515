"""Columns that are nearly the same as another one, up to their units."""

from __future__ import annotations

from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from fewer.core.criteria.column_similarity import OF_LEVELS, SIMILARITIES, SimilarColumns
from fewer.core.discretize.codes import codes_view
from fewer.core.discretize.target_levels import with_target_levels
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import CODES_CONSTRAINTS, tags_of_levels
from fewer.core.estimators.selector import BaseSelector
from fewer.core.hygiene.examine import kept_columns
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import REDUNDANT
from fewer.core.records.result import Selection, after
from fewer.core.records.rounding import steady
from fewer.core.records.tags import MethodTags
from fewer.core.search import top_ranked
from fewer.core.views.view import View

# Similarities are summed in whole steps of this size, so that sums do not depend on the order of columns.
STEPS = 2.0**40


class CorrelationFilter(BaseSelector):
    """Keep one of each group of columns that are strongly correlated.

    The best column is kept, and what is correlated with it is left out, then the best of the others, until none is
    left: so everything that is left out is correlated with the one that stands for it, and no two that are kept are
    correlated. The score is 1 minus the largest similarity to a column that was kept before. Constant columns are
    correlated with none.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); of the columns
        that are not left out. None keeps all of them.
    max_correlation : float, default=0.95
        The similarity from which on one of two columns is left out.
    similarity : {"pearson", "spearman", "cramer", "su"}, default="pearson"
        What goes together: correlation of values, of ranks, Cramer's V or symmetrical uncertainty of levels.
    representative : {"central", "relevant"}, default="central"
        Which column is best: the one with the largest sum of similarities to the columns it is correlated with, of
        equal ones, such as two that are correlated with nothing else, the one with the smallest sum to all others; or
        the one that is most similar to the target, which is not looked at otherwise.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins; None says that X holds bin numbers already. For "cramer" and "su" only.
    bins : int, default=10
        Number of bins for "quantile" and "uniform". Also of a target of numbers.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so. Only "cramer" and "su" take such columns.
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
    fewer.FeatureClustering : Makes a given number of groups of columns.

    Notes
    -----
    Symmetrical uncertainty is mutual information over the mean of both entropies, from 0 to 1.
    Between columns that are equally good to twelve digits the one with the lower number stays; else the order of the
    columns does not matter. For correlations all pairs of columns are held at once: 8 bytes each, so 800 MB for 10,000
    columns. For a correlation and classes, similarity to the target is the root of the fraction of the variance that
    lies between the classes.

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
        **CODES_CONSTRAINTS,
        "max_correlation": [Interval(Real, 0, 1, closed="right")],
        "similarity": [StrOptions(set(SIMILARITIES))],
        "representative": [StrOptions({"central", "relevant"})],
        # The look at the columns reads it.
        "keep": ["array-like", str, None],
    }

    def __init__(
        self,
        n_features_to_select: Any = None,
        *,
        max_correlation: float = 0.95,
        similarity: str = "pearson",
        representative: str = "central",
        discretizer: Any = "quantile",
        bins: int = 10,
        categorical_features: Any = None,
        keep: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.max_correlation = max_correlation
        self.similarity = similarity
        self.representative = representative
        self.discretizer = discretizer
        self.bins = bins
        self.categorical_features = categorical_features
        self.keep = keep
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _tags_in_use(self) -> MethodTags:
        tags = self.method_tags
        if self.representative == "relevant":
            tags = replace(tags, targets=("classes", "numbers"))
        if self.similarity == "pearson":
            return tags
        tags = replace(tags, handles_sparse=False, streams=False, invariance=("row_order", "scale", "monotone"))
        if self.similarity == "spearman":
            return replace(tags, views=("dense",))
        return tags_of_levels(replace(tags, views=("codes",), handles_nominal=True, handles_nan=True), self.discretizer)

    def _view(self, data: View, parts: Parts) -> View:
        if self.similarity not in OF_LEVELS:
            return data
        numbers = self.representative == "relevant" and data.classes is None
        return codes_view(with_target_levels(data, self.bins) if numbers else data, parts.discretizer)

    def _select(self, data: View, parts: Parts) -> Selection:
        similar = SimilarColumns(self._view(data, parts), self.similarity)
        best_first = np.lexsort([-key for key in self._worth(similar, data.n_features)])
        stands, by = self._grouped(similar, best_first, kept_columns(self.keep, data))
        gone = {j: int(stands[j]) for j in np.flatnonzero(stands >= 0).tolist()}
        left = np.flatnonzero(stands < 0)
        chosen = top_ranked(lambda: Ranking(1 - by[left]), parts.size)
        wide = chosen.on(left, data.n_features)
        said = wide.reasons
        said.kind[list(gone)] = REDUNDANT
        related = {**said.related, **{j: (first,) for j, first in gone.items()}}
        amount = {**said.amount, **{j: float(by[j]) for j in gone}}
        words = f"correlated with it, {self.max_correlation:g} or more is too much"
        reasons = replace(said, related=related, amount=amount, note={**said.note, **dict.fromkeys(gone, words)})
        return replace(wide, order=after(wide.order, [*gone]), reasons=reasons, scores=1 - by)

    @property
    def _line(self) -> float:
        """The line, to as many digits as similarities: what is on it on paper is not below it by rounding."""
        return float(steady(np.array(self.max_correlation)))

    def _worth(self, similar: SimilarColumns, n_features: int) -> list[np.ndarray]:
        """Return what says which column is kept first, the last key above the one before it."""
        if self.representative == "relevant":
            return [similar.with_target()]
        near, far = np.empty((2, n_features))
        for j in range(n_features):
            found = similar.row(j)
            row, within = np.rint(found * STEPS), found >= self._line
            near[j], far[j] = row[within].sum(), row[~within].sum()
        return [-far, near]

    def _grouped(
        self, similar: SimilarColumns, best_first: np.ndarray, kept: set[int]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return for every column the kept one that stands for it, -1 if none does, and how similar they are."""
        stands, by = np.full(len(best_first), -1), np.zeros(len(best_first))
        here = np.zeros(len(best_first), bool)
        for j in best_first.tolist():
            row = np.where(here, similar.row(j), 0.0)
            first = int(np.argmax(row))
            by[j] = row[first]
            if by[j] >= self._line and j not in kept:
                stands[j] = first
            else:
                here[j] = True
        return stands, by
