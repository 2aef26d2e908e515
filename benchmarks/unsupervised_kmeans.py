"""Weighted k-means beside scikit-learn's KMeans, per iteration, at one thread. Prints; asserts nothing.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benchmarks/unsupervised_kmeans.py [--quick]

All start at the same rows and make at most the same number of iterations; the whole of `fit` is divided by those made,
so that reading and the last assignment are in. KMeans is told not to stop early and uses Lloyd's algorithm. Below,
sparse rows as of tf.idf.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.cluster import KMeans

import fewer


def per_iteration(methods: list[Any], X: Any, repeats: int) -> list[float]:
    """Return for every method the shortest time of `fit` by the number of its iterations; they take turns."""
    times = [[] for _ in methods]
    for _ in range(repeats):
        for made, own in zip(methods, times):
            start = time.perf_counter()
            made.fit(X)
            own.append((time.perf_counter() - start) / made.n_iter_)
    return [min(own) for own in times]


def compare(words: str, X: Any, k: int, iterations: int, repeats: int) -> None:
    """Print milliseconds per iteration of all methods on one data set."""
    start = X[:k].toarray() if scipy.sparse.issparse(X) else X[:k]
    options = {"init": start, "max_iter": iterations}
    theirs = KMeans(k, **options, n_init=1, tol=0, algorithm="lloyd")
    ours = [fewer.WKMeans(k, **options), fewer.PlainKMeans(k, **options), fewer.SubspaceKMeans(k, **options)]
    ours.append(fewer.EWKMeans(k, **options, gamma=float(X.shape[0])))
    for made in ours:
        made.fit(X[: 20 * k])
    base, *others = per_iteration([theirs, *ours], X, repeats)
    print(f"{words}, {k} clusters: KMeans of scikit-learn {1e3 * base:.2f} ms per iteration ({theirs.n_iter_} of them)")
    for made, took in zip(ours, others):
        print(f"  {type(made).__name__:16}{1e3 * took:9.2f} ms{took / base:7.2f} x  ({made.n_iter_})", flush=True)


def main() -> None:
    """Run what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows")
    quick = parser.parse_args().quick
    part, rng, repeats = (10 if quick else 1), np.random.default_rng(0), 5
    for n, d, k in ((100_000, 50, 10), (100_000, 10, 8), (20_000, 500, 20)):
        X = rng.normal(size=(n // part, d)) + 2 * rng.integers(0, 2, (k, d))[rng.integers(0, k, n // part)]
        compare(f"{n // part:,} x {d}", X, k, 20, repeats)
    n, d = 20_000 // part, 10_000
    # Fifty words per document, half of them of its own twentieth of the vocabulary.
    topic = rng.integers(0, 20, n)
    words = np.where(rng.random((n, 50)) < 0.5, rng.integers(0, d, (n, 50)), 0)
    words = np.where(words > 0, words, topic[:, None] * (d // 20) + rng.integers(0, d // 20, (n, 50)))
    where = (np.repeat(np.arange(n), 50).astype(np.int32), words.ravel().astype(np.int32))
    X = scipy.sparse.csr_array((np.ones(n * 50), where), shape=(n, d))
    compare(f"{n:,} x {d:,} sparse", X, 20, 10, repeats)


if __name__ == "__main__":
    main()
