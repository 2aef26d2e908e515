"""Winnow and the Gibbs sampler, beside plain loops, in one run. Prints seconds and ratios; asserts nothing.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benchmarks/sparse_online.py [--quick]

Winnow: one pass over 100,000 rows and 1,000 columns with 20 values other than 0 in every row, an "or" of ten columns.
The whole of `fit` is measured, reading included. Gibbs: 10,000 sweeps of one chain through 200 columns, of 1,000 rows.
The peer is the same sampler as a loop over columns in numpy, measured on some sweeps.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse

import fewer


def seconds(work: Callable[[], Any], repeats: int = 3) -> float:
    """Return the shortest time of some runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def winnow(quick: bool) -> None:
    """Print what one pass takes, by variants."""
    n, d, filled = (10_000 if quick else 100_000), 1_000, 20
    rng = np.random.default_rng(0)
    # One column of every fifty.
    places = rng.integers(0, d // filled, (n, filled)) + np.arange(filled) * (d // filled)
    ends = np.arange(0, n * filled + 1, filled)
    X = scipy.sparse.csr_array((np.ones(n * filled), places.ravel(), ends), shape=(n, d))
    y = np.asarray(X[:, :10].sum(axis=1)) > 0
    print(f"Winnow, one pass, {n} rows, {d} columns, {filled} values per row, one thread")
    for variant in ("plain", "balanced", "glm"):
        made = fewer.Winnow(10, variant=variant, n_passes=1, n_jobs=1)
        made.fit(X[:100], y[:100])
        took = seconds(lambda made=made: made.fit(X, y))
        print(f"  {variant:10}{took:8.3f} s{made.n_mistakes_:8} mistakes", flush=True)


def plain_sweeps(X: np.ndarray, y: np.ndarray, n_sweeps: int) -> None:
    """Make sweeps as a plain loop over columns."""
    rng, (n, p) = np.random.default_rng(0), X.shape
    beta, error, variance = np.zeros(p), y.copy(), 1.0
    squares = (X**2).sum(axis=0)
    for _ in range(n_sweeps):
        for j in range(p):
            r, precision = X[:, j] @ error + squares[j] * beta[j], squares[j] + 1.0
            odds = -2.0 - 0.5 * np.log(precision) + 0.5 * r * r / (precision * variance)
            inside = rng.random() < 1.0 / (1.0 + np.exp(-min(odds, 700.0)))
            value = r / precision + rng.standard_normal() * np.sqrt(variance / precision) if inside else 0.0
            if value != beta[j]:
                error -= (value - beta[j]) * X[:, j]
                beta[j] = value
        scale = 0.5 * (error @ error + beta @ beta)
        variance = scale / rng.standard_gamma(0.5 * (n - 1 + np.count_nonzero(beta)))


def gibbs(quick: bool) -> None:
    """Print what sweeps take, by models, beside the plain loop."""
    n, p, n_sweeps, shown = 1_000, 200, (1_000 if quick else 10_000), (20 if quick else 100)
    rng = np.random.default_rng(0)
    X = np.asfortranarray(rng.normal(size=(n, p)))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    y = X[:, :5].sum(axis=1) * 0.3 + rng.normal(size=n)
    peer = seconds(lambda: plain_sweeps(np.asfortranarray(X), y - y.mean(), shown), 2) * n_sweeps / shown
    print(f"Gibbs, {n_sweeps} sweeps, {n} rows, {p} columns, one chain and thread")
    print(f"  {'loop in numpy':16}{peer:8.2f} s (from {shown} sweeps)")
    for model in ("linear", "probit", "logistic"):
        target = y if model == "linear" else y > 0
        made = fewer.SpikeSlab(5, model=model, n_chains=1, burn_in=0, n_jobs=1, random_state=0, n_sweeps=40)
        made.fit(X, target)
        took = seconds(lambda made=made, t=target: made.set_params(n_sweeps=n_sweeps).fit(X, t), 2)
        ratio = f"{peer / took:8.0f} times" if model == "linear" else ""
        print(f"  {model:16}{took:8.2f} s{ratio}", flush=True)


def main() -> None:
    """Run everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller data, the same kernels")
    quick = parser.parse_args().quick
    winnow(quick)
    gibbs(quick)


if __name__ == "__main__":
    main()
