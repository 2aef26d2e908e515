"""The tables of the page of a comparison."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fewer.evaluate.comparison import Comparison
from fewer.evaluate.curves import ScoreCurve
from fewer.evaluate.ranks import RankTest
from fewer.report.comparison_facts import score_name
from fewer.report.comparison_words import pair
from fewer.report.table import TableColumn
from fewer.report.words import column, number


def method_columns(c: Comparison, methods: list[str], test: RankTest | None) -> list[TableColumn]:
    """Return one row per method: what it reaches, with how many features, how steadily, at what cost."""
    best = [_best_curve(c, method) for method in methods]
    sizes = [one.enough for one in best]
    stable = [c.stability(method, size).value for method, size in zip(methods, sizes)]
    select, learn = (_seconds(c, methods, part) for part in ("select", "learn"))
    families = c.meta.get("families", {})
    found = [
        _texts("method", "method", "feature", methods),
        _texts("family", "family", "family", [str(families.get(method) or "") for method in methods]),
        _numbers("best", f"best {score_name(c.scoring)}", [float(np.nanmax(one.mean)) for one in best]),
        _texts("estimator", "with", "estimator", [one.estimator for one in best]),
        TableColumn("size", "size", "number", [number(one.best_size) for one in best]),
        TableColumn("enough", "enough", "number", [number(size) for size in sizes]),
        _numbers("stability", "stability", stable),
        _numbers("rank", "mean rank", _ranks(test, methods)),
        TableColumn("seconds", "seconds to choose", "number", _times(select)),
        TableColumn("learn", "seconds to learn", "number", _times(learn)),
    ]
    return [one for one in found if any(one.cells)]


def result_columns(c: Comparison) -> list[TableColumn]:
    """Return one row per method, estimator and size, best first."""
    rows = sorted(c.rows(), key=lambda row: -row["score"])
    found = [
        _texts("method", "method", "feature", [row["method"] for row in rows]),
        _texts("estimator", "estimator", "estimator", [row["estimator"] for row in rows]),
        TableColumn("size", "size", "number", [number(row["size"]) for row in rows]),
        TableColumn("kept", "kept", "number", [number(_whole(row["kept"])) for row in rows]),
        _numbers("score", score_name(c.scoring), [row["score"] for row in rows]),
        TableColumn("interval", "95 % interval", "interval", [pair(row["low"], row["high"]) for row in rows]),
        _numbers("naive", "chosen on all rows", [row["naive"] for row in rows]),
        _numbers("stability", "stability", [row["stability"] for row in rows]),
    ]
    return [one for one in found if any(one.cells)]


def _best_curve(c: Comparison, method: str) -> ScoreCurve:
    """Return the curve of the estimator with which a method reaches most."""
    curves = [c.curve(method, estimator) for estimator in c.estimators]
    return max((one for one in curves if np.isfinite(one.mean).any()), key=lambda one: float(np.nanmax(one.mean)))


def _seconds(c: Comparison, methods: list[str], part: str) -> list[float]:
    """Return median seconds per split: to choose once, or to learn with all estimators and sizes."""
    if part not in c.seconds:
        return [math.nan] * len(methods)
    taken = np.asarray(c.seconds[part], dtype=float)
    per_split = np.median(taken.reshape(len(c.methods), -1, c.n_folds).sum(axis=1), axis=1)
    return [float(per_split[c.number_of(method)]) for method in methods]


def _times(seconds: list[float]) -> list[str]:
    return ["" if math.isnan(value) else f"{value:.3f}" for value in seconds]


def _ranks(test: RankTest | None, methods: list[str]) -> list[float]:
    if test is None:
        return [math.nan] * len(methods)
    return [float(test.mean_ranks[test.methods.index(method)]) for method in methods]


def _whole(value: float) -> float | int:
    return int(value) if value == int(value) else round(value, 1)


def _texts(key: str, head: str, shown_as: str, cells: list[str]) -> TableColumn:
    return TableColumn(key, head, shown_as, cells)


def _numbers(key: str, head: str, values: list[Any]) -> TableColumn:
    return TableColumn(key, head, "number", column(values))
