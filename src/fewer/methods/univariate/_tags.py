"""Tags shared by methods of this family."""

from __future__ import annotations

from fewer.core.records.tags import MethodTags

CODES = MethodTags(
    targets=("classes", "several labels"),
    views=("codes",),
    handles_sparse=True,
    handles_nan=True,
    handles_nominal=True,
    handles_weights=True,
    weights_count_rows=True,
    streams=True,
    # Quantile levels depend only on the order of the values.
    invariance=("row_order", "scale", "monotone"),
)
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
