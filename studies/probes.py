"""Do selectors that compare features with chance err as seldom as they promise, and what do they find?

First error control, on 200 data sets of each of two kinds: 100 rows of 20 independent normal features and a target
that is noise; and 200 rows of 40 features, of which 12 add up to the target together with noise. What each method
promises stands beside what it did: features per data set, irrelevant ones by feature (with their number of trials), and
the largest rate that a count within chance could have (probability 1e-3 of a binomial count at the promised rate); a
rate beyond it is marked with !. StabilitySelection promises a number per data set, knockoffs a mean fraction of the
kept features; they are held against the same bound, the fraction taken as a rate of as many trials as data sets.

Then the experiments of chapter 7 of the book: the linear function that is hard for trees (50 sets) and Friedman's
random functions, continuous and mixed, for regression and classification (10 sets each), beside what the paper prints:
of the latter it shows bars without numbers. Detection is the mean fraction of relevant features that are found, false
alarms that of irrelevant ones.

    python studies/probes.py [--quick] [--page docs/shadows.md]

All ensembles are small, so that the whole takes about five minutes on one core; --quick takes half a minute.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.stats
from sklearn.feature_selection import RFE
from sklearn.svm import SVC, SVR

import fewer
from fewer.synth import make_friedman_random_function, make_linear_hard_for_trees

SHADOW: dict[str, Any] = {"max_iter": 30, "n_trees": 30, "tree_depth": 4}
SERIES: dict[str, Any] = {"n_series": 10, "n_trees": 10, "residual_trees": 30}
# Name, how it is made, its promise and of what: a rate by feature, errors per data set, or the fraction of those kept.
CONTROLLED: tuple[tuple[str, Callable[[int], Any], float, str], ...] = (
    ("Shadow", lambda seed: fewer.Shadow(**SHADOW, random_state=seed), 0.05, "feature"),
    ("IPE", lambda seed: fewer.IPE(**SERIES, random_state=seed), 0.05, "feature"),
    (
        'PermutationTest("p:0.05")',
        lambda seed: fewer.PermutationTest(n_permutations=39, n_trees=20, random_state=seed),
        0.05,
        "feature",
    ),
    (
        'PermutationTest(kind="oob")',
        lambda seed: fewer.PermutationTest(kind="oob", n_estimators=50, random_state=seed),
        float("nan"),
        "feature",
    ),
    ("StabilitySelection(pfer=1)", lambda seed: fewer.StabilitySelection(n_pairs=25, random_state=seed), 1.0, "set"),
    ('Pearson("knockoffs:0.2")', lambda seed: fewer.Pearson(f"knockoffs:0.2,seed={seed}"), 0.2, "kept"),
)
# What the chapter prints of detection and false alarms on the linear function, in per cent.
PRINTED = {"IPE": "93 / 1.5", "RF test": "72 / 11", "RFE": "86 / 4.8", "CFS": "poor"}


def noise(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
    """Return features and a target that is independent of them."""
    return rng.normal(size=(100, 20)), rng.normal(size=100), ()


def sums(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
    """Return features of which the first 12 add up to the target, with noise of the same variance."""
    X = rng.normal(size=(200, 40))
    return X, X[:, :12].sum(axis=1) + np.sqrt(12) * rng.normal(size=200), tuple(range(12))


def control(n_sets: int) -> list[str]:
    """Return the table of error control."""
    lines = [
        "| method | promise | data | kept of relevant | irrelevant ones kept | bound by chance | |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, make, level, unit in CONTROLLED:
        for kind in (noise, sums):
            found = [_errors(make(seed), *kind(np.random.default_rng([seed, 7]))) for seed in range(n_sets)]
            lines.append(_told(name, level, unit, kind.__name__, np.array(found, dtype=float)))
            print(lines[-1], flush=True)
    return lines


def _errors(made: Any, X: np.ndarray, y: np.ndarray, relevant: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Return features kept, irrelevant ones among them, and how many there are of relevant and irrelevant ones."""
    kept = set(made.fit(X, y).selection_.indices.tolist())
    return len(kept), len(kept - set(relevant)), len(relevant), X.shape[1] - len(relevant)


def _told(name: str, level: float, unit: str, kind: str, found: np.ndarray) -> str:
    kept, false, relevant, irrelevant = found.T
    power = "" if not relevant.any() else f"{(kept - false).sum() / relevant.sum():.0%}"
    if unit == "feature":
        rate, trials, promised = false.sum() / irrelevant.sum(), int(irrelevant.sum()), level
        words = f"{rate:.2%} of {trials:,}"
    elif unit == "set":
        # As many features as were promised at most, of all that could be.
        rate, trials, promised = false.sum() / irrelevant.sum(), int(irrelevant.sum()), level / irrelevant[0]
        words = f"{false.mean():.3f} per data set"
    else:
        rate, trials, promised = float(np.mean(false / np.maximum(kept, 1))), len(found), level
        words = f"{rate:.1%} of those kept"
    if np.isnan(promised):
        return f"| {name} | none | {kind} | {power} | {words} | | |"
    most = scipy.stats.binom.ppf(0.999, trials, promised) / trials
    shown = f"{most * irrelevant[0]:.2f} per data set" if unit == "set" else f"{most:.2%}"
    promise = {"feature": f"{level:.0%} by feature", "set": f"{level:g} per data set", "kept": f"{level:.0%} of kept"}
    return f"| {name} | {promise[unit]} | {kind} | {power} | {words} | {shown} | {'!' if rate > most else 'held'} |"


def chapter(n_linear: int, n_friedman: int) -> list[str]:
    """Return the table of the experiments of the chapter."""
    lines = [
        "| data | sets | method | detection / false alarms, % | the paper |",
        "|---|---|---|---|---|",
    ]
    plans: list[tuple[str, int, Callable[[int], Any]]] = [
        ("linear, hard for trees", n_linear, lambda seed: make_linear_hard_for_trees(random_state=seed))
    ]
    for task in ("regression", "classification"):
        for mixed in (False, True):
            kind = "mixed" if mixed else "continuous"
            plans.append((f"Friedman, {kind}, {task}", n_friedman, _friedman(task, mixed)))
    for name, n_sets, make in plans:
        sets = [make(seed) for seed in range(n_sets)]
        for method, select in METHODS.items():
            rates = np.array([_rates(select(data, seed), data) for seed, data in enumerate(sets)])
            paper = PRINTED.get(method, "") if name.startswith("linear") else ""
            shown = " / ".join(f"{100 * r:.1f}" for r in rates.mean(axis=0))
            lines.append(f"| {name} | {n_sets} | {method} | {shown} | {paper} |")
            print(lines[-1], flush=True)
    return lines


def _friedman(task: str, mixed: bool) -> Callable[[int], Any]:
    return lambda seed: make_friedman_random_function(mixed=mixed, task=task, mean_extra=3.0, random_state=seed)


def _rates(kept: Any, data: Any) -> tuple[float, float]:
    """Return the fractions of relevant and of irrelevant features among the kept ones."""
    relevant, found = set(data.relevant), {int(j) for j in kept}
    others = set(range(data.X.shape[1])) - relevant
    return len(found & relevant) / len(relevant), len(found & others) / len(others)


def _with(make: Callable[[int], Any]) -> Callable[[Any, int], Any]:
    return lambda data, seed: make(seed).fit(data.X, data.y).selection_.indices


def _cfs(data: Any, seed: int) -> Any:
    """CFS takes classes: numbers are put into five of equal size."""
    y = data.y if data.task == "classification" else np.searchsorted(np.quantile(data.y, [0.2, 0.4, 0.6, 0.8]), data.y)
    return fewer.CFS().fit(data.X, y).selection_.indices


def _rfe(data: Any, seed: int) -> Any:
    """Elimination by a linear machine, given the true number of relevant features as in the chapter."""
    X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    y = data.y if data.task == "classification" else (data.y - data.y.mean()) / data.y.std()
    model = SVC(kernel="linear") if data.task == "classification" else SVR(kernel="linear")
    return np.flatnonzero(RFE(model, n_features_to_select=len(data.relevant)).fit(X, y).support_)


METHODS: dict[str, Callable[[Any, int], Any]] = {
    "IPE": _with(lambda seed: fewer.IPE(**SERIES, random_state=seed)),
    "ACE": _with(lambda seed: fewer.ACE(**SERIES, random_state=seed)),
    "RF test": _with(lambda seed: fewer.PermutationTest(kind="oob", n_estimators=50, random_state=seed)),
    "CFS": _cfs,
    "RFE": _rfe,
    "Shadow": _with(lambda seed: fewer.Shadow(**SHADOW, random_state=seed)),
    "StabilitySelection": _with(lambda seed: fewer.StabilitySelection(n_pairs=25, random_state=seed)),
}


def write(page: Path, tables: dict[str, list[str]]) -> None:
    """Put tables between their marks into a page."""
    text = page.read_text(encoding="utf-8")
    for name, lines in tables.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, rest = text.split(begin)
        text = before + begin + "\n" + "\n".join(lines) + "\n\n" + end + rest.split(end)[1]
    page.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Error control and detection of selectors that compare with chance.")
    parser.add_argument("--quick", action="store_true", help="a few data sets")
    parser.add_argument("--page", type=Path, help="a page with marks that gets the tables")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    start = time.process_time()
    tables = {"error control": control(2 if given.quick else 200)}
    tables["chapter 7"] = chapter(*((2, 1) if given.quick else (50, 10)))
    print(f"{time.process_time() - start:.0f} s of one core")
    if given.page:
        write(given.page, tables)


if __name__ == "__main__":
    main()
