"""What 'fewer acquire' reads beside the table: domains, names of rows, and files of measured values."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fewer.cli.input import Columns
from fewer.core.records.errors import FileError, ParameterError

HEADS = ("row", "column", "value")
EDGES = "edges:"


def named_domains(words: Sequence[str]) -> dict[str, Any]:
    """Return domains from words such as colour=red,green and age=edges:30,50."""
    found: dict[str, Any] = {}
    for word in words:
        name, equals, values = word.partition("=")
        listed = [value.strip() for value in values.removeprefix(EDGES).split(",") if value.strip()]
        if not (equals and name and listed) or name in found:
            raise ParameterError(
                f"--domain got {word!r}, but takes a column with its values, each column once; write for example "
                "--domain colour=red,green or --domain age=edges:30,50."
            )
        found[name] = {"edges": listed} if values.startswith(EDGES) else listed
    return found


def sample_names(data: Columns, names: str | None) -> tuple[Columns, list[str] | None]:
    """Return the columns of the file without the one that names the rows, and the names."""
    if names is None:
        return data, None
    from fewer.core.reading.table_labels import table_labels

    plain = replace(data, target=names, task="classification", drop=None, categorical=None)
    labels = table_labels(plain.open(), all_rows=True)
    return replace(data, drop=[*(data.drop or []), names]), [str(label) for label in labels]


def read_values(path: Path) -> list[tuple[str, str, str]]:
    """Return rows, columns and values of a CSV file with these heads."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = csv.DictReader(file, skipinitialspace=True)
            heads = [head.strip() for head in lines.fieldnames or ()]
            if not set(HEADS) <= set(heads):
                raise FileError(
                    f"{path} has the columns {', '.join(heads) or 'none'}, but a file of values has row, column and "
                    "value; name them so."
                )
            lines.fieldnames = heads
            found = [tuple((line[head] or "").strip() for head in HEADS) for line in lines]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(
            f"{path} could not be read as a file of values ({reason}); pass an existing CSV file."
        ) from error
    # What was asked for and not measured yet has no value.
    return [(row, column, value) for row, column, value in found if value]
