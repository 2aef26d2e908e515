"""Weights of blocks of features on a grid, and the ratio by which Modha and Spangler choose among them."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from fewer.core.clustering.centres import Centres, updated
from fewer.core.clustering.descent import Descent
from fewer.core.clustering.points import Points
from fewer.core.records.errors import InputError, RequirementError

MOST_VECTORS = 200
MOST_STEPS = 10
# Vectors of weights where steps are given.
MOST_GIVEN = 100_000


def block_numbers(where: str, blocks: Any, varying: np.ndarray) -> np.ndarray:
    """Return the block of every feature, numbered from 0; -1 for features with one value."""
    given = np.arange(len(varying)) if blocks is None else np.asarray(blocks)
    if given.shape != varying.shape:
        raise InputError(
            f"{where} got blocks of shape {given.shape}, but X has {len(varying)} features; give one block per feature."
        )
    out = np.full(len(varying), -1)
    try:
        out[varying] = np.unique(given[varying], return_inverse=True)[1]
    except TypeError:
        raise InputError(
            f"{where} got blocks of different kinds, such as None beside texts, but takes numbers only or texts only; "
            "name all blocks in one way."
        ) from None
    return out


def simplex_grid(where: str, n_blocks: int, steps: int | None) -> np.ndarray:
    """Return vectors of weights, multiples of 1 / steps with sum 1; equal weights come first.

    Examples
    --------
    >>> simplex_grid("here", 2, 2).tolist()
    [[0.5, 0.5], [0.0, 1.0], [1.0, 0.0]]
    """
    sizes = {s: comb(s + n_blocks - 1, n_blocks - 1) for s in range(1, MOST_STEPS + 1)}
    if steps is None:
        steps = max((s for s in sizes if sizes[s] <= MOST_VECTORS), default=0)
        if not steps:
            raise RequirementError(
                f"{where} got {n_blocks} blocks of features, but a grid of {MOST_VECTORS} vectors of weights has room "
                f"for {MOST_VECTORS}; put features into fewer blocks by blocks= or pass grid_steps."
            )
    if comb(steps + n_blocks - 1, n_blocks - 1) > MOST_GIVEN:
        raise RequirementError(
            f"{where} got grid_steps={steps} for {n_blocks} blocks of features, {comb(steps + n_blocks - 1, steps):,} "
            f"vectors of weights, but tries at most {MOST_GIVEN:,}; pass fewer steps or put features into fewer blocks."
        )
    bars = combinations(range(steps + n_blocks - 1), n_blocks - 1)
    edges = np.array([(-1, *places, steps + n_blocks - 1) for places in bars])
    grid = (np.diff(edges, axis=1) - 1) / steps
    equal = np.full((1, n_blocks), 1.0 / n_blocks)
    others = grid[~np.isclose(grid, equal).all(axis=1)]
    return np.concatenate([equal, others])


def fisher_ratio(points: Points, found: Descent, blocks: np.ndarray) -> float:
    """Return the product over blocks of distortion within clusters by distortion between them.

    Each factor is a ratio, so that the unit of a block does not matter.
    """
    whole = Centres(found.centres.means[:1], found.centres.modes[:1])
    _, total = updated(points, np.zeros(len(points), np.int64), whole)
    _, inside = updated(points, found.labels, found.centres)
    used = blocks >= 0
    within = np.bincount(blocks[used], inside.sum(axis=0)[used])
    between = np.maximum(np.bincount(blocks[used], total[0][used]) - within, 0.0)
    if (between <= 1e-12 * within).any():
        return float("inf")
    if (within <= 0).any():
        return 0.0
    return float(np.exp(np.clip(np.log(within / between).sum(), -700.0, 700.0)))
