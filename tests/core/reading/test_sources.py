"""What is left aside nowhere, and what must be equal wherever the rows are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import fewer
from fewer.core.reading.table import ArrayTable, open_table

da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")


def rows(n=120):
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, 4))
    X[:, 1] += 2 * y
    return X, y


@pytest.mark.parametrize("name", ["InformationGain", "SymmetricalUncertainty", "GainRatio", "DistanceGain", "Chi2"])
@pytest.mark.parametrize("discretizer", ["quantile", None])
def test_sparse_weighted_counts_have_no_ghost_cells(name, discretizer):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    X = rng.integers(1, 4, (60, 8)) * (rng.random((60, 8)) < 0.5)
    X[y == 1] = rng.integers(1, 4, ((y == 1).sum(), 8))
    w = rng.random(60)
    selector = fewer.get(name)(None, discretizer=discretizer)
    dense = selector.fit(X.astype(float), y, sample_weight=w).scores_
    sparse = selector.fit(scipy.sparse.csr_array(X.astype(float)), y, sample_weight=w).scores_
    np.testing.assert_allclose(sparse, dense, rtol=1e-9)


@pytest.mark.parametrize("name", ["FTest", "WelchTest", "Pearson", "FisherScore"])
@pytest.mark.parametrize("n", [1000, 20_000])
def test_constant_sparse_columns_have_no_spread(name, n):
    X = scipy.sparse.csr_array(np.full((n, 2), 1 / 3))
    y = np.random.default_rng(0).integers(0, 2, n)
    assert fewer.get(name)().fit(X, y).scores_.tolist() == [0.0, 0.0]


def test_rows_of_weight_zero_name_no_levels():
    rng = np.random.default_rng(0)
    X, y, w = rng.integers(0, 3, (50, 4)), rng.integers(0, 2, 50), np.ones(50)
    X[0], w[0] = 30_000, 0
    got = fewer.Chi2(None, discretizer=None).fit(scipy.sparse.csr_array(X), y, sample_weight=w).scores_
    np.testing.assert_allclose(got, fewer.Chi2(None, discretizer=None).fit(X[1:], y[1:]).scores_)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda X, y: (dd.from_pandas(X, npartitions=3), dd.from_pandas(y[:90], npartitions=3)), "partition"),
        (lambda X, y: (dd.from_pandas(X, npartitions=3), y), "Dask series"),
        (lambda X, y: (da.from_array(X.to_numpy(), chunks=40), y.to_numpy()[:90]), "120 rows and y with 90"),
        (lambda X, y: (da.from_array(X.to_numpy(), chunks=40), da.from_array(X["a"].to_numpy())), "continuous"),
        (lambda X, y: (da.from_array(X.to_numpy(), chunks=40), np.where(y == 1, 1.0, np.nan)), "NaN"),
        (lambda X, y: (dd.from_pandas(X.assign(a=np.inf), npartitions=2), dd.from_pandas(y, npartitions=2)), "infin"),
        (lambda X, y: (dd.from_pandas(X.assign(y=y), npartitions=2), dd.from_pandas(y, npartitions=2)), "leak"),
    ],
)
def test_dask_data_are_checked_like_data_in_memory(make, message):
    X, y = rows()
    data = make(pd.DataFrame(X, columns=list("abcd")), pd.Series(y, name="y"))
    with pytest.raises(ValueError, match=message):
        fewer.InformationGain().fit(*data)


def test_dask_text_targets_and_empty_partitions():
    X, y = rows()
    words = np.where(y, "yes", "no")
    arrays = da.from_array(X, chunks=(50, 4))
    for name in ("Pearson", "Chi2"):
        there = fewer.get(name)(2).fit(arrays, words)
        np.testing.assert_allclose(there.scores_, fewer.get(name)(2).fit(X, words).scores_, rtol=1e-9)
    frame = dd.from_pandas(pd.DataFrame(X, columns=list("abcd")), npartitions=3)
    keep = frame[frame["a"] > X[60:, 0].max() - 1e9]
    target = dd.from_pandas(pd.Series(y, name="y"), npartitions=3)
    np.testing.assert_allclose(fewer.FTest().fit(keep, target).scores_, fewer.FTest().fit(X, y).scores_)
    empty = da.concatenate([arrays, da.empty((0, 4), chunks=(1, 4))])
    with_empty = fewer.FTest().fit(empty, da.concatenate([da.from_array(y, chunks=50), da.empty(0, dtype=int)]))
    np.testing.assert_allclose(with_empty.scores_, fewer.FTest().fit(X, y).scores_)


def test_nothing_is_left_aside_silently():
    X, y = rows()
    table = ArrayTable(X, y, batch_rows=30)
    dask = da.from_array(X, chunks=(40, 4))
    w = np.ones(len(y))
    for call, message in (
        (lambda: fewer.Chi2().fit(table, sample_weight=w), "sample_weight"),
        (lambda: fewer.Chi2().fit(dask, y, sample_weight=w), "sample_weight"),
        (lambda: fewer.Chi2().fit(table, y), "brings its own target"),
        (lambda: fewer.Chi2(categorical_features=[0]).fit(table), "categorical_features"),
        (lambda: fewer.Chi2(categorical_features=[0]).fit(dask, y), "categorical_features"),
        (lambda: fewer.Chi2(discretizer="mdl").fit(table), "in memory"),
        (lambda: fewer.Chi2("probes:0.1").fit(dask, y), "in memory"),
        (lambda: fewer.Chi2("fdr:0.1", discretizer="mdl").fit(X, y), "p-values"),
        (lambda: fewer.MixtureOverlap("probes:0.1").fit(X), "probes"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    assert "pvalue" not in fewer.Chi2(2, discretizer="mdl").fit(X, y).selection_.columns


def test_loaded_tables_work_like_arrays(tmp_path):
    X, y = rows()
    frame = pd.DataFrame(X, columns=list("abcd")).assign(y=y)
    frame.to_csv(tmp_path / "d.csv", index=False)
    table = open_table(tmp_path / "d.csv", target="y")
    held = table.load()
    assert (table.in_memory, held.in_memory) == (False, True)
    for name in ("RankSum", "Chi2"):
        np.testing.assert_allclose(fewer.get(name)().fit(held).scores_, fewer.get(name)().fit(X, y).scores_)
    assert [b.n_rows for b in held.batches(50)] == [50, 50, 20]


def test_built_in_data_sets_by_name():
    selection = fewer.select("iris", "target", "FTest", n_features_to_select=1)
    assert selection.kept_names == ["petal length (cm)"]
    assert open_table("diabetes", target="target").task == "regression"


def test_memory_only_parameters_stay_in_memory_under_a_client():
    from distributed import Client

    X, y = rows()
    with Client(processes=False, dashboard_address=None) as client, fewer.use(client):
        got = fewer.Chi2(discretizer="mdl").fit(X, y)
        assert got.selection_.meta["runner"] == "threads"
        assert fewer.Chi2().fit(X, y).selection_.meta["runner"] == "dask"


@pytest.mark.parametrize("dtype", [np.float16, np.longdouble, ">f8", ">i4", bool, np.int8])
def test_odd_number_types(dtype):
    X, y = rows()
    values = (X * 4).astype(dtype)
    expected = fewer.FTest().fit(values.astype(float), y).scores_
    np.testing.assert_allclose(fewer.FTest().fit(values, y).scores_, expected, rtol=1e-6)
    fewer.InformationGain().fit(values, y)


def test_missing_marks_of_frames():
    X, y = rows()
    frame = pd.DataFrame({"whole": pd.array([1, None, 3] * 40, dtype="Int64"), "text": pd.array(["a", None] * 60)})
    got = fewer.InformationGain(discretizer=None).fit(frame[["text"]], y)
    assert got.n_features_in_ == 1
    assert fewer.InformationGain().fit(frame, y).scores_.shape == (2,)
    with pytest.raises(ValueError, match="missing values"):
        fewer.InformationGain().fit(X, pd.Series(["a", None] * 60, dtype="string"))
    assert fewer.FTest().fit(pd.DataFrame(X), pd.DataFrame(y)[0]).n_features_in_ == 4


def test_functions_as_scores_take_text_classes():
    from sklearn.feature_selection import f_classif

    X, _ = rows()
    words = np.tile(["a", "b", "c"], 40)
    got = fewer.ScoreSelector(f_classif).fit(X, words)
    np.testing.assert_allclose(got.scores_, f_classif(X, words)[0])


def test_steps_of_an_iteration_are_not_remembered():
    from fewer.core.discretize.codes import codes_view
    from fewer.core.discretize.named import EqualFrequency
    from fewer.core.reading.table_views import read_table
    from fewer.core.runners.stream import StreamRunner
    from fewer.core.summaries.quantiles import RankedValues

    X, y = rows()
    with StreamRunner() as run:
        data = read_table("Chi2", ArrayTable(X, y, batch_rows=50), fewer.Chi2.method_tags, run)
        codes_view(data, EqualFrequency(10))
    assert not any(isinstance(key, RankedValues) for key in data._memo)
