"""How subsets are visited."""

from fewer.core.search.greedy import greedy_forward
from fewer.core.search.shapes import (
    FixedScores,
    IncrementalCriterion,
    RankingCriterion,
    ReplayedOrder,
    SubsetCriterion,
    WeightsCriterion,
    as_incremental,
    as_ranking,
    as_subset,
)
from fewer.core.search.topk import top_ranked

__all__ = [
    "FixedScores",
    "IncrementalCriterion",
    "RankingCriterion",
    "ReplayedOrder",
    "SubsetCriterion",
    "WeightsCriterion",
    "as_incremental",
    "as_ranking",
    "as_subset",
    "greedy_forward",
    "top_ranked",
]
