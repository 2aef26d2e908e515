"""Scores on a graph of near rows."""

from __future__ import annotations

GRAPH = ["LaplacianScore", "SPEC", "MCFS"]
# A graph of near rows is joined by few neighbours, as in its papers.
OWN_DEFAULTS = {"n_neighbors": GRAPH, "n_features_to_select": ["UnlabelledRecipe"]}
HOMONYMS = {"standardize": GRAPH, "n_nonzero": ["MCFS", "SPCA"], "n_clusters": ["SPEC", "MCFS"]}
# The two features of the checks have two states each, which drown in noise once all are scaled to variance 1.
SPECIAL = {"SPEC": {"standardize": False, "n_clusters": 4}, "MCFS": {"standardize": False, "n_clusters": 4}}
TABLES = {
    "LaplacianScore": {"graph": "rows"},
    "SPEC": {"graph": "rows"},
    "MCFS": {"graph": "rows", "coefficients": "rows"},
}
TOGETHER = {"UnlabelledRecipe": "a feature is scored on the graph of the others"}
OWN_TEXTS = {"if_nothing": ["UnlabelledRecipe"]}
