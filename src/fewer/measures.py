"""What number follows from a summary: plain functions, vectorised over features, information in nats."""

from fewer.core.measures import *  # noqa: F403
from fewer.core.measures import __all__ as _functions
from fewer.core.measures.margin import relief_threshold
from fewer.core.measures.monotone import violations
from fewer.core.measures.relevance import blanket_filtered, is_markov_blanket, optimal_subsets, relevance_categories
from fewer.core.summaries.results import Counts, LevelMoments, Moments, TargetProducts

__all__ = [
    *_functions,
    "Counts",
    "LevelMoments",
    "Moments",
    "TargetProducts",
    "blanket_filtered",
    "is_markov_blanket",
    "optimal_subsets",
    "relevance_categories",
    "relief_threshold",
    "violations",
]
