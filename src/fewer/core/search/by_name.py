"""All searches by name."""

from __future__ import annotations

from fewer.core.records.errors import ParameterError, closest
from fewer.core.search.alternating import Bidirectional, PlusLMinusR
from fewer.core.search.annealing import Annealing
from fewer.core.search.bayes_net import EBNA
from fewer.core.search.best_first import BestFirst
from fewer.core.search.branch import BranchAndBound
from fewer.core.search.climbing import HillClimbing, RandomMutation
from fewer.core.search.contract import Search
from fewer.core.search.dependence_tree import DependenceTree
from fewer.core.search.exhaustive import Exhaustive
from fewer.core.search.floating import Floating
from fewer.core.search.genetic import Genetic
from fewer.core.search.greedy import Greedy
from fewer.core.search.las_vegas import LasVegasFilter, LasVegasWrapper, MonteCarlo
from fewer.core.search.rve import RandomizedElimination, RandomizedEliminationSearch
from fewer.core.search.sequential import Sequential
from fewer.core.search.top import Top
from fewer.core.search.tree_sampling import TreeSampling
from fewer.core.search.turf import Turf

SEARCHES: dict[str, type[Search]] = {
    "top": Top,
    "greedy": Greedy,
    "turf": Turf,
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
    "rve": RandomizedElimination,
    "rvers": RandomizedEliminationSearch,
    "tree_sampling": TreeSampling,
}


def as_search(given: str | Search, who: str) -> Search:
    """Return a search given by name or as an object."""
    if isinstance(given, Search):
        return given
    if given in SEARCHES:
        return SEARCHES[given]()
    raise ParameterError(
        f"{who} got search={given!r}, but takes a search object or one of {', '.join(map(repr, SEARCHES))}; pass one "
        f"of them.{closest(str(given), SEARCHES)}"
    )
