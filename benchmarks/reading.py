"""Columns of Parquet files and of frames: what fewer takes to read them beside what Arrow takes for the same columns.

python benchmarks/reading.py                        this tree
python benchmarks/reading.py --before OTHER_TREE    the same of another checkout, in turn with this one

Milliseconds of CPU, the least of several runs; every tree is measured in a process of its own.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parents[1]
RUNS = 5


def columns(n: int) -> dict[str, Any]:
    """One column of each kind, with a missing value in every hundredth row."""
    import pyarrow as pa

    rng = np.random.default_rng(0)
    gone = rng.random(n) < 0.01
    seconds = rng.integers(0, 10**9, n)
    few = np.array([f"level {i}" for i in range(12)])[rng.integers(0, 12, n)]
    many = np.char.add("code ", rng.integers(0, 20_000, n).astype(str))
    moments = pa.array(seconds * 10**6, mask=gone).cast(pa.timestamp("us"))
    cents = pa.array(rng.integers(-(10**6), 10**6, n), mask=gone)
    return {
        "numbers": pa.array(rng.normal(size=n), mask=gone),
        "text, 12 levels": pa.array(few, mask=gone),
        "text, 20,000 levels": pa.array(many, mask=gone),
        "dictionary": pa.array(few, mask=gone).dictionary_encode(),
        "date32": pa.array((seconds // 86400).astype(np.int32), mask=gone).cast(pa.date32()),
        "timestamp": moments,
        "timestamp, zone": moments.cast(pa.timestamp("us", tz="Europe/Berlin")),
        "decimal128": cents.cast(pa.decimal128(20, 0)).cast(pa.decimal128(24, 4)),
        "decimal256": cents.cast(pa.decimal256(20, 0)).cast(pa.decimal256(44, 4)),
    }


def cpu(work: Callable[[], Any]) -> float:
    """Milliseconds of CPU of the fastest of several runs."""
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) * 1e3


def measured(folder: Path) -> dict[str, list[float]]:
    """What Arrow and fewer take for each file, and fewer for frames of categoricals."""
    import pandas as pd
    import polars as pl
    import pyarrow.parquet as pq

    import fewer
    from fewer.core.reading.dates import read_dates
    from fewer.core.reading.frames import encode_frame

    found = {}
    for path in sorted(folder.glob("*.parquet")):

        def load(path: Path = path) -> None:
            table = fewer.open_table(path, target="y")
            if path.stem.split("-")[1].startswith(("date", "time")):
                table = read_dates(table, "expand")
            for _ in table.batches():
                pass

        arrow = cpu(lambda path=path: pq.ParquetFile(path, pre_buffer=False).read(use_threads=False))
        found[path.stem.split("-")[1]] = [arrow, cpu(load)]
    texts = pq.read_table(next(folder.glob("*text, 12*"))).column("x").to_pylist()
    frames = {
        "pandas categorical": pd.DataFrame({"x": pd.Categorical(texts)}),
        "polars categorical": pl.DataFrame({"x": pl.Series(texts, dtype=pl.Categorical)}),
        "polars enum": pl.DataFrame({"x": pl.Series(texts, dtype=pl.Enum(sorted(set(texts) - {None})))}),
        "polars text": pl.DataFrame({"x": texts}),
    }
    for name, frame in frames.items():
        found[name] = [0.0, cpu(lambda frame=frame: encode_frame(frame, np.ones(1, bool)))]
    return found


def main() -> None:
    options = argparse.ArgumentParser(description="Columns of Parquet files and of frames beside Arrow.")
    options.add_argument("--before", type=Path, help="root of another checkout to compare with")
    options.add_argument("--rows", type=int, default=200_000)
    options.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.measure:
        print(json.dumps(measured(given.measure)))
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    trees = {"before": given.before.resolve(), "now": HERE} if given.before else {"now": HERE}
    with tempfile.TemporaryDirectory() as folder:
        y = pa.array(np.arange(given.rows) % 2)
        for place, (name, column) in enumerate(columns(given.rows).items()):
            pq.write_table(pa.table({"x": column, "y": y}), Path(folder) / f"{place}-{name}.parquet")
        answers = {}
        for label, tree in trees.items():
            command = [sys.executable, __file__, "--measure", folder]
            settings = {**os.environ, "PYTHONPATH": str(tree / "src"), "OMP_NUM_THREADS": "1"}
            answers[label] = json.loads(
                subprocess.run(command, env=settings, check=True, stdout=subprocess.PIPE).stdout
            )
    print(f"{given.rows:,} rows, {datetime.date.today()}; ms of CPU")
    print(f"{'column':<22}{'Arrow':>9}" + "".join(f"{label:>9}" for label in trees))
    for name in answers["now"]:
        arrow = min(answer[name][0] for answer in answers.values())
        print(f"{name:<22}{arrow:9.1f}" + "".join(f"{answer[name][1]:9.1f}" for answer in answers.values()))


if __name__ == "__main__":
    main()
