"""Forward selection with an estimator beside its peers, in one run. Prints ratios; asserts nothing.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benchmarks/wrappers.py [--slow]

Ten of a hundred features are chosen from 500 rows by five folds. The peer scikit-learn fits an estimator for every
candidate and fold; so does mlxtend, which is used where it can be imported. Without --slow the peers choose three
features, and their time is scaled by the number of evaluations: the cost of one hardly depends on the few features it
has. What they chose is compared with the first three of ours.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from fewer.methods.wrappers.sequential import SequentialSelector

N_ROWS, N_FEATURES, K, N_FOLDS = 500, 100, 10, 5
ESTIMATORS: dict[str, Any] = {
    "kNN": KNeighborsClassifier(5),
    "naive Bayes": GaussianNB(),
    "LDA": LinearDiscriminantAnalysis(),
    "ridge classifier": RidgeClassifier(),
    "ridge": Ridge(),
    "decision tree": DecisionTreeClassifier(max_depth=4, random_state=0),
}


def problem(name: str) -> tuple[np.ndarray, np.ndarray, Any]:
    """Return data with ten informative features, and their splits."""
    X, y = make_classification(
        N_ROWS, N_FEATURES, n_informative=10, n_redundant=10, n_classes=3, n_clusters_per_class=1, random_state=0
    )
    if name != "ridge":
        return X, y, StratifiedKFold(N_FOLDS)
    rng = np.random.default_rng(0)
    return X, X[:, :20] @ rng.normal(size=20) + 5.0 * rng.normal(size=N_ROWS), KFold(N_FOLDS)


def evaluations(k: int) -> int:
    return sum(N_FEATURES - j for j in range(k))


def seconds(work: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Return the processor time of the shortest of some runs, and the result; all run on one thread."""
    times, result = [], None
    for _ in range(repeats):
        start = time.process_time()
        result = work()
        times.append(time.process_time() - start)
    return min(times), result


def scikit_learn(estimator: Any, X: np.ndarray, y: np.ndarray, cv: Any, k: int) -> list[int]:
    fitted = SequentialFeatureSelector(estimator, n_features_to_select=k, cv=cv).fit(X, y)
    return np.flatnonzero(fitted.get_support()).tolist()


def mlxtend(estimator: Any, X: np.ndarray, y: np.ndarray, cv: Any, k: int) -> list[int]:
    from mlxtend.feature_selection import SequentialFeatureSelector as Peer

    scoring = "r2" if isinstance(estimator, Ridge) else "accuracy"
    return sorted(Peer(estimator, k_features=k, cv=cv, scoring=scoring).fit(X, y).k_feature_idx_)


def compare(name: str, slow: bool) -> None:
    X, y, cv = problem(name)
    estimator, k = ESTIMATORS[name], K if slow else 3
    generic = name == "decision tree"

    def ours(size: int) -> list[int]:
        return SequentialSelector(estimator, size, cv=cv, give_up=generic).fit(X, y).selection_.indices.tolist()

    ours(2)
    size = k if generic else K
    taken, chosen = seconds(lambda: ours(size), 2 if generic else 3)
    print(f"  {name}: fewer {1000 * taken:9.1f} ms for {size} of {N_FEATURES} features")
    for title, peer in (("scikit-learn", scikit_learn), ("mlxtend", mlxtend)):
        try:
            theirs, found = seconds(lambda peer=peer: peer(estimator, X, y, cv, k), 2 if generic else 1)
        except ImportError:
            print(f"    {title} is not installed")
            continue
        scaled = theirs * evaluations(size) / evaluations(k)
        same = "the same features" if sorted(chosen[:k]) == found else f"others: {found} beside {sorted(chosen[:k])}"
        note = "" if k == size else f", scaled from {k}"
        print(f"    {title:14}{1000 * scaled:9.1f} ms{note}, {scaled / taken:7.1f} times as long; {same}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--slow", action="store_true", help="let the peers choose all features, too")
    given = arguments.parse_args()
    warnings.simplefilter("ignore")
    print(f"Forward selection, {N_ROWS} rows, {N_FEATURES} features, {N_FOLDS} folds")
    for name in ESTIMATORS:
        compare(name, given.slow)


if __name__ == "__main__":
    main()
