"""A numeric target is cut into the same levels wherever the rows are."""

from __future__ import annotations

import numpy as np
import pytest

import fewer
from fewer.core.reading.table import ArrayTable

METHODS = ["MIM", "MIFS", "MRMR", "CIFE", "JMI", "CMIM", "DISR", "ICAP", "JMIM", "NJMIM", "JIM"]


def rows(kind, n=120):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, 5))
    y = X[:, 1] + X[:, 3] + rng.normal(size=n) / 2
    # Few values, most of them equal; and more different ones than the first pass keeps a place for.
    y = {"ties": np.maximum(np.round(y), 0.0), "numbers": y}[kind]
    return X, y


def same(got, expected):
    assert got.indices.tolist() == expected.indices.tolist()
    np.testing.assert_array_equal(got.scores, expected.scores)
    np.testing.assert_array_equal(got.reasons.kind, expected.reasons.kind)


@pytest.mark.parametrize("kind", ["numbers", "ties"])
@pytest.mark.parametrize("name", METHODS)
def test_a_stream_selects_what_memory_does(name, kind):
    X, y = rows(kind)
    method = fewer.get(name)
    found = method(3).fit(ArrayTable(X, y, batch_rows=17)).selection_
    assert found.meta["runner"] == "stream"
    same(found, method(3).fit(X, y).selection_)


def test_rows_of_weight_zero_have_no_part_in_the_levels(tmp_path):
    X, y = rows("numbers")
    weight = np.arange(len(y)) % 3
    names = [f"x{j}" for j in range(X.shape[1])]
    lines = np.column_stack([X, y, weight])
    np.savetxt(tmp_path / "rows.csv", lines, "%.17g", ",", header=",".join([*names, "y", "w"]), comments="")
    table = fewer.open_table(tmp_path / "rows.csv", "y", weight="w", batch_rows=17, cache_bytes=10)
    same(fewer.MRMR(3).fit(table).selection_, fewer.MRMR(3).fit(X, y, sample_weight=weight).selection_)


def test_a_dask_array_selects_what_memory_does():
    da = pytest.importorskip("dask.array")
    X, y = rows("ties")
    # One of the blocks holds a single level.
    order = np.argsort(y, kind="stable")
    X, y = X[order], y[order]
    found = fewer.JMI(3).fit(da.from_array(X, chunks=((20, 99, 1), 5)), da.from_array(y, chunks=((20, 99, 1),)))
    assert found.selection_.meta["runner"] == "dask"
    same(found.selection_, fewer.JMI(3).fit(X, y).selection_)
