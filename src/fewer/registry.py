"""The literal table of methods and public names, and the one lazy importer.

The CLI, the docs and the checks read it; importing it imports no method.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from fewer.core.records.errors import ParameterError, closest
from fewer.dispatch import CONTRACTS, Contract


@dataclass(frozen=True, slots=True)
class Entry:
    """One method: where it lives, what it offers, what it is made of, what it is for, and where it comes from."""

    name: str
    module: str
    family: str
    contract: str
    shape: str
    task: str
    source: str

    @property
    def offers(self) -> Contract:
        """What its contract offers."""
        return CONTRACTS[self.contract]


# Shapes of criteria.
SHAPES = ("ranking", "stepwise", "subset", "weights")

# Family: name, module of the family, shape or contract or both, task, source. What names no contract is a selector.
_FAMILIES: dict[str, tuple[tuple[str, str, str, str, str], ...]] = {
    "hygiene": (
        ("ConstantFilter", "constant_filter", "subset", "none", "practice"),
        ("DuplicateFilter", "duplicate_filter", "subset", "none", "practice"),
        ("MissingFilter", "missing_filter", "subset", "none", "practice"),
        ("IdentifierFilter", "identifier_filter", "subset", "none", "practice"),
        ("LeakSuspects", "leak_suspects", "subset", "any", "practice"),
        ("DriftFilter", "drift_filter", "subset", "none", "practice"),
        ("CorrelationFilter", "correlation_filter", "subset", "none", "practice"),
    ),
    "univariate": (
        ("ScoreSelector", "score_selector", "ranking", "any", "any score of the family"),
        ("InformationGain", "entropy_scores", "ranking", "classification", "book 9.2.1"),
        ("GainRatio", "entropy_scores", "ranking", "classification", "book 9.2.1"),
        ("DistanceGain", "entropy_scores", "ranking", "classification", "book 9.2.1"),
        ("SymmetricalUncertainty", "entropy_scores", "ranking", "classification", "book 17.2.3"),
        ("GiniGain", "impurity_scores", "ranking", "classification", "book 9.2.1"),
        ("MDLScore", "impurity_scores", "ranking", "classification", "book 9.2.1"),
        ("MyopicRelief", "impurity_scores", "ranking", "classification", "book 9.2.2"),
        ("Chi2", "chi2", "ranking", "classification", "book 13, 14.2.6"),
        ("VarianceReduction", "variance_reduction", "ranking", "regression", "book 9.3"),
        ("FTest", "class_means", "ranking", "classification", "literature"),
        ("TTest", "class_means", "ranking", "classification", "book 17.3"),
        ("WelchTest", "class_means", "ranking", "classification", "literature"),
        ("SignalToNoise", "separation", "ranking", "classification", "literature"),
        ("FisherScore", "separation", "ranking", "classification", "literature"),
        ("Pearson", "correlation", "ranking", "any", "book 17.2.3"),
        ("Spearman", "correlation", "ranking", "any", "literature"),
        ("Kendall", "correlation", "ranking", "any", "literature"),
        ("RankSum", "rank_tests", "ranking", "classification", "book 19.4"),
        ("KruskalWallis", "rank_tests", "ranking", "classification", "literature"),
        ("FeatureAUC", "rank_tests", "ranking", "classification", "book 19.4"),
        ("MixtureOverlap", "mixture_overlap", "ranking", "none", "microarray 2.1"),
        ("RandomRanking", "random_ranking", "ranking", "none", "rank orders 5.2"),
    ),
    "information": (
        ("MIM", "mim", "stepwise", "any", "literature"),
        ("MIFS", "mrmr", "stepwise", "any", "literature"),
        ("MRMR", "mrmr", "stepwise", "any", "literature"),
        ("CIFE", "joint", "stepwise", "any", "literature"),
        ("JMI", "joint", "stepwise", "any", "literature"),
        ("JMI3", "higher", "stepwise", "any", "literature"),
        ("CMIM", "minimum", "stepwise", "any", "literature"),
        ("CMIGreedy", "higher", "stepwise", "any", "literature"),
        ("DISR", "joint", "stepwise", "any", "literature"),
        ("ICAP", "joint", "stepwise", "any", "literature"),
        ("JMIM", "minimum", "stepwise", "any", "literature"),
        ("NJMIM", "minimum", "stepwise", "any", "literature"),
        ("JIM", "impurity", "stepwise", "any", "literature"),
        ("GaussianMRMR", "gaussian_mrmr", "stepwise", "any", "literature"),
    ),
    "redundancy": (
        ("FCBF", "fcbf", "subset", "classification", "book 8.2"),
        ("RBF", "rbf", "subset", "classification", "book 17.2.3"),
        ("CFS", "cfs", "subset", "classification", "book 7.4.1"),
        ("Consistency", "consistency", "subset", "classification", "book 3.6.1"),
        ("SPERanker", "spe_ranker", "ranking", "any", "SPE-ranker"),
        ("GramSchmidtRanker", "gram_schmidt", "stepwise", "any", "SPE-ranker 2.2"),
        ("MarkovBlanketFilter", "markov_blanket", "subset", "classification", "book 4, 8; microarray 2.1"),
        ("InformationBlanketOrder", "blanket_order", "subset", "classification", "microarray 2.3"),
        ("RedundancyTree", "redundancy_tree", "subset", "classification", "book 16.3"),
    ),
    "rank_order": (
        ("RankOrderElimination", "rank_elimination", "stepwise", "classification", "rank orders 3"),
        ("BooleanOrder", "boolean_order", "generator", "none", "rank orders 2"),
        ("RankOrderNB", "naive_bayes", "classifier", "classification", "rank orders 4"),
        ("KendallKNN", "kendall_knn", "classifier", "classification", "rank orders 2"),
    ),
    "relief": (
        ("Relief", "relief", "ranking", "classification", "book 3.6.2, 9.2.2"),
        ("ReliefF", "relieff", "ranking", "classification", "book 9.2.3"),
        ("RReliefF", "rrelieff", "ranking", "regression", "book 9.3"),
        ("ReliefRatio", "relief_ratio", "ranking", "classification", "SPE-ranker 2.2"),
        ("GSRelief", "gs_relief", "stepwise", "classification", "SPE-ranker 2.2"),
        ("SURF", "surf", "ranking", "classification", "literature"),
        ("SURFStar", "surf", "ranking", "classification", "literature"),
        ("MultiSURF", "surf", "ranking", "classification", "literature"),
        ("MultiSURFStar", "surf", "ranking", "classification", "literature"),
        ("Simba", "simba", "weights", "classification", "book 12.2"),
        ("IRelief", "irelief", "weights", "classification", "book 12.3-12.4"),
        ("OnlineIRelief", "online_irelief", "weights", "classification", "book 12.5"),
        ("OrdEval", "ord_eval", "ranking", "any", "book 9.4.3"),
    ),
    "ordinal": (
        ("OReliefF", "orelief", "ranking", "classification", "monotonic 3"),
        ("OSimba", "osimba", "weights", "classification", "monotonic 3"),
        ("RankMutualInformation", "rank_information", "ranking", "classification", "literature"),
        ("MonotoneTree", "monotone_tree", "classifier", "classification", "literature"),
    ),
    "wrappers": (
        ("SequentialSelector", "sequential", "subset", "any", "book 1.1, 2.3.1, 8.2"),
        ("FloatingSelector", "sequential", "subset", "any", "literature"),
        ("BestFirstSelector", "climbing", "subset", "any", "microarray 2.4"),
        ("ExhaustiveSelector", "complete", "subset", "any", "book 2.3.1"),
        ("BranchAndBoundSelector", "complete", "subset", "classification", "book 2.3.1"),
        ("HillClimbingSelector", "climbing", "subset", "any", "microarray 2.4"),
        ("AnnealingSelector", "annealing", "subset", "any", "book 3.6.3"),
        ("RMHCSelector", "annealing", "subset", "any", "book 3.6.3"),
        ("GeneticSelector", "genetic", "subset", "any", "book 3.6.4"),
        ("DependenceTreeSelector", "distribution", "subset", "any", "microarray 2.4"),
        ("EBNASelector", "distribution", "subset", "any", "book 3.6.5"),
        ("LVF", "las_vegas", "subset", "classification", "book 3.6.1"),
        ("LVW", "las_vegas", "subset", "any", "literature"),
        ("RVE", "randomized_elimination", "subset", "any", "book 3.6.6"),
        ("RVErS", "randomized_elimination", "subset", "any", "book 3.6.6"),
        ("OrderedFS", "ordered_fs", "subset", "any", "microarray 2.4; book 9.7.1, 17.3.1"),
        ("BIRS", "birs", "subset", "any", "book 8.4"),
        ("RankSearch", "rank_search", "subset", "any", "book 8.2"),
    ),
    "prototypes": (
        ("MC1", "mc1", "classifier", "classification", "book 3.6.2"),
        ("RMHCPrototypes", "rmhc", "subset", "classification", "book 3.6.3"),
    ),
    "causal": (
        ("GrowShrink", "grow_shrink", "subset", "any", "book 4.5.2"),
        ("IAMB", "iamb", "subset", "any", "book 4.5.2"),
        ("InterIAMB", "inter_iamb", "subset", "any", "book 4.5.2"),
        ("FastIAMB", "fast_iamb", "subset", "any", "literature"),
        ("HITONPC", "hiton_pc", "subset", "any", "book 4.5.2"),
        ("HITON", "hiton", "subset", "any", "book 4.5.2"),
        ("MMPC", "mmpc", "subset", "any", "book 4.5.2"),
        ("MMMB", "mmmb", "subset", "any", "book 4.5.2"),
        ("PC", "pc", "subset", "any", "book 4.5.1"),
        ("RelevanceClasses", "relevance_classes", "subset", "any", "book 4.2, 17.2.1"),
    ),
    "ensembles": (
        ("FromModel", "from_model", "ranking", "any", "literature"),
        ("RFE", "rfe", "weights", "any", "book 7.4.1.2"),
        ("PermutationTest", "permutation_test", "weights", "any", "book 7.4.1"),
        ("Shadow", "shadow", "subset", "any", "literature"),
        ("IPE", "ipe", "subset", "any", "book 7.3"),
        ("ACE", "ace", "subset", "any", "literature"),
        ("StabilitySelection", "stability_selection", "subset", "any", "literature"),
        ("RankAggregation", "rank_aggregation", "ranking", "any", "literature"),
        ("FeatureVoting", "feature_voting", "subset", "classification", "book 19"),
    ),
    "embedded": (
        ("SVMRanker", "svm_ranker", "weights", "any", "book 7.4.1.2, 18.3.2"),
        ("RMRanker", "rm_ranker", "weights", "any", "SPE-ranker"),
        ("DMRanker", "dm_ranker", "weights", "classification", "SPE-ranker"),
        ("R2W2", "r2w2", "weights", "classification", "SPE-ranker"),
        ("TreeFilter", "tree_filter", "subset", "any", "microarray"),
        ("LarsEN", "lars_en", "weights", "regression", "book 20.4"),
        ("Bridge", "bridge", "subset", "regression", "book 20.2"),
        ("L1SVM", "l1_svm", "subset", "classification", "book 20.5.1"),
        ("DrSVM", "dr_svm", "subset", "classification", "book 20.5.2"),
        ("HHSVM", "hh_svm", "subset", "classification", "literature"),
        ("SPCA", "spca", "subset", "none", "book 20.6.2"),
        ("Winnow", "winnow", "weights", "classification", "microarray 3.1"),
        ("SpikeSlab", "spike_slab", "weights", "any", "microarray 3.2"),
        ("VotingGibbs", "voting_gibbs", "weights", "classification", "microarray 3.2"),
    ),
    "unsupervised": (
        # Scores on a graph of near rows.
        ("LaplacianScore", "laplacian_score", "ranking", "none", "book 2.4.1"),
        ("SPEC", "spec", "ranking", "none", "literature"),
        ("MCFS", "mcfs", "weights", "none", "literature"),
        ("UnlabelledRecipe", "unlabelled_recipe", "subset", "none", "practice"),
        # Distances, dependence and groups of features.
        ("DistanceEntropy", "distance_entropy", "stepwise", "none", "book 2.4.1; microarray 4"),
        ("FeatureDependence", "feature_dependence", "ranking", "none", "book 2.4.1"),
        ("FeatureClustering", "feature_clustering", "subset", "none", "book 2.4.1"),
        ("CategoryUtility", "category_utility", "ranking", "none", "book 2.4.2; microarray 4"),
        # Mixtures and wrappers of clusterers.
        ("FSSEM", "fssem", "subset", "none", "book 2.4.2"),
        ("FeatureSaliency", "feature_saliency", "subset", "none", "book 2.4.2"),
        ("TermLikelihood", "term_likelihood", "subset", "none", "book 2.4.2"),
        # Centres with weights of features.
        ("WKMeans", "wkmeans", "clusterer", "none", "book 10.3"),
        ("WKMeansSelector", "wkmeans_selector", "weights", "none", "book 10.4"),
        ("SubspaceKMeans", "subspace_kmeans", "clusterer", "none", "book 10.5"),
        ("EWKMeans", "ewkmeans", "clusterer", "none", "literature"),
        ("SYNCLUS", "synclus", "clusterer", "none", "book 10.7"),
        ("OptimalWeights", "optimal_weighting", "clusterer", "none", "book 10.7"),
        ("ConvexKMeans", "convex_kmeans", "clusterer", "none", "book 10.7"),
        ("PlainKMeans", "plain_kmeans", "clusterer", "none", "book 2.2.1"),
        # Directions and co-clusters.
        ("SphericalKMeans", "spherical_kmeans", "clusterer", "none", "book 15.2.2"),
        ("InformationCoClustering", "information_coclustering", "clusterer", "none", "book 2.5.2, 15.3"),
        ("BregmanCoClustering", "bregman_coclustering", "clusterer", "none", "book 2.5.2"),
        ("CLICK", "click", "clusterer", "none", "microarray 4"),
        # Subspaces.
        ("CLIQUE", "clique", "clusterer", "none", "book 2.5.1"),
        ("ENCLUS", "enclus", "clusterer", "none", "book 2.5.1"),
        ("PROCLUS", "proclus", "clusterer", "none", "book 10.7"),
        ("COSA", "cosa", "clusterer", "none", "book 2.5.2, 10.7"),
    ),
    "semisupervised": (
        # Few labels.
        ("SSelect", "sselect", "ranking", "classification", "book 1.2"),
        # Pairs of rows.
        ("ConstraintProjection", "constraint_projection", "projector", "none", "book 15.2.1"),
        ("RCA", "rca", "projector", "none", "book 15.4.2"),
        ("XingMetric", "xing_metric", "projector", "none", "book 15.2"),
        ("PCSKMeans", "pcs_kmeans", "clusterer", "none", "book 15.2.2"),
        ("ConstrainedCoClustering", "constrained_coclustering", "clusterer", "none", "book 15.3"),
    ),
    "local": (
        # By weights of ReliefF.
        ("ReliefKNN", "relief_knn", "classifier", "classification", "book 9.7.3"),
        ("ReliefKNNRegressor", "relief_knn", "regressor", "regression", "book 9.7.3"),
        ("ReliefTree", "relief_tree", "classifier", "classification", "book 9.7.4"),
        ("ReliefTreeRegressor", "relief_tree", "regressor", "regression", "book 9.7.4"),
        ("ReliefConstructs", "relief_constructs", "generator", "any", "book 9.7.7"),
        ("LiteralRelief", "literal_relief", "ranking", "classification", "book 9.4.1"),
        # The nearest rows by a metric of the query's own.
        ("Machete", "machete", "classifier", "classification", "book 11.3.1"),
        ("Scythe", "scythe", "classifier", "classification", "book 11.3.1"),
        ("DANN", "dann", "classifier", "classification", "book 11.3.2"),
        ("SubDANN", "sub_dann", "classifier", "classification", "book 11.3.2"),
        ("ADAMENN", "adamenn", "classifier", "classification", "book 11.3.3"),
        ("LaMaNNa", "lamanna", "classifier", "classification", "book 11.4"),
    ),
    "projection": (
        ("DecisionBoundary", "decision_boundary", "projector", "classification", "book 6.2"),
        ("SVMDecisionBoundary", "svm_decision_boundary", "projector", "classification", "book 6.2.2"),
        ("BVQ", "bvq", "classifier", "classification", "book 6.3"),
        ("BVQFE", "bvqfe", "projector", "classification", "book 6.4"),
        ("CanonicalAnalysis", "canonical_analysis", "projector", "classification", "book 6.1"),
    ),
    "active": (
        ("MAC", "mac", "acquirer", "classification", "book 5.2-5.4"),
        ("RandomAcquisition", "random_acquisition", "acquirer", "classification", "book 5.5"),
    ),
    "text": (
        ("AggressiveTerms", "aggressive_terms", "subset", "classification", "book 16.3"),
        ("TextSearch", "text_search", "classifier", "classification", "book 13.1, 13.3-13.4"),
        # Classifiers and values of terms.
        ("PoissonNB", "poisson_nb", "classifier", "classification", "book 14.2.3"),
        ("Rocchio", "rocchio", "classifier", "classification", "book 16.2.1"),
        ("TextValues", "text_values", "generator", "none", "book 13.2.6"),
        # Features of texts.
        ("Words", "words", "generator", "none", "book 13.2.1"),
        ("Phrases", "words", "generator", "none", "book 13.2.3"),
        ("CharacterNgrams", "character_ngrams", "generator", "none", "book 13.2.4"),
        ("SurfaceProperties", "surface_properties", "generator", "none", "book 13.2.5"),
        ("TextFields", "text_fields", "generator", "none", "book 13.2.5"),
        ("TwoPassTerms", "two_pass_terms", "generator", "classification", "book 13.4"),
        # Scores of terms.
        ("TextScore", "text_score", "ranking", "classification", "book 13, 14, 16"),
        ("PIP", "pip", "ranking", "classification", "book 14.2"),
        ("PIPPoisson", "pip", "ranking", "classification", "book 14.2.3"),
        ("SpreadFx", "spread_fx", "stepwise", "classification", "book 13.3.2"),
        ("TopDownTextScore", "top_down", "subset", "classification", "book 13.3.3"),
    ),
    "sequences": (
        # Features of sequences.
        ("Kmers", "kmers", "generator", "none", "book 18.3.1"),
        ("Conjunctions", "conjunctions", "generator", "none", "book 18.3.1"),
        ("FloatingConjunctions", "floating_conjunctions", "generator", "none", "book 18.3.1"),
        ("FGA", "fga", "generator", "classification", "book 18.3.3"),
        # Models of signals.
        ("WeightMatrix", "weight_matrix", "classifier", "classification", "book 18.2.2"),
        ("WeightArray", "weight_array", "classifier", "classification", "book 18.2.2"),
        ("MDD", "mdd", "classifier", "classification", "book 18.2.2"),
        ("CMLS", "cmls", "classifier", "classification", "book 18.3.2"),
    ),
    # A file of its own beside the families.
    "recipe": (("DefaultRecipe", "", "subset", "any", "literature"),),
}


def _read(family: str, name: str, module: str, words: str, task: str, source: str) -> Entry:
    contract = next((word for word in words.split() if word in CONTRACTS), "selector")
    shape = next((word for word in words.split() if word in SHAPES), "none")
    return Entry(name, f"fewer.methods.{family}.{module}".rstrip("."), family, contract, shape, task, source)


METHODS = tuple(_read(family, *row) for family, rows in _FAMILIES.items() for row in rows)
FAMILIES = tuple(_FAMILIES)
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
    if not found.offers.selects:
        raise ParameterError(
            f"{found.name} {found.offers.words} and selects no features; use it before or after a selector, and "
            "choose one here, such as RankOrderElimination."
        )
    return load(name)


# Names of the package beside the methods, and where each lives.
FUNCTIONS = {
    "select": "fewer.api",
    "rank": "fewer.api",
    "compare": "fewer.evaluate.compare",
    "compare_without_target": "fewer.evaluate.without_target",
    "catalog": "fewer.api",
    "get": "fewer.api",
    "use": "fewer.api",
    "open_table": "fewer.io",
    "Pairs": "fewer.io",
    "Selection": "fewer.results",
    "Comparison": "fewer.evaluate.comparison",
    "HalfComparison": "fewer.evaluate.half_comparison",
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
