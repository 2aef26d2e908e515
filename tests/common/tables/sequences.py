"""Methods on sequences."""

from __future__ import annotations

HOMONYMS: dict[str, list[str]] = {
    # Letters of a word, sizes of blankets, or neighbours.
    "k": ["CLICK", "Conjunctions", "FloatingConjunctions", "InformationBlanketOrder", "Kmers", "MarkovBlanketFilter"],
    "alpha": ["MDD", "WeightArray", "WeightMatrix"],
    "l2": ["CMLS", "FGA"],
    "tol": ["CMLS"],
    "threshold": ["FGA"],
    "min_leaf": ["ACE", "IPE", "MDD"],
    "score": ["FGA", "ScoreSelector"],
    "kind": ["Kmers", "PermutationTest"],
    # Conjunctions that are drawn, or permutations.
    "n_random": ["Conjunctions", "OrdEval"],
}
OWN_TYPES: dict[str, dict[str, str]] = {"n_features_to_select": {"FGA": "a number or a fraction"}}
OWN_TEXTS: dict[str, list[str]] = {"step": ["FGA"], "n_features_to_select": ["FGA"]}
OWN_DEFAULTS: dict[str, list[str]] = {
    "max_iter": ["CMLS"],
    "n_features_to_select": ["FGA"],
    # As in the chapter.
    "step": ["FGA"],
    "k": ["Kmers"],
}
