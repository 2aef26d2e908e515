"""How an estimator sees a view, what it takes, and how it is fitted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from fewer.core.records.errors import InputError, MissingExtraError, ParameterError, RequirementError
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View

# Trees of the model by default: enough for a stable order of a few hundred features.
DEFAULT_TREES = 100
# Parameters of estimators that may count columns.
COUNTING = ("categorical_features", "monotonic_cst", "interaction_cst")


def seen(view: View, estimator: Any = None) -> tuple[Any, np.ndarray, dict[str, Any]]:
    """Return what an estimator is fitted on.

    Parameters
    ----------
    view : View
        Dense or sparse rows in memory with a target.
    estimator : estimator, optional
        One with a `ColumnTransformer` in it sees a data frame with the names of the features, whose nominal columns
        are categorical; all others see numbers, in nominal columns the numbers of the levels.

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
    if view.names is not None and estimator is not None and _asks_for_names(estimator):
        X = _frame(view, X)
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
    model = told_nominal(default_model(view) if estimator is None else estimator, view.nominal)
    return model if seed is None else seeded(model, seed)


def told_nominal(estimator: Any, nominal: np.ndarray) -> Any:
    """Return an unfitted copy of an estimator that knows which columns are nominal, where it would look at types."""
    model = clone(estimator)
    if nominal.any() and hasattr(model, "get_params") and not _asks_for_names(model):
        given = model.get_params(deep=True)
        names = [name for name in given if _is_called(name, "categorical_features") and _by_type(given[name])]
        model.set_params(**{name: np.flatnonzero(nominal) for name in names})
    return model


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


def take_rows(X: Any, rows: np.ndarray) -> Any:
    """Return some rows of an array, a sparse matrix or a data frame."""
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def take_columns(X: Any, columns: np.ndarray) -> Any:
    """Return some columns of an array, a sparse matrix or a data frame."""
    return X.iloc[:, columns] if hasattr(X, "iloc") else X[:, columns]


def check_model(name: str, estimator: Any) -> None:
    """Raise unless something can be fitted, or is None for the default."""
    if estimator is None or (hasattr(estimator, "fit") and not isinstance(estimator, type)):
        return
    raise ParameterError(
        f"{name} got estimator={estimator!r}, but takes an estimator with fit, or None for a random forest; pass one, "
        "such as RandomForestClassifier()."
    )


def refuse_counted(where: str, estimator: Any) -> None:
    """Raise if an estimator names columns by their numbers, which change when others leave."""
    given = estimator.get_params(deep=True) if hasattr(estimator, "get_params") else {}
    for name, value in given.items():
        if any(_is_called(name, one) for one in COUNTING) and not (value is None or isinstance(value, (str, dict))):
            advice = "drop it, or choose importance='permutation' with FromModel, which leaves no column out"
            if _is_called(name, "categorical_features"):
                advice = "let it be 'from_dtype' and give nominal columns as categorical_features of the selector"
            raise RequirementError(
                f"{where} fits without some of the columns, but {type(estimator).__name__} got {name}={value!r}, which "
                f"counts them and would mean others then; {advice}."
            )
    transformers = [part for part in (estimator, *given.values()) if isinstance(part, ColumnTransformer)]
    for _, _, columns in (one for part in transformers for one in part.transformers):
        if not callable(columns) and not _are_names(columns):
            raise RequirementError(
                f"{where} fits without some of the columns, but a ColumnTransformer got columns={columns!r}, which "
                "counts them and would mean others then; give a function of the data, such as make_column_selector()."
            )


def tags_with_model(estimator: Any, tags: MethodTags) -> MethodTags:
    """Return what a method takes with this estimator: its kind of target, and whatever else it handles."""
    if estimator is None:
        estimator = RandomForestClassifier()
        targets = tags.targets
    elif not hasattr(estimator, "fit") or isinstance(estimator, type):
        return tags
    else:
        by_kind = ("numbers",) if is_regressor(estimator) else tags.targets
        targets = ("classes",) if is_classifier(estimator) else by_kind
    takes = get_tags(estimator).input_tags
    return replace(
        tags,
        targets=targets,
        handles_sparse=takes.sparse,
        handles_nan=takes.allow_nan,
        handles_nominal=takes_nominal(estimator),
        handles_weights=weight_name(estimator) is not None,
        weights_count_rows=False,
    )


def takes_nominal(estimator: Any) -> bool:
    """Return whether an estimator, or a step of it, treats nominal columns as such."""
    given = estimator.get_params(deep=True) if hasattr(estimator, "get_params") else {}
    named = any(_is_called(name, "categorical_features") and given[name] is not None for name in given)
    return named or get_tags(estimator).input_tags.categorical or _asks_for_names(estimator)


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


def _are_names(columns: Any) -> bool:
    if isinstance(columns, slice):
        return isinstance(columns.start, str) or isinstance(columns.stop, str)
    return all(isinstance(name, str) for name in np.atleast_1d(np.asarray(columns, dtype=object)))


def _by_type(value: Any) -> bool:
    return isinstance(value, str) and value == "from_dtype"


def _asks_for_names(estimator: Any) -> bool:
    """Return whether a step chooses columns by their names or types."""
    parts = [estimator, *estimator.get_params(deep=True).values()] if hasattr(estimator, "get_params") else []
    return any(isinstance(part, ColumnTransformer) for part in parts)


def _frame(view: View, X: Any) -> Any:
    """Return the features as a data frame with their names and labels."""
    try:
        import pandas
    except ImportError as error:
        raise MissingExtraError(
            "A ColumnTransformer sees a data frame, but pandas is not installed; run 'pip install pandas', or give an "
            "estimator that takes arrays."
        ) from error
    assert view.names is not None
    if view.kind == "sparse":
        return pandas.DataFrame.sparse.from_spmatrix(X, columns=list(view.names))
    columns = {name: X[:, j] for j, name in enumerate(view.names)}
    for j in np.flatnonzero(view.nominal).tolist():
        column, labels = X[:, j], view.labels.get(j)
        numbers = np.where(np.isnan(column), -1, column).astype(np.int64)
        if labels is None:
            labels = np.arange(numbers.max(initial=-1) + 1)
        columns[view.names[j]] = pandas.Categorical.from_codes(numbers, categories=list(labels))
    return pandas.DataFrame(columns)
