"""Tags shared by tight families of this room."""

from __future__ import annotations

from fewer.core.records.tags import MethodTags

CODES = MethodTags(
    kind="ranking",
    task="classification",
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
    kind="ranking",
    task="classification",
    views=("dense", "sparse"),
    handles_sparse=True,
    handles_weights=True,
    weights_count_rows=True,
    streams=True,
    invariance=("row_order", "scale"),
)
RANKS = MethodTags(
    kind="ranking",
    task="classification",
    views=("dense",),
    invariance=("row_order", "scale", "monotone"),
    cost="n*log(n)*d",
)
