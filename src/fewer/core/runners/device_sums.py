"""Moments and products of numbers on a device, by the formulas of the processor in another order of adding."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.runners.device_counts import grid_of
from fewer.core.runners.device_memory import DeviceMemory
from fewer.core.summaries.moments import origins, row_weights, squares, target_from_origin, target_range
from fewer.core.summaries.results import Moments, Products, TargetProducts

# The rows of a class are added up in at most so many chunks, side by side.
CHUNKS = 1024
FEWEST_ROWS = 64
ROWS_AT_ONCE = 2**16


class DeviceRows:
    """Rows of numbers on the device, in chunks of rows of one class."""

    def __init__(self, memory: DeviceMemory, block: Any, y: np.ndarray, n_classes: int) -> None:
        from fewer.core.kernels.device.cuda_compiling import cuda

        X = block.X
        self.X = memory.kept(X, "numbers", X.nbytes, lambda: cuda.to_device(np.ascontiguousarray(X)))
        self.order = cuda.to_device(np.argsort(y, kind="stable"))
        sizes, step = np.bincount(y, minlength=n_classes), max(FEWEST_ROWS, -(-len(y) // CHUNKS))
        begins, self.of_chunk, top = [0], [], 0
        for c, size in enumerate(sizes.tolist()):
            for first in range(0, size, step):
                begins.append(top + min(first + step, size))
                self.of_chunk.append(c)
            top += size
        self.begins = np.array(begins, np.int64)

    def sums(self, weight: np.ndarray, partner: np.ndarray, origin: np.ndarray, mean: np.ndarray) -> np.ndarray:
        """Return sums per chunk and column of weight * d, weight * d^2 and partner * d, d = X - origin - mean."""
        from fewer.core.kernels.device import column_sums
        from fewer.core.kernels.device.cuda_compiling import cuda

        d, chunks = self.X.shape[1], len(self.of_chunk)
        out = np.zeros((3, chunks, d))
        if not chunks or not d:
            return out
        there = cuda.to_device(out)
        given = [cuda.to_device(np.ascontiguousarray(a, dtype=np.float64)) for a in (weight, partner, origin, mean)]
        column_sums.chunk_sums[grid_of(d, chunks)](
            self.X, self.order, cuda.to_device(self.begins), cuda.to_device(np.array(self.of_chunk)), *given, there
        )
        return there.copy_to_host(out)

    def by_class(self, chunks: np.ndarray, n_classes: int) -> np.ndarray:
        """Add up chunks of each class, in their order."""
        out = np.zeros((n_classes, chunks.shape[1]))
        for c, some in zip(self.of_chunk, chunks):
            out[c] += some
        return out


def class_moments(memory: DeviceMemory, block: Any, n_classes: int) -> Moments:
    """Return weight, mean and squared deviations per feature and class."""
    classes = max(n_classes, 1)
    y = block.y if n_classes else np.zeros(block.n_rows, np.int64)
    weight, origin = row_weights(block), origins(block, 0, block.n_features)
    total = np.bincount(y, weights=weight, minlength=classes).astype(np.float64)
    rows = DeviceRows(memory, block, y, classes)
    nothing = np.zeros((classes, block.n_features))
    with np.errstate(invalid="ignore", over="ignore"):
        sums = rows.by_class(rows.sums(weight, weight, origin, nothing)[0], classes)
        mean = np.divide(sums, total[:, None], out=np.zeros_like(sums), where=total[:, None] > 0)
        m2 = rows.by_class(rows.sums(weight, weight, origin, mean)[1], classes)
    return Moments(total, mean.T, m2.T, origin)


def target_products(memory: DeviceMemory, block: Any) -> TargetProducts:
    """Return centred squares and products of every feature with a numeric target."""
    weight, (y, origin_y) = row_weights(block), target_from_origin(block)
    total = float(weight.sum())
    # A block may hold only rows of weight zero; its means are then never used.
    mean_y = float(weight @ y) / (total or 1.0)
    mean_y += float(weight @ (y - mean_y)) / (total or 1.0)
    origin = origins(block, 0, block.n_features)
    rows = DeviceRows(memory, block, np.zeros(block.n_rows, np.int64), 1)
    partner = weight * (y - mean_y)
    with np.errstate(invalid="ignore", over="ignore"):
        mean = rows.sums(weight, partner, origin, np.zeros((1, block.n_features)))[0].sum(axis=0) / (total or 1.0)
        sums = rows.sums(weight, partner, origin, mean[None])
        m2, products = sums[1].sum(axis=0), sums[2].sum(axis=0)
    ends = target_range(y, block)
    return TargetProducts(total, mean, mean_y, m2, squares(weight, y - mean_y), products, origin, origin_y, *ends)


def feature_products(memory: DeviceMemory, block: Any) -> Products:
    """Return centred products of all pairs of features."""
    from fewer.core.kernels.device import column_sums
    from fewer.core.kernels.device.cuda_compiling import cuda

    weight, d = row_weights(block), block.n_features
    total, origin = float(weight.sum()), np.array(block.X[0], dtype=np.float64)
    rows = DeviceRows(memory, block, np.zeros(block.n_rows, np.int64), 1)
    with np.errstate(invalid="ignore", over="ignore"):
        mean = rows.sums(weight, weight, origin, np.zeros((1, d)))[0].sum(axis=0) / (total or 1.0)
    out, tiles = cuda.to_device(np.zeros((d, d))), -(-d // column_sums.TILE)
    given = [cuda.to_device(a) for a in (weight, origin, mean)]
    for top in range(0, block.n_rows, ROWS_AT_ONCE):
        column_sums.gram[(tiles, tiles), (column_sums.TILE, column_sums.TILE)](
            rows.X, *given, top, min(top + ROWS_AT_ONCE, block.n_rows), out
        )
    return Products(total, mean + origin, out.copy_to_host())
