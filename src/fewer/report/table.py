"""The tables of the page as columns of text."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from fewer.core.records.result import Selection
from fewer.core.records.trace import Step
from fewer.report.facts import search_path
from fewer.report.words import LONGEST_NAME, column, listed, number, shortened, why

HEADS = {
    "pvalue": "p-value",
    "pvalues": "p-value",
    "p_value": "p-value",
    "adjusted_pvalue": "adjusted p-value",
    "method_pvalue": "p-value of the method",
    "redundant_to": "redundant to",
    "chosen": "chosen, %",
    "why": "why",
}
TEXTS = {"feature", "status", "redundant_to", "why"}
WHOLE_TABLE = 2000
FIRST_ROWS = 500
TRACE_ENDS = 100


@dataclass(frozen=True)
class TableColumn:
    """One column: what it is called, how it is shown (a class of the style sheet) and its cells."""

    key: str
    head: str
    shown_as: str
    cells: list[str]


def reason_columns(selection: Selection) -> list[TableColumn]:
    """Return one row per feature, best first: rank, name, status, numbers and a sentence."""
    table = selection.table()
    rows = table.pop("index")
    if "redundant_to" in table:
        related = selection.reasons.related
        table["redundant_to"] = [_names(selection, related.get(j, ())) for j in rows]
    scores = column(table["score"]) if "score" in table else [""] * len(rows)
    table["why"] = [why(selection.reason(j), score) for j, score in zip(rows, scores)]
    return [
        TableColumn(
            key=key,
            head=HEADS.get(key, key.replace("_", " ")),
            shown_as=key.replace("_", "-") if key in TEXTS else "number",
            cells=values if key in TEXTS else column(values) if key != "rank" else [number(v) for v in values],
        )
        for key, values in table.items()
    ]


def embedded(columns: list[TableColumn]) -> str:
    """Return the table as JSON that is safe inside a script element; equal words are stored once."""
    packed: list[dict[str, Any]] = []
    for one in columns:
        if one.shown_as != "number" and one.key != "feature":
            words = sorted(set(one.cells))
            number_of = {word: i for i, word in enumerate(words)}
            packed.append({"as": one.shown_as, "words": words, "cells": [number_of[cell] for cell in one.cells]})
        else:
            packed.append({"as": one.shown_as, "cells": one.cells})
    data = json.dumps(packed, ensure_ascii=False, separators=(",", ":"))
    # A script element ends at the next "</script" and knows no entities, so JSON's own escapes must do.
    for letter in "<>&\u2028\u2029":
        data = data.replace(letter, f"\\u{ord(letter):04x}")
    return data


def trace_columns(selection: Selection) -> tuple[list[TableColumn], int]:
    """Return the steps of a search (nothing if it has none) and how many in the middle were left out."""
    path = search_path(selection)
    if path is None:
        return [], 0
    steps = selection.trace.steps
    n_left_out = max(0, len(steps) - 2 * TRACE_ENDS)
    shown = [i for i in range(len(steps)) if i < TRACE_ENDS or i >= TRACE_ENDS + n_left_out]
    kept: list[Step] = [steps[i] for i in shown]
    columns = [
        TableColumn("step", "step", "number", [number(i + 1) for i in shown]),
        TableColumn("added", "added", "names", [_names(selection, step.added) for step in kept]),
        TableColumn("removed", "removed", "names", [_names(selection, step.removed) for step in kept]),
        TableColumn("features", "features", "number", [number(int(path.sizes[i])) for i in shown]),
        TableColumn("value", "value", "number", column([float(path.values[i]) for i in shown])),
        TableColumn("evaluations", "evaluations", "number", [number(step.evaluations or None) for step in kept]),
        TableColumn("seconds", "seconds", "number", column([step.seconds or None for step in kept])),
    ]
    return [one for one in columns if any(one.cells)], n_left_out


def _names(selection: Selection, features: tuple[int, ...]) -> str:
    """Return the names of a few features."""
    return listed([shortened(selection.feature_names[j], LONGEST_NAME) for j in features])
