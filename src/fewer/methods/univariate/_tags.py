"""Tags shared by methods of this family."""

from __future__ import annotations

from dataclasses import replace

from fewer.core.records.tags import ON_CODES, MethodTags

CODES = replace(ON_CODES, targets=("classes", "several labels"))
MOMENTS = MethodTags(
    targets=("classes",),
    views=("dense", "sparse"),
    handles_sparse=True,
    handles_weights=True,
    weights_count_rows=True,
    streams=True,
    invariance=("row_order", "scale"),
)
RANKS = MethodTags(
    targets=("classes",),
    views=("dense",),
    invariance=("row_order", "scale", "monotone"),
    cost="n*log(n)*d",
)
