"""All strategies by name."""

from __future__ import annotations

from typing import Any

from fewer.core.search.alternating import Bidirectional, PlusLMinusR
from fewer.core.search.annealing import Annealing
from fewer.core.search.bayes_net import EBNA
from fewer.core.search.best_first import BestFirst
from fewer.core.search.branch import BranchAndBound
from fewer.core.search.climbing import HillClimbing, RandomMutation
from fewer.core.search.dependence_tree import DependenceTree
from fewer.core.search.exhaustive import Exhaustive
from fewer.core.search.floating import Floating
from fewer.core.search.genetic import Genetic
from fewer.core.search.las_vegas import LasVegasFilter, LasVegasWrapper, MonteCarlo
from fewer.core.search.rve import RVE, RVErS
from fewer.core.search.sequential import Sequential
from fewer.core.search.tree_sampling import TreeSampling

STRATEGIES: dict[str, type[Any]] = {
    "exhaustive": Exhaustive,
    "branch_and_bound": BranchAndBound,
    "sequential": Sequential,
    "bidirectional": Bidirectional,
    "plus_l_minus_r": PlusLMinusR,
    "floating": Floating,
    "best_first": BestFirst,
    "hill_climbing": HillClimbing,
    "random_mutation": RandomMutation,
    "annealing": Annealing,
    "genetic": Genetic,
    "dependence_tree": DependenceTree,
    "ebna": EBNA,
    "las_vegas_filter": LasVegasFilter,
    "las_vegas_wrapper": LasVegasWrapper,
    "monte_carlo": MonteCarlo,
    "rve": RVE,
    "rvers": RVErS,
    "tree_sampling": TreeSampling,
}
