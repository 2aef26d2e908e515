"""What number follows from a summary: pure functions, vectorised over features, information in nats."""

from fewer.core.measures._tables import as_counts
from fewer.core.measures.association import chi2, chi2_test, correlation_pvalue, pearson
from fewer.core.measures.category import attended, category_utility, normal_category_utility
from fewer.core.measures.class_tests import f_test, pooled_t, welch_t
from fewer.core.measures.consistency import inconsistency_rate
from fewer.core.measures.costs import (
    cheapest_class,
    cost_gain_ratio,
    cost_gini_gain,
    cost_information_gain,
    expected_costs,
)
from fewer.core.measures.impurity import (
    catanova,
    gini_gain,
    gini_test,
    myopic_relief,
    variance_reduction,
    variance_reduction_test,
)
from fewer.core.measures.information import (
    column_entropy,
    distance_gain,
    g_test,
    gain_ratio,
    information_gain,
    joint_entropy,
    mdl_score,
    row_entropy,
    symmetrical_uncertainty,
)
from fewer.core.measures.ordinal import Ties, auc, kendall_test, kruskal, mann_whitney, tie_term
from fewer.core.measures.separability import correlation_ratio, fisher_score, mixture_overlap, signal_to_noise

__all__ = [
    "Ties",
    "as_counts",
    "attended",
    "auc",
    "catanova",
    "category_utility",
    "cheapest_class",
    "chi2",
    "chi2_test",
    "column_entropy",
    "correlation_pvalue",
    "correlation_ratio",
    "cost_gain_ratio",
    "cost_gini_gain",
    "cost_information_gain",
    "distance_gain",
    "expected_costs",
    "f_test",
    "fisher_score",
    "g_test",
    "gain_ratio",
    "gini_gain",
    "gini_test",
    "inconsistency_rate",
    "information_gain",
    "joint_entropy",
    "kendall_test",
    "kruskal",
    "mann_whitney",
    "mdl_score",
    "mixture_overlap",
    "myopic_relief",
    "normal_category_utility",
    "pearson",
    "pooled_t",
    "row_entropy",
    "signal_to_noise",
    "symmetrical_uncertainty",
    "tie_term",
    "variance_reduction",
    "variance_reduction_test",
    "welch_t",
]
