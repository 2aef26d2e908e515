"""How subsets are visited."""

from fewer.core.search.checkpoint import Checkpoint, search_facts
from fewer.core.search.contract import Problem, Search, SubsetSearch
from fewer.core.search.evaluations import Evaluations
from fewer.core.search.found import Found, SearchOver
from fewer.core.search.greedy import ended, greedy_forward
from fewer.core.search.outcome import Outcome, run_search, selection_of
from fewer.core.search.top import top_ranked
from fewer.core.search.turf import turf
from fewer.core.search.units import Units

__all__ = [
    "Checkpoint",
    "Evaluations",
    "Found",
    "Outcome",
    "Problem",
    "Search",
    "SearchOver",
    "SubsetSearch",
    "Units",
    "ended",
    "greedy_forward",
    "run_search",
    "search_facts",
    "selection_of",
    "top_ranked",
    "turf",
]
