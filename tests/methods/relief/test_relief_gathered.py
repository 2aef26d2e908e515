"""Rows of files and of Dask collections give the scores that they give in memory."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.core.summaries.small_rows import in_smallest_type

COLUMNS = [f"f{j}" for j in range(66)]


def frame(rng, kind):
    X = rng.integers(0, 3, (90, 66)).astype(float)
    if kind != "levels":
        # Rows of the first block fit into smaller numbers than those of the others.
        X[35:][rng.random((55, 66)) < 0.1] = np.nan
    if kind == "mixed":
        X[:, 60:] = rng.normal(size=(90, 6))
    made = pd.DataFrame(X, columns=COLUMNS)
    if kind == "levels":
        made = made.apply(lambda column: column.map({0.0: "aa", 1.0: "ab", 2.0: "bb"}))
    return made.assign(y=rng.integers(0, 2, 90))


@pytest.mark.parametrize("kind", ["levels", "missing", "mixed"])
def test_files_and_dask_score_as_memory_does(rng, kind, tmp_path):
    dd = pytest.importorskip("dask.dataframe")
    rows = frame(rng, kind)
    rows.to_parquet(tmp_path / "rows.parquet")
    table = fewer.open_table(tmp_path / "rows.parquet", target="y", batch_rows=31)
    parts = dd.from_pandas(rows, npartitions=3)
    for name in ("MultiSURFStar", "SURF", "ReliefF"):
        made = getattr(fewer, name)(4)
        expected = made.fit(rows[COLUMNS], rows["y"]).selection_
        for runner, given in (("stream", (table,)), ("dask", (parts[COLUMNS], parts["y"]))):
            found = made.fit(*given).selection_
            # Where a cluster of an earlier test is open, its workers sum up ranges of rows.
            np.testing.assert_allclose(found.scores, expected.scores, rtol=0, atol=1e-14 if runner == "dask" else 0)
            assert (found.indices.tolist(), found.meta["runner"]) == (expected.indices.tolist(), runner)


def test_a_target_of_numbers_and_sizes_that_look_at_rows(rng, tmp_path):
    rows = frame(rng, "mixed").assign(y=rng.normal(size=90))
    rows.to_parquet(tmp_path / "rows.parquet")
    table = fewer.open_table(tmp_path / "rows.parquet", target="y", batch_rows=40)
    made = fewer.RReliefF("probes:0.2", n_samples=50, random_state=0)
    expected = made.fit(rows[COLUMNS], rows["y"]).selection_
    np.testing.assert_array_equal(made.fit(table).selection_.indices, expected.indices)


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([0.0, 255.0], np.uint8),
        ([-1.0, 127.0], np.int8),
        ([-1, 128], np.int16),
        ([0.0, np.nan], np.float32),
        ([0.0, 40_000.0], np.float32),
        ([0.0, 2.0**24], np.float64),
        ([0.0, 2.0**24, np.nan], np.float64),
        ([0.5, 1.0], np.float64),
        ([np.nan, np.nan], np.float64),
        ([0.0, np.inf], np.float64),
        ([2**40, 2**41], np.int64),
    ],
)
def test_the_smallest_type_that_holds_numbers(values, dtype):
    X = np.array([values])
    small = in_smallest_type(X)
    assert small.dtype == dtype
    np.testing.assert_array_equal(small, X)
