"""From predictions that are there already to the scores of a scikit-learn scorer, fold by fold."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import check_scoring
from sklearn.utils.metaestimators import available_if

from fewer.core.criteria.folds import Folds

# The highest value that a score can have, for giving up early.
HIGHEST = {
    "accuracy": 1.0,
    "balanced_accuracy": 1.0,
    "average_precision": 1.0,
    "f1": 1.0,
    "f1_macro": 1.0,
    "f1_micro": 1.0,
    "f1_weighted": 1.0,
    "jaccard": 1.0,
    "matthews_corrcoef": 1.0,
    "precision": 1.0,
    "recall": 1.0,
    "roc_auc": 1.0,
    "roc_auc_ovr": 1.0,
    "roc_auc_ovo": 1.0,
    "r2": 1.0,
    "explained_variance": 1.0,
}


def score_name(estimator: Any, scoring: Any) -> str | None:
    """Return the name of a score, that of the estimator itself if none was given, None for other scorers."""
    if scoring is None and type(estimator).score is ClassifierMixin.score:
        return "accuracy"
    if scoring is None and type(estimator).score is RegressorMixin.score:
        return "r2"
    return scoring if isinstance(scoring, str) else None


def highest(name: str | None) -> float | None:
    """Return the highest value that a score can have, None if nobody knows."""
    if name is None:
        return None
    return 0.0 if name.startswith("neg_") else HIGHEST.get(name)


class Ready(BaseEstimator):
    """Stands for a fitted estimator whose answers are known."""

    def __init__(self, answers: dict[str, np.ndarray], classes: np.ndarray | None = None) -> None:
        self.answers = answers
        if classes is not None:
            self.classes_ = classes

    def fit(self, X: Any, y: Any = None) -> Ready:
        """Do nothing; scorers look for this method."""
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the known answers."""
        return self.answers["predict"]

    @available_if(lambda self: "predict_proba" in self.answers)
    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the known answers."""
        return self.answers["predict_proba"]

    @available_if(lambda self: "decision_function" in self.answers)
    def decision_function(self, X: Any) -> np.ndarray:
        """Return the known answers."""
        return self.answers["decision_function"]


class ReadyClassifier(ClassifierMixin, Ready):
    """The same as a classifier."""


class ReadyRegressor(RegressorMixin, Ready):
    """The same as a regressor."""


def by_accuracy(folds: Folds, chosen: np.ndarray) -> np.ndarray:
    """Return the accuracy of class numbers (n_sets, n_tests) in every fold, as scikit-learn computes it."""
    bounds = folds.test_bounds
    right = np.add.reduceat((chosen == folds.target).astype(np.int64), bounds[:-1], axis=1)
    return right / np.diff(bounds)


def by_balanced_accuracy(folds: Folds, chosen: np.ndarray) -> np.ndarray:
    """Return the mean recall of the classes that occur in every fold."""
    scores = np.empty((len(chosen), folds.n_folds))
    for f, (start, stop) in enumerate(_ranges(folds)):
        truth = folds.target[start:stop]
        right = chosen[:, start:stop] == truth
        scores[:, f] = np.mean([right[:, truth == c].mean(axis=1) for c in np.unique(truth)], axis=0)
    return scores


def _by_loss(loss: Callable[[np.ndarray], np.ndarray]) -> Callable[[Folds, np.ndarray], np.ndarray]:
    def score(folds: Folds, predicted: np.ndarray) -> np.ndarray:
        errors = predicted - folds.target
        return np.stack([-loss(errors[:, start:stop]) for start, stop in _ranges(folds)], axis=1)

    return score


def by_r2(folds: Folds, predicted: np.ndarray) -> np.ndarray:
    """Return the coefficient of determination in every fold; of a constant target 1 if it is met, else 0."""
    scores = np.empty((len(predicted), folds.n_folds))
    for f, (start, stop) in enumerate(_ranges(folds)):
        truth = folds.target[start:stop]
        left = ((truth - predicted[:, start:stop]) ** 2).sum(axis=1)
        spread = float(((truth - truth.mean()) ** 2).sum())
        if stop - start < 2:
            scores[:, f] = np.nan
        elif spread == 0:
            scores[:, f] = left == 0
        else:
            scores[:, f] = 1.0 - left / spread
    return scores


BY_CLASS = {"accuracy": by_accuracy, "balanced_accuracy": by_balanced_accuracy}
BY_NUMBER = {
    "r2": by_r2,
    "neg_mean_squared_error": _by_loss(lambda errors: (errors**2).mean(axis=1)),
    "neg_root_mean_squared_error": _by_loss(lambda errors: np.sqrt((errors**2).mean(axis=1))),
    "neg_mean_absolute_error": _by_loss(lambda errors: np.abs(errors).mean(axis=1)),
}


def by_scorer(
    folds: Folds, estimator: Any, scoring: Any, answers: Callable[[int, int], Any], n_sets: int
) -> np.ndarray:
    """Score known answers with any scorer.

    Parameters
    ----------
    folds : Folds
        The splits.
    estimator : estimator
        What the scorer is checked against.
    scoring : str, callable or None
        The score.
    answers : callable
        Returns a `Ready` estimator for a number of a subset and a fold.
    n_sets : int
        Number of subsets.
    """
    scorer = check_scoring(estimator, scoring=scoring)
    scores = np.empty((n_sets, folds.n_folds))
    for f, (_, test) in enumerate(folds.splits):
        truth, nothing = folds.y[test], np.zeros((len(test), 1))
        for s in range(n_sets):
            try:
                scores[s, f] = scorer(answers(s, f), nothing, truth)
            except Exception as error:
                warn_of_failure("scored", error)
                scores[s, f] = np.nan
    return scores


def warn_of_failure(what: str, error: Exception) -> None:
    """Warn that a fold has no score."""
    warnings.warn(
        f"A fold could not be {what} and counts as NaN ({type(error).__name__}: {error}).", UserWarning, stacklevel=2
    )


def _ranges(folds: Folds) -> list[tuple[int, int]]:
    bounds = folds.test_bounds.tolist()
    return list(zip(bounds[:-1], bounds[1:]))
