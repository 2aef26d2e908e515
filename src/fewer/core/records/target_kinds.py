"""What a target can be: the one list that the reader, the tags of methods and the messages share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from itertools import count
from numbers import Real
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError

# Beside other labels it marks rows without one, for methods that take such rows.
UNLABELLED = -1
LABEL_SETS = (set, frozenset, list, tuple, np.ndarray)


@dataclass(frozen=True)
class TargetKind:
    """One kind of target.

    Attributes
    ----------
    name : str
        As tags name it.
    task : str or None
        What such a target is for; None says nothing about it.
    words : str
        What y holds, for messages.
    fits : callable
        Whether y, as given to `fit`, can be read as this.
    view : str
        What a `View` then holds.
    advice : str
        What to do where a method does not take it, for messages.
    taken_by : str
        A method that takes it; empty if none does so far.
    """

    name: str
    task: str | None
    words: str
    fits: Callable[[Any], bool]
    view: str
    advice: str
    taken_by: str = ""


def is_missing(value: Any) -> bool:
    """Return whether a value is None, NaN or one of the frames' own marks of absence."""
    try:
        return value is None or bool(value != value)
    except TypeError:
        # The missing value of pandas is not equal, nor unequal, to anything.
        return True
    except ValueError:
        # An array of several values.
        return False


def missing_targets(y: Any) -> np.ndarray:
    """Return which entries of a target with one value per row are missing."""
    if isinstance(y, np.ma.MaskedArray):
        return np.ma.getmaskarray(y).ravel()
    values = np.asarray(y)
    if values.dtype.kind == "f":
        return np.isnan(values)
    return np.array([is_missing(v) for v in values.ravel()], bool) if values.dtype.kind == "O" else np.zeros(0, bool)


def is_unlabelled(label: Any) -> bool:
    """Return whether a label is missing or says that there is none: -1 as a number, or as text beside text labels."""
    if isinstance(label, str):
        return label == str(UNLABELLED)
    return is_missing(label) or bool(label == UNLABELLED)


def unlabelled_targets(y: Any) -> np.ndarray:
    """Return which entries of a target with one value per row are missing or -1."""
    values = np.asarray(y).ravel()
    gone, missing = np.zeros(len(values), bool), missing_targets(y)
    gone[: len(missing)] = missing.ravel()
    if values.dtype.kind in "if":
        return gone | (values == UNLABELLED)
    if values.dtype.kind == "U":
        return gone | (values == str(UNLABELLED))
    return np.array([is_unlabelled(v) for v in values.tolist()], bool) if values.dtype.kind == "O" else gone


def refuse_records(where: str, y: Any, *, events: bool = False) -> None:
    """Raise if rows of a target are records, unless these are an event and a time where such targets are taken."""
    first = y[0] if isinstance(y, list | tuple) and len(y) else None
    dtype: Any = first.dtype if isinstance(first, np.void) else getattr(y, "dtype", None)
    names = getattr(dtype, "names", None)
    if getattr(dtype, "kind", "") != "V":
        return
    # Fields of several values are of the kind of records, too.
    single = first is None and all(dtype[name].kind != "V" for name in names or ())
    if events and names and len(names) == 2 and single:
        return
    held = f"records of {len(names)} field{'s' * (len(names) != 1)} ({', '.join(names[:5])})" if names else "raw bytes"
    to_do = f"pass one field, as y[{names[0]!r}]" if names else "convert them"
    raise InputError(f"{where} got a target of {held}, but takes one number or text per row; {to_do}.")


def row_labels(where: str, y: Any) -> list[Any]:
    """Return the label of every row as it was given, None for rows without one: -1, also as text, or a missing value.

    Lists are not made arrays: these would write -1 and NaN beside text as text, and round large whole numbers.

    Examples
    --------
    >>> row_labels("fit", ["a", -1, float("nan"), "b"])
    ['a', None, None, 'b']
    """
    refuse_records(where, y)
    plain = isinstance(y, list | tuple) and not any(np.ndim(label) for label in y)
    values = np.empty(len(y), dtype=object) if plain else np.asarray(y, dtype=object)
    if plain:
        values[:] = y
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise InputError(f"{where} got y of shape {values.shape}, but takes one label per row; pass one column.")
    masked = np.ma.getmaskarray(y).ravel() if isinstance(y, np.ma.MaskedArray) else np.zeros(len(values), bool)
    return [None if gone or is_unlabelled(v) else v for v, gone in zip(values.tolist(), masked.tolist())]


def label_numbers(where: str, y: Any) -> np.ndarray:
    """Return the number of the label of every row, in the order of their first mention; -1 for rows without one.

    Examples
    --------
    >>> label_numbers("fit", ["b", None, "a", "b"]).tolist()
    [0, -1, 1, 0]
    """
    labels, number = row_labels(where, y), dict[Any, int]()
    try:
        found = [UNLABELLED if label is None else number.setdefault(label, len(number)) for label in labels]
    except TypeError:
        raise InputError(
            f"{where} got labels of the type {type(labels[0]).__name__}, but takes one number or text per row; give "
            "these."
        ) from None
    return np.array(found, np.int64)


def n_columns(y: Any) -> int:
    """Return how many numbers y holds per row, 1 if it is no matrix."""
    shape: tuple[Any, ...] = getattr(y, "shape", ())
    if isinstance(y, list | tuple) and not has_label_sets(y) and len(y) and isinstance(y[0], LABEL_SETS):
        return len(y[0])
    return int(shape[1]) if len(shape) == 2 else 1


def label_rows(y: Any) -> list[Any]:
    """Return the rows of a list, or of an array or column of objects; none of anything else."""
    values = y if isinstance(y, list | tuple) or not hasattr(y, "dtype") else np.asarray(y)
    objects = isinstance(values, np.ndarray) and values.dtype.kind == "O" and values.ndim == 1
    return list(values) if objects or isinstance(values, list | tuple) else []


def has_label_sets(y: Any) -> bool:
    """Return whether y holds a set or list of labels per row, rather than a row of numbers of a matrix."""
    rows = label_rows(y)
    if not rows or not all(isinstance(row, LABEL_SETS) for row in rows):
        return False
    sizes = {len(row) for row in rows}
    named = any(isinstance(label, str) for row in rows for label in row)
    return any(isinstance(row, set | frozenset) for row in rows) or len(sizes) > 1 or (named and sizes != {1})


def matrix_of(y: Any) -> np.ndarray:
    """Return a target of several columns, also a sparse one or a frame, as an array, of numbers if it holds any."""
    values = np.asarray(y.toarray() if hasattr(y, "toarray") else y)
    try:
        return values.astype(np.float64) if values.dtype.kind == "O" else values
    except (TypeError, ValueError):
        return values


def _is_survival(y: Any) -> bool:
    return len(getattr(getattr(y, "dtype", None), "names", None) or ()) == 2


def event_and_time(y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns of events and of times of a structured array, or of two columns, one of them of 0 and 1.

    Fields of a structured array, and columns, are events if they hold booleans or are the only ones of 0 and 1; else
    the first is, as in scikit-survival.
    """
    if _is_survival(y):
        columns = [np.asarray(y[name]) for name in y.dtype.names]
    else:
        columns = list(matrix_of(y).T)
    marks = [column.dtype.kind == "b" for column in columns]
    if not any(marks):
        marks = [bool(np.isin(column, (0, 1)).all()) for column in columns]
    return (columns[1], columns[0]) if marks == [False, True] else (columns[0], columns[1])


def _is_event_time(y: Any) -> bool:
    """Return whether two columns are an event and a time: one of them is of 0 and 1."""
    if n_columns(y) != 2 or has_label_sets(y) or not _is_matrix(y):
        return False
    return bool(np.isin(matrix_of(y), (0, 1)).all(axis=0).any())


def _is_matrix(y: Any) -> bool:
    return n_columns(y) > 1 and matrix_of(y).dtype.kind in "biuf"


def _is_indicator(y: Any) -> bool:
    return has_label_sets(y) or (_is_matrix(y) and bool(np.isin(matrix_of(y), (0, 1)).all()))


def _is_single(y: Any) -> bool:
    return y is not None and not _is_survival(y) and n_columns(y) == 1 and not has_label_sets(y)


def _is_complete(y: Any) -> bool:
    return _is_single(y) and not missing_targets(y).any()


def _is_partial(y: Any) -> bool:
    if not _is_single(y):
        return False
    if missing_targets(y).any():
        return True
    marked = unlabelled_targets(y)
    return bool(marked.any() and not marked.all())


def is_ordered(y: Any) -> bool:
    """Return whether values are an ordered categorical of pandas or an enumeration of polars."""
    dtype = getattr(y, "dtype", None)
    return bool(getattr(dtype, "ordered", False)) or type(dtype).__name__ == "Enum"


def places(values: Iterable[Any], order: Iterable[Any]) -> np.ndarray:
    """Return the place of every value in the order of the categories, from 0; numbers stay what they are."""
    categories = list(order)
    if all(isinstance(label, Real) for label in categories):
        return np.array(list(values))
    place = {label: k for k, label in enumerate(categories)}
    return np.array([place[label] for label in values], np.float64)


def known_labels(classes: Any) -> np.ndarray:
    """Return labels that scikit-learn knows: text and numbers as they are, class numbers for intervals and the like."""
    labels = np.asarray(classes)
    strange = labels.dtype.kind == "O" and not all(isinstance(label, str) for label in labels)
    return np.arange(len(labels)) if strange else labels


def told_apart(labels: Iterable[Any]) -> tuple[str, ...]:
    """Return labels as texts, with a number behind those that would read like an earlier one."""
    out: dict[str, None] = {}
    for label in labels:
        text = str(label)
        again = (f"{text} ({k})" for k in count(2))
        out[text if text not in out else next(name for name in again if name not in out)] = None
    return tuple(out)


ONE_COLUMN = "give one column of y at a time, or the selector to fewer.AcrossTargets"
# The first that fits and that a method takes is what the method reads; a new kind is one more entry.
KINDS = (
    TargetKind("none", "none", "no target", lambda y: y is None, "nothing", "pass y", "MixtureOverlap"),
    TargetKind(
        "survival", "survival", "an event and a time per row", _is_survival,
        "a structured array of `event` and `time`", "give the time, or the event, alone", "CoxScore",
    ),
    TargetKind(
        "several labels", "classification", "several labels per row", _is_indicator,
        "y of 0 and 1, (n_rows, n_labels), and `target_names`", ONE_COLUMN, "InformationGain",
    ),
    TargetKind(
        "several numbers", "regression", "several numbers per row", _is_matrix,
        "y of numbers, (n_rows, n_targets), and `target_names`", ONE_COLUMN, "Pearson",
    ),
    TargetKind(
        "ordered classes", "classification", "one ordered class per row", lambda y: is_ordered(y) and _is_complete(y),
        "class numbers, `classes` and `class_order`; for a method that takes numbers beside them, numbers",
        "use a method for classes", "OReliefF",
    ),
    TargetKind(
        "classes", "classification", "one class per row", _is_complete,
        "class numbers and `classes`", "cut y into intervals first", "InformationGain",
    ),
    TargetKind(
        "numbers", "regression", "one number per row", _is_complete,
        "numbers", "give numbers", "Pearson",
    ),
    TargetKind(
        "partly labelled", None, "missing values (NaN or None) in some rows", _is_partial,
        "class numbers with -1, or numbers with NaN, and the mask `labelled`", "drop or fill in those rows",
        "SSelect",
    ),
)  # fmt: skip
BY_NAME = {kind.name: kind for kind in KINDS}
# What a method reads that is for a task and says no more.
OF_TASK = {
    "classification": ("classes",), "regression": ("numbers",), "any": ("classes", "numbers"), "none": ("none",),
}  # fmt: skip


def kind_of(y: Any, takes: Collection[str] = ()) -> str:
    """Return the kind of a target for a method that takes these, or the first that fits if it takes none of them.

    A target that may be partly labelled is so for methods that take such targets, and for no others unless values are
    missing.
    """
    fitting = [kind.name for kind in KINDS if kind.fits(y)]
    if "partly labelled" in fitting and "partly labelled" in takes:
        return "partly labelled"
    if "survival" in takes and "several labels" not in takes and _is_event_time(y):
        return "survival"
    return next((name for name in fitting if name in takes), fitting[0] if fitting else "")


def task_of_kinds(names: Collection[str]) -> str:
    """Return the one task that these kinds of target are for, or "any"."""
    tasks = {BY_NAME[name].task for name in names} - {None}
    if "survival" in tasks:
        # Numbers are then times at which every event was seen.
        return "survival"
    return str(tasks.pop()) if len(tasks) == 1 else "any"


def in_words(names: Collection[str]) -> str:
    """Return what these kinds of target are, for messages."""
    return " or ".join(BY_NAME[name].words for name in names)
