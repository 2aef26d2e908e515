"""A table of levels of which some are missing, whose rows all have a class: what acquirers fill."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np

from fewer.core.records.domains import Domain, as_number, plain_value
from fewer.core.records.errors import InputError, closest
from fewer.core.views.view import View

MISSING = -1


@dataclass(frozen=True, eq=False)
class PartialTable:
    """Levels of every cell, -1 where missing, with the names of rows, columns and classes.

    Attributes
    ----------
    codes : ndarray of int of shape (n_rows, n_features)
        Levels at first.
    classes : ndarray of int of shape (n_rows,)
        Class number of every row.
    labels : tuple
        Names of the classes.
    domains : tuple of Domain
        What the levels of every column stand for.
    names : tuple of str
        Names of the columns.
    row_names : tuple of str
        Names of the rows; empty where they have none but their numbers.
    facts : mapping
        What else is known of the data, as a selection tells it.
    """

    codes: np.ndarray
    classes: np.ndarray
    labels: tuple[Any, ...]
    domains: tuple[Domain, ...]
    names: tuple[str, ...]
    row_names: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def n_levels(self) -> np.ndarray:
        """Levels of every column."""
        return np.array([len(domain) for domain in self.domains], dtype=np.int64)

    def row(self, where: str, given: Any) -> int:
        """Return the number of a row given by name or number."""
        place = _place(given, self.row_names, len(self.codes))
        if place is None:
            named = f" or by name, as text such as {self.row_names[0]!r}" if self.row_names else ""
            raise InputError(
                f"{where} got the row {given!r}, but rows are given by number, from 0 to {len(self.codes) - 1}{named}; "
                "give one of these."
            )
        return place

    def column(self, where: str, given: Any) -> int:
        """Return the number of a column given by name or number."""
        place = _place(given, self.names, len(self.names))
        if place is None:
            raise InputError(
                f"{where} got the column {given!r}, but there is none of that name among {len(self.names)}, nor a "
                f"number from 0 to {len(self.names) - 1}; give one of these.{closest(str(given), self.names)}"
            )
        return place

    def row_name(self, row: int) -> str:
        """Return what a row is called."""
        return self.row_names[row] if self.row_names else str(row)

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists."""
        return {
            "codes": self.codes.tolist(),
            "classes": self.classes.tolist(),
            "labels": [plain_value(label) for label in self.labels],
            "domains": [domain.to_dict() for domain in self.domains],
            "names": list(self.names),
            "row_names": list(self.row_names),
            "facts": dict(self.facts),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> PartialTable:
        """Make a table of what `to_dict` returned."""
        domains = tuple(Domain.read("A state file", name, d) for name, d in zip(data["names"], data["domains"]))
        codes = np.array(data["codes"], dtype=np.int64).reshape(len(data["classes"]), len(domains))
        classes = np.array(data["classes"], dtype=np.int64)
        labels, names, row_names = (tuple(data[name]) for name in ("labels", "names", "row_names"))
        return cls(codes, classes, labels, domains, names, row_names, dict(data["facts"]))

    def digest(self) -> str:
        """Return a digest of all that is known at first."""
        words = repr((self.labels, self.domains, self.names, self.row_names, self.codes.shape)).encode()
        parts = (words, np.ascontiguousarray(self.codes).tobytes(), np.ascontiguousarray(self.classes).tobytes())
        return blake2b(b"".join(parts), digest_size=16).hexdigest()


def partial_table(
    where: str, data: View, domains: Mapping[Any, Any] | None, bins: int, row_names: Sequence[Any] | None
) -> PartialTable:
    """Return the levels of data that were read, with the domain of every column.

    Parameters
    ----------
    where : str
        Who asks, for messages.
    data : View
        Rows in memory with their classes.
    domains : mapping of column to list or ``{"edges": [...]}``, optional
        Domains of columns; of the others the values that are known.
    bins : int
        A column of numbers with more known values than this has bins of about equal frequency among them.
    row_names : sequence, optional
        Names of the rows.
    """
    block = data.whole()
    names = tuple(f"x{j}" for j in range(data.n_features)) if data.names is None else tuple(map(str, data.names))
    rows, labels = _row_names(where, row_names, data.n_rows), tuple(np.asarray(data.classes))
    empty = PartialTable(np.empty((data.n_rows, 0), np.int64), block.y, labels, (), names, rows)
    given = {empty.column(f"{where}: domains", name): domain for name, domain in dict(domains or {}).items()}
    found, columns = [], []
    notes: list[str] = []
    for j, name in enumerate(names):
        values = _values(block.X[:, j], data.labels.get(j))
        domain = Domain.read(where, name, given[j]) if j in given else _domain(where, name, values, bins)
        if domain.edges and j not in given:
            notes.append(f"{name} is put into bins at {domain.words.rpartition(' at ')[2]}, from its known values")
        found.append(domain)
        columns.append(_levels(where, name, values, domain))
    codes = np.column_stack(columns).astype(np.int64)
    notes = [*data.facts.get("notes", ()), *notes]
    facts = {**_plain(data.facts), **({"notes": notes} if notes else {})}
    return PartialTable(codes, empty.classes.astype(np.int64), empty.labels, tuple(found), names, rows, facts)


def _place(given: Any, names: tuple[str, ...], n: int) -> int | None:
    """Return which row or column is meant, None if there is none.

    Numbers are places, whatever the names are, as questions have them. Text is a name; digits say a place only where
    no name is a number, since a slip in a name would else be taken for another row.
    """
    if isinstance(given, str):
        if given in names:
            return names.index(given)
        if any(as_number(name) is not None for name in names):
            return None
    number = as_number(given)
    return int(number) if number is not None and number.is_integer() and 0 <= number < n else None


def _plain(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts that a file of text can hold."""
    out = {}
    for name, value in facts.items():
        try:
            out[name] = json.loads(json.dumps(value))
        except (TypeError, ValueError):
            continue
    return out


def _row_names(where: str, given: Sequence[Any] | None, n_rows: int) -> tuple[str, ...]:
    names = () if given is None else tuple(str(name) for name in given)
    if names and (len(names) != n_rows or len(set(names)) < n_rows):
        raise InputError(
            f"{where} got {len(names)} row names, {len(set(names))} of them different, but needs a name of its own for "
            f"each of {n_rows} rows; give such names, or none."
        )
    return names


def _values(column: np.ndarray, labels: np.ndarray | None) -> list[Any]:
    """Return the values of a column, None where missing; level numbers of nominal columns become their labels."""
    if labels is None:
        return [None if value != value else float(value) for value in column.tolist()]
    return [None if value != value else plain_value(labels[int(value)]) for value in column.tolist()]


def _domain(where: str, name: str, values: list[Any], bins: int) -> Domain:
    """Return the domain that known values show."""
    known = [value for value in values if value is not None]
    if not known:
        raise InputError(
            f"{where} knows no value of {name!r}, so that it cannot know which values this column can take; give them, "
            f"as in domains={{{name!r}: ['low', 'high']}}, or {{'edges': [...]}} for numbers in bins."
        )
    if any(isinstance(value, str) for value in known):
        return Domain(tuple(sorted(set(known))))
    distinct = np.unique(known)
    if len(distinct) <= bins:
        return Domain(tuple(plain_value(value) for value in distinct))
    edges = np.unique(np.quantile(known, np.arange(1, bins) / bins, method="higher"))
    # An edge at the smallest value would leave the lowest bin empty.
    return Domain(edges=tuple(float(edge) for edge in edges[edges > distinct[0]]))


def _levels(where: str, name: str, values: list[Any], domain: Domain) -> list[int]:
    """Return the level of every value, -1 where missing."""
    levels = {value: MISSING if value is None else domain.level(value) for value in dict.fromkeys(values)}
    outside = [value for value, level in levels.items() if level is None]
    if outside:
        raise InputError(
            f"{where} got {outside[0]!r} in {name!r}, whose domain is {domain.words}; add it to the domain, or make it "
            "missing."
        )
    return [int(levels[value]) for value in values]  # type: ignore[arg-type]
