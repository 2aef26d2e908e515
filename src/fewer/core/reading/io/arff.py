"""ARFF files, dense and sparse, read line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from fewer.core.reading.io.columns import Chunk, ColumnSource
from fewer.core.reading.io.encodings import UTF8, encoding_of, told_encoding
from fewer.core.reading.io.roles import refuse_duplicates
from fewer.core.reading.io.text_columns import MISSING_WORDS, Column
from fewer.core.reading.whole_numbers import LARGEST, exact_of
from fewer.core.records.errors import FileError

_QUOTED = r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\""""
_ATTRIBUTE = re.compile(rf"@attribute\s+(?:{_QUOTED}|([^\s{{]+))\s*(.+)", re.IGNORECASE)
_CELL = re.compile(rf"\s*(?:{_QUOTED}|([^,]*))\s*")
_PLACED_CELL = re.compile(rf"\s*(\d+)\s+(?:{_QUOTED}|([^,]*))\s*")
_CHUNK_CELLS = 2**18  # cells are Python objects for a while, of ten times the size of a number
_KINDS = {"numeric": "number", "real": "number", "integer": "integer", "string": "text"}

Cells = list["str | None"]


@dataclass(frozen=True)
class _Attribute:
    name: str
    kind: str
    levels: tuple[str, ...] | None = None

    @property
    def unstored(self) -> str:
        """The value that a sparse row leaves out: 0, or the first level."""
        return "0" if self.levels is None else self.levels[0]


class ArffSource(ColumnSource):
    """An ARFF file; its header says what the columns hold."""

    declares_text = True

    def __init__(self, path: Path, encoding: str | None = None) -> None:
        self.where, self._path = str(path), path
        self._encoding = encoding_of(partial(path.open, "rb"), encoding, self.where)
        self.notes = tuple(told_encoding(self._encoding, encoding))
        with self._open() as file:
            self._attributes = list(_read_header(file, self.where))
        self.features = tuple(attribute.name for attribute in self._attributes)
        refuse_duplicates(self.features, self.where)
        self.kinds = {attribute.name: attribute.kind for attribute in self._attributes}
        self._place = {name: j for j, name in enumerate(self.features)}

    def chunks(self, names: Sequence[str]) -> Iterator[Chunk]:
        """Read columns as numbers or numbered texts."""
        for lines, columns in self._cells(names):
            yield {name: self._column(name, cells, lines) for name, cells in columns.items()}

    def originals(self, names: Sequence[str], typed: bool) -> Iterator[dict[str, Any]]:
        """Read the cells as they stand, or numbers as float64."""
        for lines, columns in self._cells(names):
            yield {
                name: _as_given(self._column(name, cells, lines))
                if typed and self.kinds[name] != "text"
                else np.array([*cells, None], dtype=object)[:-1]
                for name, cells in columns.items()
            }

    def _open(self) -> TextIO:
        return open(self._path, encoding="utf-8-sig" if self._encoding == UTF8 else self._encoding)

    def _cells(self, names: Sequence[str]) -> Iterator[tuple[list[int], dict[str, Cells]]]:
        """Yield line numbers and the cells of columns."""
        places = [self._place[name] for name in names]
        rows = max(1, _CHUNK_CELLS // len(self._attributes))
        try:
            with self._open() as file:
                read = self._rows(file)
                while chunk := list(islice(read, rows)):
                    lines = [number for number, _ in chunk]
                    yield lines, {name: [row[j] for _, row in chunk] for name, j in zip(names, places)}
        except UnicodeError as error:
            raise _other_encoding(self.where) from error

    def _rows(self, file: TextIO) -> Iterator[tuple[int, Cells]]:
        numbered = enumerate(file, start=1)
        for _, line in numbered:
            if line.strip().lower().startswith("@data"):
                break
        for number, line in numbered:
            line = line.strip()
            if not line or line.startswith("%"):
                continue
            row = self._sparse_row(line, number) if line.startswith("{") else _split(line)
            if row is None or len(row) != len(self._attributes):
                got = "quotes that do not match" if row is None else f"{len(row)} cells"
                raise FileError(
                    f"{self.where} has {got} in line {number}, but {len(self._attributes)} attributes are "
                    "declared; correct that line."
                )
            yield number, row

    def _sparse_row(self, line: str, number: int) -> Cells:
        row: Cells = [attribute.unstored for attribute in self._attributes]
        inside = line[1:].removesuffix("}").strip()
        place = 0
        while place < len(inside):
            match = _PLACED_CELL.match(inside, place)
            if match is None or int(match[1]) >= len(row) or inside[match.end() : match.end() + 1] not in ("", ","):
                raise FileError(
                    f"{self.where} has a sparse row in line {number} that cannot be read, but 'place value' "
                    f"pairs with places from 0 to {len(row) - 1} are expected; correct that line."
                )
            row[int(match[1])] = _value(match.groups()[1:])
            place = match.end() + 1
        return row

    def _column(self, name: str, cells: Cells, lines: list[int]) -> Column:
        attribute = self._attributes[self._place[name]]
        if attribute.kind != "text":
            values = np.array([self._number(name, cell, lines, i) for i, cell in enumerate(cells)])
            return Column(values, exact=_exact_cells(cells, values))
        if attribute.levels is None:
            levels: dict[str, int] = {}
            places = [-1 if not cell else levels.setdefault(cell, len(levels)) for cell in cells]
            return Column(np.array(places, dtype=np.int64), list(levels))
        known: dict[str | None, int] = {level: i for i, level in enumerate(attribute.levels)} | {None: -1}
        for i, cell in enumerate(cells):
            if cell not in known:
                raise FileError(
                    f"{self.where} has the value {cell!r} for {name!r} in line {lines[i]}, but only the "
                    f"declared {', '.join(attribute.levels[:8])} are allowed; declare the value or correct "
                    "it."
                )
        return Column(np.array([known[cell] for cell in cells], dtype=np.int64), attribute.levels)

    def _number(self, name: str, cell: str | None, lines: list[int], i: int) -> float:
        try:
            return float(cell) if cell is not None and cell not in MISSING_WORDS else np.nan
        except ValueError:
            raise FileError(
                f"{self.where} has the value {cell!r} for {name!r} in line {lines[i]}, but that attribute is "
                "declared numeric; correct the value or the declaration."
            ) from None


def _exact_cells(cells: Cells, values: np.ndarray) -> np.ndarray | None:
    """Return the whole numbers of a chunk as they are, if floats change them."""
    with np.errstate(invalid="ignore"):
        if not np.any(np.abs(values) >= LARGEST):
            return None
    try:
        return exact_of(np.array([int(cell or 0) if there else 0 for cell, there in zip(cells, values == values)]))
    except ValueError:
        return None


def _as_given(column: Column) -> np.ndarray:
    there = column.values == column.values
    return column.exact if column.exact is not None and there.all() else column.values


def _read_header(file: TextIO, where: str) -> Iterator[_Attribute]:
    found = False
    try:
        for number, line in enumerate(file, start=1):
            line = line.strip()
            word = line.lower()
            if word.startswith("@data"):
                break
            if word.startswith("@attribute"):
                found = True
                yield _read_attribute(line, number, where)
            elif line and not word.startswith(("%", "@relation")):
                raise FileError(
                    f"{where} has a header line {number} that is not ARFF, but only @relation, @attribute, "
                    "@data and comments are allowed there; check the file."
                )
        else:
            found = False
    except UnicodeError as error:
        raise _other_encoding(where) from error
    if not found:
        raise FileError(f"{where} has no @attribute or no @data line, but an ARFF file needs both; check the file.")


def _read_attribute(line: str, number: int, where: str) -> _Attribute:
    match = _ATTRIBUTE.match(line)
    type_ = match[4].strip() if match else ""
    if match and type_.startswith("{") and type_.endswith("}"):
        levels = _split(type_[1:-1])
        if levels:
            return _Attribute(_value(match.groups()[:3]) or "", "text", tuple(level or "?" for level in levels))
    word = type_.lower().split()[0] if type_ else ""
    kind = _KINDS.get(word) or {"date": "dates or times", "relational": "relational values"}.get(word)
    if match is None or kind is None:
        raise FileError(
            f"{where} has an attribute in line {number} that cannot be read, but a name and numeric, real, "
            "integer, string, date or {levels} are expected; correct that line."
        )
    return _Attribute(_value(match.groups()[:3]) or "", kind)


def _split(line: str) -> Cells | None:
    """Cut a line at its commas; None where quotes do not match."""
    if "'" not in line and '"' not in line:
        return [None if cell in ("?", "") else cell for cell in map(str.strip, line.split(","))]
    cells: Cells = []
    place = 0
    while True:
        match = _CELL.match(line, place)
        assert match is not None  # the last alternative takes anything
        cells.append(_value(match.groups()))
        place = match.end() + 1
        if match.end() == len(line):
            return cells
        if line[match.end()] != ",":
            return None


def _value(groups: Sequence[str | None]) -> str | None:
    """Take the quoted or the plain text of a match; a plain ``?`` is a missing value."""
    single, double, plain = groups
    quoted = single if single is not None else double
    if quoted is not None:
        return re.sub(r"\\(.)", r"\1", quoted)
    plain = (plain or "").strip()
    return None if plain in ("?", "") else plain


def _other_encoding(where: str) -> FileError:
    return FileError(
        f"{where} holds bytes that are no text in its encoding; name that with encoding=, or save the file as UTF-8."
    )
