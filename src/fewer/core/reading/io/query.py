"""A query of DuckDB, or a table of one of its databases, read through Arrow batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from fewer.core.reading.io.columnar import ColumnarSource, readable
from fewer.core.reading.io.opening import QUERY
from fewer.core.records.errors import FileError, MissingExtraError, ParameterError, closest
from fewer.core.runners.memory import BATCH_BYTES

PREFIX = QUERY
FORM = "duckdb:FILE?query=SELECT ... or duckdb:FILE?table=NAME"
# What DuckDB may take of a budget; sorting goes to its own temporary files beyond that.
SHARE = 4
MOST_THREADS = 2


class QuerySource(ColumnarSource):
    """The rows of one query, asked again at every pass."""

    def __init__(self, address: str) -> None:
        self._query = _Query(address)
        super().__init__([self._query], self._query.where)
        self.at([] if self._query.path is None else [self._query.path])

    @property
    def n_bytes(self) -> int:
        """About how many bytes the rows take, as the database also holds what was not asked for."""
        return int(self.row_bytes(len(self.features)) * (self.n_rows or 0))

    def chunk_rows(self, n_columns: int) -> int:
        """Return how many rows make a chunk; what DuckDB may take follows from the same budget."""
        self._query.most_bytes = max(2**26, self.batch_bytes * 16 // SHARE) if self.batch_bytes < BATCH_BYTES else None
        return super().chunk_rows(n_columns)


class _Query:
    """One query as the one part of a table."""

    what = "rows of DuckDB"

    def __init__(self, address: str) -> None:
        self.path, asked = _parts(address)
        self.where = f"{PREFIX}{self.path or ''}"
        self.most_bytes: int | None = None
        self._marks: dict[str, tuple[int, ...]] = {}
        with self._connected() as connection:
            self._text = _select(connection, asked, self.where)
            reader = _reader(connection.sql(f"SELECT * FROM ({self._text}\n) LIMIT 0"), 1)
            self.schema = readable(reader.schema)
            counted = connection.execute(f"SELECT count(*) FROM ({self._text}\n)").fetchone()
        self.n_rows: int | None = int(counted[0])
        if self.n_rows == 0:
            raise FileError(f"The query of {self.where} gives no rows, but at least one is needed; ask for others.")

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        """Open the database to be read only; what DuckDB says of the query is told in one sentence."""
        duckdb = need_duckdb(self.where)
        config: dict[str, Any] = {"threads": MOST_THREADS}
        if self.most_bytes is not None:
            config["memory_limit"] = f"{self.most_bytes // 2**20}MiB"
        try:
            to = duckdb.connect(str(self.path or ":memory:"), read_only=self.path is not None, config=config)
            try:
                yield to
            finally:
                to.close()
        except duckdb.Error as error:
            reason = next(iter(str(error).strip().splitlines()), type(error).__name__).rstrip(".")
            raise FileError(
                f"{self.where} could not answer the query ({reason}), but one SELECT of what it holds is needed; "
                "correct the query or the name of the database."
            ) from error

    def read(self, names: Sequence[str], rows: int, numbered: Iterable[str] = ()) -> Iterator[Any]:
        """Ask for columns; raise if their values, or the order of the rows, are not those of the first time."""
        seen = {name: _Marks() for name in names}
        columns = ", ".join(_quoted(name) for name in names)
        with self._connected() as connection:
            for batch in _reader(connection.sql(f"SELECT {columns} FROM ({self._text}\n)"), rows):
                for name, mark in seen.items():
                    mark.add(batch.column(name))
                yield batch
        for name, mark in seen.items():
            if self._marks.setdefault(name, mark.told) != mark.told:
                raise FileError(
                    f"The query of {self.where} gives other values of {name!r}, or another order of rows, "
                    "than when it was first asked, but all passes must see the same; add ORDER BY over columns that "
                    "tell all rows apart, or write its answer to a file."
                )


class _Marks:
    """Checksums of one column, the same however its rows are cut into batches."""

    def __init__(self) -> None:
        self.rows, self._values, self._lengths, self._there = 0, 0, 0, 0

    def add(self, array: Any) -> None:
        """Go on with the next rows."""
        import pyarrow as pa
        import pyarrow.compute as compute

        before, self.rows = self.rows, self.rows + len(array)
        if array.null_count:
            there = compute.is_valid(array).to_numpy(zero_copy_only=False)
            self._there = crc32((np.flatnonzero(~there) + before).tobytes(), self._there)
            array = array.drop_null()
        if pa.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        if pa.types.is_primitive(array.type) and not pa.types.is_boolean(array.type):
            size = array.type.bit_width // 8
            begin = array.offset * size
            self._values = crc32(memoryview(array.buffers()[1])[begin : begin + size * len(array)], self._values)
            return
        texts = array.cast(pa.large_binary() if pa.types.is_binary(array.type) else pa.large_string())
        offsets = np.frombuffer(texts.buffers()[1], np.int64)[texts.offset : texts.offset + len(texts) + 1]
        self._lengths = crc32(np.diff(offsets).tobytes(), self._lengths)
        if len(texts) and texts.buffers()[2] is not None:
            self._values = crc32(memoryview(texts.buffers()[2])[offsets[0] : offsets[-1]], self._values)

    @property
    def told(self) -> tuple[int, ...]:
        """All that was seen."""
        return self.rows, self._values, self._lengths, self._there


def need_duckdb(where: str) -> Any:
    """Import duckdb, or say how to install it."""
    try:
        import duckdb
    except ImportError as error:
        raise MissingExtraError(
            f"{where} can only be read with duckdb, which is not installed; install it with pip install 'fewer[sql]'."
        ) from error
    return duckdb


def _parts(address: str) -> tuple[Path | None, dict[str, str]]:
    """Return the database, None for none, and what is asked of it."""
    path, mark, asked = address[len(PREFIX) :].partition("?")
    word, same, text = asked.partition("=")
    if not mark or not same or word not in ("query", "table") or not text.strip():
        raise ParameterError(f"{address!r} names no query, which is written {FORM}; write it so.")
    if not path and word == "table":
        raise ParameterError(f"{address!r} names a table but no database, which stands before the ?; write {FORM}.")
    if not path:
        return None, {word: text}
    found = Path(path).expanduser()
    if found.exists() and not found.is_file():
        what = "folder" if found.is_dir() else "device or a pipe"
        raise FileError(f"The database {found} is a {what}, but the name of a DuckDB file is expected; check the path.")
    if not found.is_file():
        beside = [] if not found.parent.is_dir() else [other.name for other in found.parent.iterdir()]
        raise FileError(
            f"The database {found} does not exist, but the name of a DuckDB file is expected; check the path and the "
            f"name.{closest(found.name, beside)}"
        )
    return found, {word: text}


def _select(connection: Any, asked: dict[str, str], where: str) -> str:
    """Return the one SELECT that was asked for."""
    if "table" in asked:
        return f"SELECT * FROM {_quoted(asked['table'].strip())}"
    text = asked["query"].strip().rstrip(";")
    kinds = [getattr(one.type, "name", str(one.type)) for one in connection.extract_statements(text)]
    if kinds != ["SELECT"]:
        raise FileError(
            f"The query of {where} is {' and '.join(kinds) or 'empty'}, but one SELECT is needed, as nothing is "
            "written to the database; ask with SELECT ... FROM ... ."
        )
    return text


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _reader(result: Any, rows: int) -> Any:
    """Return the batches of an answer; the function has another name in DuckDB 1."""
    return (getattr(result, "to_arrow_reader", None) or result.fetch_arrow_reader)(rows)
