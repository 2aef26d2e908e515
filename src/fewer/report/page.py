"""The report: one HTML file that needs nothing but a browser."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from fewer.core.records.result import Selection
from fewer.core.records.whole_files import write_whole
from fewer.report.charts import bars_chart, class_chart, path_chart, slope_chart, status_chart
from fewer.report.findings import finding_columns, n_more_findings, without_leaks
from fewer.report.html import as_dict, data_facts, filled, own_version
from fewer.report.side_tables import side_tables
from fewer.report.table import FIRST_ROWS, WHOLE_TABLE, embedded, reason_columns, trace_columns
from fewer.report.words import (
    LONGEST_NAME,
    counted,
    counts,
    headline,
    listed,
    number,
    rest_in_words,
    shortened,
)


def render(selection: Selection) -> str:
    """Return a selection as a complete HTML page.

    Parameters
    ----------
    selection : Selection
        What to show. Facts that its ``meta`` does not hold are left out.

    Returns
    -------
    str
        HTML with its own styles, charts and script; it refers to nothing outside itself.
    """
    return filled("report.html.j2", **_context(selection))


def write(selection: Selection, path: str | Path) -> None:
    """Write a selection as an HTML page to a file, whole or not at all."""
    write_whole(path, render(selection))


def _context(selection: Selection) -> dict[str, Any]:
    """Return all that the template shows."""
    meta = selection.meta
    columns = reason_columns(selection)
    is_long = selection.n_features > WHOLE_TABLE
    trace, n_steps_left_out = trace_columns(selection)
    return {
        "headline": headline(selection),
        "best": _best(selection),
        "rest": rest_in_words(selection),
        "counts": counts(selection),
        "statuses": status_chart(selection),
        "data": _data(selection),
        "method": _method(meta),
        "rule": selection.reasons.rule.rstrip("."),
        "bars": bars_chart(selection),
        "slope": slope_chart(selection),
        "columns": columns,
        "n_features": selection.n_features,
        "n_rows": FIRST_ROWS if is_long else selection.n_features,
        "step": FIRST_ROWS,
        "embedded": embedded(columns) if is_long else None,
        "trace": trace,
        "n_steps": len(selection.trace),
        "n_steps_left_out": n_steps_left_out,
        "path": path_chart(selection),
        "tables": side_tables(selection),
        "findings": finding_columns(meta),
        "n_more_findings": n_more_findings(meta),
        "without_leaks": without_leaks(meta),
        "made": _made(meta),
        "versions": as_dict(meta.get("versions")),
        "version": own_version(meta),
    }


def _best(selection: Selection) -> str:
    """Return the names of the best kept features."""
    names = [shortened(name, LONGEST_NAME) for name in selection.kept_names[:5]]
    return listed(names, most=5) if names else ""


def _data(selection: Selection) -> dict[str, Any]:
    """Return the data summary: a list of facts, and the class balance or the range of the target."""
    data = as_dict(selection.meta.get("data"))
    # A method that takes both says as what it has read the target.
    known = {"classes": "classification", "numbers": "regression"}.get(str(data.get("target_read_as")))
    facts, spread = data_facts(data, selection.n_features, known or selection.meta.get("task"))
    return {"facts": facts, "classes": class_chart(as_dict(data.get("classes"))), "range": spread}


def _method(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return name, family, description and parameters of the method."""
    parameters = as_dict(meta.get("parameters"))
    cutting = ""
    # Some methods have the parameter, and bins only in one of their forms; these say so.
    if parameters.get("discretizer") is not None and meta.get("binned", True):
        bins = f", at most {counted(int(parameters['bins']), 'level')}" if _is_whole(parameters.get("bins")) else ""
        cutting = f"Numbers were put into bins by the {parameters['discretizer']} discretizer{bins}."
    return {
        "name": meta.get("method"),
        "family": meta.get("family"),
        "summary": meta.get("summary"),
        "parameters": {name: str(value) for name, value in parameters.items()},
        "cutting": cutting,
    }


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _made(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the selection was made: the command, and facts about the run."""
    facts = {
        "Seed": "none" if "seed" in meta and meta["seed"] is None else meta.get("seed"),
        "Runner": meta.get("runner"),
        "Seconds": None if meta.get("seconds") is None else number(meta["seconds"]),
    }
    return {
        "command": meta.get("command"),
        "facts": {name: str(value) for name, value in facts.items() if value is not None},
    }
