"""Classifiers, values and generators of terms, and what selects among them."""

from __future__ import annotations

_GENERATORS = ["Words", "Phrases", "CharacterNgrams"]
HOMONYMS = {
    # Of a prior, or of documents of a class.
    "alpha": ["PoissonNB"],
    "beta": ["PoissonNB", "Rocchio"],
    "threshold": ["AggressiveTerms"],
    # Words, or characters.
    "ngram_range": ["CharacterNgrams", "Phrases"],
}
OWN_TYPES = {
    "gamma": {"Rocchio": "weighs documents"},
    "estimator": {"TextSearch": "classifiers only"},
    "score": {"TwoPassTerms": "scores of terms"},
    "scoring": {"TextSearch": "losses that add up, or F1"},
}
OWN_TEXTS = {
    "gamma": ["Rocchio"],
    "top_fraction": ["AggressiveTerms"],
    "cv": ["TextSearch", "TwoPassTerms"],
    "estimator": ["TextSearch"],
    "score": ["TwoPassTerms"],
    "scoring": ["TextSearch"],
}
OWN_DEFAULTS = {
    "gamma": ["Rocchio"],
    "n_features_to_select": ["AggressiveTerms"],
    # As section 16.3.2 has it.
    "top_fraction": ["AggressiveTerms"],
    "min_df": _GENERATORS,
    "score": ["TwoPassTerms"],
    "scoring": ["TextSearch"],
}
SPECIAL = {
    # The tenth of ten features is one, and features that half of the rows have cover half of each other by chance.
    "AggressiveTerms": {"min_df": 1, "top_fraction": 1.0, "tau": 0.8},
}
TABLES = {"AggressiveTerms": {"tree": "tree"}}
