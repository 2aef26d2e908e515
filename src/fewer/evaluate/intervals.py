"""Intervals of mean scores over overlapping splits, never beyond what the score can be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from fewer.evaluate.statistics import corrected_error

if TYPE_CHECKING:
    from fewer.evaluate.comparison import Comparison

# How the names of scores of scikit-learn begin whose lowest and highest values are known.
RANGES = {
    "accuracy": (0.0, 1.0),
    "balanced_accuracy": (0.0, 1.0),
    "top_k_accuracy": (0.0, 1.0),
    "average_precision": (0.0, 1.0),
    "precision": (0.0, 1.0),
    "recall": (0.0, 1.0),
    "f1": (0.0, 1.0),
    "jaccard": (0.0, 1.0),
    "roc_auc": (0.0, 1.0),
    "matthews_corrcoef": (-1.0, 1.0),
    "r2": (-math.inf, 1.0),
    "explained_variance": (-math.inf, 1.0),
    "d2_": (-math.inf, 1.0),
    "neg_": (-math.inf, 0.0),
}


def score_range(scoring: str) -> tuple[float, float]:
    """Return the lowest and the highest value of a score; infinite where nobody knows.

    Examples
    --------
    >>> score_range("accuracy"), score_range("r2"), score_range("mine")
    ((0.0, 1.0), (-inf, 1.0), (-inf, inf))
    """
    return next((ends for start, ends in RANGES.items() if scoring.startswith(start)), (-math.inf, math.inf))


def mean_interval(
    scores: np.ndarray, test_fraction: float, scoring: str = "", rows: float = math.inf, level: float = 0.95
) -> tuple[float, float, float, float]:
    """Return mean, standard error, and the interval of the mean, which is corrected for overlapping splits.

    Parameters
    ----------
    scores : ndarray of shape (n_splits,)
        Scores of one setting.
    test_fraction : float
        Fraction of the rows that a split tests.
    scoring : str, optional
        Name of the score. Between 0 and 1 the interval is Wilson's, with as many rows as the corrected error stands
        for; other known ends cut it off.
    rows : float, optional
        Number of rows that were tested; of equal scores they say how sure these are.
    level : float, default=0.95
        How often the interval should hold the true mean.

    Examples
    --------
    >>> mean, error, low, high = mean_interval(np.array([0.9, 1.0, 1.0, 1.0, 1.0]), 0.2, "accuracy", 50)
    >>> print(f"{mean:.2f} {low:.2f} {high:.2f}")
    0.98 0.71 1.00
    """
    mean, n = float(scores.mean()), len(scores)
    if n < 2 or math.isnan(mean):
        return mean, float("nan"), float("nan"), float("nan")
    error = float(scores.std(ddof=1) / np.sqrt(n))
    point, wide = float(stats.t.ppf(0.5 + level / 2.0, n - 1)), corrected_error(scores, test_fraction)
    lowest, highest = score_range(scoring)
    if (lowest, highest) == (0.0, 1.0) and 0.0 <= mean <= 1.0:
        return mean, error, *_wilson(mean, wide, point, rows if scoring == "accuracy" or wide == 0.0 else math.inf)
    return mean, error, max(lowest, mean - point * wide), min(highest, mean + point * wide)


def interval_of(c: Comparison, scores: np.ndarray) -> tuple[float, float, float, float]:
    """Return mean, standard error and interval of scores over the folds of a comparison."""
    return mean_interval(scores, c.test_fraction, c.scoring, float(c.n_test.sum() / len(np.unique(c.repeat))))


def _wilson(mean: float, error: float, point: float, most: float) -> tuple[float, float]:
    """Return Wilson's interval of a fraction of so many rows as have this error, at most of those there are."""
    n = min(mean * (1.0 - mean) / error**2 if error > 0.0 else math.inf, most)
    if math.isinf(n) or n == 0.0:
        return mean, mean
    z = point**2 / n
    centre = (mean + z / 2.0) / (1.0 + z)
    reach = point / (1.0 + z) * math.sqrt(mean * (1.0 - mean) / n + z / (4.0 * n))
    # The ends of 0 and 1 are themselves but for rounding.
    return min(max(0.0, centre - reach), mean), max(min(1.0, centre + reach), mean)
