"""Columns that belong together, and columns by name, number or mask: what users write, as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.records.errors import ParameterError, closest


def column_groups(given: Any, n_features: int, names: Sequence[str] | None) -> list[tuple[int, ...]]:
    """Return all groups in the order of their lowest column, columns of no group alone."""
    if given is None:
        return [(j,) for j in range(n_features)]
    members = _listed(given.values() if isinstance(given, Mapping) else given, "feature_groups")
    if members and not any(isinstance(m, (list, tuple, set, frozenset, np.ndarray, range)) for m in members):
        found = _of_labels(members, n_features)
    else:
        found = [tuple(sorted(set(column_numbers(m, n_features, names, "feature_groups")))) for m in members]
    found = [g for g in found if g]
    seen: set[int] = set()
    for group in found:
        twice = seen.intersection(group)
        if twice:
            raise ParameterError(
                f"feature_groups has column {min(twice)} in two groups, but a column moves with one group; "
                "leave it in one of them."
            )
        seen.update(group)
    return sorted([*found, *((j,) for j in range(n_features) if j not in seen)])


def _of_labels(labels: list[Any], n_features: int) -> list[tuple[int, ...]]:
    """Return the columns of each label."""
    if len(labels) != n_features:
        raise ParameterError(
            f"feature_groups has {len(labels)} labels, but the data have {n_features} columns; give one label per "
            "column, or a list of lists of columns."
        )
    by_label: dict[Any, list[int]] = {}
    for j, label in enumerate(labels):
        by_label.setdefault(label, []).append(j)
    return [tuple(columns) for columns in by_label.values()]


def _listed(given: Any, where: str) -> list[Any]:
    try:
        return list(given)
    except TypeError as error:
        raise ParameterError(
            f"{where} got {given!r}, but takes a list of columns, by number or name; pass one."
        ) from error


def column_numbers(given: Any, n_features: int, names: Sequence[str] | None, where: str) -> list[int]:
    """Return column numbers of what is given by number, name or mask."""
    items = [given] if isinstance(given, (str, Integral)) else _listed(given, where)
    if items and all(isinstance(i, (bool, np.bool_)) for i in items) and len(items) == n_features:
        return [j for j, inside in enumerate(items) if inside]
    known = {name: j for j, name in enumerate(names or ())}
    numbers = []
    for item in items:
        if isinstance(item, str) and item in known:
            numbers.append(known[item])
        elif isinstance(item, Integral) and not isinstance(item, bool) and 0 <= int(item) < n_features:
            numbers.append(int(item))
        else:
            hint = closest(item, known) if isinstance(item, str) else ""
            raise ParameterError(
                f"{where} names the column {item!r}, but the data have {n_features} columns"
                f"{', numbered from 0' if not known else ''}; give numbers from 0 to {n_features - 1} or names.{hint}"
            )
    return numbers
