"""Classifiers, values and generators of terms, and what selects among them."""

from __future__ import annotations

HOMONYMS = {
    # Of a prior, or of documents of a class.
    "alpha": ["PoissonNB"],
    "beta": ["PoissonNB", "Rocchio"],
    "threshold": ["AggressiveTerms"],
    # Words, or characters.
    "ngram_range": ["CharacterNgrams", "Phrases"],
    "score": ["TwoPassTerms"],
    # Of the terms that are made, counted or ranked; scores also know a fraction and a largest number.
    "min_df": [
        *["AggressiveTerms", "CharacterNgrams", "Phrases", "TextSearch", "TwoPassTerms", "Words"],
        *["PIP", "PIPPoisson", "SpreadFx", "TextScore", "TopDownTextScore"],
    ],
}
OWN_TYPES = {
    "gamma": {"Rocchio": "weighs documents"},
    "estimator": {"TextSearch": "classifiers only"},
    "scoring": {"TextSearch": "losses that add up, or F1"},
}
OWN_TEXTS = {
    "gamma": ["Rocchio"],
    "top_fraction": ["AggressiveTerms"],
    "cv": ["TextSearch", "TwoPassTerms"],
    "estimator": ["TextSearch"],
    "scoring": ["TextSearch"],
}
OWN_DEFAULTS = {
    "gamma": ["Rocchio"],
    "n_features_to_select": ["AggressiveTerms"],
    # As section 16.3.2 has it.
    "top_fraction": ["AggressiveTerms"],
    "scoring": ["TextSearch"],
}
SPECIAL = {
    # The tenth of ten features is one, and features that half of the rows have cover half of each other by chance.
    "AggressiveTerms": {"min_df": 1, "top_fraction": 1.0, "tau": 0.8},
}
TABLES = {"AggressiveTerms": {"tree": "tree"}}
