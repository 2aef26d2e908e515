"""Best incremental ranked subsets beside forward selection and filters (book ch. 8, Ruiz et al.).

Five times two folds: features are selected on one half, the classifier is trained on it and tested on the other; the
table shows mean accuracies and numbers of features beside the accuracies of the text. BI is BIRS, SF forward selection;
with the classifier itself (WR) or with the merit of CFS (CF). Of the twelve data sets those of only numbers or only
nominal features are taken that exist in shared/data; classifiers are naive Bayes (Gaussian or categorical) and, for
numbers, one nearest neighbour. C4.5 has no counterpart in scikit-learn.

    python studies/birs.py [--quick]

--quick takes two sets and one repetition.

What agrees, with five repetitions: for naive Bayes forward selection (WR) is within 1.7 points of the text on all sets
and BIRS (WR) within 1.3 on all but isolet; BIRS takes fewer features than forward selection on every set and loses up
to 1.1 points, 4.4 on isolet. Mushroom, waveform and letter agree within 0.6 in every column. For one nearest neighbour
on waveform all columns agree within three points.

What differs: on isolet the filter form of BIRS reaches 58.1 % instead of 77.6 %, BIRS with naive Bayes 79.5 instead of
83.3 and FCBF 69.8 instead of 74.6. On the chess endgames the filter form has 82.9 instead of 90.4 %, with two features
on average where forward selection takes three. Why is not known. The text does not say how its folds were drawn; here
they are shuffled: with folds of neighbouring rows BIRS found only two features of the chess endgames, 70 %.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import fewer
from fewer.methods.wrappers.birs import BIRS
from fewer.methods.wrappers.sequential import SequentialSelector

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
# Shuffled: rows of some sets are sorted, and the t-test finds folds of neighbouring rows too different.
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)
METHODS = ("BI WR", "SF WR", "BI CF", "SF CF", "FCBF", "all")
# Accuracies of tables 8.3 and 8.6 in the order of METHODS.
NAIVE_BAYES: dict[str, tuple[float, ...]] = {
    "kr_vs_kp": (94.27, 94.32, 90.43, 90.43, 92.50, 87.50),
    "splice": (94.85, 94.91, 93.63, 93.60, 95.49, 95.26),
    "mushroom": (98.78, 99.01, 98.52, 98.52, 98.52, 95.10),
    "waveform40": (81.01, 81.55, 81.01, 80.12, 78.42, 80.02),
    "letter": (65.67, 65.67, 64.28, 64.28, 65.06, 63.97),
    "mfeat": (97.21, 96.87, 97.04, 96.72, 96.19, 94.37),
    "isolet": (83.30, 82.28, 77.61, 80.79, 74.62, 80.42),
}
NEAREST: dict[str, tuple[float, ...]] = {
    "waveform40": (76.39, 77.18, 78.89, 78.72, 71.76, 73.42),
}


def load(name: str) -> tuple[np.ndarray, np.ndarray, bool]:
    """Return features, classes, and whether the features are nominal; a missing value is a level of its own."""
    with np.load(DATA / f"{name}.npz") as file:
        X, y = file["X"].astype(float), file["y"]
        nominal = bool("nominal" in file.files and file["nominal"].all())
    if nominal:
        return np.where(np.isnan(X), np.nanmax(X) + 1, X).astype(int), y, True
    return X, y, False


def selectors(model: Any, nominal: bool) -> dict[str, Callable[[], Any]]:
    """Return the methods that select features; filters on numbers cut them by MDL, as the text's do."""
    levels = {"discretizer": None if nominal else "mdl"}
    return {
        "BI WR": lambda: BIRS(model, cv=FOLDS),
        "SF WR": lambda: SequentialSelector(model, cv=FOLDS),
        "BI CF": lambda: BIRS("cfs", **levels),
        "SF CF": lambda: SequentialSelector("cfs", **levels),
        "FCBF": lambda: fewer.FCBF(None, **levels),
    }


def study(X: np.ndarray, y: np.ndarray, nominal: bool, model: Any, repeats: int) -> dict[str, tuple[float, float]]:
    """Return accuracy in percent and number of features by method."""
    found: dict[str, list[tuple[float, int]]] = {name: [] for name in METHODS}
    splits = RepeatedStratifiedKFold(n_splits=2, n_repeats=repeats, random_state=0)
    for train, test in splits.split(X, y):
        for name, make in selectors(model, nominal).items():
            kept = np.sort(make().fit(X[train], y[train]).selection_.indices)
            fitted = clone(model).fit(X[train][:, kept], y[train])
            found[name].append((100 * fitted.score(X[test][:, kept], y[test]), len(kept)))
        found["all"].append((100 * clone(model).fit(X[train], y[train]).score(X[test], y[test]), X.shape[1]))
    return {name: tuple(np.mean(rows, axis=0)) for name, rows in found.items()}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--quick", action="store_true", help="two sets, one repetition")
    quick = arguments.parse_args().quick
    warnings.simplefilter("ignore")
    for title, table in (("naive Bayes", NAIVE_BAYES), ("one nearest neighbour", NEAREST)):
        print(f"{title}: accuracy (features), the text below\n{'':12}" + "".join(f"{m:>15}" for m in METHODS))
        for name, text in table.items():
            if not (DATA / f"{name}.npz").exists() or (quick and name not in ("kr_vs_kp", "waveform40")):
                continue
            begin = time.perf_counter()
            X, y, nominal = load(name)
            by_levels = CategoricalNB(min_categories=int(X.max()) + 1) if nominal else GaussianNB()
            model = KNeighborsClassifier(1) if table is NEAREST else by_levels
            rows = study(X, y, nominal, model, 1 if quick else 5)
            ours = "".join(f"{rows[m][0]:8.2f} ({rows[m][1]:4.0f})" for m in METHODS)
            print(f"{name:12}{ours}   {time.perf_counter() - begin:.0f} s")
            print(f"{'':12}" + "".join(f"{value:8.2f}       " for value in text), flush=True)


if __name__ == "__main__":
    main()
