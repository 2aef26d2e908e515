"""Plots of a Comparison with matplotlib: axes in, axes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fewer.core.records.errors import InputError
from fewer.evaluate.comparison import Comparison
from fewer.evaluate.ranks import RankTest
from fewer.report import comparison_facts as facts
from fewer.report.facts import EDGES, FILLS
from fewer.report.plots import MOST_LETTERS, _axes, _finish
from fewer.report.words import number, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BASELINE_COLOUR = "#6e7781"
DASHES = ("-", "--", ":")


class ComparisonPlots:
    """The plots of one comparison, as methods: ``ComparisonPlots(comparison).curves()``.

    Parameters
    ----------
    comparison : Comparison
        What to draw.
    """

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison

    def curves(self, estimator: str | None = None, ax: Axes | None = None) -> Axes:
        """Draw error against size; see `fewer.report.comparison_plots.curves`."""
        return curves(self._comparison, estimator, ax)

    def agreement(self, ax: Axes | None = None) -> Axes:
        """Draw how much the rankings agree; see `fewer.report.comparison_plots.agreement`."""
        return agreement(self._comparison, ax)

    def consensus(self, most: int = 20, ax: Axes | None = None) -> Axes:
        """Draw how often features were chosen; see `fewer.report.comparison_plots.consensus`."""
        return consensus(self._comparison, most, ax)

    def ranks(self, ax: Axes | None = None) -> Axes:
        """Draw the critical-difference diagram; see `fewer.report.comparison_plots.ranks`."""
        return ranks(self._comparison, ax)

    def __repr__(self) -> str:
        return f"<plots of {len(self._comparison.methods)} methods: curves, agreement, consensus, ranks>"


def curves(comparison: Comparison, estimator: str | None = None, ax: Axes | None = None) -> Axes:
    """Draw the error, or the score if it has none, of each method against the number of features.

    Parameters
    ----------
    comparison : Comparison
        What to draw.
    estimator : str, optional
        What learned from the features; by default that of the headline.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    matplotlib Axes
        The axes, with the 95 % interval around the method of the headline and its setting ringed. A baseline is grey,
        and nine tenths of its random subsets lie in its band.
    """
    head, drawn = comparison.best(), facts.measure(comparison.scoring)
    estimator = head.estimator if estimator is None else estimator
    found = facts.curves(comparison, estimator, facts.method_order(comparison, head))
    ax = _axes(ax)
    for i, one in enumerate(found):
        colour, dash = facts.COLOURS[i % len(facts.COLOURS)], DASHES[min(i // len(facts.COLOURS), 2)]
        if one.n_subsets:
            colour, dash = BASELINE_COLOUR, "--"
        strong = one.method == head.method
        wide, above = (2.6, 4) if strong else (1.2, 3)
        ax.plot(
            one.sizes, drawn(one.mean), color=colour, linestyle=dash, linewidth=wide, marker="o", markersize=3,
            label=one.method, zorder=above,
        )  # fmt: skip
        if strong or one.n_subsets:
            high = one.high
            ax.fill_between(one.sizes, drawn(one.low), drawn(high), color=colour, alpha=0.13, linewidth=0)
    if estimator == head.estimator:
        at = [head.size], [float(drawn(head.score))]
        ax.plot(*at, "o", markersize=12, markerfacecolor="none", markeredgecolor="black", zorder=5)
    ax.set_xscale("log")
    ax.set_xticks(comparison.sizes, [number(size) for size in comparison.sizes])
    ax.minorticks_off()
    _finish(ax, f"number of features ({estimator})", drawn.name)
    ax.grid(axis="y", color="#e4e7eb")
    ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax


def agreement(comparison: Comparison, ax: Axes | None = None) -> Axes:
    """Draw the rank correlations between the methods, like beside like.

    Parameters
    ----------
    comparison : Comparison
        What to draw.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    matplotlib Axes
        The axes with one cell per pair of methods.
    """
    names, matrix = facts.agreement(comparison)
    ax = _axes(ax, height=0.45 * len(names) + 1.6)
    ax.imshow(matrix, cmap="PuOr_r" if matrix.min() < 0 else "Blues", vmin=-1 if matrix.min() < 0 else 0, vmax=1)
    shown = [shortened(name, MOST_LETTERS) for name in names]
    ax.set_xticks(range(len(names)), shown, rotation=45, ha="right", parse_math=False)
    ax.set_yticks(range(len(names)), shown, parse_math=False)
    for (i, j), value in np.ndenumerate(matrix):
        ax.text(j, i, f"{value:.2f}", ha="center", va="center", fontsize=7, color="white" if value > 0.55 else "black")
    ax.spines[:].set_visible(False)
    ax.set_title("rank correlation of the methods", fontsize="medium")
    return ax


def consensus(comparison: Comparison, most: int = 20, ax: Axes | None = None) -> Axes:
    """Draw how often features were chosen, over all methods but baselines and all splits.

    Parameters
    ----------
    comparison : Comparison
        What to draw.
    most : int, default=20
        How many bars to draw at most.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    matplotlib Axes
        The axes with one bar per feature; those that the headline keeps are filled.
    """
    if most < 1:
        raise InputError(f"plot.consensus draws at least one bar, but most={most}; pass most=1 or more.")
    head = comparison.best()
    size = facts.often_size(comparison, head)
    rows = facts.often(comparison, head)[:most]
    ax = _axes(ax, height=0.24 * len(rows) + 1.2)
    kinds = ["kept" if row["index"] in head.features else "not reached" for row in rows]
    ax.barh(
        range(len(rows)),
        [100 * row["frequency"] for row in rows],
        color=[FILLS[kind] for kind in kinds],
        edgecolor=[EDGES[kind] for kind in kinds],
        height=0.72,
    )
    ax.set_yticks(range(len(rows)), [shortened(row["feature"], MOST_LETTERS) for row in rows], parse_math=False)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlim(0, 100)
    _finish(ax, f"percent of all choices of {size} features; filled: kept", "")
    ax.grid(axis="x", color="#e4e7eb")
    return ax


def ranks(comparison: Comparison, ax: Axes | None = None) -> Axes:
    """Draw the critical-difference diagram: mean ranks, and bars that join methods that cannot be told apart.

    Parameters
    ----------
    comparison : Comparison
        A comparison of two methods or more on two splits or more.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    matplotlib Axes
        The axes; its x axis holds the ranks, 1 is best.
    """
    test = comparison.ranks()
    order = [int(m) for m in test.order]
    n = len(order)
    ax = _axes(ax, height=0.22 * n + 1.5)
    for place, m in enumerate(order):
        rank, left = float(test.mean_ranks[m]), place < (n + 1) // 2
        depth = -(place if left else n - 1 - place) - 2.0 - _n_bars(test)
        side = 0.6 if left else n + 0.4
        ax.plot([rank, rank, side], [0, depth, depth], color="#57606a", linewidth=1)
        words = f"{test.methods[m]} {rank:.2f}" if left else f"{rank:.2f} {test.methods[m]}"
        ax.text(side, depth, words, ha="right" if left else "left", va="center", fontsize="small", parse_math=False)
        ax.plot(rank, 0, "o", color=FILLS["kept"], markersize=5, zorder=3)
    for i, group in enumerate(test.groups()):
        ends = [test.mean_ranks[test.methods.index(name)] for name in (group[0], group[-1])]
        ax.plot(ends, [-0.8 * (i + 1)] * 2, color="black", linewidth=3, solid_capstyle="round")
    ax.plot([1, 1 + test.critical_difference], [2, 2], color="black", linewidth=2)
    ax.text(1, 2.4, f"critical difference {test.critical_difference:.2f}", fontsize="small")
    ax.set_xlim(-n / 4, 1.25 * n + 1)
    ax.set_xticks(range(1, n + 1))
    ax.spines[["left", "right", "bottom"]].set_visible(False)
    ax.spines["top"].set_position(("data", 0))
    ax.spines["top"].set_bounds(1, n)
    ax.xaxis.tick_top()
    ax.set_yticks([])
    return ax


def _n_bars(test: RankTest) -> float:
    """Return how deep the bars below the axis reach."""
    return 0.8 * len(test.groups())
