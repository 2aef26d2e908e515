"""The report of a comparison: one HTML file that needs nothing but a browser."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from fewer.core.records.whole_files import write_whole
from fewer.evaluate.comparison import Comparison
from fewer.evaluate.figures import Redundancy
from fewer.evaluate.headline import Headline
from fewer.report import comparison_charts as charts
from fewer.report import comparison_facts as facts
from fewer.report import comparison_words as words
from fewer.report.charts import class_chart
from fewer.report.comparison_tables import method_columns, result_columns
from fewer.report.findings import finding_columns, n_more_findings, without_leaks
from fewer.report.html import as_dict, data_facts, filled, own_version
from fewer.report.lines import style
from fewer.report.table import WHOLE_TABLE, embedded, reason_columns
from fewer.report.words import counts, number

FIRST_RESULTS, FIRST_REASONS = 25, 100
MOST_HEADLINE_FEATURES = 30


def render_comparison(comparison: Comparison) -> str:
    """Return a comparison as a complete HTML page.

    Parameters
    ----------
    comparison : Comparison
        What to show.

    Returns
    -------
    str
        HTML with its own styles, charts and scripts; it refers to nothing outside itself.
    """
    return filled("comparison.html.j2", **_context(comparison))


def write_comparison(comparison: Comparison, path: str | Path) -> None:
    """Write a comparison as an HTML page to a file, whole or not at all.

    Parameters
    ----------
    comparison : Comparison
        What to show.
    path : str or path
        The file.
    """
    write_whole(path, render_comparison(comparison))


def _context(c: Comparison) -> dict[str, Any]:
    """Return all that the template shows."""
    head = c.best()
    methods = facts.method_order(c, head)
    estimators = [head.estimator, *(one for one in c.estimators if one != head.estimator)]
    relations, test, often = facts.redundancy(c), facts.rank_test(c), facts.often(c, head)
    frequency = {row["index"]: row["frequency"] for row in often}
    selection = facts.enough(c, head, frequency)
    reasons, results = reason_columns(selection), result_columns(c)
    is_long = c.n_features > WHOLE_TABLE
    data = as_dict(c.meta.get("data"))
    shown, spread = data_facts(data, c.n_features, c.task)
    return {
        "title": words.title(c, head),
        "lede": words.lede(c, head),
        "tiles": words.tiles(c, head),
        "stable": words.stable(c, head),
        "times": words.times(c),
        "warned": not head.beats_chance,
        "head": head,
        "kept": _kept(c, head),
        "n_more_kept": max(0, len(head.features) - MOST_HEADLINE_FEATURES),
        "failures": words.failures(c),
        "findings": finding_columns(c.meta),
        "n_more_findings": n_more_findings(c.meta),
        "without_leaks": without_leaks(c.meta),
        "data": {"facts": shown, "classes": class_chart(as_dict(data.get("classes"))), "range": spread},
        "n_features": c.n_features,
        "estimators": estimators,
        "legend": [
            {"name": method, "number": i, "style": style(i, method in c.random)} for i, method in enumerate(methods)
        ],
        "by_lot": words.by_lot(c),
        "over": words.over(c),
        "curves": [charts.curve_chart(c, head, methods, estimator) for estimator in estimators],
        "agreement": charts.agreement_chart(c),
        "consensus": charts.consensus_chart(c, head, often, methods),
        "ranks": charts.rank_chart(test),
        "ranks_words": words.ranking(test, c),
        "bias": [charts.bias_chart(c, head, estimator) for estimator in estimators],
        "bias_words": words.bias(c, head),
        "relations": charts.redundancy_chart(relations),
        "cards": _cards(c, head, relations, dict(zip(selection.table()["index"], reasons[-1].cells)), often),
        "classes": charts.class_legend(c),
        "counts": counts(selection),
        "columns": reasons,
        "n_rows": FIRST_REASONS if is_long else c.n_features,
        "step": FIRST_REASONS,
        "embedded": embedded(reasons) if is_long else None,
        "methods": method_columns(c, methods, test),
        "results": results,
        "n_results": len(results[0].cells),
        "n_first_results": min(FIRST_RESULTS, len(results[0].cells)),
        "results_stored": embedded(results) if len(results[0].cells) > FIRST_RESULTS else None,
        "made": _made(c),
        "version": own_version(c.meta),
    }


def _kept(c: Comparison, head: Headline) -> list[dict[str, Any]]:
    """Return the features of the headline, with the fraction of splits that chose them."""
    pictured = {int(one["index"]) for one in c.portraits}
    pairs = list(zip(head.features, head.frequency))[:MOST_HEADLINE_FEATURES]
    return [{"index": j, "name": c.names[j], "share": round(100 * f), "linked": j in pictured} for j, f in pairs]


def _cards(
    c: Comparison, head: Headline, relations: Redundancy | None, why: dict[int, str], often: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the pages of single features, those of the headline first."""
    rows = {row["index"]: row for row in often}
    place = {j: i for i, j in enumerate(head.features)}
    order = sorted(c.portraits, key=lambda one: place.get(int(one["index"]), len(place)))
    cards = []
    for one in order:
        j = int(one["index"])
        shares = [(method, float(rows[j][method])) for method in c.methods] if j in rows else []
        cards.append(
            {
                "index": j,
                "name": c.names[j],
                "kept": j in place,
                "open": place.get(j, 9) < 3,
                "share": round(100 * rows[j]["frequency"]) if j in rows else 0,
                "missing": int(one["missing"]),
                "drawing": charts.portrait_chart(c, one),
                "shares": [{"method": method, "percent": round(100 * share)} for method, share in shares],
                "like": _like(relations, j),
                "why": why[j],
            }
        )
    return cards


def _like(relations: Redundancy | None, j: int) -> list[dict[str, Any]]:
    """Return the features that tell most of what a feature tells."""
    if relations is None or j not in relations.features:
        return []
    at = int(np.flatnonzero(relations.features == j)[0])
    order = [int(i) for i in np.argsort(-relations.matrix[at], kind="stable") if i != at]
    return [
        {
            "index": int(relations.features[i]),
            "name": relations.names[i],
            "amount": f"{relations.matrix[at, i]:.2f}",
            "kept": bool(relations.kept[i]),
        }
        for i in order[:5]
        if relations.matrix[at, i] >= 0.5
    ]


def _made(c: Comparison) -> dict[str, Any]:
    """Return how the comparison was made."""
    meta = c.meta
    total = c.seconds.get("total")
    run = {
        "Splits": meta.get("protocol"),
        "Score": f"{c.scoring} ({str(meta['score']).rstrip('.')})" if "score" in meta else c.scoring,
        "Sizes": ", ".join(map(str, c.sizes)),
        "Seed": meta.get("seed"),
        "Seconds": None if total is None or math.isnan(total) else number(round(float(total), 1)),
    }
    parameters = as_dict(meta.get("parameters"))
    return {
        "command": meta.get("command"),
        "panel": meta.get("panel", ""),
        "facts": {name: str(value) for name, value in run.items() if value is not None},
        "versions": as_dict(meta.get("versions")),
        "models": as_dict(meta.get("models")),
        "notes": [str(note) for note in meta.get("notes", ())],
        "methods": [
            {
                "name": method,
                "summary": as_dict(meta.get("summaries")).get(method, ""),
                "parameters": ", ".join(f"{k}={v}" for k, v in as_dict(parameters.get(method)).items()),
            }
            for method in c.methods
        ],
    }
