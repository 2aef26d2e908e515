"""Do p-values and stop rules hold the error rates that they state?

Noise of four kinds (normal, three levels, rare zeros and ones, lognormal) meets classes of 20, 50 and 200 rows,
balanced or not, two of them or three. Printed are, for every method with p-values, how many irrelevant features have a
p-value of at most .05 and .001; for the rules `p`, `fwer` and `fdr` what they keep of noise; the fraction of
irrelevant features among those that `fdr:0.05` keeps when 50 of 1,000 are relevant; and for `probes` what is kept of
noise, also of normal columns beside columns of zeros and ones. A rate is marked with ! if it is more than twice the
nominal one, beyond what chance explains (probability 1e-3 of a binomial count).

What `compare` says is looked at the same way: how often noise is called better than a guess at four levels, how often
methods are called different, how far the honest score is from the score of the best setting on new rows, and how often
its interval holds that.

    python studies/calibration.py [--full | --quick] [--only compare] [--page docs/calibration.md]

Without --full there are two data sets per cell (20 of comparisons), which takes some minutes; with it twenty (200),
which takes some hours. With --quick there is one (4).
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import scipy.stats
from sklearn.linear_model import Ridge
from sklearn.metrics import get_scorer
from sklearn.naive_bayes import GaussianNB

import fewer
from fewer.core.stop.significance import adjust

KINDS = ("normal", "three levels", "rare 0/1", "lognormal")
ROWS = (20, 50, 200)
CLASSES = {
    "50/50": (0.5, 0.5),
    "80/20": (0.8, 0.2),
    "95/5": (0.95, 0.05),
    "50/30/20": (0.5, 0.3, 0.2),
    "80/15/5": (0.8, 0.15, 0.05),
    "95/4/1": (0.95, 0.04, 0.01),
}
COUNTING = ("Chi2", "InformationGain", "GainRatio", "DistanceGain", "SymmetricalUncertainty", "GiniGain")
RANKS = ("RankSum", "KruskalWallis", "Spearman", "Kendall")
NORMAL = ("FTest", "TTest", "WelchTest", "Pearson", "VarianceReduction")
# Methods with the p-values of another one.
SAME = {"GainRatio", "DistanceGain", "SymmetricalUncertainty"}
BINARY = {"RankSum", "TTest", "WelchTest"}
LEVELS, FEATURES, RELEVANT = (0.05, 0.001), 1000, 50
# Comparisons: rows, features, target, effect; and the levels at which a guess is said to be beaten.
PARTS = {**CLASSES, "85/15": (0.85, 0.15), "five": (0.2, 0.2, 0.2, 0.2, 0.2)}
CELLS = (
    (50, 200, "50/50", 0.0),
    (80, 20, "50/50", 0.0),
    (80, 20, "five", 0.0),
    (80, 20, "85/15", 0.0),
    (200, 5, "80/20", 0.0),
    (200, 20, "numbers", 0.0),
    (1000, 20, "50/50", 0.0),
    (80, 20, "50/50", 0.5),
    (200, 20, "five", 0.6),
    (200, 20, "85/15", 0.6),
    (200, 20, "numbers", 0.4),
)
CURVE = (0.01, 0.05, 0.1, 0.2)
COMPARE_HEAD = (
    "| rows | features | target | | sets | best - true | honest - true | interval holds it | better than a guess at "
    ".01 / .05 / .1 / .2 | methods differ at .05 |\n|---|---|---|---|---|---|---|---|---|---|"
)


def target(n: int, fractions: tuple[float, ...]) -> np.ndarray:
    """Return classes of these fractions, each with a row at least."""
    sizes = [max(1, round(n * f)) for f in fractions[1:]]
    return np.repeat(np.arange(len(fractions)), [n - sum(sizes), *sizes])


def columns(kind: str, y: np.ndarray, d: int, effect: float, rng: np.random.Generator) -> np.ndarray:
    """Return features of one kind, which depend on the class if the effect is above 0."""
    n, pull = len(y), effect * (y > 0)[:, None]
    if kind == "normal":
        return rng.normal(size=(n, d)) + 2.0 * pull
    if kind == "three levels":
        return np.minimum(rng.integers(0, 3, (n, d)) + 2 * (rng.random((n, d)) < 0.7 * pull), 2).astype(float)
    if kind == "rare 0/1":
        return (rng.random((n, d)) < 0.05 + 0.7 * pull).astype(float)
    return np.exp(2.0 * rng.normal(size=(n, d)) + 4.0 * pull)


def pvalues(name: str, X: np.ndarray, y: np.ndarray, **more: Any) -> np.ndarray:
    """Return p-values; a test that could not be made counts as 1."""
    y = y.astype(float) if name == "VarianceReduction" else y
    found = fewer.get(name)(None, **more).fit(X, y).selection_.columns["pvalue"]
    return np.where(np.isnan(found), 1.0, found)


def rate(hits: int, n: int, nominal: float) -> str:
    """Return a rate as text, marked if it is beyond twice the nominal one."""
    mark = "!" if hits > scipy.stats.binom.ppf(0.999, n, min(2 * nominal, 1.0)) else ""
    return f"{hits / n:.{2 if nominal >= 0.01 else 4}f}{mark}"


def cells(name: str) -> Iterator[tuple[int, str, np.ndarray]]:
    """Give the targets that a method can take."""
    for n in ROWS:
        for words, fractions in CLASSES.items():
            if len(fractions) == 2 or name not in BINARY:
                yield n, words, target(n, fractions)


def study(name: str, n_sets: int, **more: Any) -> tuple[list[str], list[str]]:
    """Return the table of rates of one method, and one row of what rules keep."""
    rng, lines, noise, wrong = np.random.default_rng(0), [], np.zeros(2, int), []
    for n, words, y in cells(name):
        shown = []
        for kind in KINDS:
            found = [pvalues(name, columns(kind, y, FEATURES, 0.0, rng), y, **more) for _ in range(n_sets)]
            noise += [sum((adjust(p, rule) <= 0.05).any() for p in found) for rule in ("holm", "bh")]
            together = np.concatenate(found)
            shown.append(" / ".join(rate(int((together <= a).sum()), len(together), a) for a in LEVELS))
            # Relevant features take all permutations there are, so --full alone looks at them.
            for _ in range(n_sets if n_sets > 2 or not more else 0):
                both = [columns(kind, y, RELEVANT, 1.0, rng), columns(kind, y, FEATURES - RELEVANT, 0.0, rng)]
                kept = adjust(pvalues(name, np.hstack(both), y, **more), "bh") <= 0.05
                wrong.append((kept[RELEVANT:].sum() / max(kept.sum(), 1), (n, words, kind), kept[:RELEVANT].mean()))
        lines.append(f"| {n} | {words} | " + " | ".join(shown) + " |")
    sets = n_sets * len(lines) * len(KINDS)
    noisy = f"| {rate(int(noise[0]), sets, 0.05)} | {rate(int(noise[1]), sets, 0.05)} |"
    if not wrong:
        return lines, [f"| {name} (permutation) {noisy} | | |"]
    by_cell = {cell: np.mean([w for w, c, _ in wrong if c == cell]) for _, cell, _ in wrong}
    worst = max(by_cell, key=lambda cell: by_cell[cell])
    row = (
        f"| {name}{' (permutation)' if more else ''} {noisy} {np.mean([w for w, _, _ in wrong]):.3f} | "
        f"{by_cell[worst]:.2f} ({worst[0]} rows, {worst[1]}, {worst[2]}) | {np.mean([k for _, _, k in wrong]):.2f} |"
    )
    return lines, [row]


def probes(names: tuple[str, ...], n_sets: int) -> list[str]:
    """Return what `probes:0.05` keeps of 190 columns of zeros and ones and of ten normal ones, all noise."""
    rng, lines = np.random.default_rng(1), []
    for name in names:
        for words in ("50/50", "80/20", "95/5"):
            y, kept = target(200, CLASSES[words]), np.zeros(2, int)
            for _ in range(n_sets):
                X = np.hstack([rng.integers(0, 2, (200, 190)), rng.normal(size=(200, 10))])
                here = fewer.get(name)("probes:0.05").fit(X, y).selection_.support
                kept += [here[:190].sum(), here[190:].sum()]
            binary, normal = rate(int(kept[0]), 190 * n_sets, 0.05), rate(int(kept[1]), 10 * n_sets, 0.05)
            lines.append(f"| {name} | {words} | {binary} | {normal} |")
    return lines


def table(cell: tuple[int, int, str, float], rng: np.random.Generator, n: int | None = None) -> tuple[Any, Any]:
    """Return a table of a cell: features and target, of which a fifth has a signal if the effect is above 0."""
    rows, d, kind, effect = cell
    rows = n or rows
    if kind == "numbers":
        X = rng.normal(size=(rows, d))
        return X, effect * X[:, : max(1, d // 5)].sum(axis=1) + rng.normal(size=rows)
    fractions = PARTS[kind]
    y = rng.permutation(target(rows, fractions))
    # The same means for every table of a cell: new rows come from where the others came from.
    means = effect * np.random.default_rng(d).normal(size=(len(fractions), d)) * (np.arange(d) < max(1, d // 5))
    return rng.normal(size=(rows, d)) + means[y], y


def one_comparison(cell: tuple[int, int, str, float], seed: int) -> tuple[float, float, float, float, float]:
    """Return honest minus true score, whether the interval holds it, and the p-values of chance and of Friedman."""
    rng = np.random.default_rng([seed, *cell[:2]])
    X, y = table(cell, rng)
    numbers = cell[2] == "numbers"
    methods = ["Pearson", "Spearman", "GaussianMRMR"] if numbers else ["FTest", "KruskalWallis", "GaussianMRMR"]
    sizes = sorted({1, 3, min(8, cell[1])})
    found = fewer.compare(X, y, methods, ["ridge" if numbers else "naive Bayes"], sizes, naive=False, random_state=seed)
    head = found.best()
    columns = found.final(head.best_method, head.best_size)
    model = Ridge() if numbers else GaussianNB()
    new, truth = table(cell, rng, 4000)
    # Noise has no better score than a guess, whatever was chosen.
    known = head.chance if cell[3] == 0.0 and not numbers else None
    score = get_scorer(found.scoring)(model.fit(X[:, columns], y), new[:, columns], truth) if known is None else known
    held = head.honest_low <= score <= head.honest_high
    return head.honest - score, float(held), head.chance_pvalue, found.ranks().f_pvalue, head.best_score - score


def comparisons(n_sets: int) -> list[str]:
    """Return one row per kind of data: what `compare` says, and how often that is right."""
    lines = []
    for cell in CELLS:
        sets = max(2, n_sets // 4) if cell[0] >= 1000 else n_sets
        found = np.array([one_comparison(cell, seed) for seed in range(sets)])
        levels = " / ".join(
            rate(int((found[:, 2] <= a).sum()), sets, a) if cell[3] == 0.0 else f"{(found[:, 2] <= a).mean():.2f}"
            for a in CURVE
        )
        friedman = rate(int((found[:, 3] <= 0.05).sum()), sets, 0.05)
        error = found[:, 0].std() / np.sqrt(sets)
        lines.append(
            f"| {cell[0]} | {cell[1]} | {cell[2]} | {'noise' if cell[3] == 0.0 else 'signal'} | {sets} | "
            f"{found[:, 4].mean():+.3f} | {found[:, 0].mean():+.3f} ± {error:.3f} | {found[:, 1].mean():.2f} | "
            f"{levels} | {friedman} |"
        )
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    """Run the study and print, or write, the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="twenty data sets per cell, all methods")
    parser.add_argument("--quick", action="store_true", help="one data set per cell, to see that it runs")
    parser.add_argument("--only", choices=["compare"], help="this section alone")
    parser.add_argument("--page", type=Path, help="a page whose tables are replaced")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    n_sets, begin = (20 if given.full else 1 if given.quick else 2), time.perf_counter()
    said = comparisons(200 if given.full else 2 if given.quick else 6)
    section = "\n\n".join(["## Comparisons", "\n".join([COMPARE_HEAD, *said])])
    if given.only:
        print(section)
        return
    names = [name for name in (*COUNTING, *RANKS, *NORMAL) if given.full or name not in SAME]
    tables, rules = [], []
    head = "| rows | classes | " + " | ".join(KINDS) + " |\n|---|---|---|---|---|---|"
    for name in [*names, *(f"{name}+" for name in NORMAL[:4])]:
        more = {"pvalues": "permutation"} if name.endswith("+") else {}
        lines, row = study(name.rstrip("+"), n_sets, **more)
        rules += row
        title = name.rstrip("+") + (', pvalues="permutation"' if more else "")
        tables.append("\n".join([f"### {title}", "", head, *lines]))
        print(tables[-1], row[0], f"({time.perf_counter() - begin:.0f} s)", sep="\n", flush=True)
    kept = probes(("InformationGain", "GiniGain", "FTest", "MyopicRelief"), 40 if given.full else 10)
    rule_head = "| method | fwer, noise | fdr, noise | fdr, 50 of 1,000 relevant | worst cell | relevant ones kept |"
    parts = [
        section,
        "## Rules",
        "\n".join([rule_head, "|---|---|---|---|---|---|", *rules]),
        "## Probes",
        "\n".join(["| method | classes | 0/1 columns | normal columns |", "|---|---|---|---|", *kept]),
        "## P-values of noise",
        *tables,
    ]
    text = "\n\n".join(parts) + "\n"
    print(text)
    if given.page:
        start = "<!-- tables -->"
        given.page.write_text(given.page.read_text().split(start)[0] + f"{start}\n\n{text}")


if __name__ == "__main__":
    main()
