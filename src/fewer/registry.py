"""The literal table of methods and public names, and the one lazy importer.

The CLI, the docs and the checks read it; importing it imports no method.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from fewer.core.records.errors import ParameterError, closest


@dataclass(frozen=True, slots=True)
class Entry:
    """One method: where it lives, what it is, and where it comes from."""

    name: str
    module: str
    room: str
    kind: str
    task: str
    seed: str

    @property
    def selects(self) -> bool:
        """Whether it selects features; others classify rows or make new features."""
        return self.kind in SELECTOR_KINDS


# Shapes of criteria; every other kind is a contract of its own.
SELECTOR_KINDS = ("ranking", "incremental", "subset", "weights")
OTHER_KINDS = {"classifier": "is a classifier", "generator": "makes new features"}

_UNIVARIATE = "fewer.methods.univariate"
_INFORMATION = "fewer.methods.information"
_REDUNDANCY = "fewer.methods.redundancy"
_RANK_ORDER = "fewer.methods.rank_order"
_RELIEF = "fewer.methods.relief"
_ORDINAL = "fewer.methods.ordinal"
_WRAPPERS = "fewer.methods.wrappers"

METHODS: tuple[Entry, ...] = (
    Entry(
        "ScoreSelector",
        f"{_UNIVARIATE}.score_selector",
        "univariate",
        "ranking",
        "any",
        "any score of the room",
    ),
    Entry(
        "InformationGain",
        f"{_UNIVARIATE}.entropy_scores",
        "univariate",
        "ranking",
        "classification",
        "book 9.2.1",
    ),
    Entry("GainRatio", f"{_UNIVARIATE}.entropy_scores", "univariate", "ranking", "classification", "book 9.2.1"),
    Entry(
        "DistanceGain",
        f"{_UNIVARIATE}.entropy_scores",
        "univariate",
        "ranking",
        "classification",
        "book 9.2.1",
    ),
    Entry(
        "SymmetricalUncertainty",
        f"{_UNIVARIATE}.entropy_scores",
        "univariate",
        "ranking",
        "classification",
        "book 17.2.3",
    ),
    Entry("GiniGain", f"{_UNIVARIATE}.impurity_scores", "univariate", "ranking", "classification", "book 9.2.1"),
    Entry("MDLScore", f"{_UNIVARIATE}.impurity_scores", "univariate", "ranking", "classification", "book 9.2.1"),
    Entry(
        "MyopicRelief",
        f"{_UNIVARIATE}.impurity_scores",
        "univariate",
        "ranking",
        "classification",
        "book 9.2.2",
    ),
    Entry("Chi2", f"{_UNIVARIATE}.chi2", "univariate", "ranking", "classification", "book 13, 14.2.6"),
    Entry(
        "VarianceReduction",
        f"{_UNIVARIATE}.variance_reduction",
        "univariate",
        "ranking",
        "regression",
        "book 9.3",
    ),
    Entry("FTest", f"{_UNIVARIATE}.class_means", "univariate", "ranking", "classification", "literature"),
    Entry("TTest", f"{_UNIVARIATE}.class_means", "univariate", "ranking", "classification", "book 17.3"),
    Entry("WelchTest", f"{_UNIVARIATE}.class_means", "univariate", "ranking", "classification", "literature"),
    Entry("SignalToNoise", f"{_UNIVARIATE}.separation", "univariate", "ranking", "classification", "literature"),
    Entry("FisherScore", f"{_UNIVARIATE}.separation", "univariate", "ranking", "classification", "literature"),
    Entry("Pearson", f"{_UNIVARIATE}.correlation", "univariate", "ranking", "any", "book 17.2.3"),
    Entry("Spearman", f"{_UNIVARIATE}.correlation", "univariate", "ranking", "any", "literature"),
    Entry("Kendall", f"{_UNIVARIATE}.correlation", "univariate", "ranking", "any", "literature"),
    Entry("RankSum", f"{_UNIVARIATE}.rank_tests", "univariate", "ranking", "classification", "book 19.4"),
    Entry("KruskalWallis", f"{_UNIVARIATE}.rank_tests", "univariate", "ranking", "classification", "literature"),
    Entry("FeatureAUC", f"{_UNIVARIATE}.rank_tests", "univariate", "ranking", "classification", "book 19.4"),
    Entry("MixtureOverlap", f"{_UNIVARIATE}.mixture_overlap", "univariate", "ranking", "none", "microarray 2.1"),
    Entry("RandomRanking", f"{_UNIVARIATE}.random_ranking", "univariate", "ranking", "none", "rank orders 5.2"),
    Entry("MIM", f"{_INFORMATION}.mim", "information", "incremental", "any", "literature"),
    Entry("MIFS", f"{_INFORMATION}.mrmr", "information", "incremental", "any", "literature"),
    Entry("MRMR", f"{_INFORMATION}.mrmr", "information", "incremental", "any", "literature"),
    Entry("CIFE", f"{_INFORMATION}.joint", "information", "incremental", "any", "literature"),
    Entry("JMI", f"{_INFORMATION}.joint", "information", "incremental", "any", "literature"),
    Entry("JMI3", f"{_INFORMATION}.higher", "information", "incremental", "any", "literature"),
    Entry("CMIM", f"{_INFORMATION}.minimum", "information", "incremental", "any", "literature"),
    Entry("CMIGreedy", f"{_INFORMATION}.higher", "information", "incremental", "any", "literature"),
    Entry("DISR", f"{_INFORMATION}.joint", "information", "incremental", "any", "literature"),
    Entry("ICAP", f"{_INFORMATION}.joint", "information", "incremental", "any", "literature"),
    Entry("JMIM", f"{_INFORMATION}.minimum", "information", "incremental", "any", "literature"),
    Entry("NJMIM", f"{_INFORMATION}.minimum", "information", "incremental", "any", "literature"),
    Entry("JIM", f"{_INFORMATION}.impurity", "information", "incremental", "any", "literature"),
    Entry("GaussianMRMR", f"{_INFORMATION}.gaussian_mrmr", "information", "incremental", "any", "literature"),
    Entry("FCBF", f"{_REDUNDANCY}.fcbf", "redundancy", "subset", "classification", "book 8.2"),
    Entry("RBF", f"{_REDUNDANCY}.rbf", "redundancy", "subset", "classification", "book 17.2.3"),
    Entry("CFS", f"{_REDUNDANCY}.cfs", "redundancy", "subset", "classification", "book 7.4.1"),
    Entry("Consistency", f"{_REDUNDANCY}.consistency", "redundancy", "subset", "classification", "book 3.6.1"),
    Entry("SPERanker", f"{_REDUNDANCY}.spe_ranker", "redundancy", "ranking", "any", "SPE-ranker"),
    Entry("GramSchmidtRanker", f"{_REDUNDANCY}.gram_schmidt", "redundancy", "incremental", "any", "SPE-ranker 2.2"),
    Entry(
        "MarkovBlanketFilter",
        f"{_REDUNDANCY}.markov_blanket",
        "redundancy",
        "subset",
        "classification",
        "book 4, 8; microarray 2.1",
    ),
    Entry(
        "InformationBlanketOrder",
        f"{_REDUNDANCY}.blanket_order",
        "redundancy",
        "subset",
        "classification",
        "microarray 2.3",
    ),
    Entry("RedundancyTree", f"{_REDUNDANCY}.redundancy_tree", "redundancy", "subset", "classification", "book 16.3"),
    Entry(
        "RankOrderElimination",
        f"{_RANK_ORDER}.rank_elimination",
        "rank_order",
        "incremental",
        "classification",
        "rank orders 3",
    ),
    Entry("BooleanOrder", f"{_RANK_ORDER}.boolean_order", "rank_order", "generator", "none", "rank orders 2"),
    Entry("RankOrderNB", f"{_RANK_ORDER}.naive_bayes", "rank_order", "classifier", "classification", "rank orders 4"),
    Entry("KendallKNN", f"{_RANK_ORDER}.kendall_knn", "rank_order", "classifier", "classification", "rank orders 2"),
    Entry("Relief", f"{_RELIEF}.relief", "relief", "ranking", "classification", "book 3.6.2, 9.2.2"),
    Entry("ReliefF", f"{_RELIEF}.relieff", "relief", "ranking", "classification", "book 9.2.3"),
    Entry("RReliefF", f"{_RELIEF}.rrelieff", "relief", "ranking", "regression", "book 9.3"),
    Entry("ReliefRatio", f"{_RELIEF}.relief_ratio", "relief", "ranking", "classification", "SPE-ranker 2.2"),
    Entry("GSRelief", f"{_RELIEF}.gs_relief", "relief", "incremental", "classification", "SPE-ranker 2.2"),
    Entry("SURF", f"{_RELIEF}.surf", "relief", "ranking", "classification", "literature"),
    Entry("SURFStar", f"{_RELIEF}.surf", "relief", "ranking", "classification", "literature"),
    Entry("MultiSURF", f"{_RELIEF}.surf", "relief", "ranking", "classification", "literature"),
    Entry("MultiSURFStar", f"{_RELIEF}.surf", "relief", "ranking", "classification", "literature"),
    Entry("Simba", f"{_RELIEF}.simba", "relief", "weights", "classification", "book 12.2"),
    Entry("IRelief", f"{_RELIEF}.irelief", "relief", "weights", "classification", "book 12.3-12.4"),
    Entry("OnlineIRelief", f"{_RELIEF}.online_irelief", "relief", "weights", "classification", "book 12.5"),
    Entry("OrdEval", f"{_RELIEF}.ord_eval", "relief", "ranking", "any", "book 9.4.3"),
    Entry("OReliefF", f"{_ORDINAL}.orelief", "ordinal", "ranking", "classification", "monotonic 3"),
    Entry("OSimba", f"{_ORDINAL}.osimba", "ordinal", "weights", "classification", "monotonic 3"),
    Entry(
        "RankMutualInformation",
        f"{_ORDINAL}.rank_information",
        "ordinal",
        "ranking",
        "classification",
        "literature",
    ),
    Entry("MonotoneTree", f"{_ORDINAL}.monotone_tree", "ordinal", "classifier", "classification", "literature"),
    Entry("SequentialSelector", f"{_WRAPPERS}.sequential", "wrappers", "subset", "any", "book 1.1, 2.3.1, 8.2"),
    Entry("FloatingSelector", f"{_WRAPPERS}.sequential", "wrappers", "subset", "any", "literature"),
    Entry("BestFirstSelector", f"{_WRAPPERS}.climbing", "wrappers", "subset", "any", "microarray 2.4"),
    Entry("ExhaustiveSelector", f"{_WRAPPERS}.complete", "wrappers", "subset", "any", "book 2.3.1"),
    Entry("BranchAndBoundSelector", f"{_WRAPPERS}.complete", "wrappers", "subset", "classification", "book 2.3.1"),
    Entry("HillClimbingSelector", f"{_WRAPPERS}.climbing", "wrappers", "subset", "any", "microarray 2.4"),
    Entry("AnnealingSelector", f"{_WRAPPERS}.annealing", "wrappers", "subset", "any", "book 3.6.3"),
    Entry("RMHCSelector", f"{_WRAPPERS}.annealing", "wrappers", "subset", "any", "book 3.6.3"),
    Entry("GeneticSelector", f"{_WRAPPERS}.genetic", "wrappers", "subset", "any", "book 3.6.4"),
    Entry("DependenceTreeSelector", f"{_WRAPPERS}.distribution", "wrappers", "subset", "any", "microarray 2.4"),
    Entry("EBNASelector", f"{_WRAPPERS}.distribution", "wrappers", "subset", "any", "book 3.6.5"),
    Entry("LVF", f"{_WRAPPERS}.las_vegas", "wrappers", "subset", "classification", "book 3.6.1"),
    Entry("LVW", f"{_WRAPPERS}.las_vegas", "wrappers", "subset", "any", "literature"),
    Entry("MC1", "fewer.methods.prototypes.mc1", "prototypes", "classifier", "classification", "book 3.6.2"),
    Entry("RMHCPrototypes", "fewer.methods.prototypes.rmhc", "prototypes", "subset", "classification", "book 3.6.3"),
    Entry("RVE", f"{_WRAPPERS}.randomized_elimination", "wrappers", "subset", "any", "book 3.6.6"),
    Entry("RVErS", f"{_WRAPPERS}.randomized_elimination", "wrappers", "subset", "any", "book 3.6.6"),
    Entry("OrderedFS", f"{_WRAPPERS}.ordered_fs", "wrappers", "subset", "any", "microarray 2.4; book 9.7.1, 17.3.1"),
    Entry("BIRS", f"{_WRAPPERS}.birs", "wrappers", "subset", "any", "book 8.4"),
    Entry("RankSearch", f"{_WRAPPERS}.rank_search", "wrappers", "subset", "any", "book 8.2"),
    Entry("DefaultRecipe", "fewer.methods.recipe", "recipe", "subset", "any", "literature"),
)

_BY_NAME = {entry.name: entry for entry in METHODS}


def entry(name: str) -> Entry:
    """Return the entry of a method, by its name in any case."""
    name = str(name)
    found = _BY_NAME.get(name) or next((e for e in METHODS if e.name.lower() == name.lower()), None)
    if found is None:
        raise ParameterError(
            f"There is no method named {name!r}; 'fewer methods' and fewer.catalog() list all {len(METHODS)}."
            f"{closest(name, _BY_NAME)}"
        )
    return found


def part(module: str, name: str) -> Any:
    """Import a module and return one of its names: for what stands above the caller, and for what is loaded late."""
    return getattr(import_module(module), name)


def load(name: str) -> Any:
    """Import and return the class of a method."""
    found = entry(name)
    return part(found.module, found.name)


def load_selector(name: str) -> Any:
    """Import and return the class of a method that selects features."""
    found = entry(name)
    if not found.selects:
        raise ParameterError(
            f"{found.name} {OTHER_KINDS[found.kind]} and selects no features; use it before or after a selector, and "
            "choose one here, such as RankOrderElimination."
        )
    return load(name)


# Names of the package beside the methods, and where each lives.
FUNCTIONS = {
    "select": "fewer.api",
    "rank": "fewer.api",
    "compare": "fewer.evaluate.compare",
    "catalog": "fewer.api",
    "get": "fewer.api",
    "use": "fewer.api",
    "open_table": "fewer.io",
    "Selection": "fewer.results",
    "Comparison": "fewer.evaluate.comparison",
    "Selector": "fewer.methods.compose",
    "Chain": "fewer.methods.compose",
}
MODULES = (
    "api",
    "criteria",
    "discretize",
    "evaluate",
    "independence",
    "io",
    "measures",
    "results",
    "search",
    "stop",
    "synth",
)


def public_names() -> set[str]:
    """Return every name that `fewer` offers."""
    return {*FUNCTIONS, *MODULES, *_BY_NAME}


def public(name: str) -> Any:
    """Import and return a public name of `fewer`."""
    if name in FUNCTIONS:
        return part(FUNCTIONS[name], name)
    if name in MODULES:
        return import_module(f"fewer.{name}")
    if name in _BY_NAME:
        return load(name)
    hint = "" if name.startswith("_") else closest(name, [*FUNCTIONS, *_BY_NAME])
    raise AttributeError(f"module 'fewer' has no attribute {name!r}.{hint}")
