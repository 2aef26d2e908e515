"""Files are written whole or not at all; the one place that puts a file where a user asked for it."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from fewer.core.records.errors import FileError
from fewer.core.records.new_files import NewFile, put_all, told_of

PREFIX = ".fewer-"
LOCK = "lock"
# Leftovers of a process that was killed are removed when they are older, in seconds; those without a lock after a day.
OLD, DAY = 60.0, 86400.0


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Give a temporary path of the same name; it takes the place of ``path`` only if the ``with`` block ends well.

    A link is followed, an older file keeps its rights, and a device or pipe is written to rather than replaced.
    """
    with _whole(Path(path)) as new:
        yield new.temporary
        new.put()


def write_all(
    outputs: Sequence[tuple[Path, Callable[[Path], Any]]], in_place: Callable[[], object] | None = None
) -> None:
    """Write several files; they take their places when all are complete, and if one cannot, none does.

    Parameters
    ----------
    outputs : list of (Path, function)
        Each file, and the function that writes it to the path it is called with.
    in_place : function, optional
        Called when all are in their places; if it fails, none is.
    """
    with ExitStack() as stack:
        complete = []
        for path, write in outputs:
            new = stack.enter_context(_whole(path))
            try:
                write(new.temporary)
            except FileError as error:
                raise FileError(str(error).replace(str(new.temporary), str(path))) from error
            complete.append(new)
        put_all(complete, in_place)


def write_whole(path: str | Path, text: str) -> None:
    """Write text to a file, whole or not at all."""
    with whole_file(path) as temporary:
        # Bytes of file names that are no letters; so written, JSON reads them back as they were.
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace")


def is_special(path: Path) -> bool:
    """Return whether something is there that is written to as it is: a device, a pipe, an open file by its number."""
    return path.exists() and (not path.is_file() or str(path).startswith(("/dev/fd/", "/dev/std", "/proc/")))


@contextmanager
def _whole(path: Path) -> Iterator[NewFile]:
    """Give a file to be written beside its place; what goes wrong is told of ``path``."""
    special = is_special(path)
    real = path if special else Path(os.path.realpath(path))
    with told_of(path), _folder(Path(tempfile.gettempdir()) if special else real.parent) as folder:
        yield NewFile(path, real, folder / "new" / real.name, folder / "old" / real.name, special)


@contextmanager
def _folder(parent: Path) -> Iterator[Path]:
    """Make a folder that goes with the block; one that a killed process has left is removed by a later one."""
    _remove_leftovers(parent)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    try:
        with open(folder / LOCK, "wb") as lock:
            _try_lock(lock)
            # Files get names of their own below, so that none can be called like the lock.
            for inside in ("new", "old"):
                (folder / inside).mkdir()
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_leftovers(parent: Path) -> None:
    with suppress(OSError):
        for folder in parent.glob(f"{PREFIX}*"):
            with suppress(OSError):
                if folder.is_dir() and not folder.is_symlink() and _is_left(folder):
                    shutil.rmtree(folder, ignore_errors=True)


def _is_left(folder: Path) -> bool:
    """Return whether nobody works in a folder any more: its lock is free from the death of its owner on."""
    age = time.time() - folder.stat().st_mtime
    if not (folder / LOCK).exists():
        return age > DAY
    with open(folder / LOCK, "rb+") as lock:
        return age > OLD and _try_lock(lock)


def _try_lock(file: Any) -> bool:
    """Return whether the lock of a file could be taken; it is free again when the file is closed."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
