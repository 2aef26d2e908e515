"""What the common checks must know of directions, co-clusters and pairs of rows."""

from __future__ import annotations

_DIRECTIONS = ["SphericalKMeans", "PCSKMeans"]
_BLOCKS = ["InformationCoClustering", "BregmanCoClustering", "ConstrainedCoClustering"]

SHARED = {"n_clusters": ("int", "Number of clusters.")}
HOMONYMS = {
    "tol": [*_DIRECTIONS, *_BLOCKS],
}
OWN_TYPES = {"init": dict.fromkeys([*_DIRECTIONS, *_BLOCKS], "directions, or labels of rows and columns")}
OWN_TEXTS = {"init": [*_DIRECTIONS, *_BLOCKS], "n_init": [*_DIRECTIONS, *_BLOCKS]}
OWN_DEFAULTS = {"max_iter": ["CLICK"], "n_init": [*_DIRECTIONS, *_BLOCKS]}
