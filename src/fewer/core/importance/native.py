"""What a fitted model says itself: ``feature_importances_`` or ``coef_``, through pipelines and meta-estimators."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse
from sklearn.pipeline import Pipeline

from fewer.core.importance.steps import sources_of
from fewer.core.records.errors import RequirementError

# Where meta-estimators keep the model that they have fitted, and those of which they have fitted several.
ONE_MODEL = ("best_estimator_", "regressor_", "estimator_")
MANY_MODELS = ("calibrated_classifiers_", "estimators_")


def native_importance(model: Any, n_features: int, transform: str = "norm") -> np.ndarray:
    """Return the importances that a fitted model reports, none below 0.

    Of a pipeline those of its last step, for the columns of the first one from which they come; pipelines with steps
    that make columns of several others are refused. Of a search those of its best model; of several models (bagging,
    one-vs-rest, calibration, several outputs) their mean, each divided by its sum before if they are of different kinds
    (voting, stacking).

    Parameters
    ----------
    model : estimator
        Fitted.
    n_features : int
        Number of columns that it was fitted on.
    transform : {"norm", "square"}, default="norm"
        What is made of coefficients: the sum of their absolute values over classes or outputs, as scikit-learn's
        `SelectFromModel` does, or of their squares, as its `RFE` does, squared importances included.

    Returns
    -------
    ndarray of float64 of shape (n_features,)
    """
    found = _of_model(model, transform)
    if found is None:
        raise RequirementError(
            f"{type(model).__name__} has neither feature_importances_ nor coef_ after fit, which are read here; choose "
            "another estimator, or FromModel or RFE with importance='permutation', which every model has."
        )
    if found.shape != (n_features,):
        raise RequirementError(
            f"{type(model).__name__} reports {found.size} importances of {n_features} features, because its steps make "
            "other columns of them; use FromModel or RFE with importance='permutation', which asks about the columns "
            "as they are."
        )
    return found


def reports_importance(model: Any) -> bool:
    """Return whether a fitted model has importances of its own."""
    return _of_model(model, "norm") is not None


def _of_model(model: Any, transform: str) -> np.ndarray | None:
    """Return the importances of a model of any kind, None if it has none."""
    if isinstance(model, Pipeline):
        return _of_pipeline(model, transform)
    own = _own(model, transform)
    if own is not None:
        return own
    for name in ONE_MODEL:
        inner = getattr(model, name, None)
        # Bagging keeps there what it copies, which is not fitted.
        found = _of_model(inner, transform) if hasattr(inner, "n_features_in_") else None
        if found is not None:
            return found
    for name in MANY_MODELS:
        several = getattr(model, name, None)
        if several is not None and len(several):
            return _mean(model, several, transform)
    # A calibrated classifier keeps its model under the name of the parameter.
    inner = getattr(model, "estimator", None)
    return _of_model(inner, transform) if inner is not None and hasattr(inner, "n_features_in_") else None


def _own(model: Any, transform: str) -> np.ndarray | None:
    values = getattr(model, "feature_importances_", None)
    if values is None:
        values = getattr(model, "coef_", None)
    if values is None:
        return None
    values = values.toarray() if scipy.sparse.issparse(values) else np.asarray(values, dtype=np.float64)
    if transform == "square":
        return values**2 if values.ndim == 1 else (values**2).sum(axis=0)
    return np.abs(values) if values.ndim == 1 else np.abs(values).sum(axis=0)


def _mean(model: Any, several: Any, transform: str) -> np.ndarray | None:
    """Return the mean importances of models, each of which may know some of the columns only."""
    members = np.ravel(np.asarray(several, dtype=object)).tolist()
    columns = getattr(model, "estimators_features_", None)
    # Numbers of models of one kind have one unit; those of others are compared by their fractions.
    alike = len({type(inner) for inner in members}) == 1
    parts = []
    for number, inner in enumerate(members):
        found = _of_model(inner, transform)
        if found is None:
            return None
        if columns is not None:
            spread = np.zeros(model.n_features_in_)
            np.add.at(spread, columns[number], found)
            found = spread
        total = found.sum()
        parts.append(found if alike or total == 0 else found / total)
    return np.mean(parts, axis=0) if len({len(part) for part in parts}) == 1 else None


def _of_pipeline(model: Pipeline, transform: str) -> np.ndarray | None:
    """Return the importances of the last step, added up for the columns of the first one that they come from."""
    found = _of_model(model[-1], transform)
    if found is None:
        return None
    sources, width = sources_of(model, len(found))
    if len(sources) != len(found):
        return found
    spread = np.zeros(width)
    np.add.at(spread, sources, found)
    return spread
