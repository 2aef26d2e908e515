"""Ranking criteria of terms: documents by class, counted once, and one score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fewer.core.criteria.shapes import RankingCriterion
from fewer.core.measures.term_inclusion import inclusion_probability, mean_inclusion_odds
from fewer.core.measures.term_scores import aggregate_of, aggregate_scores, class_scores, named_score, term_scores
from fewer.core.records.errors import InputError
from fewer.core.records.ranking import Ranking
from fewer.core.records.target_kinds import told_apart
from fewer.core.summaries.counted_terms import CountedTerms
from fewer.core.summaries.term_counts import TermCounts
from fewer.core.views.view import View


def labels_of(view: View) -> tuple[str, ...]:
    """Return the names of the classes or labels."""
    return told_apart(view.target_names or (() if view.classes is None else view.classes))


def counts_of(view: View, occurrences: bool) -> TermCounts:
    """Return documents by class and term; explain that no class tells documents apart."""
    several = view.target_kind == "several labels"
    n_classes = len(view.target_names or ()) if several else view.n_classes
    counts = view.fold(CountedTerms(n_classes, several, occurrences))
    if several and not ((counts.sizes > 0) & (counts.sizes < counts.n_documents)).any():
        raise InputError(
            f"Scores need labels that some rows have and others have not, but all {n_classes} labels of y are in all "
            "rows or in none (one class); check y."
        )
    return counts


@dataclass(frozen=True, eq=False)
class TermCriterion(RankingCriterion):
    """A score of terms, aggregated over the classes."""

    score: str = "bns"
    aggregate: str | None = None
    one_sided: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    requires = ("sparse", "dense")

    @property
    def counts_occurrences(self) -> bool:
        """Whether sums of counts are needed beside documents."""
        return self.score == "pip_poisson"

    def each(self, counts: TermCounts) -> np.ndarray:
        """Return the scores of every class, (n_classes, n_terms)."""
        return class_scores(counts, self.score, one_sided=self.one_sided, **self.options)

    def scored(self, counts: TermCounts) -> Ranking:
        """Score all terms of given counts."""
        how, more = self.aggregate, {"one_sided": self.one_sided, **self.options}
        scores = term_scores(counts, self.score, aggregate=how, **more)
        return Ranking(scores, constant=(counts.holding == 0) | (counts.holding == counts.n_documents))

    def scores(self, view: View) -> Ranking:
        """Score all terms of a view."""
        return self.scored(counts_of(view, self.counts_occurrences))

    def words(self, exclusive: bool) -> str:
        """Return what the score is."""
        known = named_score(self.score)
        how = aggregate_of(known, self.aggregate, exclusive and not self.one_sided)
        ways = {"joint": "of all classes at once", "max": "largest over the classes", "mean": "mean over the classes"}
        return f"{known.words}, {ways.get(how, 'mean over the classes by their documents')}"


@dataclass(frozen=True, eq=False)
class InclusionCriterion(TermCriterion):
    """The odds of inclusion in a naive Bayes classifier; options are the priors of the parameters."""

    prior_inclusion: float = 0.5

    def each(self, counts: TermCounts) -> np.ndarray:
        """Return the log Bayes factors of every class."""
        return class_scores(counts, self.score, **self.options)

    def scored(self, counts: TermCounts) -> Ranking:
        """Score all terms by the log odds of the aggregated probability, which stands beside."""
        factors, prior = self.each(counts), self.prior_inclusion
        probability = inclusion_probability(factors, prior_inclusion=prior)
        weights = np.where(counts.sizes < counts.n_documents, counts.sizes, 0).astype(np.float64)
        used = weights > 0
        if self.aggregate == "max":
            # The largest probability belongs to the largest factor.
            weights = np.ones(1)
            factors, mean = factors[used].max(axis=0, keepdims=True), probability[used].max(axis=0)
        else:
            weights = weights if self.aggregate in (None, "weighted") else used.astype(np.float64)
            mean = aggregate_scores(probability, weights / weights.sum(), 1.0)
        odds = mean_inclusion_odds(factors, weights, prior_inclusion=prior)
        return Ranking(odds, columns={"inclusion": mean})

    def words(self, exclusive: bool) -> str:
        """Return what the score is."""
        return "log odds of inclusion"
