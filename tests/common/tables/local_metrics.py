"""Classifiers by a metric of the query's own."""

from __future__ import annotations

_ITERATED = ["ADAMENN", "DANN", "SubDANN"]
_ALL = ["LaMaNNa", "Machete", "Scythe", *_ITERATED]
HOMONYMS: dict[str, list[str]] = {
    "epsilon": ["DANN", "SubDANN"],
    "standardize": _ALL,
    # Rows about a border, rows of a region, or positions of letters.
    "window": ["BVQ", "BVQFE", "FGA", "FloatingConjunctions", "Machete", "Scythe"],
    "weighting": ["ADAMENN", "LaMaNNa"],
    "n_components": ["SubDANN"],
}
_MACHINE = "the kernels of which the nearest point of the border is found"
OWN_TYPES: dict[str, dict[str, str]] = {
    "gamma": {"LaMaNNa": _MACHINE},
    "kernel": {"LaMaNNa": _MACHINE},
}
OWN_TEXTS: dict[str, list[str]] = {"gamma": ["LaMaNNa"], "n_around": ["ADAMENN"]}
OWN_DEFAULTS: dict[str, list[str]] = {
    # As in the chapter.
    "kernel": ["LaMaNNa"],
    "max_iter": _ITERATED,
    "n_neighbors": _ALL,
}
