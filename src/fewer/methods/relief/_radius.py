"""Weights from all rows within a radius."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.kernels import tiles
from fewer.core.neighbours.kept_distances import KeptSpace, keep_distances
from fewer.core.neighbours.spaces import Space
from fewer.core.neighbours.topk import CANDIDATES_AT_ONCE, QUERIES_AT_ONCE, panel, sharpen
from fewer.core.views.view import View


@dataclass(frozen=True, eq=False)
class RadiusSums:
    """Sums over a range of rows of the mean difference to near misses less that to near hits.

    Attributes
    ----------
    space : Space
        The rows.
    y : ndarray of int of shape (n_rows,)
        Class numbers.
    shares : ndarray of shape (n_classes,)
        What a class counts among the misses.
    radius : float, optional
        How far near rows are. Without it each row has its own: the mean distance of the others, less half their
        standard deviation (and for far rows, plus half of it).
    far : bool
        Whether rows beyond the radius count, too, with the opposite sign.
    """

    space: Space
    y: np.ndarray
    shares: np.ndarray
    radius: float | None
    far: bool

    def __call__(self, start: int, stop: int) -> tuple[np.ndarray, int]:
        """Return the sums of the rows ``start`` to ``stop``, and how many have far misses less those with far hits."""
        weights, balance = self.weights(start, stop)
        sums = np.zeros(self.space.n_features)
        for first in range(0, self.space.n_rows, CANDIDATES_AT_ONCE):
            tile = np.ascontiguousarray(weights[:, first : first + CANDIDATES_AT_ONCE])
            sums += self.space.add_tile(self.space, start, stop, first, tile)
        return sums, balance

    def weights(self, start: int, stop: int) -> tuple[np.ndarray, int]:
        """Return what each row counts for the rows ``start`` to ``stop``, and the balance of far rows."""
        return self.weigh(*self.sides(start, stop), start, stop)

    def sides(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the distances of a range of rows, how far near rows are, and how far at least far ones."""
        distance = panel(self.space, self.space, start, stop)
        near, far = self._limits(distance, np.arange(start, stop))
        sharpen(distance, near, self.space, self.space, start)
        if self.far and self.radius is None:
            sharpen(distance, far, self.space, self.space, start)
        return distance, near, far

    def weigh(
        self, distance: np.ndarray, near: np.ndarray, far: np.ndarray, start: int, stop: int
    ) -> tuple[np.ndarray, int]:
        """Return what each row counts by its distance, and the balance of far rows."""
        weights, scratch = np.zeros(distance.shape), np.empty(len(self.shares))
        settings = np.arange(start, stop), self.y, self.y[start:stop], self.shares
        tiles.side_weights(distance, *settings, near, False, scratch, weights)
        balance = 0
        if self.far:
            balance = tiles.side_weights(distance, *settings, far, True, scratch, weights)
        return weights, balance

    def _limits(self, distance: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the largest distance of near rows and the smallest of far ones, rounded like distances."""
        if self.radius is not None:
            limit = self.space.on_grid(np.full(len(own), self.radius))
            return limit, limit
        mean, deviation = np.empty(len(own)), np.empty(len(own))
        tiles.spread(distance, own, mean, deviation)
        return self.space.on_grid(mean - deviation / 2), self.space.on_grid(mean + deviation / 2)


def radius_sums(
    view: View, space: Space, shares: np.ndarray, radius: float | None, far: bool, part: tuple[int, int] | None = None
) -> tuple[np.ndarray, int]:
    """Add up `RadiusSums` of all rows, or of a range of them, on the threads of the view."""
    space = keep_distances(view.run, space) if part is None else space
    work = RadiusSums(space, view.whole().y, shares, radius, far)
    if isinstance(space, KeptSpace):
        return _each_pair_once(view, work, space)
    begin, end = (0, space.n_rows) if part is None else part
    parts = view.run.scan(lambda a, b: work(begin + a, begin + b), end - begin, QUERIES_AT_ONCE)
    return _added([part[0] for part in parts]), sum(part[1] for part in parts)


def _each_pair_once(view: View, work: RadiusSums, space: KeptSpace) -> tuple[np.ndarray, int]:
    """Write the weights over the kept distances, then give each pair the weights of both its rows together."""
    table = space.table

    def weigh(start: int, stop: int) -> int:
        table[start:stop], balance = work.weights(start, stop)
        return balance

    def add(start: int, stop: int) -> np.ndarray:
        sums = space.add_tile(space, start, stop, start, np.ascontiguousarray(table[start:stop, start:stop]))
        for first in range(stop, space.n_rows, CANDIDATES_AT_ONCE):
            last = min(first + CANDIDATES_AT_ONCE, space.n_rows)
            sums += space.add_tile(
                space, start, stop, first, table[start:stop, first:last] + table[first:last, start:stop].T
            )
        return sums

    balance = sum(view.run.scan(weigh, space.n_rows, QUERIES_AT_ONCE))
    return _added(view.run.scan(add, space.n_rows, QUERIES_AT_ONCE)), balance


def _added(parts: list[np.ndarray]) -> np.ndarray:
    """Add in the order of the rows, so that the number of threads changes nothing."""
    total = parts[0].copy()
    for part in parts[1:]:
        total += part
    return total


def distance_sum(view: View, space: Space, begin: int, end: int) -> float:
    """Return what a range of rows adds to the sum of the distances of all rows from all others."""
    short = space.mean_distance()
    if short is not None:
        return short * (end - begin) * (space.n_rows - 1)

    def work(start: int, stop: int) -> float:
        distance = panel(space, space, begin + start, begin + stop)
        return float(distance.sum() - distance[np.arange(stop - start), np.arange(begin + start, begin + stop)].sum())

    return sum(view.run.scan(work, end - begin, QUERIES_AT_ONCE))
