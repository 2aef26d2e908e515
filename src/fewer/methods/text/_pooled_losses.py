"""What a setting loses on test rows: losses that add up over folds, and scores of all folds together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError, ParameterError

# Probabilities are taken for at least this much, as scikit-learn does for float64.
LEAST = float(np.finfo(np.float64).eps)
ADDITIVE = ("accuracy", "neg_log_loss")
POOLED = ("f1", "f1_macro", "f1_weighted")


@dataclass
class Tested:
    """What was said of the test rows of a setting so far.

    Attributes
    ----------
    loss : float
        Of an additive loss the sum so far.
    n_rows : int
        Test rows so far.
    """

    loss: float = 0.0
    n_rows: int = 0
    true: list[np.ndarray] = field(default_factory=list)
    said: list[np.ndarray] = field(default_factory=list)


def refuse_early_stop(where: str, scoring: str) -> None:
    """Raise because a setting can be stopped early only by losses that never fall."""
    if scoring not in ADDITIVE:
        raise ParameterError(
            f"{where} got early_stop=True with scoring={scoring!r}, a score of all folds together that further folds "
            f"may raise, but settings are stopped only by losses that add up ({', '.join(ADDITIVE)}); pass "
            "early_stop=False, or such a score."
        )


def add_fold(tested: Tested, scoring: str, fitted: Any, X: Any, y: np.ndarray) -> None:
    """Add what a fitted estimator says of the test rows of a fold."""
    tested.n_rows += len(y)
    if scoring == "neg_log_loss":
        tested.loss += _log_loss(fitted, X, y)
        return
    said = np.asarray(fitted.predict(X))
    if scoring == "accuracy":
        tested.loss += int(np.count_nonzero(said != y))
        return
    tested.true.append(y)
    tested.said.append(said)


def score_of(tested: Tested, scoring: str, classes: np.ndarray) -> float:
    """Return the score of all test rows; larger is better."""
    if scoring == "accuracy":
        return 1.0 - tested.loss / tested.n_rows
    if scoring == "neg_log_loss":
        return -tested.loss / tested.n_rows
    return _POOLED[scoring](np.concatenate(tested.true), np.concatenate(tested.said), classes)


def best_possible(tested: Tested, scoring: str, n_rows: int) -> float:
    """Return what the score could be at best if all rows that are left were right."""
    return (1.0 if scoring == "accuracy" else 0.0) - tested.loss / n_rows


def _log_loss(fitted: Any, X: Any, y: np.ndarray) -> float:
    if not hasattr(fitted, "predict_proba"):
        raise InputError(
            f"TextSearch got scoring='neg_log_loss', but {type(fitted).__name__} has no predict_proba; pass another "
            "estimator or scoring='accuracy'."
        )
    said = np.asarray(fitted.predict_proba(X))
    known = np.asarray(fitted.classes_)
    place = np.minimum(np.searchsorted(known, y), len(known) - 1)
    # A class that the training rows did not hold has the probability 0.
    right = np.where(known[place] == y, said[np.arange(len(y)), place], 0.0)
    return float(-np.log(np.clip(right, LEAST, 1.0)).sum())


def _f1(average: str) -> Callable[[np.ndarray, np.ndarray, np.ndarray], float]:
    def score(true: np.ndarray, said: np.ndarray, classes: np.ndarray) -> float:
        from sklearn.metrics import f1_score

        if average == "binary":
            return float(f1_score(true == classes[1], said == classes[1], zero_division=0.0))
        return float(f1_score(true, said, average=average, zero_division=0.0))

    return score


_POOLED = {"f1": _f1("binary"), "f1_macro": _f1("macro"), "f1_weighted": _f1("weighted")}
