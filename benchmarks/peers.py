"""The table of README.md: the same work by fewer and by what people use now, in one run, on one thread each.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 NUMBA_NUM_THREADS=1 python benchmarks/peers.py

Processor time, which a busy machine does not lengthen, after one small run of each side that compiles and imports.
"Same" is the fraction of the chosen features that both chose. Peers are optional and left out where they are not
installed: pip install scikit-learn mlxtend boruta skrebate fast-select mrmr-selection. Prints; asserts nothing.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectKBest, SequentialFeatureSelector, f_classif, mutual_info_classif
from sklearn.neighbors import KNeighborsClassifier

import fewer

Work = Callable[[np.ndarray, np.ndarray], object]


def data(n_rows: int, n_features: int, levels: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return rows of two classes, ten features of which matter; as levels if asked for."""
    X, y = make_classification(n_rows, n_features, n_informative=10, n_redundant=5, random_state=0)
    if levels:
        X = np.apply_along_axis(lambda x: np.searchsorted(np.quantile(x, np.arange(1, levels) / levels), x), 0, X)
    return X, y


def measured(work: Work, X: np.ndarray, y: np.ndarray) -> tuple[float, set[int]]:
    """Return the processor time of a run and the features it chose."""
    start = time.process_time()
    chosen = work(X, y)
    return time.process_time() - start, {int(j) for j in np.asarray(chosen)}


def beside(title: str, ours: Work, peers: dict[str, Work], size: tuple[int, ...], small: tuple[int, ...]) -> None:
    """Print one row per peer."""
    X, y = data(*size)
    for work in (ours, *peers.values()):
        try:
            work(*data(*small))
        except ImportError:
            continue
    mine, kept = min((measured(ours, X, y) for _ in range(3)), key=lambda found: found[0])
    for name, work in peers.items():
        try:
            theirs, other = measured(work, X, y)
        except ImportError:
            print(f"| {title} | {name} | not installed | | | |")
            continue
        same = len(kept & other) / max(len(kept | other), 1)
        shown = f"{mine:.3f} s | {theirs:.2f} s | {theirs / mine:.0f} | {same:.0%}"
        print(f"| {title}, {size[0]:,} x {size[1]:,} | {name} | {shown} |", flush=True)


def ours_of(made: object) -> Work:
    """Return the work of one of our selectors."""
    return lambda X, y: made.fit(X, y).selection_.indices  # type: ignore[attr-defined]


def best_of_scikit_learn(score: Callable, k: int) -> Work:
    return lambda X, y: SelectKBest(score, k=k).fit(X, y).get_support(indices=True)


def mrmr_selection(X: np.ndarray, y: np.ndarray) -> object:
    from mrmr import mrmr_classif

    return mrmr_classif(pd.DataFrame(X), pd.Series(y), K=20, n_jobs=1, show_progress=False)


def fast_select_mrmr(X: np.ndarray, y: np.ndarray) -> object:
    from fast_select import mRMR

    return np.asarray(mRMR(n_features_to_select=20, method="MID", backend="cpu").fit(X, y).top_features_)


def rebate(X: np.ndarray, y: np.ndarray) -> object:
    import skrebate

    return np.argsort(-skrebate.ReliefF(n_neighbors=10).fit(X, y).feature_importances_)[:10]


def fast_select_relief(X: np.ndarray, y: np.ndarray) -> object:
    import fast_select

    made = fast_select.ReliefF(n_features_to_select=10, n_neighbors=10, backend="cpu", n_jobs=1)
    return made.fit(X, y).top_features_[:10]


def sequential(X: np.ndarray, y: np.ndarray) -> object:
    made = SequentialFeatureSelector(KNeighborsClassifier(), n_features_to_select=8, cv=5, n_jobs=1)
    return made.fit(X, y).get_support(indices=True)


def mlxtend_sequential(X: np.ndarray, y: np.ndarray) -> object:
    from mlxtend.feature_selection import SequentialFeatureSelector as Peer

    return Peer(KNeighborsClassifier(), k_features=8, cv=5, n_jobs=1).fit(X, y).k_feature_idx_


def boruta(X: np.ndarray, y: np.ndarray) -> object:
    from boruta import BorutaPy

    forest = RandomForestClassifier(max_depth=5, n_jobs=1, random_state=0)
    found = BorutaPy(forest, n_estimators="auto", max_iter=51, random_state=0).fit(X, y)
    return np.flatnonzero(found.support_)


def exact_levels(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    return mutual_info_classif(X, y, discrete_features=True)


def main() -> None:
    warnings.simplefilter("ignore")
    print("| work | peer | fewer | peer's time | times as fast | same |\n|---|---|---|---|---|---|")
    wide, small = (10_000, 2_000), (60, 30)
    beside("F test", ours_of(fewer.FTest(20)), {"scikit-learn": best_of_scikit_learn(f_classif, 20)}, wide, small)
    gain = ours_of(fewer.InformationGain(20, discretizer=None))
    peers = {"scikit-learn": best_of_scikit_learn(exact_levels, 20)}
    beside("mutual information, 5 levels", gain, peers, (*wide, 5), (*small, 5))
    mrmr = ours_of(fewer.MRMR(20, discretizer=None))
    peers = {"fast-select": fast_select_mrmr, "mrmr-selection (F and correlation)": mrmr_selection}
    beside("mRMR, 20 features", mrmr, peers, (1_000, 1_000, 5), (*small, 5))
    relief = ours_of(fewer.ReliefF(10, n_neighbors=10))
    beside("ReliefF", relief, {"scikit-rebate": rebate, "fast-select": fast_select_relief}, (1_000, 500), small)
    forward = ours_of(fewer.SequentialSelector(KNeighborsClassifier(), n_features_to_select=8, cv=5))
    peers = {"scikit-learn": sequential, "mlxtend": mlxtend_sequential}
    beside("forward selection, 8 features, nearest neighbours", forward, peers, (500, 30), (60, 16))
    shadow = ours_of(fewer.Shadow(max_iter=50, random_state=0))
    beside("Boruta, 50 rounds", shadow, {"BorutaPy": boruta}, (1_000, 100), (60, 16))


if __name__ == "__main__":
    main()
