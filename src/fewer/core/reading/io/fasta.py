"""FASTA files, and plain text with one sequence per line."""

from __future__ import annotations

import bz2
import gzip
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from fewer.core.records.errors import FileError, InputError

EXTENSIONS = (".fasta", ".fa", ".fna", ".ffn", ".faa", ".frn", ".fas", ".seq")
OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open}
# Keys that name the class where no other is asked for.
KEYS = ("class", "label")
LINE = 70


@dataclass(frozen=True)
class SequenceFile:
    """What a file of sequences holds.

    Attributes
    ----------
    texts : tuple of str
        The sequences.
    headers : tuple of str
        What stands before each after ``>``; empty in plain text.
    """

    texts: tuple[str, ...]
    headers: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """First word of every header; "sequence 1" and so on where there is none."""
        return [(h.split() or [f"sequence {i}"])[0] for i, h in enumerate(self.headers, 1)]

    def classes(self, key: str | None = None, *, where: str = "The file") -> list[str]:
        """Return the class that every header names.

        Parameters
        ----------
        key : str, optional
            Says that a header holds ``key=class``. By default ``class=`` or ``label=`` where all headers have it, and
            otherwise the last word behind the first, which names the sequence.
        where : str, default="The file"
            What messages call the file.
        """
        for one in KEYS if key is None else (key,):
            found = [_named(header, one) for header in self.headers]
            if all(found):
                return [str(value) for value in found]
            if key is not None:
                at = next(i for i, value in enumerate(found) if not value)
                raise InputError(
                    f"{where} has no {key}=CLASS in the header of sequence {at} ({self.headers[at][:60]!r}), but each "
                    "must name its class; correct the file or the key."
                )
        words = [header.split() for header in self.headers]
        short = next((i for i, found in enumerate(words) if len(found) < 2), None)
        if short is not None:
            raise InputError(
                f"{where} names no class in the header of sequence {short} ({self.headers[short][:60]!r}), but each "
                "header must hold class=CLASS, or the class as its last word behind the name; add it, or give the "
                "other class as a second file."
            )
        return [found[-1] for found in words]


def _named(header: str, key: str) -> str | None:
    """Return what stands behind key= in a header."""
    marked = (word for word in header.replace(";", " ").replace("|", " ").split() if word.startswith(f"{key}="))
    return next((word[len(key) + 1 :] for word in marked), None)


def is_sequence_file(path: Any) -> bool:
    """Return whether the extension of a file says that it holds sequences; it may be compressed."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] in OPENERS:
        suffixes.pop()
    return bool(suffixes) and suffixes[-1] in EXTENSIONS


def read_fasta(path: str | os.PathLike[str]) -> SequenceFile:
    """Read a FASTA file, or plain text with one sequence per line.

    Parameters
    ----------
    path : str or path
        The file, also compressed as .gz or .bz2. It is FASTA if its first line that is not empty begins with ``>``;
        lines that begin with ``;`` are comments.

    Returns
    -------
    SequenceFile
        ``texts`` and ``headers``; ``classes()`` reads the class out of the headers.
    """
    given = Path(path).expanduser()
    if not given.is_file():
        there = "is a device or a pipe" if given.exists() else "does not exist"
        what = "is a folder" if given.is_dir() else there
        raise FileError(f"The file {given} {what}, but a file of sequences is expected; check the name.")
    opener = OPENERS.get(given.suffix.lower(), open)
    try:
        with opener(given, "rt", encoding="utf-8-sig") as file:
            return _parsed(str(given), file)
    except (UnicodeDecodeError, OSError, EOFError) as error:
        raise FileError(
            f"{given} cannot be read as text ({error}), but FASTA or one sequence per line is expected; check how it "
            "was made."
        ) from error


def _parsed(where: str, file: IO[str] | Iterable[str]) -> SequenceFile:
    headers: list[str] = []
    parts: list[list[str]] = []
    fasta = None
    for line in file:
        text = line.strip()
        if not text or text.startswith(";"):
            continue
        fasta = text.startswith(">") if fasta is None else fasta
        if fasta and text.startswith(">"):
            headers.append(text[1:].strip())
            parts.append([])
        elif fasta:
            parts[-1].append("".join(text.split()))
        else:
            headers.append("")
            parts.append(["".join(text.split())])
    texts = tuple("".join(part) for part in parts)
    if not texts:
        raise FileError(f"{where} holds no sequence, but FASTA or one sequence per line is expected; check its text.")
    empty = next((i for i, text in enumerate(texts) if not text), None)
    if empty is not None:
        raise FileError(
            f"{where} has a header without letters ({headers[empty][:60]!r}), but each sequence must have some; "
            "correct the file."
        )
    return SequenceFile(texts, tuple(headers))


def fasta_text(texts: Sequence[str], headers: Sequence[str]) -> str:
    """Return the text of a FASTA file, lines of 70 letters."""
    lines = []
    for text, header in zip(texts, headers):
        lines += [f">{header}", *(text[i : i + LINE] for i in range(0, len(text), LINE))]
    return "\n".join(lines) + "\n"
