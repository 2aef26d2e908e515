"""What a feature, or a subset of features, is worth: base classes for own criteria, and criteria of subsets."""

from fewer.core.criteria import (
    Agreement,
    CrossValidated,
    Information,
    Mahalanobis,
    Merit,
    ScatterSeparability,
    recognise,
)
from fewer.core.criteria.shapes import (
    Criterion,
    RankingCriterion,
    StepwiseCriterion,
    SubsetScore,
    as_ranking,
    as_stepwise,
    as_subset,
)
from fewer.core.importance.criterion import Importance
from fewer.core.records.ranking import Ranking

__all__ = [
    "Agreement",
    "Criterion",
    "CrossValidated",
    "Importance",
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
