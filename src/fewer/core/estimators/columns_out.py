"""A fitted selector as plain scikit-learn: the columns that it keeps."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer

from fewer.core.reading.frames import as_rows


def chosen_columns(selector: Any, X: Any = None) -> ColumnTransformer:
    """Return a fitted ColumnTransformer that passes the kept columns through and drops the others.

    Parameters
    ----------
    selector : BaseSelector
        Fitted.
    X : array-like, sparse matrix or data frame, optional
        Rows to fit it to, which decide on their form: sparse rows come out sparse after a fit to sparse rows. Without,
        rows of zeros: a data frame if the selector knows names.
    """
    kept = np.flatnonzero(selector.get_support())
    names = getattr(selector, "feature_names_in_", None)
    if X is not None:
        # Refuses what the selector would.
        selector.transform(X)
    rows = _zeros(names, selector.n_features_in_) if X is None else as_rows(X, type(selector).__name__)
    by_name = names is not None and hasattr(rows, "columns")
    columns = [str(names[j]) for j in kept] if by_name and names is not None else kept.tolist()
    made = ColumnTransformer(
        [("kept", "passthrough", columns)], remainder="drop", sparse_threshold=1.0, verbose_feature_names_out=False
    )
    wanted = getattr(selector, "_sklearn_output_config", {}).get("transform")
    if wanted is not None:
        made.set_output(transform=wanted)
    return made.fit(rows)


def _zeros(names: Any, width: int) -> Any:
    zeros = np.zeros((1, width))
    if names is None:
        return zeros
    for library in ("pandas", "polars"):
        try:
            frames = __import__(library)
        except ImportError:
            continue
        return frames.DataFrame({str(name): [0.0] for name in names})
    return zeros
