"""The reasons of all features as a file that spreadsheets read and never run."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from fewer.core.records.errors import ParameterError
from fewer.core.records.result import Selection
from fewer.core.records.whole_files import write_whole

SEPARATORS = {".csv": ",", ".tsv": "\t"}
# With these a cell begins that a spreadsheet takes for a formula; after an apostrophe it is text.
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")


def check_reason_file(path: str | Path) -> str:
    """Return what separates the cells of a file with this name; raise if it is no table of text."""
    end = Path(path).suffix.lower()
    if end not in SEPARATORS:
        raise ParameterError(
            f"{path} cannot hold the reasons, because its name ends in {end or 'nothing'}; they are written as "
            f"{' or '.join(SEPARATORS)}, which spreadsheets open, too."
        )
    return SEPARATORS[end]


def write_reasons(selection: Selection, path: str | Path) -> None:
    """Write one row per feature, best first: rank, status, numbers and a sentence; whole or not at all.

    Parameters
    ----------
    selection : Selection
        What was selected.
    path : str or path
        A file that ends in .csv or .tsv.
    """
    separator = check_reason_file(path)
    table = selection.table()
    table["why"] = [str(selection.reason(j)) for j in table["index"]]
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow([safe(head) for head in table])
    writer.writerows([safe(cell) for cell in row] for row in zip(*table.values()))
    write_whole(path, out.getvalue())


def safe(cell: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula; missing numbers are empty."""
    if cell is None or (isinstance(cell, float) and cell != cell):
        return ""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell
