"""Permutation importance and shadow features beside their peers, in one run. Prints ratios; asserts nothing.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benchmarks/ensembles.py [--rows N] [--features D] [--problems P]

Permutation importance: a fitted model, held-out rows, five permutations of every feature, one thread. The peer is
scikit-learn's `permutation_importance`; both get the same permutations, and the results are compared to the last bit.

Shadow: processor time on one thread. BorutaPy (``pip install boruta``, which nothing else here needs) runs on
scikit-learn's forest of depth 5 with its own number of trees, as its documentation advises; Shadow on the forest on
bins of the same depth. Agreement is the fraction of features with the same decision to keep or not, on problems with 3
to 10 relevant features.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from functools import partial
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

import fewer
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


IN_FIT = [0.0]


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


class TimedForest(RandomForestClassifier):
    """A forest that adds up the time of its fits."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        start = time.process_time()
        super().fit(X, y, sample_weight)
        # BorutaPy and Shadow read importances, which are computed then, too.
        self.known_ = super().feature_importances_
        IN_FIT[0] += time.process_time() - start
        return self

    @property
    def feature_importances_(self) -> np.ndarray:
        return self.known_


def problem(n_rows: int, n_features: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return classes that depend on 3 to 10 of the features, which are in random places."""
    informative = 3 + seed % 8
    return make_classification(
        n_rows, n_features, n_informative=informative, n_redundant=0, class_sep=1.5, random_state=seed
    )


def outside(n_rows: int, n_features: int) -> None:
    X, y = problem(n_rows, n_features, 5)
    model = TimedForest(100, max_depth=5)
    # What is imported, or compiled, comes before the clock runs.
    fewer.Shadow(estimator=model, max_iter=1, random_state=0).fit(*problem(60, 6, 0))
    IN_FIT[0] = 0.0
    whole, _ = seconds(lambda: fewer.Shadow(estimator=model, max_iter=10, random_state=0).fit(X, y))
    share = 1 - IN_FIT[0] / whole
    print(
        f"Shadow with scikit-learn's forest, {n_rows} x {n_features}, 10 rounds: {whole:.1f} s, {share:.1%} outside fit"
    )


def against_boruta_py(n_rows: int, n_features: int, n_problems: int) -> None:
    try:
        from boruta import BorutaPy
    except ImportError:
        print("BorutaPy is not installed; left out")
        return

    def theirs(X: np.ndarray, y: np.ndarray, rounds: int) -> np.ndarray:
        forest = RandomForestClassifier(max_depth=5, n_jobs=1)
        return BorutaPy(forest, n_estimators="auto", max_iter=rounds + 1, random_state=0).fit(X, y).support_

    def ours(X: np.ndarray, y: np.ndarray, rounds: int) -> np.ndarray:
        return fewer.Shadow(max_iter=rounds, random_state=0).fit(X, y).support_

    # Kernels are compiled, or read from the cache, before the clock runs.
    fewer.Shadow(max_iter=2, random_state=0).fit(*problem(60, 6, 0))
    data = problem(n_rows, n_features, 5)
    (a, mine), (b, other) = seconds(lambda: ours(*data, 100)), seconds(lambda: theirs(*data, 100))
    same = float(np.mean(mine == other))
    size, alike = f"{n_rows} x {n_features}", f"{same:.1%} of features alike"
    print(f"{size}: Shadow {a:.1f} s, BorutaPy {b:.1f} s, ratio {b / a:.1f}, {alike}")
    agree, fast, slow = [], 0.0, 0.0
    for seed in range(n_problems):
        data = problem(150, 24, seed)
        (a, mine), (b, other) = seconds(partial(ours, *data, 40)), seconds(partial(theirs, *data, 40))
        agree.append(np.mean(mine == other))
        fast, slow = fast + a, slow + b
    alike = f"{np.mean(agree):.1%} of the features alike, least {min(agree):.0%}"
    words = f"{n_problems} problems of 150 x 24, 40 rounds: {alike}"
    print(f"{words}, Shadow {fast:.1f} s, BorutaPy {slow:.1f} s, ratio {slow / fast:.1f}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rows", type=int, default=1000, help="held-out rows; as many are fitted on")
    arguments.add_argument("--features", type=int, default=200)
    arguments.add_argument("--problems", type=int, default=20, help="on which decisions are compared with BorutaPy's")
    given = arguments.parse_args()
    warnings.simplefilter("ignore")
    compare_permutations(given.rows, given.features)
    outside(given.rows, given.features)
    against_boruta_py(given.rows, given.features, given.problems)


if __name__ == "__main__":
    main()
