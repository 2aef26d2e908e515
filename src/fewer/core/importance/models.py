"""How an estimator sees a view, what it takes, and how it is fitted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from fewer.core.criteria.model_input import sees_frame, takes_missing, takes_nominal, told_columns
from fewer.core.records.errors import InputError, ParameterError, RequirementError
from fewer.core.records.tags import MethodTags
from fewer.core.views.column_types import frame_of
from fewer.core.views.view import View

# Trees of the model by default: enough for a stable order of a few hundred features.
DEFAULT_TREES = 100


def seen(view: View, estimator: Any = None) -> tuple[Any, np.ndarray, dict[str, Any]]:
    """Return what an estimator is fitted on.

    Parameters
    ----------
    view : View
        Dense or sparse rows in memory with a target.
    estimator : estimator, optional
        One that asks for names or types of columns, as a `ColumnTransformer` does, sees a data frame; so does one of
        another library if there are nominal columns. All others see numbers, in nominal columns those of the levels.

    Returns
    -------
    X : ndarray, sparse matrix in CSR format or data frame
        The features; missing values are NaN.
    y : ndarray
        Labels as they were given, or numbers.
    fit_params : dict
        Further parameters of `fit`; the weights of the rows as ``sample_weight``, if there are any that differ.
    """
    block = view.whole()
    if block.y is None:
        raise InputError("A model needs a target to be fitted, but y is absent; pass y, one value per row.")
    params = dict(view.fit_params)
    # Forests draw other samples of rows if there are weights at all.
    if block.weight is not None and (block.weight[:1] != block.weight).any():
        params["sample_weight"] = block.weight
    X = block.X.tocsr() if view.kind == "sparse" else block.X
    if estimator is not None and sees_frame(estimator, view):
        X = frame_of(view)
    target = view.target
    assert target is not None
    return X, target, params


def default_model(view: View) -> Any:
    """Return a random forest for the target of a view."""
    kind = RandomForestClassifier if view.classes is not None else RandomForestRegressor
    return kind(n_estimators=DEFAULT_TREES)


def model_for(view: View, estimator: Any = None, seed: int | None = None) -> Any:
    """Return an unfitted copy of an estimator that knows the nominal columns of a view and has its seeds.

    Parameters
    ----------
    view : View
        The data.
    estimator : estimator, optional
        By default `default_model`. Its parameters ``categorical_features``, also those of its steps, that ask for
        "from_dtype" get the nominal columns of the view.
    seed : int, optional
        For every ``random_state`` in it that is None; without a seed they stay None.
    """
    model = default_model(view) if estimator is None else estimator
    model = told_columns(model, view.nominal, view.names if sees_frame(model, view) else None, view.column_types)
    return model if seed is None else seeded(model, seed)


def seeded(model: Any, seed: int) -> Any:
    """Set every ``random_state`` of an estimator that is None by one seed, and return the estimator."""
    given = model.get_params(deep=True)
    names = sorted(name for name in given if _is_called(name, "random_state") and given[name] is None)
    numbers = np.random.default_rng(seed).integers(2**31 - 1, size=len(names))
    return model.set_params(**dict(zip(names, numbers.tolist(), strict=True)))


def fitted(estimator: Any, X: Any, y: np.ndarray, fit_params: Mapping[str, Any], seed: int | None = None) -> Any:
    """Return a fitted copy of an estimator, or say in one sentence why it cannot be fitted.

    Parameters
    ----------
    estimator : estimator
        Not changed.
    X, y, fit_params
        As `seen` returns them, or some rows and columns of them.
    seed : int, optional
        For every ``random_state`` that is None.
    """
    model = clone(estimator) if seed is None else seeded(clone(estimator), seed)
    name = type(estimator).__name__
    if is_classifier(estimator) and y.ndim == 1 and (y[:1] == y).all():
        raise InputError(
            f"{name} was to be fitted on {len(y)} rows of one class, {y[0]!r}, from which nothing can be learned; "
            "give rows of at least two classes, or folds that spread the classes."
        )
    name_of_weight = weight_name(estimator) or "sample_weight"
    given = {name_of_weight if key == "sample_weight" else key: value for key, value in fit_params.items()}
    try:
        model.fit(X, y, **given)
    except InputError:
        raise
    except Exception as error:
        raise InputError(
            f"{name} could not be fitted on {X.shape[0]} rows and {X.shape[1]} features "
            f"({type(error).__name__}: {error}); check the data and its parameters."
        ) from error
    return model


def check_model(name: str, estimator: Any) -> None:
    """Raise unless something can be fitted, or is None for the default."""
    if estimator is None or (hasattr(estimator, "fit") and not isinstance(estimator, type)):
        return
    raise ParameterError(
        f"{name} got estimator={estimator!r}, but takes an estimator with fit, or None for a random forest; pass one, "
        "such as RandomForestClassifier()."
    )


def check_tagged(estimator: Any) -> None:
    """Raise if an estimator cannot be copied, or asked what it is, as those of scikit-learn can."""
    lacks = [name for name in ("get_params", "__sklearn_tags__") if not hasattr(estimator, name)]
    if lacks:
        name = type(estimator).__name__
        raise ParameterError(
            f"An estimator of the class {name} was given, which has fit but no {' and no '.join(lacks)}, so that it "
            f"can be neither copied nor asked what it takes; derive {name} from ClassifierMixin or RegressorMixin and "
            "BaseEstimator of sklearn.base."
        )


def tags_with_model(estimator: Any, tags: MethodTags) -> MethodTags:
    """Return what a method takes with this estimator: its kind of target, and whatever else it handles."""
    if estimator is None:
        estimator = RandomForestClassifier()
        targets = tags.targets
    elif not hasattr(estimator, "fit") or isinstance(estimator, type):
        return tags
    else:
        check_tagged(estimator)
        by_kind = ("numbers",) if is_regressor(estimator) else tags.targets
        targets = ("classes",) if is_classifier(estimator) else by_kind
    takes = get_tags(estimator).input_tags
    return replace(
        tags,
        targets=targets,
        handles_sparse=takes.sparse,
        handles_nan=takes_missing(estimator),
        handles_nominal=takes_nominal(estimator),
        handles_weights=weight_name(estimator) is not None,
        weights_count_rows=False,
    )


def weight_name(estimator: Any) -> str | None:
    """Return as what the fit of an estimator takes weights of rows; of a pipeline its last step gets them."""
    if has_fit_parameter(estimator, "sample_weight"):
        return "sample_weight"
    if not isinstance(estimator, Pipeline):
        return None
    name, last = estimator.steps[-1]
    inner = weight_name(last) if hasattr(last, "fit") else None
    return None if inner is None else f"{name}__{inner}"


def refuse_weights(estimator: Any, fit_params: Mapping[str, Any]) -> None:
    """Raise if there are weights that an estimator does not take."""
    if "sample_weight" in fit_params and weight_name(estimator) is None:
        raise RequirementError(
            f"{type(estimator).__name__} takes no sample_weight, but the data have weights; leave the weights out, or "
            "choose an estimator that takes them."
        )


def _is_called(name: str, parameter: str) -> bool:
    return name == parameter or name.endswith("__" + parameter)
