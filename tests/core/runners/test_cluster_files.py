"""Files that the workers of a cluster read themselves, or are sent in batches: the same as on a stream."""

from __future__ import annotations

import os
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.core.reading.table_pieces import TablePiece
from fewer.core.records.errors import ClusterError, FileError, ParameterError
from fewer.core.runners import connect

pytestmark = pytest.mark.dask


def made(n=400):
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(rng.normal(size=(n, 6)), columns=[f"x{j}" for j in range(6)])
    frame["word"] = np.where(frame.x2 + rng.normal(size=n) > 0, "high", "low")
    frame.loc[5:60, "x1"] = np.nan
    frame["label"] = np.where(frame.x4 > 0, "yes", "no")
    # All rows of one row group have no target, and so are left out.
    frame.loc[100:199, "label"] = None
    frame["weight"] = np.tile([1.0, 2.0, 0.0, 0.5], n // 4)
    return frame


@pytest.fixture
def parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow.parquet")
    folder = tmp_path / "parts"
    folder.mkdir()
    frame = made()
    for number, rows in enumerate((frame[:230], frame[230:])):
        rows.to_parquet(folder / f"part.{number}.parquet", index=False, row_group_size=100)
    assert pyarrow.ParquetFile(folder / "part.0.parquet").num_row_groups == 3
    return folder


def opened(path, **more):
    return fewer.open_table(path, "label", **{"drop": ["weight"], "batch_rows": 64, **more})


@pytest.mark.parametrize("name", ["InformationGain", "MRMR", "Chi2"])
def test_workers_read_a_folder_of_parquet_as_a_stream_does(threads_cluster, parquet, name):
    more = {"drop": [f"x{j}" for j in range(6)]} if name == "Chi2" else {}
    here = fewer.get(name)(3).fit(opened(parquet, **more)).selection_
    with fewer.use(threads_cluster):
        there = fewer.get(name)(3).fit(opened(parquet, **more)).selection_
    assert (here.meta["runner"], there.meta["runner"]) == ("stream", "dask")
    assert there.kept_names == here.kept_names
    np.testing.assert_array_equal(there.scores, here.scores)
    assert dict(there.meta["data"]) == dict(here.meta["data"])


def test_weights_and_left_out_rows_are_those_of_a_stream(threads_cluster, parquet):
    def weighted():
        return opened(parquet, weight="weight", drop=[])

    here = fewer.JMI(3).fit(weighted()).selection_
    with fewer.use(threads_cluster):
        there = fewer.JMI(3).fit(weighted()).selection_
    assert there.meta["data"]["n_zero_weight"] == 100
    assert there.meta["data"]["n_without_target"] == 75
    np.testing.assert_array_equal(there.indices, here.indices)
    np.testing.assert_allclose(there.scores, here.scores, rtol=1e-12)


def test_the_client_reads_no_row_of_a_file_after_opening_it(threads_cluster, parquet, monkeypatch):
    from fewer.core.reading.table_rows import Table

    def refuse(self, batch_rows=None):
        raise AssertionError("the client reads the rows")

    expected = fewer.MRMR(2).fit(opened(parquet)).selection_.indices.tolist()
    monkeypatch.setattr(Table, "batches", refuse)
    with fewer.use(threads_cluster):
        assert fewer.MRMR(2).fit(opened(parquet)).selection_.indices.tolist() == expected


@pytest.mark.parametrize("ending", ["csv", "feather"])
def test_other_files_give_the_same(threads_cluster, tmp_path, ending):
    path = tmp_path / f"rows.{ending}"
    frame = made().drop(columns="weight")
    frame.to_csv(path, index=False) if ending == "csv" else frame.to_feather(path)
    here = fewer.JMI(3).fit(opened(path, drop=[])).selection_
    with fewer.use(threads_cluster):
        there = fewer.JMI(3).fit(opened(path, drop=[])).selection_
    assert there.meta["runner"] == "dask"
    np.testing.assert_array_equal(there.indices, here.indices)
    np.testing.assert_array_equal(there.scores, here.scores)


def test_a_held_table_and_the_default_method_work_on_a_cluster(threads_cluster, parquet):
    here = fewer.JMI(3).fit(opened(parquet).load()).selection_
    with fewer.use(threads_cluster):
        there = fewer.JMI(3).fit(opened(parquet).load()).selection_
    assert there.meta["runner"] == "dask"
    np.testing.assert_array_equal(there.indices, here.indices)
    expected = fewer.DefaultRecipe().fit(opened(parquet)).selection_
    with fewer.use(threads_cluster):
        found = fewer.DefaultRecipe().fit(opened(parquet)).selection_
    assert found.kept_names == expected.kept_names


def test_a_file_that_workers_do_not_see_is_one_sentence(threads_cluster, parquet, monkeypatch):
    hidden = parquet.with_name("hidden")
    read = TablePiece.batches

    def elsewhere(self):
        # Another machine has no such folder.
        with suppress(FileNotFoundError):
            os.rename(parquet, hidden)
        return read(self)

    monkeypatch.setattr(TablePiece, "batches", elsewhere)
    with fewer.use(threads_cluster), pytest.raises(FileError, match=r"worker on .* does not see .*part\.\d"):
        fewer.MRMR(2).fit(opened(parquet))


def test_a_file_that_has_changed_on_the_way_is_one_sentence(threads_cluster, parquet):
    table = opened(parquet)
    assert table.n_rows == 300
    (parquet / "part.1.parquet").write_bytes((parquet / "part.1.parquet").read_bytes() + b"more")
    with fewer.use(threads_cluster), pytest.raises(FileError, match="must not change"):
        fewer.MRMR(2).fit(table)


def test_an_address_opens_a_client_and_closes_it(threads_cluster):
    from fewer.core.runners.context import active_client

    X = np.random.default_rng(0).normal(size=(60, 4))
    with fewer.use(threads_cluster.scheduler.address) as client:
        assert active_client() is client
        assert fewer.FTest(1).fit(X, (X[:, 2] > 0).astype(int)).selection_.meta["runner"] == "dask"
    assert active_client() is None
    assert client.status == "closed"


def test_addresses_that_nobody_answers_are_one_sentence(monkeypatch):
    monkeypatch.setattr(connect, "ANSWER", 0.5)
    words = r"answers at tcp://127\.0\.0\.1:1 within 0\.5 seconds"
    with pytest.raises(ClusterError, match=words), fewer.use("tcp://127.0.0.1:1"):
        raise AssertionError
    with pytest.raises(ClusterError, match="names the protocol 'nonsense'"), fewer.use("nonsense://x"):
        raise AssertionError
    with pytest.raises(ParameterError, match="address of a scheduler"), fewer.use("scheduler:8786"):
        raise AssertionError


def test_an_address_of_another_protocol_is_one_sentence():
    pytest.importorskip("distributed")
    with pytest.raises(ClusterError, match="names the protocol 'http'"), fewer.use("http://127.0.0.1:9"):
        pass
