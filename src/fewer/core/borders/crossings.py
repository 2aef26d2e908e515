"""Points where a segment crosses a border: brackets made smaller on all segments at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fewer.core.borders.contract import Border

# The bracket of a segment of length 1 at the end; that of numbers is 2.2e-16.
WIDTH = 1e-15
# A value of h that is this part of its change over the segment is 0.
NOTHING = 1e-15
MOST = 160
# A decision function that still changes by this part of its change over the segment within such a bracket jumps.
JUMP = 1e-6


@dataclass(frozen=True)
class Crossings:
    """Points on the border.

    Attributes
    ----------
    points : ndarray of shape (n_segments, n_features)
        Where the segments cross; rows without a crossing hold their beginning.
    crossed : ndarray of bool of shape (n_segments,)
        Whether the ends of the segment are on different sides.
    jumps : ndarray of bool of shape (n_segments,)
        Whether h passes 0 without taking values near it.
    """

    points: np.ndarray
    crossed: np.ndarray
    jumps: np.ndarray


def crossings(border: Border, begins: np.ndarray, ends: np.ndarray) -> Crossings:
    """Find a point with h = 0 on every segment.

    Two secant steps (the Illinois rule) take turns with a halving of the bracket, so that a smooth function needs
    about ten values on each segment and no function more than those of bisection three times. A row on the border
    itself is its own crossing.

    Parameters
    ----------
    border : Border
        The decision function.
    begins, ends : ndarray of shape (n_segments, n_features)
        Ends of the segments.

    Returns
    -------
    Crossings
    """
    at_low, at_high = border.values(begins), border.values(ends)
    bracket = _Bracket(begins, ends, at_low, at_high)
    crossed = np.sign(at_low) * np.sign(at_high) <= 0
    crossed &= np.isfinite(at_low) & np.isfinite(at_high)
    change = np.abs(at_high - at_low)
    active = np.flatnonzero(crossed)
    for k in range(MOST):
        active = active[bracket.still_open(active, NOTHING * change)]
        if not len(active):
            break
        bracket.shrink(border, active, k % 3 == 2)
    points, left = bracket.best(crossed)
    return Crossings(points, crossed, crossed & (left > JUMP * change))


class _Bracket:
    """Places low and high on every segment, from 0 to 1, between which h changes its sign."""

    def __init__(self, begins: np.ndarray, ends: np.ndarray, at_low: np.ndarray, at_high: np.ndarray):
        self.begins, self.ends = begins, ends
        self.low, self.high = np.zeros(len(begins)), np.ones(len(begins))
        self.at_low, self.at_high = at_low, at_high
        # What secants use: halved at an end that stays where it is (the Illinois rule).
        self.weigh_low, self.weigh_high = at_low.copy(), at_high.copy()
        self.moved_low = np.zeros(len(begins), dtype=np.int8)

    def still_open(self, active: np.ndarray, nothing: np.ndarray) -> np.ndarray:
        smaller = np.minimum(np.abs(self.at_low[active]), np.abs(self.at_high[active]))
        return (smaller > nothing[active]) & (self.high[active] - self.low[active] > WIDTH)

    def shrink(self, border: Border, active: np.ndarray, halve: bool) -> None:
        """Make the brackets of active segments smaller, by one value of h each."""
        a, b, fa, fb = (v[active] for v in (self.low, self.high, self.weigh_low, self.weigh_high))
        middle = 0.5 * (a + b)
        if not halve:
            with np.errstate(all="ignore"):
                secant = a - fa * ((b - a) / (fb - fa))
            middle = np.where((secant > a) & (secant < b), secant, middle)
        value = border.values(self._at(active, middle))
        value = np.where(np.isfinite(value), value, 0.0)
        same = np.sign(value) == np.sign(self.at_low[active])
        up, down = active[same], active[~same]
        self.low[up], self.at_low[up], self.weigh_low[up] = middle[same], value[same], value[same]
        self.high[down], self.at_high[down], self.weigh_high[down] = middle[~same], value[~same], value[~same]
        again, back = up[self.moved_low[up] == 1], down[self.moved_low[down] == -1]
        self.weigh_high[again] *= 0.5
        self.weigh_low[back] *= 0.5
        self.moved_low[up], self.moved_low[down] = 1, -1

    def best(self, crossed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the end of each bracket that is nearer to h = 0, and what is left of h there."""
        nearer = np.abs(self.at_low) <= np.abs(self.at_high)
        place = np.where(crossed & ~nearer, self.high, self.low)
        place[~crossed] = 0.0
        left = np.where(nearer, np.abs(self.at_low), np.abs(self.at_high))
        return self._at(np.arange(len(place)), place), left

    def _at(self, segments: np.ndarray, place: np.ndarray) -> np.ndarray:
        begins = self.begins[segments]
        return begins + place[:, None] * (self.ends[segments] - begins)
