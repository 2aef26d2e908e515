"""Score against number of features, for any method and estimator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fewer.core.records.errors import ParameterError, closest
from fewer.evaluate.baseline import random_band
from fewer.evaluate.headline import one_standard_error
from fewer.evaluate.intervals import interval_of

if TYPE_CHECKING:
    from fewer.evaluate.comparison import Comparison


@dataclass(frozen=True, eq=False)
class ScoreCurve:
    """Score against number of features.

    Attributes
    ----------
    method, estimator, scoring : str
        What chose, what learned, and how it was scored; larger is better.
    sizes : tuple of int
        Numbers of features that the method might keep, ascending.
    kept : ndarray of shape (n_sizes,)
        Mean numbers that it did keep.
    scores : ndarray of shape (n_sizes, n_folds)
        Scores on the test rows.
    mean, error, low, high : ndarray of shape (n_sizes,)
        Mean over the folds, its standard error, and its 95 % interval, which is corrected for overlapping splits. Of a
        baseline, nine tenths of its random subsets lie between ``low`` and ``high``.
    n_subsets : int
        How many random subsets of each size a baseline has; 0 of other methods.
    """

    method: str
    estimator: str
    scoring: str
    sizes: tuple[int, ...]
    kept: np.ndarray
    scores: np.ndarray
    mean: np.ndarray
    error: np.ndarray
    low: np.ndarray
    high: np.ndarray
    n_subsets: int = 0

    @property
    def best_size(self) -> int:
        """The size with the highest mean; of equal ones the smallest."""
        return self.sizes[one_standard_error(self.mean, self.error, self.kept)[0]]

    @property
    def enough(self) -> int:
        """The smallest size whose mean is at most one standard error below the highest."""
        return self.sizes[one_standard_error(self.mean, self.error, self.kept)[1]]


def curve_of(c: Comparison, method: str, estimator: str | None = None) -> ScoreCurve:
    """Return one curve of a comparison; by default of the first estimator."""
    estimator = c.estimators[0] if estimator is None else estimator
    if estimator not in c.estimators:
        raise ParameterError(
            f"The comparison has no estimator {estimator!r}; it has {', '.join(c.estimators)}."
            f"{closest(estimator, c.estimators)}"
        )
    m, e = c.number_of(method), c.estimators.index(estimator)
    parts = np.array([interval_of(c, scores) for scores in c.scores[m, e]])
    kept = c.kept[m].mean(axis=1)
    if method in c.random:
        band = random_band(c, estimator, method)
        spread = parts[:, 0], parts[:, 1], band.low, band.high
        return ScoreCurve(method, estimator, c.scoring, c.sizes, kept, c.scores[m, e], *spread, band.n_subsets)
    return ScoreCurve(method, estimator, c.scoring, c.sizes, kept, c.scores[m, e], *parts.T)


def error_curve(X: Any, y: Any, method: Any, estimator: Any = None, sizes: Any = None, **more: Any) -> ScoreCurve:
    """Return how the score depends on the number of features, without leakage.

    On every split the method ranks the features of the training rows once, and this ranking serves all sizes; a method
    whose choices are not nested chooses again for every size.

    Parameters
    ----------
    X, y, sizes
        As for `compare`.
    method : str or selector
        What chooses.
    estimator : str or estimator, optional
        What learns; by default the first that `compare` would take.
    **more
        Further parameters of `compare`, such as ``cv``, ``scoring`` and ``random_state``.

    Returns
    -------
    ScoreCurve

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> curve = error_curve(X, y, "JMI", sizes=[1, 2, 4], cv=5)
    >>> curve.mean.shape, curve.enough
    ((3,), 1)
    """
    from fewer.evaluate.compare import compare

    found = compare(X, y, [method], None if estimator is None else [estimator], sizes, **{"naive": False, **more})
    return curve_of(found, found.methods[0])
