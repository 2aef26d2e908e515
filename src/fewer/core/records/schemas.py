"""The published form of written files: JSON schemas, one for each kind and format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fewer.core.records.errors import ParameterError, closest

# Kinds of files, and their formats that this version reads, the newest last.
SCHEMAS: dict[str, tuple[int, ...]] = {"selection": (1, 2), "comparison": (1,), "comparison-without-target": (1,)}
FOLDER = Path(__file__).parent / "schema_files"


def schema(kind: str = "selection", version: int | None = None) -> dict[str, Any]:
    """Return the JSON schema (draft 2020-12) of a file that this library writes.

    Parameters
    ----------
    kind : {"selection", "comparison", "comparison-without-target"}, default="selection"
        What the file holds.
    version : int, optional
        Its ``format``; by default the newest, which is what is written.

    Returns
    -------
    dict
        The schema. A format never changes its meaning; what is added to it is optional.

    Examples
    --------
    >>> schema("selection")["title"]
    'fewer selection, format 2'
    """
    if kind not in SCHEMAS:
        raise ParameterError(
            f"schema got kind={kind!r}, but knows {', '.join(map(repr, SCHEMAS))}; pass one of them."
            f"{closest(str(kind), SCHEMAS)}"
        )
    version = SCHEMAS[kind][-1] if version is None else version
    if version not in SCHEMAS[kind]:
        raise ParameterError(
            f"schema got version={version!r}, but a {kind} has the formats {', '.join(map(str, SCHEMAS[kind]))}; pass "
            "one of them."
        )
    return json.loads((FOLDER / f"{kind}-{version}.json").read_text(encoding="utf-8"))
