"""A file to which finished pieces of long work are added, so that work that was stopped goes on where it was."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import ClassVar
from zlib import crc32

from fewer.core.records.errors import FileError

FORMAT = 2


class Journal:
    """Lines of text, each with a checksum, below a first line that says whose they are.

    A last line that was cut off, or that a crash damaged, is dropped; damage before that is refused, because nobody
    could say what it hides.

    Parameters
    ----------
    path : str or path
        A plain file, made if there is none.
    kind : str
        What the lines hold.
    facts : mapping of str to str, or None
        What must be the same for the lines to be used again; None takes those of the file, which must be there.

    Attributes
    ----------
    lines : list of str
        What an earlier run has written.
    """

    # What users call such a file, what it holds, and what becomes of a line that was lost.
    called: ClassVar[str] = "checkpoint"
    holds: ClassVar[str] = "finished pieces of one long work"
    lost: ClassVar[str] = "that piece of work is done again"

    def __init__(self, path: str | os.PathLike[str], kind: str, facts: Mapping[str, str] | None) -> None:
        self.path, self.kind = Path(path), kind
        self.given = None if facts is None else dict(facts)
        self.facts: dict[str, str] = dict(facts or {})
        self.lines: list[str] = []
        try:
            if facts is None and not self.path.exists():
                raise FileNotFoundError(2, "there is no such file")
            if self.path.exists() and not self.path.is_file():
                raise self._strange("no plain file")
            known = self.path.read_bytes() if self.path.exists() else b""
            end = self._read(known)
            with open(self.path, "ab") as file:
                # Only what is damaged is cut off: another process may have added lines meanwhile.
                if end < len(known):
                    file.truncate(end)
        except OSError as error:
            raise self._unusable(error) from error
        if not end and facts is None:
            raise self._strange("nothing")
        if not end:
            self.append([json.dumps({"kind": kind, "format": FORMAT, "facts": self.facts})])

    def append(self, lines: Iterable[str]) -> None:
        """Add lines; once this returns they outlive the process."""
        text = b"".join(b"%08x %s\n" % (crc32(line.encode()), line.encode()) for line in lines)
        try:
            # Opened each time: no handle is left open by work that ends anywhere.
            with open(self.path, "ab") as file:
                file.write(text)
        except OSError as error:
            raise self._unusable(error) from error

    def _read(self, known: bytes) -> int:
        """Read what is there, and return how many of its bytes are whole lines."""
        good, lines = 0, known.splitlines(keepends=True)
        for number, line in enumerate(lines):
            text = _checked(line)
            if text is None:
                if number < len(lines) - 1 or (number == 0 and not _begun(line)):
                    raise self._strange(_what(line) if number == 0 else f"a damaged line {number + 1}")
                if number:
                    warnings.warn(
                        f"The last line of the {self.called} {self.path} was damaged and is left out; {self.lost}.",
                        stacklevel=4,
                    )
                break
            if number == 0:
                self._check(text)
            elif line != lines[0]:
                # Two processes that began at the same moment have both written the first line.
                self.lines.append(text)
            good += len(line)
        return good

    def _check(self, text: str) -> None:
        """Raise unless the first line is that of the same work."""
        try:
            header = json.loads(text)
            written = dict(header["facts"])
            known = (header["kind"], header["format"]) == (self.kind, FORMAT)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise self._strange("a file of another kind") from error
        if not known:
            raise self._strange("a file of another kind")
        if self.given is None:
            self.facts = written
        differ = [k for k in {**written, **self.facts} if written.get(k) != self.facts.get(k)]
        if differ:
            words = "; ".join(_difference(k, written.get(k, "absent"), self.facts.get(k, "absent")) for k in differ)
            raise FileError(
                f"The {self.called} {self.path} was written by other work ({words}), but only the same work can go on "
                "from it; give the same data and parameters, another file, or delete this one."
            )

    def _strange(self, what: str) -> FileError:
        return FileError(
            f"The {self.called} {self.path} is or holds {what}, but a {self.called} holds {self.holds} ({self.kind}); "
            "it is left as it is: give another file or delete this one."
        )

    def _unusable(self, error: OSError) -> FileError:
        return FileError(
            f"The {self.called} {self.path} cannot be used ({error.strerror or error}); give a file in a folder that "
            "exists, may be written to and has space left."
        )


def _difference(what: str, before: str, now: str) -> str:
    """Return in words what differs; digests tell nobody anything."""
    digests = before.isalnum() and now.isalnum() and min(len(before), len(now)) > 30
    return f"{what} differ" if digests else f"{what} was {before} and is {now}"


def _checked(line: bytes) -> str | None:
    """Return the text of a whole line, or None if it is damaged."""
    mark, _, text = line.removesuffix(b"\n").partition(b" ")
    if not line.endswith(b"\n") or mark != b"%08x" % crc32(text):
        return None
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _what(line: bytes) -> str:
    """Say what a file is whose first line is none of ours; older versions wrote lines without checksums."""
    older = line.startswith(b'{"kind"') and b'"facts"' in line
    return "lines without checksums, as older versions wrote" if older else "a file of another kind"


def _begun(line: bytes) -> bool:
    """Return whether a first line looks like the beginning of one of ours."""
    return not line.endswith(b"\n") and line[8:17] == b' {"kind":'
