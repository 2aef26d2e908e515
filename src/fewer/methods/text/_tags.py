"""Tags shared by scores of terms."""

from __future__ import annotations

from fewer.core.records.tags import MethodTags

TERMS = MethodTags(
    targets=("classes", "several labels"),
    views=("sparse", "dense"),
    handles_sparse=True,
    handles_weights=True,
    weights_count_rows=True,
    nonnegative=True,
    streams=True,
    invariance=("row_order",),
    cost="nonzeros + d*classes",
)
