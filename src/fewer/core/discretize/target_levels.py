"""A target of numbers as levels of equal frequency, on any runner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.discretize.cuts import Cuts
from fewer.core.discretize.named import EqualFrequency, LocalData
from fewer.core.runners.runner import Blocks, Runner
from fewer.core.summaries.summary import Result, Summary
from fewer.core.views.blocks import DenseBlock
from fewer.core.views.view import View


def with_target_levels(data: View, bins: int) -> View:
    """Return the same rows with the bin of a numeric target for its class."""
    if not data.run.in_memory:
        return _streamed(data, bins)
    block = data.whole()
    target = LocalData(DenseBlock(np.ascontiguousarray(block.y[:, None]), None, block.weight), data.run)
    codes = EqualFrequency(bins).cuts(target).encode(target.block.X)[0][:, 0]
    levels = np.unique(codes)
    return data.with_classes(np.searchsorted(levels, codes).astype(np.int64), levels)


def _streamed(data: View, bins: int) -> View:
    """Look at the target twice, as at a column; every level that is cut then holds a value."""
    cuts = EqualFrequency(bins).cuts(_TargetColumn(data.run, data.run.place(data.blocks, _column), data.n_rows))
    blocks = data.run.place(data.blocks, _InLevels(cuts))
    levels = np.arange(int(cuts.n_levels[0]))
    return replace(data, blocks=blocks, classes=levels, target_kind="classes", target_names=None, _memo={})


@dataclass(frozen=True, eq=False)
class _TargetColumn:
    """The target of rows that are not together, as the one column of a table."""

    run: Runner
    blocks: Blocks
    n_rows: int
    kind = "dense"
    n_features = 1

    @property
    def nominal(self) -> np.ndarray:
        """It holds numbers."""
        return np.zeros(1, dtype=bool)

    def known(self, key: Any) -> Any:
        """Nothing is known beforehand."""
        return None

    def fold(self, summary: Summary[Result]) -> Result:
        """Compute a summary of all rows."""
        return self.run.fold(summary, self.blocks)


def _column(block: Any) -> DenseBlock:
    return DenseBlock(np.ascontiguousarray(block.y[:, None]), None, block.weight)


@dataclass(frozen=True)
class _InLevels:
    """Puts the level of the target in its place."""

    cuts: Cuts

    def __call__(self, block: Any) -> Any:
        codes = self.cuts.encode(np.ascontiguousarray(block.y[:, None]))[0][:, 0]
        return replace(block, y=codes.astype(np.int64))
