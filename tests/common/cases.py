"""How the common checks make an instance and fitting data for every method of the registry."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from common.tables import joined
from fewer import registry
from fewer.dispatch import CONTRACTS

# Parameters for the checks of scikit-learn and of the command line, where the defaults fit many models.
QUICK: dict[str, dict[str, Any]] = {
    **{name: {"estimator": RandomForestClassifier(10, random_state=0)} for name in ("FromModel", "RFE")},
    "PermutationTest": {"n_permutations": 5, "n_trees": 8},
    "Shadow": {"max_iter": 10, "n_trees": 8},
    "IPE": {"n_trees": 10, "n_series": 5, "max_rounds": 2, "residual_trees": 20},
    "ACE": {"n_trees": 10, "n_series": 5, "max_rounds": 2, "residual_trees": 20, "masking_trees": 10},
    "StabilitySelection": {"n_pairs": 4},
    "FeatureVoting": {
        "normalizations": ["none"],
        "bin_representatives": ["min_p"],
        "secondary": ["cfs_greedy", "none"],
        "classifiers": ["naive_bayes"],
        "cv": 3,
    },
    **{name: {"n_chains": 2, "n_sweeps": 60, "burn_in": 20, "n_draws": 40} for name in ("SpikeSlab", "VotingGibbs")},
}
# Parameters with which a method can be expected to find the planted features of Gaussian data.
SPECIAL: dict[str, dict[str, Any]] = {
    # A mixture of two Gaussians rightly finds one state in a plain Gaussian.
    "InformationBlanketOrder": {"discretizer": "quantile"},
    # Features that half of the rows have cover half of each other by chance.
    "RedundancyTree": {"tau": 0.8},
    # Methods with a random part.
    "Simba": {"random_state": 0},
    "OnlineIRelief": {"random_state": 0},
    "OSimba": {"random_state": 0},
    "RandomRanking": {"random_state": 0},
    **{name: {"random_state": 0} for name in ("HillClimbingSelector", "AnnealingSelector", "RMHCSelector", "RVE")},
    **{name: {"random_state": 0} for name in ("GeneticSelector", "DependenceTreeSelector", "EBNASelector", "RVErS")},
    **{name: {"random_state": 0} for name in ("LVF", "LVW")},
    **{name: {**QUICK[name], "random_state": 0} for name in ("FromModel", "RFE", "IPE", "ACE", "FeatureVoting")},
    # Few and small fits, but enough of them to find something.
    "Shadow": {"random_state": 0, "max_iter": 20, "n_trees": 40},
    "PermutationTest": {"random_state": 0, "n_permutations": 30, "n_trees": 40},
    "StabilitySelection": {"random_state": 0, "n_pairs": 10},
    "RMHCPrototypes": {"random_state": 0, "n_prototypes": 12},
    # Few sweeps are enough for two strong features.
    **{name: {**QUICK[name], "n_sweeps": 200, "random_state": 0} for name in ("SpikeSlab", "VotingGibbs")},
    # All subsets of many features are too many.
    "ExhaustiveSelector": {"n_features_to_select": (1, 2), "max_evaluations": 3000},
    "BranchAndBoundSelector": {"max_evaluations": 1000},
    # Distances between 2,000 rows, and trees of many folds, take long.
    "R2W2": {"max_iter": 15},
    "TreeFilter": {"cv": 3},
    # Three levels of two features and three classes leave 4 rows per cell, where 5 are wanted.
    **{name: {"h": 1.0} for name in ("GrowShrink", "IAMB", "InterIAMB", "FastIAMB", "HITONPC", "HITON")},
    **{name: {"h": 1.0} for name in ("MMPC", "MMMB", "PC", "RelevanceClasses")},
}
# Methods that draw features at random: copies share by chance what they explain. Their own tests look at ties.
DRAWN = ("FromModel", "RFE", "IPE", "ACE", "SpikeSlab", "VotingGibbs")
# Methods whose score is evidence, which grows with the number of rows, and may be against a feature.
EVIDENCE = ("PIP", "PIPPoisson")
# Methods that take weights, but for which a weight of 2 is not the same as the row twice, and why.
FOLDS = "weights reach the fits of a cross-validation, not the scores of its folds, and the rows of folds differ"
SEARCHES = """
    SequentialSelector FloatingSelector BestFirstSelector ExhaustiveSelector HillClimbingSelector AnnealingSelector
    RMHCSelector GeneticSelector DependenceTreeSelector EBNASelector LVW RVE RVErS OrderedFS BIRS RankSearch
"""
SAMPLES = "the samples of rows on which the trees of a forest are grown differ, and so do folds"
NOT_ROWS = {
    **dict.fromkeys(("FromModel", "RFE"), SAMPLES),
    **dict.fromkeys(SEARCHES.split(), FOLDS),
    "Shadow": "a row of weight 2 is drawn into bootstrap samples and shuffled as one row",
    **dict.fromkeys(("IPE", "ACE"), "a tree draws rows, and a row that is there twice may be in and out of bag"),
    "DefaultRecipe": "a row lies in one fold; copies of it would lie in several, and be known before they are tested",
}
# Of these the ones that on the rows of scikit-learn's check still choose the same.
SAME_ON_CHECKED_ROWS = {*SEARCHES.split(), "Shadow"} - {
    *("ExhaustiveSelector", "AnnealingSelector", "GeneticSelector", "RankSearch"),
}
# Methods that rightly keep nothing in some check: forests may find nothing on twelve rows.
NOTHING = joined("NOTHING", {"one feature": [], "twelve rows": ["IPE", "ACE"]})
# Changes of data without a target for methods that look for something else than features with two states each: a
# function of the noise X and of the states of the rows that plants features 3 and 5.
PLANTED = joined("PLANTED", {})
QUICK, SPECIAL, NOT_ROWS = joined("QUICK", QUICK), joined("SPECIAL", SPECIAL), joined("NOT_ROWS", NOT_ROWS)
# FEWER_METHODS="MRMR JMI" asks for the checks of these alone, and is fast to start.
ASKED = [e for e in registry.METHODS if e.name in os.environ.get("FEWER_METHODS", e.name).split()]
BY_CONTRACT = {c: [entry.name for entry in ASKED if entry.contract == c] for c in CONTRACTS}
NAMES, CLASSIFIERS, GENERATORS = (BY_CONTRACT[c] for c in ("selector", "classifier", "generator"))
CLUSTERERS, PROJECTORS, REGRESSORS = (BY_CONTRACT[c] for c in ("clusterer", "projector", "regressor"))
ACQUIRERS = BY_CONTRACT["acquirer"]


# Filters that look for what is wrong with a column, not for what it is worth.
FAULTS = [entry.name for entry in registry.METHODS if entry.family == "hygiene"]


@dataclass
class Case:
    """A method with data that suit its tags."""

    name: str
    X: np.ndarray
    y: np.ndarray | None
    relevant: tuple[int, ...]

    def make(self, **params: Any):
        return registry.load(self.name)(**{**SPECIAL.get(self.name, {}), **params})


def tags_of(name: str):
    return registry.load(name).method_tags


def takes_counts(name: str) -> bool:
    """Whether the method takes no negative numbers, and the common checks give it counts."""
    return tags_of(name).nonnegative


def takes_sequences(name: str) -> bool:
    """Whether the method takes texts, and the common checks give it sequences."""
    return "sequences" in tags_of(name).views


def shape_of(name: str) -> str:
    return registry.entry(name).shape


def is_classification(name: str) -> bool:
    """Whether the common checks give the method classes."""
    tags = tags_of(name)
    return tags.task == "classification" or tags.reads_classes


def texts(name: str, n_rows: int, rng: np.random.Generator) -> list[Any]:
    """Short documents of few words, or records of two of them."""
    made = [" ".join(rng.choice(["ball", "star", "Gun", "cod32"], 4)) for _ in range(2 * n_rows)]
    return [{"title": a, "body": b} for a, b in zip(made[::2], made[1::2])] if name == "TextFields" else made[:n_rows]


def case(name: str, n_rows: int = 120, n_noise: int = 8, seed: int = 0) -> Case:
    """Two relevant features (numbers 3 and 5) among noise; every value distinct, so that orders are unique."""
    rng = np.random.default_rng(seed)
    tags = tags_of(name)
    if "texts" in tags.views:
        return Case(name, texts(name, n_rows, rng), np.arange(n_rows) % 2 if tags.needs_target else None, ())
    if takes_sequences(name):
        letters = np.array(["".join(row) for row in rng.choice(list("ACGT"), (n_rows, n_noise + 2))])
        y = np.array([int(text[3] in "AC" and text[5] in "AG") for text in letters])
        return Case(name, letters, y if tags.needs_target else None, (3, 5))
    d = n_noise + 2
    X = rng.normal(size=(n_rows, d))
    if takes_counts(name):
        # Counts: two terms, each typical of one half of the rows.
        state = rng.integers(0, 2, n_rows)
        if tags.needs_target:
            # Documents and words, of which each of two is typical of one class by presence and by counts.
            X = rng.poisson(0.7, (n_rows, d)).astype(float)
            X[:, 3], X[:, 5] = rng.poisson(0.2 + 2.5 * state), rng.poisson(2.2 - 2.0 * state)
            return Case(name, X, state, (3, 5))
        X = rng.poisson(2.0, (n_rows, d)).astype(float)
        X[:, 3], X[:, 5] = rng.poisson(1.0 + 12.0 * state), rng.poisson(10.0 - 9.0 * state)
        return Case(name, X, state if tags.needs_target else None, (3, 5))
    if tags.task == "none":
        state = rng.integers(0, 2, n_rows)
        if name in PLANTED:
            PLANTED[name](X, state)
            return Case(name, X, None, (3, 5))
        X[:, 3] += 6.0 * state
        X[:, 5] += 5.0 * rng.permutation(state)
        # What makes new axes may learn them from labels, which it does not predict.
        known = state if registry.entry(name).contract == "projector" else None
        return Case(name, X, known, (3, 5))
    if "ranks" in tags.views:
        # Only the order within a row counts: the two features stand at opposite ends, and change places with the class.
        y = rng.integers(0, 2, n_rows)
        X[:, 3] = (2 * y - 1) * (8 + rng.random(n_rows))
        X[:, 5] = (1 - 2 * y) * (8 + rng.random(n_rows))
        return Case(name, X, y, (3, 5))
    if is_classification(name):
        # Both features are needed and tell nothing about each other, so that no criterion has a reason to avoid one.
        signal = X[:, 3] + 0.9 * X[:, 5]
        cuts = [0.0] if tags.binary_only else [-0.6, 0.6]
        return Case(name, X, np.digitize(signal, cuts), (3, 5))
    y = 2.0 * X[:, 3] - 1.5 * X[:, 5] + 0.3 * rng.normal(size=n_rows)
    return Case(name, X, y, (3, 5))
