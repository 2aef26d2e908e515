"""How select, rank and compare read X and y beyond what `fit` does: names, texts of numbers, rows without a target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from fewer.core.reading.frames import is_frame
from fewer.core.reading.number_texts import NumberTexts, told
from fewer.core.reading.rows import counted_rows
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.tags import MethodTags
from fewer.core.records.target_kinds import is_missing, kind_of, missing_targets

_names: ContextVar[tuple[str, ...] | None] = ContextVar("names of the columns of an array", default=None)

_examined: ContextVar[bool] = ContextVar("whether the columns are looked at before a method sees them", default=False)


@contextmanager
def examining() -> Iterator[None]:
    """Let data be read for a look at their columns, which says itself what is no feature."""
    token = _examined.set(True)
    try:
        yield
    finally:
        _examined.reset(token)


def are_examined(tags: MethodTags) -> bool:
    """Return whether the columns are looked at before a method sees them."""
    return tags.handles_dates or _examined.get()


@contextmanager
def named(names: Sequence[Any] | None) -> Iterator[None]:
    """Let the columns of the array that is read next have these names."""
    if isinstance(names, bytes) or not (names is None or isinstance(names, Iterable)):
        raise ParameterError(
            f"names={names!r} was given, but one name per column of X is needed; give a list of texts, or leave it out."
        )
    token = _names.set(None if names is None else tuple(str(name) for name in names))
    try:
        yield
    finally:
        _names.reset(token)


def names_for(where: str, X: Any) -> tuple[str, ...] | None:
    """Return the names of the columns of X: its own, or those that were given beside an array.

    The latter once: what is read later, inside of a method, is another array.
    """
    own = tuple(str(c) for c in X.columns) if is_frame(X) else None
    names = _names.get()
    if names is None:
        return own
    _names.set(None)
    if own is not None:
        raise ParameterError(f"{where} got names beside a data frame, which brings its own; leave names out.")
    width = X.shape[1] if len(getattr(X, "shape", ())) == 2 else np.asarray(X).shape[-1]
    if len(names) != width or len(set(names)) != width:
        raise ParameterError(
            f"{where} got {len(names)} names ({len(set(names))} different ones), but X has {width} columns; give one "
            "name per column, all different."
        )
    return names


def with_target(X: Any, y: Any, weight: Any) -> tuple[Any, Any, Any, np.ndarray | None]:
    """Return the rows of X, y and weights that have a target, and which these are if not all are."""
    if y is None or kind_of(y) != "partly labelled":
        return X, y, weight, None
    here = ~missing_targets(y)
    if not here.any():
        raise InputError(
            f"The target y is missing in all {len(here):,} rows, and rows without it are left out, but at least one is "
            "needed; check the target."
        )
    weight = weight if weight is None or np.ndim(weight) == 0 else counted_rows(weight, here)
    return counted_rows(X, here), present(y), weight, here


def of_all(here: np.ndarray | None, counted: np.ndarray | None) -> np.ndarray | None:
    """Return which of all rows are left where some had no target, and of the others some had weight 0."""
    if here is None or counted is None:
        return counted if here is None else here
    left = here.copy()
    left[here] = counted
    return left


def present(y: Any) -> Any:
    """Return the targets that are there, of the type that they have without the missing ones."""
    if y is None or kind_of(y) != "partly labelled":
        return y
    here = ~missing_targets(y)
    if isinstance(y, np.ma.MaskedArray):
        return y.compressed()
    dtype = getattr(y, "dtype", None)
    if hasattr(dtype, "categories") or type(dtype).__name__ == "Enum":
        return counted_rows(y, here)
    values = np.asarray(y).ravel()[here]
    # Whole numbers beside missing ones are kept as floats or objects.
    values = np.array(values.tolist()) if values.dtype.kind == "O" else values
    whole = values.dtype.kind == "f" and bool(np.all(values == np.trunc(values)) and np.all(np.abs(values) < 2.0**53))
    return values.astype(np.int64) if whole else values


def target_numbers(y: Any, task: str | None) -> tuple[Any, list[str]]:
    """Return a target of texts that are numbers written for people as numbers, and the note on it."""
    named = hasattr(getattr(y, "dtype", None), "categories")
    if y is None or task == "classification" or named or is_frame(y):
        return y, []
    if kind_of(y) not in ("classes", "partly labelled"):
        return y, []
    values = np.asarray(y)
    if values.dtype.kind not in "OU" or values.ndim != 1:
        return y, []
    cells = ["" if is_missing(v) else v for v in values.tolist()]
    if not all(isinstance(v, str) for v in cells):
        return y, []
    texts = NumberTexts(str(getattr(y, "name", None) or "y"))
    levels = list(dict.fromkeys(cells))
    numbers = texts.read(levels, range(len(levels)))
    if numbers is None:
        return y, []
    place = {level: i for i, level in enumerate(levels)}
    return numbers[[place[v] for v in cells]], told([texts])


def words_without_target(n: int, n_rows: int, name: Any) -> str:
    """Return the note on rows that were left out because they have no target."""
    what = "no target" if name is None else f"no target {name!r}"
    return f"{n:,} of {n_rows:,} rows {'has' if n == 1 else 'have'} {what} and {'is' if n == 1 else 'are'} left out."


def with_notes(facts: Mapping[str, Any], notes: Sequence[str], here: np.ndarray | None, name: Any) -> dict[str, Any]:
    """Return the facts about the data with what was learned before they were read."""
    found = {**facts}
    told = [*notes, *facts.get("notes", ())]
    if here is not None:
        n = int(np.count_nonzero(~here))
        found["n_without_target"] = n
        told.append(words_without_target(n, len(here), name))
    return {**found, "notes": told} if told else found
