"""Clusterers of texts on the 20 newsgroups (18,846 documents, 43,195 words). Prints figures; asserts nothing.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benchmarks/unsupervised_text.py [--data shared/data] [--rows N]

Every method runs in a process of its own, so that its peak of memory, which includes Python and the data, is its own.
Time is that of the processor. Documents are counts for co-clustering, tf.idf with logarithms for directions.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

import fewer
from fewer.synth import sample_pairwise_constraints

METHODS = {
    "SphericalKMeans": ("tf.idf", {}),
    "SphericalKMeans, one start": ("tf.idf", {"n_init": 1}),
    "InformationCoClustering": ("counts", {}),
    "InformationCoClustering, one start": ("counts", {"n_init": 1}),
    "PCSKMeans": ("tf.idf", {}),
    "PCSKMeans, on 30 axes": ("tf.idf", {"n_components": 30}),
    "ConstrainedCoClustering": ("counts", {}),
    "BregmanCoClustering, kl, 20 iterations": ("counts", {"n_init": 1, "divergence": "kl", "max_iter": 20}),
}


def documents(folder: Path, n_rows: int | None) -> tuple[Any, np.ndarray]:
    """Return counts of words, and newsgroups."""
    z = np.load(folder / "news20.npz")
    parts = (z["X_data"].astype(np.float64), z["X_indices"], z["X_indptr"])
    X = scipy.sparse.csr_array(parts, shape=tuple(z["X_shape"]))
    return X[:n_rows], z["y"][:n_rows]


def weighted(X: Any) -> Any:
    """Return tf.idf with logarithms of counts."""
    idf = np.log((1 + X.shape[0]) / (1 + np.bincount(X.indices, minlength=X.shape[1]))) + 1
    return scipy.sparse.csr_array(((1 + np.log(X.data)) * idf[X.indices], X.indices, X.indptr), shape=X.shape)


def one(job: tuple[str, Path, int | None, int]) -> str:
    """Run one method and return its line."""
    label, folder, n_rows, seed = job
    kind, params = METHODS[label]
    X, y = documents(folder, n_rows)
    X = weighted(X) if kind == "tf.idf" else X
    made = fewer.get(label.split(",")[0])(20, random_state=seed, **params)
    known: dict[str, Any] = {}
    if hasattr(made, "_wishes"):
        known = {"pairs": sample_pairwise_constraints(y, 1000, random_state=seed)}
    start = time.process_time()
    made.fit(X, **known)
    taken = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    more = f", {made.n_violated_} of 1000 pairs violated" if known else ""
    agreement = fewer.evaluate.nmi(made.labels_, y)
    work = f"{taken:.1f} s, {made.n_iter_} iterations"
    return f"{label} (seed {seed}): {work}, NMI {agreement:.3f}, peak {peak:.0f} MB{more}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("shared/data"))
    parser.add_argument("--rows", type=int, default=None)
    parser.add_argument("--seeds", type=int, default=1)
    given = parser.parse_args()
    spawned = multiprocessing.get_context("spawn")
    for seed in range(given.seeds):
        for label in METHODS:
            with spawned.Pool(1) as pool:
                print(pool.apply(one, ((label, given.data, given.rows, seed),)), flush=True)
