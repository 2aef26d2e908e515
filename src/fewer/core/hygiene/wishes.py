"""Which columns shall stay, and what shall be left out: what ``keep`` and ``drop`` say."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.hygiene.findings import FLAGGED
from fewer.core.records.errors import ParameterError, closest
from fewer.core.views.view import View


def names_of(data: View) -> tuple[str, ...]:
    """Return the names of the columns, made up where there are none."""
    return data.names or tuple(f"x{j}" for j in range(data.n_features))


def kept_columns(keep: Any, data: View) -> set[int]:
    """Return the numbers of the columns that must not be left out."""
    listed = _listed(keep)
    if listed == ["all"]:
        return set(range(data.n_features))
    if _is_mask(listed):
        return _masked("keep", listed, data)
    return {_place("keep", item, data) for item in listed}


def dropped_columns(drop: Any, data: View) -> tuple[set[str], set[int]]:
    """Return the kinds of findings that are left out beside the usual ones, and the columns that are."""
    known = {"leaks": "leak", **{kind: kind for kind in FLAGGED}}
    listed = _listed(drop)
    if _is_mask(listed):
        return set(), _masked("drop", listed, data)
    words = [item for item in listed if isinstance(item, str) and item in known]
    columns = {_place("drop", item, data, known) for item in listed if not (isinstance(item, str) and item in known)}
    return {known[word] for word in words}, columns


def _listed(given: Any) -> list[Any]:
    if given is None:
        return []
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        return [given]
    return list(given)


def _is_mask(listed: list[Any]) -> bool:
    return bool(listed) and all(isinstance(item, bool | np.bool_) for item in listed)


def _masked(parameter: str, mask: list[Any], data: View) -> set[int]:
    if len(mask) != data.n_features:
        raise ParameterError(
            f"{parameter}= got a mask of {len(mask)} entries, but the data have {data.n_features} columns; give one "
            "entry per column, or names."
        )
    return {j for j, here in enumerate(mask) if here}


def _place(parameter: str, item: Any, data: View, words: Any = ()) -> int:
    """Return the number of the column that a name or number says."""
    places = {name: j for j, name in enumerate(names_of(data))}
    place = None
    if isinstance(item, str):
        place = places.get(item)
    elif isinstance(item, int | np.integer) and not isinstance(item, bool):
        place = int(item)
    if place is not None and 0 <= place < data.n_features:
        return place
    kinds = f"pass {', '.join(map(repr, words))}, " if words else ""
    what = "is no column of the data" if not words else "is neither a kind of finding nor a column of the data"
    raise ParameterError(
        f"{parameter}={item!r} {what}, which have {data.n_features}; {kinds}name columns, or give their numbers from "
        f"0 to {data.n_features - 1}.{closest(str(item), [*words, *places])}"
    )
