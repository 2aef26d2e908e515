"""Time and memory of selectors without a target by distances, dependence and groups. Prints; asserts nothing.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benchmarks/unsupervised_distances.py [--rows N] [--large N]

Distances of 5,000 rows would fill 200 MB as a matrix of float64, and 100 MB as scipy's list of pairs; here none are
kept. One feature is chosen of so many rows, and whole orders are made of fewer: half a minute of one
core in all. The peak that is printed is what the process holds at most beyond what it held before. The rival of
DistanceEntropy is the same formula with scipy's `pdist`, as its catalogue entry suggests.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial.distance import pdist

import fewer


def megabytes() -> float:
    """Return the most memory that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(what: str, work: Callable[[], Any]) -> Any:
    """Run once on one thread and print processor time and by how much the peak of memory rose."""
    before, start = megabytes(), time.process_time()
    result = work()
    print(f"{what}: {time.process_time() - start:.2f} s, peak + {megabytes() - before:.0f} MB", flush=True)
    return result


def entropy_by_pdist(X: np.ndarray) -> list[float]:
    """Return the entropy of every feature alone, from a list of all distances."""
    out = []
    for column in X.T:
        found = pdist(((column - column.min()) / np.ptp(column))[:, None])
        s = np.exp(-np.log(2.0) / found.mean() * found)
        with np.errstate(divide="ignore", invalid="ignore"):
            out.append(float(-np.nansum(s * np.log(s) + (1 - s) * np.log(1 - s))))
    return out


def main(n_rows: int, n_large: int, n_features: int) -> None:
    """Measure all of them on Gaussian columns in two groups of rows."""
    rng = np.random.default_rng(0)
    large = rng.normal(size=(n_large, n_features))
    large[:, :2] += 6.0 * rng.integers(0, 2, n_large)[:, None]
    X, small = large[:n_rows], large[:50]
    # Loads what was compiled.
    for direction in ("forward", "backward"):
        fewer.DistanceEntropy(2, direction=direction).fit(small)
        fewer.DistanceEntropy(2, direction=direction, form="peak").fit(small)
    fewer.DistanceEntropy(2, direction="backward", metric="pearson").fit(small)
    fewer.FeatureDependence(2).fit(small)
    fewer.FeatureClustering(2).fit(small)
    size = f"{n_large} x {n_features}"
    ours = measured(f"DistanceEntropy(1), {size}", lambda: fewer.DistanceEntropy(1, n_jobs=1).fit(large))
    values = measured(f"scipy pdist, every feature alone, {size}", lambda: entropy_by_pdist(large))
    first = ours.selection_.tables["entropy"].columns["entropy"][0]
    print(f"lowest entropy of one feature: {first:.6f}, by pdist {min(values):.6f}")
    size = f"{n_rows} x {n_features}"
    measured(f"DistanceEntropy(2), {size}", lambda: fewer.DistanceEntropy(2, n_jobs=1).fit(X))
    peak = fewer.DistanceEntropy(2, form="peak", mu="valley", n_jobs=1)
    measured(f"DistanceEntropy(2, form='peak', mu='valley'), {size}", lambda: peak.fit(X))
    back = fewer.DistanceEntropy(2, direction="backward", n_jobs=1)
    measured(f"DistanceEntropy(direction='backward'), {size}", lambda: back.fit(X))
    rows = fewer.DistanceEntropy(2, direction="backward", metric="pearson", n_jobs=1)
    measured(f"DistanceEntropy(metric='pearson'), {size}", lambda: rows.fit(X))
    wide = rng.normal(size=(1000, 1000)) + rng.normal(size=(1000, 20)) @ rng.normal(size=(20, 1000))
    measured("FeatureDependence, 1000 x 1000, ten bins", lambda: fewer.FeatureDependence(n_jobs=1).fit(wide))
    measured("FeatureClustering, 1000 x 1000, 50 groups", lambda: fewer.FeatureClustering(50, n_jobs=1).fit(wide))
    tree = fewer.FeatureClustering(50, algorithm="linkage", n_jobs=1)
    measured("FeatureClustering by linkage, 1000 x 1000, 50 groups", lambda: tree.fit(wide))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--large", type=int, default=5000)
    parser.add_argument("--features", type=int, default=10)
    given = parser.parse_args()
    main(given.rows, given.large, given.features)
