"""Methods that learn from pairs of rows."""

from __future__ import annotations

HOMONYMS: dict[str, list[str]] = {
    # Of a search among axes, or as many as wanted.
    "n_components": ["ConstraintProjection", "PCSKMeans", "RCA", "SPCA"],
    # A fraction of the mean spread within pairs, not a penalty of coefficients.
    "l2": ["RCA", "XingMetric"],
    "tol": ["XingMetric"],
    # The rows of a graph, or columns of a machine.
    "standardize": ["SSelect"],
    # Of similarities of features, or of distances of rows.
    "linkage": ["COSA", "FeatureClustering"],
    # Of redundancy, or of must-links.
    "beta": ["ConstraintProjection", "MIFS"],
}
OWN_DEFAULTS: dict[str, list[str]] = {"max_iter": ["XingMetric"]}
TABLES = {"SSelect": {"graph": "rows", "weights": "path"}}
