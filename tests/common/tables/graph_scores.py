"""Scores on a graph of near rows."""

from __future__ import annotations


def equal_states(X, state):
    """A feature is scored on the graph of the others, so that both must show the same states."""
    X[:, 3] += 6.0 * state
    X[:, 5] += 5.0 * state


GRAPH = ["LaplacianScore", "SPEC", "MCFS"]
# A graph of near rows is joined by few neighbours, as in its papers.
OWN_DEFAULTS = {"n_neighbors": GRAPH, "n_features_to_select": ["UnlabelledRecipe"]}
HOMONYMS = {"standardize": GRAPH, "n_nonzero": ["MCFS", "SPCA"]}
# The two features of the checks have two states each, which drown in noise once all are scaled to variance 1.
SPECIAL = {"SPEC": {"standardize": False, "n_clusters": 4}, "MCFS": {"standardize": False, "n_clusters": 4}}
TABLES = {
    "LaplacianScore": {"graph": "rows"},
    "SPEC": {"graph": "rows"},
    "MCFS": {"graph": "rows", "coefficients": "rows"},
}
PLANTED = {"UnlabelledRecipe": equal_states}
