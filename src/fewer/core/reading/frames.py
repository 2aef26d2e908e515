"""Data frames: which columns are nominal, and their levels as numbers."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.reading.arrow_frames import frame_of_arrow, polars_errors
from fewer.core.reading.foreign_arrays import as_numpy
from fewer.core.reading.io.batch import side_by_side
from fewer.core.reading.number_levels import number_levels
from fewer.core.reading.number_texts import NumberTexts, number_texts
from fewer.core.reading.temporal import is_temporal
from fewer.core.reading.whole_numbers import rounded_columns
from fewer.core.records.errors import InputError, InputTypeError, closest, said
from fewer.core.records.target_kinds import is_missing, is_ordered
from fewer.core.views.sparse_input import check_structure

MOST_LEVELS = 65535
# Most text shows at once that it is no number.
GLANCE = 64


def as_rows(X: Any, where: str) -> Any:
    """Return X; a lazy frame collected, an Arrow table as a data frame, which share its memory where they can."""
    X = as_numpy(X, where)
    # Exactly a dictionary: scipy's matrices by keys are dictionaries, too.
    if type(X) is dict:
        raise InputTypeError(f"{where} got a dictionary as X, but needs a table; make a data frame of it.")
    if type(X).__name__ == "LazyFrame" and hasattr(X, "collect"):
        try:
            return X.collect()
        except polars_errors() as error:
            # Whatever the plan of the frame meets: missing columns, files that are gone, functions of the user.
            raise InputError(
                f"{where} got a lazy frame that cannot be collected ({said(error)}); mend its plan, or pass a frame."
            ) from error
    if isinstance(X, np.ma.MaskedArray) and X.dtype.kind in "biuf" and np.ma.getmaskarray(X).any():
        # Masked values are missing ones; without this, what the mask hides would be read.
        return np.ma.filled(X.astype(np.float64), np.nan)
    X = check_structure(where, X)
    if type(X).__name__ not in ("Table", "RecordBatch") or type(X).__module__.split(".")[0] != "pyarrow":
        return X
    refuse_repeated_names(X)
    return frame_of_arrow(X, where)


def warn_of_identifiers(labels: Mapping[int, np.ndarray], n_rows: int, names: Any) -> None:
    """Warn of text columns with almost as many labels as rows: identifiers, or numbers that were read as text."""
    most = max(20, n_rows // 2)
    for j, levels in labels.items():
        if len(levels) > most:
            warnings.warn(
                f"Column {names[j]!r} is text with {len(levels)} different values in {n_rows} rows and is taken as "
                "nominal; drop it if it is an identifier, convert it if it holds numbers.",
                UserWarning,
                stacklevel=2,
            )


def is_frame(X: Any) -> bool:
    """Return whether X is a data frame (pandas, polars or another that narwhals knows)."""
    return hasattr(X, "columns") and not isinstance(X, np.ndarray) and hasattr(X, "shape")


def refuse_repeated_names(X: Any) -> None:
    """Raise when two columns of a data frame or an Arrow table share a name."""
    schema = getattr(X, "schema", None)
    # The columns of an Arrow table are no names, and its schema is no dictionary of them.
    told = getattr(schema, "names", None)
    names = list(told if isinstance(told, list) else X.columns if is_frame(X) else ())
    try:
        counts = Counter(names)
    except TypeError:
        # Names of pandas can be any objects, also such as have no hash.
        counts = Counter(map(repr, names))
    if len(counts) < len(names):
        twice = sorted(str(name) for name, count in counts.items() if count > 1)
        raise InputError(f"X has more than one column named {', '.join(twice)}; rename or drop the copies.")


def nominal_columns(X: Any, categorical: Any, where: str) -> np.ndarray:
    """Return a mask of the nominal columns: by dtype, and those listed in ``categorical``."""
    if scipy.sparse.issparse(X):
        raise InputError(f"{where} takes categorical_features only with dense data, but X is sparse; leave it None.")
    n_features = X.shape[1] if hasattr(X, "shape") and len(X.shape) == 2 else np.asarray(X).shape[1]
    mask = np.zeros(n_features, bool)
    names: list[Any] = list(range(n_features))
    if is_frame(X):
        frame, names = _wide(X), list(X.columns)
        for j, column in enumerate(frame.iter_columns()):
            if is_temporal(column):
                raise InputError(
                    f"Column {column.name!r} holds dates or times, which {where} cannot rank; turn it into numbers, "
                    "such as days since a start, or drop it."
                )
            mask[j] = not (column.dtype.is_numeric() or _is_boolean(column)) and not _object_numbers(column)
    return mask if categorical is None else mask | listed_columns(categorical, names, where)


def listed_columns(categorical: Any, names: list[Any], where: str) -> np.ndarray:
    """Return a mask of the columns that the caller calls nominal."""
    try:
        given = np.atleast_1d(np.asarray(categorical))
    except ValueError as error:
        raise _strange_columns(where, categorical) from error
    mask = np.zeros(len(names), bool)
    if given.ndim > 1:
        raise _strange_columns(where, categorical)
    if given.dtype == bool:
        if len(given) != len(names):
            raise InputError(
                f"{where} got a categorical_features mask of length {len(given)}, but X has {len(names)} columns; "
                "give one entry per column."
            )
        return given
    if given.dtype.kind == "i" and len(given) and -len(names) <= given.min() <= given.max() < len(names):
        mask[given] = True
        return mask
    for item in given.tolist():
        if isinstance(item, str):
            if item not in names:
                hint = closest(item, [str(n) for n in names])
                raise InputError(
                    f"{where} got categorical_features with {item!r}, which is no column of X; give names of its "
                    f"columns, their numbers or a mask.{hint}"
                )
            mask[names.index(item)] = True
        elif not isinstance(item, int) or isinstance(item, bool):
            raise _strange_columns(where, item)
        elif not -len(names) <= item < len(names):
            raise InputError(
                f"{where} got categorical_features with {item}, but X has {len(names)} columns; numbers go from 0 to "
                f"{len(names) - 1}."
            )
        else:
            mask[item] = True
    return mask


def _strange_columns(where: str, given: Any) -> InputError:
    return InputError(
        f"{where} got categorical_features with {str(given)[:60]!r}, but takes names of columns, their numbers or a "
        "mask; give a list of these."
    )


def numbers_in_texts(
    X: Any, nominal: np.ndarray, categorical: Any, where: str
) -> tuple[dict[int, np.ndarray], list[NumberTexts]]:
    """Return the columns of a frame that hold numbers written as text, as numbers, and how they are written.

    Columns of a categorical type, and those that the caller calls nominal, stay what they are.
    """
    found: dict[int, np.ndarray] = {}
    written: list[NumberTexts] = []
    if not is_frame(X) or not nominal.any():
        return found, written
    listed = nominal & False if categorical is None else listed_columns(categorical, list(X.columns), where)
    for j, column in enumerate(_wide(X).iter_columns()):
        if not nominal[j] or listed[j] or str(column.dtype) not in ("String", "Object"):
            continue
        values = column.to_list()
        texts, numbers = number_texts(str(column.name), values[:GLANCE], values)
        written += [] if texts is None else [texts]
        if numbers is not None:
            found[j] = np.array([numbers["" if is_missing(v) else v] for v in values])
    return found, written


def encode_frame(
    X: Any, nominal: np.ndarray, known: Mapping[int, np.ndarray] | None = None
) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    """Return the columns as numbers, nominal ones as level numbers with NaN where missing, and the level labels.

    Numbers are float64; an array of small whole numbers keeps its type. ``known`` holds the numbers of columns that
    were read already.
    """
    quick = number_levels(X, nominal)
    if quick is not None and np.array_equal(quick.found, nominal):
        return quick.numbers, quick.labels
    columns = list(_wide(X).iter_columns()) if is_frame(X) else list(np.asarray(X, dtype=object).T)
    labels: dict[int, np.ndarray] = {}
    read: list[np.ndarray] = []
    for j, column in enumerate(columns):
        name = getattr(column, "name", j)
        if known is not None and j in known:
            read.append(known[j])
        elif quick is not None and quick.found[j]:
            read.append(quick.numbers[:, j])
            labels[j] = quick.labels[j]
        elif nominal[j]:
            numbers, labels[j] = _encode_categories(column, name) or encode_labels(_objects(column), name)
            read.append(numbers)
        else:
            read.append(_numbers(column, name))
    return side_by_side(read), labels


def columns_rounded(X: Any, numbers: np.ndarray) -> list[int]:
    """Return the columns of a frame or an array whose whole numbers change when they become floats."""
    if is_frame(X):
        frame = _wide(X)
        if any(str(dtype) in ("Int64", "UInt64", "Object") for dtype in frame.schema.values()):
            names = list(X.columns)
            return rounded_columns(numbers, lambda j: _objects(frame.get_column(names[j]).drop_nulls()))
        return []
    given = X if isinstance(X, np.ndarray) else numbers
    if scipy.sparse.issparse(given):
        return rounded_columns(given)
    # Numbers of up to four bytes are none too large.
    wide = given.dtype.kind == "O" or (given.dtype.kind in "iu" and given.dtype.itemsize > 4)
    return rounded_columns(numbers, lambda j: given[:, j]) if wide else []


def encode_labels(values: np.ndarray, name: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return level numbers (NaN where missing) and sorted labels of one nominal column."""
    # A column has few different values: each is looked at once.
    cells = values.tolist()
    try:
        places = {value: place for place, value in enumerate(dict.fromkeys(cells))}
    except TypeError:
        places = {(): 0}
    if any(isinstance(value, complex | tuple) for value in places):
        raise InputError(
            f"Column {name!r} holds lists, complex numbers or the like, but one number or text per cell is needed; "
            "make columns of their parts or drop it."
        )
    given = np.array(list(map(places.__getitem__, cells)), dtype=np.int64)
    distinct = np.array([*places, None], dtype=object)[:-1]
    missing = np.array([is_missing(v) for v in distinct], dtype=bool)
    present = distinct[~missing]
    kinds = {isinstance(v, str) for v in present}
    if len(kinds) > 1:
        raise InputError(f"Column {name!r} mixes numbers and text; make all its values one type or drop it.")
    if kinds == {True}:
        present = present.astype(str)
    else:
        # -0.0 + 0 = 0.0: the two zeros are one level, called 0.0.
        present = np.array([v + 0 if isinstance(v, float) else v for v in present], dtype=object)
    numbers = np.full(len(distinct), np.nan)
    try:
        labels, codes = np.unique(present, return_inverse=True)
    except TypeError as error:
        raise InputError(
            f"Column {name!r} holds values that have no order ({said(error)}), but numbers or text are needed; convert "
            "or drop it."
        ) from error
    if len(labels) > MOST_LEVELS:
        raise InputError(
            f"Column {name!r} has {len(labels)} distinct labels, but a nominal column may have {MOST_LEVELS}; "
            "an identifier tells nothing about the target: drop it."
        )
    numbers[~missing] = codes
    return numbers[given], labels.astype(str)


def _encode_categories(column: Any, name: Any) -> tuple[np.ndarray, np.ndarray] | None:
    """Return what `encode_labels` does for a categorical of pandas or polars by its codes; None for other columns."""
    native: Any = column.to_native() if hasattr(column, "to_native") else None
    if hasattr(getattr(native, "cat", None), "codes"):
        codes, categories = np.asarray(native.cat.codes), native.cat.categories
        # Only categories that occur become levels, and a code of -1 is a missing value.
        used = np.flatnonzero(np.bincount(codes[codes >= 0], minlength=len(categories)))
        values, given = categories[used].to_numpy(dtype=object).tolist(), codes >= 0
    elif hasattr(native, "to_physical") and str(native.dtype).startswith(("Categorical", "Enum")):
        # What a code of polars stands for is asked of the values that occur: lists of categories differ by version.
        different = native.unique().drop_nulls()
        different = different.gather(different.to_physical().arg_sort())
        codes, used = native.to_physical().fill_null(0).to_numpy(), different.to_physical().to_numpy()
        values, given = different.to_list(), native.is_not_null().to_numpy()
    else:
        return None
    levels, labels = encode_labels(np.array(values, dtype=object), name)
    if not given.any():
        return np.full(len(codes), np.nan), labels
    return np.where(given, levels[np.minimum(np.searchsorted(used, codes), len(used) - 1)], np.nan), labels


def comparable(X: Any, where: str) -> Any:
    """Return X; of a data frame with categoricals one of numbers that compare as its values do, NaN where missing.

    Ordered categoricals, if all columns have the same categories, become places among these; other columns must hold
    numbers.
    """
    refuse_repeated_names(X)
    if not is_frame(X) or not nominal_columns(X, None, where).any():
        return X
    import narwhals.stable.v2 as nw

    frame = _wide(X)
    orders = [ordered_categories(column.to_native()) for column in frame.iter_columns()]
    columns = {}
    for column in frame.iter_columns():
        if orders[0] is not None and all(order == orders[0] for order in orders):
            place = {value: at for at, value in enumerate(orders[0])}
            columns[column.name] = np.array([place.get(v, np.nan) for v in column.to_list()], dtype=np.float64)
            continue
        try:
            columns[column.name] = _numbers(column, column.name)
        except InputError as error:
            raise InputError(
                f"{where} compares the columns of X with each other, but {column.name!r} holds text whose order is not "
                "that of all columns; give ordered categoricals of the same categories only, or numbers."
            ) from error
    return nw.from_dict(columns, backend=frame.implementation).to_native()


def ordered_categories(column: Any) -> list[Any] | None:
    """Return the categories of an ordered categorical of pandas, or of an enumeration of polars, else None."""
    return list(column.dtype.categories) if is_ordered(column) else None


def take_rows(X: Any, mask: np.ndarray) -> Any:
    """Return the marked rows of a data frame, as a frame of the same library."""
    return _wide(X).filter(mask.tolist()).to_native()


def _wide(X: Any) -> Any:
    import narwhals.stable.v2 as nw

    return nw.from_native(X, eager_only=True)


def _is_boolean(column: Any) -> bool:
    return str(column.dtype) == "Boolean"


def _object_numbers(column: Any) -> bool:
    """Return whether a column of objects, or of a type that narwhals does not know, holds only numbers."""
    kind = str(column.dtype)
    if kind not in ("Object", "Unknown"):
        return False
    # Among objects, marks of absence other than None become no numbers.
    absent = is_missing if kind == "Unknown" else (lambda value: value is None)
    return all(isinstance(value, (int, float, np.number, Decimal)) or absent(value) for value in column)


def _objects(column: Any) -> np.ndarray:
    return np.array(column.to_list(), dtype=object) if hasattr(column, "to_list") else column


def _numbers(column: Any, name: Any) -> np.ndarray:
    if hasattr(column, "to_numpy") and column.dtype.is_numeric():
        values = column.to_numpy()
        if values.dtype.kind in "fiu":
            return values
    try:
        return np.array([np.nan if is_missing(v) else v for v in _objects(column)], dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"Column {name!r} cannot be read as numbers ({error}); convert or drop it.") from error
