"""What selectors of terms share: counting once, limits on the document frequency, tables by class."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

import numpy as np

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS, ScoreBase
from fewer.core.estimators.selector import WeightedFit
from fewer.core.records.errors import ParameterError
from fewer.core.records.needs import AT_LEAST, AT_MOST, Need
from fewer.core.records.params import Interval
from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import IRRELEVANT
from fewer.core.records.result import Selection
from fewer.core.search import top_ranked
from fewer.core.summaries.term_counts import TermCounts
from fewer.core.views.view import View
from fewer.methods.text._tags import TERMS
from fewer.methods.text._term_criteria import counts_of, labels_of
from fewer.methods.text._term_tables import term_tables

LIMITS = [None, Interval(Integral, 0, None, closed="left"), Interval(Real, 0, 1, closed="both")]
TERM_CONSTRAINTS: dict[str, Any] = {**COMMON_CONSTRAINTS, "min_df": LIMITS, "max_df": LIMITS}


class TermSelector(WeightedFit, ScoreBase):
    """Base of selectors that count the documents of every class once and look at nothing else."""

    method_tags = TERMS
    _parameter_constraints: dict = TERM_CONSTRAINTS
    min_df: Any
    max_df: Any

    def _offers(self, criterion: Any) -> Iterable[str]:
        return self._serves

    def _select(self, data: View, parts: Parts) -> Selection:
        counts = counts_of(data, parts.criterion.counts_occurrences)
        self.counts_, allowed = counts, self._allowed(counts)
        labels = labels_of(data)
        if allowed.all():
            found = self._cut(counts, parts, labels)
        else:
            found = self._cut(counts.terms(np.flatnonzero(allowed)), parts, labels)
            found = found.on(np.flatnonzero(allowed), counts.n_terms, IRRELEVANT)
            found = replace(found, scores=self._of_all(found.scores))
        found = replace(found, reasons=replace(found.reasons, needs=(*found.reasons.needs, *self._needs(counts))))
        return found.with_tables(**term_tables(parts.criterion, counts, found.indices, labels))

    def _cut(self, counts: TermCounts, parts: Parts, labels: tuple[str, ...]) -> Selection:
        """Select terms of given counts."""
        return top_ranked(lambda: self._ranking(counts, parts), parts.size)

    def _ranking(self, counts: TermCounts, parts: Parts) -> Ranking:
        return parts.criterion.scored(counts)

    def _among_all(self, subsets: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return subsets of the terms that were looked at by their numbers among all terms."""
        numbers = np.flatnonzero(self._allowed(self.counts_))
        return {name: numbers[terms] for name, terms in subsets.items()}

    def _of_all(self, scores: np.ndarray | None) -> np.ndarray | None:
        """Return scores with the lowest for terms that were not looked at; scores are never NaN."""
        if scores is None:
            return None
        known = scores[np.isfinite(scores)]
        return np.where(np.isnan(scores), min(known.min(initial=0.0), 0.0), scores)

    def _bounds(self, counts: TermCounts) -> tuple[float, float]:
        """Return the fewest and the most documents that a term may be in; a fraction is one of all documents."""
        low, high = (
            bound * counts.n_documents if isinstance(bound, float) and not isinstance(bound, Integral) else bound
            for bound in (self.min_df, self.max_df)
        )
        return (0.0 if low is None else float(low)), (np.inf if high is None else float(high))

    def _allowed(self, counts: TermCounts) -> np.ndarray:
        low, high = self._bounds(counts)
        allowed = (counts.holding >= low) & (counts.holding <= high)
        if not allowed.any():
            raise ParameterError(
                f"{type(self).__name__} got min_df={self.min_df!r} and max_df={self.max_df!r}, but no term is in "
                f"{low:g} to {high:g} documents; widen the limits."
            )
        return allowed

    def _needs(self, counts: TermCounts) -> tuple[Need, ...]:
        """Return what the document frequency had to be, for the reasons."""
        low, high = self._bounds(counts)
        needs = ((low, AT_LEAST, self.min_df), (high, AT_MOST, self.max_df))
        holding = counts.holding.astype(np.float64)
        return tuple(Need("documents", holding, line, how=how) for line, how, given in needs if given is not None)
