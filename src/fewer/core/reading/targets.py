"""What a target is, classes or numbers: one rule for arrays, frames, tables and clusters."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import column_or_1d

from fewer.core.reading.close_numbers import CloseNumbers, distinct
from fewer.core.reading.event_times import read_event_times
from fewer.core.reading.whole_numbers import rounded, too_large
from fewer.core.records.errors import InputError, InputTypeError, TargetWarning
from fewer.core.records.numerals import without_negative_zero
from fewer.core.records.tags import MethodTags
from fewer.core.records.target_kinds import (
    BY_NAME,
    OF_TASK,
    UNLABELLED,
    has_label_sets,
    in_words,
    is_missing,
    is_unlabelled,
    kind_of,
    label_rows,
    matrix_of,
    missing_targets,
    places,
    refuse_records,
    told_apart,
    unlabelled_targets,
)
from fewer.core.views.sparse_input import check_structure

# Whole numbers with at most this many different values are taken for classes.
MOST_LABELS = 20
# Types of pandas whose missing value compares with nothing.
TEXT_TYPES = ("string", "str", "category")
# What the user said that the target is for.
_declared: ContextVar[str | None] = ContextVar("declared task", default=None)


@contextmanager
def declared_task(task: str | None) -> Iterator[None]:
    """Let targets be read for this task, "classification" or "regression", by all methods that take both."""
    token = _declared.set(task)
    try:
        yield
    finally:
        _declared.reset(token)


def are_classes(named: bool, whole: bool, n_values: int) -> bool:
    """Return what the rule says: names are classes, and whole numbers if few different ones occur.

    Names are text, booleans and values of a categorical type. Everything that reads targets asks here.
    """
    return named or (whole and n_values <= MOST_LABELS)


# Said of a target with too few classes where some rows have no label.
NO_LABEL = " beside rows of -1 or a missing value, which have no label"


def are_labels(y: np.ndarray) -> bool:
    """Return whether a target holds labels: text, booleans, or whole numbers with at most 20 different values."""
    if y.dtype.kind in "OUSbmM":
        return y.dtype.kind not in "mM"  # Dates are numbers.
    values = distinct(y)
    return are_classes(False, bool((values == np.floor(values)).all()), len(values))


def why_numbers(y: np.ndarray) -> str | None:
    """Return why whole numbers are not taken for classes, or None if they are, or are no whole numbers."""
    if y.dtype.kind in "OUSbmM":
        return None
    values = distinct(y)
    whole = bool((values == np.floor(values)).all())
    return too_many(f"{len(values):,}") if whole and not are_classes(False, whole, len(values)) else None


def too_many(number: str) -> str:
    """Return in words why so many different whole numbers are not taken for classes."""
    return f"it holds {number} different whole numbers, and only up to {MOST_LABELS} are taken for classes"


def warn_of_numbers(where: str, reason: str | None) -> None:
    """Warn that whole numbers, which could be labels, are read as numbers."""
    if reason is not None and _declared.get() is None:
        warnings.warn(
            f"{where} reads the target as numbers, because {reason}; say task='classification' or task='regression' "
            "(in fewer.select, rank, compare and open_table, or as --task), or give labels as text or a categorical.",
            TargetWarning,
            stacklevel=2,
        )


def read_as(classes: bool, reason: str | None) -> dict[str, str]:
    """Return what the facts say about how a method that takes both has read the target."""
    facts = {"target_read_as": "classes" if classes else "numbers"}
    return facts if reason is None else {**facts, "target_read_because": reason}


def task_of(where: str, y: Any) -> str:
    """Return the task that a target is for, and warn if that is a guess that may be wrong."""
    if _declared.get() is not None:
        return str(_declared.get())
    kind = kind_of(y)
    if kind not in ("classes", "numbers", "partly labelled"):
        return BY_NAME[kind].task or "" if kind else "classification"
    values, named = _values(y)
    if named or are_labels(values):
        return "classification"
    warn_of_numbers(where, why_numbers(values))
    return "regression"


def _values(y: Any) -> tuple[np.ndarray, bool]:
    """Return a target as a plain array, and whether its type is a categorical."""
    kind = str(getattr(y, "dtype", "")).lower()
    named = kind == "category" or kind.startswith(("categorical", "enum"))
    given = y if not named and kind not in TEXT_TYPES else np.asarray(y, dtype=object)
    values = column_or_1d(given, warn=True)
    if values.dtype.kind == "O" and len(values) and _one_kind(values):
        # Numbers as objects would be of a type that nobody knows.
        values = np.array(values.tolist())
    return values, named


def _one_kind(values: np.ndarray) -> bool:
    """Return whether objects are all numbers, or all booleans; missing values are neither."""
    boolean = [isinstance(v, (bool, np.bool_)) for v in values]
    if any(boolean):
        return all(boolean)
    return all(isinstance(v, (int, float, np.number)) and not is_missing(v) for v in values)


@dataclass(frozen=True, eq=False)
class Target:
    """A target that was read: its kind, its values, and what that kind holds besides (see `target_kinds.KINDS`)."""

    kind: str = "none"
    values: np.ndarray | None = None
    classes: np.ndarray | None = None
    labelled: np.ndarray | None = None
    names: tuple[str, ...] | None = None


def unpacked_target(name: str, y: Any) -> Any:
    """Return a sparse target as an array, once its parts are seen to fit; whatever else it is, as it is."""
    return check_structure(name, y).toarray() if hasattr(y, "toarray") else y


def refuse_form(name: str, y: Any) -> None:
    """Raise if a target has other dimensions than rows and columns, or cells that are bytes or several values each."""
    refuse_records(name, y, events=True)
    shape, dtype = getattr(y, "shape", None), getattr(y, "dtype", type(y).__name__)
    plain = type(y).__name__ == "LazyFrame" or str(dtype).startswith("Array(")
    if not plain and _holds_arrays(y):
        plain = not has_label_sets(y)
    elif str(dtype).startswith(("List(", "Struct(")):
        # Cells of several values are a target of a kind of its own, such as sets of labels, or none.
        plain = kind_of(y) in ("classes", "ordered classes", "numbers", "partly labelled")
    if (isinstance(shape, tuple) and (len(shape) not in (1, 2) or (len(shape) == 1 and hasattr(y, "nnz")))) or plain:
        raise InputError(
            f"{name} got a target of shape {shape or 'unknown'} and type {dtype}, but takes one value, or one row of "
            "values, per row of X; reshape or convert it."
        )


def _holds_arrays(y: Any) -> bool:
    """Return whether cells of a target are arrays, as those of lists are in Arrow."""
    if type(y).__module__.split(".")[0] not in ("numpy", "pandas", "polars", "pyarrow"):
        return False
    values = np.asarray(y)
    return values.dtype.kind == "O" and any(isinstance(cell, np.ndarray) for cell in values.ravel())


def read_target(name: str, y: Any, tags: MethodTags, fewest: int = 2) -> Target:
    """Return the target as the method takes it; of classes there must be at least ``fewest``."""
    if not tags.needs_target or y is None:
        return Target()
    refuse_form(name, y)
    y = unpacked_target(name, y)
    kind = kind_of(y, tags.targets)
    refuse_kind(name, kind, tags, y)
    if kind == "survival":
        return Target(kind, read_event_times(name, y))
    if kind.startswith("several"):
        return _several(name, kind, y)
    ranked = kind == "ordered classes" and "numbers" in tags.targets
    given = y
    y, named = _values(places(y, y.dtype.categories) if ranked else y)
    labelled = None
    if kind == "partly labelled":
        labelled = ~unlabelled_targets(given)
        y = np.array(y[labelled].tolist()) if y.dtype.kind == "O" else y[labelled]
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise InputError(f"{name} got a target with infinity, but takes finite numbers; drop or replace those rows.")
    beside = "" if labelled is None else NO_LABEL
    read = _one_per_row(name, without_negative_zero(y), as_declared(tags), named, fewest, beside)
    return read if labelled is None else _spread(read, labelled)


def _one_per_row(name: str, y: np.ndarray, tags: MethodTags, named: bool, fewest: int, beside: str = "") -> Target:
    """Return a complete target with one value per row as classes or as numbers."""
    if tags.task == "classification" or (tags.reads_classes and (named or are_labels(y))):
        numbers, classes = class_numbers(name, y, named)
        check_classes(name, classes, tags, fewest=fewest, beside=beside)
        return Target("classes", numbers, classes)
    if rounded(y):
        raise InputError(too_large(f"{name} got a target of"))
    if y.dtype.kind in "OUSb":
        y = numeric_target(name, y)
    elif tags.reads_classes:
        warn_of_numbers(name, why_numbers(y))
    return Target("numbers", np.ascontiguousarray(y, dtype=np.float64))


def _spread(read: Target, labelled: np.ndarray) -> Target:
    """Return the target of labelled rows for all rows; others have class number -1, or NaN."""
    values = np.full(len(labelled), np.nan if read.classes is None else UNLABELLED, np.asarray(read.values).dtype)
    values[labelled] = read.values
    return replace(read, kind="partly labelled", values=values, labelled=labelled)


def partly_labelled(numbers: np.ndarray, classes: np.ndarray) -> Target:
    """Return class numbers, -1 for missing ones, as a target in which a class called -1 is none."""
    known = np.array([not is_unlabelled(label) for label in classes.tolist()], bool)
    places = np.append(np.where(known, np.cumsum(known) - 1, UNLABELLED), UNLABELLED)
    values = places[numbers]
    return Target("partly labelled", values, classes[known], values != UNLABELLED)


def _several(name: str, kind: str, y: Any) -> Target:
    """Return one column per label, of 0 and 1, or per number."""
    if has_label_sets(y):
        # Texts and numbers of NumPy are those of Python, beside which they may stand.
        given = [frozenset(v.item() if isinstance(v, np.generic) else v for v in row) for row in label_rows(y)]
        labels = sorted(frozenset().union(*given), key=lambda label: (str(type(label)), label))
        marks = np.array([[label in row for label in labels] for row in given], np.int64)
        return Target(kind, marks, names=told_apart(labels))
    values = matrix_of(y).astype(np.int64 if kind == "several labels" else np.float64)
    if not np.isfinite(values).all():
        raise InputError(
            f"{name} got a target with NaN or infinity, but takes finite numbers; drop or fill in those rows."
        )
    return Target(kind, np.ascontiguousarray(values), names=told_apart(getattr(y, "columns", range(values.shape[1]))))


def refuse_kind(name: str, kind: str, tags: MethodTags, y: Any = None) -> None:
    """Raise, in one sentence, if a method does not take this kind of target.

    One value per row is refused by what reads it, which knows whether numbers will do for classes.
    """
    if kind in tags.targets or kind in ("ordered classes", "classes", "numbers"):
        return
    if kind == "":
        raise InputError(
            f"{name} takes {in_words(tags.targets)}, but y has shape {np.shape(y)}; y should be a 1d array: give one "
            "value per row."
        )
    given, missing = BY_NAME[kind], missing_targets(y) if kind == "partly labelled" and y is not None else None
    where = "" if missing is None else f" ({np.count_nonzero(missing)} of {len(missing)})"
    other = f", or use a method that takes it, such as {given.taken_by}" if given.taken_by else ""
    raise InputError(f"{name} takes {in_words(tags.targets)}, but y holds {given.words}{where}; {given.advice}{other}.")


def as_declared(tags: MethodTags) -> MethodTags:
    """Return the tags of a method that takes classes and numbers, for the task that the user declared if any."""
    task = _declared.get()
    return replace(tags, targets=OF_TASK[task]) if task is not None and tags.reads_classes else tags


def class_numbers(name: str, y: np.ndarray, named: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return class numbers and sorted class labels; values of a categorical type are classes whatever they are."""
    if y.dtype.kind == "O" and len({isinstance(v, str) for v in y}) > 1:
        raise InputTypeError(f"{name} got a target that mixes numbers and text; make all labels one type.")
    near = CloseNumbers.of(y)
    # scikit-learn warns where classes are as many as rows nearly.
    if near is not None and 2 * len(near.values) <= len(y):
        return near.numbers, near.values
    kind = "multiclass" if named else type_of_target(y, input_name="y")
    if kind not in ("binary", "multiclass"):
        raise InputError(
            f"{name} needs classes, but y is of type {kind} (Unknown label type); give class labels, cut y into "
            "intervals first, or use a method for regression, such as Pearson or VarianceReduction."
        )
    classes, numbers = np.unique(y, return_inverse=True)
    return numbers.astype(np.int64), classes


def check_classes(
    name: str, classes: np.ndarray, tags: MethodTags, target: str = "y", fewest: int = 2, beside: str = ""
) -> None:
    """Raise unless the number of classes fits the method."""
    if len(classes) < fewest and classes.dtype.kind == "f" and len(classes) and "numbers" in tags.targets:
        raise InputError(
            f"{name} needs numbers that differ or at least two classes, but {target} is {classes[0]:g} in every row; "
            "check the target column."
        )
    if len(classes) < fewest:
        raise InputError(
            f"{name} needs at least two classes, but {target} has only one class "
            f"({classes[0] if len(classes) else 'none'}){beside}; check the target column."
        )
    if tags.binary_only and len(classes) > 2:
        raise InputError(
            f"{name} compares two classes. Only binary classification is supported, but {target} has {len(classes)} "
            "classes; use FTest, KruskalWallis or InformationGain, or select one class against the rest."
        )


def text_labels(classes: np.ndarray) -> str:
    """Return in words how many text labels there are."""
    return f"{len(classes)} text label{'s' * (len(classes) != 1)}"


def numeric_target(name: str, y: np.ndarray) -> np.ndarray:
    """Return labels as numbers: what they say, or 0 and 1 for two texts."""
    try:
        return y.astype(np.float64)
    except (TypeError, ValueError):
        pass
    if _declared.get() == "regression":
        raise InputError(
            f"{name} got a target of text, but regression needs numbers; say task='classification' or give numbers."
        )
    classes, numbers = np.unique(y.astype(str), return_inverse=True)
    if len(classes) != 2:
        raise InputError(
            f"{name} needs a numeric target or two classes, but y holds {text_labels(classes)}; give numbers "
            "(an order of the classes) or use a method for classes, such as FTest or InformationGain."
        )
    return numbers


def target_facts(read: Target, weight: np.ndarray | None, tags: MethodTags | None = None) -> dict[str, Any]:
    """Return what the report says about the target, and as what a method that takes both read it."""
    if read.values is None:
        return {}
    values = read.values if read.labelled is None else read.values[read.labelled]
    facts: dict[str, Any] = {}
    if read.labelled is not None:
        facts["n_labelled"] = len(values)
    if tags is not None and tags.reads_classes and read.kind in ("classes", "numbers", "partly labelled"):
        guessed = read.classes is None and _declared.get() is None
        facts |= read_as(read.classes is not None, why_numbers(values) if guessed else None)
    if read.kind == "several labels":
        facts["labels"] = dict(zip(read.names or (), values.sum(axis=0).tolist()))
    elif read.kind == "several numbers":
        facts["targets"] = dict(zip(read.names or (), values.mean(axis=0).tolist()))
    elif read.classes is not None:
        counts = np.bincount(values, minlength=len(read.classes))
        facts["classes"] = {str(label): int(n) for label, n in zip(read.classes, counts)}
    elif read.kind == "survival":
        facts["survival"] = {"events": int(values["event"].sum()), "last_time": float(values["time"].max())}
    else:
        facts["target"] = {"min": float(values.min()), "max": float(values.max()), "mean": float(values.mean())}
    return {**facts, "weighted": weight is not None}
