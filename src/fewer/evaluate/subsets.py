"""Subsets and rankings as users give them: numbers of features, masks, or selections, one per sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError
from fewer.core.records.result import Selection
from fewer.evaluate.features import entries, feature_numbers, numbers_only

Subsets = Sequence[Any] | np.ndarray


def chosen_features(subsets: Subsets, n_features: int | None, where: str, sized: bool = False) -> np.ndarray:
    """Return a mask of the chosen features per subset; ``sized`` if it must be known how many there were."""
    if isinstance(subsets, np.ndarray) and subsets.dtype == bool and subsets.ndim == 2 and len(subsets) > 1:
        return _whole_mask(subsets, n_features, where)
    given = entries(subsets, "subsets", where)
    width = _width(given, n_features)
    if sized and width is None:
        raise InputError(f"{where} must know how many features there were to choose from; pass n_features.")
    numbers = [_distinct(one, width, where) for one in given]
    width = max((max(one) + 1 for one in numbers if one), default=0) if width is None else width
    if len(given) < 2 or (sized and width == 0):
        raise InputError(
            f"{where} compares subsets of features, but got {len(given)}; give those of two samples or more."
        )
    chosen = np.zeros((len(numbers), width), dtype=bool)
    for row, one in zip(chosen, numbers):
        row[one] = True
    return chosen


def _whole_mask(masks: np.ndarray, n_features: int | None, where: str) -> np.ndarray:
    """Return masks that are one array already, which may be large; raise if they are of other features."""
    if masks.shape[1] == 0 or n_features not in (None, masks.shape[1]):
        wanted = "there must be some" if n_features is None else f"there are {n_features}"
        raise InputError(
            f"{where} got each subset as a mask of {masks.shape[1]} entries, but {wanted} features; give one entry per "
            "feature, or numbers."
        )
    return masks


def ranked_features(rankings: Subsets, n_features: int | None) -> tuple[list[list[int]], int]:
    """Return the features of each ranking, best first, and how many features there are."""
    where, given = "rank_stability", entries(rankings, "rankings", "rank_stability")
    listed = [one.order.tolist() if isinstance(one, Selection) else entries(one, "a ranking", where) for one in given]
    width = _width([one for one in given if isinstance(one, Selection)], n_features)
    # A mask has no order, so that its entries are refused here.
    orders = [_distinct(numbers_only(one, "a ranking", where), width, where) for one in listed]
    width = max((max(one) + 1 for one in orders if one), default=0) if width is None else width
    if len(orders) < 2 or width == 0:
        raise InputError(
            f"Rank correlations compare rankings, but got {len(orders)}; give those of two samples or more."
        )
    return orders, width


def _distinct(given: Any, width: int | None, where: str) -> list[int]:
    """Return the numbers of the features of one subset or ranking; raise if one is there twice or cannot be."""
    if width is None:
        numbers = numbers_only(entries(given, "a subset", where), "a subset", where)
        if min(numbers, default=0) < 0:
            raise InputError(f"{where} got a subset with the feature {min(numbers)}; give whole numbers from 0.")
    else:
        numbers = feature_numbers(given, width, "a subset", where)
    if len(set(numbers)) < len(numbers):
        raise InputError(
            f"{where} got a subset that holds a feature twice; give numbers of different features, or masks as a bool "
            "array."
        )
    return numbers


def _width(subsets: list[Any], n_features: int | None) -> int | None:
    """Return the number of features if it was given, or a selection or a mask knows it."""
    if n_features is not None:
        return int(n_features)
    for one in subsets:
        if isinstance(one, Selection):
            return one.n_features
        if len(one) and all(isinstance(value, bool | np.bool_) for value in one):
            return len(one)
    return None
