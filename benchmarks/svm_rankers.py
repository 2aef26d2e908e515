"""SVM-RFE one by one beside scikit-learn's RFE(SVC), in one run. Prints ratios; asserts nothing.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benchmarks/svm_rankers.py [--rows N] [--features D]

Both eliminate down to one feature on one thread. The peer runs with its tolerance by default, which gives it its best
time, and once more with a tight one, with which its ranks are compared: at 1e-3 its weights have three digits, and the
order of small ones is not determined.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.feature_selection import RFE
from sklearn.svm import SVC

import fewer


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the processor time of one run, and the result; all run on one thread."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def rows_like_genes(n_rows: int, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    """Return correlated columns of two classes, of which one in fifty differs between them."""
    rng = np.random.default_rng(0)
    y = (np.arange(n_rows) < 0.35 * n_rows).astype(int)
    X = rng.normal(size=(n_rows, n_features)) + rng.normal(size=(n_rows, 10)) @ rng.normal(size=(10, n_features)) * 0.3
    X[:, ::50] += 0.8 * y[:, None]
    return X, y


def svm_elimination(n_rows: int = 72, n_features: int = 2000) -> None:
    """Print times and ranks of an elimination one by one."""
    X, y = rows_like_genes(n_rows, n_features)
    # Loads what was compiled.
    fewer.SVMRanker(1).fit(X[:, :20], y)
    for kernel, steps in (("linear", 1), ("rbf", 0.01), ("poly", 0.01)):
        ours = fewer.SVMRanker(1, kernel=kernel, step=steps, standardize=False)
        taken = min(seconds(lambda: ours.fit(X, y))[0] for _ in range(3 if kernel == "linear" else 1))
        gap = ours.selection_.meta["gap"]
        print(f"SVMRanker {kernel}, step={steps}, {n_rows} x {n_features}: {taken:.3f} s, largest gap {gap:.1e}")
        if kernel == "linear":
            mine, ranks = taken, ours.ranking_
    for tol in (1e-3, 1e-9):
        peer = RFE(SVC(kernel="linear", tol=tol), n_features_to_select=1, step=1)
        taken, found = seconds(lambda: peer.fit(X, y))
        same = float(np.mean(found.ranking_ == ranks))
        print(f"RFE(SVC(tol={tol:g})): {taken:.2f} s, {taken / mine:.0f} times as long; {same:.1%} of the ranks equal")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=72)
    parser.add_argument("--features", type=int, default=2000)
    given = parser.parse_args()
    svm_elimination(given.rows, given.features)
