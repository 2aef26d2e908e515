# Made by `python tools/stub.py` from the registry; change that, not this file.
# ruff: noqa: I001, RUF022
"""fewer: feature selection in one library.

Which features matter, which are redundant and why, how sure we are.
"""

from fewer import api as api
from fewer import criteria as criteria
from fewer import discretize as discretize
from fewer import evaluate as evaluate
from fewer import export as export
from fewer import independence as independence
from fewer import io as io
from fewer import measures as measures
from fewer import plugins as plugins
from fewer import registry as registry
from fewer import results as results
from fewer import search as search
from fewer import stop as stop
from fewer import synth as synth
from fewer._version import __version__ as __version__
from fewer.api import catalog as catalog
from fewer.api import get as get
from fewer.api import rank as rank
from fewer.api import select as select
from fewer.api import use as use
from fewer.evaluate.compare import compare as compare
from fewer.evaluate.comparison import Comparison as Comparison
from fewer.evaluate.half_comparison import HalfComparison as HalfComparison
from fewer.evaluate.without_target import compare_without_target as compare_without_target
from fewer.io import Pairs as Pairs
from fewer.io import open_table as open_table
from fewer.methods.across_targets import AcrossTargets as AcrossTargets
from fewer.methods.active.mac import MAC as MAC
from fewer.methods.active.random_acquisition import RandomAcquisition as RandomAcquisition
from fewer.methods.causal.fast_iamb import FastIAMB as FastIAMB
from fewer.methods.causal.grow_shrink import GrowShrink as GrowShrink
from fewer.methods.causal.hiton import HITON as HITON
from fewer.methods.causal.hiton_pc import HITONPC as HITONPC
from fewer.methods.causal.iamb import IAMB as IAMB
from fewer.methods.causal.inter_iamb import InterIAMB as InterIAMB
from fewer.methods.causal.mmmb import MMMB as MMMB
from fewer.methods.causal.mmpc import MMPC as MMPC
from fewer.methods.causal.pc import PC as PC
from fewer.methods.causal.relevance_classes import RelevanceClasses as RelevanceClasses
from fewer.methods.compose import Chain as Chain
from fewer.methods.compose import Selector as Selector
from fewer.methods.constrained import Constrained as Constrained
from fewer.methods.embedded.bridge import Bridge as Bridge
from fewer.methods.embedded.dm_ranker import DMRanker as DMRanker
from fewer.methods.embedded.dr_svm import DrSVM as DrSVM
from fewer.methods.embedded.hh_svm import HHSVM as HHSVM
from fewer.methods.embedded.l1_svm import L1SVM as L1SVM
from fewer.methods.embedded.lars_en import LarsEN as LarsEN
from fewer.methods.embedded.r2w2 import R2W2 as R2W2
from fewer.methods.embedded.rm_ranker import RMRanker as RMRanker
from fewer.methods.embedded.spca import SPCA as SPCA
from fewer.methods.embedded.spike_slab import SpikeSlab as SpikeSlab
from fewer.methods.embedded.svm_ranker import SVMRanker as SVMRanker
from fewer.methods.embedded.tree_filter import TreeFilter as TreeFilter
from fewer.methods.embedded.voting_gibbs import VotingGibbs as VotingGibbs
from fewer.methods.embedded.winnow import Winnow as Winnow
from fewer.methods.ensembles.ace import ACE as ACE
from fewer.methods.ensembles.feature_voting import FeatureVoting as FeatureVoting
from fewer.methods.ensembles.from_model import FromModel as FromModel
from fewer.methods.ensembles.ipe import IPE as IPE
from fewer.methods.ensembles.permutation_test import PermutationTest as PermutationTest
from fewer.methods.ensembles.rank_aggregation import RankAggregation as RankAggregation
from fewer.methods.ensembles.rfe import RFE as RFE
from fewer.methods.ensembles.shadow import Shadow as Shadow
from fewer.methods.ensembles.stability_selection import StabilitySelection as StabilitySelection
from fewer.methods.hygiene.constant_filter import ConstantFilter as ConstantFilter
from fewer.methods.hygiene.correlation_filter import CorrelationFilter as CorrelationFilter
from fewer.methods.hygiene.drift_filter import DriftFilter as DriftFilter
from fewer.methods.hygiene.duplicate_filter import DuplicateFilter as DuplicateFilter
from fewer.methods.hygiene.identifier_filter import IdentifierFilter as IdentifierFilter
from fewer.methods.hygiene.leak_suspects import LeakSuspects as LeakSuspects
from fewer.methods.hygiene.missing_filter import MissingFilter as MissingFilter
from fewer.methods.hygiene.population_stability import PopulationStability as PopulationStability
from fewer.methods.information.gaussian_mrmr import GaussianMRMR as GaussianMRMR
from fewer.methods.information.higher import CMIGreedy as CMIGreedy
from fewer.methods.information.higher import JMI3 as JMI3
from fewer.methods.information.impurity import JIM as JIM
from fewer.methods.information.joint import CIFE as CIFE
from fewer.methods.information.joint import DISR as DISR
from fewer.methods.information.joint import ICAP as ICAP
from fewer.methods.information.joint import JMI as JMI
from fewer.methods.information.mim import MIM as MIM
from fewer.methods.information.minimum import CMIM as CMIM
from fewer.methods.information.minimum import JMIM as JMIM
from fewer.methods.information.minimum import NJMIM as NJMIM
from fewer.methods.information.mrmr import MIFS as MIFS
from fewer.methods.information.mrmr import MRMR as MRMR
from fewer.methods.local.adamenn import ADAMENN as ADAMENN
from fewer.methods.local.dann import DANN as DANN
from fewer.methods.local.lamanna import LaMaNNa as LaMaNNa
from fewer.methods.local.literal_relief import LiteralRelief as LiteralRelief
from fewer.methods.local.machete import Machete as Machete
from fewer.methods.local.relief_constructs import ReliefConstructs as ReliefConstructs
from fewer.methods.local.relief_knn import ReliefKNN as ReliefKNN
from fewer.methods.local.relief_knn import ReliefKNNRegressor as ReliefKNNRegressor
from fewer.methods.local.relief_tree import ReliefTree as ReliefTree
from fewer.methods.local.relief_tree import ReliefTreeRegressor as ReliefTreeRegressor
from fewer.methods.local.scythe import Scythe as Scythe
from fewer.methods.local.sub_dann import SubDANN as SubDANN
from fewer.methods.ordinal.monotone_tree import MonotoneTree as MonotoneTree
from fewer.methods.ordinal.orelief import OReliefF as OReliefF
from fewer.methods.ordinal.osimba import OSimba as OSimba
from fewer.methods.ordinal.rank_information import RankMutualInformation as RankMutualInformation
from fewer.methods.projection.bvq import BVQ as BVQ
from fewer.methods.projection.bvqfe import BVQFE as BVQFE
from fewer.methods.projection.canonical_analysis import CanonicalAnalysis as CanonicalAnalysis
from fewer.methods.projection.decision_boundary import DecisionBoundary as DecisionBoundary
from fewer.methods.projection.svm_decision_boundary import SVMDecisionBoundary as SVMDecisionBoundary
from fewer.methods.prototypes.mc1 import MC1 as MC1
from fewer.methods.prototypes.rmhc import RMHCPrototypes as RMHCPrototypes
from fewer.methods.rank_order.boolean_order import BooleanOrder as BooleanOrder
from fewer.methods.rank_order.kendall_knn import KendallKNN as KendallKNN
from fewer.methods.rank_order.naive_bayes import RankOrderNB as RankOrderNB
from fewer.methods.rank_order.rank_elimination import RankOrderElimination as RankOrderElimination
from fewer.methods.recipe import DefaultRecipe as DefaultRecipe
from fewer.methods.redundancy.blanket_order import InformationBlanketOrder as InformationBlanketOrder
from fewer.methods.redundancy.cfs import CFS as CFS
from fewer.methods.redundancy.consistency import Consistency as Consistency
from fewer.methods.redundancy.fcbf import FCBF as FCBF
from fewer.methods.redundancy.gram_schmidt import GramSchmidtRanker as GramSchmidtRanker
from fewer.methods.redundancy.markov_blanket import MarkovBlanketFilter as MarkovBlanketFilter
from fewer.methods.redundancy.rbf import RBF as RBF
from fewer.methods.redundancy.redundancy_tree import RedundancyTree as RedundancyTree
from fewer.methods.redundancy.spe_ranker import SPERanker as SPERanker
from fewer.methods.relief.gs_relief import GSRelief as GSRelief
from fewer.methods.relief.irelief import IRelief as IRelief
from fewer.methods.relief.online_irelief import OnlineIRelief as OnlineIRelief
from fewer.methods.relief.ord_eval import OrdEval as OrdEval
from fewer.methods.relief.relief import Relief as Relief
from fewer.methods.relief.relief_ratio import ReliefRatio as ReliefRatio
from fewer.methods.relief.relieff import ReliefF as ReliefF
from fewer.methods.relief.rrelieff import RReliefF as RReliefF
from fewer.methods.relief.simba import Simba as Simba
from fewer.methods.relief.surf import MultiSURF as MultiSURF
from fewer.methods.relief.surf import MultiSURFStar as MultiSURFStar
from fewer.methods.relief.surf import SURF as SURF
from fewer.methods.relief.surf import SURFStar as SURFStar
from fewer.methods.semisupervised.constrained_coclustering import ConstrainedCoClustering as ConstrainedCoClustering
from fewer.methods.semisupervised.constraint_projection import ConstraintProjection as ConstraintProjection
from fewer.methods.semisupervised.pcs_kmeans import PCSKMeans as PCSKMeans
from fewer.methods.semisupervised.rca import RCA as RCA
from fewer.methods.semisupervised.sselect import SSelect as SSelect
from fewer.methods.semisupervised.xing_metric import XingMetric as XingMetric
from fewer.methods.sequences.cmls import CMLS as CMLS
from fewer.methods.sequences.conjunctions import Conjunctions as Conjunctions
from fewer.methods.sequences.fga import FGA as FGA
from fewer.methods.sequences.floating_conjunctions import FloatingConjunctions as FloatingConjunctions
from fewer.methods.sequences.kmers import Kmers as Kmers
from fewer.methods.sequences.mdd import MDD as MDD
from fewer.methods.sequences.weight_array import WeightArray as WeightArray
from fewer.methods.sequences.weight_matrix import WeightMatrix as WeightMatrix
from fewer.methods.text.aggressive_terms import AggressiveTerms as AggressiveTerms
from fewer.methods.text.character_ngrams import CharacterNgrams as CharacterNgrams
from fewer.methods.text.pip import PIP as PIP
from fewer.methods.text.pip import PIPPoisson as PIPPoisson
from fewer.methods.text.poisson_nb import PoissonNB as PoissonNB
from fewer.methods.text.rocchio import Rocchio as Rocchio
from fewer.methods.text.spread_fx import SpreadFx as SpreadFx
from fewer.methods.text.surface_properties import SurfaceProperties as SurfaceProperties
from fewer.methods.text.text_fields import TextFields as TextFields
from fewer.methods.text.text_score import TextScore as TextScore
from fewer.methods.text.text_search import TextSearch as TextSearch
from fewer.methods.text.text_values import TextValues as TextValues
from fewer.methods.text.top_down import TopDownTextScore as TopDownTextScore
from fewer.methods.text.two_pass_terms import TwoPassTerms as TwoPassTerms
from fewer.methods.text.words import Phrases as Phrases
from fewer.methods.text.words import Words as Words
from fewer.methods.univariate.chatterjee import ChatterjeeXi as ChatterjeeXi
from fewer.methods.univariate.chi2 import Chi2 as Chi2
from fewer.methods.univariate.class_means import FTest as FTest
from fewer.methods.univariate.class_means import TTest as TTest
from fewer.methods.univariate.class_means import WelchTest as WelchTest
from fewer.methods.univariate.correlation import Kendall as Kendall
from fewer.methods.univariate.correlation import Pearson as Pearson
from fewer.methods.univariate.correlation import Spearman as Spearman
from fewer.methods.univariate.distance_correlation import DistanceCorrelation as DistanceCorrelation
from fewer.methods.univariate.entropy_scores import DistanceGain as DistanceGain
from fewer.methods.univariate.entropy_scores import GainRatio as GainRatio
from fewer.methods.univariate.entropy_scores import InformationGain as InformationGain
from fewer.methods.univariate.entropy_scores import SymmetricalUncertainty as SymmetricalUncertainty
from fewer.methods.univariate.hsic import HSIC as HSIC
from fewer.methods.univariate.impurity_scores import GiniGain as GiniGain
from fewer.methods.univariate.impurity_scores import MDLScore as MDLScore
from fewer.methods.univariate.impurity_scores import MyopicRelief as MyopicRelief
from fewer.methods.univariate.information_value import InformationValue as InformationValue
from fewer.methods.univariate.mixture_overlap import MixtureOverlap as MixtureOverlap
from fewer.methods.univariate.neighbor_information import NeighborMutualInformation as NeighborMutualInformation
from fewer.methods.univariate.random_ranking import RandomRanking as RandomRanking
from fewer.methods.univariate.rank_tests import FeatureAUC as FeatureAUC
from fewer.methods.univariate.rank_tests import KruskalWallis as KruskalWallis
from fewer.methods.univariate.rank_tests import RankSum as RankSum
from fewer.methods.univariate.score_selector import ScoreSelector as ScoreSelector
from fewer.methods.univariate.separation import FisherScore as FisherScore
from fewer.methods.univariate.separation import SignalToNoise as SignalToNoise
from fewer.methods.univariate.survival_scores import Concordance as Concordance
from fewer.methods.univariate.survival_scores import CoxScore as CoxScore
from fewer.methods.univariate.survival_scores import LogRank as LogRank
from fewer.methods.univariate.variance_reduction import VarianceReduction as VarianceReduction
from fewer.methods.unsupervised.bregman_coclustering import BregmanCoClustering as BregmanCoClustering
from fewer.methods.unsupervised.category_utility import CategoryUtility as CategoryUtility
from fewer.methods.unsupervised.click import CLICK as CLICK
from fewer.methods.unsupervised.clique import CLIQUE as CLIQUE
from fewer.methods.unsupervised.convex_kmeans import ConvexKMeans as ConvexKMeans
from fewer.methods.unsupervised.cosa import COSA as COSA
from fewer.methods.unsupervised.distance_entropy import DistanceEntropy as DistanceEntropy
from fewer.methods.unsupervised.enclus import ENCLUS as ENCLUS
from fewer.methods.unsupervised.ewkmeans import EWKMeans as EWKMeans
from fewer.methods.unsupervised.feature_clustering import FeatureClustering as FeatureClustering
from fewer.methods.unsupervised.feature_dependence import FeatureDependence as FeatureDependence
from fewer.methods.unsupervised.feature_saliency import FeatureSaliency as FeatureSaliency
from fewer.methods.unsupervised.fssem import FSSEM as FSSEM
from fewer.methods.unsupervised.information_coclustering import InformationCoClustering as InformationCoClustering
from fewer.methods.unsupervised.laplacian_score import LaplacianScore as LaplacianScore
from fewer.methods.unsupervised.mcfs import MCFS as MCFS
from fewer.methods.unsupervised.optimal_weighting import OptimalWeights as OptimalWeights
from fewer.methods.unsupervised.plain_kmeans import PlainKMeans as PlainKMeans
from fewer.methods.unsupervised.proclus import PROCLUS as PROCLUS
from fewer.methods.unsupervised.spec import SPEC as SPEC
from fewer.methods.unsupervised.spherical_kmeans import SphericalKMeans as SphericalKMeans
from fewer.methods.unsupervised.subspace_kmeans import SubspaceKMeans as SubspaceKMeans
from fewer.methods.unsupervised.synclus import SYNCLUS as SYNCLUS
from fewer.methods.unsupervised.term_likelihood import TermLikelihood as TermLikelihood
from fewer.methods.unsupervised.unlabelled_recipe import UnlabelledRecipe as UnlabelledRecipe
from fewer.methods.unsupervised.wkmeans import WKMeans as WKMeans
from fewer.methods.unsupervised.wkmeans_selector import WKMeansSelector as WKMeansSelector
from fewer.methods.wrappers.annealing import AnnealingSelector as AnnealingSelector
from fewer.methods.wrappers.annealing import RMHCSelector as RMHCSelector
from fewer.methods.wrappers.birs import BIRS as BIRS
from fewer.methods.wrappers.climbing import BestFirstSelector as BestFirstSelector
from fewer.methods.wrappers.climbing import HillClimbingSelector as HillClimbingSelector
from fewer.methods.wrappers.complete import BranchAndBoundSelector as BranchAndBoundSelector
from fewer.methods.wrappers.complete import ExhaustiveSelector as ExhaustiveSelector
from fewer.methods.wrappers.distribution import DependenceTreeSelector as DependenceTreeSelector
from fewer.methods.wrappers.distribution import EBNASelector as EBNASelector
from fewer.methods.wrappers.genetic import GeneticSelector as GeneticSelector
from fewer.methods.wrappers.las_vegas import LVF as LVF
from fewer.methods.wrappers.las_vegas import LVW as LVW
from fewer.methods.wrappers.ordered_fs import OrderedFS as OrderedFS
from fewer.methods.wrappers.randomized_elimination import RVE as RVE
from fewer.methods.wrappers.randomized_elimination import RVErS as RVErS
from fewer.methods.wrappers.rank_search import RankSearch as RankSearch
from fewer.methods.wrappers.sequential import FloatingSelector as FloatingSelector
from fewer.methods.wrappers.sequential import SequentialSelector as SequentialSelector
from fewer.results import Selection as Selection

__all__ = [
    "ACE",
    "ADAMENN",
    "AcrossTargets",
    "AggressiveTerms",
    "AnnealingSelector",
    "BIRS",
    "BVQ",
    "BVQFE",
    "BestFirstSelector",
    "BooleanOrder",
    "BranchAndBoundSelector",
    "BregmanCoClustering",
    "Bridge",
    "CFS",
    "CIFE",
    "CLICK",
    "CLIQUE",
    "CMIGreedy",
    "CMIM",
    "CMLS",
    "COSA",
    "CanonicalAnalysis",
    "CategoryUtility",
    "Chain",
    "CharacterNgrams",
    "ChatterjeeXi",
    "Chi2",
    "Comparison",
    "Concordance",
    "Conjunctions",
    "Consistency",
    "ConstantFilter",
    "Constrained",
    "ConstrainedCoClustering",
    "ConstraintProjection",
    "ConvexKMeans",
    "CorrelationFilter",
    "CoxScore",
    "DANN",
    "DISR",
    "DMRanker",
    "DecisionBoundary",
    "DefaultRecipe",
    "DependenceTreeSelector",
    "DistanceCorrelation",
    "DistanceEntropy",
    "DistanceGain",
    "DrSVM",
    "DriftFilter",
    "DuplicateFilter",
    "EBNASelector",
    "ENCLUS",
    "EWKMeans",
    "ExhaustiveSelector",
    "FCBF",
    "FGA",
    "FSSEM",
    "FTest",
    "FastIAMB",
    "FeatureAUC",
    "FeatureClustering",
    "FeatureDependence",
    "FeatureSaliency",
    "FeatureVoting",
    "FisherScore",
    "FloatingConjunctions",
    "FloatingSelector",
    "FromModel",
    "GSRelief",
    "GainRatio",
    "GaussianMRMR",
    "GeneticSelector",
    "GiniGain",
    "GramSchmidtRanker",
    "GrowShrink",
    "HHSVM",
    "HITON",
    "HITONPC",
    "HSIC",
    "HalfComparison",
    "HillClimbingSelector",
    "IAMB",
    "ICAP",
    "IPE",
    "IRelief",
    "IdentifierFilter",
    "InformationBlanketOrder",
    "InformationCoClustering",
    "InformationGain",
    "InformationValue",
    "InterIAMB",
    "JIM",
    "JMI",
    "JMI3",
    "JMIM",
    "Kendall",
    "KendallKNN",
    "Kmers",
    "KruskalWallis",
    "L1SVM",
    "LVF",
    "LVW",
    "LaMaNNa",
    "LaplacianScore",
    "LarsEN",
    "LeakSuspects",
    "LiteralRelief",
    "LogRank",
    "MAC",
    "MC1",
    "MCFS",
    "MDD",
    "MDLScore",
    "MIFS",
    "MIM",
    "MMMB",
    "MMPC",
    "MRMR",
    "Machete",
    "MarkovBlanketFilter",
    "MissingFilter",
    "MixtureOverlap",
    "MonotoneTree",
    "MultiSURF",
    "MultiSURFStar",
    "MyopicRelief",
    "NJMIM",
    "NeighborMutualInformation",
    "OReliefF",
    "OSimba",
    "OnlineIRelief",
    "OptimalWeights",
    "OrdEval",
    "OrderedFS",
    "PC",
    "PCSKMeans",
    "PIP",
    "PIPPoisson",
    "PROCLUS",
    "Pairs",
    "Pearson",
    "PermutationTest",
    "Phrases",
    "PlainKMeans",
    "PoissonNB",
    "PopulationStability",
    "R2W2",
    "RBF",
    "RCA",
    "RFE",
    "RMHCPrototypes",
    "RMHCSelector",
    "RMRanker",
    "RReliefF",
    "RVE",
    "RVErS",
    "RandomAcquisition",
    "RandomRanking",
    "RankAggregation",
    "RankMutualInformation",
    "RankOrderElimination",
    "RankOrderNB",
    "RankSearch",
    "RankSum",
    "RedundancyTree",
    "RelevanceClasses",
    "Relief",
    "ReliefConstructs",
    "ReliefF",
    "ReliefKNN",
    "ReliefKNNRegressor",
    "ReliefRatio",
    "ReliefTree",
    "ReliefTreeRegressor",
    "Rocchio",
    "SPCA",
    "SPEC",
    "SPERanker",
    "SSelect",
    "SURF",
    "SURFStar",
    "SVMDecisionBoundary",
    "SVMRanker",
    "SYNCLUS",
    "ScoreSelector",
    "Scythe",
    "Selection",
    "Selector",
    "SequentialSelector",
    "Shadow",
    "SignalToNoise",
    "Simba",
    "Spearman",
    "SphericalKMeans",
    "SpikeSlab",
    "SpreadFx",
    "StabilitySelection",
    "SubDANN",
    "SubspaceKMeans",
    "SurfaceProperties",
    "SymmetricalUncertainty",
    "TTest",
    "TermLikelihood",
    "TextFields",
    "TextScore",
    "TextSearch",
    "TextValues",
    "TopDownTextScore",
    "TreeFilter",
    "TwoPassTerms",
    "UnlabelledRecipe",
    "VarianceReduction",
    "VotingGibbs",
    "WKMeans",
    "WKMeansSelector",
    "WeightArray",
    "WeightMatrix",
    "WelchTest",
    "Winnow",
    "Words",
    "XingMetric",
    "__version__",
    "api",
    "catalog",
    "compare",
    "compare_without_target",
    "criteria",
    "discretize",
    "evaluate",
    "export",
    "get",
    "independence",
    "io",
    "measures",
    "open_table",
    "plugins",
    "rank",
    "registry",
    "results",
    "search",
    "select",
    "stop",
    "synth",
    "use",
]
