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
}
QUICK = {"BVQFE": {"max_iter": 2000}}
SPECIAL = {"BVQFE": {"max_iter": 20_000}}
