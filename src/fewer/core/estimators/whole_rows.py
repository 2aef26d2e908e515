"""The way in of methods that need all rows in memory: arrays, frames, and tables that are held."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.reading.memory import read_memory
from fewer.core.reading.table_views import is_table, read_table
from fewer.core.records.errors import InputError, RequirementError
from fewer.core.records.tags import MethodTags
from fewer.core.runners.runner import Runner
from fewer.core.views.view import View


def read_rows(estimator: Any, X: Any, y: Any, weight: Any, run: Runner) -> View:
    """Return the data as a view; a table that is held in memory is as good as its columns."""
    name, tags = type(estimator).__name__, estimator.method_tags
    categorical = getattr(estimator, "categorical_features", None)
    if not is_table(X):
        data = read_memory(estimator, X, y, weight, tags, categorical, run, fewest=1)
        refuse_negative(name, tags, data)
        return data
    if not X.in_memory:
        raise RequirementError(
            f"{name} needs all rows in memory, but X is a {type(X).__name__} that is read in batches; load it first "
            "with table.load()."
        )
    data = read_table(name, X.read_for(tags.task), tags, run)
    estimator.n_features_in_ = data.n_features
    estimator.feature_names_in_ = np.asarray(data.names, dtype=object)
    refuse_negative(name, tags, data)
    return data


def refuse_negative(where: str, tags: MethodTags, data: View) -> None:
    """Raise if a method of counts and other amounts is given numbers below 0."""
    if not tags.nonnegative:
        return
    X = data.whole().X
    values = X.data if scipy.sparse.issparse(X) else X
    if values.size and values.min() < 0:
        raise InputError(
            f"{where} got {values.min():.6g} (Negative values in data), but takes counts and other numbers from 0 on; "
            "shift or drop such columns, or choose a method of directions or distances."
        )
