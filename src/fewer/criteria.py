"""What a feature, or a subset of features, is worth: base classes for own criteria, and criteria of subsets."""

from fewer.core.criteria.cross_validated import CrossValidated
from fewer.core.criteria.merit import Merit
from fewer.core.criteria.recognise import recognise
from fewer.core.criteria.scatter import Mahalanobis, ScatterSeparability
from fewer.core.criteria.shapes import (
    Criterion,
    RankingCriterion,
    StepwiseCriterion,
    SubsetScore,
    as_ranking,
    as_stepwise,
    as_subset,
)
from fewer.core.criteria.subset_filters import Agreement, Information
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
