"""Features as users name them: by numbers, by a mask, or by a Selection; and copies of features."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError
from fewer.core.records.result import Selection


def feature_numbers(given: Any, n_features: int, what: str, name: str, *, bounded: bool = True) -> list[int]:
    """Return the numbers of the features that a user gave.

    Parameters
    ----------
    given : Selection, iterable of int, or iterable of bool
        The features: those that a selection kept, their numbers, or a mask with one entry per feature.
    n_features : int
        How many features there are.
    what, name : str
        The argument and the function that was called, for errors.
    bounded : bool, default=True
        Whether the numbers must be below ``n_features``.
    """
    if isinstance(given, Selection):
        if given.n_features != n_features:
            raise InputError(
                f"{name} got {what} as a Selection among {given.n_features} features, but there are {n_features}; give "
                "one of the same data."
            )
        return given.indices.tolist()
    values = entries(given, what, name)
    if values and all(isinstance(value, bool | np.bool_) for value in values):
        if len(values) != n_features:
            raise InputError(
                f"{name} got {what} as a mask of {len(values)} entries, but there are {n_features} features; give one "
                "entry per feature, or numbers."
            )
        return np.flatnonzero(values).tolist()
    numbers = numbers_only(values, what, name)
    outside = sorted(j for j in numbers if not 0 <= j < n_features)
    if outside and bounded:
        raise InputError(
            f"{name} got {what} with the feature {outside[0]}, but there are {n_features}; give numbers from 0 to "
            f"{n_features - 1}."
        )
    return numbers


def entries(given: Any, what: str, name: str) -> list[Any]:
    """Return what a user listed; raise if it is no list."""
    try:
        return list(given)
    except TypeError as error:
        raise InputError(f"{name} got {what}={given!r}, but takes a list; pass one.") from error


def numbers_only(values: Iterable[Any], what: str, name: str) -> list[int]:
    """Return numbers of features; raise at anything else."""
    numbers = list(values)
    for value in numbers:
        if not isinstance(value, Integral) or isinstance(value, bool):
            raise InputError(
                f"{name} got {what} with {value!r}, but a feature is named by its number; give whole numbers from 0."
            )
    return [int(value) for value in numbers]


def origin(feature: int, groups: Mapping[int, int], relevant: Collection[int], name: str) -> int:
    """Return the feature that a feature repeats in the end, or the first relevant one on the way there."""
    seen = {feature}
    while feature in groups and feature not in relevant:
        feature = groups[feature]
        if feature in seen:
            raise InputError(f"{name} got groups in which feature {feature} repeats itself; name the original of each.")
        seen.add(feature)
    return feature


def copies_of(groups: Mapping[int, int] | None, n_features: int, name: str, *, bounded: bool = True) -> dict[int, int]:
    """Return copies, and the feature that each repeats, all as numbers of features."""
    pairs = dict(groups or {})
    numbers = feature_numbers([*pairs, *pairs.values()], n_features, "groups", name, bounded=bounded)
    return dict(zip(numbers, numbers[len(pairs) :]))
