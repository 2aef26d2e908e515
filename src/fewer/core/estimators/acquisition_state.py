"""What an acquirer knows: the table at first, and what was told since, in memory and in a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fewer.core.reading.partial_table import MISSING, PartialTable
from fewer.core.records.durable import DurableJournal
from fewer.core.records.errors import FileError, InputError

KIND = "fewer acquisition"


class Acquisition(NamedTuple):
    """One value that was told: where, which, and the benefit that was expected of it (NaN where none was)."""

    row: int
    column: int
    level: int
    value: str
    benefit: float


@dataclass(frozen=True)
class Question:
    """A missing value worth measuring.

    Attributes
    ----------
    row, column : int
        Where it is, from 0.
    row_name, name : str
        What the row and the column are called.
    label : object
        Class of the row.
    benefit : float
        Expected squared change of all relevances; NaN where none was computed.
    cost : float
        What the value costs.
    """

    row: int
    column: int
    row_name: str
    name: str
    label: Any
    benefit: float
    cost: float

    def __str__(self) -> str:
        expected = "" if self.benefit != self.benefit else f", expected benefit {self.benefit:.6g}"
        return f"{self.name} of row {self.row_name} (class {self.label}{expected})"


class AcquisitionState:
    """The table with all that was told, and the file that keeps it.

    Parameters
    ----------
    table : PartialTable
        What is known at first.
    seed : int
        Of all draws, from 0 to 2^32 - 1.
    """

    def __init__(self, table: PartialTable, seed: int) -> None:
        self.table, self.seed = table, seed
        self.codes = table.codes.copy()
        self.withdrawn = np.zeros(table.codes.shape, dtype=bool)
        self.told: list[Acquisition] = []
        self.journal: DurableJournal | None = None

    @property
    def open_cells(self) -> np.ndarray:
        """Cells that may be asked for, row by row: missing and not withdrawn."""
        return ((self.codes == MISSING) & ~self.withdrawn).ravel()

    def checked(self, where: str, row: Any, column: Any, value: Any) -> tuple[int, int, int]:
        """Return row, column and level of a value that is told; raise if it cannot be."""
        i, f = self.missing_cell(where, row, column)
        domain = self.table.domains[f]
        level = domain.level(value)
        if level is None:
            raise InputError(
                f"{where} got {value!r} for {self.table.names[f]!r} of row {self.table.row_name(i)}, whose domain is "
                f"{domain.words}; tell one of these, or begin again with a wider domain."
            )
        return i, f, level

    def missing_cell(self, where: str, row: Any, column: Any) -> tuple[int, int]:
        """Return row and column of a missing cell; raise if there is none of that name or its value is known."""
        i, f = self.table.row(where, row), self.table.column(where, column)
        if self.codes[i, f] != MISSING:
            known = self.table.domains[f].texts[self.codes[i, f]]
            since = "was told already" if self.table.codes[i, f] == MISSING else "was known at first"
            raise InputError(
                f"{where} got {self.table.names[f]!r} of row {self.table.row_name(i)}, but this value {since} "
                f"({known}); tell only values that are missing."
            )
        return i, f

    def write(self, events: list[dict[str, Any]]) -> None:
        """Have events on the disk, if there is a file, before anything else knows of them."""
        if self.journal is not None:
            self.journal.append([json.dumps(event) for event in events])

    def take(self, event: Mapping[str, Any]) -> tuple[int, int] | None:
        """Take over one event; return the cell whose value is known now, if there is one."""
        if "withdraw" in event:
            i, f = event["withdraw"]
            self.withdrawn[i, f] = True
            return None
        i, f, level = event["tell"]
        if not (0 <= level < len(self.table.domains[f]) and self.codes[i, f] == MISSING):
            raise IndexError
        self.codes[i, f] = level
        benefit = float("nan") if event["benefit"] is None else float(event["benefit"])
        self.told.append(Acquisition(int(i), int(f), int(level), str(event["value"]), benefit))
        return int(i), int(f)


def open_state(path: str | Path, state: AcquisitionState, method: str, parameters: dict[str, Any]) -> tuple[Any, list]:
    """Begin or go on with a state file; return the state with the seed of the file, and the events in it.

    A file of other data, of another method or of other parameters is refused.
    """
    facts = {
        "method": method,
        # One word per parameter, so that a refusal names the one that differs.
        **{name: json.dumps(value) for name, value in parameters.items()},
        "data": state.table.digest(),
    }
    journal = DurableJournal(path, KIND, facts)
    if not journal.lines:
        begin = {"parameters": parameters, "seed": state.seed, "table": state.table.to_dict()}
        journal.append([json.dumps(begin)])
        state.journal = journal
        return state, []
    return _read(journal)


def read_state(path: str | Path) -> tuple[str, dict[str, Any], AcquisitionState, list]:
    """Return method, parameters, state at first and events of a state file."""
    journal = DurableJournal(path, KIND, None)
    if not journal.lines:
        raise FileError(f"The state file {path} holds no table, its writing was cut off; start again with the data.")
    state, events = _read(journal)
    return journal.facts["method"], json.loads(journal.lines[0])["parameters"], state, events


def _read(journal: DurableJournal) -> tuple[AcquisitionState, list]:
    try:
        first, *events = [json.loads(line) for line in journal.lines]
        state = AcquisitionState(PartialTable.from_dict(first["table"]), int(first["seed"]))
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise unreadable(journal.path) from error
    state.journal = journal
    return state, events


def unreadable(path: Any) -> FileError:
    """Return the error of a file whose lines are whole but make no sense."""
    return FileError(
        f"The state file {path} holds lines that are no acquisitions of its table; give the file as it was written, or "
        "start again."
    )
