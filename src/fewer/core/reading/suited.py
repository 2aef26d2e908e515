"""Data that were read once, as a method with given tags takes them; or why it cannot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.reading.memory import refuse_nominal
from fewer.core.reading.targets import check_classes, numeric_target, refuse_kind
from fewer.core.records.errors import InputError, InputTypeError, RequirementError
from fewer.core.records.tags import MethodTags
from fewer.core.records.target_kinds import KINDS, places
from fewer.core.views.view import View

# Kinds of target that are taken as they are, or not at all.
SPECIAL = {kind.name for kind in KINDS} - {"none", "ordered classes", "classes", "numbers"}


def suited(name: str, tags: MethodTags, data: View) -> View:
    """Return the view that a method takes, or say in one sentence why it cannot.

    Methods that take the target alike get the same view, so that what one has summed up the next one finds there.
    """
    refuse(name, tags, data)
    kind = _target_kind(name, tags, data)
    # Methods on moments find missing values by themselves.
    may_miss = data.may_miss and not (tags.streams and "dense" in tags.views)
    key = ("suited", kind, may_miss)
    if key not in data._memo:
        data._memo[key] = _with_target(name, kind, replace(data, may_miss=may_miss, _memo={}))
    return data._memo[key]


def refuse(name: str, tags: MethodTags, data: View) -> None:
    """Raise if the data hold what a method does not take."""
    if data.nominal.any():
        refuse_nominal(name, tags, data.names, data.nominal)
    if data.kind == "sparse" and not tags.handles_sparse:
        raise InputTypeError(f"{name} takes dense data, but X is sparse; use a method that handles sparse data.")
    if data.may_miss and not tags.handles_nan:
        raise InputError(
            f"{name} takes no missing values, but X holds NaN; fill them in, drop those columns, or use a method "
            "that handles missing values, such as InformationGain."
        )
    if data.run.in_memory and data.whole().weight is not None and not tags.handles_weights:
        raise RequirementError(
            f"{name} takes no sample_weight, but the data have weights; leave the weights out or choose another "
            "method, such as JMI."
        )
    if not data.run.in_memory and not tags.streams:
        raise RequirementError(
            f"{name} needs all rows in memory, but the data are on the {data.run.name} runner; load them first, with "
            "table.load() for a table, or choose a method that streams."
        )


def _target_kind(name: str, tags: MethodTags, data: View) -> str:
    """Return what a method reads the target as: a kind of target, one value per row as "classes" or "numbers"."""
    if not tags.needs_target:
        return "none"
    if data.run.in_memory and data.whole().y is None:
        raise InputError(f"{name} needs a target, but the data have none; pass class labels or numbers, one per row.")
    refuse_kind(name, data.target_kind or "classes", tags)
    if data.target_kind in SPECIAL:
        return data.target_kind
    if data.classes is None:
        if tags.task == "classification":
            raise InputError(
                f"{name} needs classes, but y holds numbers; cut y into intervals first, or use a method for "
                "regression, such as Pearson or VarianceReduction."
            )
        return "numbers"
    if tags.task == "classification" or tags.reads_classes:
        check_classes(name, np.asarray(data.classes), tags)
        return "classes"
    return "numbers"


def _with_target(name: str, kind: str, data: View) -> View:
    if kind == "none":
        return replace(data, blocks=data.run.place(data.blocks, WithoutTarget()), classes=None, _memo={})
    if kind == "numbers" and data.classes is not None:
        labels = np.asarray(data.classes)[data.whole().y]
        given = labels if data.class_order is None else places(labels, data.class_order)
        numbers = np.ascontiguousarray(numeric_target(name, given), dtype=np.float64)
        return replace(data.with_target(numbers), classes=None)
    return data


@dataclass(frozen=True)
class WithoutTarget:
    """Makes of a block the same rows without their target."""

    def __call__(self, block: Any) -> Any:
        """Leave the target out."""
        return replace(block, y=None)
