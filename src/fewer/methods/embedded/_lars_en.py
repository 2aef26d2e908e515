"""LARS-EN: the whole path of the elastic net over its first penalty, one feature joining or leaving at a time."""

from __future__ import annotations

import numpy as np

from fewer.core.kernels.lars_en import LEVEL, first_zero, next_join
from fewer.methods.embedded._active_columns import NOTHING, ActiveColumns
from fewer.methods.embedded._elastic_net_path import ElasticNetPath

# Coefficients below this fraction of the largest correlation of all are round-off, and differences of correlations.
ZERO, ROUNDING = 1e-11, 1e-13
# Correlations that differ by less than this fraction are equal.
TIED = 1e-10
# After so many steps correlations are computed again from the data.
FRESH = 20


def lars_en(
    rows: np.ndarray,
    target: np.ndarray,
    l2: float,
    max_steps: int | None = None,
    enough: int | None = None,
    last_l1: float = 0.0,
) -> ElasticNetPath:
    """Return the path of the elastic net from no feature to the least first penalty.

    Parameters
    ----------
    rows : ndarray of shape (n_features, n_rows)
        Centred columns of length 1, one after another; columns of zeros never join.
    target : ndarray of shape (n_rows,)
        The centred target.
    l2 : float
        The second penalty, at least 0; 0 gives the lasso.
    max_steps : int or None
        The most knots behind the first; None for no limit.
    enough : int or None
        Number of features with coefficients at which the path may end.
    last_l1 : float
        The first penalty at which the path ends.
    """
    walk = _Walk(rows, target, l2)
    most = np.inf if max_steps is None else max_steps
    while walk.top > last_l1 / 2.0 and walk.active.n and len(walk.l1) <= most:
        walk.step(last_l1 / 2.0)
        if enough is not None and len(walk.values[-1]) >= enough:
            break
    # Who would join next.
    moves = walk.moves + [(len(walk.l1), int(j), True) for j in walk.active.features if j not in walk.actives[-1]]
    return ElasticNetPath(
        l2, len(rows), 2.0 * np.array(walk.l1), walk.actives, walk.values, moves, sorted(walk.spanned)
    )


class _Walk:
    """State of the path between two knots."""

    def __init__(self, rows: np.ndarray, target: np.ndarray, l2: float) -> None:
        self.rows, self.target, self.l2 = rows, target, l2
        self.n_features, n_rows = rows.shape
        self.most = self.n_features if l2 > 0 else min(self.n_features, n_rows - 1)
        self.active = ActiveColumns(rows, l2)
        self.free: np.ndarray = np.any(rows, axis=1)
        self.beta = np.zeros(0)
        self.spanned: list[int] = []
        self.barred = np.zeros(self.n_features)
        self.c = rows @ target
        self.top = float(np.abs(self.c).max(initial=0.0))
        self.first = self.top
        self.l1, self.actives, self.values = [self.top], [np.zeros(0, np.int64)], [np.zeros(0)]
        self.moves: list[tuple[int, int, bool]] = []
        if self.top > NOTHING * np.linalg.norm(target):
            self._settle(self._tied())

    def step(self, end: float) -> None:
        """Go on until features join or leave, or to the end."""
        active = self.active
        direction, a = active.slopes()
        a[active.features] = active.signs
        joins = -1
        length = self.top - end
        if active.n < self.most:
            step, found = next_join(self.c, a, self.top, self.free, self.barred)
            # Columns that the active ones span would join at the very end.
            if step < length * (1.0 - NOTHING):
                length, joins = step, found
        step, leaves = first_zero(self.beta, direction, active.signs)
        if step < length:
            length, joins = step, -1
        else:
            leaves = -1
        self.beta = self.beta + length * direction
        self.c -= length * a
        # At the end nothing is left, whatever rounding says.
        self.top = end if joins < 0 and leaves < 0 else self.top - length
        moved = length > NOTHING * self.first
        if moved:
            self.barred[:] = 0.0
        self._leave(leaves)
        if moved:
            self._record()
        self._go_on(joins, leaves >= 0)

    def _record(self) -> None:
        active = self.active
        if len(self.l1) % FRESH == 0:
            fit = self.beta @ self.rows[active.features]
            self.c = self.rows @ (self.target - fit / (1.0 + self.l2))
        self.c[active.features] = self.top * active.signs
        before, knot = self.actives[-1], len(self.l1)
        if active.n != len(before) or (active.features != before).any():
            was, now = np.zeros((2, self.n_features), dtype=bool)
            was[before], now[active.features] = True, True
            self.moves += [(knot, int(j), False) for j in before[~now[before]]]
            self.moves += [(knot, int(j), True) for j in active.features[~was[active.features]]]
        self.l1.append(self.top)
        self.actives.append(active.features.copy())
        self.values.append(self.beta.copy())

    def _leave(self, place: int) -> None:
        """Take out the feature of a place, -1 for none, and all others whose coefficients are 0 but for rounding."""
        gone = np.abs(self.beta) <= ZERO * self.first
        if place >= 0:
            gone[place] = True
        for place in np.flatnonzero(gone)[::-1]:
            self._take_out(int(place))

    def _take_out(self, place: int) -> None:
        j = int(self.active.features[place])
        self.free[j], self.barred[j] = True, self.active.signs[place]
        self.c[j] = self.top * self.active.signs[place]
        self.active.remove(place)
        self.beta = np.delete(self.beta, place)
        # What it helped to span may join again.
        self.free[self.spanned] = True
        self.spanned = []

    def _tied(self) -> np.ndarray:
        """Return the features outside whose correlation is the largest, too."""
        return np.flatnonzero(self.free & (np.abs(self.c) >= self.top * (1.0 - TIED) - ROUNDING * self.first))

    def _go_on(self, joins: int, left: bool) -> None:
        """Let the features join with which the path goes on."""
        tied = self._tied()
        if len(tied) <= 1 and (joins >= 0 or left):
            # The usual case: one joins or has left.
            if joins >= 0:
                self._join(joins)
        elif self.top > 0:
            self._settle(tied if joins < 0 else np.union1d(tied, joins))

    def _join(self, j: int) -> bool:
        self.free[j] = False
        if not self.active.add(j, float(np.sign(self.c[j]))):
            self.spanned.append(j)
            return False
        self.beta = np.append(self.beta, 0.0)
        return True

    def _settle(self, tied: np.ndarray) -> None:
        """Find which of several features at the largest correlation go on with a coefficient, and which fall behind.

        A new coefficient must move away from 0 with the sign of its correlation, and a correlation must not stay
        behind: the conditions of least squares with signs given, which Lawson and Hanson's method meets.
        """
        self.barred[:] = 0.0
        slopes, tried = np.zeros(0), np.zeros(self.n_features, dtype=bool)
        if self.active.n:
            slopes = self.active.slopes(tied)[0]
        for _ in range(3 * len(tied) + 10):
            lag = np.ones(len(tied))
            if self.active.n:
                lag -= np.sign(self.c[tied]) * self.active.slopes(tied)[1]
            late = tied[(lag > LEVEL) & self.free[tied] & ~tried[tied]]
            if not len(late) or self.active.n >= self.most:
                return
            j = int(late[0])
            if not self._join(j):
                continue
            slopes = self._with_signs(np.append(slopes, 0.0))
            # Rounding alone takes out what has just come.
            tried[j] = self.free[j]

    def _with_signs(self, slopes: np.ndarray) -> np.ndarray:
        """Take new features out until all others have slopes of the right sign; return the slopes."""
        while True:
            found = self.active.slopes(np.zeros(0, np.int64))[0]
            wrong = (self.beta == 0) & (found * self.active.signs <= ROUNDING * np.abs(found).max())
            if not wrong.any():
                return found
            part = np.ones(len(found))
            part[wrong] = slopes[wrong] / np.where(slopes[wrong] != found[wrong], slopes[wrong] - found[wrong], 1.0)
            place = int(np.argmin(np.where(wrong, part, np.inf)))
            slopes = slopes + float(np.clip(part[place], 0.0, 1.0)) * (found - slopes)
            self._take_out(place)
            slopes = np.delete(slopes, place)
            if not self.active.n:
                return slopes
