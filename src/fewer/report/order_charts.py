"""Plots of rank-order spaces with matplotlib: axes in, axes out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import rankdata
from sklearn.utils.validation import check_X_y

from fewer.core.measures.orders import doubled_sums
from fewer.core.records.errors import InputError
from fewer.core.records.result import Selection
from fewer.report.facts import FILLS
from fewer.report.plots import LOG_FROM, _axes, _finish
from fewer.report.words import number, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's palette without yellow, which is too light for a line on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
QUIET = "#8c959f"
MOST_FEATURES = 60
MOST_LETTERS = 24


def class_centres(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the classes and the centre of the orders of each, (n_classes, n_features), ranks from 1.

    The centre is the rank of the sums of ranks (Definition 6 of Slotta et al. 2005); equal values share their mean
    rank, of equal sums the lower feature number comes first.
    """
    classes = np.unique(y)
    sums = np.stack([doubled_sums(X[y == c]) for c in classes])
    return classes, rankdata(sums, method="ordinal", axis=1)


def slope_chart(
    X: Any, y: Any, features: Sequence[int], names: Sequence[str] | None = None, *, top: int = 6, ax: Axes | None = None
) -> Axes:
    """Draw the place of each feature in the centre of each class, one line per feature.

    Lines that cross are pairs of features whose order differs between classes.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,)
        The classes.
    features : sequence of int
        Columns to draw, such as ``selection.indices``; the places are those among these columns alone.
    names : sequence of str, optional
        Names of all columns; those of a data frame, or x0, x1, ..., if None.
    top : int, default=6
        How many features to colour: those whose places differ most.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    matplotlib Axes
        The axes with the lines, lowest values at the bottom.
    """
    if names is None:
        names = [str(name) for name in X.columns] if hasattr(X, "columns") else None
    X, y = check_X_y(X, y, estimator="slope_chart")
    columns = np.asarray(features, dtype=np.int64)
    if not 2 <= len(columns) <= MOST_FEATURES:
        raise InputError(
            f"slope_chart draws 2 to {MOST_FEATURES} features, but got {len(columns)}; pass the kept ones, such as "
            "selection.indices[:20]."
        )
    classes, places = class_centres(X[:, columns], y)
    if len(classes) < 2:
        raise InputError("slope_chart compares classes, but y has only one; give rows of at least two.")
    labels = [f"x{j}" if names is None else shortened(str(names[j]), MOST_LETTERS) for j in columns]
    ax = _axes(ax, height=0.2 * len(columns) + 1.4)
    _draw_lines(ax, places, top)
    _label_ends(ax, places, labels)
    counts = [int((y == c).sum()) for c in classes]
    ax.set_xticks(range(len(classes)), [f"{c}\n{n} rows" for c, n in zip(classes, counts)])
    ax.set_xlim(-0.05, len(classes) - 0.95)
    ax.set_ylim(0.4, len(columns) + 0.6)
    _finish(ax, "", "place in the centre of the class, largest on top")
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(axis="x", length=0)
    return ax


def divergence_curve(selection: Selection, ax: Axes | None = None) -> Axes:
    """Draw what a backward elimination lost of the classes, against the number of features left.

    Parameters
    ----------
    selection : Selection
        A selection by `RankOrderElimination` with the rows in memory.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    matplotlib Axes
        The axes with the curve, time from left to right: the divergence in nats after each removal, the smallest
        subset that still lost nothing, and the subset that was kept.
    """
    if "divergence" not in selection.columns:
        method = selection.meta.get("method") or "its method"
        raise InputError(
            f"divergence_curve draws the column 'divergence', but {method} gave none; use RankOrderElimination, or "
            "plot.trace for other searches."
        )
    # The k-th of the order was removed when k others were left.
    after = np.append(np.asarray(selection.columns["divergence"], dtype=float)[selection.order], 0.0)
    sizes = np.flatnonzero(np.isfinite(after))
    if len(sizes) < 2:
        raise InputError(
            "divergence_curve got a selection whose divergence is unknown, because the rows were not in memory; load "
            "them first, with table.load() for a table."
        )
    ax = _axes(ax)
    ax.step(sizes, after[sizes], where="mid", color="#57606a", linewidth=1.5, zorder=2)
    lossless = int(sizes[after[sizes] == 0.0].min())
    ax.axvline(lossless, color="black", linestyle="--", linewidth=1.2, label=f"nothing lost down to {number(lossless)}")
    kept = len(selection)
    if kept in sizes:
        label = f"kept: {number(kept)}, divergence {number(float(after[kept]))}"
        ax.scatter(kept, after[kept], s=60, color=FILLS["kept"], zorder=3, label=label)
    log = len(sizes) > LOG_FROM
    if log:
        ax.set_xscale("log")
    ax.xaxis.set_inverted(True)
    _finish(ax, "number of features left" + (" (log scale)" if log else ""), "divergence (nats)")
    ax.legend(frameon=False, loc="upper left")
    ax.grid(axis="y", color="#e4e7eb")
    return ax


def _draw_lines(ax: Axes, places: np.ndarray, top: int) -> None:
    """Draw one line per feature, coloured where the places differ most; of equal differences the first features."""
    n_classes, n_features = places.shape
    spread = places.max(axis=0) - places.min(axis=0)
    moving = [j for j in np.argsort(-spread, kind="stable")[:top] if spread[j] > 0]
    colours = {int(j): COLOURS[k % len(COLOURS)] for k, j in enumerate(moving)}
    for c in range(n_classes):
        ax.axvline(c, color="#d0d7de", linewidth=1.0, zorder=1)
    for j in range(n_features):
        bold = j in colours
        ax.plot(
            np.arange(n_classes),
            places[:, j],
            color=colours.get(j, QUIET),
            linewidth=2.2 if bold else 1.0,
            alpha=1.0 if bold else 0.7,
            marker="o",
            markersize=4,
            zorder=3 if bold else 2,
        )


def _label_ends(ax: Axes, places: np.ndarray, labels: list[str]) -> None:
    """Write the names on both sides, each in its place in the first and in the last class."""
    colours = [line.get_color() for line in ax.lines[-places.shape[1] :]]
    ax.set_yticks(places[0], labels, parse_math=False)
    right = ax.secondary_yaxis("right")
    right.set_yticks(places[-1], labels, parse_math=False)
    for axis in (ax, right):
        axis.tick_params(axis="y", length=0)
        for text, colour in zip(axis.get_yticklabels(), colours):
            text.set_color("#57606a" if colour == QUIET else colour)
    right.spines[:].set_visible(False)
