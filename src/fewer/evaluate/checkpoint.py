"""The finished units of a comparison in a file, so that an interrupted one goes on where it was."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from fewer._version import __version__
from fewer.core.records.errors import FileError
from fewer.core.records.journal import Journal
from fewer.evaluate.fold_units import Plan
from fewer.evaluate.panel import described

KIND = "fewer comparison"
# Of these every unit has at least one.
SAYS = {"error", "whole", "order", "inner"}


def fingerprint(plan: Plan, scoring: str) -> str:
    """Return a text that differs whenever a unit could come out differently."""
    digest = hashlib.sha256()
    data = plan.data
    arrays = [data.X.data, data.X.indices, data.X.indptr] if data.sparse else [data.X]
    arrays += [data.nominal, data.columns, *plan.splits.train, *plan.splits.test]
    arrays += [] if data.weight is None else [data.weight]
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())
    settings = {
        "shape": data.X.shape,
        "type": str(data.X.dtype),
        "y": data.y.tolist(),
        "names": data.names,
        "methods": {label: [type(one).__name__, described(one)] for label, one in plan.methods.items()},
        "estimators": {label: [type(one).__name__, described(one)] for label, one in plan.estimators.items()},
        "sizes": plan.sizes,
        "scoring": scoring,
        "seed": plan.seed,
        "naive": plan.naive,
        "version": __version__,
    }
    digest.update(json.dumps(settings, sort_keys=True, default=str).encode())
    return digest.hexdigest()


class UnitJournal:
    """Units by pass, label and fold; with a path, each is added to a journal as soon as it is done."""

    def __init__(self, path: str | Path | None, key: str) -> None:
        self.path, self.passes = (
            path,
            (dict[tuple[str, int], dict[str, Any]](), dict[tuple[str, int], dict[str, Any]]()),
        )
        self._journal = None if path is None else Journal(path, KIND, {"data, settings or version": key})
        for line in self._journal.lines if self._journal else ():
            self._keep(line, path)

    @property
    def done(self) -> dict[tuple[str, int], dict[str, Any]]:
        """The units of the comparison itself; those of the second pass leave out columns that may be leaks."""
        return self.passes[0]

    def add(self, unit: dict[str, Any], number: int = 0) -> None:
        """Keep a finished unit of a pass."""
        self.passes[number][unit["method"], unit["fold"]] = unit
        if number:
            unit = {**unit, "pass": number}
        if self._journal is not None:
            self._journal.append([json.dumps(unit)])

    def _keep(self, line: str, path: Any) -> None:
        try:
            unit = json.loads(line)
            if not SAYS & unit.keys():
                raise KeyError("nothing that a unit says")
            self.passes[unit.pop("pass", 0)][unit["method"], int(unit["fold"])] = unit
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError) as error:
            raise FileError(
                f"The checkpoint {path} holds a line that is no unit of a comparison; give another file or delete this "
                "one."
            ) from error
