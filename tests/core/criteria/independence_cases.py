"""The same rows as views on every runner."""

from __future__ import annotations

import numpy as np
import scipy.sparse

from fewer.core.runners.cluster import DaskRunner
from fewer.core.runners.stream import ChangedBlocks, StreamRunner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.blocks import CodesBlock, DenseBlock, SparseBlock, SparseCodesBlock
from fewer.core.views.view import View
from fewer.core.views.weights import WeightGrid

RUNNERS = ("one thread", "two threads", "stream", "dask")
Y = -1


def same(block):
    return block


def on_runner(runner, rows, make, kind, classes=None, n_levels=None, weight=None, client=None):
    """Return a view of rows (a dict of arrays) that ``make`` turns into blocks."""
    n, d = rows["X"].shape
    weights = None if weight is None else WeightGrid.of(weight)
    facts = {"classes": classes, "n_levels": n_levels, "weights": weights}
    if runner in ("one thread", "two threads"):
        run, blocks = ThreadRunner(1 + (runner == "two threads")), [make(**rows)]
    else:
        bounds = np.unique([0, min(1, n), n // 3, n // 3 + 7, n])
        bounds = bounds[bounds <= n]
        parts = [{k: None if v is None else v[a:b] for k, v in rows.items()} for a, b in zip(bounds, bounds[1:])]
        blocks = [make(**part) for part in parts]
        run = StreamRunner(2) if runner == "stream" else DaskRunner(client)
        blocks = run.place(ChangedBlocks(blocks, same), same) if runner == "stream" else run.scatter(blocks)
    return View(run, blocks, kind, n, d, np.zeros(d, bool), **facts)


def codes_on(runner, codes, y=None, weight=None, sparse=False, spare=0, client=None):
    """Return level numbers; ``spare`` levels occur nowhere, as those that streams keep for missing values."""
    n_levels = codes.max(axis=0).astype(np.int64) + 1 + spare
    dtype = np.uint8 if n_levels.max() <= 255 else np.uint16

    def make(X, y, weight):
        if not sparse:
            return CodesBlock(np.ascontiguousarray(X.astype(dtype)), n_levels, y, weight)
        stored = scipy.sparse.csc_array(X.astype(dtype))
        return SparseCodesBlock(stored, np.zeros(X.shape[1], np.int64), n_levels, y, weight)

    classes = None if y is None else np.arange(y.max() + 1)
    kind = "sparse codes" if sparse else "codes"
    rows = {"X": codes, "y": y, "weight": weight}
    return on_runner(runner, rows, make, kind, classes, n_levels, weight, client)


def numbers_on(runner, X, y=None, weight=None, sparse=False, classes=None, client=None):
    def make(X, y, weight):
        if sparse:
            return SparseBlock(scipy.sparse.csc_array(X), y, weight)
        return DenseBlock(np.ascontiguousarray(X), y, weight)

    rows = {"X": X, "y": y, "weight": weight}
    return on_runner(runner, rows, make, "sparse" if sparse else "dense", classes, None, weight, client)


def random_codes(rng, n=300, d=12, n_classes=3):
    """Return columns of 1 to 6 levels that depend on each other, and classes that depend on some of them."""
    codes = rng.integers(0, np.array([1, 2, 3, 4, 5, 6] * 2)[:d], (n, d))
    codes[:, 3] = (codes[:, 2] + rng.integers(0, 2, n)) % 4
    y = (codes[:, 1] + codes[:, 3] + rng.integers(0, 2, n)) % n_classes
    return codes, y
