"""Rows of a file or of a cluster, gathered in the smallest type that holds them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries.small_rows import SmallRows
from fewer.core.views.blocks import DenseBlock
from fewer.core.views.view import View


def gathered(data: View, n_jobs: int | None) -> View:
    """Return the same dense data in memory, for methods that compare every row with every other.

    Levels, genotypes and other small whole numbers take one byte each. The numbers are the same, and so is whatever is
    made of them.

    Parameters
    ----------
    data : View
        The data; returned as they are if they are in memory.
    n_jobs : int or None
        Number of threads that work on the gathered rows.
    """
    if data.run.in_memory:
        return data
    blocks = data.run.fold(SmallRows(), data.blocks)
    X = np.empty((data.n_rows, data.n_features), np.result_type(*{rows.dtype for rows, _, _ in blocks}))
    targets = [y for _, y, _ in blocks if y is not None]
    weights = [weight for _, _, weight in blocks if weight is not None]
    top = 0
    # Each block is let go when it is written.
    for number in range(len(blocks)):
        rows, blocks[number] = blocks[number][0], (X[:0], None, None)
        X[top : top + len(rows)] = rows
        top += len(rows)
    block = DenseBlock(X, np.concatenate(targets) if targets else None, np.concatenate(weights) if weights else None)
    return replace(data, run=ThreadRunner(n_jobs), blocks=[block], _memo={})
