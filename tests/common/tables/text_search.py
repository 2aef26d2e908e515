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
OWN_TYPES = {"gamma": {"Rocchio": "weighs documents"}}
OWN_TEXTS = {"gamma": ["Rocchio"], "top_fraction": ["AggressiveTerms"]}
OWN_DEFAULTS = {
    "gamma": ["Rocchio"],
    "n_features_to_select": ["AggressiveTerms"],
    # As section 16.3.2 has it.
    "top_fraction": ["AggressiveTerms"],
    "min_df": ["AggressiveTerms"],
}
SPECIAL = {
    # The tenth of ten features is one, and features that half of the rows have cover half of each other by chance.
    "AggressiveTerms": {"top_fraction": 1.0, "tau": 0.8},
}
TABLES = {"AggressiveTerms": {"tree": "tree"}}
