"""The page that says, row by row, why a classifier gives a row to its class."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from fewer.core.estimators.point_reasons import PointReasons
from fewer.core.records.whole_files import write_whole
from fewer.report.html import filled, own_version
from fewer.report.svg import bar_chart, share_bar
from fewer.report.table import TableColumn
from fewer.report.words import LONGEST_NAME, column, counted, listed, number, shortened

MOST_ROWS = 50
MOST_FEATURES = 12
# Swatches of classes in the style sheet.
COLOURS = 8


def render(reasons: PointReasons) -> str:
    """Return the page as HTML that refers to nothing outside itself.

    Parameters
    ----------
    reasons : PointReasons
        What to show, the first 50 rows of it.
    """
    shown = range(min(len(reasons), MOST_ROWS))
    method = reasons.meta.get("method", "")
    return filled(
        "points.html.j2",
        headline=_headline(reasons),
        lede=_lede(reasons),
        points=[_point(reasons, i) for i in shown],
        n_left_out=len(reasons) - len(shown),
        method={"name": method, "parameters": reasons.meta.get("parameters", {})},
        has_weights=reasons.weights is not None,
        command=reasons.meta.get("command"),
        version=own_version({}),
    )


def write(reasons: PointReasons, path: str | Path) -> None:
    """Write the page to a file, whole or not at all."""
    write_whole(path, render(reasons))


def _headline(reasons: PointReasons) -> str:
    if len(reasons) == 1:
        return f"Why {reasons.rows[0]} is called {reasons.predicted[0]}"
    return f"Why {counted(len(reasons), 'row')} are called {listed(_labels(reasons), most=4)}"


def _labels(reasons: PointReasons) -> list[str]:
    said = {str(label) for label in reasons.predicted}
    return [str(label) for label in reasons.classes if str(label) in said]


def _lede(reasons: PointReasons) -> str:
    parts = [f"By {reasons.meta.get('method', 'a classifier')}"]
    if reasons.meta.get("source"):
        parts.append(f"learned from {reasons.meta['source']}")
    return ", ".join(parts) + "."


def _point(reasons: PointReasons, i: int) -> dict[str, Any]:
    """Return what the page shows of one row."""
    features, voters = reasons.features(i, MOST_FEATURES), reasons.voters(i)
    return {
        "name": reasons.rows[i],
        "label": str(reasons.predicted[i]),
        "posterior": _posterior(reasons, i),
        "words": _words(reasons, i),
        "bars": _bars(features, reasons.rows[i]),
        "features": _columns(features),
        "voters": _columns(voters),
    }


def _posterior(reasons: PointReasons, i: int) -> dict[str, Any] | None:
    found = reasons.probabilities(i)
    if not found:
        return None
    parts = [(label, p, f"class-{c % COLOURS}") for c, (label, p) in enumerate(found.items()) if p > 0]
    bar = share_bar([(label, round(1000 * p), colour) for label, p, colour in parts], f"Classes of {reasons.rows[i]}")
    return {"bar": bar, "parts": [(label, f"{p:.0%}", colour) for label, p, colour in parts]}


def _words(reasons: PointReasons, i: int) -> str:
    """Return the answer in a sentence or two."""
    parts = []
    if reasons.voted is not None:
        votes = int(np.sum([str(label) == str(reasons.predicted[i]) for label in reasons.voted[i]]))
        parts.append(f"{votes} of {counted(reasons.voted.shape[1], 'neighbour')} are {reasons.predicted[i]}.")
    found = reasons.features(i, MOST_FEATURES)
    more = [name for name, times in zip(found.get("feature", []), found.get("times", [])) if times > 1.05][:3]
    if more:
        names = listed([shortened(name, LONGEST_NAME) for name in more], most=3)
        parts.append(f"What counts more here than on average: {names}.")
    elif found:
        parts.append("No feature counts more here than on average.")
    return " ".join(parts)


def _bars(found: dict[str, list[Any]], name: str) -> str:
    if not found:
        return ""
    kinds = ["kept" if times > 1 else "irrelevant" for times in found["times"]]
    names = [shortened(feature, LONGEST_NAME) for feature in found["feature"]]
    return bar_chart(names, found["weight"], kinds, f"Weights at {name}", marks=found["average"], width=560)


def _columns(found: dict[str, list[Any]]) -> list[TableColumn]:
    out = []
    for head, values in found.items():
        words = isinstance(values[0], str) or head == "value"
        cells = [shortened(str(number(v)), LONGEST_NAME) for v in values] if words else column(values)
        out.append(TableColumn(head, {"times": "times"}.get(head, head), "names" if words else "number", cells))
    return out
