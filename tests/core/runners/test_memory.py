"""One budget of memory: how it is written, what follows from it, and what is refused."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import fewer
from fewer.core.records.errors import ParameterError, RequirementError
from fewer.core.runners import memory
from fewer.core.runners.memory import Memory, as_bytes
from fewer.core.summaries import quantiles


@pytest.mark.parametrize(
    ("given", "bytes_"),
    [
        ("2GB", 2 * 10**9),
        ("500MB", 5 * 10**8),
        ("500 mb", 5 * 10**8),
        ("1.5GiB", 3 * 2**29),
        ("2G", 2 * 10**9),
        ("700000KB", 7 * 10**8),
        ("1TB", 10**12),
        ("600000000", 6 * 10**8),
        (600_000_000, 600_000_000),
    ],
)
def test_how_a_budget_is_written(given, bytes_):
    assert as_bytes(given) == bytes_


@pytest.mark.parametrize("given", ["", "GB", "2 XB", "-2GB", "2GB or so", 2.5e9, True, [1], "1e9"])
def test_what_is_no_budget_is_refused(given):
    with pytest.raises(ParameterError, match="such as '2GB'"):
        as_bytes(given)


@pytest.mark.parametrize("given", ["399MB", 0, "100MB"])
def test_too_little_is_refused_with_what_is_needed(given):
    with pytest.raises(ParameterError, match="at least 400 MiB are needed"):
        as_bytes(given)


def test_without_a_budget_all_is_as_it_was():
    made = Memory.of(None)
    assert (made.batch, made.codes, made.bits, made.tile) == (2**25, 2**30, 5 * 2**29, 2**26)
    assert made.quantiles is None
    assert made.holds(10**15)


@pytest.mark.parametrize("given", ["420MB", "500MB", "1GB", "2GB", "64GB"])
def test_the_parts_fit_into_the_budget_together(given):
    made = Memory.of(given)
    assert made.free is not None
    # Copies of a batch on its way, with the tables of quantiles, which merging holds twice; or with codes.
    assert 5 * made.batch + 2 * max(made.sketch, made.collected) <= made.free
    assert 2.5 * made.codes <= made.free
    assert made.bits + 8 * made.batch <= made.free
    assert made.batch <= memory.BATCH_BYTES
    assert made.sketch <= quantiles.SKETCH_BYTES


def test_a_large_budget_holds_more_codes_than_none():
    assert Memory.of("16GB").codes > Memory.of(None).codes
    assert Memory.of("16GB").with_codes(10).codes == 10
    assert Memory.of("16GB").with_codes(None) == Memory.of("16GB")


@pytest.fixture
def path(tmp_path, rng):
    y = rng.integers(0, 2, 3000)
    X = rng.normal(size=(3000, 6))
    X[:, 4] += y
    parquet.write_table(pa.table({**{f"x{j}": X[:, j] for j in range(6)}, "y": y}), tmp_path / "rows.parquet")
    return tmp_path / "rows.parquet"


def test_the_budget_says_how_large_batches_tables_and_codes_are(path, monkeypatch):
    seen = []
    edges = quantiles.frequency_edges
    monkeypatch.setattr(
        "fewer.core.discretize.binning.frequency_edges",
        lambda *rest, **given: (seen.append(given["room"]), edges(*rest, **given))[1],
    )
    table = fewer.open_table(path, "y", memory="500MB")
    plain = fewer.open_table(path, "y")
    assert table.batch_rows < plain.batch_rows
    assert table.cache_bytes == Memory.of("500MB").codes < plain.cache_bytes == 2**30
    assert fewer.open_table(path, "y", memory="500MB", cache_bytes=5, batch_rows=7).cache_bytes == 5
    found = fewer.MRMR(3).fit(table)
    assert seen == [Memory.of("500MB").quantiles]
    np.testing.assert_array_equal(found.scores_, fewer.MRMR(3).fit(plain).scores_)


def test_rows_that_do_not_fit_are_streamed_or_refused(path, monkeypatch):
    # Rows of 144,000 bytes, of which 100,000 are left for them.
    monkeypatch.setattr(memory, "LEAST_BYTES", 0)
    budget = memory.PROGRAM_BYTES + 100_000
    # As much again is for working on them.
    assert Memory.of(budget).holds(50_000)
    assert not Memory.of(budget).holds(50_001)
    assert fewer.select(path, "y", "FTest", memory=budget).meta["runner"].startswith("stream")
    for work in (
        lambda: fewer.select(path, "y", "TreeFilter", memory=budget),
        lambda: fewer.open_table(path, "y", memory=budget).load(),
        lambda: fewer.open_table(path, ["x0", "y"], memory=budget).held(False),
    ):
        with pytest.raises(RequirementError, match=r"InformationGain, MRMR or FTest") as caught:
            work()
        assert "give more memory" in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(RequirementError, match="TreeFilter needs all rows"):
        fewer.select(path, "y", "TreeFilter", memory=budget)
    # Without a budget, and with one that is enough, small files are read at once.
    for given in ({}, {"memory": "2GB"}):
        assert fewer.select(path, "y", "FTest", **given).meta["runner"].startswith("threads")


def test_what_streams_inside_another_method_streams_there_too(path):
    for made in (
        fewer.Constrained(fewer.MRMR(3), fixed_features=["x1"]),
        fewer.InformationValue(3),
        fewer.CorrelationFilter(),
    ):
        streamed = made.fit(fewer.open_table(path, "y", batch_rows=500)).selection_
        whole = made.fit(fewer.open_table(path, "y").load()).selection_
        assert streamed.meta["runner"].startswith("stream")
        assert streamed.kept_names == whole.kept_names


def test_the_command_line_takes_a_budget(path):
    words = ["-m", "fewer", "select", str(path), "--target", "y", "-m", "FTest", "-n", "1", "--memory"]
    good = subprocess.run([sys.executable, *words, "600MB", "--stream"], capture_output=True, text=True, check=False)
    assert good.returncode == 0, good.stderr
    assert "x4" in good.stdout
    bad = subprocess.run([sys.executable, *words, "much"], capture_output=True, text=True, check=False)
    assert bad.returncode == 2, bad.stderr
    assert "--memory much" in bad.stderr
