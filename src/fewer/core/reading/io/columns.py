"""Sources that read named columns in chunks, and how these become batches."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import cast

import numpy as np

from fewer.core.reading.io.batch import Batch, side_by_side
from fewer.core.reading.io.encoder import Encoder, numbered, refuse_change
from fewer.core.reading.io.roles import Roles
from fewer.core.reading.io.source import Facts, Source
from fewer.core.reading.io.text_columns import Column, ColumnFacts, TargetFacts, WeightFacts, is_small
from fewer.core.reading.number_texts import NumberTexts, told
from fewer.core.records.errors import InputError
from fewer.core.summaries.results import Extent

Chunk = Mapping[str, Column]

# Kinds of columns that can be used; any other kind says in plain words what the column holds instead.
USABLE = ("integer", "number", "boolean", "text")
WHOLE = ("integer", "boolean")


class ColumnSource(Source):
    """A source that reads named columns; ``kinds`` says what they hold, as far as it is known."""

    kinds: dict[str, str]
    nominal: frozenset[str] = frozenset()  # columns that the file itself declares nominal
    decimal: str | None = None  # the mark before fractions, where the caller says it
    typed = False  # whether it declares the types of its columns
    declares_text = False  # whether the file itself says that its texts are no numbers

    @abstractmethod
    def chunks(self, names: Sequence[str]) -> Iterator[Chunk]:
        """Read columns in chunks of any size."""

    def kind_of(self, name: str) -> str:
        """Return what a column holds, as far as it was read."""
        return self.kinds[name]

    @cached_property
    def written(self) -> dict[str, NumberTexts]:
        """What is known of texts that may be numbers, by column."""
        return {}

    def read_chunks(self, names: Sequence[str], roles: Roles) -> Iterator[Chunk]:
        """Read columns in chunks; texts that are numbers become numbers unless they were called nominal."""
        for chunk in self.chunks(names):
            yield {name: self._as_numbers(name, column, roles) for name, column in chunk.items()}

    def _as_numbers(self, name: str, column: Column, roles: Roles) -> Column:
        names = name == roles.target and roles.task == "classification"
        if column.levels is None or self.declares_text or names or name in self.nominal or name in roles.nominal:
            return column
        if name not in self.written:
            self.written[name] = NumberTexts(name, self.decimal)
        return column.as_numbers(self.written[name])

    def told(self, names: Sequence[str]) -> dict[str, tuple[float, float]]:
        """Return the range of those columns without missing values of which the source knows it without reading."""
        return {}

    def chunk_rows(self, n_columns: int) -> int:
        """Return how many rows make a chunk; a batch is put together from a few of them."""
        return max(1, self.rows_per_batch(n_columns) // 4)

    def learn(self, roles: Roles, kept: deque[Chunk] | None = None) -> Facts:
        """Read the columns in use once, and those whose type changed on the way once more.

        The chunks are put into ``kept`` if it is given, unless a type has changed.
        """
        self._refuse_unusable(roles)
        columns = {name: self._facts(name, roles) for name in roles.used}
        ranges = {} if kept is not None else self.told([name for name in roles.features if not columns[name].nominal])
        n_rows = self._read({name: facts for name, facts in columns.items() if name not in ranges}, roles, kept)
        if ranges and _all_count(columns, roles):
            for name, extent in ranges.items():
                columns[name].take(*extent)
        elif ranges:
            # Of the rows that count the file says nothing.
            self._read({name: columns[name] for name in ranges}, roles)
        # What is known of a type only grows, so this ends.
        while late := {name: self._facts(name, roles) for name, facts in columns.items() if facts.mixed}:
            if kept is not None:
                kept.clear()
            if roles.target in late:
                # Which rows have a target may have changed, and so what the others hold in these rows.
                late = {name: self._facts(name, roles) for name in columns}
            self._read(late, roles)
            columns.update(late)
        left_out = self._left_out(n_rows, None if roles.weight is None else columns[roles.weight])
        self._refuse_unusable(roles)
        for facts in columns.values():
            facts.check(roles.examined)
        features = [columns[name] for name in roles.features]
        nominal = np.array([facts.is_nominal for facts in features])
        task, classes = None, None
        target = None if roles.target is None else cast(TargetFacts, columns[roles.target])
        absent = 0 if target is None or roles.partly else target.missing
        n_rows -= left_out + absent
        if target is not None:
            task, classes = target.settle(roles.task, n_rows)
        low, high, missing = (np.array(values) for values in zip(*(facts.extent for facts in features)))
        return Facts(
            n_rows=n_rows,
            missing=int(missing.sum()),
            nominal=nominal,
            labels={int(j): features[j].labels() for j in np.flatnonzero(nominal)},
            task=task,
            classes=classes,
            left_out=left_out,
            without_target=absent,
            notes=(*self.notes, *told(self.written[name] for name in roles.used if name in self.written)),
            target_reason=None if target is None else target.reason,
            weights=None if roles.weight is None else columns[roles.weight].tally.grid(),  # type: ignore[attr-defined]
            extent=Extent(low, high, missing, float(n_rows)),
            target=target,
            large=tuple(j for j, facts in enumerate(features) if facts.changed),
        )

    def _facts(self, name: str, roles: Roles) -> ColumnFacts:
        if name == roles.target:
            return TargetFacts(name, self.where, named=name in self.nominal)
        if name == roles.weight:
            return WeightFacts(name, self.where)
        return ColumnFacts(name, self.where, nominal=name in roles.nominal or name in self.nominal)

    def _read(self, columns: dict[str, ColumnFacts], roles: Roles, kept: deque[Chunk] | None = None) -> int:
        rows = 0
        if not columns:
            assert self.n_rows is not None
            return self.n_rows
        weight, target = roles.weight, roles.target
        names = (*columns, *(name for name in (weight, target) if name is not None and name not in columns))
        try:
            for chunk in self.read_chunks(names, roles):
                if weight in columns:
                    # Before it is used: text or a negative weight says of no row whether it counts.
                    columns[weight].add(chunk[weight])
                if target in columns:
                    # It counts the rows that have none.
                    columns[target].add(chunk[target] if weight is None else chunk[target].at(chunk[weight].values > 0))
                here = _counted(chunk, roles)
                for name in columns.keys() - {weight, target}:
                    columns[name].add(here[name])
                rows += len(chunk[names[0]].values)
                if kept is not None:
                    kept.append(chunk)
                self._report(rows)
        except InputError:
            # A column of dates is best refused as such, not for having too many levels.
            self._refuse_unusable(roles)
            raise
        return rows

    def _refuse_unusable(self, roles: Roles) -> None:
        for name in roles.used:
            kind = self.kind_of(name)
            if kind not in USABLE:
                raise InputError(
                    f"The column {name!r} of {self.where} holds {kind}, but only numbers, booleans and text "
                    f"can be used; convert it to one of these or leave it out with drop=[{name!r}]."
                )

    def load(self, roles: Roles) -> tuple[Facts, Iterator[Batch]]:
        """Read the columns in use once; every chunk is let go when its batch is made."""
        kept: deque[Chunk] = deque()
        facts = self.learn(roles, kept)
        if not kept:
            return facts, self.batches(roles, facts)
        if facts.left_out or facts.without_target:
            facts = replace(facts, counted=np.concatenate([_rows_that_count(chunk, roles) for chunk in kept]))
        return facts, self._batches(roles, facts, (kept.popleft() for _ in range(len(kept))))

    def batches(self, roles: Roles, facts: Facts) -> Iterator[Batch]:
        """Read the columns in use and put the features side by side."""
        return self._batches(roles, facts, self.read_chunks(roles.used, roles))

    def counted(self, roles: Roles) -> np.ndarray:
        """Return which rows have a weight above 0 and a target, a mask."""
        names = [name for name in (roles.weight, roles.target) if name is not None]
        return np.concatenate([_rows_that_count(chunk, roles) for chunk in self.read_chunks(names, roles)])

    def _batches(self, roles: Roles, facts: Facts, chunks: Iterator[Chunk]) -> Iterator[Batch]:
        dtype = self._type_of(roles, facts)
        encoders = {roles.features[j]: Encoder(labels, self.where) for j, labels in facts.labels.items()}
        classes = None if facts.classes is None else Encoder(facts.classes, self.where)
        for whole in chunks:
            chunk = _counted(whole, roles)
            columns = [
                encoders[name](chunk[name]) if name in encoders else self._numbers(chunk[name])
                for name in roles.features
            ]
            if dtype is np.uint8 and not all(map(_are_bytes, columns)):
                refuse_change(self.where)
            X = side_by_side(columns, dtype)
            y = None
            if roles.target is not None:
                y = (
                    numbered(chunk[roles.target], classes, roles.partly)
                    if classes
                    else self._numbers(chunk[roles.target])
                )
            weight = None if roles.weight is None else _own(self._numbers(chunk[roles.weight]))
            yield Batch(X, None if y is None else _own(y), weight)

    def _type_of(self, roles: Roles, facts: Facts) -> type[np.float64] | type[np.uint8]:
        """Return the type of the batches: bytes if all columns are declared to be, and known to be, such."""
        if not self.typed or facts.extent is None or facts.missing:
            return np.float64
        whole = all(self.kinds[name] in WHOLE for name in roles.features if name not in self.nominal)
        small = np.all((facts.extent.low >= 0) & (facts.extent.high < 256))
        return np.uint8 if whole and small and not facts.nominal.any() else np.float64

    def _numbers(self, column: Column) -> np.ndarray:
        if column.levels is not None:
            if np.any(column.values >= 0):
                refuse_change(self.where)
            return np.full(len(column.values), np.nan)  # text without any value
        return column.values


def _own(values: np.ndarray) -> np.ndarray:
    """Return numbers as float64 that may be changed: those of Arrow may not; class numbers as they are."""
    if is_small(values):
        return values.astype(np.float64)
    return values if values.flags.writeable else values.copy()


def _are_bytes(values: np.ndarray) -> bool:
    """Return whether whole numbers, NaN where missing, are from 0 to 255."""
    return values.dtype == np.uint8 or not len(values) or bool(values.min() >= 0 and values.max() < 256)


def _all_count(columns: Mapping[str, ColumnFacts], roles: Roles) -> bool:
    """Return whether all rows have a weight above 0 and a target."""
    weight = None if roles.weight is None else cast(WeightFacts, columns[roles.weight])
    absent = roles.target is not None and not roles.partly and columns[roles.target].missing
    return not absent and (weight is None or not weight.zeros)


def _rows_that_count(chunk: Chunk, roles: Roles) -> np.ndarray:
    """Return which rows of a chunk have a weight above 0 and a target."""
    rows = np.ones(len(next(iter(chunk.values())).values), bool)
    if roles.weight is not None:
        rows &= chunk[roles.weight].values > 0
    if roles.target is not None and not roles.partly:
        rows &= ~chunk[roles.target].missing
    return rows


def _counted(chunk: Chunk, roles: Roles) -> Chunk:
    """Return the rows of a chunk that count."""
    if roles.weight is None and roles.target is None:
        return chunk
    rows = _rows_that_count(chunk, roles)
    return chunk if rows.all() else {name: column.at(rows) for name, column in chunk.items()}
