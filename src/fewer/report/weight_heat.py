"""A matrix of weights, features by clusters, as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.report.heat import Heat
from fewer.report.words import counted, number

MOST_LINES = 40
MOST_COLUMNS = 24


def matrix_drawing(table: ResultTable, names: Sequence[str], selection: Selection) -> str:
    """Return the strongest lines of a table of kind "matrix", as parts of the largest number, and words on the rest.

    Parameters
    ----------
    table : ResultTable
        A feature in the first column, numbers in the others.
    names : sequence of str
        Names of the features, as the page shows them.
    selection : Selection
        Features that it keeps are marked.
    """
    (head, lines), *rest = table.columns.items()
    columns = [(name, np.asarray(values, dtype=float)) for name, values in rest if not isinstance(values[0], str)]
    if not columns or head not in table.features:
        return ""
    values = np.column_stack([numbers for _, numbers in columns])
    top = float(np.nanmax(np.abs(values), initial=0.0))
    if not np.isfinite(values).any() or not top > 0:
        return ""
    strength = np.nanmax(np.abs(np.where(np.isfinite(values), values, 0.0)), axis=1)
    shown = np.argsort(-strength, kind="stable")[:MOST_LINES]
    kept = set(selection.indices.tolist())
    drawing = Heat(
        rows=[names[lines[i]] for i in shown],
        columns=[name for name, _ in columns[:MOST_COLUMNS]],
        values=values[shown, :MOST_COLUMNS] / top,
        title=table.title,
        strong=[lines[i] in kept for i in shown],
        largest=32,
    ).draw()
    return drawing + f'<p class="soft">{escape(_words(values.shape, len(shown), top))}</p>'


def _words(shape: tuple[int, ...], n_shown: int, top: float) -> str:
    """Return what the numbers are, and how much is not drawn."""
    words = f"In parts of the largest number, {number(top)}; kept features are marked."
    if n_shown < shape[0]:
        words += f" The strongest {n_shown} of {counted(shape[0], 'feature')} are drawn."
    if shape[1] > MOST_COLUMNS:
        words += f" The first {MOST_COLUMNS} of {shape[1]} columns are drawn."
    return words
