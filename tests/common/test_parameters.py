"""Equal names of parameters have equal types, defaults and texts; what differs is listed here."""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from typing import Any

import pytest

from common.tables import joined
from fewer import registry

# Type and first words of every parameter that several methods have; each may say more after these words.
SHARED = {
    "n_features_to_select": (
        "int, float, str, tuple, Stop or None",
        'How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary)',
    ),
    "discretizer": (
        '{"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None',
        "How numeric columns are put into bins; None says that X holds bin numbers already.",
    ),
    "bins": ("int", 'Number of bins for "quantile" and "uniform".'),
    "categorical_features": ("array-like of int, str or bool", "Nominal columns besides those whose dtype says so."),
    "random_state": ("int, Generator or None", "Seed of the random part; the same number gives the same result."),
    "n_jobs": ("int or None", "Number of threads."),
    "estimator": ("estimator, str, criterion or None", "What evaluates a subset: an estimator by its cross-validated"),
    "cv": ("int, str, splitter, iterable or None", "Splits of the rows, the same for all subsets; None is five folds"),
    "checkpoint": ("str or path", "A file to which evaluations are written, and from which a search that was stopped"),
    "n_neighbors": ("int", "Number of nearest rows"),
    "ramp": ("tuple of two floats or None", "Fractions of the range up to which numbers are equal and beyond which"),
    "max_iter": ("int", "Most iterations"),
    "patience": ("int or None", "How many steps in a row may fail to find a better subset"),
    "n_samples": ("int or None", "Number of rows, drawn at random without replacement, that look for neighbours"),
    "neighbor_weights": ('{"equal", "exponential"}', "Whether neighbours count alike, or less with their rank r"),
    "n_passes": ("int", "Passes over the rows"),
    "step": ("int", "How many features move at once"),
    "population": ("int", "Subsets in each generation"),
    "generations": ("int", "Most generations"),
    "ranker": ("str, selector or None", "What ranks the features: the name of a method, or a selector"),
    "k": ("int", "Size of the blankets"),
    "degree": ("int", "Highest power of a feature"),
    "sigma": ("float", "Width of the"),
}
CAUSAL = [entry.name for entry in registry.METHODS if entry.family == "causal"]
# One word of the field, several things: each use is named, so that a further one is a decision.
HOMONYMS = {
    "alpha": ["BIRS", "RankOrderNB", *CAUSAL, "Shadow", "IPE", "ACE"],
    "decay": ["DependenceTreeSelector", "OnlineIRelief"],
    "delta": ["FCBF", "HHSVM"],
    "direction": ["BestFirstSelector", "FloatingSelector", "SequentialSelector"],
    # A forest on bins, or a short series of trees.
    "n_trees": ["ACE", "IPE", "PermutationTest", "Shadow"],
    # Where a path ends, or penalties of components.
    "l1": ["DrSVM", "HHSVM", "L1SVM", "LarsEN", "SPCA"],
    "l2": ["DrSVM", "HHSVM", "LarsEN", "SPCA"],
    "epsilon": ["BestFirstSelector", "RMRanker", "SVMRanker"],
    "max_depth": ["ACE", "IPE", "MonotoneTree", "TreeFilter"],
    "percentile": ["ACE", "IPE", "OrdEval"],
    # Of a model, or of trees in and out of bag.
    "importance": ["ACE", "FromModel", "IPE", "RFE"],
    # Permutations, or samples of rows.
    "n_repeats": ["FromModel", "RFE", "RankAggregation"],
    # How many, or a power.
    "q": ["Bridge", "StabilitySelection"],
    "sampling": ["LVF", "ReliefF"],
    "standardize": ["DMRanker", "R2W2", "RMRanker", "SPCA", "SVMRanker"],
    "threshold": ["LVF", "RedundancyTree", "StabilitySelection", "Winnow"],
    "ties": ["BooleanOrder", "RReliefF", "RankOrderNB", "Relief", "ReliefF", "ReliefRatio"],
    "tol": [
        *["Bridge", "HHSVM", "HillClimbingSelector", "IRelief", "OnlineIRelief", "RVE", "RVErS", "SPCA"],
        *["DMRanker", "R2W2", "RMRanker", "SVMRanker", "SequentialSelector"],
    ],
}
# Methods whose type or default differs, because their source or their search asks for it.
OWN_TYPES = {
    "discretizer": {"DefaultRecipe": "runs on files", "wrappers": "need no neighbours"},
    "estimator": dict.fromkeys(["OrderedFS", "DefaultRecipe", "ensembles"], "takes no criterion"),
    "max_iter": {"RVE": "None is no bound", "RVErS": "None is no bound"},
    "n_neighbors": dict.fromkeys(["ReliefF", "RReliefF", "ReliefRatio", "GSRelief", "OReliefF"], '"log" too'),
    "patience": dict.fromkeys(["BestFirstSelector", "DependenceTreeSelector", "EBNASelector", "LVW"], "has a bound"),
    "ranker": {"OrderedFS": "needs one", "RankSearch": "needs one"},
    "start": {"HillClimbingSelector": "another order of the words"},
    "step": dict.fromkeys(
        ["SequentialSelector", "RFE", "SVMRanker", "RMRanker", "DMRanker", "R2W2"], "a fraction, or none, too"
    ),
}
# What it is for differs: bins of a numeric target; an estimator that reports importances, not one that scores subsets.
OWN_TEXTS = {
    "bins": ["OrdEval"],
    "estimator": ["ensembles"],
    "checkpoint": ["ensembles"],
    # They are permuted, not moved; and removed.
    "feature_groups": ["FromModel"],
    "step": ["ensembles", "embedded"],
    # Their rules are others.
    "n_features_to_select": ["FromModel", "RFE"],
}
DEFAULTS = {"n_features_to_select": 10, "discretizer": "quantile", "n_neighbors": 10, "estimator": None, "sigma": 20.0}
OWN_DEFAULTS = {
    "n_features_to_select": [
        *["FCBF", "RBF", "CFS", "Consistency", "SPERanker", "RedundancyTree"],
        *["DefaultRecipe", "RMHCPrototypes", "FeatureVoting", "hygiene", "wrappers", "causal", "IPE", "ACE"],
        *["PermutationTest", "Shadow", "StabilitySelection", "TreeFilter"],
    ],
    "discretizer": ["InformationBlanketOrder"],
    # Without a search, the same fit gives the same importances.
    "random_state": ["FromModel", "RFE"],
    "step": ["RFE", "R2W2"],
    # As in its chapter.
    "cv": ["FeatureVoting", "LarsEN", "Bridge"],
    # Tables of several given features have many cells.
    "bins": ["causal"],
    "n_neighbors": ["KendallKNN", "MC1", "ReliefRatio", "GSRelief"],
    "estimator": ["BranchAndBoundSelector", "LVF"],
    "sigma": ["IRelief", "OnlineIRelief"],
    "degree": ["GramSchmidtRanker"],
    # For which it is fast, and after which it is named in the literature.
    "kernel": ["SVMRanker"],
    "start": ["HillClimbingSelector"],
    "max_iter": [
        *["RVE", "RVErS", "IRelief", "RMHCSelector", "LVF", "MC1", "RMHCPrototypes", "Shadow"],
        *["Bridge", "HHSVM", "SPCA", "SVMRanker", "RMRanker", "DMRanker"],
    ],
    "patience": [
        "SequentialSelector",
        "FloatingSelector",
        "GeneticSelector",
        "EBNASelector",
        "LVW",
        "BestFirstSelector",
        "FeatureVoting",
    ],
    "n_passes": ["Winnow"],
    "population": ["GeneticSelector", "DependenceTreeSelector", "EBNASelector"],
    "generations": ["GeneticSelector"],
    "ranker": ["BIRS", "OrderedFS", "RankSearch"],
}
SHARED, HOMONYMS, DEFAULTS = joined("SHARED", SHARED), joined("HOMONYMS", HOMONYMS), joined("DEFAULTS", DEFAULTS)
OWN_TYPES, OWN_TEXTS = joined("OWN_TYPES", OWN_TYPES), joined("OWN_TEXTS", OWN_TEXTS)
OWN_DEFAULTS = joined("OWN_DEFAULTS", OWN_DEFAULTS)


def described(made: Any) -> dict[str, tuple[str, str]]:
    """Return type and text of every parameter of a docstring."""
    doc = inspect.cleandoc(made.__doc__)
    section = re.search(r"Parameters\n-+\n(.*?)(?:\n\n[A-Z][A-Za-z ]+\n-+\n|\Z)", doc, re.DOTALL)
    found = re.findall(r"^(\w+) : (.*)\n((?: +.*\n?)+)", section.group(1) if section else "", re.MULTILINE)
    return {name: (kind, " ".join(text.split())) for name, kind, text in found}


USES: dict[str, dict[str, tuple[Any, str, str]]] = defaultdict(dict)
FAMILY = {entry.name: entry.family for entry in registry.METHODS}
for entry in registry.METHODS:
    made = registry.load(entry.name)
    texts = described(made)
    for name, parameter in inspect.signature(made).parameters.items():
        USES[name][entry.name] = (parameter.default, *texts[name])
SEVERAL = sorted(name for name, uses in USES.items() if len(uses) > 1 and name not in HOMONYMS)


@pytest.mark.parametrize("name", sorted(USES))
def test_docstrings_state_the_defaults_of_the_constructors(name):
    for method, (default, kind, _) in USES[name].items():
        if default is not inspect.Parameter.empty:
            stated = re.search(r", default=(.*)$", kind)
            assert stated, (method, kind)
            assert _same(stated.group(1), default), (method, kind, default)


def _same(stated: str, default: Any) -> bool:
    return stated.strip('"') == default if isinstance(default, str) else eval(stated) == default


@pytest.mark.parametrize("name", SEVERAL)
def test_equal_names_have_equal_types(name):
    kinds = {}
    for method, (_, kind, _) in USES[name].items():
        if not {method, FAMILY[method]} & set(OWN_TYPES.get(name, ())):
            kinds[method] = re.sub(r", default=.*$", "", kind)
    assert len(set(kinds.values())) == 1, kinds
    if name in SHARED:
        assert set(kinds.values()) == {SHARED[name][0]}


@pytest.mark.parametrize("name", SEVERAL)
def test_equal_names_have_equal_texts(name):
    own = OWN_TEXTS.get(name, ())
    texts = {m: text for m, (_, _, text) in USES[name].items() if not {m, FAMILY[m]} & set(own)}
    if name in SHARED:
        assert all(text.startswith(SHARED[name][1]) for text in texts.values()), texts
    else:
        assert len(set(texts.values())) == 1, texts


@pytest.mark.parametrize("name", SEVERAL)
def test_equal_names_have_equal_defaults(name):
    own = set(OWN_DEFAULTS.get(name, ()))
    rest = {method: default for method, (default, _, _) in USES[name].items() if not {method, FAMILY[method]} & own}
    assert len(set(map(repr, rest.values()))) <= 1, rest
    if name in DEFAULTS:
        assert all(default == DEFAULTS[name] for default in rest.values())


def test_every_other_meaning_of_a_name_is_listed():
    for name, methods in HOMONYMS.items():
        assert sorted(USES[name]) == sorted(set(methods)), name
