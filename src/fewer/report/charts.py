"""The charts of the page: what `facts` reads from a selection, drawn by `svg` and `curve`."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.records.reasons import KIND_NAMES
from fewer.core.records.result import Selection
from fewer.report.curve import CurveChart, Dots
from fewer.report.facts import best_scores, search_path, sorted_scores
from fewer.report.scale import thinned
from fewer.report.svg import bar_chart, share_bar, slug
from fewer.report.words import KINDS, column, counted, counts, listed, number

MOST_BARS = 30
MOST_CLASSES = 7
MOST_POINTS = 400
MOST_DOTS = 150
LOG_FROM = 300


def status_chart(selection: Selection) -> str:
    """Return the bar of kept and dropped features."""
    parts = [(kind, n, slug(kind)) for kind, n in counts(selection).items()]
    words = listed([f"{n:,} {kind}" for kind, n, _ in parts], most=4)
    return share_bar(parts, f"Features by status: {words}")


def class_chart(classes: dict[str, Any]) -> dict[str, Any] | None:
    """Return the class balance as a bar and its legend; classes beyond the seventh are taken together."""
    sizes = sorted(((str(label), int(n)) for label, n in classes.items()), key=lambda pair: -pair[1])
    if not sizes:
        return None
    if len(sizes) > MOST_CLASSES + 1:
        others = sizes[MOST_CLASSES:]
        sizes = [*sizes[:MOST_CLASSES], (f"{len(others):,} other classes", sum(n for _, n in others))]
    parts = [(label, n, f"class-{i}") for i, (label, n) in enumerate(sizes)]
    words = listed([f"{label}: {n:,}" for label, n, _ in parts], most=MOST_CLASSES + 1)
    return {
        "n": len(classes),
        "parts": parts,
        "total": sum(n for _, n in sizes),
        "bar": share_bar(parts, f"Rows per class: {words}"),
    }


def bars_chart(selection: Selection) -> dict[str, Any] | None:
    """Return the chart of the best scores in a wide and a narrow form."""
    bars = best_scores(selection, MOST_BARS)
    if bars is None:
        return None
    shown = len(bars.names)
    title = f"The {shown} best of {bars.n_scored:,} scores" if shown < bars.n_scored else "Scores of all features"
    drawn = (bars.names, bars.scores, bars.kinds, f"{title}, best: {bars.names[0]}", bars.line, bars.marks)
    return {
        "title": title,
        "wide": bar_chart(*drawn, width=640),
        "narrow": bar_chart(*drawn, width=350),
        "line": bars.line,
        "has_marks": bool(np.isfinite(bars.marks).any()),
        "kinds": [kind for kind in KINDS if kind in bars.kinds],
    }


def slope_chart(selection: Selection) -> dict[str, Any] | None:
    """Return the curve of all scores in falling order."""
    slope = sorted_scores(selection)
    if slope is None or len(slope.scores) < 2:
        return None
    n, log = len(slope.scores), len(slope.scores) > LOG_FROM
    kept = np.flatnonzero(slope.kept)
    some_kept = kept[thinned(len(kept), MOST_DOTS)]
    shown = np.union1d(thinned(n, MOST_POINTS, log), some_kept)
    marked = np.arange(n) if n <= MOST_DOTS else some_kept
    written = column(slope.scores[marked].tolist())
    dots = Dots(
        at=np.searchsorted(shown, marked).tolist(),
        classes=["kept" if slope.kept[i] else KIND_NAMES[selection.reasons.kind[slope.features[i]]] for i in marked],
        titles=[f"{i + 1}. {selection.feature_names[slope.features[i]]}: {w}" for i, w in zip(marked, written)],
    )
    cut = None if slope.cut is None else (slope.cut + 0.5, f"{slope.cut:,} kept")
    title = f"All {n:,} scores in falling order"
    labels = ("place among all scores" + (" (log scale)" if log else ""), "score")
    curve = CurveChart(shown + 1.0, slope.scores[shown], labels, title, dots, cut, slope.line, log, with_zero=True)
    return {"title": title, "drawing": curve.draw(), "n_infinite": int(np.isinf(slope.scores).sum())}


def path_chart(selection: Selection) -> dict[str, Any] | None:
    """Return the curve of a stepwise search."""
    path = search_path(selection)
    if path is None or not np.isfinite(path.values).any():
        return None
    shown = thinned(len(path.values), MOST_POINTS)
    if path.chosen is not None:
        shown = np.union1d(shown, [path.chosen])
    marked = shown if len(shown) <= MOST_DOTS else shown[shown == path.chosen]
    dots = Dots(
        at=np.searchsorted(shown, marked).tolist(),
        classes=["kept" if i == path.chosen else "irrelevant" for i in marked],
        titles=[f"step {i + 1}: {counted(int(path.sizes[i]), 'feature')}, {number(path.values[i])}" for i in marked],
    )
    cut = None if path.chosen is None else (float(path.sizes[path.chosen]), f"{len(selection):,} kept")
    title = f"Value of the subset in {len(path.values):,} steps"
    labels = ("number of features", "value")
    curve = CurveChart(path.sizes[shown], path.values[shown], labels, title, dots, cut)
    return {"title": title, "drawing": curve.draw(), "evaluations": selection.trace.evaluations}
