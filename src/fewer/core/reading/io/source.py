"""What every file format offers to a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from fewer.core.reading.io.batch import Batch
from fewer.core.reading.io.encoder import refuse_change
from fewer.core.reading.io.roles import Roles
from fewer.core.reading.io.text_columns import TargetFacts
from fewer.core.records.errors import FileError, InputError
from fewer.core.runners import progress
from fewer.core.runners.memory import BATCH_BYTES
from fewer.core.summaries.results import Extent
from fewer.core.views.weights import WeightGrid


@dataclass(frozen=True, eq=False)
class Facts:
    """What one pass over the columns in use teaches of the rows that count.

    Of the others ``left_out`` have weight 0 and ``without_target`` have no target.
    """

    n_rows: int
    missing: int
    nominal: np.ndarray
    labels: dict[int, np.ndarray] = field(default_factory=dict)
    task: str | None = None
    classes: np.ndarray | None = None
    left_out: int = 0
    without_target: int = 0
    notes: tuple[str, ...] = ()  # how the file was read where that is not plain
    target_reason: str | None = None  # why whole numbers were not taken for classes
    weights: WeightGrid | None = None  # what the weights are multiples of
    extent: Extent | None = None  # of every feature, where it was looked at
    counted: np.ndarray | None = None  # which rows count, where all were held
    target: TargetFacts | None = None
    large: tuple[int, ...] = ()  # features of whole numbers that floats cannot hold, where the roles allow them

    def for_classes(self) -> Facts:
        """Return the same with a target of whole numbers taken for classes."""
        assert self.target is not None
        task, classes = self.target.settle("classification", self.n_rows)
        return replace(self, task=task, classes=classes, target_reason=None)


class Source(ABC):
    """One table on disk or in memory. Knows how to read it; what to read is told by `Roles`."""

    paths: tuple[Path, ...] = ()
    seen: tuple[tuple[int, int], ...] = ()  # size and time of the files when they were opened
    notes: tuple[str, ...] = ()  # how the file was opened where that is not plain
    where: str
    features: tuple[str, ...]  # columns that can be features
    extra: tuple[str, ...] = ()  # columns that can only be target or weight
    default_target: str | None = None
    n_rows: int | None = None
    kind = "dense"
    batch_bytes = BATCH_BYTES  # what a batch may take
    value_bytes = 8.0  # and what a value of it counts

    @property
    def n_bytes(self) -> int:
        """Size of the files; 0 where there are none."""
        return sum(size for size, _ in self.seen)

    def at(self, paths: Sequence[Path]) -> None:
        """Note which files these are, and as they are now."""
        self.paths, self.seen = tuple(paths), stamps(paths)

    def refuse_changed(self) -> None:
        """Raise if a file is not the one that was opened."""
        if self.paths and stamps(self.paths) != self.seen:
            refuse_change(self.where)

    def row_bytes(self, n_features: int) -> float:
        """Return about how many bytes a row of a batch takes."""
        return self.value_bytes * n_features

    def rows_per_batch(self, n_features: int) -> int:
        """Return how many rows make a batch of about 32 MiB, or of what there is for one."""
        return max(1, int(self.batch_bytes // max(self.row_bytes(n_features), 1.0)))

    def rows_of_batches(self, roles: Roles, facts: Facts) -> int:
        """Return how many rows the batches have that are best for what the columns hold."""
        return self.rows_per_batch(len(roles.features))

    @abstractmethod
    def learn(self, roles: Roles) -> Facts:
        """Read the columns in use once."""

    @abstractmethod
    def batches(self, roles: Roles, facts: Facts) -> Iterator[Batch]:
        """Read the columns in use as numbers, in batches of any size."""

    def load(self, roles: Roles) -> tuple[Facts, Iterator[Batch]]:
        """Read all rows, for a table that is held in memory: what `learn` teaches, and the batches."""
        facts = self.learn(roles)
        return facts, self.batches(roles, facts)

    def pieces(self) -> list[Source] | None:
        """Return sources of some of the rows each, in order, that other machines can read; None if it has none."""
        return None

    @abstractmethod
    def counted(self, roles: Roles) -> np.ndarray:
        """Return which rows have a weight above 0 and a target, a mask."""

    @abstractmethod
    def originals(self, names: Sequence[str], typed: bool) -> Iterator[dict[str, Any]]:
        """Read columns as they are: numpy or Arrow arrays; text of the file as it stands unless ``typed``."""

    def _report(self, rows: int) -> None:
        row_bytes = self.n_bytes / self.n_rows if self.n_rows else 0.0
        progress.report_rows(f"reading {self.where}", rows, self.n_rows, row_bytes)

    def _left_out(self, n_rows: int, weight: Any) -> int:
        """Return how many of the rows have weight 0 and so are left out; raise if no row is left."""
        zeros = 0 if weight is None else int(weight.zeros)
        if n_rows == 0:
            raise InputError(
                f"{self.where} names its columns but has no rows, and at least one is needed; check how it was made."
            )
        if zeros == n_rows:
            raise InputError(
                f"The weight column {weight.name!r} of {self.where} is 0 in all {n_rows:,} rows, and rows of weight 0 "
                "are left out, but at least one must count; correct it or leave weight= out."
            )
        return zeros


def stamps(paths: Sequence[Path]) -> tuple[tuple[int, int], ...]:
    """Return size and time of change of files; of one that is no longer there nothing."""
    found = [path.stat() if path.exists() else None for path in paths]
    return tuple((0, 0) if one is None else (one.st_size, one.st_mtime_ns) for one in found)


def title(paths: Sequence[Path]) -> str:
    """Name one file, or the first of several."""
    return str(paths[0]) if len(paths) == 1 else f"{paths[0]} (with {len(paths) - 1} more parts)"


def refuse_other_columns(parts: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Raise when the parts of a table do not have the same columns."""
    first, names = parts[0]
    for path, others in parts[1:]:
        different = sorted(set(names) ^ set(others))
        if different or len(others) != len(names):
            raise FileError(
                f"{path} does not have the same columns as {first} (the difference begins with "
                f"{different[:3]}), but the parts of a table must; give parts of one table."
            )
