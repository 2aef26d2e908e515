"""How fast work goes, in words, beside its progress bar."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from pyarrow import parquet

import fewer
from fewer.core.runners import progress


def test_rates_name_rows_and_bytes_where_they_are_known():
    assert progress.rate("choosing features", None) == ""
    assert progress.rate("choosing features", 2.25) == "2.2/s"
    with progress.listen(lambda *told: None):
        progress.report_rows("reading numbers", 5, 10, 400.0)
        progress.report_rows("reading something", 5, 10, 0.0)
    assert progress.rate("reading numbers", 1_000_000) == "1,000,000 rows/s, 400 MB/s"
    assert progress.rate("reading something", 12_345.6) == "12,346 rows/s"


def test_a_stream_tells_rows_and_their_bytes_of_every_pass(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 500)
    parquet.write_table(pa.table({"a": rng.normal(size=500), "b": y + 0.5, "y": y}), tmp_path / "rows.parquet")
    told = []
    with progress.listen(lambda *step: told.append(step)):
        fewer.InformationGain(1).fit(fewer.open_table(tmp_path / "rows.parquet", "y", batch_rows=200))
    passes = {what for what, done, total in told if done == total == 500}
    assert {f"reading {tmp_path / 'rows.parquet'}", "finding quantiles"} <= passes
    for what in passes:
        assert "MB/s" in progress.rate(what, 1e6), what
