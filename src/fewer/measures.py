"""What number follows from a summary: plain functions, vectorised over features, information in nats."""

from fewer.core.measures import *  # noqa: F403
from fewer.core.measures import __all__ as _functions
from fewer.core.measures.margin import relief_limit_weights, relief_threshold
from fewer.core.measures.monotone import violations
from fewer.core.measures.partitions import scatter_separability
from fewer.core.measures.principal import adjusted_variance, eigengenes, truncate_loadings
from fewer.core.measures.rank_lists import borda_points, kemeny, median_points, robust_ranks
from fewer.core.measures.relative_error import relative_absolute_error
from fewer.core.measures.relevance import blanket_filtered, is_markov_blanket, optimal_subsets, relevance_categories
from fewer.core.measures.text_likelihood import integrated_likelihood, term_evidence
from fewer.core.summaries.results import Counts, LevelMoments, Moments, TargetProducts

__all__ = [
    *_functions,
    "Counts",
    "LevelMoments",
    "Moments",
    "TargetProducts",
    "adjusted_variance",
    "blanket_filtered",
    "borda_points",
    "eigengenes",
    "integrated_likelihood",
    "is_markov_blanket",
    "kemeny",
    "median_points",
    "optimal_subsets",
    "relative_absolute_error",
    "relevance_categories",
    "relief_limit_weights",
    "relief_threshold",
    "robust_ranks",
    "scatter_separability",
    "term_evidence",
    "truncate_loadings",
    "violations",
]
