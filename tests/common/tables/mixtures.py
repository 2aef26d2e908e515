"""Of FSSEM, FeatureSaliency and TermLikelihood."""

from __future__ import annotations

_ALL = ["FSSEM", "FeatureSaliency", "TermLikelihood"]
HOMONYMS = {"alpha": ["FSSEM"], "tol": ["FSSEM", "FeatureSaliency"]}
OWN_TYPES = {"n_clusters": {"FSSEM": "None finds it"}}
# A climb may start from rows as well as from weights; a search that compares by cross-projection steps one by one.
OWN_TEXTS = {"n_starts": _ALL, "n_clusters": ["FSSEM"], "search": ["FSSEM"], "ridge": ["FSSEM"]}
OWN_DEFAULTS = {
    "n_features_to_select": ["FSSEM"],
    "n_clusters": ["FSSEM"],
    "search": ["FSSEM"],
    "n_starts": _ALL,
    "max_iter": _ALL,
    "ridge": ["FSSEM"],
}
QUICK = {
    "FSSEM": {"max_clusters": 3, "n_starts": 2},
    "FeatureSaliency": {"max_clusters": 4, "n_starts": 2},
    "TermLikelihood": {"max_clusters": 3, "n_starts": 2},
}
SPECIAL = {
    "FSSEM": {"n_starts": 5, "random_state": 0},
    "FeatureSaliency": {"random_state": 0},
    "TermLikelihood": {"max_clusters": 4, "n_starts": 2, "random_state": 0},
}
TABLES = {
    "FSSEM": {"curve": "curve", "clusters": "rows", "comparisons": "rows"},
    "FeatureSaliency": {"lengths": "curve", "clusters": "rows"},
    "TermLikelihood": {"likelihoods": "curve", "clusters": "rows"},
}
# Where a method rightly keeps nothing.
NOTHING = {
    "one feature": ["TermLikelihood"],  # the tokens of a single term have one distribution only
    "twelve rows": ["FeatureSaliency"],  # they cannot pay for the parameters of a component in 42 features
}
