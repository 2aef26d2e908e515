"""How much a compressed Arrow file says it unpacks to, read without unpacking anything."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

MAGIC = b"ARROW1"
# Kinds of messages that carry columns, by their numbers in the format.
DICTIONARY, BATCH = 2, 3
# No description of a table is larger.
MOST_WORDS = 64 * 2**20


def unpacked_size(path: Path) -> int:
    """Return the bytes that all compressed columns are said to take; 0 where a file cannot be followed.

    What is damaged is left to those who read it: they unpack no more than a column says of itself.
    """
    total = 0
    try:
        with open(path, "rb") as file:
            for place in _blocks(file) if file.read(6) == MAGIC else _stream(file):
                total += _size_at(file, place)
    except (OSError, OverflowError, struct.error, ValueError):
        pass
    return total


def _blocks(file: BinaryIO) -> Iterator[int]:
    """Give the places of the messages that the end of a file names."""
    end = file.seek(-10, 2)
    (length,) = struct.unpack("<i", file.read(4))
    file.seek(end - length)
    footer = _Table(file.read(min(max(length, 0), MOST_WORDS)))
    for field in (2, 3):
        start, count = footer.vector(field)
        for number in range(count):
            yield int(struct.unpack_from("<q", footer.words, start + 24 * number)[0])


def _stream(file: BinaryIO) -> Iterator[int]:
    """Give the places of messages that follow one another."""
    place, end = 0, file.seek(0, 2)
    while 0 <= place < end:
        yield place
        message, body = _message(file, place)
        following = body + message.number(3, "<q")
        if following <= place:
            return
        place = following


def _message(file: BinaryIO, place: int) -> tuple[_Table, int]:
    """Return the description of a message, and where its columns begin."""
    file.seek(place)
    mark, length = struct.unpack("<Ii", file.read(8))
    # Older files have no mark before the length.
    head = 8 if mark == 0xFFFFFFFF else 4
    length = length if head == 8 else mark
    if not 0 < length <= MOST_WORDS:
        raise ValueError(length)
    file.seek(place + head)
    return _Table(file.read(length)), place + head + length


def _size_at(file: BinaryIO, place: int) -> int:
    message, body = _message(file, place)
    kind = message.number(1, "<B")
    if kind not in (DICTIONARY, BATCH):
        return 0
    batch = message.table(2)
    batch = batch.table(1) if kind == DICTIONARY else batch
    if not batch.offset(3):
        return 0
    total, (start, count) = 0, batch.vector(2)
    for number in range(count):
        offset, length = struct.unpack_from("<qq", batch.words, start + 16 * number)
        if length >= 8:
            file.seek(body + offset)
            # Before every compressed column stands its length; -1 says that it is not compressed.
            total += max(struct.unpack("<q", file.read(8))[0], 0)
    return total


class _Table:
    """A table of a flatbuffer, at the place its bytes name first unless another is given."""

    def __init__(self, words: bytes, place: int | None = None) -> None:
        self.words = words
        self.place = int(struct.unpack_from("<I", words)[0]) if place is None else place
        self.fields = self.place - int(struct.unpack_from("<i", words, self.place)[0])

    def offset(self, field: int) -> int:
        """Return where a field stands; 0 if it is absent."""
        at = 4 + 2 * field
        if self.fields < 0 or at >= struct.unpack_from("<H", self.words, self.fields)[0]:
            return 0
        found = int(struct.unpack_from("<H", self.words, self.fields + at)[0])
        return self.place + found if found else 0

    def number(self, field: int, form: str) -> int:
        """Return a number; 0 if it is absent."""
        at = self.offset(field)
        return int(struct.unpack_from(form, self.words, at)[0]) if at else 0

    def table(self, field: int) -> _Table:
        """Return a table inside this one."""
        at = self.offset(field)
        return _Table(self.words, at + int(struct.unpack_from("<I", self.words, at)[0]))

    def vector(self, field: int) -> tuple[int, int]:
        """Return where the entries of a list begin, and how many there are."""
        at = self.offset(field)
        if not at:
            return 0, 0
        start = at + int(struct.unpack_from("<I", self.words, at)[0])
        return start + 4, int(struct.unpack_from("<I", self.words, start)[0])
