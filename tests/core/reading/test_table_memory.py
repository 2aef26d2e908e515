"""Reading a table takes the same memory for ten times the rows."""

from __future__ import annotations

import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv as pa_csv

CODE = """
import sys
import pyarrow.compute, pyarrow.csv, pyarrow.parquet
from fewer.core.reading.io import columnar, delimited
from fewer.core.reading.table import open_table
from fewer.core.runners.memory import Memory
delimited._BLOCK_BYTES = (2**16, 2**16)
columnar.BATCH_BYTES = 2**19
table = open_table(sys.argv[1], "y", memory=Memory(batch=2**19))
rows = sum(batch.n_rows for batch in table)
assert rows == table.n_rows and len(table.labels) == 1
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def peak_mebibytes(path) -> float:
    run = subprocess.run([sys.executable, "-c", CODE, str(path)], check=True, capture_output=True, text=True)
    return float(run.stdout) / 1024


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the peak where Linux tells it")
@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_peak_memory_does_not_grow_with_rows(tmp_path, rng, name):
    peaks = []
    for n_rows in (40_000, 400_000):
        data = pa.table(
            {
                **{f"x{j}": rng.normal(size=n_rows) for j in range(8)},
                "word": rng.choice(["red", "blue"], n_rows),
                "y": rng.integers(0, 3, n_rows),
            }
        )
        if name == "t.csv":
            pa_csv.write_csv(data, str(tmp_path / name))
        else:
            # Small pages, so that the shorter file has several of them too.
            pq.write_table(data, tmp_path / name, n_rows, data_page_size=2**14, use_dictionary=False)
        peaks.append(peak_mebibytes(tmp_path / name))
    # The features alone are 29 MiB as numbers and more as text.
    assert peaks[1] - peaks[0] < 20
