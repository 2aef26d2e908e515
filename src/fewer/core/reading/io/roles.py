"""Which column plays which part: features, target, weight."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError, ParameterError, closest

TASKS = ("classification", "regression")


@dataclass(frozen=True)
class Roles:
    """The columns in use; ``nominal`` holds the features that the caller declares nominal."""

    features: tuple[str, ...]
    target: str | None = None
    weight: str | None = None
    nominal: frozenset[str] = frozenset()
    task: str | None = None
    # Whether the columns are looked at before a method sees them, and those that floats cannot hold left out.
    examined: bool = False
    # Whether rows without a target count, for methods that take a target that is partly labelled.
    partly: bool = False

    @property
    def used(self) -> tuple[str, ...]:
        """All columns that must be read."""
        return self.features + tuple(name for name in (self.target, self.weight) if name is not None)


def choose_roles(
    features: Sequence[str],
    extra: Sequence[str],
    where: str,
    *,
    target: str | None,
    weight: str | None,
    columns: Iterable[str] | None,
    drop: Iterable[str],
    categorical_features: Any,
    task: str | None,
) -> Roles:
    """Check the caller's wishes against the columns of the file; ``extra`` can be a target or weight only."""
    known = {name: i for i, name in enumerate((*features, *extra))}
    own = known if not extra else {name: i for i, name in enumerate(features)}
    refuse_duplicates(features, where)
    if task is not None and task not in TASKS:
        raise ParameterError(f"task={task!r} is not known for {where}; use {' or '.join(TASKS)}, or leave it out.")
    for role, name in (("target", target), ("weight", weight)):
        if name is not None:
            find(name, known, role, where)
    dropped = _split(_listed(drop, "drop"), known)
    chosen = None if columns is None else _listed(columns, "columns")
    for name in dropped:
        find(name, known, "drop", where)
    for name in chosen or ():
        find(name, own, "columns", where)
    _refuse_clashes(target, weight, dropped, where)
    away = {*dropped, target, weight}
    kept = tuple(name for name in (features if chosen is None else dict.fromkeys(chosen)) if name not in away)
    if not kept:
        raise InputError(
            f"{where} has no feature left: its {len(known)} column(s) {_some([*known])} are all target, "
            "weight or dropped, but at least one feature is needed; add columns or drop fewer."
        )
    return Roles(kept, target, weight, _nominal(categorical_features, kept, where), task)


def _refuse_clashes(target: str | None, weight: str | None, dropped: list[str], where: str) -> None:
    for role, name in (("target", target), ("weight", weight)):
        if name is not None and name in dropped:
            raise ParameterError(
                f"The {role} {name!r} of {where} is also listed in drop=, but a column can only be one of "
                "the two; remove it from drop=."
            )
    if target is not None and target == weight:
        raise ParameterError(
            f"The column {target!r} of {where} is both target= and weight=, but these must be different "
            "columns; change one of them."
        )


def refuse_duplicates(names: Sequence[str], where: str) -> None:
    """Raise when two columns have the same name."""
    if len(set(names)) == len(names):
        return
    twice = [repr(name) for name, count in Counter(names).items() if count > 1]
    shown = ", ".join(twice[:5]) + (f" and {len(twice) - 5} more" if len(twice) > 5 else "")
    raise InputError(
        f"{where} has several columns with the same name ({shown}), but names must differ; rename them in the file."
    )


def find(name: Any, known: Mapping[str, int], parameter: str, where: str) -> int:
    """Return the place of a name, or raise an error that lists what there is."""
    if name in known:
        return known[name]
    raise InputError(
        f"{parameter}={name!r} is not a column of {where}, which has {len(known)} ({_some([*known])}); use "
        f"one of these names.{closest(str(name), known)}"
    )


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")


def _listed(names: Iterable[str], parameter: str) -> list[str]:
    """Take one name or several."""
    listed = [names] if isinstance(names, str) else list(names)
    if not all(isinstance(name, str) for name in listed):
        raise ParameterError(f"{parameter}={names!r} must hold column names; give text, not numbers.")
    return listed


def _split(names: Sequence[str], known: Mapping[str, int]) -> list[str]:
    """Take several names in one text, with commas between them, unless the text itself is a name."""
    out: list[str] = []
    for name in names:
        parts = [part.strip() for part in next(csv.reader([name], skipinitialspace=True), [])] if "," in name else []
        out += [name] if name in known or len(parts) < 2 else [part for part in parts if part]
    return out


def _nominal(chosen: Any, features: Sequence[str], where: str) -> frozenset[str]:
    """Names of the features that ``categorical_features`` (names, numbers or a mask) points at."""
    if chosen is None:
        return frozenset()
    listed = [chosen] if isinstance(chosen, str | int) else list(chosen)
    listed = [item.item() if isinstance(item, np.generic) else item for item in listed]
    if listed and all(isinstance(item, bool) for item in listed):
        if len(listed) != len(features):
            raise ParameterError(
                f"categorical_features is a mask of {len(listed)} entries, but {where} has {len(features)} "
                "features; give one entry per feature, or names."
            )
        return frozenset(name for name, nominal in zip(features, listed) if nominal)
    places = {name: i for i, name in enumerate(features)}
    listed = [part for item in listed for part in (_split([item], places) if isinstance(item, str) else [item])]
    return frozenset(features[_place(item, places, where)] for item in listed)


def _place(item: Any, places: Mapping[str, int], where: str) -> int:
    if not isinstance(item, int):
        return find(item, places, "categorical_features", where)
    if not -len(places) <= item < len(places):
        raise ParameterError(
            f"categorical_features names the feature number {item}, but {where} has {len(places)} features "
            "counted from 0; correct the number."
        )
    return item
