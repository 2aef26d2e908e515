"""Weights of features at single rows as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fewer.core.estimators.point_reasons import PointReasons
from fewer.core.records.errors import InputError, MissingExtraError
from fewer.report.words import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LETTERS = 24
MOST_ROWS = 200


def weights(reasons: PointReasons, most: int = 20, ax: Axes | None = None) -> Axes:
    """Draw how much features count at rows.

    Parameters
    ----------
    reasons : PointReasons
        Rows with weights; the first 200 are drawn.
    most : int, default=20
        How many features to draw at most: those with the largest mean weight over the rows.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    matplotlib Axes
        One line per row, one column per feature, the strongest on the left; the darker, the larger the weight.
    """
    if reasons.weights is None:
        raise InputError(
            f"{reasons.meta.get('method', 'The classifier')} has no weights at single rows to draw; use a local "
            "classifier such as ADAMENN."
        )
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise MissingExtraError(
                "Plots need matplotlib, which is not installed; run pip install 'fewer[plot]'."
            ) from error
        height = 1.5 + 0.28 * min(len(reasons), 30)
        ax = pyplot.subplots(figsize=(7.0, height), layout="constrained")[1]
    order = np.argsort(-reasons.weights.mean(axis=0), kind="stable")[:most]
    n = min(len(reasons), MOST_ROWS)
    image = ax.imshow(reasons.weights[:n, order], aspect="auto", cmap="Blues", vmin=0.0)
    names = [shortened(reasons.names[j], MOST_LETTERS) for j in order]
    ax.set_xticks(range(len(order)), names, rotation=45, ha="right", parse_math=False)
    if n <= 30:
        said = [f"{shortened(reasons.rows[i], MOST_LETTERS)}: {reasons.predicted[i]}" for i in range(n)]
        ax.set_yticks(range(n), said, parse_math=False)
    else:
        ax.set_ylabel("row")
    ax.figure.colorbar(image, ax=ax, label="weight", shrink=0.8)
    return ax
