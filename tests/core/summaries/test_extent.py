from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from fewer.core.summaries.extent import ColumnExtent
from fewer.core.summaries.present import PresentMoments
from fewer.core.views.blocks import DenseBlock, SparseBlock


def table(kind, n=90, d=17, missing=True):
    rng = np.random.default_rng(3)
    X = np.where(rng.random((n, d)) < 0.4, rng.normal(size=(n, d)), 0.0)
    X[:, 2] = np.abs(X[:, 2]) + 1
    X[:, 3] = -np.abs(X[:, 3]) - 1
    if missing:
        X[rng.random((n, d)) < 0.1] = np.nan
        X[:, 5] = np.nan
    return X, (lambda rows, w=None: _block(kind, rows, w))


def _block(kind, rows, weight):
    if kind == "dense":
        return DenseBlock(np.ascontiguousarray(rows), weight=weight)
    matrix = sparse.csc_matrix(rows)
    matrix.sort_indices()
    return SparseBlock(matrix, weight=weight)


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("weighted", [False, True])
def test_extent_of_merged_tiles(kind, weighted):
    X, make = table(kind)
    weight = (np.arange(90) % 3).astype(float) if weighted else None
    summary = ColumnExtent()
    parts = [
        summary.whole(make(X[a:b], None if weight is None else weight[a:b]), n_tiles=4)
        for a, b in ((0, 1), (1, 50), (50, 90))
    ]
    extent = summary.merge_all(parts)
    counted = X if weight is None else X[weight > 0]
    for j in range(X.shape[1]):
        present = counted[:, j][~np.isnan(counted[:, j])]
        assert extent.low[j] == (present.min() if len(present) else np.inf)
        assert extent.high[j] == (present.max() if len(present) else -np.inf)
    assert (extent.missing == np.isnan(X).sum(axis=0)).all()
    assert extent.n_rows == 90


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.float32])
def test_extent_of_other_types(dtype):
    X = np.random.default_rng(0).integers(0, 100, size=(30, 4)).astype(dtype)
    extent = ColumnExtent().whole(DenseBlock(X))
    assert (extent.low == X.min(axis=0)).all()
    assert (extent.high == X.max(axis=0)).all()


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("weighted", [False, True])
def test_moments_of_present_values(kind, weighted):
    X, make = table(kind)
    weight = np.random.default_rng(1).integers(0, 4, size=90).astype(float) if weighted else np.ones(90)
    summary = PresentMoments((1, 4, 5, 16))
    moments = summary.merge_all([summary.whole(make(X[a:b], weight[a:b]), 3) for a, b in ((0, 20), (20, 21), (21, 90))])
    for k, j in enumerate(summary.features):
        values = np.repeat(X[:, j], weight.astype(int))
        values = values[~np.isnan(values)]
        assert moments.weight[k] == len(values)
        if len(values):
            assert moments.mean[k] == pytest.approx(values.mean())
            assert moments.m2[k] == pytest.approx(((values - values.mean()) ** 2).sum())
