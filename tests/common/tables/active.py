"""Methods that ask for values."""

from __future__ import annotations

BOTH = ["MAC", "RandomAcquisition"]
HOMONYMS: dict[str, list[str]] = {
    # Of axes, components, or product distributions.
    "n_components": BOTH,
    # How little relevances must change, or when a climb ends.
    "tol": BOTH,
    # Added to counts of subsets, or of levels.
    "smoothing": ["EBNASelector", *BOTH],
}
# Values told, or steps of a search; bins of known values.
OWN_TYPES = {"patience": dict.fromkeys(BOTH, "a whole number of values")}
OWN_TEXTS = {"patience": BOTH, "bins": BOTH}
OWN_DEFAULTS = {"patience": BOTH}
TABLES = {name: {"trajectory": "path", "acquisitions": "rows"} for name in BOTH}
