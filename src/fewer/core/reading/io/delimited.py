"""CSV, TSV and other delimited text, plain or compressed."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fewer.core.reading.io.arrow import need_pyarrow, parse, plain_errors, text_column, whole_numbers
from fewer.core.reading.io.columns import Chunk, ColumnSource
from fewer.core.reading.io.encodings import MOST_BYTES, MOST_PACKED, UTF8, encoding_of, told_encoding
from fewer.core.reading.io.roles import refuse_duplicates
from fewer.core.reading.io.source import refuse_other_columns, title
from fewer.core.reading.io.text_columns import Column
from fewer.core.reading.io.unpacked import Unpacked
from fewer.core.reading.whole_numbers import LARGEST, exact_of
from fewer.core.records.errors import FileError, InputError

PACKED = (".gz", ".bz2", ".zst")
_DATES = "dates or times"
_BLOCK_BYTES = (4 * 2**20, 64 * 2**20)


class DelimitedSource(ColumnSource):
    """Delimited text whose column types are found while it is read.

    Every cell is read as text and then as a number, a boolean or a date; a type found in one chunk widens
    when a later chunk does not fit, so that no column is misread for its beginning.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        delimiter: str | None,
        decimal: str | None = None,
        encoding: str | None = None,
    ) -> None:
        self.where, self.decimal = title(paths), decimal
        need_pyarrow(self.where)
        self._parts = [_Part(path, delimiter, encoding) for path in paths]
        self.notes = tuple(dict.fromkeys(note for part in self._parts for note in part.notes))
        self.features = self._parts[0].names
        refuse_duplicates(self.features, self.where)
        refuse_other_columns([(str(part.path), part.names) for part in self._parts])
        self.kinds = {}
        self._found: dict[str, str | None] = dict.fromkeys(self.features)

    def chunks(self, names: Sequence[str]) -> Iterator[Chunk]:
        """Read columns in blocks of the file."""
        for texts in self._texts(names):
            yield {name: self._column(name, texts.column(i)) for i, name in enumerate(names)}
        self.kinds.update((name, self.kind_of(name)) for name in names)

    def kind_of(self, name: str) -> str:
        """Return what a column holds, as far as it was read; one without any value is taken for numbers."""
        return self._found[name] or "number"

    def originals(self, names: Sequence[str], typed: bool) -> Iterator[dict[str, Any]]:
        """Read the cells as they stand, or with the types found."""
        for texts in self._texts(names):
            columns = dict(zip(names, texts.columns))
            yield {name: self._typed(name, cells) for name, cells in columns.items()} if typed else columns

    def _texts(self, names: Sequence[str]) -> Iterator[Any]:
        for part in self._parts:
            with plain_errors(str(part.path), "delimited text"):
                yield from part.read(names)

    def _column(self, name: str, texts: Any) -> Column:
        """Read one chunk; its type and the type found so far widen to one that holds both."""
        before = self._found[name]
        if before == "text" or (self.decimal == "," and _has_points(texts)):
            # With decimal commas a point is no part of a number as programs write it.
            self._found[name] = "text"
            return text_column(texts)
        kind, values = _read_cells(texts, before, settled=name in self.kinds)
        after = kind if before is None or kind == before else _widened(before, kind)
        self._found[name] = after
        if values is None or after in ("text", _DATES):
            return text_column(texts)
        return Column(values, boolean=after == "boolean", exact=_exact_cells(texts, values))

    def _typed(self, name: str, texts: Any) -> Any:
        import pyarrow as pa
        import pyarrow.compute as compute

        types = {"integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_()}
        if self.kinds[name] in types:
            return parse(texts, types[self.kinds[name]])
        return compute.if_else(compute.equal(texts, ""), pa.scalar(None, pa.string()), texts)


def _read_cells(texts: Any, before: str | None, settled: bool) -> tuple[str | None, np.ndarray | None]:
    """Return what a chunk holds (None: nothing but missing values) and its numbers, if it holds such."""
    import pyarrow as pa
    import pyarrow.compute as compute

    numbers = None if before == "boolean" and settled else parse(texts, pa.float64())
    if numbers is not None:
        values = numbers.to_numpy(zero_copy_only=False)
        if before == "number" or settled:
            return before, values
        present = values[~np.isnan(values)]
        if not len(present):
            return None, values
        whole = np.all(present == np.trunc(present)) and parse(texts, pa.int64()) is not None
        return ("integer" if whole else "number"), values
    truths = parse(texts, pa.bool_())
    # pyarrow reads 0 and 1 as booleans too, but here they are numbers, and numbers beside booleans are text.
    digits = compute.is_in(compute.utf8_trim_whitespace(texts), value_set=pa.array(["0", "1"]))
    if truths is not None and not compute.any(digits).as_py():
        return "boolean", truths.cast(pa.float64()).to_numpy(zero_copy_only=False)
    dates = any(parse(texts, pa.timestamp("us", zone)) is not None for zone in (None, "UTC"))
    return (_DATES if dates else "text"), None


def _has_points(texts: Any) -> bool:
    import pyarrow.compute as compute

    return bool(compute.any(compute.match_substring(texts, ".")).as_py())


def _exact_cells(texts: Any, values: np.ndarray) -> np.ndarray | None:
    """Return the whole numbers of a chunk as they are, if floats change them."""
    import pyarrow as pa

    with np.errstate(invalid="ignore"):
        if not np.any(np.abs(values) >= LARGEST):
            return None
    for type_ in (pa.int64(), pa.uint64()):
        parsed = parse(texts, type_)
        if parsed is not None:
            return exact_of(whole_numbers(parsed))
    return None


def _widened(before: str, kind: str | None) -> str:
    if kind is None:
        return before
    return "number" if {before, kind} == {"integer", "number"} else "text"


class _Part:
    """One file: its header, its separator and how to read it."""

    def __init__(self, path: Path, delimiter: str | None, encoding: str | None = None) -> None:
        self.path = path
        self.notes: list[str] = []
        with plain_errors(str(path), "delimited text"):
            most = MOST_PACKED if path.suffix.lower() in PACKED else MOST_BYTES
            self.encoding = encoding_of(self._open, encoding, str(path), most)
            self.notes += told_encoding(self.encoding, encoding)
            try:
                start = _beginning(self._open(), self.encoding)
                if "\0" in start:
                    raise FileError(
                        f"{path} holds binary data, but delimited text is expected; check the file, its extension and "
                        "its encoding."
                    )
                if not start.strip():
                    raise InputError(
                        f"{path} is empty, but a line of column names and rows are needed; check the file."
                    )
                self.delimiter = delimiter or _sniff(start, path)
                self._read_header()
            except UnicodeError as error:
                raise FileError(
                    f"{path} holds bytes that are not {self.encoding.upper()} text; name its encoding with encoding=, "
                    "or save it as UTF-8."
                ) from error

    def _open(self) -> Any:
        import pyarrow as pa

        stream = pa.input_stream(str(self.path), compression="detect")
        if self.path.suffix.lower() not in PACKED:
            return stream
        return io.BufferedReader(Unpacked(stream, self.path), 2**20)

    def _read_header(self) -> None:
        with io.TextIOWrapper(self._open(), _without_mark(self.encoding), newline="") as text:
            self._blank_lines, header, first = 0, [], []
            try:
                lines = csv.reader(text, delimiter=self.delimiter)
                for header in lines:
                    if header:
                        break
                    self._blank_lines += 1
                first = next((line for line in lines if len(line) > 1 or any(map(str.strip, line))), [])
            except csv.Error as error:
                raise FileError(
                    f"{self.path} has a first line that cannot be read ({error}), but column names separated "
                    f"by {self.delimiter!r} are expected; correct that line."
                ) from error
            if len(first) == len(header) + 1 and first[-1].strip():
                # As R writes row names: the line of names has none for them.
                header = ["", *header]
            self.names = tuple(name.strip() or f"unnamed_{i}" for i, name in enumerate(header))
            if not header[0].strip():
                self.notes.append(f"The first column has no name and is called {self.names[0]!r}.")
            if not first:
                raise InputError(
                    f"{self.path} has a line of column names but no rows, and at least one is needed; check "
                    "how it was made."
                )
        # A block must hold several rows, and rows are about as long as the header.
        smallest, largest = _BLOCK_BYTES
        self._block = min(max(smallest, 256 * sum(len(name) + 1 for name in self.names)), largest)

    def read(self, names: Sequence[str]) -> Iterator[Any]:
        """Read columns as text."""
        import pyarrow as pa
        from pyarrow import csv as reader

        yield from reader.open_csv(
            self._open(),
            # One thread, because only then do errors say in which row they are.
            read_options=reader.ReadOptions(
                use_threads=False,
                encoding=_without_mark(self.encoding) if self.encoding != UTF8 else "utf8",
                block_size=self._block,
                column_names=self.names,
                skip_rows=self._blank_lines,
                skip_rows_after_names=1,
            ),
            parse_options=reader.ParseOptions(delimiter=self.delimiter, newlines_in_values=True),
            convert_options=reader.ConvertOptions(
                column_types=dict.fromkeys(self.names, pa.string()), include_columns=list(names)
            ),
        )


def _without_mark(encoding: str) -> str:
    """Return the encoding that leaves out a mark at the beginning."""
    return "utf-8-sig" if encoding == UTF8 else encoding


def _beginning(file: Any, encoding: str) -> str:
    """Return the first text of a file, whose last letter may be cut."""
    with file:
        decoder = codecs.getincrementaldecoder(_without_mark(encoding))()
        return decoder.decode(file.read(64 * 1024))


def _sniff(start: str, path: Path) -> str:
    """Find the separator: the one that the first two lines have equally often, and most often; else by the first line.

    By the first line a comma separates in a .csv file that has one, else the most frequent mark.
    """
    lines = [re.sub(r'"[^"]*"', "", line) for line in start.lstrip("\r\n").splitlines() if line.strip()][:2]
    counts = [{mark: line.count(mark) for mark in ",\t;|"} for line in lines] or [dict.fromkeys(",\t;|", 0)]
    alike = {mark: n for mark, n in counts[0].items() if n and len(counts) > 1 and n == counts[1][mark]}
    if alike:
        return max(alike, key=lambda mark: alike[mark])
    if ".csv" in path.suffixes and counts[0][","]:
        return ","
    best = max(counts[0], key=lambda mark: counts[0][mark])
    plain = " " in lines[0].strip() and ".csv" not in path.suffixes if lines else False
    return best if counts[0][best] else " " if plain else ","
