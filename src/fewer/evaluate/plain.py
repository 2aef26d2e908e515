"""A comparison as plain values, and back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from fewer.core.records import json_text
from fewer.core.records.result import Selection
from fewer.core.records.written_form import check_comparison, check_selection
from fewer.evaluate.comparison import Comparison, Failure


def to_dict(c: Comparison, version: int, timings: bool) -> dict[str, Any]:
    """Return what JSON can hold; NaN becomes null."""
    data = {
        "format": version,
        "kind": "comparison",
        "task": c.task,
        "methods": c.methods,
        "estimators": c.estimators,
        "sizes": c.sizes,
        "scoring": c.scoring,
        "scores": c.scores,
        "kept": c.kept,
        "naive": c.naive,
        "inner": c.inner,
        "whole": c.whole,
        "chance": c.chance,
        "orders": c.orders,
        "subsets": c.subsets,
        "finals": c.finals,
        "random": c.random,
        "selections": {name: selection.to_dict() for name, selection in c.selections.items()},
        "n_train": c.n_train,
        "n_test": c.n_test,
        "repeat": c.repeat,
        "names": c.names,
        "failures": [{"method": f.method, "words": f.words, "estimator": f.estimator} for f in c.failures],
        "related": c.related,
        "portraits": c.portraits,
        "evidence": c.evidence,
        "meta": c.meta,
    }
    if timings:
        data["seconds"] = c.seconds
    return json_text.plain(data)


def from_dict(data: Mapping[str, Any]) -> Comparison:
    """Make a comparison of plain values."""
    related = dict(data["related"])
    if related:
        related["features"], related["matrix"] = numbers(related["features"]), floats(related["matrix"])
    seconds = {k: floats(v) if isinstance(v, list) else v for k, v in data.get("seconds", {}).items()}
    return Comparison(
        task=data["task"],
        methods=tuple(data["methods"]),
        estimators=tuple(data["estimators"]),
        sizes=tuple(data["sizes"]),
        scoring=data["scoring"],
        scores=floats(data["scores"]),
        kept=numbers(data["kept"]),
        naive=None if data["naive"] is None else floats(data["naive"]),
        inner=None if data.get("inner") is None else floats(data["inner"]),
        whole=floats(data["whole"]),
        chance=floats(data["chance"]),
        orders=tuple(tuple(numbers(order) for order in folds) for folds in data["orders"]),
        subsets={
            name: tuple(tuple(numbers(subset) for subset in fold) for fold in folds)
            for name, folds in data["subsets"].items()
        },
        finals={name: tuple(numbers(subset) for subset in subsets) for name, subsets in data.get("finals", {}).items()},
        random={name: floats(scores) for name, scores in data.get("random", {}).items()},
        selections={name: Selection.from_dict(one) for name, one in data["selections"].items()},
        n_train=numbers(data["n_train"]),
        n_test=numbers(data["n_test"]),
        repeat=numbers(data["repeat"]),
        names=tuple(data["names"]),
        failures=tuple(Failure(**one) for one in data["failures"]),
        related=related,
        portraits=tuple(data["portraits"]),
        evidence=_evidence(data.get("evidence", {})),
        seconds=seconds,
        meta=data["meta"],
    )


def _evidence(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is known of features; comparisons of older versions have none."""
    return {k: floats(v) if k in ("alone", "pvalue") else v for k, v in data.items()}


def from_json(source: str | Path, version: int) -> Comparison:
    """Read a comparison from JSON text or from a file."""
    origin = "'fewer compare' or Comparison.to_json"
    return json_text.read(source, "comparison", [version], _of_file, origin)


def _of_file(data: Mapping[str, Any]) -> Comparison:
    check_comparison(data)
    for one in data["selections"].values():
        check_selection(one)
    return from_dict(data)


def floats(values: Any) -> np.ndarray:
    """Return nested lists as floats, null as NaN."""
    # numpy reads None as NaN when it converts objects.
    return np.asarray(values, dtype=object).astype(float) if len(values) else np.empty(0)


def numbers(values: Any) -> np.ndarray:
    """Return nested lists as whole numbers."""
    return np.asarray(values, dtype=np.int64)
