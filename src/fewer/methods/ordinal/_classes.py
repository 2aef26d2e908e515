"""The order of the classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.records.errors import InputError, ParameterError, closest
from fewer.core.views.view import View


def class_places(name: str, declared: Any, labels: np.ndarray, class_order: Any) -> np.ndarray:
    """Return the place of every class label in the order of the classes, from 0 for the lowest.

    The order is ``class_order`` if given; else that which the target has ``declared``; else that of numbers, also of
    those written as text. Other labels have no order that could be known.
    """
    declared = declared if class_order is None else class_order
    if declared is not None:
        return _places_in(name, labels, list(np.asarray(declared).tolist()))
    try:
        values = labels.astype(np.float64)
    except (TypeError, ValueError):
        values = None
    if values is None or not np.isfinite(values).all() or len(np.unique(values)) < len(labels):
        shown = ", ".join(repr(str(label)) for label in labels[:4]) + (", ..." if len(labels) > 4 else "")
        raise InputError(
            f"{name} needs ordered classes, but y holds text labels ({shown}) whose order is unknown; pass class_order "
            "with the lowest class first, an ordered categorical, or numbers."
        )
    return np.argsort(np.argsort(values))


def _places_in(name: str, labels: np.ndarray, order: list[Any]) -> np.ndarray:
    """Return where the labels stand in a declared order; a number and its text are the same label."""
    words = [str(label) for label in order]
    if len(set(words)) < len(words):
        twice = next(word for word in words if words.count(word) > 1)
        raise ParameterError(f"{name} got class_order with {twice!r} twice; list every class once, the lowest first.")
    places = [_place(str(label), words) for label in labels]
    if -1 in places:
        lacking = str(labels[places.index(-1)])
        raise ParameterError(
            f"{name} got class_order={words}, which lacks the class {lacking!r} of y; list all classes, the lowest "
            f"first.{closest(lacking, words)}"
        )
    # Classes that do not occur leave no gap.
    return np.argsort(np.argsort(places))


def _place(label: str, words: list[str]) -> int:
    """Return where a label stands in a list, else where the same number does (1 for 1.0), else -1."""
    if label in words:
        return words.index(label)
    numbers = [_number(word) for word in words]
    value = _number(label)
    return numbers.index(value) if value is not None and value in numbers else -1


def _number(word: str) -> float | None:
    """Return what a word says as a number, or None."""
    try:
        return float(word)
    except ValueError:
        return None


def in_class_order(name: str, view: View, ordered: bool) -> View:
    """Return a view whose class numbers follow the order of its labels; ``ordered`` says that they do."""
    if ordered or view.classes is None:
        return view
    labels = np.asarray(view.classes)
    places = class_places(name, None, labels, None)
    return view.with_classes(places[view.whole().y].astype(np.int64), labels[np.argsort(places)])
