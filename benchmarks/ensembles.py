"""Permutation importance and probes beside their peers, in one run. Prints ratios; asserts nothing.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benchmarks/ensembles.py [--rows N] [--features D]

Permutation importance: a fitted model, held-out rows, five permutations of every feature, one thread. The peer is
scikit-learn's `permutation_importance`; both get the same permutations, and the results are compared to the last bit.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import check_scoring
from sklearn.tree import DecisionTreeClassifier

from fewer.core.importance.permuted import permuted_scores

N_REPEATS = 5
MODELS: dict[str, Any] = {
    "random forest, 100 trees": RandomForestClassifier(100, random_state=0),
    "extra trees, 100 trees": ExtraTreesClassifier(100, random_state=0),
    "forest of numbers, 100 trees": RandomForestRegressor(100, max_features=0.33, min_samples_leaf=5, random_state=0),
    "one tree": DecisionTreeClassifier(random_state=0),
    "histogram boosting": HistGradientBoostingClassifier(random_state=0),
    "logistic regression": LogisticRegression(max_iter=200),
}


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the processor time of one run, and the result; all run on one thread."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def orders_of_peer(n_rows: int, random_state: int) -> np.ndarray:
    """Return the permutations that the peer draws, each applied to the one before."""
    seed = np.random.RandomState(random_state).randint(np.iinfo(np.int32).max + 1)
    rng, drawn, now, out = np.random.RandomState(seed), np.arange(n_rows), np.arange(n_rows), []
    for _ in range(N_REPEATS):
        rng.shuffle(drawn)
        now = now[drawn]
        out.append(now)
    return np.array(out)


def compare_permutations(n_rows: int, n_features: int) -> None:
    X, y = make_classification(2 * n_rows, n_features, n_informative=20, n_redundant=0, random_state=0)
    orders, units = orders_of_peer(n_rows, 0), [np.array([j]) for j in range(n_features)]
    print(f"Permutation importance, {n_rows} rows, {n_features} features, {N_REPEATS} permutations, one thread")
    print(f"  {'model':30}{'fewer':>10}{'scikit-learn':>14}{'ratio':>8}  equal")
    for name, model in MODELS.items():
        model.fit(X[:n_rows], y[:n_rows])
        scorer, test = check_scoring(model), (X[n_rows:], y[n_rows:])
        # Kernels are compiled, or read from the cache, before the clock runs.
        permuted_scores(model, test[0][:9], test[1][:9], scorer, units[:1], lambda u: orders[:1, :9] % 9, {})
        ours, (whole, scores) = seconds(lambda: permuted_scores(model, *test, scorer, units, lambda u: orders, {}))
        theirs, found = seconds(lambda: permutation_importance(model, *test, n_repeats=N_REPEATS, random_state=0))
        gap = float(np.abs(whole - scores - found.importances).max())
        same = "every bit" if gap == 0 else f"to {gap:.1e}"
        print(f"  {name:30}{ours:9.2f}s{theirs:13.2f}s{theirs / ours:8.1f}  {same}", flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rows", type=int, default=1000, help="held-out rows; as many are fitted on")
    arguments.add_argument("--features", type=int, default=200)
    given = arguments.parse_args()
    warnings.simplefilter("ignore")
    compare_permutations(given.rows, given.features)


if __name__ == "__main__":
    main()
