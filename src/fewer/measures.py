"""What number follows from a summary: plain functions, vectorised over features, information in nats."""

from fewer.core.measures import *  # noqa: F403
from fewer.core.measures import __all__ as _functions
from fewer.core.measures.bayes_risk import bayes_rule, misclassification_risk
from fewer.core.measures.margin import relief_limit_weights, relief_threshold
from fewer.core.measures.monotone import violations
from fewer.core.measures.partitions import scatter_separability
from fewer.core.measures.posteriors import nn_diameter, posterior_distance
from fewer.core.measures.presence import (
    presence_chi2,
    presence_gain,
    presence_information,
    presence_kl,
    presence_mi_abs,
    presence_mi_avg,
    presence_mi_max,
)
from fewer.core.measures.principal import adjusted_variance, eigengenes, truncate_loadings
from fewer.core.measures.rank_lists import borda_points, kemeny, median_points, robust_ranks
from fewer.core.measures.relative_error import relative_absolute_error
from fewer.core.measures.relevance import blanket_filtered, is_markov_blanket, optimal_subsets, relevance_categories
from fewer.core.measures.term_inclusion import (
    count_factor,
    inclusion_probability,
    mean_inclusion_odds,
    presence_factor,
)
from fewer.core.measures.term_prediction import single_term_prediction
from fewer.core.measures.term_rates import (
    accuracy_gain,
    balanced_accuracy_gain,
    bns,
    odds_numerator,
    odds_ratio,
    power,
    probability_ratio,
    signed_by_rates,
    term_f1,
)
from fewer.core.measures.term_scores import aggregate_scores, class_scores, term_scores
from fewer.core.measures.term_tables import (
    class_chi2,
    class_information,
    normalized_information,
    term_chi2,
    term_information,
)
from fewer.core.measures.text_likelihood import integrated_likelihood, term_evidence
from fewer.core.summaries.counted_terms import count_terms
from fewer.core.summaries.fold_counts import FoldCounts
from fewer.core.summaries.results import Counts, LevelMoments, Moments, TargetProducts
from fewer.core.summaries.term_counts import Presence, TermCounts
from fewer.methods.projection.boundary_matrix import edbfm
from fewer.methods.projection.exact_boundary import edbfm_exact
from fewer.methods.projection.feature_weights import dbfe_feature_weights

__all__ = [
    *_functions,
    "Counts",
    "FoldCounts",
    "LevelMoments",
    "Moments",
    "Presence",
    "TargetProducts",
    "TermCounts",
    "accuracy_gain",
    "adjusted_variance",
    "aggregate_scores",
    "balanced_accuracy_gain",
    "bayes_rule",
    "blanket_filtered",
    "bns",
    "borda_points",
    "class_chi2",
    "class_information",
    "class_scores",
    "count_factor",
    "count_terms",
    "dbfe_feature_weights",
    "edbfm",
    "edbfm_exact",
    "presence_information",
    "eigengenes",
    "inclusion_probability",
    "integrated_likelihood",
    "is_markov_blanket",
    "kemeny",
    "mean_inclusion_odds",
    "median_points",
    "normalized_information",
    "odds_numerator",
    "odds_ratio",
    "misclassification_risk",
    "optimal_subsets",
    "power",
    "presence_factor",
    "probability_ratio",
    "nn_diameter",
    "posterior_distance",
    "presence_chi2",
    "presence_gain",
    "presence_kl",
    "presence_mi_abs",
    "presence_mi_avg",
    "presence_mi_max",
    "relative_absolute_error",
    "relevance_categories",
    "relief_limit_weights",
    "relief_threshold",
    "robust_ranks",
    "scatter_separability",
    "signed_by_rates",
    "single_term_prediction",
    "term_chi2",
    "term_evidence",
    "term_f1",
    "term_information",
    "term_scores",
    "truncate_loadings",
    "violations",
]
