"""What a target is, classes or numbers: one rule for arrays, frames, tables and clusters."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import column_or_1d

from fewer.core.reading.frames import is_missing
from fewer.core.reading.whole_numbers import rounded, too_large
from fewer.core.records.errors import InputError, InputTypeError, TargetWarning
from fewer.core.records.numerals import without_negative_zero
from fewer.core.records.tags import MethodTags

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


def are_labels(y: np.ndarray) -> bool:
    """Return whether a target holds labels: text, booleans, or whole numbers with at most 20 different values."""
    if y.dtype.kind in "OUSb":
        return True
    values = np.unique(y)
    return are_classes(False, bool((values == np.floor(values)).all()), len(values))


def why_numbers(y: np.ndarray) -> str | None:
    """Return why whole numbers are not taken for classes, or None if they are, or are no whole numbers."""
    if y.dtype.kind in "OUSb":
        return None
    values = np.unique(y)
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


def read_target(name: str, y: Any, tags: MethodTags) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return the target as class numbers with their labels, or as numbers, or nothing."""
    if not tags.needs_target or y is None:
        return None, None
    y, named = _values(y)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise InputError(
            f"{name} got a target with NaN or infinity; every row needs a target: drop or fill in those rows."
        )
    y = without_negative_zero(y)
    if y.dtype.kind == "O" and any(is_missing(v) for v in y):
        raise InputError(f"{name} got a target with missing values; every row needs one: drop or fill in those rows.")
    tags = as_declared(tags)
    if tags.task == "classification" or (tags.reads_classes and (named or are_labels(y))):
        return class_numbers(name, y, tags, named)
    if rounded(y):
        raise InputError(too_large(f"{name} got a target of"))
    if y.dtype.kind in "OUSb":
        y = numeric_target(name, y)
    elif tags.reads_classes:
        warn_of_numbers(name, why_numbers(y))
    return np.ascontiguousarray(y, dtype=np.float64), None


def as_declared(tags: MethodTags) -> MethodTags:
    """Return the tags of a method that takes classes and numbers, for the task that the user declared if any."""
    task = _declared.get()
    return replace(tags, task=task, reads_classes=False) if task is not None and tags.reads_classes else tags


def class_numbers(name: str, y: np.ndarray, tags: MethodTags, named: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return class numbers and sorted class labels; values of a categorical type are classes whatever they are."""
    if y.dtype.kind == "O" and len({isinstance(v, str) for v in y}) > 1:
        raise InputTypeError(f"{name} got a target that mixes numbers and text; make all labels one type.")
    kind = "multiclass" if named else type_of_target(y, input_name="y")
    if kind not in ("binary", "multiclass"):
        raise InputError(
            f"{name} needs classes, but y is of type {kind} (Unknown label type); give class labels, cut y into "
            "intervals first, or use a method for regression, such as Pearson or VarianceReduction."
        )
    classes, numbers = np.unique(y, return_inverse=True)
    check_classes(name, classes, tags)
    return numbers.astype(np.int64), classes


def check_classes(name: str, classes: np.ndarray, tags: MethodTags, target: str = "y") -> None:
    """Raise unless the number of classes fits the method."""
    if len(classes) < 2:
        raise InputError(
            f"{name} needs at least two classes, but {target} has only one class "
            f"({classes[0] if len(classes) else 'none'}); check the target column."
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


def target_facts(
    target: np.ndarray | None, classes: np.ndarray | None, weight: np.ndarray | None, tags: MethodTags | None = None
) -> dict[str, Any]:
    """Return what the report says about the target, and as what a method that takes both read it."""
    if target is None:
        return {}
    if tags is not None and tags.reads_classes:
        guessed = classes is None and _declared.get() is None
        facts = read_as(classes is not None, why_numbers(target) if guessed else None)
        return {**target_facts(target, classes, weight), **facts}
    if classes is not None:
        counts = np.bincount(target, minlength=len(classes))
        return {
            "classes": {str(label): int(n) for label, n in zip(classes, counts)},
            "weighted": weight is not None,
        }
    return {
        "target": {"min": float(target.min()), "max": float(target.max()), "mean": float(target.mean())},
        "weighted": weight is not None,
    }
