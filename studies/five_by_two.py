"""How often the 5x2cv tests call two equally good methods different, by the number of rows.

    python studies/five_by_two.py [--quick]

Two classes of normal rows whose means are 0, 1 or 1.5 deviations apart in each of ten features; one method reads the
first five, the other the last five, both classify by the nearer class mean. Neither is better, so a test at 5 % should
reject in 5 of 100 data sets. The corrected t-test (ten folds, same data) is printed beside.

Where nothing can be learned (0 apart) both tests reject .13 to .21 on any number of rows: what the rows at hand happen
to favour shows in all five repetitions, as they split the same rows. With 1 apart they reject .09 on 20 rows and .07 or
less from 40 rows on. The corrected t-test rejects at most .06 everywhere. (200 data sets each: two thirds of such
figures are within .015.)
"""

from __future__ import annotations

import argparse

import numpy as np

from fewer.core.views.row_splits import make_splits
from fewer.evaluate.statistics import corrected_t, five_by_two_f, five_by_two_t

ROWS, APART, WIDTH, LEVEL = (20, 40, 100, 300, 1000), (0.0, 1.0, 1.5), 5, 0.05


def accuracy(X: np.ndarray, y: np.ndarray, train: np.ndarray, test: np.ndarray) -> float:
    """Return the fraction of the test rows that are nearer to the mean of their class."""
    means = [X[train][y[train] == c].mean(axis=0) for c in (0, 1)]
    far = [((X[test] - mean) ** 2).sum(axis=1) for mean in means]
    return float(((far[1] < far[0]) == y[test]).mean())


def scores(data: np.ndarray, y: np.ndarray, cv: str | int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the accuracies of both methods on the same splits."""
    splits = make_splits(cv, y, "classification", random_state=seed)
    pairs = list(zip(splits.train, splits.test))
    first, second = ([accuracy(part, y, *pair) for pair in pairs] for part in (data[:, :WIDTH], data[:, WIDTH:]))
    return np.array(first), np.array(second)


def rejected(n_rows: int, apart: float, n_sets: int) -> list[float]:
    """Return the fraction of data sets on which each test calls the methods different."""
    rng = np.random.default_rng(n_rows)
    found = []
    for seed in range(n_sets):
        y = np.arange(n_rows) % 2
        data = rng.normal(size=(n_rows, 2 * WIDTH)) + apart * (y - 0.5)[:, None]
        first, second = scores(data, y, "5x2", seed)
        ten = scores(data, y, 10, seed)
        tests = five_by_two_t(first, second), five_by_two_f(first, second), corrected_t(*ten, test_fraction=0.1)
        found.append([one.pvalue < LEVEL for one in tests])
    return np.mean(found, axis=0).tolist()


def main() -> None:
    """Print one line per distance of the classes and number of rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="200 data sets instead of 1,000")
    n_sets = 200 if parser.parse_args().quick else 1000
    print(f"of {n_sets} data sets, at {LEVEL}")
    print(f"{'apart':>5} {'rows':>5} {'5x2 t':>7} {'5x2 F':>7} {'corrected t':>12}")
    for apart in APART:
        for n_rows in ROWS:
            t, f, corrected = rejected(n_rows, apart, n_sets)
            print(f"{apart:>5} {n_rows:>5} {t:>7.3f} {f:>7.3f} {corrected:>12.3f}", flush=True)


if __name__ == "__main__":
    main()
