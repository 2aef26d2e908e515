"""Tables whose target is several columns: labels, numbers, or an event and a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from fewer.core.reading.event_times import EVENT_TIME
from fewer.core.reading.io.roles import choose_roles
from fewer.core.reading.io.source import Source
from fewer.core.reading.table_rows import Table
from fewer.core.records.errors import InputError, ParameterError


class JointTable(Table):
    """A table of features, and beside it one of the columns that are the target."""

    joint: Table
    survival: bool
    _every: Any

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the columns of the target."""
        return tuple(self.joint.names)

    def joint_target(self) -> Any:
        """Return the target of all rows: numbers by column, or events and times."""
        batch = self.joint.read()
        X = np.asarray(batch.X, dtype=np.float64)
        for j, labels in self.joint.labels.items():
            if len(labels) != 2:
                raise InputError(
                    f"The target column {self.joint.names[j]!r} of {self.path} holds {len(labels)} text labels, but "
                    "several columns take numbers, or two labels each; give one column at a time, or recode it."
                )
        gone = np.isnan(X).any(axis=1)
        if gone.any():
            raise InputError(
                f"The target columns {', '.join(self.joint_names)} of {self.path} are missing in {int(gone.sum())} of "
                f"{len(X)} rows; drop or fill in those rows."
            )
        if not self.survival:
            return X
        if not np.isin(X[:, 0], (0, 1)).all():
            raise InputError(
                f"The event column {self.joint_names[0]!r} of {self.path} holds other values than 0 and 1, but says "
                "whether the event was seen; recode it."
            )
        out = np.empty(len(X), EVENT_TIME)
        out["event"], out["time"] = X[:, 0] == 1, X[:, 1]
        return out

    def held(self, streams: bool, stream: bool | None = None, who: str = "") -> Table:
        """Return the table with all rows held: several columns are a target in memory only."""
        if stream:
            raise ParameterError(f"A target of several columns of {self.path} is read at once; leave --stream out.")
        if self.in_memory:
            return self
        self._refuse_large(who)
        return self.load()

    def write(self, path: Any, names: Iterable[str | int] | None = None) -> None:
        """Write chosen features, then the columns of the target, with their original values and types."""
        plain = Table(self._source, self._every, self.batch_rows, self.budget)
        places = {name: j for j, name in enumerate(self.names)}
        chosen = [self._name(name, places) for name in (self.names if names is None else names)]
        plain.write(path, [*chosen, *self.joint_names])


def joint_columns(target: Any, event: str | None, time: str | None, where: str) -> tuple[tuple[str, ...], bool] | None:
    """Return the columns of a target of several, and whether they are an event and a time; None for one column."""
    if (event is None) != (time is None):
        raise ParameterError(
            f"event={event!r} with time={time!r} was given for {where}, but a survival target has both; name both."
        )
    if event is not None and time is not None:
        if target is not None:
            raise ParameterError(f"target={target!r} was given beside event and time for {where}; leave one out.")
        return (event, time), True
    if target is None or isinstance(target, str):
        return None
    names = tuple(target)
    if not names or not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise ParameterError(
            f"target={target!r} was given for {where}, but takes one name or a list of different ones; name each "
            "column once."
        )
    return (names, False) if len(names) > 1 else None


def joint_table(source: Source, joint: tuple[Sequence[str], bool], *, drop: Iterable[str], **given: Any) -> JointTable:
    """Return the table of the features with the target of several columns beside it."""
    names, survival = joint
    budget, batch_rows = given.pop("budget"), given.pop("batch_rows")
    known = (*source.features, *source.extra)
    missing = [name for name in names if name not in known]
    if missing:
        raise InputError(f"{source.where} has no column {missing[0]!r} for the target; name columns that it has.")
    common: dict[str, Any] = {"target": None, "task": None}
    features = choose_roles(
        source.features, source.extra, source.where, drop=[*drop, *names], **given, **common
    )  # fmt: skip
    every = choose_roles(source.features, source.extra, source.where, drop=(), **{**given, "columns": None}, **common)
    beside = {"weight": given["weight"], "columns": list(names), "drop": (), "categorical_features": None}
    targets = choose_roles(source.features, source.extra, source.where, **beside, **common)
    table = JointTable(source, features, batch_rows, budget)
    table._every = every
    table.joint, table.survival, table.target = Table(source, targets, batch_rows, budget), survival, ", ".join(names)
    return table
