"""Generators of data whose relevant features are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fewer.synth.bif import read_bif
from fewer.synth.borders import (
    lee_landgrebe_density,
    make_lee_landgrebe,
    make_three_rectangles,
    three_rectangles_density,
)
from fewer.synth.breiman import make_ringnorm, make_twonorm, make_waveform, make_waveform40
from fewer.synth.causes import make_chessboard, make_simpson, make_spouse
from fewer.synth.channels import make_binary_channels
from fewer.synth.clusters import (
    make_cluster_irrelevant,
    make_cluster_redundant,
    make_dim_dependent_clusters,
    make_noise_feature_clusters,
    make_subspace_clusters,
    make_uniform_cube,
    unit_box_counts,
)
from fewer.synth.correlated import make_drsvm_toy
from fewer.synth.grouped import make_elastic_net_groups
from fewer.synth.injected import redundancy_noise_sets
from fewer.synth.logic import make_boolean_redundant, make_corral, make_m_of_n, make_parity, make_xor
from fewer.synth.monks import make_monks
from fewer.synth.monotone import make_monotone
from fewer.synth.motifs import make_planted_sequences
from fewer.synth.networks import asia_network, lung_cancer_network, make_asia, make_lung_cancer, make_network
from fewer.synth.noise import add_noise_features, flip_labels, make_noise, make_two_clusters_irrelevant
from fewer.synth.ordinal import make_ordinal_kano
from fewer.synth.pairwise import sample_pairwise_constraints as sample_pairwise_constraints
from fewer.synth.planted import make_planted, make_planted_regression
from fewer.synth.polynomial import make_anticorrelated, make_polynomial
from fewer.synth.rank_orders import make_concordant_orders, make_rank_order
from fewer.synth.synthetic import Synthetic
from fewer.synth.topics import make_topics
from fewer.synth.trees import make_friedman_random_function, make_linear_hard_for_trees
from fewer.synth.weston import make_weston_linear, make_weston_nonlinear


class GeneratorEntry(NamedTuple):
    """A generator and what it makes, in one line."""

    make: Callable[..., Synthetic]
    help: str


GENERATORS: dict[str, GeneratorEntry] = {
    "planted": GeneratorEntry(make_planted, "classes that differ in a few features, with copies, constants and noise"),
    "planted_regression": GeneratorEntry(
        make_planted_regression, "a weighted sum of a few features, with the same extras"
    ),
    "planted_sequences": GeneratorEntry(
        make_planted_sequences, "random sequences, those of one class with planted letters or words"
    ),
    "xor": GeneratorEntry(make_xor, "a target that no relevant feature alone says anything about"),
    "parity": GeneratorEntry(make_parity, "the parity of some of several bits, as truth table or sample"),
    "m_of_n": GeneratorEntry(make_m_of_n, "at least m of n bits among p, as truth table or sample"),
    "boolean_redundant": GeneratorEntry(
        make_boolean_redundant, "five bits: one needed, one of two needed, two irrelevant"
    ),
    "corral": GeneratorEntry(make_corral, "four bits decide, a misleading one agrees with the class in 75 %"),
    "monks": GeneratorEntry(make_monks, "the three MONK's problems over six nominal attributes"),
    "twonorm": GeneratorEntry(make_twonorm, "two overlapping normal classes in 20 dimensions"),
    "ringnorm": GeneratorEntry(make_ringnorm, "a narrow normal class inside a wide one"),
    "waveform": GeneratorEntry(make_waveform, "three classes of mixed triangular waves, 21 points"),
    "waveform40": GeneratorEntry(make_waveform40, "the waves with 19 irrelevant features"),
    "three_rectangles": GeneratorEntry(
        make_three_rectangles, "two uniform classes with a long and a short piece of border"
    ),
    "lee_landgrebe": GeneratorEntry(
        make_lee_landgrebe, "three classes of equal means in three dimensions, two of which tell them apart"
    ),
    "polynomial": GeneratorEntry(make_polynomial, "two classes divided by a polynomial, with scaled copies and noise"),
    "anticorrelated": GeneratorEntry(make_anticorrelated, "two anti-correlated features that separate only together"),
    "weston_linear": GeneratorEntry(make_weston_linear, "6 relevant features among 202, linear"),
    "weston_nonlinear": GeneratorEntry(make_weston_nonlinear, "2 relevant features among 52, classes with equal means"),
    "two_clusters_irrelevant": GeneratorEntry(make_two_clusters_irrelevant, "two clusters that a wider feature hides"),
    "cluster_irrelevant": GeneratorEntry(make_cluster_irrelevant, "two clusters on one feature, the other irrelevant"),
    "cluster_redundant": GeneratorEntry(make_cluster_redundant, "two clusters on a feature that another one repeats"),
    "dim_dependent_clusters": GeneratorEntry(
        make_dim_dependent_clusters, "three clusters on two features, of which one alone shows two"
    ),
    "noise_feature_clusters": GeneratorEntry(
        make_noise_feature_clusters, "two compact clusters on two features, beside uniform ones"
    ),
    "subspace_clusters": GeneratorEntry(
        make_subspace_clusters, "clusters that each show in features of their own, and rows in none"
    ),
    "uniform_cube": GeneratorEntry(make_uniform_cube, "uniform rows, ever fewer of them in a unit box"),
    "rank_order": GeneratorEntry(
        make_rank_order, "classes by the order of a few features, with extra and redundant ones"
    ),
    "concordant_orders": GeneratorEntry(make_concordant_orders, "classes of similar orders around orders that differ"),
    "ordinal_kano": GeneratorEntry(
        make_ordinal_kano, "ordered classes from basic, performance and excitement features"
    ),
    "monotone": GeneratorEntry(
        make_monotone, "ordered classes: a feature that rises with them, one that does not, and noise"
    ),
    "lung_cancer": GeneratorEntry(make_lung_cancer, "causes, effects and spouses of lung cancer, of a known graph"),
    "asia": GeneratorEntry(make_asia, "patients of a chest clinic, of a known graph"),
    "network": GeneratorEntry(make_network, "rows of a Bayesian network by name or in a .bif file"),
    "spouse": GeneratorEntry(make_spouse, "a feature that tells something only beside the common effect"),
    "chessboard": GeneratorEntry(make_chessboard, "the colour of a field, which neither coordinate tells alone"),
    "simpson": GeneratorEntry(make_simpson, "two consequences of one cause, which go together only without it"),
    "friedman_random_function": GeneratorEntry(
        make_friedman_random_function, "a random sum of Gaussian bumps over a few features each, with known importances"
    ),
    "linear_hard_for_trees": GeneratorEntry(
        make_linear_hard_for_trees, "a sum of five features of very different weights, among 15 of noise"
    ),
    "topics": GeneratorEntry(make_topics, "counts of terms in documents of several topics, some terms cover others"),
    "drsvm_toy": GeneratorEntry(make_drsvm_toy, "two classes that differ in one of several correlated features"),
    "elastic_net_groups": GeneratorEntry(
        make_elastic_net_groups, "two groups of three features that are nearly the same, one of them strong"
    ),
    "binary_channels": GeneratorEntry(
        make_binary_channels, "two classes and bits that each repeat the class with a known probability"
    ),
    "noise": GeneratorEntry(make_noise, "nothing but noise, with random labels"),
}

__all__ = [
    "GENERATORS",
    "GeneratorEntry",
    "Synthetic",
    "add_noise_features",
    "asia_network",
    "flip_labels",
    "lee_landgrebe_density",
    "lung_cancer_network",
    "make_anticorrelated",
    "make_asia",
    "make_binary_channels",
    "make_boolean_redundant",
    "make_chessboard",
    "make_cluster_irrelevant",
    "make_cluster_redundant",
    "make_concordant_orders",
    "make_corral",
    "make_dim_dependent_clusters",
    "make_drsvm_toy",
    "make_elastic_net_groups",
    "make_friedman_random_function",
    "make_lee_landgrebe",
    "make_linear_hard_for_trees",
    "make_lung_cancer",
    "make_m_of_n",
    "make_monks",
    "make_monotone",
    "make_network",
    "make_noise",
    "make_noise_feature_clusters",
    "make_ordinal_kano",
    "make_parity",
    "make_planted",
    "make_planted_regression",
    "make_planted_sequences",
    "make_polynomial",
    "make_rank_order",
    "make_ringnorm",
    "make_simpson",
    "make_spouse",
    "make_subspace_clusters",
    "make_three_rectangles",
    "make_topics",
    "make_two_clusters_irrelevant",
    "make_twonorm",
    "make_uniform_cube",
    "make_waveform",
    "make_waveform40",
    "make_weston_linear",
    "make_weston_nonlinear",
    "make_xor",
    "read_bif",
    "redundancy_noise_sets",
    "three_rectangles_density",
    "unit_box_counts",
]
