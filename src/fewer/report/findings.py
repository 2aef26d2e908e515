"""What a look at the columns has found, in plain words, for the terminal and the pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fewer.report.table import TableColumn
from fewer.report.words import LONGEST_NAME, counted, listed, number, shortened

# Findings shown on a page, and lines in the terminal for columns that were flagged.
MOST_ROWS, MOST_LINES = 200, 6
NOUNS = {
    "constant": "constant column",
    "duplicate": "exact copy",
    "identifier": "identifier",
    "date": "date",
    "leak": "leak suspect",
    "mostly missing": "mostly missing column",
    "near-constant": "near-constant column",
    "drift": "drifting column",
}


def finding_columns(meta: Mapping[str, Any]) -> list[TableColumn]:
    """Return one row per finding: the column, what it is, what was found, and whether it was left out."""
    found = _found(meta)[:MOST_ROWS]
    if not found:
        return []
    rows = [
        (
            shortened(one["feature"], LONGEST_NAME),
            one["kind"],
            _words(one),
            "left out" if one["left_out"] else "flagged",
        )
        for one in found
    ]
    heads = ("column", "finding", "what was found", "what was done")
    return [
        TableColumn(head, head, "feature" if head == "column" else "why", list(cells))
        for head, cells in zip(heads, zip(*rows))
    ]


def n_more_findings(meta: Mapping[str, Any]) -> int:
    """Return how many findings the table leaves out."""
    return max(0, len(_found(meta)) - MOST_ROWS)


def finding_lines(meta: Mapping[str, Any], keep: str = "keep=") -> list[str]:
    """Return the findings as sentences: first what was left out, then what to look at."""
    found = _found(meta)
    gone = [one for one in found if one["left_out"]]
    lines = []
    if gone:
        kinds = dict.fromkeys(one["kind"] for one in gone)
        parts = [_group(kind, [one["feature"] for one in gone if one["kind"] == kind]) for kind in kinds]
        lines.append(f"Left out: {'; '.join(parts)}. {keep} keeps some of them.")
    flagged = [one for one in found if not one["left_out"]]
    for one in flagged[:MOST_LINES]:
        words = _words(one)
        end = "" if words.endswith("?") else "."
        lines.append(f"To look at: {shortened(one['feature'], LONGEST_NAME)} ({one['kind']}): {words}{end}")
    if len(flagged) > MOST_LINES:
        lines.append(f"... and {counted(len(flagged) - MOST_LINES, 'more finding')}.")
    without = without_leaks(meta)
    return [*lines, without] if without else lines


def without_leaks(meta: Mapping[str, Any]) -> str:
    """Return how the result changes without the leak suspects, if that was computed."""
    known = meta.get("without_leaks")
    if not isinstance(known, Mapping):
        return ""
    kept: Sequence[str] = list(map(str, known.get("kept", ())))
    features = f"{counted(len(kept), 'feature')} ({listed(kept)})" if kept else "no feature"
    said = meta.get("score")
    metric = str(said.get("metric", "score")) if isinstance(said, Mapping) else "score"
    metric = "R²" if metric == "r2" else metric.replace("_", " ")
    score = f", {metric} {number(float(known['score']))}" if known.get("score") is not None else ""
    return f"Without the leak suspects {features} would be kept{score}."


def _found(meta: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = meta.get("findings")
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def _words(one: Mapping[str, Any]) -> str:
    related = ", ".join(shortened(name, LONGEST_NAME) for name in one.get("related", ()))
    return f"{one['words']} as {related}" if related else str(one["words"])


def _group(kind: str, names: Sequence[str]) -> str:
    noun = NOUNS.get(kind, kind)
    plural = "exact copies" if kind == "duplicate" else f"{noun}s"
    words = f"1 {noun}" if len(names) == 1 else f"{len(names):,} {plural}"
    return f"{words} ({listed([shortened(name, LONGEST_NAME) for name in names])})"
