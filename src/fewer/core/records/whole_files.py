"""Files are written whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fewer.core.records.errors import FileError


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Give a temporary path beside ``path``; it takes its place only if the ``with`` block ends well.

    A link is followed, an older file keeps its rights, and a device or pipe is written to rather than replaced.
    """
    path = Path(os.path.realpath(path))
    special = path.exists() and not path.is_file()
    temporary = None
    try:
        folder = tempfile.gettempdir() if special else path.parent
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=path.suffix, dir=folder)
        os.close(handle)
        temporary = Path(name)
        yield temporary
        if special:
            with open(temporary, "rb") as written, open(path, "wb") as out:
                shutil.copyfileobj(written, out)
            return
        with open(temporary, "rb") as written:
            os.fsync(written.fileno())
        temporary.chmod(_rights(path))
        os.replace(temporary, path)
    except OSError as error:
        raise FileError(
            f"The file {path} could not be written ({error.strerror or error}); nothing was changed there; "
            "check the folder, its rights and the free space."
        ) from error
    finally:
        if temporary is not None and temporary.exists():
            temporary.unlink()


def _rights(path: Path) -> int:
    """Return the rights of an older file, or those a plain open() would give; mkstemp lets only the owner read."""
    if path.exists():
        return path.stat().st_mode & 0o7777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def write_whole(path: str | Path, text: str) -> None:
    """Write text to a file, whole or not at all."""
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
