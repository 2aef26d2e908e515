"""Linear discriminants, least squares and ridge as subset criteria."""

from __future__ import annotations

from functools import cache

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, RidgeClassifier

from fewer.core.criteria.fast import FastCrossValidated
from fewer.core.criteria.fold_scores import BY_CLASS
from fewer.core.criteria.folds import Folds
from fewer.core.criteria.linear_model import LinearModel, Task

# Scores are rounded to this many digits, so that rounding does not choose between subsets that are equally good.
DIGITS = 12


class Linear(FastCrossValidated):
    """`CrossValidated` for linear discriminants, ridge and least squares: one Cholesky step per feature and fold.

    Parameters
    ----------
    estimator : LinearDiscriminantAnalysis, LinearRegression, Ridge or RidgeClassifier
        Discriminants by "svd" without priors or shrinkage; ridge by "auto", "cholesky" or "svd" with one penalty.
    scoring, cv, groups
        As for `CrossValidated`.

    Notes
    -----
    Scores other than those of classes are rounded to 12 digits.
    """

    def _means(self, scores: np.ndarray) -> np.ndarray:
        means = super()._means(scores)
        return means if self.score_name in BY_CLASS else significant(means)

    def _model(self, folds: Folds) -> LinearModel | None:
        estimator, ones = self.estimator, np.ones(len(folds.y))
        if isinstance(estimator, LinearDiscriminantAnalysis):
            return LinearModel(Task(folds, ones, rank_limit=estimator.tol**2, unbiased=_is_unbiased()))
        weight = ones if folds.weight is None else folds.weight.astype(np.float64)
        goals = np.asarray(folds.numbers, dtype=np.float64)[:, None]
        if isinstance(estimator, RidgeClassifier):
            numbers = np.arange(folds.n_classes) if folds.n_classes > 2 else np.array([1])
            goals = np.where(folds.numbers[:, None] == numbers, 1.0, -1.0)
        if min(weight[train].sum() for train, _ in folds.splits) <= 0:
            return None
        least_squares = isinstance(estimator, LinearRegression)
        penalty = 0.0 if least_squares else float(estimator.alpha)
        cut = 1.1 * estimator.tol**2 if least_squares else 0.0
        return LinearModel(Task(folds, weight, goals, penalty, bool(estimator.fit_intercept), cut=cut))


@cache
def _is_unbiased() -> bool:
    """Return whether discriminants divide squares within classes by rows less classes, as they did before 1.9."""
    found = LinearDiscriminantAnalysis().fit(np.array([[0.0], [1.0], [3.0], [4.0]]), [0, 0, 1, 1])
    # The means are 3 apart, the squares add up to 1: 6 if that is divided by 4 - 2, 12 if by 4.
    return bool(found.coef_[0, 0] < 9.0)


def significant(values: np.ndarray) -> np.ndarray:
    """Round to `DIGITS` digits."""
    values = np.asarray(values, dtype=np.float64)
    sized = np.isfinite(values) & (values != 0)
    power = np.floor(np.log10(np.abs(np.where(sized, values, 1.0))))
    unit = 10.0 ** (DIGITS - 1 - power)
    return np.where(sized, np.round(np.where(sized, values, 1.0) * unit) / unit, values)
