"""What summaries cost, beside the model of docs/scale.md: bytes that travel, and the share of what the machine can do.

    python benchmarks/cost_model.py [--runners]

One thread. The roof is a copy of arrays larger than the caches (bytes read and written), and the rate at which bits of
words that lie in the nearest caches are counted after an AND. Every kernel is timed on rows of three sizes, in seconds
of processor time; the fastest of several runs counts, and what it must read at least is divided by its time. Asserts
that summaries are as large as modelled, within 20 per cent, at three numbers of features, and that they do not grow
with the rows. --runners times three methods on threads and on a stream instead, from a Parquet file.
"""

from __future__ import annotations

import pickle
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from fewer.core.criteria.joint_sums import JointSums
from fewer.core.kernels import bits
from fewer.core.neighbours.level_space import level_space
from fewer.core.neighbours.spaces import number_space
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries.counts import PairCounts, TargetCounts
from fewer.core.summaries.moments import ClassMoments
from fewer.core.summaries.products import FeatureProducts, ProductsWithTarget
from fewer.core.summaries.quantiles import RankedValues
from fewer.core.views.blocks import CodesBlock, DenseBlock
from fewer.core.views.view import View

CLASSES, LEVELS, WIDTH = 2, 5, 64
# Bytes with which a message begins, about.
HEAD = 400
ROWS = (20_000, 60_000, 180_000)
FEATURES = (50, 200, 800)


def fastest(work: Callable[[], Any], repeats: int = 7) -> float:
    """Return the seconds of processor time of the fastest of several runs."""
    work()
    times = []
    for _ in range(repeats):
        begin = time.thread_time()
        work()
        times.append(time.thread_time() - begin)
    return min(times)


def codes(n: int, d: int) -> CodesBlock:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, LEVELS, (n, d), np.uint8)
    return CodesBlock(rows, np.full(d, LEVELS, np.int64), rng.integers(0, CLASSES, n))


def numbers(n: int, d: int) -> DenseBlock:
    rng = np.random.default_rng(0)
    return DenseBlock(rng.normal(size=(n, d)), rng.integers(0, CLASSES, n))


def with_numbers(n: int, d: int) -> DenseBlock:
    block = numbers(n, d)
    return DenseBlock(block.X, np.asarray(block.y, dtype=np.float64))


def sketch(d: int) -> RankedValues:
    ends = np.full(d, np.inf)
    return RankedValues(np.arange(d), -ends, ends, np.arange(d + 1), 16_384)


def travelling() -> None:
    """Compare what summaries take up when they travel with the model, bytes per feature."""
    print("bytes per feature that travel: modelled; found at", ", ".join(f"{d} features" for d in FEATURES))
    n = 3000
    for words, summary, made, model in (
        ("moments per class", ClassMoments(CLASSES), numbers, 16 * CLASSES + 8),
        ("products with the target", ProductsWithTarget(), with_numbers, 32),
        ("counts with the classes", TargetCounts(CLASSES), codes, 8 * LEVELS * CLASSES + 8),
        ("counts with an anchor and the classes", PairCounts(0, CLASSES), codes, 8 * LEVELS**2 * CLASSES + 8),
        ("first pass for quantiles", None, numbers, 24 * n),
    ):
        found = []
        for d in FEATURES:
            sizes = [message(summary or sketch(d), made(rows, d)) for rows in (n, 2 * n)]
            assert abs(sizes[0] - HEAD) <= 1.2 * model * d, (words, d, sizes[0])
            assert sizes[0] >= 0.8 * model * d, (words, d, sizes[0])
            # All but the values for quantiles, of which up to 16,384 are kept, are as large for twice the rows.
            assert summary is None or sizes[1] <= 1.01 * sizes[0], (words, sizes)
            found.append((sizes[0] - HEAD) / d)
        print(f"  {words}: {model:,}; " + ", ".join(f"{one:,.0f}" for one in found))


def message(summary: Any, block: Any) -> int:
    """Return the bytes of the summary of a row block as it travels."""
    return len(pickle.dumps(summary.whole(block), protocol=5))


def roof() -> tuple[float, float]:
    """Return bytes per second of a copy, and words of 64 bits per second of counting bits."""
    source = np.ones(2**25)
    target = np.zeros_like(source)
    copied = 2 * source.nbytes / fastest(lambda: np.copyto(target, source))
    words, table = np.arange(512, dtype=np.uint64)[None].repeat(16, axis=0), np.zeros((16, 16), np.int64)
    counted = 512 * 256 * 20 / fastest(lambda: [bits.count_planes(words, words, 0, 16, table) for _ in range(20)])
    print(f"roof, one thread: copy {copied / 1e9:.1f} GB/s, bits of {counted / 1e9:.2f} Gwords/s")
    return copied, counted


def shares(copied: float, counted: float) -> None:
    """Print what each kernel reaches of the roof."""
    print(f"{'kernel':38} {'rows':>8} {'ms':>8} {'ns/value':>9} {'GB/s':>6} {'of copy':>8} {'of bits':>8}")

    def tell(words: str, n: int, d: int, seconds: float, n_bytes: float, n_words: float = 0.0) -> None:
        of_bits = f"{n_words / seconds / counted:8.0%}" if n_words else ""
        of_copy = f"{n_bytes / seconds / 1e9:6.2f} {n_bytes / seconds / copied:8.0%}" if n_bytes else " " * 15
        print(
            f"{words:38} {n:8,} {seconds * 1e3:8.1f} {seconds / n / d * 1e9:9.4f} {of_copy} {of_bits}",
            flush=True,
        )

    for n in ROWS:
        block = codes(n, WIDTH)
        tell("counts by lanes", n, WIDTH, fastest(lambda: TargetCounts(CLASSES).whole(block)), n * WIDTH)
        view = View(
            ThreadRunner(1), [block], "codes", n, WIDTH, np.zeros(WIDTH, bool), classes=np.arange(CLASSES),
            n_levels=block.n_levels,
        )  # fmt: skip
        sums = JointSums.of(view)
        masks = sums.anchor_masks(0, 1)
        n_words = -(-n // 64) * WIDTH
        tell(
            "counts with an anchor by bit planes", n, WIDTH, fastest(lambda: sums._by_planes(*masks, 1)),
            8 * n_words * (LEVELS - 1), n_words * (LEVELS - 1) * LEVELS,
        )  # fmt: skip
        tell(
            "bit planes made of codes", n, WIDTH,
            fastest(lambda: CodesBlock(block.rows, block.n_levels).planes), n * WIDTH + 8 * n_words * LEVELS,
        )  # fmt: skip
        dense, target = numbers(n, WIDTH), with_numbers(n, WIDTH)
        tell("moments per class", n, WIDTH, fastest(lambda: ClassMoments(CLASSES).whole(dense)), 2 * dense.X.nbytes)
        tell("products with the target", n, WIDTH, fastest(lambda: ProductsWithTarget().whole(target)), dense.X.nbytes)
        tell("products of all pairs", n, WIDTH, fastest(lambda: FeatureProducts().whole(dense)), dense.X.nbytes)
        tell("first pass for quantiles", n, WIDTH, fastest(lambda: sketch(WIDTH).whole(dense), 1), dense.X.nbytes)
    for n in (250, 500, 1000):
        d, rng = 4096, np.random.default_rng(0)
        space = level_space(rng.integers(0, 2, (d, n), np.uint8), np.full(d, 2))
        pairs = n * n * d / 64
        tell("distances of rows as bits", n, n * d, fastest(lambda: space.tile(space, 0, n, 0, n)), 0, pairs)
        rows = number_space(rng.normal(size=(n, 256)), np.zeros(256), np.ones(256))
        tell("distances of rows of numbers", n, n * 256, fastest(lambda: rows.tile(rows, 0, n, 0, n)), 0)


def runners() -> None:
    """Print seconds of processor time of the same selections on threads and on a stream, reading the file included."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    import fewer

    print(f"{'method':16} {'rows':>8} {'columns':>8} {'file, MB':>9} {'loaded':>8} {'streamed':>9}   processor seconds")
    with tempfile.TemporaryDirectory() as folder:
        for n, d in ((20_000, 20), (100_000, 20), (400_000, 20)):
            path, block = Path(folder) / f"{n}.parquet", numbers(n, d)
            columns = {f"x{j}": block.X[:, j] for j in range(d)}
            pq.write_table(pa.table({**columns, "y": block.y}), path, row_group_size=2**14)
            for name in ("FTest", "InformationGain", "MRMR"):
                found, kept = [], []
                for load in (True, False):
                    selector = getattr(fewer, name)(5)
                    selector.fit(fewer.open_table(path, target="y").load() if load else open_streamed(path, n))
                    begin = time.process_time()
                    table = fewer.open_table(path, target="y").load() if load else open_streamed(path, n)
                    kept.append(selector.fit(table).selection_.indices.tolist())
                    found.append(time.process_time() - begin)
                assert kept[0] == kept[1], name
                size = path.stat().st_size / 1e6
                print(f"{name:16} {n:8,} {d:8} {size:9.0f} {found[0]:8.2f} {found[1]:9.2f}", flush=True)


def open_streamed(path: Path, n: int) -> Any:
    """Return the table in batches."""
    import fewer

    return fewer.open_table(path, target="y", batch_rows=max(5000, n // 20))


if __name__ == "__main__":
    if "--runners" in sys.argv:
        runners()
    else:
        travelling()
        shares(*roof())
