"""Complete files that take the places users asked for, and give them back if another one cannot."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from fewer.core.records.errors import FileError


@dataclass(frozen=True)
class NewFile:
    """A file beside its place.

    Attributes
    ----------
    path : Path
        The place as it was named.
    real : Path
        The place itself, behind any links.
    temporary : Path
        Where the new file is written.
    old : Path
        Where the file that was there is kept until all are in place.
    special : bool
        Whether the place is a device or a pipe, which is written to rather than replaced.
    """

    path: Path
    real: Path
    temporary: Path
    old: Path
    special: bool

    def put(self) -> None:
        """Put the complete file in its place, with the rights and, where that is allowed, the owner of an older one."""
        if self.special:
            with open(self.temporary, "rb") as written, open(self.real, "wb") as out:
                shutil.copyfileobj(written, out)
            return
        with open(self.temporary, "rb") as written:
            os.fsync(written.fileno())
        if self.real.exists():
            before = self.real.stat()
            with suppress(OSError, AttributeError):
                os.chown(self.temporary, before.st_uid, before.st_gid)
            self.temporary.chmod(before.st_mode & 0o7777)
        else:
            umask = os.umask(0)
            os.umask(umask)
            self.temporary.chmod(0o666 & ~umask)
        os.replace(self.temporary, self.real)

    def keep_old(self) -> None:
        """Keep what is in the place now: under a second name, or as a copy where a disk knows no second names."""
        if self.special or not self.real.exists():
            return
        try:
            os.link(self.real, self.old)
        except OSError:
            shutil.copy2(self.real, self.old)

    def take_back(self) -> None:
        """Leave the place as it was."""
        with suppress(OSError):
            if self.old.exists():
                os.replace(self.old, self.real)
            elif not self.special and not self.temporary.exists():
                self.real.unlink()


def put_all(files: Sequence[NewFile], in_place: Callable[[], object] | None = None) -> None:
    """Put files in their places: all of them, or none, also if what is called when they are there fails."""
    begun: list[NewFile] = []
    try:
        # What was given to a device or a pipe cannot be taken back, and so comes last.
        for new in sorted(files, key=lambda new: new.special):
            with told_of(new.path):
                if len(files) > 1:
                    new.keep_old()
                begun.append(new)
                new.put()
        if in_place is not None:
            in_place()
    except BaseException:
        for new in reversed(begun):
            new.take_back()
        raise


@contextmanager
def told_of(path: Path) -> Iterator[None]:
    """Say in one sentence that a file could not be written."""
    try:
        yield
    except OSError as error:
        raise FileError(
            f"The file {path} could not be written ({error.strerror or error}); nothing was changed there; "
            "check the folder, its rights and the free space."
        ) from error
