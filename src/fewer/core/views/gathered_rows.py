"""Rows of a file or of a cluster, gathered in the smallest type that holds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries.small_rows import Rows, SmallRows
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
    return _together(data, data.run.fold(SmallRows(), data.blocks), ThreadRunner(n_jobs))


def each_worker(
    data: View, prepare: Callable[[View], Any], work: Callable[[Any, int, int], Any], width: int
) -> list[Any]:
    """Call ``work(prepare(rows), start, stop)`` on the workers of a cluster, for ranges of ``width`` rows.

    Every worker gathers all rows as `gathered` does, in few bytes; none of them come where `fit` was called.

    Parameters
    ----------
    data : View
        Dense data on a cluster with workers.
    prepare, work : callable
        Made once per worker of all rows, and called there for ranges; the results come in the order of the ranges.
    width : int
        Number of rows that are cut into ranges.
    """
    run: Any = data.run
    small = run.place(data.blocks, SmallRows().whole)
    nothing: Any = None
    shell = replace(data, run=nothing, blocks=nothing, groups=None, fit_params={}, pairs=None, _memo={})
    return run.pairs(small, partial(_prepared, shell, prepare), work, width)


def _prepared(shell: View, prepare: Callable[[View], Any], blocks: list[list[Rows]]) -> Any:
    return prepare(_together(shell, [rows for block in blocks for rows in block], ThreadRunner(1)))


def _together(data: View, blocks: list[Rows], run: ThreadRunner) -> View:
    """Return a view of row blocks in memory; the list is emptied, so that each block is let go when it is written."""
    X = np.empty((data.n_rows, data.n_features), np.result_type(*{rows.dtype for rows, _, _ in blocks}))
    targets = [y for _, y, _ in blocks if y is not None]
    weights = [weight for _, _, weight in blocks if weight is not None]
    top = 0
    for number in range(len(blocks)):
        rows, blocks[number] = blocks[number][0], (X[:0], None, None)
        X[top : top + len(rows)] = rows
        top += len(rows)
    block = DenseBlock(X, np.concatenate(targets) if targets else None, np.concatenate(weights) if weights else None)
    return replace(data, run=run, blocks=[block], _memo={})
