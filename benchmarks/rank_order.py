"""Rank-order elimination: complete runs on leukaemia, and the factor over the per-step algorithms of the text.

    python benchmarks/rank_order.py [--data FOLDER] [--quick]

Prints seconds, memory and growth exponents; asserts only that both algorithms remove the same features. FOLDER holds
leukemia_golub.npz (72 rows, 7,129 genes); random data of that size are used without it. --quick leaves out the
complete elimination by centres on all genes.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np

from fewer.core.kernels._jit import kernel
from fewer.methods.rank_order.rank_elimination import RankOrderElimination

SIZES = (200, 400, 800)
# Steps of the text's algorithms that are timed; the whole is their time summed over sizes, which fall by one.
STEPS = 3


def leukaemia(folder: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return expression levels and the two- and three-class labels."""
    file = folder / "leukemia_golub.npz"
    if file.exists():
        z = np.load(file)
        return z["X"].astype(float), z["y"].astype(int), z["y3"].astype(int)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(72, 7129)) + 2 * rng.normal(size=7129)
    return X, np.repeat([0, 1], [47, 25]), np.repeat([0, 1, 2], [38, 9, 25])


@kernel
def text_spoilers(rows, starts):
    """Count inversions per feature over all pairs of rows of a class, by merging (section 4): O(n log n m^2).

    ``rows`` are ranks from 0 in class order; class c is rows starts[c] to starts[c + 1].
    """
    n = rows.shape[1]
    total, first, spare = np.zeros(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    by_rank = np.empty(n, np.int64)
    for c in range(starts.shape[0] - 1):
        for a in range(starts[c], starts[c + 1]):
            for j in range(n):
                by_rank[rows[a, j]] = j
            for b in range(a + 1, starts[c + 1]):
                first[:] = by_rank
                width = 1
                while width < n:
                    for left in range(0, n, 2 * width):
                        middle, right = min(left + width, n), min(left + 2 * width, n)
                        p, q, at = left, middle, left
                        while p < middle or q < right:
                            if q == right or (p < middle and rows[b, first[p]] < rows[b, first[q]]):
                                total[first[p]] += q - middle
                                spare[at] = first[p]
                                p += 1
                            else:
                                total[first[q]] += middle - p
                                spare[at] = first[q]
                                q += 1
                            at += 1
                    first, spare = spare, first
                    width *= 2
    return total


def text_distances(ranks: list[np.ndarray], without: int) -> list[int]:
    """Four times the distances between class centres without one feature, reading every instance: O(n m)."""
    centres = []
    for rows in ranks:
        rest = np.delete(rows - (rows > rows[:, [without]]), without, axis=1)
        sums = rest.sum(axis=0)
        ordered = np.sort(sums)
        low, high = np.searchsorted(ordered, sums, "left"), np.searchsorted(ordered, sums, "right")
        centres.append(low + high)
    return [int(((a - b) ** 2).sum()) for a, b in combinations(centres, 2)]


def distinct(X: np.ndarray) -> np.ndarray:
    """Ranks from 0 of each row, ties broken at random, since the text has none."""
    noise = np.random.default_rng(1).random(X.shape)
    return np.argsort(np.lexsort((noise, X)), axis=1)


def timed(work: Callable[[], object], repeats: int = 3) -> tuple[float, object]:
    """Return the best time and the last result."""
    best = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - start)
    return best, result


def text_first_steps(ranks: np.ndarray, y: np.ndarray, criterion: str) -> tuple[float, list[int]]:
    """Return the seconds per step and the first removals by the algorithm of the text."""
    left, removed = np.arange(ranks.shape[1]), []
    by_class = np.argsort(y, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(y))])
    first = None
    start = time.perf_counter()
    for _ in range(STEPS):
        rows = np.argsort(np.argsort(ranks[:, left], axis=1), axis=1)
        if criterion == "spoilers":
            counts = text_spoilers(rows[by_class], starts)
            worst = len(left) - 1 - int(np.argmax(counts[::-1]))
        else:
            parts = [rows[y == c] for c in np.unique(y)]
            # A feature above all others, whose removal changes nothing, gives the distances of all features.
            whole = [np.column_stack([p, np.full(len(p), len(left))]) for p in parts]
            first = text_distances(whole, len(left)) if first is None else first
            costs = [sum((a - b) ** 2 for a, b in zip(text_distances(parts, k), first)) for k in range(len(left))]
            worst = len(left) - 1 - costs[::-1].index(min(costs))
        removed.append(int(left[worst]))
        left = np.delete(left, worst)
    return (time.perf_counter() - start) / STEPS, removed


def growth(sizes: list[int], seconds: list[float]) -> float:
    """Return the exponent of n in the time."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def factors(X: np.ndarray, y: np.ndarray) -> None:
    """Print our whole elimination beside that of the text, at growing numbers of features."""
    columns = np.random.default_rng(0).permutation(X.shape[1])
    text_spoilers(np.argsort(np.argsort(X[:6, :8], axis=1), axis=1), np.array([0, 3, 6]))
    # A step of the text costs n log n or n^2 log n; summed over a falling n that is 1/2 or 1/3 of n first steps.
    for criterion, share in (("spoilers", 1 / 2), ("cdv", 1 / 3)):
        ours, text = [], []
        sizes = [*SIZES, 1600] if criterion == "cdv" else [*SIZES, 1600, 3200]
        for n in sizes:
            ranks = distinct(X[:, columns[:n]])
            selector = RankOrderElimination(1, criterion=criterion, n_jobs=2)
            mine, fitted = timed(lambda s=selector, r=ranks: s.fit(r, y))
            ours.append(mine)
            if n not in SIZES:
                continue
            step, removed = text_first_steps(ranks, y, criterion)
            assert fitted.selection_.order[::-1][:STEPS].tolist() == removed
            text.append(step * n * share)
            factor = text[-1] / mine
            print(f"  {criterion:9} n={n:5}: ours {mine:8.3f} s, text about {text[-1]:7.1f} s, factor {factor:8.0f}")
        print(f"  {criterion:9} growth: text n^{growth(list(SIZES), text):.2f} over {SIZES}")
        for n, seconds in zip(sizes[len(SIZES) :], ours[len(SIZES) :]):
            print(f"  {criterion:9} n={n:5}: ours {seconds:8.3f} s")
        print(f"  {criterion:9} growth: ours n^{growth(sizes, ours):.2f} over {sizes[0]} to {sizes[-1]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("shared/data"))
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    X, two, three = leukaemia(arguments.data)
    print("Complete elimination on two threads, two classes; the algorithms of the text are timed for")
    print(f"{STEPS} steps and extrapolated, spoilers compiled on one thread, centres in numpy on one thread:")
    factors(X, two)
    print(f"All {X.shape[1]} genes, two threads:")
    for criterion in ("spoilers",) if arguments.quick else ("spoilers", "cdv"):
        for y in (two, three):
            seconds, _ = timed(
                lambda y=y, c=criterion: RankOrderElimination(1, criterion=c, n_jobs=2).fit(X, y), repeats=1
            )
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
            print(f"  {criterion:9} {len(np.unique(y))} classes: {seconds:7.2f} s, peak memory so far {memory:.2f} GiB")


if __name__ == "__main__":
    main()
