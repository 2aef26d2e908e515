"""The finished units of a comparison in a file, so that an interrupted one goes on where it was."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import IO, Any

import numpy as np

from fewer import __version__
from fewer.core.base.errors import FileError
from fewer.evaluate.panel import described
from fewer.evaluate.units import Plan

KIND = "fewer comparison, unfinished"


def fingerprint(plan: Plan, scoring: str) -> str:
    """Return a text that differs whenever a unit could come out differently."""
    digest = hashlib.sha256()
    data = plan.data
    arrays = [data.X.data, data.X.indices, data.X.indptr] if data.sparse else [data.X]
    arrays += [data.nominal, *plan.splits.train, *plan.splits.test]
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


class Checkpoint:
    """Units by label and fold; with a path, each is appended to the file as soon as it is done.

    Every line of the file is one unit. A last line that was cut off by a crash is dropped.
    """

    def __init__(self, path: str | Path | None, key: str) -> None:
        self.path = None if path is None else Path(path)
        self.done: dict[tuple[str, int], dict[str, Any]] = {}
        self._key = key
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Checkpoint:
        if self.path is not None:
            try:
                self._open(self.path)
            except OSError as error:
                raise FileError(
                    f"The checkpoint {self.path} cannot be used ({error.strerror or error}); check the folder and its "
                    "rights, or name another file."
                ) from error
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, unit: dict[str, Any]) -> None:
        """Keep a finished unit."""
        self.done[unit["method"], unit["fold"]] = unit
        self._write(unit)

    def _write(self, line: dict[str, Any]) -> None:
        if self._file is not None:
            self._file.write(json.dumps(line).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())

    def _open(self, path: Path) -> None:
        known = path.read_bytes() if path.exists() else b""
        good = self._read(known, path)
        self._file = path.open("r+b" if path.exists() else "w+b")
        self._file.truncate(good)
        self._file.seek(good)
        if good == 0:
            self._write({"kind": KIND, "key": self._key})

    def _read(self, known: bytes, path: Path) -> int:
        """Read the units of a file, and return how many of its bytes are whole lines."""
        good = 0
        for number, line in enumerate(known.splitlines(keepends=True)):
            try:
                if not line.endswith(b"\n"):
                    break
                found = json.loads(line)
            except ValueError:
                if number:
                    break
                found = {}
            if number == 0:
                self._check(found, path)
            else:
                self.done[found["method"], found["fold"]] = found
            good += len(line)
        if known and good == 0 and not known.startswith(b'{"kind"'):
            self._check({}, path)
        return good

    def _check(self, header: Any, path: Path) -> None:
        if not isinstance(header, dict) or header.get("kind") != KIND:
            raise FileError(f"{path} is no checkpoint of a comparison and is left as it is; name another file.")
        if header.get("key") != self._key:
            raise FileError(
                f"The checkpoint {path} is of another comparison (other data, settings or version); go on with the "
                "same ones, name another file, or delete it."
            )
