"""What a feature, or a subset of features, is worth: base classes for own criteria, and criteria of subsets."""

from fewer.core.base.ranking import Ranking
from fewer.core.criteria.shapes import (
    Criterion,
    RankingCriterion,
    StepwiseCriterion,
    SubsetScore,
    as_ranking,
    as_stepwise,
    as_subset,
)
from fewer.core.subsets import (
    Agreement,
    CrossValidated,
    Information,
    Mahalanobis,
    Merit,
    ScatterSeparability,
    recognise,
)

__all__ = [
    "Agreement",
    "Criterion",
    "CrossValidated",
    "Information",
    "Mahalanobis",
    "Merit",
    "Ranking",
    "RankingCriterion",
    "ScatterSeparability",
    "StepwiseCriterion",
    "SubsetScore",
    "as_ranking",
    "as_stepwise",
    "as_subset",
    "recognise",
]
