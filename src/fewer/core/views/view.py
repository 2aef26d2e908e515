"""A view: row blocks of one kind, wherever they are, and what is known about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.records.errors import InputError, RequirementError
from fewer.core.records.target_kinds import known_labels
from fewer.core.runners import ledger
from fewer.core.runners.runner import Blocks, Runner
from fewer.core.summaries.results import KnownOfColumns
from fewer.core.summaries.summary import Result, Summary
from fewer.core.views.blocks import DenseBlock
from fewer.core.views.pairs import Pairs, as_pairs
from fewer.core.views.weights import WeightGrid

# What holds the columns of a block, by its kind, and what a block knows of each column.
MATRIX = {"dense": "X", "sparse": "X", "codes": "rows", "sparse codes": "X"}
PER_FEATURE = ("n_levels", "zero_code")


@dataclass(frozen=True, eq=False)
class TakeColumns:
    """Makes of a block the block of some of its features, in the given order."""

    subset: np.ndarray

    def __call__(self, block: Any) -> Any:
        """Copy the chosen columns of one block; rows, target and weights are shared."""
        if block.kind not in MATRIX:
            raise RequirementError(
                f"Columns can be taken of dense, sparse and coded rows, but the view holds {block.kind}; choose the "
                "features before that view is made."
            )
        block = getattr(block, "opened", block)
        matrix = getattr(block, MATRIX[block.kind])
        # Indexing would put the columns of a dense matrix one after another.
        taken = np.take(matrix, self.subset, axis=1) if isinstance(matrix, np.ndarray) else matrix[:, self.subset]
        known = {name: getattr(block, name)[self.subset] for name in PER_FEATURE if hasattr(block, name)}
        return replace(block, **{MATRIX[block.kind]: taken}, **known)


@dataclass(frozen=True, eq=False)
class View:
    """Row blocks with their runner.

    Attributes
    ----------
    run : Runner
        Computes summaries of the blocks.
    blocks : Blocks
        The runner's handle on the row blocks.
    kind : str
        "dense", "sparse", "codes" or "sparse codes".
    n_rows, n_features : int
        Size of the data.
    classes : ndarray, optional
        The class labels; None when the target is numeric or absent.
    nominal : ndarray of bool
        Which columns hold level numbers rather than quantities.
    labels : mapping of int to ndarray
        Level labels of the nominal columns.
    names : tuple of str, optional
        Feature names.
    facts : mapping
        What the report says about the data.
    n_levels : ndarray, optional
        Levels per feature, of codes only.
    counted : ndarray of bool, optional
        Which rows of X are here, where those of weight 0 were left out; None if all are here.
    weights : WeightGrid, optional
        What the weights are multiples of; None if rows have none.
    class_order : tuple, optional
        The classes from the lowest to the highest, where the target says so.
    target_kind : str
        What the target is, of `target_kinds.KINDS`; empty where all that is known is that rows have one value.
    target_names : tuple of str, optional
        Names of the columns of a target that has several.
    labelled : ndarray of bool, optional
        Which rows have a target, where some have none.
    groups : ndarray, optional
        The group of every row, for splits that must keep groups together.
    fit_params : mapping of str to object
        Further parameters for the fits of estimators; what has one entry per row belongs to the rows that are here.
    pairs : Pairs, optional
        Rows that belong together or apart.
    column_types : ColumnTypes, optional
        How the columns of a data frame were typed, by name; for estimators that look at types.
    """

    run: Runner
    blocks: Blocks
    kind: str
    n_rows: int
    n_features: int
    nominal: np.ndarray
    classes: np.ndarray | None = None
    labels: Mapping[int, np.ndarray] = field(default_factory=dict)
    names: tuple[str, ...] | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    may_miss: bool = False
    n_levels: np.ndarray | None = None
    counted: np.ndarray | None = None
    weights: WeightGrid | None = None
    class_order: tuple[Any, ...] | None = None
    target_kind: str = ""
    target_names: tuple[str, ...] | None = None
    labelled: np.ndarray | None = None
    groups: Any = None
    fit_params: Mapping[str, Any] = field(default_factory=dict)
    pairs: Pairs | None = None
    column_types: Any = None
    _memo: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def n_classes(self) -> int:
        """Number of classes, 0 when the target is numeric or absent."""
        return 0 if self.classes is None else len(self.classes)

    def fold(self, summary: Summary[Result]) -> Result:
        """Return a summary of all rows; the same summary is computed once."""
        if not summary.remembered:
            return self.run.fold(summary, self.blocks)
        if summary not in self._memo:
            with ledger.making(self._memo, summary):
                self._memo[summary] = self.run.fold(summary, self.blocks)
        else:
            ledger.found(self._memo, summary)
        return self._memo[summary]

    def is_asked(self, summary: Summary[Any]) -> bool:
        """Return whether the runner is to be asked for a summary: rows are not at hand, or computed with elsewhere."""
        return not self.run.in_memory or self.run.takes_over(summary, self.whole())

    def known(self, key: Any) -> Any:
        """Return what was found before and kept under this name, None if nothing was."""
        return self._memo.get(key)

    def whole(self) -> Any:
        """Return the one block that holds all rows, or explain that there is none."""
        if not self.run.in_memory:
            raise RequirementError(
                f"This method needs all rows in memory, but the data are on the {self.run.name} runner; "
                "load them first, with table.load() for a table, give its codes more memory with "
                "open_table(..., cache_bytes=), or choose a method that streams."
            )
        return self.blocks[0]

    def with_target(self, y: np.ndarray) -> View:
        """Return the same rows with another target; the rows must be in memory."""
        return replace(self, blocks=[replace(self.whole(), y=y)], _memo={})

    def per_row(self, given: Any) -> Any:
        """Return the entries for the rows that are here of what has one per row of X, such as groups; else as it is."""
        if self.counted is None or np.ndim(given) == 0 or len(given) != len(self.counted):
            return given
        return np.asarray(given)[self.counted]

    @property
    def target(self) -> np.ndarray | None:
        """The target of all rows as estimators know it: labels of classes as they were given, or numbers."""
        y = self.whole().y
        return y if self.classes is None or y is None else known_labels(self.classes)[y]

    def with_row_data(self, groups: Any, fit_params: Mapping[str, Any]) -> View:
        """Return the same rows with what else `fit` was given for each of all rows of X."""
        here = {name: self.per_row(given) for name, given in fit_params.items()}
        return replace(self, groups=self.per_row(groups), fit_params=here)

    def with_pairs(self, name: str, pairs: Any) -> View:
        """Return the same rows with pairs of them that belong together or apart, as `fit` was given them."""
        return self if pairs is None else replace(self, pairs=as_pairs(name, pairs, self.n_rows))

    def with_numbers(self, X: np.ndarray) -> View:
        """Return the same rows with other numbers in memory, which have no names and no nominal columns."""
        block = DenseBlock(np.ascontiguousarray(X), self.whole().y, self.whole().weight)
        return replace(
            self,
            blocks=[block],
            kind="dense",
            n_features=X.shape[1],
            nominal=np.zeros(X.shape[1], bool),
            labels={},
            names=None,
            facts={},
            may_miss=_any_missing(block),
            n_levels=None,
            counted=None,
            _memo={},
        )

    def rows(self, subset: np.ndarray) -> View:
        """Return some rows of the data in memory, as reading only these would give: their own levels and classes.

        Weights, groups and parameters with one entry per row come along.
        """
        subset, block = np.asarray(subset), self.whole()
        X = block.X[subset] if self.kind == "dense" else block.X.tocsr()[subset].tocsc()
        labels = dict(self.labels)
        for j in labels:
            X[:, j], labels[j] = occurring(X[:, j], labels[j])
        if self.kind == "sparse":
            X.sort_indices()
        y, classes = None if block.y is None else block.y[subset], self.classes
        if y is not None and classes is not None:
            present = np.unique(y[y >= 0])
            classes, y = np.asarray(classes)[present], np.where(y < 0, y, np.searchsorted(present, y)).astype(np.int64)

        def entries(given: Any) -> Any:
            return np.asarray(given)[subset] if np.ndim(given) and len(given) == self.n_rows else given

        taken = replace(block, X=X, y=y, weight=None if block.weight is None else block.weight[subset])
        return replace(
            self,
            blocks=[taken],
            n_rows=X.shape[0],
            classes=classes,
            labels=labels,
            facts={},
            may_miss=self.may_miss and _any_missing(taken),
            counted=None,
            labelled=entries(self.labelled),
            groups=entries(self.groups),
            fit_params={name: entries(given) for name, given in self.fit_params.items()},
            pairs=None if self.pairs is None else self.pairs[subset],
            _memo={},
        )

    def with_classes(self, numbers: np.ndarray, classes: np.ndarray) -> View:
        """Return the same rows with a target of classes; the rows must be in memory."""
        return replace(self.with_target(numbers), classes=classes, target_kind="classes", target_names=None)

    def label(self, number: int) -> View:
        """Return the same rows with one of several labels as a target of two classes, 0 and 1."""
        return self.with_classes(np.ascontiguousarray(self.whole().y[:, number]), np.arange(2))

    def number(self, number: int) -> View:
        """Return the same rows with one of several numbers as their target."""
        one = self.with_target(np.ascontiguousarray(self.whole().y[:, number]))
        return replace(one, target_kind="numbers", target_names=None)

    def columns(self, subset: Sequence[int] | np.ndarray) -> View:
        """Return the same rows with some of the features only, in the given order, on any runner.

        In memory the chosen columns are copied, because kernels read whole rows; where rows stream by, they are taken
        from each batch when it comes.
        """
        subset = np.asarray(subset, dtype=np.int64)
        if np.array_equal(subset, np.arange(self.n_features)):
            return self
        blocks = self.run.place(self.blocks, TakeColumns(subset))
        return replace(
            self,
            blocks=blocks,
            n_features=len(subset),
            nominal=self.nominal[subset],
            labels={new: self.labels[old] for new, old in enumerate(subset.tolist()) if old in self.labels},
            names=None if self.names is None else tuple(self.names[j] for j in subset.tolist()),
            n_levels=None if self.n_levels is None else self.n_levels[subset],
            may_miss=self.may_miss and not (self.run.in_memory and not _any_missing(blocks[0])),
            _memo={key: one.of_columns(subset) for key, one in self._memo.items() if isinstance(one, KnownOfColumns)},
        )

    def reordered(self, order: np.ndarray) -> View:
        """Return the same features with rows in another order, dense ones also in one each; the target stays."""
        block = self.whole()
        matrix = getattr(block, MATRIX[block.kind])
        if order.ndim == 2:
            rows = np.take_along_axis(matrix, order, axis=0)
        else:
            rows = matrix[order] if isinstance(matrix, np.ndarray) else matrix.tocsr()[order].tocsc()
        return replace(self, blocks=[replace(block, **{MATRIX[block.kind]: rows})], _memo={})

    def with_columns(self, more: View) -> View:
        """Return the same rows in memory with the features of another view of them behind its own, such as probes."""
        block, start = self.whole(), self.n_features

        def both(name: str) -> list[Any]:
            return [getattr(block, name), getattr(more.whole(), name)]

        parts = both(MATRIX[block.kind])
        joined = np.hstack(parts) if isinstance(parts[0], np.ndarray) else scipy.sparse.hstack(parts, format="csc")
        known = {name: np.concatenate(both(name)) for name in PER_FEATURE if hasattr(block, name)}
        return replace(
            self,
            blocks=[replace(block, **{MATRIX[block.kind]: joined}, **known)],
            n_features=start + more.n_features,
            nominal=np.concatenate([self.nominal, more.nominal]),
            labels={**self.labels, **{start + j: labels for j, labels in more.labels.items()}},
            names=None if self.names is None or more.names is None else (*self.names, *more.names),
            n_levels=known.get("n_levels"),
            may_miss=self.may_miss or more.may_miss,
            _memo={},
        )

    def with_names(self, names: tuple[str, ...], column_types: Any = None) -> View:
        """Return the same columns under other names, with the types that belong to these."""
        return replace(self, names=names, column_types=column_types, _memo={})

    def name_of(self, j: int) -> str:
        """Return the name of a feature, for messages."""
        return repr(self.names[j]) if self.names is not None else str(j)

    def check_finite(self, *statistics: np.ndarray) -> None:
        """Raise if a statistic of some feature is not finite: its column holds NaN, infinity or huge values.

        Statistics have one row per feature. Testing them instead of the data saves a pass over the data.
        """
        for values in statistics:
            if np.isfinite(values).all():
                continue
            j = int(np.flatnonzero(~np.isfinite(values).reshape(len(values), -1).all(axis=1))[0])
            raise InputError(
                f"Column {self.name_of(j)} holds NaN, infinity or values so large that their squares overflow; "
                "this method takes finite numbers up to about 1e150: fill in or drop missing values, rescale, "
                "or use a method that handles missing values, such as InformationGain."
            )


def _any_missing(block: Any) -> bool:
    """Return whether a block holds missing values; codes have a level for them."""
    if block.kind not in ("dense", "sparse"):
        return True
    values = block.X.data if block.kind == "sparse" else block.X
    return values.dtype.kind == "f" and bool(np.isnan(values).any())


def occurring(column: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a nominal column numbered by the levels that occur in it, and their labels."""
    here = ~np.isnan(column)
    present = np.unique(column[here]).astype(np.int64)
    out = np.full(len(column), np.nan)
    out[here] = np.searchsorted(present, column[here])
    return out, np.asarray(labels)[present]
