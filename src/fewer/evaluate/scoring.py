"""The score of a comparison: the one that was named, or one that suits the target, and splits that suit it."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import get_scorer

from fewer.core.criteria.default_score import default_score
from fewer.core.records.errors import ParameterError
from fewer.core.views.row_splits import Splits
from fewer.evaluate.data import Data
from fewer.evaluate.pooled import BalancedAccuracy, PooledR2, balanced_folds, held_by_all, not_tested


def named_score(scoring: Any, data: Data, splits: Splits) -> tuple[Any, str]:
    """Return the score that was given or the default one, and in words why."""
    name, words = _default_score(data, splits)
    if scoring is None or (isinstance(scoring, str) and scoring == name):
        return name, words
    return scoring, "Named by the user."


def _default_score(data: Data, splits: Splits) -> tuple[str, str]:
    """Return the default score and why."""
    alone = min(len(test) for test in splits.test) < 2
    if data.task == "regression":
        why = "Mean absolute error, because R squared of a single row is not defined."
        return ("neg_mean_absolute_error", why) if alone else default_score(None)
    counts = np.unique(data.y, return_counts=True)[1]
    name, words = default_score(counts)
    if name != "balanced_accuracy":
        return name, words
    if alone:
        # Of a single row it is the accuracy of that row, and the largest class would rule again.
        return "accuracy", "Accuracy, because some folds test one row, of which balanced accuracy says no more."
    without = not_tested(data.y, splits.test)
    if len(without) == len(counts) - 1:
        why = "Accuracy, because only one class is tested: how well others are told from it cannot be known."
        return "accuracy", why
    if without:
        words += f" Not tested, and not in the mean: {', '.join(without[:3])}{', ...' if len(without) > 3 else ''}."
    return name, words


def default_cv(scoring: Any, data: Data) -> int | None:
    """Return the number of folds that suits the score, None for the usual one: each should test the rarest class."""
    if data.task == "regression":
        return None
    name = default_score(np.unique(data.y, return_counts=True)[1])[0] if scoring is None else scoring
    return balanced_folds(data.y) if isinstance(name, str) and name == "balanced_accuracy" else None


def make_scorer(scoring: Any, data: Data, splits: Splits) -> tuple[Any, str]:
    """Return the scorer and its name; by default that of `default_score`."""
    scoring = named_score(scoring, data, splits)[0]
    if callable(scoring):
        return scoring, getattr(scoring, "__name__", None) or " ".join(repr(scoring).split())
    balanced = isinstance(scoring, str) and scoring == "balanced_accuracy" and data.task == "classification"
    if balanced and not held_by_all(data.y, splits.test):
        return BalancedAccuracy.over(data.y, splits.test), scoring
    if isinstance(scoring, str) and scoring == "r2" and data.task == "regression":
        return PooledR2.over(data.y, list(zip(splits.train, splits.test)), data.weight), scoring
    try:
        return get_scorer(scoring), str(scoring)
    except (ValueError, TypeError, KeyError) as error:
        raise ParameterError(
            f"scoring got {scoring!r}, which is no score of scikit-learn; give a name such as 'balanced_accuracy', "
            "see sklearn.metrics.get_scorer_names(), or a callable(estimator, X, y)."
        ) from error
