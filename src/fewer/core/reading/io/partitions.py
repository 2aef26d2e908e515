"""Folders of parts: plain ones, patterns, and those whose names say what all rows inside have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from fewer.core.records.errors import FileError

# What the parts of a folder may be; they are all of one line.
PARTS = ((".parquet", ".pq"), (".feather", ".arrow", ".ipc"))
# How Hive, Spark and pyarrow write that a value is missing.
NO_VALUE = "__HIVE_DEFAULT_PARTITION__"


def is_pattern(path: Path) -> bool:
    """Return whether a path stands for the files that fit it, as data/*.parquet does."""
    return any(mark in path.name for mark in "*?[") and not path.exists()


def files_of_pattern(path: Path) -> list[Path]:
    """Return the files whose names fit, part.2 before part.10."""
    found = sorted((one for one in path.parent.glob(path.name) if one.is_file()), key=_natural)
    if not found:
        raise FileError(f"No file is called like {path}, but at least one is needed; check the folder and the pattern.")
    return found


def parts_of_folder(folder: Path) -> tuple[list[Path], list[dict[str, str]]]:
    """Return the files of a folder and of those inside called name=value, and what these say of each file."""
    every = sorted((one for one in _inside(folder) if one.is_file()), key=lambda one: _natural(one.relative_to(folder)))
    for endings in PARTS:
        found = [one for one in every if one.suffix.lower() in endings]
        if found:
            return found, [_keys(one.relative_to(folder)) for one in found]
    raise FileError(
        f"{folder} is a folder without .parquet files, but a file or a folder of Parquet or Arrow parts is "
        "expected; name the file inside it."
    )


def _inside(folder: Path) -> Iterator[Path]:
    for one in folder.iterdir():
        if one.name[0] in "._":
            continue
        if one.is_dir() and "=" in one.name:
            yield from _inside(one)
        else:
            yield one


def _keys(path: Path) -> dict[str, str]:
    pairs = (folder.partition("=")[::2] for folder in path.parts[:-1])
    return {unquote(name): unquote(value) for name, value in pairs}


def _natural(path: Path) -> list[tuple[bool, int, str]]:
    """Sort part.2 before part.10."""
    pieces = re.split(r"(\d+)", str(path))
    return [(piece.isdecimal(), int(piece) if piece.isdecimal() else 0, piece) for piece in pieces]


def keyed_parts(parts: Sequence[Any], keys: Sequence[Mapping[str, str]]) -> list[Any]:
    """Return the parts with columns beside their own for what the names of their folders say."""
    names = list(dict.fromkeys(name for one in keys for name in one))
    for part, one in zip(parts, keys):
        if set(one) != set(names) or set(names) & set(part.schema.names):
            raise FileError(
                f"{part.path} stands in folders that name {', '.join(one) or 'no columns'}, but all parts must be in "
                f"folders that name {', '.join(names)}, none of which is also a column inside; move or rename it."
            )
    whole = {name: all(_is_whole(one[name]) for one in keys) for name in names}
    return [
        _KeyedPart(part, {name: _value(one[name], whole[name]) for name in names}, whole)
        for part, one in zip(parts, keys)
    ]


def _is_whole(text: str) -> bool:
    # 007 is a name.
    return text == NO_VALUE or re.fullmatch(r"-?(0|[1-9]\d{0,17})", text) is not None


def _value(text: str, whole: bool) -> int | str | None:
    return None if text == NO_VALUE else int(text) if whole else text


class _KeyedPart:
    """A part whose rows have some values in common, which are not written in it."""

    def __init__(self, part: Any, values: Mapping[str, Any], whole: Mapping[str, bool]) -> None:
        import pyarrow as pa

        self._part, self._values = part, values
        self._types = {name: pa.int64() if whole[name] else pa.string() for name in values}
        self.path, self.what, self.n_rows = part.path, part.what, part.n_rows
        self.schema = part.schema
        for name, type_ in self._types.items():
            self.schema = self.schema.append(pa.field(name, type_))

    def read(self, names: Sequence[str], rows: int, numbered: Iterable[str] = ()) -> Iterator[Any]:
        """Read columns batch by batch; a column that was not asked for may tell how many rows there are."""
        import pyarrow as pa

        own = [name for name in names if name not in self._values] or self._part.schema.names[:1]
        for batch in self._part.read(own, rows, [name for name in numbered if name not in self._values]):
            beside = {name: self._column(name, batch.num_rows) for name in names if name in self._values}
            columns = {name: beside[name] if name in beside else batch.column(name) for name in names}
            yield pa.RecordBatch.from_arrays(list(columns.values()), names=list(columns))

    def pieces(self) -> list[_KeyedPart]:
        """Return pieces of the part, with the same values."""
        found = []
        for piece in self._part.pieces():
            one = copy(self)
            one._part, one.path, one.n_rows = piece, piece.path, piece.n_rows
            found.append(one)
        return found

    def _column(self, name: str, n_rows: int) -> Any:
        import pyarrow as pa

        value, type_ = self._values[name], self._types[name]
        if value is None:
            return pa.nulls(n_rows, type_)
        if pa.types.is_integer(type_):
            return pa.array(np.full(n_rows, value, np.int64))
        return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n_rows, np.int32)), pa.array([value])).cast(type_)
