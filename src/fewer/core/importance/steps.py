"""From which columns the steps of a pipeline make theirs, as far as each comes from one."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder

from fewer.core.records.errors import RequirementError


def sources_of(model: Pipeline, n_made: int) -> tuple[np.ndarray, int]:
    """Return the column of the first step from which each column before the last one is made, and their number.

    Parameters
    ----------
    model : Pipeline
        Fitted.
    n_made : int
        Number of columns that the last step sees.
    """
    found = _through([step for _, step in model.steps[:-1]])
    if found is None:
        return np.arange(n_made), n_made
    return found


def _through(steps: list[Any]) -> tuple[np.ndarray, int] | None:
    """Return what `sources_of` does, for all of the steps; None if none of them does anything."""
    sources, width = None, 0
    for step in steps:
        if step is None or (isinstance(step, str) and step == "passthrough"):
            continue
        here, asked = _of_step(step)
        sources, width = (here, asked) if sources is None else (sources[here], width)
    return None if sources is None else (sources, width)


def _of_step(step: Any) -> tuple[np.ndarray, int]:
    """Return which column goes into a step for each one that comes out, and how many, or say that it makes others."""
    found = None
    if isinstance(step, Pipeline):
        through = _through([inner for _, inner in step.steps])
        if through is not None:
            return through
    elif isinstance(step, ColumnTransformer):
        found = _of_columns(step)
    elif hasattr(step, "n_features_in_"):
        found = _by_names(step)
    if found is None:
        raise RequirementError(
            f"The importances of a pipeline with the step {type(step).__name__} were asked, but are known only if each "
            "column that a step makes comes from one column before; use FromModel or RFE with "
            "importance='permutation', which asks about the columns as they are."
        )
    return found, int(step.n_features_in_)


def _of_columns(step: ColumnTransformer) -> np.ndarray | None:
    """Return the sources of a transformer of columns, in the order in which it puts them."""
    parts: list[np.ndarray] = []
    for _, inner, asked in step.transformers_:
        columns = _numbers(step, asked)
        if columns is None:
            return None
        if not len(columns) or (isinstance(inner, str) and inner == "drop"):
            continue
        plain = isinstance(inner, str) and inner == "passthrough"
        parts.append(columns if plain else columns[_of_step(inner)[0]])
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


def _numbers(step: ColumnTransformer, asked: Any) -> np.ndarray | None:
    """Return the numbers of columns that are given as such, as a mask, by names or as a slice of numbers."""
    if isinstance(asked, slice):
        by_number = not isinstance(asked.start, str) and not isinstance(asked.stop, str)
        return np.arange(step.n_features_in_)[asked] if by_number else None
    given = np.atleast_1d(np.asarray(asked))
    if given.dtype.kind in "US" or (given.dtype == object and all(isinstance(name, str) for name in given)):
        place = {name: j for j, name in enumerate(getattr(step, "feature_names_in_", ()))}
        return np.array([place[name] for name in given], dtype=np.int64) if set(given) <= place.keys() else None
    if not len(given):
        return np.empty(0, dtype=np.int64)
    return np.arange(step.n_features_in_)[given] if given.dtype.kind in "bui" else None


def _by_names(step: Any) -> np.ndarray | None:
    """Return the sources of a step that chooses columns, or says that its columns have the names of those before."""
    if hasattr(step, "get_support"):
        return np.flatnonzero(step.get_support())
    if isinstance(step, OneHotEncoder):
        # Levels that are dropped or joined are known to the encoder alone.
        made = getattr(step, "_n_features_outs", None)
        return None if made is None else np.repeat(np.arange(step.n_features_in_), made)
    if isinstance(step, FunctionTransformer) and step.func is None:
        return np.arange(step.n_features_in_)
    # Such steps count what they make; a column before may happen to have that name.
    if isinstance(step, ClassNamePrefixFeaturesOutMixin) or not hasattr(step, "get_feature_names_out"):
        return None
    names = getattr(step, "feature_names_in_", None)
    if names is None:
        names = np.array([f"column {j}" for j in range(step.n_features_in_)], dtype=object)
    place = {name: j for j, name in enumerate(names)}
    made = step.get_feature_names_out(names)
    return np.array([place[name] for name in made], dtype=np.int64) if set(made) <= place.keys() else None
