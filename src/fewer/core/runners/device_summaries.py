"""Which summaries a device computes, of which rows; all others are the processor's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.runners.device_counts import Groups, HeldCodes, count_levels, grid_of, plane_bytes
from fewer.core.runners.device_memory import DeviceMemory
from fewer.core.runners.device_sums import class_moments, feature_products, target_products
from fewer.core.summaries.column_products import ProductsWithColumns
from fewer.core.summaries.counts import PairCounts, TargetCounts
from fewer.core.summaries.moments import ClassMoments
from fewer.core.summaries.pair_orders import OrderCounts, PairOrders, check_fits, narrowest
from fewer.core.summaries.products import FeatureProducts, ProductsWithTarget
from fewer.core.summaries.results import Counts
from fewer.core.summaries.strata import CountsInStrata, StrataCounts
from fewer.core.summaries.strata_lists import CountsInStrataLists
from fewer.core.summaries.summary import Summary

COUNTS = (TargetCounts, PairCounts, CountsInStrata, CountsInStrataLists)
SUMS = (ClassMoments, ProductsWithTarget, ProductsWithColumns, FeatureProducts)
# What a block holds per row.
MATRIX = {"codes": "rows", "dense": "X", "ranks": "codes"}


def on_device(summary: Summary[Any], block: Any) -> bool:
    """Return whether a device computes this summary of such rows."""
    # What derives from a summary computes another one.
    kind = type(summary)
    if kind in COUNTS:
        return block.kind == "codes" and block.weight is None and _plain(block.y)
    if isinstance(summary, OrderCounts) and kind is OrderCounts:
        return block.kind == "ranks" and summary.columns is None and 0 < block.n_features < 2**16
    return kind in SUMS and block.kind == "dense" and block.n_rows > 0 and _plain(block.y)


def _plain(y: Any) -> bool:
    """Return whether a target is absent, or one number per row."""
    return y is None or (y.ndim == 1 and y.dtype.kind in "iuf")


def summarised(memory: DeviceMemory, summary: Summary[Any], block: Any) -> Any:
    """Return the summary of a row block, in as many pieces of rows as the memory of the device asks for."""
    if isinstance(block, HeldCodes):
        return _summary(memory, summary, block)
    matrix = getattr(block, MATRIX[block.kind])
    per_row = plane_bytes(block) if block.kind == "codes" else matrix.strides[0]
    spans = memory.pieces(block.n_rows, per_row)
    if len(spans) == 1:
        return _summary(memory, summary, block)
    # Kept, so that the same rows are the same arrays next time.
    pieces = memory.kept(matrix, "pieces", 0, lambda: [_rows(block, *span) for span in spans])
    parts = [replace(piece, **_beside(block, *span)) for piece, span in zip(pieces, spans)]
    return summary.merge_all([_summary(memory, summary, part) for part in parts])


def _rows(block: Any, top: int, bottom: int) -> Any:
    name = MATRIX[block.kind]
    return replace(block, **{name: getattr(block, name)[top:bottom]}, **_beside(block, top, bottom))


def _beside(block: Any, top: int, bottom: int) -> dict[str, Any]:
    """Return what a block holds beside the matrix, for some rows."""
    given = {name: getattr(block, name, None) for name in ("y", "weight") if hasattr(block, name)}
    return {name: None if values is None else values[top:bottom] for name, values in given.items()}


def _summary(memory: DeviceMemory, summary: Any, block: Any) -> Any:
    if isinstance(summary, CountsInStrataLists):
        return [_strata(memory, part, block) for part in summary.parts]
    if isinstance(summary, CountsInStrata):
        return _strata(memory, summary, block)
    if isinstance(summary, (TargetCounts, PairCounts)):
        return _counts(memory, summary, block)
    if isinstance(summary, OrderCounts):
        return _orders(summary, block)
    if isinstance(summary, ClassMoments):
        return class_moments(memory, block, summary.n_classes)
    if isinstance(summary, FeatureProducts):
        return feature_products(memory, block)
    if isinstance(summary, ProductsWithColumns):
        columns = [np.array(block.X[:, j], dtype=np.float64) for j in summary.columns]
        return [target_products(memory, replace(block, y=column)) for column in columns]
    return target_products(memory, block)


def _counts(memory: DeviceMemory, summary: Any, block: Any) -> Counts:
    features = np.arange(block.n_features)
    if isinstance(summary, TargetCounts):
        # The classes cross nothing; they are kept as bits.
        groups, n = Groups(memory, block, None, -1, summary.n_classes), summary.n_classes
    else:
        groups = Groups(memory, block, None, summary.anchor, summary.n_classes)
        n = int(block.n_levels[summary.anchor]) * max(1, summary.n_classes)
    return count_levels(memory, block, groups, n, features)


def _strata(memory: DeviceMemory, summary: CountsInStrata, block: Any) -> StrataCounts:
    cells, other = summary.combinations(block)
    groups = Groups(memory, block, other, -1, 0)
    return StrataCounts(cells, count_levels(memory, block, groups, len(cells), np.asarray(summary.features)))


def _orders(summary: OrderCounts, block: Any) -> PairOrders:
    from fewer.core.kernels.device import centre_tables
    from fewer.core.kernels.device.cuda_compiling import cuda

    n, rows = block.n_features, np.bincount(block.y, minlength=summary.n_classes)
    dtype = narrowest(int(rows.max()))
    check_fits(n, summary.n_classes, np.dtype(dtype).itemsize)
    before = cuda.device_array((summary.n_classes, n, n), dtype)
    begins = np.concatenate([[0], np.cumsum(rows)]).astype(np.int64)
    given = [cuda.to_device(a) for a in (block.codes, np.argsort(block.y, kind="stable"), begins)]
    centre_tables.count_orders[grid_of(n, n, summary.n_classes)](*given, before)
    return PairOrders(before.copy_to_host(), rows)
