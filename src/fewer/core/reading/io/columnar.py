"""Parquet, Feather and Arrow files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np

from fewer.core.reading.io.arrow import kind_of, need_pyarrow, number_column, plain_errors, text_column
from fewer.core.reading.io.arrow_dates import as_texts, date_column
from fewer.core.reading.io.arrow_sizes import unpacked_size
from fewer.core.reading.io.batch import Batch
from fewer.core.reading.io.columns import WHOLE, Chunk, ColumnSource
from fewer.core.reading.io.roles import Roles, refuse_duplicates
from fewer.core.reading.io.source import Facts, Source, refuse_other_columns, title
from fewer.core.reading.io.text_columns import DATES, Column
from fewer.core.reading.io.unpacked import refuse_endless
from fewer.core.reading.whole_numbers import LARGEST
from fewer.core.records.errors import FileError
from fewer.core.runners.memory import BATCH_BYTES

# What a byte counts where a batch has a budget: what is made of it may be larger.
BYTE_COUNTS = 2.0


class ColumnarSource(ColumnSource):
    """Files that carry the types of their columns; several files are read one after another."""

    typed = True

    def __init__(self, parts: Sequence[Any], where: str) -> None:
        self.where, self._parts = where, parts
        refuse_duplicates(self._parts[0].schema.names, self.where)
        refuse_other_columns([(str(part.path), part.schema.names) for part in parts])
        self._schema = self._common_schema()
        # pandas saves a row index under such a name; it is no feature.
        self.extra = tuple(name for name in self._schema.names if re.fullmatch(r"__index_level_\d+__", name))
        self.features = tuple(name for name in self._schema.names if name not in self.extra)
        self.kinds = {field.name: kind_of(field.type) for field in self._schema}
        self.nominal = frozenset(field.name for field in self._schema if _is_dictionary(field.type))
        counts = [part.n_rows for part in self._parts]
        self.n_rows = None if None in counts else sum(counts)  # type: ignore[arg-type]

    def _common_schema(self) -> Any:
        """Widen the types of the parts to types that hold all of them."""
        import pyarrow as pa

        schema = self._parts[0].schema
        for part in self._parts[1:]:
            try:
                schema = pa.unify_schemas([schema, part.schema], promote_options="permissive")
            except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
                reason = str(error).splitlines()[0]
                raise FileError(
                    f"{part.path} has a column of another type than {self._parts[0].path} ({reason}), but "
                    "the parts of a table must agree; write them with the same types."
                ) from error
        return schema

    def chunks(self, names: Sequence[str]) -> Iterator[Chunk]:
        """Read columns as numbers or numbered texts."""
        texts = frozenset(name for name in names if self.kinds[name] == "text")
        for arrays in self._arrays(names, texts):
            yield {name: self._column(name, array) for name, array in arrays.items()}

    def chunk_rows(self, n_columns: int) -> int:
        """Return how many rows make a chunk: a batch, which so need not be put together."""
        return self.rows_per_batch(n_columns)

    def _column(self, name: str, array: Any) -> Column:
        if self.kinds[name] == DATES:
            return date_column(array) or text_column(as_texts(array))
        return text_column(array) if self.kinds[name] == "text" else number_column(array)

    def told(self, names: Sequence[str]) -> dict[str, tuple[float, float]]:
        """Return the range of columns of whole numbers without missing values, where Parquet tells it."""
        whole = [name for name in names if self.kinds[name] in WHOLE and name not in self.nominal]
        found: dict[str, tuple[float, float]] = {}
        for part in self._parts:
            here = part.ranges(whole) if whole and hasattr(part, "ranges") else {}
            whole = [name for name in whole if name in here]
            for name in whole:
                low, high = found.get(name, here[name])
                found[name] = min(low, here[name][0]), max(high, here[name][1])
        return {name: found[name] for name in whole}

    def batches(self, roles: Roles, facts: Facts) -> Iterator[Batch]:
        """Read the columns in use; as bytes there are more rows in a batch."""
        wide = self._wide(roles, facts)
        return super(ColumnarSource, wide).batches(roles, facts)

    def rows_of_batches(self, roles: Roles, facts: Facts) -> int:
        """Return how many rows the batches have."""
        return self._wide(roles, facts).rows_per_batch(len(roles.features))

    def _wide(self, roles: Roles, facts: Facts) -> ColumnarSource:
        """Return the same source with the rows of a batch that its columns ask for."""
        if self._type_of(roles, facts) is np.float64:
            return self
        wide = copy(self)
        wide.value_bytes = BYTE_COUNTS
        return wide

    def pieces(self) -> list[Source] | None:
        """Return one source for every row group of Parquet files; Arrow files are one piece each."""
        found: list[Source] = []
        for piece in (piece for part in self._parts for piece in part.pieces()):
            one = copy(self)
            one._parts, one.n_rows = [piece], piece.n_rows
            one.at([piece.path])
            found.append(one)
        return found

    def originals(self, names: Sequence[str], typed: bool) -> Iterator[dict[str, Any]]:
        """Read columns with the types of the file."""
        return self._arrays(names, frozenset())

    def _arrays(self, names: Sequence[str], numbered: frozenset[str]) -> Iterator[dict[str, Any]]:
        """Read columns with the types of the file; texts of some may be numbered as the file numbers them."""
        types = {name: self._schema.field(name).type for name in names}
        for part in self._parts:
            with plain_errors(str(part.path), part.what):
                for batch in part.read(names, self.chunk_rows(len(names)), numbered):
                    arrays = zip(names, batch.select(list(names)).columns)
                    yield {
                        name: array
                        if array.type == types[name] or (name in numbered and _is_dictionary(array.type))
                        else array.cast(types[name])
                        for name, array in arrays
                    }


def open_columnar(paths: Sequence[Path], format_: str, keys: Sequence[Mapping[str, str]] = ()) -> ColumnarSource:
    """Open files of columns; keys are the columns, one mapping per file, whose values stand in names of folders."""
    where = title(paths)
    need_pyarrow(where)
    made = _ParquetPart if format_ == "Parquet" else _ArrowPart
    parts: list[Any] = [made(path) for path in paths]
    if any(keys):
        from fewer.core.reading.io.partitions import keyed_parts

        parts = keyed_parts(parts, keys)
    return ColumnarSource(parts, where)


def _is_dictionary(type_: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_dictionary(type_))


def readable(schema: Any) -> Any:
    """Return a schema without what other programs noted in it; raise UnicodeError if its names are no text."""
    return schema.remove_metadata() if schema.names else schema


def _told(column: Any) -> tuple[int, int] | None:
    """Return the smallest and the largest number of a column of a row group, None if it does not tell them exactly."""
    known = column.statistics
    if known is None or not known.has_min_max or not known.has_null_count or known.null_count:
        return None
    exact = all(getattr(known, name, None) in (True, None) for name in ("is_min_value_exact", "is_max_value_exact"))
    low, high = known.min, known.max
    if not exact or not isinstance(low, int) or not isinstance(high, int) or max(abs(low), abs(high)) > LARGEST:
        return None
    return int(low), int(high)


class _ParquetPart:
    what = "Parquet"
    # Which row groups are read; all of them if None.
    groups: list[int] | None = None

    def __init__(self, path: Path) -> None:
        self.path = path
        with plain_errors(str(path), self.what), self._open(1) as file:
            self.schema = readable(file.schema_arrow)
            self.n_rows: int | None = file.metadata.num_rows
            groups = map(file.metadata.row_group, range(file.metadata.num_row_groups))
            refuse_endless(path, sum(group.total_byte_size for group in groups), "write it without compression")

    def _open(self, n_columns: int, numbered: Iterable[str] = ()) -> Any:
        from pyarrow import parquet

        # Pages are read as they are needed, so that memory does not grow with the size of a row group; every
        # column has its own buffer.
        buffer = max(2**13, min(2**20, BATCH_BYTES // n_columns))
        return parquet.ParquetFile(
            self.path, pre_buffer=False, buffer_size=buffer, read_dictionary=sorted(numbered) or None
        )

    def read(self, names: Sequence[str], rows: int, numbered: Iterable[str] = ()) -> Iterator[Any]:
        """Read columns batch by batch, some with their texts numbered as in the file."""
        with self._open(len(names), numbered) as file:
            chosen = {} if self.groups is None else {"row_groups": self.groups}
            for batch in file.iter_batches(batch_size=rows, columns=list(names), use_threads=False, **chosen):
                # Places in a dictionary of texts are read as they stand, also outside it.
                batch.validate(full=True)
                yield batch

    def ranges(self, names: Sequence[str]) -> dict[str, tuple[float, float]]:
        """Return the range of columns of which each row group tells it, whole numbers of which none is missing."""
        found: dict[str, tuple[float, float]] = {}
        with plain_errors(str(self.path), self.what), self._open(1) as file:
            known = file.metadata
            if known.num_columns != len(self.schema.names):
                # Columns within columns have numbers of their own.
                return {}
            groups = range(known.num_row_groups) if self.groups is None else self.groups
            own = [known.row_group(number) for number in groups]
            for name in names:
                place = self.schema.get_field_index(name)
                told = [_told(group.column(place)) for group in own if group.num_rows]
                if told and None not in told:
                    lows, highs = zip(*told)  # type: ignore[misc]
                    found[name] = float(min(lows)), float(max(highs))
        return found

    def pieces(self) -> list[_ParquetPart]:
        """Return the row groups that have rows."""
        with plain_errors(str(self.path), self.what), self._open(1) as file:
            sizes = [file.metadata.row_group(number).num_rows for number in range(file.metadata.num_row_groups)]
        found = []
        for number in (number for number, size in enumerate(sizes) if size):
            one = copy(self)
            one.path, one.groups, one.n_rows = self.path.absolute(), [number], sizes[number]
            found.append(one)
        return found


class _ArrowPart:
    what = "Feather or Arrow"

    def __init__(self, path: Path) -> None:
        self.path = path
        self.n_rows: int | None = None
        with plain_errors(str(path), self.what), self._open() as reader:
            self.schema = readable(reader.schema)
            refuse_endless(path, unpacked_size(path), "write it without compression")

    def read(self, names: Sequence[str], rows: int, numbered: Iterable[str] = ()) -> Iterator[Any]:
        """Read columns batch by batch; large batches are cut without copying."""
        with self._open(sorted(self.schema.get_field_index(name) for name in names)) as reader:
            count = getattr(reader, "num_record_batches", None)
            for batch in reader if count is None else map(reader.get_batch, range(count)):
                # A damaged file may tell of places outside its memory; nothing may read them.
                batch.validate(full=True)
                for start in range(0, batch.num_rows, rows):
                    yield batch.slice(start, rows)

    def pieces(self) -> list[_ArrowPart]:
        """Return the file itself."""
        one = copy(self)
        one.path = self.path.absolute()
        return [one]

    @contextmanager
    def _open(self, places: list[int] | None = None) -> Iterator[Any]:
        """Open the file format (which Feather is) or, where it is not that, the stream format."""
        from pyarrow import ArrowInvalid, OSFile, ipc

        options = ipc.IpcReadOptions(included_fields=places)
        # Not mapped: a mapped file that shrinks while it is read ends the process.
        with OSFile(str(self.path)) as file:
            try:
                reader = ipc.open_file(file, options=options)
            except ArrowInvalid:
                if file.read_at(6, 0) == b"ARROW1":  # the file format, but cut off
                    raise
                file.seek(0)
                reader = ipc.open_stream(file, options=options)
            yield reader
