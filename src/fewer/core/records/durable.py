"""A journal whose lines outlive the machine, not only the process, and that one writer changes at a time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any
from zlib import crc32

from fewer.core.records.errors import FileError
from fewer.core.records.journal import Journal


class DurableJournal(Journal):
    """A journal for what cannot be done again, such as values that a laboratory has measured.

    Lines are on the disk when `append` returns. A line that could not be written whole is taken back. Whoever has
    read the file cannot add to it after somebody else did.
    """

    called = "state file"
    holds = "what was told about one table"
    lost = "if it was a value that you told, tell it again"

    def __init__(self, path: str | os.PathLike[str], kind: str, facts: Mapping[str, str] | None) -> None:
        self._held: IO[bytes] | None = None
        self._end = 0
        if facts is None and not Path(path).exists():
            raise FileError(f"There is no state file {path}, and none is made here; start one, or give another.")
        if Path(path).exists() and not Path(path).is_file():
            # Has the words for what is no file.
            super().__init__(path, kind, facts)
        try:
            with _alone(path) as file:
                self._held, self._end = file, file.tell()
                try:
                    super().__init__(path, kind, facts)
                finally:
                    self._held = None
                self._end = self.path.stat().st_size
                _settle_folder(self.path)
        except OSError as error:
            self.path = Path(path)
            raise self._unusable(error) from error

    def append(self, lines: Iterable[str]) -> None:
        """Add lines; once this returns they outlive a loss of power."""
        text = b"".join(b"%08x %s\n" % (crc32(line.encode()), line.encode()) for line in lines)
        try:
            if self._held is not None:
                self._write(self._held, text)
                return
            with _alone(self.path) as file:
                if file.tell() != self._end:
                    raise FileError(
                        f"The state file {self.path} was changed by somebody else since it was read, so nothing was "
                        "written; read it again, for instance by restore, and repeat what you told."
                    )
                self._write(file, text)
        except OSError as error:
            raise self._unusable(error) from error

    def _write(self, file: IO[bytes], text: bytes) -> None:
        end, left = os.fstat(file.fileno()).st_size, memoryview(text)
        try:
            while left:
                left = left[os.write(file.fileno(), left) :]
            os.fsync(file.fileno())
        except OSError:
            os.ftruncate(file.fileno(), end)
            raise
        self._end = end + len(text)


@contextmanager
def _alone(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Give the file to one writer at a time, where the system can; others wait."""
    # Unbuffered: what could not be written must not wait for a later moment.
    with open(path, "ab", buffering=0) as file:
        lock: Any = None
        # Without it, as on Windows, who comes second is told by the length of the file.
        with suppress(ImportError):
            import fcntl as lock
        if lock is not None:
            lock.flock(file.fileno(), lock.LOCK_EX)
            file.seek(0, os.SEEK_END)
        yield file


def _settle_folder(path: Path) -> None:
    """Have the name of a new file on the disk, too, where folders can be written so."""
    try:
        handle = os.open(path.parent, os.O_RDONLY)
    except OSError:
        return
    with suppress(OSError):
        os.fsync(handle)
    os.close(handle)
