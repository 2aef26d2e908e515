"""Weights from all rows within a radius, where bits hold some of the features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.kernels import level_planes
from fewer.core.neighbours.device_marks import device_parts
from fewer.core.neighbours.gapped_space import GappedSpace
from fewer.core.neighbours.joint_space import JointSpace, SpacePart
from fewer.core.neighbours.kept_distances import keep_distances
from fewer.core.neighbours.level_space import LevelSpace, RowPlaces
from fewer.core.neighbours.spaces import Space
from fewer.core.neighbours.topk import CANDIDATES_AT_ONCE, QUERIES_AT_ONCE
from fewer.core.views.view import View
from fewer.methods.relief._device_radius import device_sums
from fewer.methods.relief._radius import RadiusSums, radius_sums

# Masks of near rows that are held at once.
MOST_BYTES = 64 * 2**20
FEATURES_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class Marked:
    """The rows that count for a range of rows: masks of bits (n_words, n_range), and what one of each class counts."""

    start: int
    masks: np.ndarray
    values: np.ndarray


def sums_within(
    view: View, space: Space, shares: np.ndarray, radius: float | None, far: bool, part: tuple[int, int] | None = None
) -> tuple[np.ndarray, int]:
    """Add up `RadiusSums` of all rows, or of a range of them, features held as bits by masks of rows."""
    there = device_parts(view.run, space)
    if there is not None:
        run: Any = view.run
        return run.attempt(lambda: device_sums(run, space, there, view.whole().y, shares, radius, far))
    if not isinstance(space, JointSpace):
        return radius_sums(view, space, shares, radius, far, part)
    kept = keep_distances(view.run, space) if part is None else space
    work = RadiusSums(kept, view.whole().y, shares, radius, far)
    return _masked_sums(view, work, space, *((0, space.n_rows) if part is None else part))


def _masked_sums(view: View, work: RadiusSums, space: JointSpace, begin: int, end: int) -> tuple[np.ndarray, int]:
    """Add up what `RadiusSums` adds up."""
    places = RowPlaces.by_class(work.y, len(work.shares))
    # Ranges of rows, so that the masks of all rows by all rows need not be held.
    at_once = max(1, MOST_BYTES * 8 // places.n_bits // QUERIES_AT_ONCE) * QUERIES_AT_ONCE
    sums, balance, constant = np.zeros(space.n_features), 0, 0.0
    by_bits = [(part, part.space) for part in space.parts if isinstance(part.space, LevelSpace | GappedSpace)]
    others = [part for part in space.parts if not isinstance(part.space, LevelSpace | GappedSpace)]
    for first in range(begin, end, at_once):
        last = min(first + at_once, end)

        def mark(start: int, stop: int, first: int = first) -> tuple[list[Marked], list[np.ndarray], int]:
            return _mark(work, others, places, first + start, first + stop)

        found = view.run.scan(mark, last - first, QUERIES_AT_ONCE)
        marked = [side for sides, _, _ in found for side in sides]
        balance += sum(part[2] for part in found)
        constant += sum(float((side.values * _sizes(side.masks, places)).sum()) for side in marked)
        for at, part in enumerate(others):
            for _, rest, _ in found:
                space.give(sums, part, rest[at])
        for part, levels in by_bits:
            space.give(sums, part, -_agreements(view, levels, places, marked))
    for part, levels in by_bits:
        space.give(sums, part, np.full(levels.n_features, constant))
    return sums, balance


def _mark(
    work: RadiusSums, others: list[SpacePart], places: RowPlaces, start: int, stop: int
) -> tuple[list[Marked], list[np.ndarray], int]:
    """Return the marked rows of a range of rows, the sums of features that are no bits, and the balance of far rows."""
    distance, near, far = work.sides(start, stop)
    own, n = np.arange(start, stop), stop - start
    sides, total = [], 0
    for limit, beyond in ((near, False), (far, True))[: 1 + work.far]:
        masks, values = np.empty((places.n_bits // 64, n), np.uint64), np.empty((len(work.shares), n))
        balance = level_planes.side_masks(
            distance, own, work.y, places.of_row, work.y[start:stop], work.shares, limit, beyond, masks, values
        )
        sides.append(Marked(start, masks, values))
        total += balance if beyond else 0
    if not others:
        return sides, [], total
    weights, _ = work.weigh(distance, near, far, start, stop)
    sums = [np.zeros(part.space.n_features) for part in others]
    for first in range(0, work.space.n_rows, CANDIDATES_AT_ONCE):
        tile = np.ascontiguousarray(weights[:, first : first + CANDIDATES_AT_ONCE])
        for found, part in zip(sums, others):
            found += part.space.add_tile(part.space, start, stop, first, tile)
    return sides, sums, total


def _agreements(view: View, space: LevelSpace | GappedSpace, places: RowPlaces, marked: list[Marked]) -> np.ndarray:
    """Return, per feature, what the marked rows of equal levels count."""

    def work(first: int, last: int) -> np.ndarray:
        return space.agreements(places, marked, first, last)

    return space.in_order(np.concatenate(view.run.scan(work, space.n_features, FEATURES_AT_ONCE)))


def _sizes(masks: np.ndarray, places: RowPlaces) -> np.ndarray:
    """Return how many rows of every class are marked, (n_classes, n_range)."""
    counts = np.bitwise_count(masks).astype(np.int64)
    return np.array([counts[first:last].sum(axis=0) for first, last in zip(places.ends, places.ends[1:])])
