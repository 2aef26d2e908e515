"""Queries per second of the local classifiers against plain numpy, query by query, on one thread.

The plain loops are what one would write with numpy for one query: distances of all rows, a stable sort, sums. That of
ADAMENN follows Figure 11.2 of the book literally; a second one is given the table of r_i(z) ready-made.

    OMP_NUM_THREADS=1 python benchmarks/local.py            # throughput at n = 5,000 and p = 50, then scaling with n
    OMP_NUM_THREADS=1 python benchmarks/local.py --quick    # small
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import fewer


def made(n, p, seed=0):
    """Two classes whose border is a sphere in five of p features."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    y = ((X[:, :5] ** 2).sum(axis=1) + rng.normal(size=n) * 0.5 > 4.4).astype(np.int64)
    return X, y


def plain_nearest(X, q, w, k):
    return np.argsort((w * (X - q) ** 2).sum(axis=1), kind="stable")[:k]


def plain_dann(X, y, q, k=5, epsilon=1.0, shrinkage=0.1):
    n, p = X.shape
    d = np.sqrt(((X - q) ** 2).sum(axis=1))
    near = np.argsort(d, kind="stable")[: max(n // 5, 50)]
    w = (1 - (d[near] / d[near].max()) ** 3) ** 3
    w /= w.sum()
    around, labels = X[near], y[near]
    mean, W, B = w @ around, np.zeros((p, p)), np.zeros((p, p))
    for j in np.unique(labels):
        own = labels == j
        share = w[own].sum()
        centre = w[own] @ around[own] / share
        away = around[own] - centre
        W += (away * w[own][:, None]).T @ away
        B += share * np.outer(centre - mean, centre - mean)
    W = (1 - shrinkage) * W + shrinkage * np.trace(W) / p * np.eye(p)
    values, vectors = np.linalg.eigh(W)
    root = (vectors / np.sqrt(values)) @ vectors.T
    S = root @ (root @ B @ root + epsilon * np.eye(p)) @ root
    away = X - q
    order = np.argsort(((away @ S) * away).sum(axis=1), kind="stable")[:k]
    return np.bincount(y[order]).argmax()


def plain_relevance(X, y, z, k1, k2, n_along):
    n_classes = y.max() + 1
    order = np.argsort(((X - X[z]) ** 2).sum(axis=1), kind="stable")
    here = np.bincount(y[order[:k1]], minlength=n_classes) / k1
    wide = order[:k2]
    along = np.argsort(np.abs(X[wide] - X[z]), axis=0, kind="stable")[:n_along]
    there = np.stack([(y[wide][along] == j).mean(axis=0) for j in range(n_classes)])
    return ((here[:, None] - there) ** 2 / np.maximum(there, 0.5 / k1)).sum(axis=0)


def plain_adamenn(X, y, q, table=None, k=5, c=5.0):
    n, p = X.shape
    k2 = max(n * 15 // 100, 20)
    near = plain_nearest(X, q, np.ones(p), max(n // 10, 20))
    if table is None:
        mean = np.mean([plain_relevance(X, y, z, 3, k2, k2 // 2) for z in near], axis=0)
    else:
        mean = table[near].mean(axis=0)
    w = np.exp(c * (mean.max() - mean))
    return np.bincount(y[plain_nearest(X, q, w / w.sum(), k)]).argmax()


def rate(work, queries, least=1.0):
    """Return queries per second, the best of three rounds."""
    best, at = np.inf, 0
    for _ in range(3):
        begin, done = time.perf_counter(), 0
        while done == 0 or time.perf_counter() - begin < least / 3:
            work(queries[at % len(queries)])
            at, done = at + 1, done + 1
        best = min(best, (time.perf_counter() - begin) / done)
    return 1.0 / best


def rate_of(fitted, queries):
    fitted.predict(queries[:64])
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        fitted.predict(queries)
        times.append(time.perf_counter() - begin)
    return len(queries) / min(times)


def throughput(n, p):
    X, y = made(n, p)
    queries = made(512, p, 1)[0]
    print(f"n = {n:,}, p = {p}: queries per second, one thread")
    for name in [n for n in ("DANN", "SubDANN", "ADAMENN", "Scythe", "Machete", "LaMaNNa") if hasattr(fewer, n)]:
        begin = time.perf_counter()
        fitted = getattr(fewer, name)(standardize=False).fit(X, y)
        took = time.perf_counter() - begin
        some = queries if name not in ("Scythe", "Machete") else queries[:32]
        ours = rate_of(fitted, some)
        rows = []
        if name == "DANN":
            rows = [("plain loop", lambda q: plain_dann(X, y, q))]
        elif name == "SubDANN":
            Z = X @ fitted.components_.T
            rows = [(f"plain loop on {Z.shape[1]} axes", lambda q: plain_dann(Z, y, fitted.components_ @ q))]
        elif name == "ADAMENN":
            table = fitted.relevance_table_
            rows = [
                ("plain loop", lambda q: plain_adamenn(X, y, q)),
                ("plain loop, table given", lambda q: plain_adamenn(X, y, q, table)),
            ]
        print(f"  {name:8} {ours:10,.0f} (fit {took:.2f} s)")
        for words, work in rows:
            theirs = rate(work, queries)
            print(f"    {words:26} {theirs:10,.1f}   {ours / theirs:8,.1f}x")


def scaling(sizes, p):
    print(f"\nScaling with n, p = {p}: fit in seconds / queries per second")
    for name in ("DANN", "SubDANN", "ADAMENN", "Scythe", "LaMaNNa"):
        cells = []
        for n in sizes:
            X, y = made(n, p)
            begin = time.perf_counter()
            fitted = getattr(fewer, name)(standardize=False).fit(X, y)
            took = time.perf_counter() - begin
            cells.append(
                f"{took:6.2f} / {rate_of(fitted, made(128, p, 1)[0][: 16 if name == 'Scythe' else 128]):8,.0f}"
            )
        print(f"  {name:8}", "   ".join(f"n={n:<6,} {cell}" for n, cell in zip(sizes, cells)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    throughput(1000 if quick else 5000, 20 if quick else 50)
    scaling((500, 1000) if quick else (1000, 2000, 4000, 8000), 20)
