"""A heat map of samples by chosen features, with their classes beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fewer.core.records.errors import InputError
from fewer.core.records.result import Selection
from fewer.report.comparison_facts import COLOURS
from fewer.report.words import counted, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_FEATURES, MOST_CLASSES = 40, 12
# Beyond so many standard deviations all cells look alike.
REACH = 3.0
MOST_LETTERS = 24


def heat(selection: Selection, X: Any, y: Any, most: int, ax: Axes) -> Axes:
    """Draw the rows of X, sorted by class, at the kept features, as z-scores.

    Parameters
    ----------
    selection : Selection
        The features that are drawn are those it keeps, best on the left, at most 40.
    X : array-like, data frame or sparse matrix
        The data that it was made of, or other rows of the same features.
    y : array-like, optional
        Classes or numbers, one per row; rows are sorted by it. Without, like rows stand together.
    most : int
        How many rows to draw at most; of more some are drawn at random, of every class in proportion.
    ax : matplotlib Axes
        Where to draw.
    """
    kept = selection.indices[:MOST_FEATURES]
    if not len(kept):
        raise InputError("plot.heat draws the kept features, but this selection keeps none; nothing was drawn.")
    values, target = _columns(selection, X, kept), None if y is None else np.asarray(y)
    if target is not None and len(target) != len(values):
        raise InputError(f"plot.heat got {len(values)} rows in X, but {len(target)} in y; give one entry per row.")
    classes = None if target is None or _is_numeric(target) else np.unique(target.astype(str), return_inverse=True)
    rows = _some(len(values), None if classes is None else classes[1], most)
    scores = _z(values)[rows]
    numbers = None if target is None else (target[rows] if classes is None else classes[1][rows])
    order = _order(scores, numbers, classes is not None)
    _draw(ax, scores[order], [selection.feature_names[j] for j in kept])
    if numbers is not None:
        _bar(ax, numbers[order], None if classes is None else classes[0])
    shown = "" if len(rows) == len(values) else f" of {len(values):,}"
    ax.set_ylabel(f"{len(rows):,}{shown} rows")
    left = len(selection) - len(kept)
    if left:
        ax.set_title(f"the best {len(kept)} of {counted(len(selection), 'kept feature')}", fontsize=9, loc="left")
    return ax


def _columns(selection: Selection, X: Any, kept: np.ndarray) -> np.ndarray:
    """Return the kept columns as numbers, categories as numbers of their own."""
    names = [str(name) for name in getattr(X, "columns", ())]
    places = [_place(selection, int(j), names) for j in kept] if names else [int(j) for j in kept]
    width = np.shape(X)[1] if len(np.shape(X)) == 2 else 0
    if not names and width != selection.n_features:
        raise InputError(
            f"plot.heat got {width} columns in X, but the selection was made of {selection.n_features}; give the same "
            "columns."
        )
    if names:
        return np.column_stack([_numbers(np.asarray(X[X.columns[i]])) for i in places])
    part = X[:, places] if hasattr(X, "shape") else np.asarray(X)[:, places]
    part = np.asarray(part.toarray() if hasattr(part, "toarray") else part)
    return np.column_stack([_numbers(column) for column in part.T])


def _place(selection: Selection, j: int, names: list[str]) -> int:
    name = selection.feature_names[j]
    if name in names:
        return names.index(name)
    if selection.names is None and len(names) == selection.n_features:
        return j
    raise InputError(f"plot.heat found no column {name!r} in X; give the data that the selection was made of.")


def _numbers(column: np.ndarray) -> np.ndarray:
    if column.dtype.kind in "fiub":
        return column.astype(float)
    try:
        return column.astype(float)
    except (TypeError, ValueError):
        return np.unique(column.astype(str), return_inverse=True)[1].astype(float)


def _is_numeric(target: np.ndarray) -> bool:
    """Return whether a target is drawn as a scale: numbers of more than a few values."""
    return target.dtype.kind in "fiu" and len(np.unique(target)) > MOST_CLASSES


def _some(n_rows: int, classes: np.ndarray | None, most: int) -> np.ndarray:
    """Return the rows that are drawn: all, or some of every class in proportion, at least one."""
    if most < 1:
        raise InputError(f"plot.heat draws at least one row, but most={most}; pass most=1 or more.")
    if n_rows <= most:
        return np.arange(n_rows)
    rng = np.random.default_rng(0)
    if classes is None:
        return np.sort(rng.choice(n_rows, most, replace=False))
    parts = []
    for label in np.unique(classes):
        members = np.flatnonzero(classes == label)
        parts.append(rng.choice(members, max(1, int(len(members) * most / n_rows)), replace=False))
    return np.sort(np.concatenate(parts))


def _z(values: np.ndarray) -> np.ndarray:
    """Return standard deviations from the mean; 0 in constant columns, NaN where missing."""
    with np.errstate(invalid="ignore"):
        known = np.where(np.isfinite(values), values, np.nan)
        n = np.maximum((~np.isnan(known)).sum(axis=0), 1)
        mean = np.nansum(known, axis=0) / n
        spread = np.sqrt(np.nansum((known - mean) ** 2, axis=0) / n)
    return (known - mean) / np.where(spread > 0, spread, 1.0)


def _order(scores: np.ndarray, target: np.ndarray | None, is_class: bool) -> np.ndarray:
    """Return the rows by their target; rows of one class, or all without a target, like beside like."""
    if target is not None and not is_class:
        return np.argsort(target, kind="stable")
    groups = [np.arange(len(scores))] if target is None else [np.flatnonzero(target == g) for g in np.unique(target)]
    return np.concatenate([members[_leaves(scores[members])] for members in groups])


def _leaves(scores: np.ndarray) -> np.ndarray:
    from scipy.cluster.hierarchy import leaves_list, linkage

    if len(scores) < 3:
        return np.arange(len(scores))
    return leaves_list(linkage(np.clip(np.nan_to_num(scores), -REACH, REACH), "average"))


def _draw(ax: Axes, scores: np.ndarray, names: list[str]) -> None:
    from matplotlib import colormaps

    colours = colormaps["RdBu_r"].copy()
    colours.set_bad("#c8ccd1")
    drawn = ax.imshow(
        np.ma.masked_invalid(scores), aspect="auto", cmap=colours, vmin=-REACH, vmax=REACH, interpolation="nearest"
    )
    size = 9.0 if len(names) <= 25 else 7.0
    texts = [shortened(name, MOST_LETTERS) for name in names]
    ax.set_xticks(range(len(names)), texts, rotation=90, fontsize=size, parse_math=False)
    ax.set_yticks([])
    ax.spines[:].set_visible(False)
    bar = ax.figure.colorbar(drawn, ax=ax, shrink=0.6, pad=0.02)
    bar.set_label("standard deviations from the mean", fontsize=9)


def _bar(ax: Axes, target: np.ndarray, labels: np.ndarray | None) -> None:
    """Draw the target of the rows on the left of them."""
    from matplotlib import colormaps
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Patch

    beside = ax.inset_axes((-0.05, 0.0, 0.035, 1.0))
    ax.yaxis.labelpad = 26
    if labels is None:
        beside.imshow(target.astype(float)[:, None], aspect="auto", cmap=colormaps["viridis"], interpolation="nearest")
        ends = [f"{value:.3g}" for value in (target[0], target[-1])]
        beside.set_yticks([0, len(target) - 1], ends, fontsize=8)
    else:
        if len(labels) > len(COLOURS):
            palette = [colormaps["turbo"](i / (len(labels) - 1))[:3] for i in range(len(labels))]
        else:
            palette = [to_rgb(colour) for colour in COLOURS]
        cells = np.array([palette[int(k)] for k in target])[:, None, :]
        beside.imshow(cells, aspect="auto", interpolation="nearest")
        shown = [Patch(color=palette[k], label=shortened(str(name), MOST_LETTERS)) for k, name in enumerate(labels)]
        ax.legend(
            handles=shown[:MOST_CLASSES],
            frameon=False,
            loc="lower left",
            bbox_to_anchor=(-0.05, 1.02),
            ncols=4,
            fontsize=9,
        )
        beside.set_yticks([])
    beside.set_xticks([])
    beside.spines[:].set_visible(False)
