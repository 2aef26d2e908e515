"""Dask collections as X, and a client by context."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fewer


@pytest.fixture(scope="module")
def client():
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as local,
        Client(local) as client,
    ):
        yield client


def rows(n=300):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, 6))
    y = rng.integers(0, 3, n)
    X[:, 2] += y
    return X, y


@pytest.mark.dask
@pytest.mark.parametrize("name", ["Chi2", "InformationGain", "GiniGain"])
def test_small_counts_give_the_same_pvalues_on_a_cluster(client, name):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 4, (60, 8)).astype(float), (np.arange(60) % 9 == 0).astype(int)
    here = fewer.get(name)(None, discretizer=None).fit(X, y)
    with fewer.use(client):
        there = fewer.get(name)(None, discretizer=None).fit(X, y)
    np.testing.assert_array_equal(there.selection_.columns["pvalue"], here.selection_.columns["pvalue"])


@pytest.mark.dask
@pytest.mark.parametrize("name", ["InformationGain", "Chi2", "FTest"])
def test_a_client_by_context_gives_the_same_scores(client, name):
    X, y = rows()
    here = fewer.get(name)(2).fit(X, y)
    with fewer.use(client):
        there = fewer.get(name)(2).fit(X, y)
    assert there.selection_.meta["runner"] == "dask"
    np.testing.assert_allclose(there.scores_, here.scores_, rtol=1e-10)
    np.testing.assert_array_equal(there.selection_.indices, here.selection_.indices)


@pytest.mark.dask
@pytest.mark.parametrize("name", ["InformationGain", "GainRatio", "GiniGain"])
def test_scores_that_know_costs_are_the_same_on_a_cluster(client, name):
    X, y = rows()
    made = fewer.get(name)(2, cost_matrix=[[0, 1, 2], [3, 0, 1], [5, 1, 0]])
    here = made.fit(X, y).scores_
    with fewer.use(client):
        there = made.fit(X, y)
    assert there.selection_.meta["runner"] == "dask"
    np.testing.assert_array_equal(there.scores_, here)


@pytest.mark.dask
def test_dask_arrays_and_frames_are_not_gathered(client):
    import dask.array as da
    import dask.dataframe as dd

    X, y = rows()
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(6)])
    frame["text"] = np.where(X[:, 2] > 0, "high", "low")
    here = fewer.InformationGain(3).fit(frame, y)
    parts = dd.from_pandas(frame, npartitions=5)
    with fewer.use(client):
        there = fewer.InformationGain(3).fit(parts, dd.from_pandas(pd.Series(y, name="y"), npartitions=5))
        arrays = fewer.FTest(2).fit(da.from_array(X, chunks=(70, 2)), da.from_array(y, chunks=50))
    np.testing.assert_allclose(there.scores_, here.scores_, rtol=1e-12)
    assert there.selection_.kept_names == here.selection_.kept_names
    np.testing.assert_allclose(arrays.scores_, fewer.FTest(2).fit(X, y).scores_, rtol=1e-10)


def test_dask_without_a_client_runs_on_local_threads():
    import dask.array as da

    X, y = rows()
    got = fewer.Pearson(2).fit(da.from_array(X, chunks=(64, 6)), y)
    np.testing.assert_allclose(got.scores_, fewer.Pearson(2).fit(X, y).scores_, rtol=1e-10)


def test_columns_of_few_values_and_heavy_ones_are_cut_alike_on_dask():
    import dask.array as da

    rng, (_, y) = np.random.default_rng(5), rows()
    heavy = np.where(rng.random(300) < 0.95, 9, rng.normal(size=300))
    X = np.column_stack([y > 0, y < 2, rng.integers(1, 6, 300), heavy])
    X = np.where(rng.random(X.shape) < 0.1, np.nan, X.astype(float))
    for rows_of in (X, -X):
        here = fewer.InformationGain(2).fit(rows_of, y)
        there = fewer.InformationGain(2).fit(da.from_array(rows_of, chunks=(64, 4)), da.from_array(y, chunks=64))
        np.testing.assert_allclose(there.scores_, here.scores_, rtol=1e-12)
        assert here.scores_[0] > 0.3
    np.testing.assert_allclose(here.scores_[:3], fewer.InformationGain(2).fit(X, y).scores_[:3], rtol=1e-12)


def test_partitions_that_do_not_fit_are_refused():
    import dask.dataframe as dd

    X, y = rows()
    frame = dd.from_pandas(pd.DataFrame(X, columns=list("abcdef")), npartitions=5)
    with pytest.raises(ValueError, match="partitions"):
        fewer.FTest(2).fit(frame, dd.from_pandas(pd.Series(y), npartitions=2))


@pytest.mark.parametrize("name", ["GrowShrink", "CorrelationFilter", "MRMR"])
def test_partitions_without_rows_change_nothing(name):
    import dask
    import dask.dataframe as dd

    X, y = rows()
    X[:, 4] = X[:, 2] + 0.01 * X[:, 5]
    frame, target = pd.DataFrame(np.repeat(X, 2, axis=1), columns=list("abcdefghijkl")), pd.Series(y, name="y")

    def cut(whole):
        bounds = [0, 100, 100, 101, 300, 300]
        pieces = [dask.delayed(whole.iloc[top:bottom]) for top, bottom in zip(bounds, bounds[1:])]
        return dd.from_delayed(pieces, meta=whole.iloc[:0])

    expected = fewer.get(name)().fit(frame, target).selection_
    assert fewer.get(name)().fit(cut(frame), cut(target)).selection_.indices.tolist() == expected.indices.tolist()


@pytest.mark.parametrize("name", ["MRMR", "JMI"])
def test_rows_whose_numeric_target_gets_levels_stay_in_memory(threads_cluster, name):
    X, _ = rows()
    y = X[:, 1] + 0.5 * X[:, 3]
    expected = fewer.get(name)(3).fit(X, y).selection_
    with fewer.use(threads_cluster):
        found = fewer.get(name)(3).fit(X, y).selection_
    assert found.indices.tolist() == expected.indices.tolist()
    np.testing.assert_array_equal(found.scores, expected.scores)
