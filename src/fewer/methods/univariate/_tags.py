"""Tags shared by methods of this family."""

from __future__ import annotations

from dataclasses import replace

from fewer.core.records.tags import ON_CODES, MethodTags

# What takes one number per row, and classes in their order, or several numbers.
NUMBERS = ("ordered classes", "numbers", "several numbers")
CODES = replace(ON_CODES, targets=("classes", "several labels"))
MOMENTS = MethodTags(
    targets=("classes", "several labels"),
    views=("dense", "sparse"),
    handles_sparse=True,
    handles_weights=True,
    weights_count_rows=True,
    streams=True,
    invariance=("row_order", "scale"),
)
RANKS = MethodTags(
    targets=("classes", "several labels"),
    views=("dense",),
    invariance=("row_order", "scale", "monotone"),
    cost="n*log(n)*d",
)
