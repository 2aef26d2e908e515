"""What an acquirer knows: the table at first, and what was told since, in memory and in a file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fewer.core.reading.partial_table import MISSING, PartialTable
from fewer.core.records.durable import DurableJournal
from fewer.core.records.errors import FileError, InputError

KIND = "fewer acquisition"
# What to do where a value is not as it must be, for AcquisitionState.cell.
_BEGIN_AGAIN = "begin again with the right table"
MISSING_ONLY = {
    "was known at first": "tell only values that are missing",
    "was told already": "tell only values that are missing, or say that it replaces one (replace=True, --replace)",
}
MISSING_OR_TOLD = {"was known at first": _BEGIN_AGAIN}
TOLD_ONLY = {"was known at first": _BEGIN_AGAIN, "is missing": "take back only values that were told"}
UNMEASURED = dict.fromkeys(MISSING_ONLY, "withdraw only values that are missing")


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
        self.events: list[Mapping[str, Any]] = []
        self.journal: DurableJournal | None = None

    @property
    def open_cells(self) -> np.ndarray:
        """Cells that may be asked for, row by row: missing and not withdrawn."""
        return ((self.codes == MISSING) & ~self.withdrawn).ravel()

    def checked(self, where: str, row: Any, column: Any, value: Any, replace: bool) -> tuple[int, int, int]:
        """Return row, column and level of a value that is told; raise if it cannot be."""
        i, f = self.cell(where, row, column, MISSING_OR_TOLD if replace else MISSING_ONLY)
        domain = self.table.domains[f]
        level = domain.level(value)
        if level is None:
            raise InputError(
                f"{where} got {value!r} for {self.table.names[f]!r} of row {self.table.row_name(i)}, whose domain is "
                f"{domain.words}; tell one of these, or begin again with a wider domain."
            )
        return i, f, level

    def cell(self, where: str, row: Any, column: Any, takes: Mapping[str, str]) -> tuple[int, int]:
        """Return row and column of a cell; raise if there is none, or if its value is in no state that is taken.

        ``takes`` has, for every state that is not taken, what to do.
        """
        i, f = self.table.row(where, row), self.table.column(where, column)
        was_known, is_known = self.table.codes[i, f] != MISSING, self.codes[i, f] != MISSING
        since = "was known at first" if was_known else "was told already" if is_known else "is missing"
        if since in takes:
            known = f" ({self.table.domains[f].texts[self.codes[i, f]]})" if is_known else ""
            raise InputError(
                f"{where} got {self.table.names[f]!r} of row {self.table.row_name(i)}, but this value {since}{known}; "
                f"{takes[since]}."
            )
        return i, f

    def write(self, events: list[dict[str, Any]]) -> None:
        """Have events on the disk, if there is a file, before anything else knows of them: in one line, all or none."""
        if self.journal is not None and events:
            self.journal.append([json.dumps(events if len(events) > 1 else events[0])])

    def corrected(self, events: list[dict[str, Any]]) -> tuple[AcquisitionState, list]:
        """Return the state at first, and what stands after corrections."""
        again = AcquisitionState(self.table, self.seed)
        again.journal = self.journal
        return again, standing([*self.events, *events])

    def take(self, event: Mapping[str, Any]) -> tuple[int, int] | None:
        """Take over one event; return the cell whose value is known now, if there is one."""
        self.events.append(event)
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


def standing(events: Sequence[Mapping[str, Any]]) -> list:
    """Return what stands of events: right values in the place of wrong ones, and none of what was taken back."""
    kept: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    for event in events:
        if "take back" in event:
            del kept[("tell", *event["take back"])]
        elif "withdraw" in event:
            kept[("withdraw", *event["withdraw"])] = event
        else:
            cell = ("tell", *event["tell"][:2])
            if (cell in kept) != event.get("replace", False):
                raise IndexError
            kept[cell] = {name: value for name, value in event.items() if name != "replace"}
    return list(kept.values())


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
        first, *lines = [json.loads(line) for line in journal.lines]
        state = AcquisitionState(PartialTable.from_dict(first["table"]), int(first["seed"]))
        events = standing([event for line in lines for event in (line if isinstance(line, list) else [line])])
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
