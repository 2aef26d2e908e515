"""Chapter 4 of the book: what classical filters and searches for Markov blankets select.

Chain, fork, collider and spouse with known graphs; precision and recall on networks; probes and genes of the causality
challenges. Networks and challenges are read from shared/data; what is absent is left out.

python studies/causal.py [--quick] [--part patterns|networks|challenges]
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fewer
from fewer.evaluate.shift import linear_shift, network_shift
from fewer.independence import DAG
from fewer.synth import (
    lung_cancer_network,
    make_chessboard,
    make_lung_cancer,
    make_simpson,
    make_spouse,
)

SHARED = Path(__file__).parents[1] / ".." / "shared" / "data"
BLANKETS = ("IAMB", "HITON", "MMMB", "PC")


def patterns(n: int = 2000) -> None:
    """Three nodes: which of x1, x2 each method keeps, and which are in the blanket of y."""
    rng = np.random.default_rng(0)
    e = rng.normal(size=(3, n))
    chain = np.column_stack([e[0] + 0.7 * e[1], e[1]]), e[0] + 0.7 * e[1] + e[2]
    fork = np.column_stack([e[0], e[0] + e[1]]), e[0] + e[2]
    effect = np.column_stack([e[2] + e[0], e[2] + e[0] + e[1]]), e[2]
    spouse, board, simpson = (
        make_spouse(n, random_state=0),
        make_chessboard(n, 2, random_state=0),
        make_simpson(n, 2, 0),
    )
    cases = {
        "chain x2 -> x1 -> y": (*chain, "x1"),
        "fork x2 <- x1 -> y": (*fork, "x1"),
        "effects y -> x1 -> x2": (*effect, "x1"),
        "collider y -> x1 <- x2": (spouse.X, spouse.y, "x1, x2"),
        "common cause (Simpson)": (simpson.X, simpson.y, "x1"),
        "chessboard": (board.X, board.y, "x1, x2"),
    }
    print("what is kept of x1 and x2, 2,000 rows")
    print(f"  {'pattern':24} {'blanket':9} {'Pearson':9} {'JMI 2':9} {'IAMB':9} {'HITON':9} {'PC':9}")
    for words, (X, y, true) in cases.items():
        kept = [fewer.Pearson("fdr:0.01").fit(X, y), fewer.JMI(2).fit(X, y)]
        kept += [getattr(fewer, name)(alpha=0.01).fit(X, y) for name in ("IAMB", "HITON", "PC")]
        shown = [", ".join(f"x{j + 1}" for j in sorted(one.selection_.indices.tolist())) or "-" for one in kept]
        print(f"  {words:24} {true:9} " + " ".join(f"{text:9}" for text in shown))


def lungs() -> None:
    data = make_lung_cancer(5000, random_state=0)
    print("lung cancer network of figure 4.2, 5,000 rows; true blanket of eight")
    for name in ("FTest", "MRMR", "FCBF", *BLANKETS):
        size = {"FTest": "fdr:0.01", "MRMR": 8}.get(name)
        found = getattr(fewer, name)(size).fit(data.X, data.y).selection_
        missed = [data.names[j] for j in data.relevant if j not in found.indices]
        wrong = [data.names[j] for j in found.indices if j not in data.relevant]
        print(f"  {name:8} {len(found)} kept; missed {missed or 'none'}; wrong {wrong or 'none'}")


def networks(quick: bool) -> None:
    for name, rows in (("lucas0", 2000), ("asia", 5000), ("alarm", 5000), ("child3", 5000), ("child10", 5000)):
        path = SHARED / f"{name}.npz"
        if not path.exists() or (quick and name.startswith("child")):
            continue
        stored = np.load(path)
        X = stored["X"] if name != "lucas0" else np.column_stack([stored["X"], stored["y"]])
        X, n = X[:rows].astype(np.int64), X.shape[1]
        graph = DAG.of_edges(n, [(int(a), int(b)) for a, b in stored["edges"]])
        print(f"{name}: blankets of all {n} nodes, {len(X):,} rows, alpha 0.01")
        for method in ("IAMB", "HITON", "MMMB"):
            begun, rates = time.process_time(), []
            for target in range(n):
                others = [j for j in range(n) if j != target]
                made = getattr(fewer, method)(alpha=0.01, discretizer=None).fit(X[:, others], X[:, target])
                found = {others[j] for j in made.selection_.indices.tolist()}
                true = set(graph.blanket(target))
                both = len(found & true)
                precision = both / len(found) if found else float(not true)
                rates.append((precision, both / len(true) if true else float(not found)))
            mean, worst = np.mean(rates, axis=0), np.min(rates, axis=0)
            seconds = time.process_time() - begun
            shown = (f"{what} {m:.3f} (worst {w:.2f})" for what, m, w in zip(("precision", "recall"), mean, worst))
            print(f"  {method:6} {'   '.join(shown)}   {seconds:6.1f} CPU s", flush=True)


def challenges(quick: bool) -> None:
    """Blankets inside nested cross-validation, with nearest neighbours and a linear model on what is kept."""
    for name in ("lucap0", "reged1", "cina0"):
        path = SHARED / f"{name}.npz"
        if not path.exists():
            continue
        stored = np.load(path)
        X, y = stored["X"].astype(np.float64), stored["y"]
        if quick:
            X, y = X[:500], y[:500]
        folds = StratifiedKFold(3, shuffle=True, random_state=0)
        print(f"{name}: {len(X):,} x {X.shape[1]}")
        models = (KNeighborsClassifier(5), LogisticRegression(max_iter=2000))
        for method in ("IAMB", "HITON", None):
            start, begun = time.perf_counter(), time.process_time()
            size = X.shape[1] if method is None else len(chosen(method, X, y))
            seconds, busy = time.perf_counter() - start, time.process_time() - begun
            rates = []
            for train, test in folds.split(X, y):
                kept = np.arange(X.shape[1]) if method is None else chosen(method, X[train], y[train])
                for model in models:
                    fitted = make_pipeline(StandardScaler(), model).fit(X[train][:, kept], y[train])
                    rates.append(balanced_accuracy_score(y[test], fitted.predict(X[test][:, kept])))
            near, linear = np.reshape(rates, (-1, len(models))).mean(axis=0)
            shown = f"  {method or 'all':6} {size:4} kept {seconds:7.1f} s {busy:7.1f} CPU s"
            print(f"{shown}   5 neighbours {near:.3f}   logistic {linear:.3f}", flush=True)


def chosen(method: str, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    return getattr(fewer, method)(alpha=0.01).fit(X, y).selection_.indices


def shifts() -> None:
    chain = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    print("mean squared error of least squares in x1 -> y -> x2, learned with unit noises (book 4.7: in words)")
    for words, shifted in (("noise 4 on x1 and x2", [4, 1, 4]), ("noise 4 on y", [1, 4, 1])):
        found = (linear_shift(chain, [1, 1, 1], shifted, 1, [j]) for j in (0, 2))
        shown = [f"{what} {one.before:.3f} -> {one.after:.3f}" for what, one in zip(("cause", "effect"), found)]
        print(f"  {words:22} {'   '.join(shown)}")
    effects = ["Coughing", "Metastasis", "Biomarker1"]
    print("lung cancer predicted by naive Bayes; then all effects are set at random")
    for words, (before, after) in network_shift(lung_cancer_network(), "LungCancer", effects).items():
        print(f"  {words:8} accuracy {before:.3f} -> {after:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--part", choices=("patterns", "networks", "challenges"))
    given = parser.parse_args()
    if given.part in (None, "patterns"):
        patterns()
        lungs()
        shifts()
    if given.part in (None, "networks"):
        networks(given.quick)
    if given.part in (None, "challenges"):
        challenges(given.quick)
