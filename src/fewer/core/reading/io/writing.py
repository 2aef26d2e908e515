"""Writing columns to delimited text, Parquet, Feather and Arrow, chunk by chunk."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from fewer.core.reading.io.arrow import need_pyarrow
from fewer.core.reading.io.opening import extension
from fewer.core.records.errors import FileError
from fewer.core.records.whole_files import whole_file

_SEPARATORS = {".csv": ",", ".tsv": "\t", ".txt": "\t"}
_ARROW = (".parquet", ".pq", ".feather", ".arrow", ".ipc")

Chunks = Iterable[Mapping[str, Any]]


def is_text(path: Path) -> bool:
    """Return whether cells are written as text, or refuse a format that cannot be written."""
    last = path.suffix.lower()
    if extension(path) in _SEPARATORS and (last in _SEPARATORS or last == ".gz"):
        return True
    if extension(path) not in _ARROW:
        raise FileError(
            f"{path} cannot be written with that extension, but tables are written to "
            f"{', '.join((*_SEPARATORS, *_ARROW))} (text also with .gz); use one of these."
        )
    need_pyarrow(str(path))
    return False


def write_chunks(path: Path, chunks: Chunks, levels: Mapping[str, np.ndarray]) -> None:
    """Write columns, whole or not at all; ``levels`` are the values of dictionary columns in all chunks."""
    with whole_file(path) as temporary:
        if is_text(path):
            _write_text(temporary, path, chunks)
        else:
            _write_arrow(temporary, path, chunks, levels)


def _write_text(temporary: Path, path: Path, chunks: Chunks) -> None:
    opened: Callable[..., Any] = gzip.open if path.suffix.lower() == ".gz" else open
    with opened(temporary, "wt", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=_SEPARATORS[extension(path)], lineterminator="\n")
        header = False
        for chunk in chunks:
            if not header:
                writer.writerow(chunk)
                header = True
            writer.writerows(zip(*map(_cells, chunk.values())))


def _cells(values: Any) -> list[Any]:
    """Values as Python objects; a missing one is None, which is written as an empty cell."""
    if not isinstance(values, np.ndarray):
        return [None if value != value else value for value in values.to_pylist()]
    if values.dtype.kind == "f":
        return [None if value != value else value for value in values.tolist()]
    return values.tolist()


def _write_arrow(temporary: Path, path: Path, chunks: Chunks, levels: Mapping[str, np.ndarray]) -> None:
    import pyarrow as pa

    writer, dictionaries = None, {}
    with _closing() as close:
        for chunk in chunks:
            arrays = {name: _array(values) for name, values in chunk.items()}
            if writer is None:
                dictionaries = {
                    name: _all_levels(array, levels[name])
                    for name, array in arrays.items()
                    if pa.types.is_dictionary(array.type) and name in levels
                }
            for name, dictionary in dictionaries.items():
                arrays[name] = _recoded(arrays[name], dictionary)
            batch = pa.RecordBatch.from_arrays(list(arrays.values()), names=list(arrays))
            if writer is None:
                writer = close(_open_writer(temporary, path, batch.schema))
            writer.write_batch(batch)


@contextmanager
def _closing() -> Iterator[Callable[[Any], Any]]:
    """Close what is handed over, also after an error."""
    from contextlib import ExitStack

    with ExitStack() as stack:
        yield stack.enter_context


def _open_writer(temporary: Path, path: Path, schema: Any) -> Any:
    if extension(path) in (".parquet", ".pq"):
        from pyarrow import parquet

        return parquet.ParquetWriter(temporary, schema)
    from pyarrow import ipc

    compression = "lz4" if extension(path) == ".feather" else None
    return ipc.new_file(str(temporary), schema, options=ipc.IpcWriteOptions(compression=compression))


def _array(values: Any) -> Any:
    import pyarrow as pa

    if not isinstance(values, np.ndarray):
        return values
    # An all-missing chunk of text would otherwise lose its type.
    return pa.array(values, type=pa.string() if values.dtype.kind in "OU" else None, from_pandas=True)


def _all_levels(array: Any, levels: np.ndarray) -> Any:
    """The levels in the order of the file, and after them those that come later in it.

    An Arrow file can hold only one list of levels per column, and it is written with the first rows.
    """
    import pyarrow as pa

    first = array.dictionary.to_pylist()
    known = set(first)
    rest = [level for level in levels.tolist() if level not in known]
    return pa.array(first + rest, type=array.type.value_type)


def _recoded(array: Any, dictionary: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as compute

    values = array.dictionary_decode()
    places = compute.index_in(values, value_set=dictionary, skip_nulls=True)
    ordered = array.type.ordered
    return pa.DictionaryArray.from_arrays(places.cast(pa.int32()), dictionary, ordered=ordered)
