"""The target of a view as its only column, on any runner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.views.blocks import DenseBlock
from fewer.core.views.view import View


@dataclass(frozen=True)
class TargetColumn:
    """Makes of a block one whose only column is the target, with the weights of the rows or without."""

    weighted: bool

    def __call__(self, block: Any) -> DenseBlock:
        """Take the target of one block."""
        y = np.ascontiguousarray(block.y, dtype=np.float64)
        return DenseBlock(y[:, None], np.zeros(block.n_rows, np.int64), block.weight if self.weighted else None)


def target_column(data: View, weighted: bool) -> View:
    """Return the same rows with the target as their only column, of which nothing is missing."""
    return replace(
        data,
        blocks=data.run.place(data.blocks, TargetColumn(weighted)),
        kind="dense",
        n_features=1,
        nominal=np.zeros(1, bool),
        labels={},
        names=None,
        may_miss=False,
        weights=data.weights if weighted else None,
        _memo={},
    )
