"""What an estimator sees of a view: arrays, or a data frame where it looks at names or types of columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from fewer.core.records.errors import RequirementError
from fewer.core.views.column_types import ColumnTypes
from fewer.core.views.view import View

# Parameters of estimators that may count or name columns, and those of them that say which are nominal.
COUNTING = ("categorical_features", "cat_features", "monotonic_cst", "interaction_cst")
NOMINAL = ("categorical_features", "cat_features")
# What reads frames by the types of their columns only if it says so.
KNOWN = ("sklearn", "fewer")


def takes_nominal(estimator: Any) -> bool:
    """Return whether an estimator, or a step of it, treats nominal columns as such; a stranger is given the chance."""
    given = _parameters(estimator)
    named = any(_is_called(name, *NOMINAL) and given[name] is not None for name in given)
    first = get_tags(_first(estimator)).input_tags
    return named or first.categorical or asks_for_names(estimator) or _is_strange(estimator)


def takes_missing(estimator: Any) -> bool:
    """Return whether an estimator takes missing values: a pipeline if its first step does, a stranger will say."""
    first = _first(estimator)
    strange = isinstance(first, ColumnTransformer) or _root(first) not in KNOWN
    return strange or bool(get_tags(first).input_tags.allow_nan)


def asks_for_names(estimator: Any) -> bool:
    """Return whether a step chooses columns by their names or types."""
    given = _parameters(estimator)
    if any(isinstance(part, ColumnTransformer) for part in (estimator, *given.values())):
        return True
    return any(_is_called(name, *COUNTING) and _names_columns(value) for name, value in given.items())


def sees_frame(estimator: Any, view: View) -> bool:
    """Return whether an estimator is to be given a data frame: with names, where it asks for these or for types."""
    if view.names is None or view.kind not in ("dense", "sparse"):
        return False
    if asks_for_names(estimator):
        return True
    by_type = _is_strange(estimator) or get_tags(_first(estimator)).input_tags.categorical
    return bool(view.nominal.any()) and by_type


def told_columns(
    estimator: Any, nominal: np.ndarray, names: Iterable[str] | None = None, types: ColumnTypes | None = None
) -> Any:
    """Return an unfitted copy of an estimator for some of the columns.

    Parameters
    ----------
    estimator : estimator
        Not changed.
    nominal : ndarray of bool
        Which of the columns here are nominal; told where it would look at types of an array.
    names : iterable of str, optional
        Names of the columns here, where the estimator sees a data frame. What it names and is not here is left out of
        its parameters and of the columns of a `ColumnTransformer`.
    types : ColumnTypes, optional
        Says which columns here are copies of others: they are treated as those.
    """
    model = clone(estimator)
    given = _parameters(model)
    if names is None:
        if nominal.any():
            asked = [name for name in given if _is_called(name, *NOMINAL) and _by_type(given[name])]
            model.set_params(**{name: np.flatnonzero(nominal) for name in asked})
        return model
    here = list(names)
    copies: dict[str, list[str]] = {}
    for name in here:
        source = name if types is None else types.copies.get(name, name)
        copies.setdefault(source, []).append(name)
    for name, value in given.items():
        if _is_called(name, *COUNTING) and _names_columns(value):
            model.set_params(**{name: _those_here(value, copies)})
    for part in (model, *given.values()):
        if isinstance(part, ColumnTransformer):
            part.transformers = [(label, made, _chosen(asked, copies)) for label, made, asked in part.transformers]
    return model


def refuse_counted(where: str, estimator: Any) -> None:
    """Raise if an estimator names columns by their numbers, which change when others leave."""
    given = _parameters(estimator)
    for name, value in given.items():
        plain = value is None or isinstance(value, (str, dict)) or _names_columns(value)
        if _is_called(name, *COUNTING) and not plain:
            advice = "drop it, or choose importance='permutation' with FromModel, which leaves no column out"
            if _is_called(name, *NOMINAL):
                advice = "let it be 'from_dtype' and give nominal columns as categorical_features of the selector"
            raise RequirementError(
                f"{where} fits without some of the columns, but {type(estimator).__name__} got {name}={value!r}, which "
                f"counts them and would mean others then; {advice}."
            )
    transformers = [part for part in (estimator, *given.values()) if isinstance(part, ColumnTransformer)]
    for _, _, columns in (one for part in transformers for one in part.transformers):
        # Of a range of names the ends may leave.
        if not callable(columns) and (isinstance(columns, slice) or not _are_names(columns)):
            raise RequirementError(
                f"{where} fits without some of the columns, but a ColumnTransformer got columns={columns!r}, which "
                "counts them and would mean others then; give their names, or a function of the data, such as "
                "make_column_selector()."
            )


def take_rows(X: Any, rows: np.ndarray) -> Any:
    """Return some rows of an array, a sparse matrix or a data frame."""
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def take_columns(X: Any, columns: np.ndarray) -> Any:
    """Return some columns of an array, a sparse matrix or a data frame."""
    return X.iloc[:, columns] if hasattr(X, "iloc") else X[:, columns]


def _parameters(estimator: Any) -> Mapping[str, Any]:
    return estimator.get_params(deep=True) if hasattr(estimator, "get_params") else {}


def _is_called(name: str, *parameters: str) -> bool:
    return name.rpartition("__")[2] in parameters


def _root(part: Any) -> str:
    return type(part).__module__.split(".")[0]


def _is_strange(estimator: Any) -> bool:
    """Return whether what sees the columns first is of another library, or one of this library's own models."""
    return _root(_first(estimator)) != "sklearn"


def _first(estimator: Any) -> Any:
    """Return what sees the columns first: of a pipeline its first step that does anything, of a wrapper its inside."""
    while True:
        if isinstance(estimator, Pipeline):
            steps = [step for _, step in estimator.steps if step is not None and not isinstance(step, str)]
            if not steps:
                return estimator
            estimator = steps[0]
        elif _root(estimator) == "sklearn" and hasattr(getattr(estimator, "estimator", None), "fit"):
            # Searches, bagging and calibration hand the columns on as they are.
            estimator = estimator.estimator
        else:
            return estimator


def _by_type(value: Any) -> bool:
    return isinstance(value, str) and value == "from_dtype"


def _names_columns(value: Any) -> bool:
    """Return whether a parameter is a list, or a dictionary, of names of columns."""
    named = isinstance(value, (list, tuple, dict)) or (isinstance(value, np.ndarray) and value.dtype.kind in "OU")
    return named and len(value) > 0 and all(isinstance(name, str) for name in value)


def _those_here(value: Any, copies: Mapping[str, list[str]]) -> Any:
    if isinstance(value, dict):
        return {copy: value[name] for name in value for copy in copies.get(name, ())}
    return [copy for name in value for copy in copies.get(name, ())] or None


def _are_names(columns: Any) -> bool:
    return all(isinstance(name, str) for name in np.atleast_1d(np.asarray(columns, dtype=object)))


def _chosen(asked: Any, copies: Mapping[str, list[str]]) -> Any:
    """Return the columns of a step that are here; what is given by type, number or as a range stays as it is."""
    if callable(asked) or isinstance(asked, slice) or not _are_names(asked):
        return asked
    if isinstance(asked, str):
        # A step that takes one column alone gets it alone.
        found = copies.get(asked, [])
        return asked if found == [asked] else found
    return [copy for name in asked for copy in copies.get(name, ())]
