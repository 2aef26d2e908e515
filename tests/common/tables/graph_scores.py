"""Scores on a graph of near rows."""

from __future__ import annotations

GRAPH = ["LaplacianScore", "SPEC", "MCFS"]
# A graph of near rows is joined by few neighbours, as in its papers.
OWN_DEFAULTS = {"n_neighbors": GRAPH, "n_features_to_select": ["UnlabelledRecipe"]}
HOMONYMS = {"standardize": GRAPH, "n_nonzero": ["MCFS", "SPCA"], "n_clusters": ["SPEC", "MCFS"]}
SPECIAL = {"SPEC": {"n_clusters": 2}, "MCFS": {"n_clusters": 1}}
TABLES = {
    "LaplacianScore": {"graph": "rows"},
    "SPEC": {"graph": "rows"},
    "MCFS": {"graph": "rows", "coefficients": "rows"},
}
TOGETHER = {
    "UnlabelledRecipe": "a feature is scored on the graph of the others",
    **dict.fromkeys(
        ["SPEC", "MCFS"], "two states of a single feature drown in noise once all are scaled to variance 1"
    ),
}
OWN_TEXTS = {"if_nothing": ["UnlabelledRecipe"]}
