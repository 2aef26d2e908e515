"""Scores on a graph of near rows."""

from __future__ import annotations


def equal_states(X, state):
    """What features share, not what one has alone, is found on the graph of the others."""
    X[:, 3] += 6.0 * state
    X[:, 5] += 5.0 * state


GRAPH = ["LaplacianScore", "SPEC", "MCFS"]
# A graph of near rows is joined by few neighbours, as in its papers.
OWN_DEFAULTS = {"n_neighbors": GRAPH, "n_features_to_select": ["UnlabelledRecipe"], "n_clusters": ["SPEC", "MCFS"]}
HOMONYMS = {"standardize": GRAPH, "n_nonzero": ["MCFS", "SPCA"]}
SPECIAL = {"SPEC": {"n_clusters": 2}, "MCFS": {"n_clusters": 1}}
TABLES = {
    "LaplacianScore": {"graph": "rows"},
    "SPEC": {"graph": "rows"},
    "MCFS": {"graph": "rows", "coefficients": "rows"},
}
# Two states of a single feature drown in noise once all are scaled to variance 1.
PLANTED = dict.fromkeys(("UnlabelledRecipe", "SPEC", "MCFS"), equal_states)
# So many functions of the graph are looked at.
OWN_TEXTS = {"if_nothing": ["UnlabelledRecipe"], "n_clusters": ["SPEC", "MCFS"]}
