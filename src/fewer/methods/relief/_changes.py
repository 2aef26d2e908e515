"""How often the target changes with a feature between near rows, per level, and how often it would by chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.kernels import level_pairs as lp
from fewer.core.neighbours.relief_weights import sampled_rows
from fewer.core.runners import progress
from fewer.core.runners.runner import Runner
from fewer.core.views.view import View
from fewer.methods.relief._levels import Levels, ordered_levels

# Neighbours kept at once, bytes of tallies kept at once, rows of one task, rows of the first batch.
MOST_NEAR, TALLY_BYTES, ROWS_PER_TASK, FIRST_ROWS = 2**22, 2**28, 32, 64
PARTS = ("up", "down", "anchor")


@dataclass(frozen=True, eq=False)
class Changes:
    """What was found for levels and features.

    Attributes
    ----------
    levels : Levels
        The levels that all lists are about.
    by_level : mapping of str to ndarray
        "up", "down" and "anchor", NaN where no pair of rows is of the kind, and with random copies the bounds
        "up_low", "up_high" and so on.
    by_feature : mapping of str to ndarray
        The same three with the pairs of all levels pooled, and "net", which has a sign.
    pvalues : ndarray, optional
        Fraction of copies, the feature among them, whose absolute net change is at least that of the feature.
    """

    levels: Levels
    by_level: dict[str, np.ndarray]
    by_feature: dict[str, np.ndarray]
    pvalues: np.ndarray | None


@dataclass(frozen=True)
class ChangesAsked:
    """What is asked for: neighbour weights by rank, rows that look for neighbours, copies, and their percentile."""

    rank_weights: np.ndarray
    n_samples: int | None
    n_random: int
    percentile: float
    bins: int


def changes(data: View, asked: ChangesAsked, rng: np.random.Generator) -> Changes:
    """Find neighbours, tally the changes of every feature and of its random copies, and compare."""
    levels = ordered_levels(data, asked.bins)
    n, d = levels.numbers.shape
    drawn = sampled_rows("OrdEval", asked.n_samples, n, rng)
    rows = np.arange(n) if drawn is None else drawn
    seeds = [int(s) for s in rng.integers(2**63, size=asked.n_random)]
    places = levels.places()
    expected = levels.expected(places) if levels.any_missing else np.zeros((1, 1), np.int64)
    fixed = (places, expected, levels.any_missing)
    _, target = np.unique(data.whole().y, return_inverse=True)
    # Tallies of all copies stay in memory; where they would not fit, features take turns and share no neighbours.
    width = max(1, TALLY_BYTES // (8 * lp.N_TALLIES * (asked.n_random + 1) * max(1, int(levels.n_levels.max()))))
    parts = []
    for start in range(0, d, width):
        tile = slice(start, min(start + width, d))
        tallies = _tallies(data.run, fixed, levels, tile, target, rows, asked.rank_weights, seeds)
        parts.append(_compared(tallies, levels, tile, asked.percentile))
    by_level, by_feature, pvalues = zip(*parts)
    return Changes(levels, _joined(by_level), _joined(by_feature), np.concatenate(pvalues) if seeds else None)


def _tallies(
    run: Runner,
    fixed: tuple[np.ndarray, np.ndarray, bool],
    levels: Levels,
    tile: slice,
    target: np.ndarray,
    rows: np.ndarray,
    rank_weights: np.ndarray,
    seeds: list[int],
) -> np.ndarray:
    """Return the tallies of some features and of their copies, (1 + copies, levels, kinds of change)."""
    numbers = np.ascontiguousarray(levels.numbers[:, tile])
    offsets = levels.offsets[tile.start : tile.stop + 1] - levels.offsets[tile.start]
    out = np.zeros((1 + len(seeds), int(offsets[-1]), lp.N_TALLIES))
    n, width = numbers.shape
    for some, near in _batches(run, fixed, rows, rank_weights):
        for copy, seed in enumerate([None, *seeds]):
            # One order of the rows serves all features: each copy is compared with its own feature alone.
            moved = numbers if seed is None else numbers[np.random.default_rng(seed).permutation(n)]
            own = (moved, target, some, *near, offsets)
            run.scan(_tally(own, out[copy]), width, max(1, width // 8))
            progress.report("comparing with random copies", copy, len(seeds))
    return out


def _tally(own: tuple[Any, ...], out: np.ndarray) -> Any:
    def work(start: int, stop: int) -> None:
        lp.tally_changes(*own, start, stop, out)

    return work


def _batches(
    run: Runner, fixed: tuple[np.ndarray, np.ndarray, bool], rows: np.ndarray, rank_weights: np.ndarray
) -> Iterator[tuple[np.ndarray, tuple[np.ndarray, np.ndarray, np.ndarray]]]:
    """Yield rows with their neighbours, in batches of bounded memory: many rows may be at equal distance."""
    at, step = 0, FIRST_ROWS
    while at < len(rows):
        some = rows[at : at + step]

        def work(start: int, stop: int, some: np.ndarray = some) -> list[list[np.ndarray]]:
            return _near(fixed, some[start:stop], rank_weights)

        pieces = [piece for part in run.scan(work, len(some), ROWS_PER_TASK) for piece in part]
        counts, found, weights = (np.concatenate(kind) for kind in zip(*pieces))
        yield some, (counts, found, weights)
        at += step
        step = int(np.clip(len(some) * MOST_NEAR // max(1, len(found)), 1, 8 * len(some)))
        progress.report("finding neighbours", min(at, len(rows)), len(rows))


def _near(
    fixed: tuple[np.ndarray, np.ndarray, bool], rows: np.ndarray, rank_weights: np.ndarray
) -> list[list[np.ndarray]]:
    """Return counts, neighbours and weights of rows, in as many pieces as the space needs."""
    pieces, room = [], max(len(fixed[0]), 4 * len(rank_weights) * len(rows))
    while len(rows):
        counts = np.zeros(len(rows), np.int64)
        found, weights = np.empty(room, np.int64), np.empty(room)
        done = lp.nearest_rows(*fixed, rows, rank_weights, counts, found, weights)
        used = int(counts[:done].sum())
        pieces.append([counts[:done], found[:used].copy(), weights[:used].copy()])
        rows = rows[done:]
    return pieces


def _compared(
    tallies: np.ndarray, levels: Levels, tile: slice, percentile: float
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray], np.ndarray]:
    """Return fractions per level with their bounds, shares per feature, and p-values."""
    starts = levels.offsets[tile.start : tile.stop] - levels.offsets[tile.start]
    sums = np.concatenate([tallies, np.zeros_like(tallies[:, :1])], axis=1)
    # A feature without levels would take the sum of the next one.
    pooled = np.add.reduceat(sums, starts, axis=1) * (levels.n_levels[tile] > 0)[None, :, None]
    by_level = {}
    for part, shares in zip(PARTS, _shares(tallies)):
        by_level[part] = shares[0]
        if len(shares) > 1:
            by_level[f"{part}_low"], by_level[f"{part}_high"] = _bounds(shares[1:], percentile)
    changed = pooled[..., lp.ROSE] + pooled[..., lp.FELL]
    along = pooled[..., lp.ROSE_UP] + pooled[..., lp.FELL_DOWN]
    against = pooled[..., lp.ROSE_DOWN] + pooled[..., lp.FELL_UP]
    net = np.divide(along - against, changed, out=np.zeros_like(changed), where=changed > 0)
    by_feature = {part: shares[0] for part, shares in zip(PARTS, _shares(pooled))} | {"net": net[0]}
    beaten = np.sum(np.abs(net[1:]) >= np.abs(net[0]) - 1e-12, axis=0)
    return by_level, by_feature, (1 + beaten) / len(net)


def _shares(tallies: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return upward and downward reinforcement and anchoring (eq. 9.14 and 9.15), NaN where nothing is compared."""
    pairs = ((lp.ROSE_UP, lp.ROSE), (lp.FELL_DOWN, lp.FELL), (lp.STAYED_EQUAL, lp.STAYED))
    empty = np.full(tallies.shape[:-1], np.nan)
    return tuple(
        np.divide(tallies[..., a], tallies[..., b], out=empty.copy(), where=tallies[..., b] > 0) for a, b in pairs
    )


def _bounds(shares: np.ndarray, percentile: float) -> np.ndarray:
    """Return the lower and upper percentile over the copies that compare anything, NaN where none does."""
    # np.nanquantile calls Python for every level; NaN sorts last.
    ordered, last = np.sort(shares, axis=0), np.maximum(np.count_nonzero(shares == shares, axis=0) - 1, 0)
    bounds = np.empty((2, shares.shape[1]))
    for bound, share in zip(bounds, (percentile, 1 - percentile)):
        at = share * last
        below = at.astype(np.int64)
        low, high = (np.take_along_axis(ordered, k[None], axis=0)[0] for k in (below, np.minimum(below + 1, last)))
        bound[:] = low + (at - below) * (high - low)
    return bounds


def _joined(parts: Any) -> dict[str, np.ndarray]:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
