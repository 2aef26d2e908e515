"""Names that identifiers have."""

from __future__ import annotations

import re

# Words that make an identifier of any name in which they stand.
ANYWHERE = {"id", "ids", "uuid", "guid", "identifier", "rownum", "rowid", "rownumber", "unnamed"}
# Words that do so only if they are the whole name, or its end after what is numbered.
ALONE = {"index", "idx", "key", "nr", "no", "num", "number", "sample", "patient", "subject", "record", "row", "serial"}
THINGS = {
    "patient", "passenger", "customer", "user", "sample", "subject", "order", "row", "record", "case", "client",
    "employee", "student", "account", "transaction", "product", "item", "session", "device", "person", "member",
    "invoice", "ticket", "policy", "serial", "observation", "obs", "instance", "line", "entry",
}  # fmt: skip
GLUED = re.compile(rf"(?:{'|'.join(sorted(THINGS))})(?:id|no|nr|key|index|number)")


def words_of(name: str) -> list[str]:
    """Cut a name into words: at signs that are no letters or digits, and where small letters meet capitals."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return [word.lower() for word in re.split(r"[^A-Za-z0-9]+", spaced) if word]


def is_identifier_name(name: str) -> bool:
    """Return whether a name is one that identifiers have."""
    words = words_of(name)
    letters = [word for word in words if not word.isdigit()]
    if not letters:
        return False
    if ANYWHERE.intersection(letters) or GLUED.fullmatch("".join(letters)):
        return True
    if len(letters) == 1:
        return letters[0] in ALONE and len(words) == 1
    return letters[-1] in ALONE and letters[-2] in THINGS


def stem(name: str) -> str:
    """Return a name without its numbers: columns that are numbered share it."""
    return re.sub(r"[^a-z]+", "#", name.lower())
