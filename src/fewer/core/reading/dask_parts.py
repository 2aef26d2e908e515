"""Dask arrays and data frames, as views whose row blocks stay on the workers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import compress, repeat
from typing import Any

import numpy as np

from fewer.core.reading.asked import are_examined, names_for
from fewer.core.reading.dask_texts import PartTexts, Reader, looked_at, numbers_of
from fewer.core.reading.frames import columns_rounded, encode_labels, is_frame
from fewer.core.reading.memory import refuse_nominal, refuse_target_among_features
from fewer.core.reading.targets import read_as, read_target, refuse_kind, why_numbers
from fewer.core.reading.whole_numbers import WORDS, too_large
from fewer.core.records.errors import InputError
from fewer.core.records.tags import MethodTags
from fewer.core.records.target_kinds import is_missing, missing_targets
from fewer.core.runners.cluster import DaskRunner
from fewer.core.views.blocks import DenseBlock
from fewer.core.views.view import View

# Beyond so many distinct numbers a partition reports only some of its target.
MOST_VALUES = 10_000


def is_dask(X: Any) -> bool:
    """Return whether X is a Dask array or data frame."""
    return type(X).__module__.split(".")[0] in ("dask", "dask_expr") and hasattr(X, "to_delayed")


@dataclass(frozen=True)
class PartFacts:
    """What one partition of a Dask collection knows about itself."""

    n_rows: int
    n_targets: int
    missing: int
    infinite: bool
    texts: dict[int, PartTexts]
    targets: np.ndarray | None
    large: tuple[int, ...] = ()


def read_dask(estimator: Any, X: Any, y: Any, tags: MethodTags, categorical: Any, run: DaskRunner) -> View:
    """Return a view of a Dask array or data frame, which is never gathered."""
    import dask

    name = type(estimator).__name__
    if tags.needs_target and y is None:
        raise InputError(f"{name} requires y to be passed, but the target y is None; pass a Dask array or series.")
    refuse_target_among_features(name, X, y)
    refuse_columns(name, tags, y)
    names, examined = names_for(name, X), are_examined(tags)
    looked = looked_at(X, categorical, name, examined)
    parts, targets = _partitions(name, X, y if tags.needs_target else None)
    look = dask.delayed(part_facts, pure=False)
    found = run.computed([look(p, t, looked.any_of) for p, t in zip(parts, targets)])
    large = sorted({j for facts in found for j in facts.large})
    if large and not examined:
        raise InputError(too_large(f"{name} got the column {large[0] if names is None else names[large[0]]!r} with"))
    texts, labels = looked.read([facts.texts for facts in found], list(X.columns) if is_frame(X) else [])
    nominal = np.isin(np.arange(X.shape[1]), list(labels))
    if nominal.any():
        refuse_nominal(name, tags, X.columns, nominal)
    _check_parts(name, found)
    classes, values = _dask_target(name, found, tags)
    make = dask.delayed(part_block, pure=False)
    # Partitions may be empty, but a summary has something to look at, as the first row.
    filled = [facts.n_rows > 0 for facts in found] if any(facts.n_rows for facts in found) else repeat(True)
    blocks = [make(*pair, texts.readers, labels, classes, values) for pair in compress(zip(parts, targets), filled)]
    blocks = run.kept(blocks)
    missing = _missing(name, found, blocks if texts.readers else [], tags, run)
    estimator.n_features_in_ = X.shape[1]
    if names is not None and is_frame(X) and all(isinstance(c, str) for c in X.columns):
        estimator.feature_names_in_ = np.asarray(names, dtype=object)
    return View(
        run=run,
        blocks=blocks,
        kind="dense",
        n_rows=sum(f.n_rows for f in found),
        n_features=X.shape[1],
        nominal=nominal,
        classes=classes if values is None else None,
        labels=labels,
        names=names,
        facts={
            "n_missing": missing,
            "target_name": getattr(y, "name", None) if is_frame(X) else None,
            **({"large": {str(j): WORDS for j in large}} if large else {}),
            **({"dates": texts.dates} if texts.dates else {}),
            **({"notes": texts.notes} if texts.notes else {}),
            **_target_facts(found, classes if values is None else None, tags),
        },
        may_miss=missing > 0,
    )


def _missing(name: str, found: list[PartFacts], blocks: list[Any], tags: MethodTags, run: DaskRunner) -> int:
    """Return how many values are missing, of text that was read as numbers by its numbers; raise if none may be."""
    import dask

    missing = sum(facts.missing for facts in found)
    if blocks:
        count = dask.delayed(_count_missing, pure=False)
        missing = sum(run.computed([count(block) for block in blocks]))
    if missing and not tags.handles_nan:
        raise InputError(f"{name} takes no missing values, but X holds {missing} NaN cells; fill in or drop them.")
    return missing


def _count_missing(block: DenseBlock) -> int:
    return int(np.isnan(block.X).sum())


def refuse_columns(name: str, tags: MethodTags, y: Any) -> None:
    """Raise on a Dask target of several columns, which only data in memory may have."""
    if tags.needs_target and len(getattr(y, "shape", ())) > 1:
        raise InputError(
            f"{name} takes one value per row of a Dask target, but y has {y.ndim} dimensions; give one column at a "
            "time, or call .compute() first: several labels are read in memory."
        )


def _check_parts(name: str, found: list[PartFacts]) -> None:
    """Raise on partitions that do not fit each other or the method."""
    for number, facts in enumerate(found):
        if facts.n_targets >= 0 and facts.n_targets != facts.n_rows:
            raise InputError(
                f"{name} got {facts.n_rows} rows of X and {facts.n_targets} of y in partition {number}; both must be "
                "cut at the same rows: repartition y like X."
            )
    if any(facts.infinite for facts in found):
        raise InputError(f"{name} got infinity in X, but takes finite numbers; replace or drop those values.")


def _dask_target(name: str, found: list[PartFacts], tags: MethodTags) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return the classes, and for numeric methods the number that stands for each text label."""
    if not tags.needs_target:
        return None, None
    # The distinct values are checked like a whole target: kind, missing values, number of classes.
    distinct = _distinct(found)
    if missing_targets(distinct).any():
        refuse_kind(name, "partly labelled", tags)
    read = read_target(name, distinct, tags)
    classes, numbers = read.classes, read.values
    if classes is not None or distinct.dtype.kind not in "OUSb":
        return classes, None
    labels, first = np.unique(distinct, return_index=True)
    return labels, np.asarray(numbers)[first]


def _target_facts(found: list[PartFacts], classes: np.ndarray | None, tags: MethodTags) -> dict[str, str]:
    """Return as what a method that takes classes and numbers has read the target."""
    if not tags.reads_classes:
        return {}
    return read_as(classes is not None, why_numbers(_distinct(found)) if classes is None else None)


def _distinct(found: list[PartFacts]) -> np.ndarray:
    return np.concatenate([facts.targets for facts in found if facts.targets is not None])


def _partitions(name: str, X: Any, y: Any) -> tuple[list[Any], list[Any]]:
    """Return delayed partitions of X and y that hold the same rows."""
    if y is not None and not is_dask(y) and is_frame(X):
        raise InputError(f"{name} got a Dask data frame with y of type {type(y).__name__}; pass y as a Dask series.")
    if y is None:
        parts = X.to_delayed() if is_frame(X) else X.rechunk({1: -1}).to_delayed().ravel().tolist()
        return list(parts), [None] * len(parts)
    if is_frame(X):
        parts, targets = list(X.to_delayed()), list(y.to_delayed())
        if len(parts) != len(targets):
            raise InputError(
                f"{name} got X in {len(parts)} partitions and y in {len(targets)}; both must be cut at the same "
                "rows: repartition y like X."
            )
        return parts, targets
    X = X.rechunk({1: -1})
    if y.shape[0] != X.shape[0] and not np.isnan([y.shape[0], X.shape[0]]).any():
        raise InputError(f"{name} got X with {X.shape[0]} rows and y with {y.shape[0]}; check how they were cut.")
    parts = X.to_delayed().ravel().tolist()
    if is_dask(y):
        return parts, y.rechunk({0: X.chunks[0]}).to_delayed().ravel().tolist()
    return parts, list(np.split(np.asarray(y), np.cumsum(X.chunks[0])[:-1]))


def part_facts(part: Any, target: Any, looked: np.ndarray) -> PartFacts:
    """Look at one partition; of some columns tell the different values."""
    texts = {int(j): PartTexts.of(part.iloc[:, j]) for j in np.flatnonzero(looked)}
    X = _part_numbers(part, dict.fromkeys(texts, 0.0))
    missing = int(np.isnan(X).sum()) + sum(column.missing for column in texts.values())
    large = tuple(columns_rounded(part if is_frame(part) else np.asarray(part), X))
    targets = None
    if target is not None:
        targets = np.asarray(target)
        if targets.dtype.kind == "O":
            present = [str(v) for v in targets if not is_missing(v)]
            targets = np.array([*sorted(set(present)), *([None] * (len(present) < len(targets)))], dtype=object)
        else:
            targets = _few_values(targets)
    n_targets = -1 if target is None else len(target)
    return PartFacts(len(X), n_targets, missing, bool(np.isinf(X).any()), texts, targets, large)


def _few_values(targets: np.ndarray) -> np.ndarray:
    """Return the distinct values; of a continuous target a few, which tell as much about its kind."""
    distinct = np.unique(targets)
    if distinct.dtype.kind == "f" and len(distinct) > MOST_VALUES:
        odd = distinct[~np.isfinite(distinct)][:1]
        fractions = distinct[np.isfinite(distinct) & (distinct != np.floor(distinct))][:1]
        return np.concatenate([distinct[:MOST_VALUES], fractions, odd])
    return distinct


def part_block(
    part: Any,
    target: Any,
    readers: Mapping[int, Reader],
    labels: dict[int, np.ndarray],
    classes: np.ndarray | None,
    values: np.ndarray | None,
) -> DenseBlock:
    """Make a row block of one partition, with the level and class numbers of all partitions."""
    read: dict[int, Any] = {j: numbers_of(part.iloc[:, j], reader) for j, reader in readers.items()}
    read |= {j: _level_numbers(part.iloc[:, j], levels) for j, levels in labels.items()}
    X = _part_numbers(part, read)
    if target is None:
        return DenseBlock(X)
    y = np.asarray(target)
    if classes is None:
        return DenseBlock(X, np.ascontiguousarray(y, dtype=np.float64))
    y = y.astype(str).astype(object) if y.dtype.kind == "O" else y
    numbers = np.searchsorted(classes, y).astype(np.int64)
    return DenseBlock(X, numbers if values is None else np.ascontiguousarray(values[numbers], dtype=np.float64))


def _part_numbers(part: Any, read: Mapping[int, Any]) -> np.ndarray:
    """Return the columns of a partition as numbers, of which some are read already."""
    if not is_frame(part):
        return np.ascontiguousarray(part, dtype=np.float64)
    out = np.empty(part.shape, np.float64)
    for j in range(part.shape[1]):
        out[:, j] = read[j] if j in read else part.iloc[:, j].to_numpy(dtype=np.float64, na_value=np.nan)
    return out


def _level_numbers(column: Any, labels: np.ndarray) -> np.ndarray:
    """Return the level numbers of a column, NaN where missing, as all partitions count them."""
    numbers, here = encode_labels(np.array([*column.astype(object).tolist(), None], dtype=object), column.name)
    renumber = np.append(np.searchsorted(labels, here).astype(np.float64), np.nan)
    return renumber[np.where(np.isnan(numbers), len(here), numbers).astype(np.int64)][:-1]
