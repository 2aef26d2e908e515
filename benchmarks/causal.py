"""Markov blankets of every node of networks with known graphs: quality and seconds, beside other libraries.

Prints; asserts nothing. Peers are optional and run where they are installed: causal-learn and pgmpy (PC, G2 test), and
pyCausalFS (HITON-MB, IAMB, G2 test). Each is given the same rows, test and level.

python benchmarks/causal.py [--rows 5000] [--networks alarm,asia] [--no-peers]
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import fewer
from fewer.independence import DAG

SHARED = Path(__file__).parents[1] / ".." / "shared" / "data"
ALPHA = 0.01
METHODS = ("IAMB", "InterIAMB", "FastIAMB", "HITON", "MMMB")


def network(name: str, n_rows: int) -> tuple[np.ndarray, DAG]:
    """All columns of a data set, the target last where it has one, and its graph."""
    stored = np.load(SHARED / f"{name}.npz")
    X = stored["X"]
    if "y" in stored.files and len(stored["y"]) == len(X) and name == "lucas0":
        X = np.column_stack([X, stored["y"]])
    edges = [(int(a), int(b)) for a, b in stored["edges"]]
    return X[:n_rows].astype(np.int64), DAG.of_edges(X.shape[1], edges)


def quality(found: dict[int, set[int]], graph: DAG) -> tuple[float, float]:
    """Mean precision and recall of blankets; an empty one that should be empty is right."""
    precision, recall = [], []
    for target, members in found.items():
        true = set(graph.blanket(target))
        both = len(members & true)
        precision.append(both / len(members) if members else float(not true))
        recall.append(both / len(true) if true else float(not members))
    return float(np.mean(precision)), float(np.mean(recall))


def ours(name: str, X: np.ndarray, h: float) -> dict[int, set[int]]:
    """The blanket of every column by one of our methods, one fit for each."""
    out = {}
    for target in range(X.shape[1]):
        others = [j for j in range(X.shape[1]) if j != target]
        made = getattr(fewer, name)(alpha=ALPHA, discretizer=None, h=h, n_jobs=1)
        found = made.fit(X[:, others], X[:, target]).selection_
        out[target] = {others[j] for j in found.indices.tolist()}
    return out


def our_pc(X: np.ndarray, h: float) -> dict[int, set[int]]:
    """One graph of all columns; the blankets are read off it."""
    made = fewer.PC(alpha=ALPHA, discretizer=None, h=h, n_jobs=1)
    found = made.fit(X[:, :-1], X[:, -1]).selection_
    table, y = found.tables["graph"].columns, X.shape[1] - 1
    edges = [(a if a >= 0 else y, b if b >= 0 else y, word) for a, b, word in zip(*table.values())]
    return blankets(X.shape[1], [(a, b) for a, b, _ in edges], [(a, b) for a, b, w in edges if w.startswith("->")])


def blankets(n: int, joined: list[tuple[int, int]], directed: list[tuple[int, int]]) -> dict[int, set[int]]:
    """Neighbours, and other parents of children, of a graph with some directions."""
    out: dict[int, set[int]] = {j: set() for j in range(n)}
    for a, b in joined:
        out[a].add(b)
        out[b].add(a)
    near = {j: set(some) for j, some in out.items()}
    for a, child in directed:
        for b, other in directed:
            if child == other and a != b and b not in near[a]:
                out[a].add(b)
    return out


def causal_learn_pc(X: np.ndarray) -> dict[int, set[int]]:
    from causallearn.search.ConstraintBased.PC import pc

    graph = pc(X, alpha=ALPHA, indep_test="gsq", depth=3, show_progress=False, verbose=False).G.graph
    n = len(graph)
    joined = [(a, b) for a in range(n) for b in range(a) if graph[a, b] or graph[b, a]]
    directed = [(a, b) for a in range(n) for b in range(n) if graph[a, b] == -1 and graph[b, a] == 1]
    return blankets(n, joined, directed)


def pgmpy_pc(X: np.ndarray) -> dict[int, set[int]]:
    import pandas as pd
    from pgmpy.estimators import PC

    frame = pd.DataFrame(X, columns=[str(j) for j in range(X.shape[1])]).astype("category")
    how = {"variant": "stable", "ci_test": "g_sq", "max_cond_vars": 3, "significance_level": ALPHA}
    graph = PC(frame).estimate(**how, return_type="pdag", show_progress=False, n_jobs=1)
    directed = [(int(a), int(b)) for a, b in graph.directed_edges]
    joined = [*directed, *((int(a), int(b)) for a, b in graph.undirected_edges)]
    return blankets(X.shape[1], joined, directed)


def py_causal_fs(name: str, X: np.ndarray) -> dict[int, set[int]]:
    import pandas as pd

    if name == "HITON":
        from pyCausalFS.CBD.MBs.HITON.HITON_MB import HITON_MB as find
    else:
        from pyCausalFS.CBD.MBs.IAMB import IAMB as find
    frame = pd.DataFrame(X)
    return {j: {int(k) for k in find(frame, j, ALPHA, True)[0]} for j in range(X.shape[1])}


def show(words: str, work: Callable[[], dict[int, set[int]]], graph: DAG) -> float:
    start, begun = time.perf_counter(), time.process_time()
    try:
        found = work()
    except Exception as error:
        print(f"  {words:24} failed: {type(error).__name__}: {str(error)[:80]}", flush=True)
        return float("nan")
    # Seconds of the processor do not depend on what else the machine does.
    seconds, busy = time.perf_counter() - start, time.process_time() - begun
    precision, recall = quality(found, graph)
    print(
        f"  {words:24} {seconds:9.2f} s  {busy:9.2f} CPU s   precision {precision:.3f}   recall {recall:.3f}",
        flush=True,
    )
    return busy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--networks", default="lucas0,asia,alarm,child3")
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--h", type=float, default=5.0)
    args = parser.parse_args()
    for name in args.networks.split(","):
        if not (SHARED / f"{name}.npz").exists():
            print(f"{name}.npz is absent")
            continue
        X, graph = network(name, args.rows)
        # The first call compiles.
        fewer.HITON(discretizer=None).fit(X[:50, :-1], X[:50, -1])
        print(
            f"{name}, {X.shape[0]:,} rows, blankets of all {X.shape[1]} columns, alpha {ALPHA}, one thread", flush=True
        )
        for method in METHODS:
            show(f"fewer {method}", lambda: ours(method, X, args.h), graph)
        show("fewer PC (one graph)", lambda: our_pc(X, args.h), graph)
        if args.no_peers:
            continue
        if importlib.util.find_spec("causallearn"):
            show("causal-learn PC", lambda: causal_learn_pc(X), graph)
        if importlib.util.find_spec("pgmpy"):
            show("pgmpy PC", lambda: pgmpy_pc(X), graph)
        if importlib.util.find_spec("pyCausalFS"):
            show("pyCausalFS IAMB", lambda: py_causal_fs("IAMB", X), graph)
            show("pyCausalFS HITON-MB", lambda: py_causal_fs("HITON", X), graph)


if __name__ == "__main__":
    main()
