"""Plots of a Selection with matplotlib: axes in, axes out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fewer.core.records.errors import InputError, MissingExtraError
from fewer.core.records.result import Selection
from fewer.report.facts import EDGES, FILLS, best_scores, search_path, sorted_scores
from fewer.report.graph import edges, places
from fewer.report.scale import limits
from fewer.report.words import KINDS, number, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LETTERS = 32
LOG_FROM = 300


class Plots:
    """The plots of one selection, as methods: ``Plots(selection).scores()``.

    Parameters
    ----------
    selection : Selection
        What to draw.
    """

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def scores(self, most: int = 30, ax: Axes | None = None) -> Axes:
        """Draw the best scores as bars; see `fewer.report.plots.scores`."""
        return scores(self._selection, most, ax)

    def elbow(self, ax: Axes | None = None) -> Axes:
        """Draw all scores in falling order; see `fewer.report.plots.elbow`."""
        return elbow(self._selection, ax)

    def trace(self, ax: Axes | None = None) -> Axes:
        """Draw what a stepwise search did; see `fewer.report.plots.trace`."""
        return trace(self._selection, ax)

    def heat(self, X: Any, y: Any = None, most: int = 500, ax: Axes | None = None) -> Axes:
        """Draw rows of the data at the kept features, sorted by class; see `fewer.report.plots.heat`."""
        return heat(self._selection, X, y, most, ax)

    def graph(self, table: str = "graph", ax: Axes | None = None) -> Axes:
        """Draw the graph that the method found; see `fewer.report.plots.graph`."""
        return graph(self._selection, table, ax)

    def path(self, table: str = "path", ax: Axes | None = None) -> Axes:
        """Draw coefficients along a path; see `fewer.report.path_plot.path`."""
        from fewer.report.path_plot import path

        return path(self._selection, table, ax)

    def __repr__(self) -> str:
        return f"<plots of {self._selection!r}: scores, elbow, trace, heat, graph, path>"


def graph(selection: Selection, table: str = "graph", ax: Axes | None = None) -> Axes:
    """Draw a graph of features: the target in the middle, its neighbours around it, then theirs.

    Parameters
    ----------
    selection : Selection
        A selection with a table of this kind.
    table : str, default="graph"
        Name of the table.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    matplotlib Axes
        The axes; an edge has a head where its direction is known, and is dashed where tests contradict each other.
    """
    found = selection.tables.get(table)
    if found is None or found.kind != "graph":
        known = ", ".join(name for name, one in selection.tables.items() if one.kind == "graph") or "none"
        raise InputError(f"plot.graph got table={table!r}, but the graphs of this selection are {known}; pass one.")
    at, names, kept = places(found), selection.feature_names, set(selection.indices.tolist())
    ax = _axes(ax, height=5.0)
    for a, b, word in edges(found):
        style = "-|>" if word.startswith("->") else "-"
        line = "--" if word.endswith(("!", "?")) else "-"
        how = {"arrowstyle": style, "color": "#57606a", "shrinkA": 7, "shrinkB": 7, "linestyle": line}
        ax.annotate("", at[b], at[a], arrowprops=how)
    for j, (x, y) in at.items():
        kind = "kept" if j < 0 or j in kept else "irrelevant"
        ax.scatter([x], [y], s=60, color=FILLS[kind], edgecolor=EDGES[kind], zorder=3)
        name = shortened(names[j] if j >= 0 else found.target, MOST_LETTERS)
        ax.annotate(name, (x, y), xytext=(0, 7), textcoords="offset points", ha="center", parse_math=False)
    ax.invert_yaxis()
    ax.margins(0.15)
    ax.set_axis_off()
    return ax


def scores(selection: Selection, most: int = 30, ax: Axes | None = None) -> Axes:
    """Draw the best scores as bars, best on top, coloured by why each feature was kept or dropped.

    Parameters
    ----------
    selection : Selection
        A selection with scores.
    most : int, default=30
        How many bars to draw at most.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    matplotlib Axes
        The axes with the bars and, where scores had to reach a number, a line there. An infinite score is
        drawn as long as the longest bar and marked so.
    """
    if most < 1:
        raise InputError(f"plot.scores draws at least one bar, but most={most}; pass most=1 or more.")
    bars = best_scores(selection, most)
    if bars is None:
        raise _without_scores(selection, "plot.scores")
    ax = _axes(ax, height=0.24 * len(bars.names) + 1.2)
    low, high = limits([*bars.scores, *bars.marks], bars.line, with_zero=True)
    places = np.arange(len(bars.names))
    colours, edges = [FILLS[kind] for kind in bars.kinds], [EDGES[kind] for kind in bars.kinds]
    drawn = ax.barh(places, np.clip(bars.scores, low, high), color=colours, edgecolor=edges, height=0.72)
    # Only infinite scores are labelled: their length says nothing.
    ax.bar_label(drawn, ["" if np.isfinite(s) else number(float(s)) for s in bars.scores], padding=3)
    ax.set_yticks(places, [shortened(name, MOST_LETTERS) for name in bars.names], parse_math=False)
    ax.set_ylim(len(bars.names) - 0.4, -0.6)
    _draw_needed(ax.axvline, bars.line, low, high)
    ax.scatter(bars.marks, places, marker="|", s=120, color="black", zorder=3)
    _finish(ax, f"score ({selection.meta['method']})" if selection.meta.get("method") else "score", "")
    _legend(ax, bars.kinds)
    ax.grid(axis="x", color="#e4e7eb")
    return ax


def elbow(selection: Selection, ax: Axes | None = None) -> Axes:
    """Draw all scores in falling order, with the kept features and the cut marked.

    Parameters
    ----------
    selection : Selection
        A selection with scores.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    matplotlib Axes
        The axes with the curve; with many features the places are on a logarithmic axis. Infinite scores are
        not drawn.
    """
    slope = sorted_scores(selection)
    if slope is None:
        raise _without_scores(selection, "plot.elbow")
    ax = _axes(ax)
    places = np.arange(1, len(slope.scores) + 1)
    heights = np.where(np.isfinite(slope.scores), slope.scores, np.nan)
    ax.plot(places, heights, color="#57606a", linewidth=1.5, zorder=2)
    ax.scatter(places[slope.kept], heights[slope.kept], s=24, color=FILLS["kept"], zorder=3, label="kept")
    if slope.cut is not None:
        ax.axvline(slope.cut + 0.5, color="black", linestyle="--", linewidth=1.2, label=f"cut after {slope.cut:,}")
    _draw_needed(ax.axhline, slope.line, *limits(heights, slope.line), style=":")
    log = len(places) > LOG_FROM
    if log:
        ax.set_xscale("log")
    _finish(ax, "place among all scores" + (" (log scale)" if log else ""), "score")
    ax.legend(frameon=False)
    ax.grid(axis="y", color="#e4e7eb")
    return ax


def trace(selection: Selection, ax: Axes | None = None) -> Axes:
    """Draw the value of the subset against its size, step by step.

    Parameters
    ----------
    selection : Selection
        A selection made by a search of at least two steps.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    matplotlib Axes
        The axes with the curve and, where a step gave exactly the selection, a mark there.
    """
    path = search_path(selection)
    if path is None:
        raise InputError(
            f"plot.trace draws searches of two steps or more, but this selection has {len(selection.trace)}; "
            "use plot.scores for methods that rank features in one step."
        )
    ax = _axes(ax)
    from matplotlib.ticker import MaxNLocator

    heights = np.where(np.isfinite(path.values), path.values, np.nan)
    ax.plot(path.sizes, heights, color="#57606a", linewidth=1.5, marker="o", markersize=4, zorder=2)
    if path.chosen is not None:
        at = path.chosen
        label = f"kept: {number(int(path.sizes[at]))}"
        ax.scatter(path.sizes[at], heights[at], s=60, color=FILLS["kept"], zorder=3, label=label)
        ax.legend(frameon=False)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    _finish(ax, "number of features", "value")
    ax.grid(axis="y", color="#e4e7eb")
    return ax


def heat(selection: Selection, X: Any, y: Any = None, most: int = 500, ax: Axes | None = None) -> Axes:
    """Draw rows of the data at the kept features as a heat map of z-scores, with a bar of their classes.

    Parameters
    ----------
    selection : Selection
        A selection that keeps features; the best 40 are drawn, best on the left.
    X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
        The data that it was made of, or other rows of the same features.
    y : array-like of shape (n_samples,), optional
        Classes or numbers; rows are sorted by it, and rows of a class so that like ones stand together.
    most : int, default=500
        How many rows to draw at most; of more some are drawn at random, of every class in proportion.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    matplotlib Axes
        The axes with the map. Red is above the mean of a feature, blue below, grey is missing.
    """
    from fewer.report.sample_heat import heat as drawn

    return drawn(selection, X, y, most, _axes(ax, height=6.0))


def _axes(ax: Axes | None, height: float = 4.0) -> Axes:
    """Return the given axes, or those of a new figure."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise MissingExtraError(
            "Plots need matplotlib, which is not installed; run pip install 'fewer[plot]'."
        ) from error
    return pyplot.subplots(figsize=(7.0, height), layout="constrained")[1]


def _draw_needed(draw: Any, line: float | None, low: float, high: float, style: str = "--") -> None:
    """Draw the number that every score had to reach, if there is one near the scores."""
    if line is not None and low <= line <= high:
        draw(line, color="black", linestyle=style, linewidth=1.2, label=f"needed {number(line)}")


def _legend(ax: Axes, kinds: list[str]) -> None:
    """Explain the colours that occur, and the lines."""
    from matplotlib.patches import Patch

    lines = ax.get_legend_handles_labels()[0]
    patches = [Patch(facecolor=FILLS[k], edgecolor=EDGES[k], label=k) for k in KINDS if k in kinds]
    handles = [*patches, *lines]
    # Above the bars, because no corner is free of them for certain.
    ax.legend(handles=handles, frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)


def _finish(ax: Axes, across: str, up: str) -> None:
    """Name the axes and take away the frame where it carries no numbers."""
    ax.set_xlabel(across, parse_math=False)
    ax.set_ylabel(up)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)


def _without_scores(selection: Selection, where: str) -> InputError:
    """Return the error for a selection without scores."""
    method = selection.meta.get("method") or "its method"
    return InputError(
        f"{where} draws one score per feature, but {method} gave none; it needs a method that scores single "
        "features; use plot.trace for stepwise searches, or explain() for the reasons."
    )
