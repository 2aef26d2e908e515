"""Greedy information filters beside their peers, in one run. Prints ratios and the roofline; asserts nothing.

    python benchmarks/information.py [--slow]

Peers are optional: fast-select and scikit-feature (skfeature-chappers) are used where they can be imported, praznik
where Rscript and the package are installed. --slow also times scikit-feature on the full size, which takes minutes;
without it the peer chooses three features of the same data, and its time is scaled to fifty: it works one table per
candidate and step.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.metrics import mutual_info_score

import fewer

K = 50
SIZES = ((1_000, 2_000), (10_000, 1_000))
METHODS = ("MRMR", "JMI", "CMIM")
# Seconds of praznik on one and two threads, measured earlier on a two-core machine.
PRAZNIK = {
    ("MRMR", 1_000): (0.301, 0.179),
    ("JMI", 1_000): (0.414, 0.227),
    ("CMIM", 1_000): (0.032, 0.024),
    ("MRMR", 10_000): (1.237, 0.754),
    ("JMI", 10_000): (1.785, 1.216),
    ("CMIM", 10_000): (0.142, 0.119),
}


def planted(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Codes of five levels, 60 of them noisy copies of the class."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, n)
    X = rng.integers(0, 5, (n, d))
    for j in range(60):
        X[:, j] = np.where(rng.random(n) < 0.2 + 0.3 * rng.random(), (2 * y + j) % 5, X[:, j])
    return X, y


def seconds(work: Callable[[], object], repeats: int = 5) -> float:
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def once(work: Callable[[], object]) -> tuple[float, object]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def plain_mrmr(X: np.ndarray, y: np.ndarray, k: int) -> list[int]:
    """The first k choices by loops over mutual_info_score, for agreement."""
    relevance = np.array([mutual_info_score(x, y) for x in X.T])
    chosen, redundancy = [int(np.argmax(relevance))], np.zeros(X.shape[1])
    while len(chosen) < k:
        redundancy += [mutual_info_score(x, X[:, chosen[-1]]) for x in X.T]
        scores = relevance - redundancy / len(chosen)
        scores[chosen] = -np.inf
        chosen.append(int(np.argmax(scores)))
    return chosen


def fast_select(X: np.ndarray, y: np.ndarray, ours: list[int]) -> None:
    try:
        from fast_select import mRMR
    except ImportError:
        print("    fast-select is not installed")
        return
    mRMR(n_features_to_select=3, backend="cpu").fit(X[:50, :20], y[:50])
    taken, fitted = once(lambda: mRMR(n_features_to_select=K, backend="cpu").fit(X, y))
    theirs = getattr(fitted, "top_features_", None)
    agree = "" if theirs is None else f", {len(set(map(int, theirs)) & set(ours))} of {K} the same"
    print(f"    fast-select MRMR {taken:8.2f} s{agree}")
    report_ratio("fast-select", taken, 100)


def scikit_feature(name: str, X: np.ndarray, y: np.ndarray, ours: float, slow: bool) -> None:
    try:
        from skfeature.function.information_theoretical_based import CMIM, JMI, MRMR
    except ImportError:
        print("    scikit-feature is not installed")
        return
    function = {"MRMR": MRMR.mrmr, "JMI": JMI.jmi, "CMIM": CMIM.cmim}[name]
    k = K if slow else 3
    taken, _ = once(lambda: function(X, y, mode="index", n_selected_features=k))
    scaled = taken if slow else taken * K / k
    how = "" if slow else f" (scaled from {k} features, {taken:.1f} s)"
    bound = "at most " if name == "CMIM" and not slow else ""  # its CMIM skips tables, which scaling cannot know
    print(f"    scikit-feature {name} {bound}{scaled:8.1f} s{how}: {scaled / ours:,.0f}x (wanted: 1,000x)")


_last: dict[str, float] = {}


def report_ratio(peer: str, taken: float, wanted: int) -> None:
    for threads in (1, 2):
        print(f"      {peer} / ours on {threads} thread(s): {taken / _last[str(threads)]:,.0f}x (wanted: {wanted}x)")


def praznik(name: str, X: np.ndarray, y: np.ndarray, ours: dict[int, float]) -> None:
    key = (name, len(X))
    if shutil.which("Rscript"):
        measured = _run_praznik(name, X, y)
        if measured:
            for threads, taken in zip((1, 2), measured):
                print(f"    praznik {name}, {threads} thread(s), this run: {taken:.3f} s: {taken / ours[threads]:.1f}x")
            return
    wanted = 2 if name == "CMIM" else 4
    for threads, taken in zip((1, 2), PRAZNIK[key]):
        print(f"    praznik {name}, {threads} thread(s), measured elsewhere: {taken:.3f} s: "
              f"{taken / ours[threads]:.1f}x (wanted: {wanted}x)")  # fmt: skip


def _run_praznik(name: str, X: np.ndarray, y: np.ndarray) -> list[float]:
    script = """
    if (!requireNamespace("praznik", quietly = TRUE)) quit(status = 3)
    a <- commandArgs(TRUE); X <- read.csv(a[1], header = FALSE); X[] <- lapply(X, factor)
    y <- factor(scan(a[2], quiet = TRUE)); f <- getExportedValue("praznik", a[3])
    for (t in 1:2) { f(X, y, k = 50, threads = t); cat(system.time(f(X, y, k = 50, threads = t))[3], "") }
    """
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(Path(folder) / "X.csv", X, fmt="%d", delimiter=",")
        np.savetxt(Path(folder) / "y.csv", y, fmt="%d")
        words = ["Rscript", "-e", script, f"{folder}/X.csv", f"{folder}/y.csv", name]
        out = subprocess.run(words, capture_output=True, text=True, check=False)
    return [float(v) for v in out.stdout.split()] if out.returncode == 0 else []


def roofline(X: np.ndarray, taken: float) -> None:
    """Compare with reading the codes at the bandwidth of this machine."""
    block = np.random.default_rng(0).integers(0, 255, 2**27, dtype=np.uint8)
    bandwidth = block.nbytes / seconds(lambda: block.view(np.uint64).sum())
    once, steps = X.size / bandwidth, X.size * K / bandwidth
    print(f"    roofline at {bandwidth / 1e9:.1f} GB/s: the codes, one byte each, once: {once * 1e3:.2f} ms; once per")
    print(f"    chosen feature: {steps * 1e3:.1f} ms; MRMR took {taken / once:.0f} and {taken / steps:.1f} times that")


def wide_memory() -> None:
    """Peak memory beyond the input for 100,000 features x 500 rows of codes."""
    script = """
import numpy as np, fewer
peak = lambda: next(int(l.split()[1]) * 1024 for l in open("/proc/self/status") if l.startswith("VmHWM"))
rng = np.random.default_rng(0)
X = rng.integers(0, 5, (500, 100_000), dtype=np.uint8); y = rng.integers(0, 2, 500)
fewer.MRMR(3, discretizer=None).fit(X[:, :2000].copy(), y)
before = peak(); fewer.{name}(20, discretizer=None).fit(X, y); print((peak() - before) / X.size)
"""
    for name in METHODS:
        words = [sys.executable, "-c", script.replace("{name}", name)]
        out = subprocess.run(words, capture_output=True, text=True, check=True)
        used = float(out.stdout)
        print(f"{name}, 100,000 features x 500 rows: {used:.2f} bytes per cell beyond the input (wanted: <= 4)")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--slow", action="store_true")
    slow = parser.parse_args().slow
    for n, d in SIZES:
        X, y = planted(n, d)
        print(f"{n:,} x {d:,}, 5 levels, 3 classes, {K} features")
        for name in METHODS:
            ours = {t: seconds(lambda t=t: fewer.get(name)(K, discretizer=None, n_jobs=t).fit(X, y)) for t in (1, 2)}
            print(f"  {name:5} {ours[1] * 1e3:8.1f} ms on one thread, {ours[2] * 1e3:8.1f} ms on two")
            praznik(name, X, y, ours)
            _last.update({str(t): ours[t] for t in ours})
            if name == "MRMR":
                chosen = fewer.MRMR(K, discretizer=None).fit(X, y).selection_.indices.tolist()
                if n == 1_000:
                    agree = sum(a == b for a, b in zip(chosen[:10], plain_mrmr(X, y, 10)))
                    print(f"    the first 10 by plain loops: {agree} of 10 the same, in order")
                    fast_select(X, y, chosen)
                roofline(X, ours[1])
            if n == 1_000:
                scikit_feature(name, X, y, ours[1], slow)
    wide_memory()


if __name__ == "__main__":
    main()
