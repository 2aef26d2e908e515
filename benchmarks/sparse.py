"""Sparse models beside their peers, in one run. Prints seconds and ratios; asserts nothing.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benchmarks/sparse.py [--quick]

Paths: 72 rows and 7,129 columns, as many as the leukaemia data have. The peer follows coordinate descent down the knots
of our path, with the tolerance that it has by default and, for the lasso, with a finer one. Ours is held against the
conditions of the minimum (as a fraction of the first penalty), theirs against our objective. Then the eliminations of
`svm_rankers.py`, and Winnow and the Gibbs sampler of `sparse_online.py`, which also run alone.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.linear_model import enet_path, lars_path
from sparse_online import gibbs, winnow
from svm_rankers import svm_elimination

from fewer.methods.embedded._columns import UnitColumns
from fewer.methods.embedded._elastic_net_path import ElasticNetPath
from fewer.methods.embedded._lars_en import lars_en


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the processor time of one run, and the result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def objective(unit: UnitColumns, beta: np.ndarray, l1: float, l2: float) -> float:
    """Return what the naive elastic net minimises."""
    rest = unit.target - beta @ unit.rows
    return float(rest @ rest + l2 * (beta @ beta) + l1 * np.abs(beta).sum())


def violation(unit: UnitColumns, path: ElasticNetPath) -> float:
    """Return by how much our knots violate the conditions of the minimum, as a fraction of the first penalty."""
    worst = 0.0
    for k in np.unique(np.linspace(0, len(path) - 1, 20).astype(int)):
        beta = path.at(k) / (1.0 + path.l2)
        slope = 2.0 * unit.rows @ (unit.target - beta @ unit.rows) - 2.0 * path.l2 * beta
        on = beta != 0
        worst = max(worst, np.abs(slope[on] - path.l1[k] * np.sign(beta[on])).max(initial=0.0))
        worst = max(worst, (np.abs(slope[~on]) - path.l1[k]).max(initial=0.0))
    return worst / path.l1[0]


def paths(quick: bool) -> None:
    """Print the paths of the lasso and of the elastic net beside scikit-learn's."""
    n, d = (40, 1000) if quick else (72, 7129)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)) + rng.normal(size=(n, 1))
    unit = UnitColumns.of(X, X[:, :20].sum(axis=1) + 2.0 * rng.normal(size=n))
    columns = np.asfortranarray(unit.rows.T)
    lars_en(unit.rows[:, :10], unit.target[:10], 1.0, 5)
    print(f"Paths, {n} rows, {d} columns, one thread")
    print(f"  {'path':36}{'knots':>7}{'features':>10}{'seconds':>9}  error")
    for l2, steps in ((0.0, None), (0.1, 500), (1.0, 500), (1.0, None)):
        ours, path = seconds(lambda l2=l2, steps=steps: lars_en(unit.rows, unit.target, l2, steps))
        name = f"l2 = {l2:g}, {'to the end' if steps is None else f'{steps} steps'}"
        wrong = f"violates the conditions by {violation(unit, path):.1e}"
        print(f"  {name:36}{len(path):7}{path.sizes.max():10}{ours:9.2f}  {wrong}", flush=True)
        if l2 == 0:
            theirs, found = seconds(lambda: lars_path(columns, unit.target, method="lasso"))
            print(f"    {'scikit-learn, lars_path':34}{found[2].shape[1]:7}{'':10}{theirs:9.2f}", flush=True)
        if l2 == 0 or steps is not None:
            descent(unit, columns, path, (1e-4, 1e-8) if l2 == 0 else (1e-4,))


def descent(unit: UnitColumns, columns: np.ndarray, path: ElasticNetPath, tolerances: tuple[float, ...]) -> None:
    """Print coordinate descent at the knots of a path down to a thousandth of its first penalty."""
    n, l2 = len(unit.target), path.l2
    l1 = path.l1[path.l1 > 1e-3 * path.l1[0]]
    for tol in tolerances:

        def walk(tol: float = tol) -> list[np.ndarray]:
            out = [np.zeros(columns.shape[1])]
            for penalty in l1:
                alpha, ratio = penalty / (2 * n) + l2 / n, penalty / (penalty + 2 * l2)
                more = {"coef_init": out[-1], "tol": tol, "max_iter": 10_000}
                out.append(enet_path(columns, unit.target, l1_ratio=ratio, alphas=[alpha], **more)[1][:, 0])
            return out[1:]

        theirs, found = seconds(walk)
        above = 0.0
        for k, beta in enumerate(found):
            least = objective(unit, path.at(k) / (1.0 + l2), l1[k], l2)
            above = max(above, objective(unit, beta, l1[k], l2) / least - 1.0)
        name = f"scikit-learn, descent, tol {tol:g}"
        print(f"    {name:34}{len(l1):7}{'':10}{theirs:9.2f}  objective above ours by up to {above:.1e}", flush=True)


def main() -> None:
    """Run all parts."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--quick", action="store_true", help="smaller data")
    quick = arguments.parse_args().quick
    warnings.simplefilter("ignore")
    paths(quick)
    svm_elimination(*((40, 300) if quick else (72, 2000)))
    winnow(quick)
    gibbs(quick)


if __name__ == "__main__":
    main()
