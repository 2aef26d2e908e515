"""A file seen as batches of rows, as often as needed, in constant memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from fewer._version import __version__
from fewer.core.reading.asked import words_without_target
from fewer.core.reading.io.batch import Batch, fill, resize, stack
from fewer.core.reading.io.encoder import same_rows
from fewer.core.reading.io.roles import Roles, find
from fewer.core.reading.io.source import Facts, Source
from fewer.core.reading.io.writing import is_text, write_chunks
from fewer.core.reading.table_pieces import TablePiece
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.target_kinds import UNLABELLED
from fewer.core.runners.kept_work import KeptWork
from fewer.core.runners.memory import Memory
from fewer.core.summaries.results import Extent
from fewer.core.views.weights import WeightGrid

# Larger files are read batch by batch, unless told otherwise.
STREAM_BYTES = 2**30


def digest_of(*things: Any) -> str:
    """Return a digest of what things are called."""
    return blake2b(repr(things).encode(), digest_size=20).hexdigest()


class Table:
    """Rows of features, target and weights, read again from their source at every pass.

    Made by `open_table`. What cannot be known without reading all rows is learned in one pass, when first
    asked for.

    Attributes
    ----------
    path : str
        Where the rows come from.
    names : tuple of str
        Names of the features.
    target, weight : str or None
        Names of the target and of the weight column.
    kind : {"dense", "sparse"}
        What the batches hold.
    budget : Memory
        What the work may take: bytes of a batch, of codes that are held in memory and not on disk, and so on.
    resume : str, path or None
        Folder in which finished passes and codes are kept.
    """

    def __init__(
        self,
        source: Source,
        roles: Roles,
        batch_rows: int | None = None,
        budget: Memory | None = None,
        resume: Any = None,
    ) -> None:
        if batch_rows is not None and batch_rows < 1:
            raise ParameterError(f"batch_rows={batch_rows} for {source.where} must be at least 1; give more rows.")
        self.budget, self.resume = budget or Memory(), resume
        if self.cache_bytes < 0:
            raise ParameterError(
                f"cache_bytes={self.cache_bytes} for {source.where} must be at least 0; give 0 to keep codes on disk."
            )
        source.batch_bytes = self.budget.batch
        self._source, self._roles = source, roles
        self.path, self.kind = source.where, source.kind
        self.names, self.target, self.weight = roles.features, roles.target, roles.weight
        self._held: Batch | None = None
        self.batch_rows = batch_rows or source.rows_per_batch(len(roles.features))
        self._said = batch_rows is not None

    def __repr__(self) -> str:
        target = f", target {self.target!r}" if self.target is not None else ""
        return f"{type(self).__name__}({self.path}: {len(self.names)} features{target})"

    @cached_property
    def _facts(self) -> Facts:
        self._source.refuse_changed()
        return self._source.learn(self._roles)

    @property
    def cache_bytes(self) -> int:
        """Bytes of codes that are kept in memory, not on disk, by methods that need them again and again."""
        return self.budget.codes

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.names)

    @property
    def n_rows(self) -> int:
        """Number of rows, without those of weight 0 and those without a target."""
        asks = self.weight is not None or self.target is not None or "_facts" in vars(self)
        known = None if asks else self._source.n_rows
        return self._facts.n_rows if known is None else known

    @property
    def left_out(self) -> int:
        """Number of rows that are left out because their weight is 0."""
        return 0 if self.weight is None else self._facts.left_out

    @property
    def without_target(self) -> int:
        """Number of rows that are left out because they have no target."""
        return 0 if self.target is None else self._facts.without_target

    @property
    def notes(self) -> tuple[str, ...]:
        """How the file was read where that is not plain, and which rows were left out for want of a target."""
        absent = self.without_target
        if not absent:
            return self._facts.notes
        return (*self._facts.notes, words_without_target(absent, self._facts.n_rows + absent, self.target))

    @property
    def weights(self) -> WeightGrid | None:
        """What the weights are multiples of; None without a weight column."""
        return self._facts.weights

    @cached_property
    def counted(self) -> np.ndarray | None:
        """Which rows of the source have a weight above 0 and a target, a mask; None if all have."""
        if not self.left_out and not self.without_target:
            return None
        return self._source.counted(self._roles) if self._facts.counted is None else self._facts.counted

    @property
    def missing(self) -> int:
        """Number of missing values in the features."""
        return self._facts.missing

    @property
    def extent(self) -> Extent | None:
        """The range of every feature, where the opening pass has found it: in columns, not in matrices."""
        return self._facts.extent

    @property
    def large(self) -> tuple[int, ...]:
        """Features of whole numbers that floats cannot hold; only where the columns are looked at, else refused."""
        return self._facts.large

    @property
    def nominal(self) -> np.ndarray:
        """Which features are nominal, a mask."""
        return self._facts.nominal

    @property
    def labels(self) -> dict[int, np.ndarray]:
        """The levels of each nominal feature by its number: sorted, or in the order that an npz file has."""
        return self._facts.labels

    @property
    def task(self) -> str | None:
        """``"classification"``, ``"regression"`` or None without a target."""
        return self._facts.task

    @property
    def target_reason(self) -> str | None:
        """Why a target of whole numbers was not taken for classes, where the task was not given; else None."""
        return self._facts.target_reason

    @property
    def classes(self) -> np.ndarray | None:
        """The class labels, sorted or as an npz file declares them; None where the target is no class."""
        return self._facts.classes

    def __iter__(self) -> Iterator[Batch]:
        return self.batches()

    def batches(self, batch_rows: int | None = None) -> Iterator[Batch]:
        """Read the table once, in order.

        Parameters
        ----------
        batch_rows : int, default=None
            Rows of every batch but the last; those of the table by default.
        """
        rows = self.batch_rows if batch_rows is None else batch_rows
        if rows < 1:
            raise ParameterError(f"batch_rows={rows} for {self.path} must be at least 1; give more rows.")
        if self._held is not None:
            return iter([self._held]) if batch_rows is None else resize(iter([self._held]), rows)
        return resize(map(Batch.as_floats, self._same_rows()), rows)

    def pieces(self) -> Iterator[Batch]:
        """Read the table once, in order, in batches of about as many rows, the same ones each time.

        Whole numbers from 0 to 255 may come as uint8, and then in batches of more rows unless somebody said how many.
        """
        if self._held is not None:
            return iter([self._held])
        rows = self.batch_rows if self._said else self._source.rows_of_batches(self._roles, self._facts)
        return resize(self._same_rows(), rows, loose=True)

    def _same_rows(self) -> Iterator[Batch]:
        """Read the rows once more; refuse files that have changed since they were opened, or while they are read."""
        facts = self._facts
        return self._steady(lambda: self._source.batches(self._roles, facts), facts.n_rows)

    def _steady(self, read: Callable[[], Iterator[Batch]], n_rows: int) -> Iterator[Batch]:
        """Yield batches; of a file that changes meanwhile that is what is said, whatever it led to."""
        self._source.refuse_changed()
        try:
            yield from same_rows(read(), n_rows, self.path)
        except Exception:
            self._source.refuse_changed()
            raise
        self._source.refuse_changed()

    def read(self) -> Batch:
        """Read all rows into memory, and what was not yet known of them in the same pass."""
        if "_facts" in vars(self):
            batches: Iterable[Batch] = self
        else:
            self._source.refuse_changed()
            try:
                self._facts, found = self._source.load(self._roles)
            except Exception:
                self._source.refuse_changed()
                raise
            batches = self._steady(lambda: found, self._facts.n_rows)
        return stack(list(batches)) if self.kind == "sparse" else fill(batches, self._facts.n_rows)

    @property
    def in_memory(self) -> bool:
        """Whether the rows are held, so that a selector works on all of them at once."""
        return self._held is not None

    @property
    def has_features_in_rows(self) -> bool:
        """Whether the file looks as if its rows were features, by its beginning."""
        from fewer.core.reading.io.transposed import has_features_in_rows

        return has_features_in_rows(self._source)

    @property
    def n_bytes(self) -> int:
        """Size of the file or files; 0 where there are none."""
        return self._source.n_bytes

    def held(self, streams: bool, stream: bool | None = None, who: str = "") -> Table:
        """Return the table as a method shall read it: in batches, or with all rows held in memory.

        Parameters
        ----------
        streams : bool
            Whether the method is able to read in batches.
        stream : bool, optional
            What the user wants; by default files above 1 GiB, or above what memory there is, are read in batches by
            methods that are able to.
        who : str, optional
            The method, for messages.
        """
        batches = streams and (self._is_large() or self.resume is not None) if stream is None else stream
        if batches or self.in_memory:
            return self
        self._refuse_large(who)
        self._refuse_resume(who)
        return self.load()

    def _refuse_resume(self, who: str) -> None:
        if self.resume is not None:
            raise ParameterError(
                f"resume={str(self.resume)!r} keeps passes over {self.path} that is read in batches, but "
                f"{who or 'this method'} reads its rows at once; leave it out, or choose one that works in batches."
            )

    def kept_work(self) -> KeptWork | None:
        """Return where finished passes over this table are kept, None if nobody asked for that."""
        if self.resume is None:
            return None
        facts = {
            "files": digest_of(*self._source.paths, *self._source.seen),
            "columns": digest_of(self._roles),
            "batches": f"{self.batch_rows} rows",
            "version": __version__,
        }
        return KeptWork(self.resume, facts)

    def _is_large(self) -> bool:
        """Return whether the rows are better read in batches: without a budget by the size of the file."""
        if self.budget.total is None:
            return self.n_bytes > STREAM_BYTES
        return not self.budget.holds(2 * self._row_bytes())

    def _row_bytes(self) -> float:
        """Return how many bytes all rows take in memory; where a budget asks for it, they are counted by a pass."""
        return self._source.row_bytes(self.n_features) * self.n_rows

    def _refuse_large(self, who: str = "") -> None:
        if self.budget.total is not None:
            self.budget.refuse_beyond(self._row_bytes(), self.path, who)

    def with_unlabelled(self) -> Table:
        """Return the table with the rows that have no target, for methods that take them; held if this one is."""
        if not self.without_target:
            return self
        made = copy(self)
        made._roles, made._held = replace(self._roles, partly=True), None
        for known in ("_facts", "counted"):
            vars(made).pop(known, None)
        return made.load() if self.in_memory else made

    def read_for(self, task: str) -> Table:
        """Return the table as a method for this task reads it: one for classes alone takes any whole numbers for them.

        That is the rule for arrays, too. What `open_table` was told stays as it is.
        """
        if task != "classification" or self.target is None or self._facts.target_reason is None:
            return self
        made = copy(self)
        made._roles, made._facts = replace(self._roles, task="classification"), self._facts.for_classes()
        if self._held is not None:
            given = np.asarray(self._held.y)
            numbers = np.where(np.isnan(given), UNLABELLED, np.searchsorted(np.asarray(made.classes), given))
            made._held = replace(self._held, y=numbers.astype(np.int64))
        return made

    def load(self) -> Table:
        """Return the same table with all rows held in memory."""
        self._refuse_large()
        held = self.read()
        loaded = copy(self)
        loaded._held = held
        return loaded

    def write(self, path: str | os.PathLike[str], names: Iterable[str | int] | None = None) -> None:
        """Write chosen features, then target and weight, with their original values and types.

        Parameters
        ----------
        path : str or path
            File to write, whole or not at all; its extension is .csv, .tsv, .txt (these also with .gz),
            .parquet, .feather, .arrow or .ipc.
        names : list of str or int, default=None
            Names or numbers of features, in the order to write them; all by default.
        """
        typed = not is_text(Path(path))
        self._source.refuse_changed()
        places = {name: j for j, name in enumerate(self.names)}
        chosen = [self._name(name, places) for name in (self.names if names is None else names)]
        chosen += [name for name in (self.target, self.weight) if name is not None]
        if not chosen:
            raise InputError(f"No column of {self.path} was chosen to be written; name at least one feature.")
        levels = {self.names[j]: labels for j, labels in self.labels.items()}
        if self.target is not None and self.classes is not None:
            levels[self.target] = self.classes
        write_chunks(Path(path), self._originals([*dict.fromkeys(chosen)], typed), levels)

    def _originals(self, names: Sequence[str], typed: bool) -> Iterator[dict[str, Any]]:
        yield from self._source.originals(names, typed)
        # Before what was written takes its place.
        self._source.refuse_changed()

    def _name(self, name: str | int, places: Mapping[str, int]) -> str:
        if not isinstance(name, str) and 0 <= int(name) < len(self.names):
            return self.names[int(name)]
        return self.names[find(name, places, "names", self.path)]

    def parts_of_file(self) -> list[TablePiece] | None:
        """Return parts of the rows that workers can read where they are; None if this file has none."""
        plain = type(self) is Table and self._held is None
        self._source.refuse_changed()
        found = self._source.pieces() if plain else None
        if found is None:
            return None
        facts = replace(self._facts, counted=None, target=None, notes=())
        return [TablePiece(source, self._roles, facts) for source in found]
