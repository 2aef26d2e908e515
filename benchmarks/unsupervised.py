"""Selection without a target beside its peers, in one run. Prints times and ratios; asserts nothing.

    python benchmarks/unsupervised.py [NAME ...]

The peer is scikit-feature (package skfeature-chappers), where it can be imported. Both sides have the threads that
OMP_NUM_THREADS allows, one in the figures of the documentation. One function per method; names choose some of them.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable

import numpy as np

import fewer


def clustered(n: int, d: int) -> np.ndarray:
    """Normal numbers; four clusters in the first twenty columns."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    X[:, :20] += 3.0 * rng.normal(size=(4, 20))[np.arange(n) % 4]
    return X


def once(work: Callable[[], object]) -> np.ndarray:
    """Return the time of a run, on the clock and of the processor, which a busy machine lengthens less."""
    start, cpu = time.perf_counter(), time.process_time()
    work()
    return np.array([time.perf_counter() - start, time.process_time() - cpu])


def seconds(work: Callable[[], object], repeats: int) -> np.ndarray:
    """Return the shortest times of several runs."""
    return np.min([once(work) for _ in range(repeats)], axis=0)


def beside(what: str, ours: Callable[[], object], peer: Callable[[], object], wanted: float) -> None:
    """Print the times of a method and of its peer, which take turns."""
    ours()
    mine = seconds(ours, 5)
    try:
        import skfeature  # noqa: F401
    except ImportError:
        print(f"{what}: {mine[0]:.3f} s; scikit-feature is not installed")
        return
    theirs = np.full(2, np.inf)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(3):
            theirs, mine = np.minimum(theirs, once(peer)), np.minimum(mine, seconds(ours, 5))
    ratio = theirs / mine
    print(
        f"{what}: {mine[0]:.3f} s ({mine[1]:.3f} s of the processor), scikit-feature {theirs[0]:.2f} s "
        f"({theirs[1]:.2f} s), ratio {ratio[0]:.1f} ({ratio[1]:.1f}; wanted: {wanted:g})"
    )


def peer_graph(X: np.ndarray) -> object:
    """Return the graph as scikit-feature makes it."""
    from skfeature.utility.construct_W import construct_W

    return construct_W(X, metric="euclidean", neighbor_mode="knn", weight_mode="heat_kernel", k=5, t=1.0)


def laplacian_score() -> None:
    """Graph and scores of 5,000 rows and 2,000 features."""
    X = clustered(5_000, 2_000)

    def peer() -> object:
        from skfeature.function.similarity_based import lap_score

        return lap_score.lap_score(X, W=peer_graph(X))

    beside("LaplacianScore 5,000 x 2,000", lambda: fewer.LaplacianScore(n_jobs=1).fit(X), peer, 10)


def spec() -> None:
    """The third ranking function; the peer takes all pairs of rows and the whole spectrum for each of them."""
    X = clustered(2_000, 800)

    def peer() -> object:
        from skfeature.function.similarity_based import SPEC

        return SPEC.spec(X, style=5)

    beside("SPEC 2,000 x 800", lambda: fewer.SPEC(n_jobs=1).fit(X), peer, 5)


def mcfs() -> None:
    """Five functions, ten features each."""
    X = clustered(2_000, 800)

    def peer() -> object:
        from skfeature.function.sparse_learning_based import MCFS

        return MCFS.mcfs(X, 10, W=peer_graph(X), n_clusters=5)

    beside("MCFS 2,000 x 800", lambda: fewer.MCFS(10, n_jobs=1).fit(X), peer, 5)


def unlabelled_recipe() -> None:
    """The whole of `fewer.select(X)`, which has no peer."""
    X = clustered(2_000, 200)
    print(f"fewer.select(X) 2,000 x 200: {seconds(lambda: fewer.select(X, n_jobs=1), 2)[0]:.2f} s")


METHODS = {
    "LaplacianScore": laplacian_score,
    "SPEC": spec,
    "MCFS": mcfs,
    "UnlabelledRecipe": unlabelled_recipe,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or METHODS:
        METHODS[name]()
