"""FCBF, RBF and CFS give the same selection wherever and in whatever order the data lie."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import fewer
from fewer.core.reading.table import ArrayTable
from fewer.methods.redundancy.cfs import CFS
from fewer.methods.redundancy.consistency import Consistency
from fewer.methods.redundancy.fcbf import FCBF
from fewer.methods.redundancy.rbf import RBF
from oracles import redundancy as oracle

every = pytest.mark.parametrize("method", [FCBF, RBF, CFS, Consistency])
streaming = pytest.mark.parametrize("method", [FCBF, RBF, CFS])


def fit(method, X, y, **more):
    return method(**{"discretizer": None, **more}).fit(X, y).selection_


def assert_same(a, b):
    np.testing.assert_array_equal(a.indices, b.indices)
    np.testing.assert_array_equal(a.order, b.order)
    np.testing.assert_array_equal(a.scores, b.scores)
    np.testing.assert_array_equal(a.reasons.kind, b.reasons.kind)
    assert a.reasons.related == b.reasons.related


@every
@pytest.mark.parametrize("name", oracle.DATA)
def test_threads_and_row_order_change_nothing(method, name):
    X, y = oracle.DATA[name]
    expected = fit(method, X, y)
    assert_same(fit(method, X, y, n_jobs=2), expected)
    order = np.random.default_rng(0).permutation(len(y))
    assert_same(fit(method, X[order], y[order]), expected)


@every
@pytest.mark.parametrize("seed", range(4))
def test_column_order_changes_nothing(method, seed):
    """Columns without copies, so that there are no equals of which the lower number would win."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 301)
    X = np.column_stack([(y * (rng.random(301) < p) + rng.integers(0, 4, 301)) % 5 for p in np.linspace(0.1, 0.9, 11)])
    # Numbers of inconsistent rows are often equal, their weights are not.
    weight = rng.random(301) if method is Consistency else None
    order = rng.permutation(11)
    a = method(discretizer=None).fit(X, y, sample_weight=weight).selection_
    b = method(discretizer=None).fit(X[:, order], y, sample_weight=weight).selection_
    np.testing.assert_array_equal(order[b.indices], a.indices)
    np.testing.assert_allclose(b.scores[np.argsort(order)], a.scores, atol=1e-12)


@streaming
@pytest.mark.parametrize("name", oracle.DATA)
def test_streamed_and_sparse_equal_memory(method, name):
    X, y = oracle.DATA[name]
    expected = fit(method, X, y)
    table = ArrayTable(X.astype(float), y, classes=np.unique(y), batch_rows=17)
    streamed = method(discretizer=None).fit(table).selection_
    assert streamed.meta["runner"] == "stream"
    assert_same(streamed, expected)
    assert_same(fit(method, scipy.sparse.csr_array(X), y), expected)


@streaming
def test_weights_count_as_repetitions(method):
    X, y = oracle.tables(2)
    rng = np.random.default_rng(0)
    weight = rng.integers(0, 4, len(y))
    weighted = method(discretizer=None).fit(X, y, sample_weight=weight).selection_
    repeated = fit(method, np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert_same(weighted, repeated)
    halves = method(discretizer=None).fit(X, y, sample_weight=weight / 2).selection_
    np.testing.assert_array_equal(halves.indices, repeated.indices)
    np.testing.assert_allclose(halves.scores, repeated.scores, atol=1e-12)


@streaming
def test_cut_points_that_need_all_rows_are_refused_on_a_stream(method):
    X, y = oracle.tables(2)
    with pytest.raises(ValueError, match="in memory"):
        method(discretizer="mdl").fit(ArrayTable(X.astype(float), y, classes=np.unique(y), batch_rows=17))


@pytest.mark.dask
@streaming
def test_a_cluster_gives_the_same_selection(method, cluster):
    X, y = oracle.tables(4)
    expected = fit(method, X, y)
    with fewer.use(cluster):
        there = fit(method, X, y)
    assert there.meta["runner"] == "dask"
    assert_same(there, expected)


@every
def test_wrong_parameters_are_refused_before_any_work(method):
    with pytest.raises(ValueError, match="n_features_to_select got 'few'"):
        fit(method, None, None, n_features_to_select="few")
    with pytest.raises(ValueError, match="discretizer"):
        fit(method, None, None, discretizer="thin")
    with pytest.raises(ValueError, match="search"):
        fit(method, None, None, n_features_to_select="fdr:0.05")
