"""Tables whose features are one matrix: arrays in memory, npz, svmlight."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np
import scipy.sparse as sp

from fewer.core.reading.io.batch import Batch
from fewer.core.reading.io.encoder import Encoder, numbered
from fewer.core.reading.io.roles import Roles
from fewer.core.reading.io.source import Facts, Source
from fewer.core.reading.io.text_columns import (
    Column,
    ColumnFacts,
    TargetFacts,
    WeightFacts,
    column_of,
    refuse_infinite,
)
from fewer.core.reading.whole_numbers import refuse_rounded
from fewer.core.records.errors import InputError
from fewer.core.records.target_kinds import UNLABELLED
from fewer.core.summaries.extent import ColumnExtent
from fewer.core.summaries.results import Extent
from fewer.core.views.blocks import DenseBlock, SparseBlock
from fewer.core.views.sparse_input import check_structure

# A matrix of some rows, and the same rows of the columns beside it.
Slice = tuple[Any, Mapping[str, np.ndarray]]


class MatrixSource(Source):
    """A matrix of features with columns beside it.

    ``labels`` names the levels of columns that already hold level numbers (the target too), in the order of
    the numbers; other nominal columns are numbered by their sorted values.
    """

    def __init__(self, where: str, features: Sequence[str], extra: Sequence[str]) -> None:
        self.where = where
        self.features, self.extra = tuple(features), tuple(extra)
        self.nominal: frozenset[str] = frozenset()
        self.labels: dict[str, np.ndarray] = {}
        self._place = {name: j for j, name in enumerate(self.features)}

    @abstractmethod
    def slices(self) -> Iterator[Slice]:
        """Read the rows in order, some at a time."""

    def learn(self, roles: Roles) -> Facts:
        """Read the matrix once for missing values and levels."""
        declared = roles.nominal | self.nominal
        nominal = [j for j, name in enumerate(roles.features) if name in declared]
        levels = {j: ColumnFacts(roles.features[j], self.where, nominal=True) for j in nominal}
        target = None if roles.target is None else TargetFacts(roles.target, self.where)
        weight = None if roles.weight is None else WeightFacts(roles.weight, self.where)
        missing = n_rows = 0
        for whole, along in self.slices():
            if weight is not None:
                weight.add(self._beside(weight.name, whole, along))
            if target is not None:
                # It counts the rows that have none.
                target.add(self._beside(target.name, *self._at(self._weighed(whole, along, roles), whole, along)))
            matrix, _ = self._counted(whole, along, roles)
            X = self._chosen(matrix, roles)
            missing += self._count_missing(X, roles)
            for j, column in self._columns(X, nominal, roles):
                levels[j].add(Column(column))
            n_rows += whole.shape[0]
            self._report(n_rows)
        left_out = self._left_out(n_rows, weight)
        absent = 0 if target is None or roles.partly else target.missing
        n_rows -= left_out + absent
        for known in (target, weight):
            if known is not None:
                known.check()
        task, classes = (None, None) if target is None else self._settle(target, roles, n_rows)
        labels = {j: self._named_levels(roles.features[j], found) for j, found in levels.items()}
        labels = {j: named for j, named in labels.items() if len(named)}
        facts = Facts(
            n_rows=n_rows,
            missing=missing,
            nominal=np.isin(np.arange(len(roles.features)), list(labels)),
            labels=labels,
            task=task,
            classes=classes,
            left_out=left_out,
            without_target=absent,
            notes=self.notes,
            target_reason=None if target is None else target.reason,
            weights=None if weight is None else weight.tally.grid(),
            target=target,
        )
        # Which columns have missing values decides which get a level for them.
        return replace(facts, extent=self._extent(roles, facts)) if missing else facts

    def _extent(self, roles: Roles, facts: Facts) -> Extent:
        """Return the range of every feature, as the batches hold it, and where values are missing."""
        summary = ColumnExtent()
        blocks = (
            DenseBlock(b.X) if self.kind == "dense" else SparseBlock(sp.csc_array(b.X))
            for b in self.batches(roles, facts)
        )
        return reduce(summary.merge, (summary.tile(block, 0, block.n_features) for block in blocks))

    def _settle(self, target: TargetFacts, roles: Roles, n_rows: int) -> tuple[str, np.ndarray | None]:
        declared = roles.target in self.labels and roles.task != "regression"
        task, classes = target.settle("classification" if declared else roles.task, n_rows)
        return task, self._named_levels(target.name, target) if declared else classes

    def _named_levels(self, name: str, facts: ColumnFacts) -> np.ndarray:
        """Return the names of level numbers that are already there, or the sorted values."""
        if name not in self.labels:
            found = facts.levels if self.kind == "dense" else facts.levels | {0.0}
            facts.levels = found
            return facts.labels()
        names = self.labels[name]
        numbers = np.array(sorted(facts.levels), dtype=np.float64)
        if np.any((numbers < 0) | (numbers >= len(names)) | (numbers != np.trunc(numbers))):
            raise InputError(
                f"The column {name!r} of {self.where} holds other values than the level numbers 0 to "
                f"{len(names) - 1} that its {len(names)} level names allow; correct the values or the names."
            )
        return names

    def _count_missing(self, X: Any, roles: Roles) -> int:
        values = X.data if sp.issparse(X) else X
        with np.errstate(invalid="ignore", over="ignore"):
            if np.isfinite(values.sum()):
                return 0
        if np.isinf(values).any():
            infinite = np.isinf(X.toarray() if sp.issparse(X) else X).any(axis=0)
            refuse_infinite(roles.features[int(np.argmax(infinite))], self.where)
        return int(np.count_nonzero(np.isnan(values)))

    def batches(self, roles: Roles, facts: Facts) -> Iterator[Batch]:
        """Read the matrix and number the levels that need it."""
        named = roles.features
        encoders = {j: Encoder(v, self.where) for j, v in facts.labels.items() if named[j] not in self.labels}
        as_it_is = facts.classes is None or roles.target in self.labels
        classes = None if as_it_is or facts.classes is None else Encoder(facts.classes, self.where)
        for whole, along in self.slices():
            matrix, beside = self._counted(whole, along, roles)
            X = self._chosen(matrix, roles)
            if encoders:
                X = self._encoded(X, encoders)
            y = None
            if roles.target is not None:
                target = self._beside(roles.target, matrix, beside)
                given = np.where(target.missing, UNLABELLED, target.values) if roles.partly else target.values
                kept = target.values if facts.classes is None else given.astype(np.int64)
                y = kept if classes is None else numbered(target, classes, roles.partly)
            yield Batch(X, y, None if roles.weight is None else self._beside(roles.weight, matrix, beside).values)

    def _weighed(self, matrix: Any, beside: Mapping[str, np.ndarray], roles: Roles) -> np.ndarray:
        """Return which rows of a slice have a weight above 0."""
        if roles.weight is None:
            return np.ones(matrix.shape[0], bool)
        return self._beside(roles.weight, matrix, beside).values > 0

    def _that_count(self, matrix: Any, beside: Mapping[str, np.ndarray], roles: Roles) -> np.ndarray:
        """Return which rows of a slice have a weight above 0 and a target."""
        rows = self._weighed(matrix, beside, roles)
        return (
            rows if roles.target is None or roles.partly else rows & ~self._beside(roles.target, matrix, beside).missing
        )

    def _counted(self, matrix: Any, beside: Mapping[str, np.ndarray], roles: Roles) -> Slice:
        """Return the rows of a slice that count."""
        return self._at(self._that_count(matrix, beside, roles), matrix, beside)

    def counted(self, roles: Roles) -> np.ndarray:
        """Return which rows have a weight above 0 and a target, a mask."""
        return np.concatenate([self._that_count(matrix, beside, roles) for matrix, beside in self.slices()])

    def _at(self, rows: np.ndarray, matrix: Any, beside: Mapping[str, np.ndarray]) -> Slice:
        if rows.all():
            return matrix, beside
        return matrix[rows], {name: np.asarray(values)[rows] for name, values in beside.items()}

    def _chosen(self, matrix: Any, roles: Roles) -> Any:
        if roles.features != self.features:
            matrix = matrix[:, [self._place[name] for name in roles.features]]
        # Levels, too, are read from this matrix of floats.
        if sp.issparse(matrix) or matrix.dtype.kind in "iu":
            refuse_rounded(self.where, matrix, roles.features)
        if sp.issparse(matrix):
            return sp.csr_matrix(matrix, dtype=np.float64)
        return np.array(matrix, dtype=np.float64, order="C", copy=None, subok=False)

    def _columns(self, X: Any, places: Sequence[int], roles: Roles) -> Iterator[tuple[int, np.ndarray]]:
        """The values of columns; of a sparse matrix only those that are stored."""
        if not sp.issparse(X):
            yield from ((j, X[:, j]) for j in places)
        elif places:
            by_column = X.tocsc()
            for j in places:
                stored = by_column.data[by_column.indptr[j] : by_column.indptr[j + 1]]
                if np.any(stored < 0):
                    raise InputError(
                        f"The nominal column {roles.features[j]!r} of {self.where} holds negative values, but "
                        "in sparse data an unstored 0 must be the first level; number its levels from 0."
                    )
                yield j, stored

    def _encoded(self, X: Any, encoders: dict[int, Encoder]) -> Any:
        if not sp.issparse(X):
            X = X.copy()
            for j, encoder in encoders.items():
                X[:, j] = encoder(Column(X[:, j]))
            return X
        by_column = X.tocsc()
        for j, encoder in encoders.items():
            stored = slice(by_column.indptr[j], by_column.indptr[j + 1])
            by_column.data[stored] = encoder(Column(by_column.data[stored]))
        return by_column.tocsr()

    def _beside(self, name: str, matrix: Any, beside: Mapping[str, np.ndarray]) -> Column:
        return column_of(self._raw(name, matrix, beside), name, self.where)

    def _raw(self, name: str, matrix: Any, beside: Mapping[str, np.ndarray]) -> np.ndarray:
        if name in beside:
            return np.asarray(beside[name])
        column = matrix[:, [self._place[name]]]
        return (column.toarray() if sp.issparse(column) else np.asarray(column)).ravel()

    def originals(self, names: Sequence[str], typed: bool) -> Iterator[dict[str, Any]]:
        """Read columns as they are; level numbers with names become those names."""
        for matrix, beside in self.slices():
            yield {name: self._named(name, self._raw(name, matrix, beside)) for name in names}

    def _named(self, name: str, values: np.ndarray) -> np.ndarray:
        if name not in self.labels:
            return values
        absent = np.isnan(values.astype(np.float64))
        names = np.array([*self.labels[name].tolist(), None], dtype=object)
        return names[np.where(absent, -1, values).astype(np.int64)]


class ArraySource(MatrixSource):
    """A matrix in memory."""

    def __init__(self, where: str, X: Any, features: Sequence[str], beside: Mapping[str, np.ndarray]) -> None:
        super().__init__(where, features, tuple(beside))
        self.X = X.tocsr() if sp.issparse(X) else X
        self.kind = "sparse" if sp.issparse(X) else "dense"
        self.beside = dict(beside)
        self.n_rows = int(X.shape[0])

    def row_bytes(self, n_features: int) -> float:
        """Return about how many bytes a row of a batch takes."""
        return 12.0 * self.X.nnz / max(self.X.shape[0], 1) if self.kind == "sparse" else 8.0 * n_features

    def slices(self) -> Iterator[Slice]:
        """Cut the arrays."""
        rows = self.rows_per_batch(len(self.features))
        for start in range(0, int(self.X.shape[0]), rows):
            stop = start + rows
            yield self.X[start:stop], {name: values[start:stop] for name, values in self.beside.items()}


def free_name(name: str, taken: Sequence[str]) -> str:
    """Return ``name`` with as many underscores after it as it takes to be new."""
    while name in taken:
        name += "_"
    return name


def array_source(
    X: Any, y: Any, weight: Any, names: Sequence[str] | None, labels: Mapping[int, Any] | None, classes: Any
) -> tuple[ArraySource, str | None, str | None]:
    """Return a source of arrays in memory and the names of its target and weight."""
    X = check_structure("open_table", X) if sp.issparse(X) else np.asarray(X)
    if X.ndim != 2 or X.dtype.kind not in "fiub":
        raise InputError(
            f"X has shape {X.shape} and type {X.dtype}, but rows x features of numbers are needed; convert."
        )
    features = [f"x{j}" for j in range(X.shape[1])] if names is None else [str(name) for name in names]
    target = None if y is None else free_name("y", features)
    weight_name = None if weight is None else free_name("weight", features)
    given = {target: y, weight_name: weight}
    beside = {name: np.asarray(values) for name, values in given.items() if name is not None}
    lengths = {"names": len(features), **{name: len(values) for name, values in beside.items()}}
    for name, length in lengths.items():
        expected = X.shape[1 if name == "names" else 0]
        if length != expected:
            raise InputError(f"{name} has {length} entries, but X of shape {X.shape} needs {expected}; give as many.")
    source = ArraySource("the arrays", X, features, beside)
    source.labels = {features[j]: np.asarray(levels, dtype=object) for j, levels in (labels or {}).items()}
    source.nominal = frozenset(source.labels)
    if target is not None and classes is not None:
        source.labels[target] = np.asarray(classes)
    return source, target, weight_name
