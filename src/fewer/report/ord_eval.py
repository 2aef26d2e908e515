"""The plot of ordEval: what each level of a feature does to the target, beside what chance would do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fewer.core.records.errors import InputError
from fewer.core.records.result import Selection
from fewer.report.plots import _axes, _finish
from fewer.report.words import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Blue and vermillion of Okabe and Ito; downward bars are hatched as well, for readers of grey prints.
UP, DOWN, CHANCE = "#0072B2", "#D55E00", "#24292f"
MOST_FEATURES = 4
MOST_LEVELS = 60
MOST_LETTERS = 28


def reinforcement(
    selection: Selection, features: Sequence[int | str] | int | str | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the reinforcements of the levels of features: downward to the left, upward to the right.

    A bar that ends beyond the interval of its random copies says more than chance would; the others are pale.

    Parameters
    ----------
    selection : Selection
        A selection by `OrdEval`.
    features : int, str or sequence of them, optional
        Which features to draw, by name or number; by default the best four.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    matplotlib Axes
        The axes with one row per level, the highest level of a feature on top, and the intervals of the random copies
        as whiskers if there are any.
    """
    found = selection.tables.get("levels")
    table = {} if found is None else found.named(selection.feature_names)
    if not {"feature", "level", "up", "down"} <= set(table):
        method = selection.meta.get("method") or "its method"
        raise InputError(
            f"reinforcement draws the levels that OrdEval finds, but {method} gave none; use OrdEval, or plot.scores "
            "for other methods."
        )
    chosen = _chosen(selection, features)
    rows, at, ticks = _rows(table, chosen)
    ax = _axes(ax, height=0.28 * (at[-1] + 1 if len(at) else 1) + 1.4)
    for name, sign, colour, hatch in (("down", -1, DOWN, "///"), ("up", 1, UP, "")):
        side = {key: _floats(values, rows) for key, values in table.items() if key.startswith(name)}
        _draw_side(ax, side, name, at, sign, colour, hatch)
    ax.axvline(0, color="black", linewidth=1.0, zorder=3)
    ax.set_yticks(at, ticks, parse_math=False)
    ax.set_xlim(-1.02, 1.02)
    marks = np.linspace(-1, 1, 9)
    ax.set_xticks(marks, [f"{abs(x):g}" for x in marks])
    _name_features(ax, chosen, [table["feature"][r] for r in rows], at)
    ax.set_ylim(-0.7, (at[-1] if len(at) else 0) + 1.6)
    _finish(ax, "downward reinforcement      |      upward reinforcement", "")
    _legend(ax, "up_low" in table)
    ax.grid(axis="x", color="#e4e7eb")
    return ax


def _chosen(selection: Selection, features: Any) -> list[str]:
    """Return the names of the features to draw."""
    if features is None:
        numbers = [int(j) for j in selection.order[:MOST_FEATURES]]
    else:
        asked = [features] if isinstance(features, (int, str, np.integer)) else list(features)
        numbers = [selection.number_of(one if isinstance(one, str) else int(one)) for one in asked]
    if not numbers:
        raise InputError("reinforcement got no features; pass at least one name or number.")
    return [selection.feature_names[j] for j in numbers]


def _rows(table: dict[str, list[Any]], chosen: list[str]) -> tuple[list[int], list[float], list[str]]:
    """Return the entries of the table to draw, their heights, first feature on top, and their labels."""
    by_feature = {name: [r for r, f in enumerate(table["feature"]) if f == name] for name in chosen}
    n_levels = sum(len(rows) for rows in by_feature.values())
    if not 1 <= n_levels <= MOST_LEVELS:
        raise InputError(
            f"reinforcement draws 1 to {MOST_LEVELS} levels, but the chosen features have {n_levels}; choose other "
            "features, or give OrdEval fewer bins."
        )
    rows, at, height = [], [], 0.0
    for name in reversed(chosen):
        for r in by_feature[name]:
            rows.append(r)
            at.append(height)
            height += 1.0
        # Room for the name of the feature above its levels.
        height += 1.3
    return rows, at, [str(table["level"][r]) for r in rows]


def _draw_side(
    ax: Axes, side: dict[str, np.ndarray], name: str, at: list[float], sign: int, colour: str, hatch: str
) -> None:
    """Draw the bars of one direction and the intervals of its copies."""
    low, high = side.get(f"{name}_low"), side.get(f"{name}_high")
    for i, (height, share) in enumerate(zip(at, side[name])):
        if np.isnan(share):
            continue
        known = low is not None and high is not None and not np.isnan(low[i])
        beyond = not known or share > high[i]  # type: ignore[index]
        ax.barh(
            height,
            sign * share,
            height=0.72,
            color=colour,
            alpha=0.95 if beyond else 0.35,
            hatch=hatch,
            edgecolor="white",
            linewidth=0,
            zorder=2,
        )
        if known:
            ends = [sign * low[i], sign * high[i]]  # type: ignore[index]
            ax.plot(ends, [height, height], color=CHANCE, linewidth=1.6, marker="|", markersize=7, zorder=4)


def _name_features(ax: Axes, chosen: list[str], features: list[str], at: list[float]) -> None:
    """Write the name of each feature above its levels."""
    for name in chosen:
        top = max((height for f, height in zip(features, at) if f == name), default=None)
        if top is not None:
            ax.text(-1.0, top + 0.62, shortened(name, MOST_LETTERS), fontweight="bold", va="bottom", parse_math=False)


def _legend(ax: Axes, with_copies: bool) -> None:
    """Explain bars, pale bars and whiskers."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = [
        Patch(facecolor=DOWN, hatch="///", edgecolor="white", label="target falls with the feature"),
        Patch(facecolor=UP, label="target rises with the feature"),
    ]
    if with_copies:
        handles.append(Line2D([], [], color=CHANCE, marker="|", label="interval of shuffled copies"))
        handles.append(Patch(facecolor=UP, alpha=0.35, label="pale: not beyond the interval"))
    ax.legend(handles=handles, frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)


def _floats(values: list[Any], rows: list[int]) -> np.ndarray:
    """Return some of the values."""
    return np.array([values[r] for r in rows], dtype=float)
