"""A folder in which passes over a table and its codes are kept, so that work that was killed goes on from there."""

from __future__ import annotations

import io
import json
import os
import pickle
import platform
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any
from zlib import crc32

from fewer.core.records.errors import FileError
from fewer.core.records.journal import Journal

KIND = "fewer stream"
# A pass that takes less, in seconds, is made again rather than kept.
SHORT = 1.0
# Between the name of a file and the process that is writing it: the machine, as others may use the folder, too.
_HERE = f".{crc32(platform.node().encode()):08x}."
# What is read from the folder may only name such things: data, never what can be called to do something.
_PLAIN = {
    ("builtins", "bytearray"),
    ("builtins", "slice"),
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "scalar"),
    ("numpy._core.numeric", "_frombuffer"),
    ("scipy.sparse._csc", "csc_array"),
    ("scipy.sparse._csr", "csr_array"),
}


class _Record(Journal):
    called = "record"
    holds = "finished passes over one table"
    lost = "that pass is made again"


class KeptWork:
    """What was summed up of one table, by what it was asked and of which rows.

    A summary of the same rows is the same, so that nothing need be known of the method: it runs again from its
    beginning and finds the answers to all that it asked before it was killed.

    Parameters
    ----------
    folder : str or Path
        Made if there is none.
    facts : mapping of str to str
        What must be the same for answers to be used again.
    """

    def __init__(self, folder: str | os.PathLike[str], facts: Mapping[str, str]) -> None:
        self.folder = Path(folder)
        if self.folder.exists() and not self.folder.is_dir():
            raise FileError(f"resume={str(folder)!r} is a file, but work is kept in a folder; name one, or a new one.")
        try:
            self.folder.mkdir(exist_ok=True)
        except OSError as error:
            raise self._unusable(error) from error
        self._record = _Record(self.folder / "record", KIND, facts)
        self._tidy()
        self._known: dict[str, dict[str, Any]] = {}
        for line in self._record.lines:
            try:
                entry = json.loads(line)
                self._known[entry["key"]] = {"file": str(entry["file"]), "parts": list(entry["parts"])}
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise self._damaged(self._record.path) from error

    def key(self, *things: Any) -> str | None:
        """Return the name of an answer; None if the question cannot be written down, so that nothing is kept of it."""
        try:
            text = pickle.dumps(things, protocol=5)
        except (pickle.PicklingError, TypeError, AttributeError, ValueError):
            return None
        return blake2b(text, digest_size=20).hexdigest()

    def __contains__(self, key: str) -> bool:
        return key in self._known

    def answers(self, key: str) -> Iterator[Any]:
        """Read what is kept, piece by piece; raise if any of it is damaged or gone."""
        known = self._known[key]
        path = self.folder / known["file"]
        try:
            with open(path, "rb") as file:
                for size, mark in known["parts"]:
                    text = file.read(size)
                    if len(text) != size or crc32(text) != mark:
                        raise self._damaged(path)
                    yield _Plain(io.BytesIO(text)).load()
        except (OSError, pickle.UnpicklingError, EOFError, AttributeError, ImportError, ValueError, TypeError) as error:
            raise (error if isinstance(error, FileError) else self._damaged(path)) from error

    @contextmanager
    def writing(self, key: str) -> Iterator[Writing]:
        """Give what pieces are written to; they are kept if the ``with`` block ends well, and else removed."""
        path = self.folder / f"{len(self._known)}-{key[:16]}"
        temporary = path.with_name(f"{path.name}{_HERE}{os.getpid()}")
        try:
            try:
                with open(temporary, "wb") as file:
                    written = Writing(file)
                    yield written
                os.replace(temporary, path)
            finally:
                temporary.unlink(missing_ok=True)
        except OSError as error:
            raise self._unusable(error) from error
        self._known[key] = {"file": path.name, "parts": written.parts}
        self._record.append([json.dumps({"key": key, **self._known[key]})])

    def remembered(self, key: str | None, make: Any) -> Any:
        """Return what is kept under a name; else make it, and keep it if that took a while."""
        if key is None:
            return make()
        if key in self:
            return next(self.answers(key))
        begin = time.perf_counter()
        made = make()
        if time.perf_counter() - begin >= SHORT:
            with self.writing(key) as file:
                file.write(made)
        return made

    def _tidy(self) -> None:
        """Remove what processes of this machine were writing when they were killed."""
        for path in self.folder.glob(f"*{_HERE}*"):
            number = path.name.rpartition(".")[2]
            if number.isdecimal() and not _runs(int(number)):
                with suppress(OSError):
                    path.unlink(missing_ok=True)

    def _damaged(self, path: Path) -> FileError:
        return FileError(
            f"{path}, where finished work was kept, is damaged or gone, and nobody could say what is missing; delete "
            f"the folder {self.folder} to begin anew, or name another one."
        )

    def _unusable(self, error: OSError) -> FileError:
        return FileError(
            f"Work could not be kept in the folder {self.folder} ({error.strerror or error}); name a folder that may "
            "be written to and has space left, or leave resume out."
        )


def _runs(process: int) -> bool:
    """Return whether a process of this machine runs; where that cannot be asked without harm, that it does."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        # It is another user's.
        return True
    return True


class Writing:
    """Pieces of one answer on their way into a file, with their sizes and checksums."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.parts: list[tuple[int, int]] = []

    def write(self, piece: Any) -> None:
        """Write one piece."""
        text = pickle.dumps(piece, protocol=5)
        self._file.write(text)
        self.parts.append((len(text), crc32(text)))


class _Plain(pickle.Unpickler):
    """Reads data and refuses whatever could do something when it is read."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            return super().find_class(module, name)
        # A name with dots leads on to what a module of ours has imported, such as to ctypes by way of numpy.
        if module.startswith("fewer.core.") and "." not in name:
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no data; the file is not one of ours")
