"""From what the user passes to `fit` to a view of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.utils.validation import check_array, validate_data

from fewer.core.reading.asked import are_examined, names_for
from fewer.core.reading.dates import as_days
from fewer.core.reading.foreign_arrays import as_numpy
from fewer.core.reading.frames import (
    as_rows,
    columns_rounded,
    encode_frame,
    is_frame,
    nominal_columns,
    numbers_in_texts,
    ordered_categories,
    refuse_repeated_names,
    warn_of_identifiers,
)
from fewer.core.reading.number_texts import told
from fewer.core.reading.rows import left_out_facts, of_weight, refuse_other_length
from fewer.core.reading.targets import read_target, target_facts
from fewer.core.reading.typed_columns import column_types
from fewer.core.reading.whole_numbers import WORDS, too_large
from fewer.core.records.errors import InputError, said
from fewer.core.records.tags import MethodTags
from fewer.core.runners.runner import Runner
from fewer.core.views.blocks import DenseBlock, SparseBlock
from fewer.core.views.sparse_input import tidy
from fewer.core.views.view import View
from fewer.core.views.weights import WeightGrid


def read_memory(
    estimator: Any, X: Any, y: Any, weight: Any, tags: MethodTags, categorical: Any, run: Runner, fewest: int = 2
) -> View:
    """Validate data in memory and return a view of them, without the rows whose weight is 0.

    Parameters
    ----------
    estimator : BaseEstimator
        Receives ``n_features_in_`` and ``feature_names_in_``; named in messages.
    X, y, weight : array-likes
        As given to `fit`.
    tags : MethodTags
        What the method can take.
    categorical : None, array-like of int, str or bool
        Which columns are nominal besides those whose dtype says so.
    run : Runner
        Runner for data in memory.
    fewest : int, default=2
        How many rows, and how many classes, there must be.
    """
    name = type(estimator).__name__
    X, y, weight = as_rows(X, name), as_numpy(y, name), as_numpy(weight, name)
    refuse_repeated_names(X)
    X, dates = as_days(X) if are_examined(tags) else (X, {})
    given_names = names_for(name, X)
    refuse_target_among_features(name, X, y)
    order = ordered_categories(y)
    X, y, weight, counted = of_weight(name, X, y if tags.needs_target else None, weight, fewest)
    weights = None if weight is None else WeightGrid.of(weight)
    weight = weight if weights is None else weights.put(weight)
    numbers, labels, notes = _numbers(estimator, _real(name, X), y, tags, categorical, given_names, fewest)
    large = _large(name, X, numbers, tags)
    if tags.needs_target and y is None:
        validate_data(estimator, numbers, y)
    target = read_target(name, y, tags, fewest)
    refuse_other_length(name, numbers.shape[0], target.values)
    nominal = np.zeros(numbers.shape[1], bool)
    nominal[list(labels)] = True
    block = _block(numbers, target.values, weight)
    return View(
        run=run,
        blocks=[block],
        kind=block.kind,
        n_rows=block.n_rows,
        n_features=block.n_features,
        nominal=nominal,
        classes=target.classes,
        labels=labels,
        names=given_names,
        facts={
            **target_facts(target, weight, tags),
            **left_out_facts(counted),
            **_held(notes=notes, dates=dates, large=large, target_name=_name_of(y)),
        },
        may_miss=_has_missing(block, name, tags),
        counted=counted,
        weights=weights,
        target_kind=target.kind,
        class_order=None if order is None else tuple(order),
        target_names=target.names,
        labelled=target.labelled,
        column_types=column_types(X, nominal),
    )


def _numbers(
    estimator: Any, X: Any, y: Any, tags: MethodTags, categorical: Any, given_names: Any, fewest: int
) -> tuple[Any, Mapping[int, np.ndarray], list[str]]:
    """Return all columns as numbers, labels of the nominal ones, and notes on text that was read as numbers."""
    name = type(estimator).__name__
    labels: Mapping[int, np.ndarray] = {}
    notes, nominal = [], np.zeros(0, bool)
    if is_frame(X) or categorical is not None:
        # Sets the names and the number of features; the values are read below, column by column where needed.
        validate_data(estimator, X, y if tags.needs_target else "no_validation", skip_check_array=True)
        nominal = nominal_columns(X, categorical, name)
    read = bool(nominal.any())
    if read:
        known, written = numbers_in_texts(X, nominal, categorical, name)
        nominal[list(known)], notes = False, told(written)
        if nominal.any():
            refuse_nominal(name, tags, getattr(X, "columns", None), nominal)
        X, labels = encode_frame(X, nominal, known)
        warn_of_identifiers({} if are_examined(tags) else labels, len(X), given_names or range(X.shape[1]))
    rules: dict[str, Any] = {
        "accept_sparse": "csc" if tags.handles_sparse else False,
        "dtype": "numeric",
        # Methods on moments find NaN and infinity in their summaries; the others are looked at once, below.
        "ensure_all_finite": False,
        "ensure_min_samples": fewest,
    }
    try:
        numbers = check_array(X, estimator=estimator, **rules) if read else validate_data(estimator, X, **rules)
        if numbers.dtype.kind == "O":
            # Decimals of Arrow come through as they are.
            numbers = check_array(X, estimator=estimator, **{**rules, "dtype": np.float64})
    except OverflowError as error:
        raise InputError(
            f"{name} got whole numbers in X that no float holds ({said(error)}), but takes numbers up to about 1e308; "
            "drop those columns, or pass their logarithms."
        ) from error
    return numbers, labels, notes


def plain_view(X: np.ndarray, run: Runner) -> View:
    """Return a view of columns of numbers that need no check, without a target."""
    block = _block(X, None, None)
    return View(run, [block], block.kind, block.n_rows, block.n_features, nominal=np.zeros(block.n_features, bool))


def refuse_target_among_features(name: str, X: Any, y: Any) -> None:
    """Raise when the target is also a column of X, which no later step could notice."""
    target = getattr(y, "name", None)
    # Whole numbers are places, not names: every frame without names has a column 0.
    if isinstance(target, str) and is_frame(X) and target in list(X.columns):
        raise InputError(
            f"{name} got the target {target!r} also as a column of X, which would leak it into the selection; "
            f"drop it from X first."
        )


def refuse_nominal(name: str, tags: MethodTags, columns: Any, nominal: np.ndarray) -> None:
    """Raise when a method that needs quantities is given nominal columns."""
    if tags.handles_nominal:
        return
    columns = list(range(len(nominal)) if columns is None else columns)
    shown = ", ".join(repr(columns[j]) for j in np.flatnonzero(nominal)[:5])
    raise InputError(
        f"{name} needs numbers, but nominal columns were given ({shown}); drop or encode them, or use a method that "
        "takes nominal columns, such as InformationGain or Chi2."
    )


def _real(name: str, X: Any) -> Any:
    """Return X if it holds neither complex numbers nor dates."""
    if getattr(getattr(X, "dtype", None), "kind", "") == "c":
        raise InputError(
            f"Complex data not supported: {name} takes real numbers, but X holds complex ones; pass their parts."
        )
    if getattr(getattr(X, "dtype", None), "kind", "") in ("m", "M"):
        raise InputError(
            f"{name} takes numbers, but X holds dates or durations ({X.dtype}); pass a data frame, which names the "
            "columns that hold them, or numbers, as X.astype('int64') gives."
        )
    return X


def _large(name: str, X: Any, numbers: Any, tags: MethodTags) -> dict[str, str]:
    """Return the columns whose whole numbers floats cannot hold, where a look at the columns leaves them out."""
    found = columns_rounded(X, numbers)
    if found and not are_examined(tags):
        named = X.columns[found[0]] if is_frame(X) else found[0]
        raise InputError(too_large(f"{name} got the column {named!r} with"))
    return {str(j): WORDS for j in found}


def _has_missing(block: Any, name: str, tags: MethodTags) -> bool:
    """Return whether any value is missing; raise if any is infinite, or missing where that is not handled."""
    values = block.X.data if block.kind == "sparse" else block.X
    if tags.streams and "dense" in tags.views:
        return False
    # A finite sum proves that all values are finite, and costs one pass.
    with np.errstate(over="ignore"):
        if values.dtype.kind != "f" or np.isfinite(values.sum(dtype=np.float64)):
            return False
    if np.isinf(values).any():
        raise InputError(f"{name} got infinity in X, but takes finite numbers; replace or drop those values.")
    missing = bool(np.isnan(values).any())
    if missing and not tags.handles_nan:
        raise InputError(
            f"{name} takes no missing values, but X holds NaN; fill them in, drop those columns, or use a method that "
            "handles missing values, such as InformationGain."
        )
    return missing


def _block(X: Any, y: np.ndarray | None, weight: np.ndarray | None) -> DenseBlock | SparseBlock:
    if scipy.sparse.issparse(X):
        X = tidy(scipy.sparse.csc_array(X))
        if X.data.dtype.kind != "f" or X.data.dtype.itemsize not in (4, 8):
            X = X.astype(np.float64)
        return SparseBlock(X, y, weight)
    return DenseBlock(np.ascontiguousarray(X, dtype=_kernel_type(X.dtype)), y, weight)


def _kernel_type(dtype: np.dtype) -> np.dtype:
    """Return the type in which the kernels read such numbers: native, and no float but of four or eight bytes."""
    if dtype.kind == "f" and dtype.itemsize not in (4, 8):
        return np.dtype(np.float64)
    return np.dtype(np.uint8) if dtype.kind == "b" else dtype.newbyteorder("=")


def _name_of(y: Any) -> str:
    """Return the name of a target that has one, as a column of a data frame has."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) else ""


def _held(**facts: Any) -> dict[str, Any]:
    """Return the facts that say something."""
    return {name: known for name, known in facts.items() if known}
