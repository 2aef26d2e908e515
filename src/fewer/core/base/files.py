"""Files are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fewer.core.base.errors import FileError


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Give a temporary path beside ``path``; it takes its place only if the ``with`` block ends well."""
    path = Path(path)
    temporary = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=path.suffix, dir=path.parent)
        os.close(handle)
        temporary = Path(name)
        yield temporary
        with open(temporary, "rb") as written:
            os.fsync(written.fileno())
        # mkstemp makes files that only the owner may read; give the rights a plain open() would have given.
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        os.replace(temporary, path)
    except OSError as error:
        raise FileError(
            f"The file {path} could not be written ({error.strerror or error}); nothing was changed there; "
            "check the folder, its rights and the free space."
        ) from error
    finally:
        if temporary is not None and temporary.exists():
            temporary.unlink()


def write_whole(path: str | Path, text: str) -> None:
    """Write text to a file, whole or not at all."""
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
