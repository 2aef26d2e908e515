"""How good the first so many features of a ranking are, by cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.criteria import recognise
from fewer.core.runners import progress
from fewer.core.views.view import View

Splits = list[tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True, eq=False)
class ErrorCurve:
    """Scores of an estimator by number of features.

    Attributes
    ----------
    sizes : list of int
        Numbers of features, ascending.
    scores : ndarray of shape (n_folds, n_sizes)
        Score in every fold; NaN where the estimator failed.
    """

    sizes: list[int]
    scores: np.ndarray

    @property
    def means(self) -> np.ndarray:
        """Mean score by size; minus infinity where a fold failed."""
        means = np.ascontiguousarray(self.scores.T).mean(axis=1)
        return np.where(np.isnan(means), -np.inf, means)

    @property
    def errors(self) -> np.ndarray:
        """Standard error of the mean by size: the standard deviation over the folds over the root of their number."""
        n = len(self.scores)
        return self.scores.std(axis=0, ddof=1) / np.sqrt(n) if n > 1 else np.zeros(len(self.sizes))

    def smallest(self, choose: str) -> int:
        """Return the place of the smallest size that is best, or within one standard error of the best."""
        means = self.means
        best = int(np.argmax(means))
        if choose == "best" or not np.isfinite(self.errors[best]):
            return best
        return int(np.flatnonzero(means >= means[best] - self.errors[best])[0])


def cross_validated_curve(
    data: View,
    order_of_rows: Callable[[np.ndarray], np.ndarray],
    model: Any,
    scoring: Any,
    splits: Splits,
    sizes: list[int],
    params: Mapping[str, Any],
) -> ErrorCurve:
    """Score prefixes of an order that is made again on the training rows of every fold.

    Parameters
    ----------
    data : View
        All rows.
    order_of_rows : callable
        Returns the order of the features by some rows, best first; may hold fewer than asked for.
    model, scoring
        The estimator and its score.
    splits : list of (ndarray, ndarray)
        Rows to train on and to test on.
    sizes : list of int
        Lengths of the prefixes, ascending.
    params : mapping
        Further parameters of fit.
    """
    scores = np.empty((len(splits), len(sizes)))
    for f, (train, test) in enumerate(splits):
        order = order_of_rows(train)[: sizes[-1]]
        # A ranker with a rule of its own may rank fewer features in this fold: then all of them stand for more.
        lengths = [min(size, len(order)) for size in sizes]
        # In the order of the data, as a pipeline would give them: some estimators are not indifferent to it.
        columns = np.sort(order)
        places = np.searchsorted(columns, order)
        scores[f] = _fold(data.columns(columns), [places[:k] for k in lengths], model, scoring, (train, test), params)
        progress.report("cross-validating sizes", f + 1, len(splits))
    return ErrorCurve(list(sizes), scores)


def _fold(
    view: View, subsets: list[np.ndarray], model: Any, scoring: Any, split: tuple[np.ndarray, np.ndarray], params: Any
) -> np.ndarray:
    """Return the scores of subsets of the columns on one split."""
    criterion = recognise(model, scoring, [split], params=params or None)

    def work(start: int, stop: int) -> list[float]:
        return [float(criterion.fold_values(view, s)[0]) for s in subsets[start:stop]]

    if not criterion.parallel_values:
        # Short cuts keep the sums of the last subset and add what is new.
        return np.array(work(0, len(subsets)))
    return np.array([score for part in view.run.scan(work, len(subsets), 1) for score in part])
