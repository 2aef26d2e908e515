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

PREFIX = ".fewer-"
LOCK = "lock"
# Leftovers of a process that was killed are removed when they are older, in seconds; those without a lock after a day.
OLD, DAY = 60.0, 86400.0


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Give a temporary path of the same name; it takes the place of ``path`` only if the ``with`` block ends well.

    A link is followed, an older file keeps its rights, and a device or pipe is written to rather than replaced.
    """
    with _whole(Path(path)) as (temporary, put):
        yield temporary
        put()


def write_all(outputs: Sequence[tuple[Path, Callable[[Path], Any]]]) -> None:
    """Write several files; they take their places when all are complete.

    Parameters
    ----------
    outputs : list of (Path, function)
        Each file, and the function that writes it to the path it is called with.
    """
    with ExitStack() as stack:
        puts = []
        for path, write in outputs:
            temporary, put = stack.enter_context(_whole(path))
            try:
                write(temporary)
            except FileError as error:
                raise FileError(str(error).replace(str(temporary), str(path))) from error
            puts.append(put)
        for put in puts:
            put()


def write_whole(path: str | Path, text: str) -> None:
    """Write text to a file, whole or not at all."""
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def is_special(path: Path) -> bool:
    """Return whether something is there that is written to as it is: a device, a pipe, an open file by its number."""
    return path.exists() and (not path.is_file() or str(path).startswith(("/dev/fd/", "/dev/std", "/proc/")))


@contextmanager
def _whole(path: Path) -> Iterator[tuple[Path, Callable[[], None]]]:
    """Give a temporary path and what puts it in place; what goes wrong is told of ``path``."""
    special = is_special(path)
    real = path if special else Path(os.path.realpath(path))
    try:
        with _folder(Path(tempfile.gettempdir()) if special else real.parent) as folder:
            temporary = folder / real.name
            yield temporary, lambda: _pour(temporary, real) if special else _replace(temporary, real)
    except OSError as error:
        raise FileError(
            f"The file {path} could not be written ({error.strerror or error}); nothing was changed there; "
            "check the folder, its rights and the free space."
        ) from error


@contextmanager
def _folder(parent: Path) -> Iterator[Path]:
    """Make a folder that goes with the block; one that a killed process has left is removed by a later one."""
    _remove_leftovers(parent)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
    try:
        with open(folder / LOCK, "wb") as lock:
            _try_lock(lock)
            # Files get names of their own below, so that none can be called like the lock.
            inside = folder / "new"
            inside.mkdir()
            yield inside
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


def _pour(temporary: Path, path: Path) -> None:
    """Write what is complete to a device or a pipe."""
    with open(temporary, "rb") as written, open(path, "wb") as out:
        shutil.copyfileobj(written, out)


def _replace(temporary: Path, path: Path) -> None:
    """Put a complete file in the place of another one, with its rights and, where that is allowed, its owner."""
    with open(temporary, "rb") as written:
        os.fsync(written.fileno())
    if path.exists():
        before = path.stat()
        with suppress(OSError, AttributeError):
            os.chown(temporary, before.st_uid, before.st_gid)
        temporary.chmod(before.st_mode & 0o7777)
    else:
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
    os.replace(temporary, path)
