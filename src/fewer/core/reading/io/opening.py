"""From a path to a source: which format a file has, and whether it can be read at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fewer.core.reading.io.arrow import need_pyarrow
from fewer.core.reading.io.builtin import builtin_source, is_builtin
from fewer.core.reading.io.fasta import is_sequence_file
from fewer.core.reading.io.partitions import files_of_pattern, is_pattern, parts_of_folder
from fewer.core.reading.io.source import Source
from fewer.core.records.errors import FileError, InputTypeError, ParameterError, closest

FORMATS = {
    ".csv": "delimited",
    ".tsv": "delimited",
    ".txt": "delimited",
    ".parquet": "Parquet",
    ".pq": "Parquet",
    ".feather": "Arrow",
    ".arrow": "Arrow",
    ".ipc": "Arrow",
    ".arff": "ARFF",
    ".svm": "svmlight",
    ".svmlight": "svmlight",
    ".libsvm": "svmlight",
    ".npz": "npz",
}
COMPRESSED = (".gz", ".bz2", ".zst")
SEVERAL = ("delimited", "Parquet", "Arrow")  # formats whose tables may lie in several files


def extension(path: Path) -> str:
    """Return the extension that says the format; delimited text may be compressed."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if len(suffixes) > 1 and suffixes[-1] in COMPRESSED and FORMATS.get(suffixes[-2]) == "delimited":
        return suffixes[-2]
    return suffixes[-1] if suffixes else ""


QUERY = "duckdb:"


def is_query(path: Any) -> bool:
    """Return whether a text names a query of DuckDB and not a file."""
    return isinstance(path, str) and path.startswith(QUERY)


def database_of(path: Any) -> Path | None:
    """Return the file of the database that a query is for; None for other things, and for a query without one."""
    name = path[len(QUERY) :].partition("?")[0] if is_query(path) else ""
    return Path(name) if name else None


PathOrPaths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


@dataclass(frozen=True)
class Dialect:
    """How a text file is written, where the caller says it; None is found out."""

    sep: str | None = None
    decimal: str | None = None
    encoding: str | None = None

    def __post_init__(self) -> None:
        if self.decimal not in (None, ".", ","):
            raise ParameterError(
                f"decimal={self.decimal!r} cannot begin a fraction, but '.' and ',' can; give one of them or leave it "
                "out."
            )
        if self.separator is not None and (len(self.separator) != 1 or self.separator in '"\n\r'):
            raise ParameterError(
                f"sep={self.sep!r} cannot separate cells, but one letter such as ',', ';' or '|' can, and the words "
                "tab and space; give one of them or leave it out."
            )
        if self.sep is not None and self.separator == self.decimal:
            raise ParameterError(
                f"sep={self.sep!r} and decimal={self.decimal!r} are the same, but a cell must end otherwise than a "
                "fraction begins; change one of them."
            )

    @property
    def separator(self) -> str | None:
        """The separator as a letter."""
        return self.sep if self.sep is None else {"tab": "\t", "\\t": "\t", "space": " "}.get(self.sep, self.sep)

    def refuse(self, names: Sequence[str], where: str, format_: str) -> None:
        """Raise if something was said that means nothing in a format."""
        for name in names:
            if getattr(self, name) is not None:
                raise ParameterError(
                    f"{name}={getattr(self, name)!r} was given for {where}, but only files of "
                    f"{'delimited text' if name == 'sep' else 'text'} have it, and this is {format_}; leave it out."
                )


def open_tables(
    path: PathOrPaths, dialect: Dialect, transpose: bool = False, join: PathOrPaths | None = None, on: str | None = None
) -> Source:
    """Open a table, exchange its rows and columns if told so, and join another one if one is named."""
    source = open_source(path, dialect)
    if transpose:
        from fewer.core.reading.io.transposed import transposed

        source = transposed(source)
    if join is not None:
        from fewer.core.reading.io.joined import JoinedSource

        return JoinedSource(source, open_source(join, dialect), on)
    if on is not None:
        raise ParameterError(f"on={on!r} names a key for {source.where}, but join= was not given; name a second table.")
    return source


def open_source(path: PathOrPaths, dialect: Dialect | None = None) -> Source:
    """Open a file, a folder of parts, a list of files, a query, or a data set that scikit-learn ships."""
    dialect = dialect or Dialect()
    if is_builtin(path):
        dialect.refuse(("sep", "decimal", "encoding"), str(path), "a built-in data set")
        return builtin_source(str(path))
    if is_query(path):
        from fewer.core.reading.io.query import QuerySource

        dialect.refuse(("sep", "decimal", "encoding"), str(path), "a query")
        need_pyarrow(str(path))
        return QuerySource(str(path))
    paths, keys = _paths(path)
    for part in paths:
        _refuse_unreadable(part)
    formats = {FORMATS[extension(part)] for part in paths}
    if len(formats) > 1 or (len(paths) > 1 and not formats.issubset(SEVERAL)):
        raise FileError(
            f"{paths[0]} and {len(paths) - 1} more files are of the format {' and '.join(sorted(formats))}, "
            "but a table in several files must be all delimited text, all Parquet or all Arrow; convert or "
            "join them."
        )
    source = _open(paths, formats.pop(), dialect, keys)
    source.at(paths)
    return source


def _open(paths: list[Path], format_: str, dialect: Dialect, keys: Sequence[Mapping[str, str]] = ()) -> Source:
    # Formats are imported when needed, so that no file pays for another's libraries.
    if format_ == "delimited":
        from fewer.core.reading.io.delimited import DelimitedSource

        separator = "\t" if extension(paths[0]) == ".tsv" else None
        return DelimitedSource(paths, dialect.separator or separator, dialect.decimal, dialect.encoding)
    foreign = {"ARFF": ("sep",), "Parquet": ("sep", "encoding"), "Arrow": ("sep", "encoding")}
    dialect.refuse(foreign.get(format_, ("sep", "decimal", "encoding")), str(paths[0]), format_)
    if format_ in ("Parquet", "Arrow"):
        from fewer.core.reading.io.columnar import open_columnar

        source = open_columnar(paths, format_, keys)
        source.decimal = dialect.decimal
        return source
    if format_ == "ARFF":
        from fewer.core.reading.io.arff import ArffSource

        return ArffSource(paths[0], dialect.encoding)
    if format_ == "svmlight":
        from fewer.core.reading.io.svmlight import SvmlightSource

        return SvmlightSource(paths[0])
    from fewer.core.reading.io.npz import open_npz

    return open_npz(paths[0])


def _paths(path: PathOrPaths) -> tuple[list[Path], list[dict[str, str]]]:
    """Return the files, and of a folder of partitions what the names of the folders inside say of each."""
    if not isinstance(path, str | os.PathLike):
        if not isinstance(path, list | tuple) or not all(isinstance(part, str | os.PathLike) for part in path):
            raise InputTypeError(
                f"open_table got a {type(path).__name__}, but takes the path of a file or a list of paths; data in "
                "memory go straight to fit, fewer.select or fewer.compare."
            )
        paths = [Path(part).expanduser() for part in path]
        if not paths:
            raise ParameterError("The list of files is empty, but a table needs at least one; name the files.")
        return paths, []
    single = Path(path).expanduser()
    if is_pattern(single):
        return files_of_pattern(single), []
    return parts_of_folder(single) if single.is_dir() else ([single], [])


def _refuse_unreadable(path: Path) -> None:
    if not path.exists():
        beside = [] if not path.parent.is_dir() else [other.name for other in path.parent.iterdir()]
        raise FileError(
            f"The file {path} does not exist, but the name of a table is expected; check the path and the "
            f"name.{closest(path.name, beside)}"
        )
    if path.is_dir():
        raise FileError(f"{path} is a folder, but inside a list of files each must be a file; name the files in it.")
    if extension(path) not in FORMATS and is_sequence_file(path):
        raise FileError(
            f"{path} holds sequences, but a table of features is expected; read it with fewer.io.read_fasta and make "
            "features with Kmers or FGA, or use the command line, which does both."
        )
    if extension(path) not in FORMATS:
        raise FileError(
            f"{path} has the extension {path.suffix or '(none)'!r}, but tables are read from "
            f"{', '.join(FORMATS)} (the first three also with .gz, .bz2 or .zst); convert or rename it."
        )
    if not os.access(path, os.R_OK):
        raise FileError(f"{path} may not be read by this user, but must be; change its rights or copy it.")
    if not path.is_file():
        raise FileError(f"{path} is a device or a pipe, but a file is needed; save what it gives to one first.")
    if path.stat().st_size == 0:
        raise FileError(f"{path} is empty, but column names and rows are needed; check how it was made.")
