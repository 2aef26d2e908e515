"""How the columns of a data frame are typed, kept beside their numbers for estimators that look at types."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.reading.frames import is_frame
from fewer.core.records.target_kinds import is_missing
from fewer.core.views.column_types import ColumnTypes


def column_types(X: Any, nominal: np.ndarray) -> ColumnTypes | None:
    """Return how the columns of a data frame of pandas are typed, and what the labels of nominal ones stand for."""
    if not hasattr(X, "iloc") or not is_frame(X):
        return None
    names = [str(name) for name in X.columns]
    types = dict(zip(names, X.dtypes.tolist()))
    values = {}
    for j in np.flatnonzero(nominal).tolist():
        distinct = X.iloc[:, j].drop_duplicates().tolist()
        known = [value for value in distinct if not is_missing(value)]
        # -0.0 + 0 = 0.0: the two zeros are one level.
        values[names[j]] = {str(v + 0 if isinstance(v, float) else v): v for v in known}
    return ColumnTypes(types, values)
