"""Rows in memory, cut into blocks for the workers of a cluster."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.runners.cluster import DaskRunner
from fewer.core.views.view import View


def cut(block: Any, n_blocks: int) -> list[Any]:
    """Cut a dense or sparse block into at most ``n_blocks`` blocks of consecutive rows."""
    bounds = np.unique(np.linspace(0, block.n_rows, n_blocks + 1).astype(int))
    pieces = []
    for top, bottom in zip(bounds[:-1], bounds[1:]):
        X = block.X[top:bottom] if block.kind == "dense" else block.X.tocsr()[top:bottom].tocsc()
        y = None if block.y is None else block.y[top:bottom]
        weight = None if block.weight is None else block.weight[top:bottom]
        pieces.append(replace(block, X=X, y=y, weight=weight))
    return pieces


def split_rows(data: View, run: DaskRunner) -> View:
    """Return the same data, spread over the workers of a cluster."""
    return replace(data, run=run, blocks=run.scatter(cut(data.whole(), run.n_blocks())), _memo={})
