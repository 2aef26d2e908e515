"""Compressed files as they are read: a small one that unpacks without end is stopped."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from fewer.core.records.errors import FileError

# Text of numbers takes a third of its size, that of zeros a hundredth; only what repeats one row takes less.
MOST_TIMES = 200
# Less than this is read whatever it was packed into.
HARMLESS = 128 * 2**20


def refuse_endless(path: Path, size: int, cure: str) -> None:
    """Raise when a file unpacks, or says that it does, to far more than data do.

    Parameters
    ----------
    path : Path
        The packed file.
    size : int
        Bytes that were unpacked, or will be.
    cure : str
        What to do if the file is right.
    """
    if size <= HARMLESS:
        return
    most = max(HARMLESS, MOST_TIMES * path.stat().st_size)
    if size > most:
        raise FileError(
            f"{path} unpacks to more than {most // 2**20:,} MiB, {MOST_TIMES} times its size or more, as no table of "
            f"data does; if it is right, {cure}."
        )


class Unpacked(io.RawIOBase):
    """Reads a stream that unpacks a file, and counts.

    Parameters
    ----------
    stream : file
        Gives what is unpacked.
    path : Path
        The packed file.
    """

    def __init__(self, stream: Any, path: Path) -> None:
        self._stream, self._path, self._done = stream, path, 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some more; raise if that is too much for the file."""
        got = self._stream.read(len(buffer))
        buffer[: len(got)] = got
        self._done += len(got)
        refuse_endless(self._path, self._done, "unpack it and give the file itself")
        return len(got)

    def close(self) -> None:
        """Close the stream, too."""
        self._stream.close()
        super().close()
