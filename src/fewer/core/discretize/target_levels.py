"""A target of numbers as levels of equal frequency."""

from __future__ import annotations

import numpy as np

from fewer.core.discretize.named import EqualFrequency, LocalData
from fewer.core.views.blocks import DenseBlock
from fewer.core.views.view import View


def with_target_levels(data: View, bins: int) -> View:
    """Return the same rows, which are in memory, with the bin of a numeric target for its class."""
    block = data.whole()
    target = LocalData(DenseBlock(np.ascontiguousarray(block.y[:, None]), None, block.weight), data.run)
    codes = EqualFrequency(bins).cuts(target).encode(target.block.X)[0][:, 0]
    levels = np.unique(codes)
    return data.with_classes(np.searchsorted(levels, codes).astype(np.int64), levels)
