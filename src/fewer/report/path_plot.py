"""Coefficients along a path, drawn by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fewer.core.records.errors import InputError
from fewer.core.records.result import Selection
from fewer.report.comparison_facts import COLOURS
from fewer.report.path_chart import chosen, drawn
from fewer.report.plots import MOST_LETTERS, _axes, _finish
from fewer.report.words import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def path(selection: Selection, table: str = "path", ax: Axes | None = None) -> Axes:
    """Draw the coefficients of features along a path, kept ones in colour, and where the path was left.

    Parameters
    ----------
    selection : Selection
        A selection with a table of this kind.
    table : str, default="path"
        Name of the table.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    matplotlib Axes
        The axes; a dotted line marks the last knot at which exactly the kept features have coefficients.
    """
    found = selection.tables.get(table)
    if found is None or found.kind != "path":
        known = ", ".join(name for name, one in selection.tables.items() if one.kind == "path") or "none"
        raise InputError(f"plot.path got table={table!r}, but the paths of this selection are {known}; pass one.")
    ax = _axes(ax)
    parameter, places = next(iter(found.columns.items()))
    kept = set(selection.indices.tolist())
    traced = drawn(found, selection)
    coloured = [j for j in traced if j in kept]
    for j in reversed(list(traced)):
        on = j in kept
        colour = COLOURS[coloured.index(j) % len(COLOURS)] if on else "#c4c9cf"
        name = shortened(selection.feature_names[j], MOST_LETTERS)
        ax.plot(places, traced[j], color=colour, linewidth=1.5 if on else 0.8, label=name if on else None)
    at = chosen(found, selection)
    if at is not None:
        ax.axvline(float(np.asarray(places, dtype=float)[at]), color="#57606a", linestyle=":")
    if coloured:
        for text in ax.legend(frameon=False, fontsize="small").get_texts():
            text.set_parse_math(False)
    _finish(ax, parameter, "coefficient")
    return ax
