"""Models and new features by weights of ReliefF."""

from __future__ import annotations

HOMONYMS = {
    "max_depth": ["ReliefTree", "ReliefTreeRegressor"],
    "ties": ["LiteralRelief"],
}
OWN_DEFAULTS = {
    # Few neighbours vote, more are weighed by.
    "n_neighbors": ["ReliefKNN", "ReliefKNNRegressor"],
    # Weights of few rows are positive by chance.
    "min_samples_leaf": ["ReliefTree", "ReliefTreeRegressor"],
    # All literals tie often.
    "ties": ["LiteralRelief"],
}
TABLES = {}
