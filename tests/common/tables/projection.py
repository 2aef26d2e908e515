"""Methods that make axes across the borders between classes."""

from __future__ import annotations

HOMONYMS: dict[str, list[str]] = {
    # A number of axes, or a fraction of what they hold.
    "n_components": ["BVQFE", "CanonicalAnalysis", "DecisionBoundary", "SVMDecisionBoundary"],
    "standardize": ["BVQ", "BVQFE", "DecisionBoundary", "SVMDecisionBoundary"],
    "n_prototypes": ["BVQ", "BVQFE", "MC1", "RMHCPrototypes"],
    "learning_rate": ["ACE", "BVQ", "BVQFE"],
    "decay": ["BVQ", "BVQFE"],
    "l2": ["CanonicalAnalysis"],
    # Of scores, or of pieces of border.
    "weighting": ["BVQFE", "FeatureVoting"],
}
_MACHINE = "has the kernels of SVC, one more than the rankers"
OWN_TYPES = {
    "estimator": {"DecisionBoundary": "a classifier whose borders are wanted"},
    "init": dict.fromkeys(["BVQ", "BVQFE"], "rows of all classes, not centres"),
    "gamma": {"SVMDecisionBoundary": _MACHINE},
    "kernel": {"SVMDecisionBoundary": _MACHINE},
}
OWN_TEXTS = {
    "estimator": ["DecisionBoundary"],
    "init": ["BVQ", "BVQFE"],
    "gamma": ["SVMDecisionBoundary"],
    "coef0": ["SVMDecisionBoundary"],
}
OWN_DEFAULTS = {
    "init": ["BVQ", "BVQFE"],
    "degree": ["SVMDecisionBoundary"],
    "kernel": ["SVMDecisionBoundary"],
    # Single rows, not passes over all.
    "max_iter": ["BVQ", "BVQFE"],
}
QUICK = {"BVQFE": {"max_iter": 2000}}
SPECIAL = {"BVQFE": {"max_iter": 20_000}}
