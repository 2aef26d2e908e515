"""Scores of terms on the 20 newsgroups and Reuters (ten topics). Prints figures; asserts nothing but equal values.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benchmarks/text.py [--data shared/data]

Counting and all scores per class and of all classes; the same by scikit-learn, in the same run. Times are those of the
processor, the best of three; memory is the peak of what is allocated while a method works, beside the bytes of the
sparse input.
"""

from __future__ import annotations

import argparse
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.feature_selection import chi2, mutual_info_classif

import fewer
from fewer import measures
from fewer.core.measures.term_scores import TERM_SCORES

# Of so many terms one is given to what looks at them one by one.
EVERY = 100


def corpus(path: Path) -> tuple[Any, np.ndarray]:
    """Return counts of words, and classes or labels as numbers."""
    z = np.load(path, allow_pickle=True)
    parts = (z["X_data"].astype(np.int64), z["X_indices"], z["X_indptr"])
    y = z["Y"] if "Y" in z else z["y"]
    return scipy.sparse.csr_matrix(parts, shape=tuple(z["X_shape"])), np.asarray(y).astype(np.int64)


def best(work: Callable[[], Any], repeats: int = 3) -> tuple[float, Any]:
    """Return the shortest time of the processor, which others on the machine hardly change, and the result."""
    times, result = [], None
    for _ in range(repeats):
        start = time.process_time()
        result = work()
        times.append(time.process_time() - start)
    return min(times), result


def peak(work: Callable[[], Any]) -> float:
    """Return the largest number of bytes allocated at once."""
    tracemalloc.start()
    work()
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return float(found)


def all_scores(X: Any, y: np.ndarray) -> None:
    """Count, and score all terms by all scores, per class and of all classes."""
    counts = measures.count_terms(X, y, occurrences=True)
    for name in TERM_SCORES:
        measures.class_scores(counts, name)
        measures.term_scores(counts, name)


def one_corpus(name: str, X: Any, y: np.ndarray) -> None:
    """Print the lines of one corpus."""
    size = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    n_classes = y.shape[1] if y.ndim == 2 else len(np.unique(y))
    print(f"{name}: {X.shape[0]:,} documents, {X.shape[1]:,} terms, {n_classes} classes, {size / 1e6:.0f} MB")
    all_scores(X[:100], y[:100])
    print(f"  counting: {best(lambda: measures.count_terms(X, y, occurrences=True))[0]:.3f} s")
    print(
        f"  counting and all {len(TERM_SCORES)} scores, per class and of all: {best(lambda: all_scores(X, y))[0]:.2f} s"
    )
    print(f"    peak {peak(lambda: all_scores(X, y)) / size:.2f} times the sparse input")
    print(f"  TextScore().fit: {best(lambda: fewer.TextScore().fit(X, y))[0]:.3f} s")
    print(f"    peak {peak(lambda: fewer.TextScore().fit(X, y)) / size:.2f} times the sparse input")
    folds = np.arange(X.shape[0]) % 10
    taken, counted = best(lambda: measures.FoldCounts.of(X, y, folds))
    print(
        f"  ten folds in one pass: {taken:.3f} s, {counted.documents.nbytes / 1e6:.1f} MB of {counted.documents.dtype}"
    )
    if y.ndim == 2:
        return
    binary = (X > 0).astype(np.int64)
    # All terms would take scikit-learn ten minutes.
    some = binary[:, ::EVERY]
    ours, information = best(lambda: measures.class_information(measures.count_terms(some, y)))
    theirs, known = best(lambda: mutual_info_classif(some, y, discrete_features=True), 1)
    np.testing.assert_allclose(information, known, atol=1e-12)
    print(f"  information gain of {some.shape[1]} terms {ours:.4f} s, mutual_info_classif {theirs:.1f} s")
    ours, pearson = best(lambda: measures.class_chi2(measures.count_terms(binary, y)))
    theirs, (plain, _) = best(lambda: chi2(binary, y))
    n, holding = X.shape[0], np.asarray(binary.sum(axis=0)).ravel()
    told = (holding > 0) & (holding < n)
    np.testing.assert_allclose(pearson[told], plain[told] * n / (n - holding[told]), rtol=1e-8, atol=1e-10)
    print(f"  chi-squared {ours:.3f} s, that of scikit-learn {theirs:.3f} s: {theirs / ours:.1f} times as long")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("shared/data"))
    given = parser.parse_args()
    for name in ("news20", "reuters10"):
        one_corpus(name, *corpus(given.data / f"{name}.npz"))
