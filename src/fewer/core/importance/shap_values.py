"""Shapley values of predictions, by the package shap."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier

from fewer.core.records.errors import MissingExtraError, RequirementError

# Rows that stand for the data when features are taken out of a prediction.
BACKGROUND_ROWS = 100


def load_shap() -> Any:
    """Return the package, or say in one sentence that it is missing."""
    try:
        import shap
    except ImportError as error:
        raise MissingExtraError(
            "importance='shap' needs the package shap, which is not installed; run 'pip install fewer[shap]', or "
            "choose importance='permutation'."
        ) from error
    return shap


def shap_importance(model: Any, X_train: Any, X: Any, seed: int) -> np.ndarray:
    """Return the mean absolute Shapley value of every feature over rows, added up over classes.

    Parameters
    ----------
    model : estimator
        Fitted.
    X_train : array-like
        The rows that it was fitted on, of which up to 100 stand for the data.
    X : array-like
        The rows whose predictions are explained.
    seed : int
        Chooses those rows.
    """
    shap = load_shap()
    if not isinstance(X, np.ndarray):
        raise RequirementError(
            f"importance='shap' takes dense numbers, but {type(model).__name__} sees {type(X).__name__}; use "
            "importance='permutation'."
        )
    rng = np.random.default_rng(seed)
    some = np.sort(rng.permutation(len(X_train))[:BACKGROUND_ROWS])
    background = X_train[some]
    try:
        explained = _of_trees(shap, model, X)
        if explained is None:
            explained = shap.Explainer(_function(model), background, seed=seed)(X).values
    except Exception as error:
        raise RequirementError(
            f"shap could not explain {type(model).__name__} ({type(error).__name__}: {error}); use "
            "importance='permutation'."
        ) from error
    values = np.abs(np.asarray(explained, dtype=np.float64)).mean(axis=0)
    return values if values.ndim == 1 else values.sum(axis=1)


def _of_trees(shap: Any, model: Any, X: np.ndarray) -> np.ndarray | None:
    """Return the exact values of a model of trees, None for other models."""
    try:
        explainer = shap.TreeExplainer(model)
    except Exception:
        return None
    return explainer(X, check_additivity=False).values


def _function(model: Any) -> Any:
    return model.predict_proba if is_classifier(model) and hasattr(model, "predict_proba") else model.predict
