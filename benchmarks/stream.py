"""Files larger than memory: time and memory of methods on a stream, beside reading the same file with pyarrow alone.

    python benchmarks/stream.py --folder FOLDER [--gigabytes 1 10] [--memory 2GB] [--wide]

Makes Parquet files of 50 numbers and a class, of the given size as float64, below FOLDER, and removes them again; from
1 GB on the same rows come again, so that they take 1 GB of disk. Every
measurement is a process of its own whose memory is limited, by a control group where one can be made, else by
RLIMIT_DATA; what is printed as its peak is its largest resident set. Reading alone is measured before and after every
method, as other work on the machine changes from minute to minute, and the mean of both is what the method stands
beside: its time by passes x reading alone, and by one reading alone. --wide has rows of 631 codes of 5 levels, one byte
each, the same again from 1,000,000 rows on, and mRMR of 50 features; what is done until codes are made is told apart.

    python benchmarks/stream.py --wide --rows 64000000 --limit 20

needs 15.1 GB for the codes, three bits each, and within --limit 2 as much in the temporary folder.
logs/stream.log is what such runs have printed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

N_FEATURES, PART_ROWS, DISTINCT_PARTS = 50, 500_000, 5
WIDE, WIDE_KEPT, WIDE_PARTS, WIDE_ROWS = 631, 50, 16, (250_000, 1_000_000, 4_000_000)
METHODS = ("FTest", "InformationGain", "MRMR", "DefaultRecipe")
GROUP = Path(f"/sys/fs/cgroup/memory/fewer_benchmark_{os.getpid()}")


def make(folder: Path, n_rows: int, compression: str) -> None:
    """Write numbers in pieces, every tenth column of which tells of the class; from 1 GB on the same ones again."""
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(0)
    for part, first in enumerate(range(0, n_rows, PART_ROWS)):
        n, path = min(PART_ROWS, n_rows - first), folder / f"part.{part}.parquet"
        if part >= DISTINCT_PARTS and n == PART_ROWS:
            os.link(folder / f"part.{part % DISTINCT_PARTS}.parquet", path)
            continue
        y = rng.integers(0, 2, n)
        columns = {f"x{j}": rng.normal(size=n) + (j % 10 == 0) * y * (1 + j) / 50 for j in range(N_FEATURES)}
        parquet.write_table(
            pa.table({**columns, "label": y}),
            path,
            compression=compression,
            use_dictionary=False,
            row_group_size=2**17,
        )


def make_wide(folder: Path, n_rows: int) -> None:
    """Write codes of five levels in pieces, which depend on each other and on the class in tens.

    From 1,000,000 rows on the same ones come again.
    """
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(0)
    for part, first in enumerate(range(0, n_rows, 62_500)):
        n = min(62_500, n_rows - first)
        if part >= WIDE_PARTS and n == 62_500:
            os.link(folder / f"part.{part % WIDE_PARTS}.parquet", folder / f"part.{part}.parquet")
            continue
        y = rng.integers(0, 2, n)
        shared = rng.integers(0, 5, (n, WIDE // 10 + 1))
        columns = {}
        for j in range(WIDE):
            own = rng.random(n) < 0.3 + 0.6 * (j % 10) / 10
            codes = np.where(own, rng.integers(0, 5, n), shared[:, j // 10])
            columns[f"x{j}"] = np.where(rng.random(n) < j / 3000, 2 * y, codes).astype(np.uint8)
        parquet.write_table(pa.table({**columns, "label": y}), folder / f"part.{part}.parquet", row_group_size=2**16)


def read_alone(folder: Path) -> dict[str, Any]:
    """Read all columns once with pyarrow, batch by batch, on all its threads."""
    from pyarrow import parquet

    begin, cpu, rows = time.perf_counter(), time.process_time(), 0
    for path in sorted(folder.glob("*.parquet")):
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=2**16):
                rows += batch.num_rows
    return {"seconds": time.perf_counter() - begin, "cpu": time.process_time() - cpu, "rows": rows}


def fit(folder: Path, method: str, memory: str | None, **given: Any) -> dict[str, Any]:
    """Fit a method to the files and tell how often they were read."""
    import fewer
    from fewer.core.discretize import codes
    from fewer.core.reading.io import columnar

    coded, keep = [], codes.keep_codes

    def keeping(view: Any) -> Any:
        made = keep(view)
        coded.append((time.perf_counter(), time.process_time()))
        return made

    codes.keep_codes = keeping  # type: ignore[assignment]
    passes, read = [], columnar._ParquetPart.read
    first = sorted(folder.glob("*.parquet"))[0]

    def counting(self: Any, *rest: Any) -> Any:
        passes.extend([self.path] if self.path == first else [])
        return read(self, *rest)

    columnar._ParquetPart.read = counting  # type: ignore[method-assign]
    more = {} if memory is None else {"memory": memory}
    # A first fit loads libraries and compiled loops, which the others of a process find there.
    rng = np.random.default_rng(0)
    fewer.get(method)(**given).fit(rng.normal(size=(200, 60)).round() % 5, rng.integers(0, 2, 200))
    coded.clear()
    begin, cpu = time.perf_counter(), time.process_time()
    made = fewer.get(method)(**given)
    if "n_jobs" in made.get_params():
        made.set_params(n_jobs=-1)
    made.fit(fewer.open_table(folder, "label", **more))
    kept = made.selection_.indices.tolist()
    taken = {"seconds": time.perf_counter() - begin, "cpu": time.process_time() - cpu}
    told = {"coded": coded[-1][0] - begin, "coded_cpu": coded[-1][1] - cpu} if coded else {}
    return {**taken, **told, "passes": len(passes), "kept": kept}


@contextmanager
def limited(limit: int) -> Iterator[Any]:
    """Give what a child process calls before its work, so that its memory is limited; and the name of the way."""
    try:
        GROUP.mkdir()
        (GROUP / "memory.limit_in_bytes").write_text(str(limit))
        here = GROUP / "cgroup.procs"
    except OSError:
        yield lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)), "RLIMIT_DATA"
        return
    try:
        yield lambda: here.write_text(str(os.getpid())), "a control group, cached files included"
    finally:
        GROUP.rmdir()


def measured(limit: int, *words: str) -> dict[str, Any]:
    """Run this file in a process of its own and return what it tells."""
    with limited(limit) as (enter, _):
        done = subprocess.run(
            [sys.executable, __file__, *words], preexec_fn=enter, stdout=subprocess.PIPE, text=True, check=False
        )
    if done.returncode:
        return {"failed": done.returncode}
    return json.loads(done.stdout.splitlines()[-1])


def told(what: str, found: dict[str, Any], n_bytes: int, alone: dict[str, Any] | None = None) -> None:
    """Print one measurement, beside that of reading alone."""
    if "failed" in found:
        print(f"  {what}: ended with {found['failed']} within that memory", flush=True)
        return
    passes, peak = found.get("passes", 1), f"peak {found['peak'] / 2**20:,.0f} MiB"
    took = f"{found['seconds']:.1f} s, {found['cpu']:.1f} s of the processor"
    if alone is None or "failed" in alone:
        print(f"  {what}: {took}, {n_bytes / found['seconds'] / 1e6:,.0f} MB/s, {peak}", flush=True)
        return
    times, by_cpu = found["seconds"] / alone["seconds"], found["cpu"] / alone["cpu"]
    print(
        f"  {what}: {took}, {passes} passes, {passes * n_bytes / found['seconds'] / 1e6:,.0f} MB/s per pass; reading "
        f"alone {alone['seconds']:.1f} s, {alone['cpu']:.1f} s of the processor; by passes x reading "
        f"{times / passes:.1f} (processor {by_cpu / passes:.1f}), by one reading {times:.1f} ({by_cpu:.1f}); {peak}",
        flush=True,
    )


def beside(limit: int, inside: Path, *words: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Measure something, and reading alone as the mean of before and after."""
    before = measured(limit, "--one", "read", str(inside))
    found = measured(limit, *words)
    after = measured(limit, "--one", "read", str(inside))
    if "failed" in before or "failed" in after:
        return found, {"failed": before.get("failed", after.get("failed"))}
    return found, {what: (before[what] + after[what]) / 2 for what in ("seconds", "cpu")}


def numbers(inside: Path, limit: int, memory: str | None, methods: list[str]) -> None:
    size = sum(path.stat().st_size for path in inside.iterdir())
    alone = measured(limit, "--one", "read", str(inside))
    print(f"{alone['rows']:,} rows x {N_FEATURES} numbers, {size / 1e9:.2f} GB in Parquet", flush=True)
    told("pyarrow alone", alone, size)
    for method in methods:
        more = [] if memory is None else ["--memory", memory]
        found, alone = beside(limit, inside, "--one", method, str(inside), *more)
        told(method, found, size, alone)


def made(folder: Path, gigabytes: float, compression: str, *rest: Any) -> None:
    """Make a file, measure, and remove it again."""
    inside = Path(tempfile.mkdtemp(dir=folder))
    try:
        make(inside, int(gigabytes * 1e9 / 8 / N_FEATURES), compression)
        numbers(inside, *rest)
    finally:
        shutil.rmtree(inside)


def wide(folder: Path, limit: int, memory: str | None, rows: list[int]) -> None:
    for n_rows in rows:
        inside = Path(tempfile.mkdtemp(dir=folder))
        try:
            make_wide(inside, n_rows)
            size = sum(path.stat().st_size for path in inside.iterdir())
            print(f"{n_rows:,} rows x {WIDE} codes, {size / 1e9:.2f} GB in Parquet, mRMR of {WIDE_KEPT}", flush=True)
            more = [] if memory is None else ["--memory", memory]
            found, alone = beside(limit, inside, "--one", "wide", str(inside), *more)
            told("MRMR", found, size, alone)
            if "failed" not in found:
                steps, cells = found["cpu"] - found["coded_cpu"], n_rows * WIDE
                print(
                    f"    codes after {found['coded']:.1f} s, {found['coded_cpu']:.1f} s of the processor: "
                    f"{1e9 * found['coded_cpu'] / cells:.2f} ns per value; {WIDE_KEPT} steps "
                    f"{found['seconds'] - found['coded']:.1f} s, {steps:.1f} s of the processor: "
                    f"{1e9 * steps / cells / WIDE_KEPT:.3f} ns per value and step",
                    flush=True,
                )
        finally:
            shutil.rmtree(inside)


def one(what: str, folder: Path, memory: str | None) -> None:
    """One measurement, in a process of its own."""
    if what == "read":
        found = read_alone(folder)
    elif what == "wide":
        found = fit(folder, "MRMR", memory, n_features_to_select=WIDE_KEPT, discretizer=None)
    else:
        found = fit(folder, what, memory)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({**found, "peak": peak * 1024}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    parser.add_argument("--gigabytes", type=float, nargs="*", default=[1, 10])
    parser.add_argument("--limit", type=float, default=2.0, help="GB of memory of every process")
    parser.add_argument("--memory", help="what open_table is told; the limit by default, 'none' for nothing")
    parser.add_argument("--methods", nargs="*", default=list(METHODS))
    parser.add_argument("--compression", default="none", help="of the files that are made, such as snappy or zstd")
    parser.add_argument("--wide", action="store_true")
    parser.add_argument("--made", type=Path, metavar="FOLDER", help="measure on files that are there")
    parser.add_argument("--rows", type=int, nargs="*", default=list(WIDE_ROWS), help="of --wide")
    parser.add_argument("--one", nargs=2, metavar=("WHAT", "FOLDER"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        one(given.one[0], Path(given.one[1]), given.memory)
        return
    limit = int(given.limit * 1e9)
    memory = None if given.memory == "none" else given.memory or f"{given.limit:g}GB"
    with limited(limit) as (_, way):
        print(f"python {' '.join(sys.argv)}; {os.cpu_count()} cores; {given.limit:g} GB of memory by {way}", flush=True)
    if given.wide:
        wide(given.folder, limit, memory, given.rows)
    if given.made:
        numbers(given.made, limit, memory, given.methods)
    for gigabytes in [] if given.wide or given.made else given.gigabytes:
        made(given.folder, gigabytes, given.compression, limit, memory, given.methods)


if __name__ == "__main__":
    main()
