"""From a path to a source: which format a file has, and whether it can be read at all."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from fewer.core.reading.io.builtin import builtin_source, is_builtin
from fewer.core.reading.io.source import Source
from fewer.core.records.errors import FileError, ParameterError, closest

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


def open_source(path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> Source:
    """Open a file, a folder of Parquet parts, a list of files, or a data set that scikit-learn ships."""
    if is_builtin(path):
        return builtin_source(str(path))
    paths = _paths(path)
    for part in paths:
        _refuse_unreadable(part)
    formats = {FORMATS[extension(part)] for part in paths}
    if len(formats) > 1 or (len(paths) > 1 and not formats.issubset(SEVERAL)):
        raise FileError(
            f"{paths[0]} and {len(paths) - 1} more files are of the format {' and '.join(sorted(formats))}, "
            "but a table in several files must be all delimited text, all Parquet or all Arrow; convert or "
            "join them."
        )
    source = _open(paths, formats.pop())
    source.n_bytes = sum(part.stat().st_size for part in paths)
    return source


def _open(paths: list[Path], format_: str) -> Source:
    # Formats are imported when needed, so that no file pays for another's libraries.
    if format_ == "delimited":
        from fewer.core.reading.io.delimited import DelimitedSource

        return DelimitedSource(paths, "\t" if extension(paths[0]) == ".tsv" else None)
    if format_ in ("Parquet", "Arrow"):
        from fewer.core.reading.io.columnar import ColumnarSource

        return ColumnarSource(paths, format_)
    if format_ == "ARFF":
        from fewer.core.reading.io.arff import ArffSource

        return ArffSource(paths[0])
    if format_ == "svmlight":
        from fewer.core.reading.io.svmlight import SvmlightSource

        return SvmlightSource(paths[0])
    from fewer.core.reading.io.npz import open_npz

    return open_npz(paths[0])


def _paths(path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[Path]:
    if not isinstance(path, str | os.PathLike):
        paths = [Path(part).expanduser() for part in path]
        if not paths:
            raise ParameterError("The list of files is empty, but a table needs at least one; name the files.")
        return paths
    single = Path(path).expanduser()
    if not single.is_dir():
        return [single]
    parts = [part for part in single.iterdir() if part.suffix == ".parquet" and part.name[0] not in "._"]
    if not parts:
        raise FileError(
            f"{single} is a folder without .parquet files, but a file or a folder of Parquet parts is "
            "expected; name the file inside it."
        )
    return sorted(parts, key=_natural)


def _natural(path: Path) -> list[tuple[bool, int, str]]:
    """Sort part.2 before part.10."""
    pieces = re.split(r"(\d+)", path.name)
    return [(piece.isdecimal(), int(piece) if piece.isdecimal() else 0, piece) for piece in pieces]


def _refuse_unreadable(path: Path) -> None:
    if not path.exists():
        beside = [] if not path.parent.is_dir() else [other.name for other in path.parent.iterdir()]
        raise FileError(
            f"The file {path} does not exist, but the name of a table is expected; check the path and the "
            f"name.{closest(path.name, beside)}"
        )
    if path.is_dir():
        raise FileError(f"{path} is a folder, but inside a list of files each must be a file; name the files in it.")
    if extension(path) not in FORMATS:
        raise FileError(
            f"{path} has the extension {path.suffix or '(none)'!r}, but tables are read from "
            f"{', '.join(FORMATS)} (the first three also with .gz, .bz2 or .zst); convert or rename it."
        )
    if not os.access(path, os.R_OK):
        raise FileError(f"{path} may not be read by this user, but must be; change its rights or copy it.")
    if path.stat().st_size == 0:
        raise FileError(f"{path} is empty, but column names and rows are needed; check how it was made.")
