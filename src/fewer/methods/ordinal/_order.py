"""The directions in which features rise with the classes, and what rankings by them share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.estimators.rankers import COMMON_CONSTRAINTS, ScoreBase
from fewer.core.reading.targets import Target, target_facts
from fewer.core.records.errors import ParameterError, closest
from fewer.core.records.params import StrOptions
from fewer.core.views.column_ranks import concordance
from fewer.core.views.view import View
from fewer.methods.ordinal._classes import class_places

ORDINAL_CONSTRAINTS: dict[str, Any] = {
    "monotone": [None, StrOptions({"auto"}), "array-like", dict],
    "class_order": ["array-like", None],
}


def feature_directions(
    name: str, monotone: Any, n_features: int, names: Any, guess: Callable[[], np.ndarray]
) -> np.ndarray:
    """Return 1, -1 or 0 per feature, from what the user passed as ``monotone``."""
    if monotone is None:
        return np.ones(n_features, np.int64)
    # The command line reads every such parameter as a list.
    if isinstance(monotone, str) or (isinstance(monotone, (list, tuple)) and list(monotone) == ["auto"]):
        return guess()
    if isinstance(monotone, Mapping):
        return _named_directions(name, monotone, n_features, names)
    given = np.asarray(monotone)
    if given.shape != (n_features,) or given.dtype.kind not in "iuf" or not np.isin(given, (-1, 0, 1)).all():
        raise ParameterError(
            f"{name} got monotone with shape {given.shape}, but needs one of 1, -1 and 0 for each of {n_features} "
            "features; pass None if all rise with the class, 'auto', or a dictionary of those that do not."
        )
    return given.astype(np.int64)


def _named_directions(name: str, monotone: Mapping[Any, Any], n_features: int, names: Any) -> np.ndarray:
    known = {word: j for j, word in enumerate(names or ())} | {j: j for j in range(n_features)}
    directions = np.ones(n_features, np.int64)
    for feature, direction in monotone.items():
        if feature not in known:
            hint = closest(str(feature), [str(word) for word in names or ()])
            raise ParameterError(f"{name} got monotone for {feature!r}, which is no column of X; name one.{hint}")
        if direction not in (-1, 0, 1):
            raise ParameterError(
                f"{name} got monotone={direction!r} for {feature!r}, but a direction is 1, -1 or 0; pass one of them."
            )
        directions[known[feature]] = direction
    return directions


def directions_by_order(X: np.ndarray, y: np.ndarray, run: Any) -> np.ndarray:
    """Return 1 for features that order more pairs of rows as the target does than against it, -1 for the others."""
    pairs, _ = concordance(X, y, run)
    return np.where(pairs[:, 0] < 0, -1, 1)


def view_directions(name: str, monotone: Any, view: View) -> np.ndarray:
    """Return the directions of the features of a view; nominal columns have none."""
    block = view.whole()
    guess = lambda: directions_by_order(block.X, block.y, view.run)  # noqa: E731
    directions = feature_directions(name, monotone, view.n_features, view.names, guess)
    return np.where(view.nominal, 0, directions)


class OrdinalBase(ScoreBase):
    """Ranks features by a criterion that knows the order of the classes."""

    _parameter_constraints: dict = {**COMMON_CONSTRAINTS, **ORDINAL_CONSTRAINTS}
    class_order: Any

    def _placed(self, data: View) -> View:
        return from_lowest(type(self).__name__, data, self.class_order)


def from_lowest(name: str, data: View, class_order: Any) -> View:
    """Return the data with classes numbered from the lowest to the highest."""
    block = data.whole()
    places = class_places(name, data.class_order, np.asarray(data.classes), class_order)
    labels, numbers = np.asarray(data.classes)[np.argsort(places)], places[block.y].astype(np.int64)
    facts = {**data.facts, **target_facts(Target("classes", numbers, labels), block.weight)}
    return replace(data.with_classes(numbers, labels), facts=facts)
