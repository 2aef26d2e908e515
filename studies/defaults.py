"""What the default recipe keeps, beside all features and the selectors that people use: 30 real data sets.

Outer folds: each selector chooses on the training rows, three learners (logistic regression or ridge, nearest
neighbours, a random forest) learn from the chosen features and are scored on the test rows, by balanced accuracy or R
squared. Rows are at most 2,000 (the same random ones for all). Missing numbers are filled by the mean of the training
rows; nominal features are given to the default recipe as such, to all others, and to the learners, as indicators of up
to twenty levels. A feature of which any indicator was chosen counts as chosen. Boruta is `Shadow`, whose
decisions are those of the package boruta, with at most fifty rounds of trees of depth five.

    python studies/defaults.py [--quick] [--jobs 2] [--cache FILE] [--sets a,b] [--without boruta,rfecv] [--only-table]

--quick takes four sets and three folds. What was computed is kept in the cache file, a line per fold and selector, so
that an interrupted run goes on where it was; remove the file to begin again, as after a change of the recipe. A
selector that works longer than a minute on a fold is left out for the rest of that data set and stands as "-".

The table shows, for each selector, the mean rank over the sets (1 is best, of those that finished everywhere), the mean
score and the mean number of features.
"""

from __future__ import annotations

import argparse
import json
import signal
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import numpy as np
from scipy.stats import rankdata
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor
from sklearn.feature_selection import RFECV, SelectFromModel, SelectKBest, f_classif, f_regression
from sklearn.linear_model import LassoCV, LogisticRegression, Ridge, RidgeClassifier
from sklearn.metrics import balanced_accuracy_score, r2_score
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from fewer import Shadow
from fewer.methods.recipe import DefaultRecipe

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SETS = [
    *["ionosphere", "sonar", "spambase", "colon_alon", "leukemia_golub", "wdbc"],
    *["german_nominal", "segmentation", "madelon", "musk1", "vehicle", "srbct_khan"],
    *["glass", "heart_statlog", "dermatology", "arrhythmia", "kr_vs_kp", "splice"],
    *["isolet", "mfeat", "waveform40", "reged1", "lucap0", "promoters"],
    *["hypothyroid", "soybean", "housing", "autompg", "triazines", "pyrimidines"],
]
QUICK = ["wdbc", "heart_statlog", "splice", "housing"]
# In these y is classes, and the numbers stand beside.
NUMBERS = ("housing", "cpu")
ROWS, LEVELS, SECONDS = 2000, 20, 60
WORDS = {
    "default": "default recipe",
    "all": "all features",
    "k20": "SelectKBest(20)",
    "l1": "L1",
    "rfecv": "RFECV",
    "trees": "tree importance",
    "boruta": "Boruta",
}


class TooLong(Exception):
    """A selector takes longer than is worth while."""


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Raise `TooLong` after so many seconds."""

    def stop(*_: Any) -> None:
        raise TooLong

    # Seconds of work, whatever else the machine does.
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def load(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return numbers with level numbers for nominal columns, the target, and which columns are nominal."""
    z = np.load(DATA / f"{name}.npz")
    X = z["X"].astype(np.float64)
    y = z["target"].astype(float) if name in NUMBERS else z["y"]
    nominal = z["nominal"].astype(bool) if "nominal" in z else np.zeros(X.shape[1], bool)
    if len(y) > ROWS:
        rows = np.sort(np.random.default_rng(0).permutation(len(y))[:ROWS])
        X, y = X[rows], y[rows]
    if y.dtype.kind != "f":
        # A class must be in every fold.
        values, counts = np.unique(y, return_counts=True)
        here = np.isin(y, values[counts >= 10])
        X, y = X[here], np.unique(y[here], return_inverse=True)[1]
    return X, y, nominal


def as_numbers(X: np.ndarray, nominal: np.ndarray, train: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return columns without holes, nominal ones as indicators, and the feature of each column."""
    columns, source = [], []
    for j in range(X.shape[1]):
        x = X[:, j]
        known = x[train][~np.isnan(x[train])]
        if not len(known):
            continue
        if nominal[j]:
            levels, counts = np.unique(known, return_counts=True)
            for level in levels[np.argsort(-counts, kind="stable")][:LEVELS]:
                columns.append((x == level).astype(float))
                source.append(j)
        else:
            columns.append(np.where(np.isnan(x), known.mean(), x))
            source.append(j)
    return np.column_stack(columns), np.array(source)


def k_best(X: np.ndarray, y: np.ndarray, numbers: bool) -> np.ndarray:
    """Choose the twenty columns with the largest F."""
    return SelectKBest(f_regression if numbers else f_classif, k=min(20, X.shape[1])).fit(X, y).get_support()


def l1(X: np.ndarray, y: np.ndarray, numbers: bool) -> np.ndarray:
    """Choose the columns with a weight in an L1 model."""
    Z = StandardScaler().fit_transform(X)
    if numbers:
        return SelectFromModel(LassoCV(cv=3, alphas=30, max_iter=5000), threshold=1e-8).fit(Z, y).get_support()
    model = LogisticRegression(l1_ratio=1.0, solver="liblinear", C=0.5, max_iter=300)
    weights = [model.fit(Z, y == c).coef_[0] for c in np.unique(y)[: None if y.max() > 1 else 1]]
    return np.any(np.abs(weights) > 1e-8, axis=0)


def rfecv(X: np.ndarray, y: np.ndarray, numbers: bool) -> np.ndarray:
    """Eliminate a tenth of the columns at a time, by the weights of a linear model."""
    Z = StandardScaler().fit_transform(X)
    model = Ridge() if numbers else RidgeClassifier(class_weight="balanced")
    return RFECV(model, step=0.1, cv=5, scoring="r2" if numbers else "balanced_accuracy").fit(Z, y).get_support()


def trees(X: np.ndarray, y: np.ndarray, numbers: bool) -> np.ndarray:
    """Choose columns of more than the mean importance in random trees."""
    model = (ExtraTreesRegressor if numbers else ExtraTreesClassifier)(200, random_state=0)
    return SelectFromModel(model).fit(X, y).get_support()


def boruta(X: np.ndarray, y: np.ndarray, numbers: bool) -> np.ndarray:
    """Choose columns that beat the best shuffled column more often than chance allows (Kursa and Rudnicki 2010)."""
    return Shadow(max_iter=50, random_state=0).fit(X, y).support_


def default(X: np.ndarray, y: np.ndarray, nominal: np.ndarray) -> np.ndarray:
    """Choose features by the default recipe."""
    categorical = np.flatnonzero(nominal) if nominal.any() else None
    # Whole numbers with more than twenty different values would be taken for numbers.
    y = y if y.dtype.kind == "f" else np.array([f"class {label}" for label in y])
    return DefaultRecipe(categorical_features=categorical).fit(X, y).support_


ON_COLUMNS: dict[str, Callable[[np.ndarray, np.ndarray, bool], np.ndarray]] = {
    "k20": k_best,
    "l1": l1,
    "rfecv": rfecv,
    "trees": trees,
    "boruta": boruta,
}


def learners(numbers: bool) -> list[Any]:
    """Return three unlike learners."""
    if numbers:
        return [
            make_pipeline(StandardScaler(), Ridge()),
            make_pipeline(StandardScaler(), KNeighborsRegressor()),
            RandomForestRegressor(100, min_samples_leaf=2, random_state=0),
        ]
    return [
        make_pipeline(StandardScaler(), LogisticRegression(max_iter=200)),
        make_pipeline(StandardScaler(), KNeighborsClassifier()),
        RandomForestClassifier(100, random_state=0),
    ]


def fold_results(name: str, fold: int, folds: int, skip: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return a record per selector of one fold of one data set."""
    warnings.simplefilter("ignore")
    X, y, nominal = load(name)
    numbers = y.dtype.kind == "f"
    splitter = (KFold if numbers else StratifiedKFold)(folds, shuffle=True, random_state=1)
    train, test = list(splitter.split(X, y))[fold]
    Z, source = as_numbers(X, nominal, train)
    varies = np.ptp(Z[train], axis=0) > 0
    Z, source = Z[:, varies], source[varies]
    out, scores_of = [], {}
    for selector in (s for s in WORDS if s not in skip):
        begin = time.perf_counter()
        try:
            with at_most(SECONDS):
                if selector == "default":
                    chosen = np.flatnonzero(default(X[train], y[train], nominal))
                elif selector == "all":
                    chosen = np.unique(source)
                else:
                    chosen = np.unique(source[ON_COLUMNS[selector](Z[train], y[train], numbers)])
        except TooLong:
            out.append({"set": name, "fold": fold, "of": folds, "selector": selector, "scores": None})
            continue
        seconds = time.perf_counter() - begin
        key = tuple(chosen.tolist())
        if key not in scores_of:
            scores_of[key] = _scores(Z[:, np.isin(source, chosen)], y, train, test, numbers)
        facts = {"scores": scores_of[key], "features": len(chosen), "seconds": round(seconds, 3)}
        out.append({"set": name, "fold": fold, "of": folds, "selector": selector, **facts})
    return out


def _scores(Z: np.ndarray, y: np.ndarray, train: np.ndarray, test: np.ndarray, numbers: bool) -> list[float]:
    """Return the score of each learner; of a guess where no column is left."""
    if not Z.shape[1]:
        return [0.0 if numbers else 1.0 / len(np.unique(y))] * 3
    score = r2_score if numbers else balanced_accuracy_score
    # One wild prediction of a linear model must not outweigh all other sets.
    return [max(-1.0, float(score(y[test], m.fit(Z[train], y[train]).predict(Z[test])))) for m in learners(numbers)]


def records_of(cache: Path, folds: int) -> list[dict[str, Any]]:
    """Return what was computed before."""
    lines = cache.read_text().splitlines() if cache.exists() else []
    return [one for one in map(json.loads, filter(None, lines)) if one["of"] == folds]


def compute(sets: list[str], folds: int, cache: Path, jobs: int, without: tuple[str, ...] = ()) -> None:
    """Compute what the cache does not hold."""
    known = records_of(cache, folds)
    done: dict[tuple[str, int], set[str]] = defaultdict(set)
    slow: dict[str, set[str]] = defaultdict(set)
    for one in known:
        done[one["set"], one["fold"]].add(one["selector"])
        if one["scores"] is None:
            slow[one["set"]].add(one["selector"])
    with ProcessPoolExecutor(jobs) as pool, cache.open("a") as file:
        waiting = {}
        for name in sets:
            for fold in range(folds):
                skip = tuple(done[name, fold] | slow[name] | set(without))
                if len(skip) < len(WORDS):
                    waiting[pool.submit(fold_results, name, fold, folds, skip)] = (name, fold)
        for future in as_completed(waiting):
            for one in future.result():
                file.write(json.dumps(one) + "\n")
            file.flush()
            print(f"{waiting[future][0]} fold {waiting[future][1] + 1} of {folds}", flush=True)


def table(sets: list[str], folds: int, cache: Path) -> str:
    """Return the results in Markdown."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for one in records_of(cache, folds):
        if one["scores"] is not None:
            found[one["set"], one["selector"]].append(one)
    complete = [name for name in sets if len(found[name, "default"]) == folds and len(found[name, "all"]) == folds]
    means: dict[str, dict[str, tuple[float, float]]] = {
        name: {
            s: (
                float(np.mean([one["scores"] for one in found[name, s]])),
                float(np.mean([one["features"] for one in found[name, s]])),
            )
            for s in WORDS
            if len(found[name, s]) == folds
        }
        for name in complete
    }
    heads = ["data", *WORDS.values()]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for name, of in means.items():
        cells = [f"{of[s][0]:.3f} ({of[s][1]:.0f})" if s in of else "-" for s in WORDS]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    lines += ["", "| selector | mean rank | mean score | mean features | sets |", "|---|---|---|---|---|"]
    everywhere = [s for s in WORDS if all(s in of for of in means.values())]
    # Scores that look alike share a rank.
    ranks = [rankdata([-round(of[s][0], 3) for s in everywhere]) for of in means.values()]
    for place, s in enumerate(everywhere):
        of_sets = np.array([of[s] for of in means.values()]).reshape(-1, 2)
        rank = f"{np.mean([r[place] for r in ranks]):.2f}" if ranks else "-"
        lines.append(
            f"| {WORDS[s]} | {rank} | {of_sets[:, 0].mean():.3f} | {of_sets[:, 1].mean():.1f} | {len(of_sets)} |"
        )
    for s in (s for s in WORDS if s not in everywhere):
        of_sets = np.array([of[s] for of in means.values() if s in of]).reshape(-1, 2)
        if len(of_sets):
            lines.append(
                f"| {WORDS[s]} | - | {of_sets[:, 0].mean():.3f} | {of_sets[:, 1].mean():.1f} | {len(of_sets)} |"
            )
    return "\n".join(lines)


def main() -> None:
    """Run the study."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="four sets and three folds")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument(
        "--cache", type=Path, default=Path(gettempdir()) / "fewer_defaults.jsonl", help="file of what was computed"
    )
    parser.add_argument("--sets", help="names of data sets, by commas")
    parser.add_argument("--without", default="", help="selectors to leave for later, by commas")
    parser.add_argument("--only-table", action="store_true", help="print what the cache holds")
    given = parser.parse_args()
    sets = given.sets.split(",") if given.sets else QUICK if given.quick else SETS
    folds = 3 if given.quick else 5
    if not given.only_table:
        compute(sets, folds, given.cache, given.jobs, tuple(filter(None, given.without.split(","))))
    print(table(sets, folds, given.cache))


if __name__ == "__main__":
    main()
