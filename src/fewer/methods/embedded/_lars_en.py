"""LARS-EN: the whole path of the elastic net over its first penalty, one feature joining or leaving at a time."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scipy.linalg

from fewer.core.kernels.lars_en import factor_append, factor_delete, factor_solve, first_zero, next_join

# A step, a correlation or a pivot below this fraction of the largest is round-off.
NOTHING = 1e-12
# After so many steps correlations are computed again from the data.
FRESH = 20


@dataclass(frozen=True, eq=False)
class ElasticNetPath:
    """Knots of a path, in coordinates of columns of length 1 and of the rescaled elastic net (eq. 20.10).

    Between two knots coefficients are linear in the penalty and in their L1 norm.

    Attributes
    ----------
    l2 : float
        The second penalty.
    l1 : ndarray of shape (n_knots,)
        The first penalty at every knot, falling; at the first knot all coefficients are 0.
    active : list of ndarray
        The features with coefficients at every knot, in the order in which they joined.
    values : list of ndarray
        Their coefficients.
    moves : list of (int, int, bool)
        Knot, feature, and whether it entered (its first knot with a coefficient) or left (the knot where it is 0).
    spanned : list of int
        Features that the active ones spanned, so that they had to stay out; only without a second penalty.
    """

    l2: float
    n_features: int
    l1: np.ndarray
    active: list[np.ndarray]
    values: list[np.ndarray]
    moves: list[tuple[int, int, bool]]
    spanned: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.l1)

    @property
    def sizes(self) -> np.ndarray:
        """Number of features with coefficients at every knot."""
        return np.array([len(active) for active in self.active])

    @property
    def norms(self) -> np.ndarray:
        """L1 norm of the coefficients at every knot."""
        return np.array([np.abs(values).sum() for values in self.values])

    def at(self, knot: int) -> np.ndarray:
        """Return all coefficients at a knot; behind the last one those of the last."""
        knot = min(knot, len(self) - 1)
        out = np.zeros(self.n_features)
        out[self.active[knot]] = self.values[knot]
        return out

    def at_fraction(self, s: float) -> np.ndarray:
        """Return all coefficients where their L1 norm is a fraction of the largest of the path."""
        norms = self.norms
        wanted = s * norms[-1]
        after = int(np.searchsorted(norms, wanted))
        if after == 0:
            return self.at(0)
        before, span = norms[after - 1], norms[after] - norms[after - 1]
        part = (wanted - before) / span if span > 0 else 1.0
        return (1.0 - part) * self.at(after - 1) + part * self.at(after)

    def table(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the features that were ever active, and their coefficients at every knot."""
        ever = np.unique(np.concatenate([*self.active, np.zeros(0, np.int64)])).astype(np.int64)
        out = np.zeros((len(self), len(ever)))
        for knot, (active, values) in enumerate(zip(self.active, self.values)):
            out[knot, np.searchsorted(ever, active)] = values
        return ever, out


class ActiveColumns:
    """The active columns and a factor of their matrix of products, which follows when one joins or leaves.

    The matrix has one row per active feature. Where that is dearer, equations of one row per row of data take its place
    (Woodbury), so that a step costs no more than a look at all columns.
    """

    def __init__(self, n_rows: int, l2: float) -> None:
        self.l2, self.n = l2, 0
        self.features = np.zeros(0, np.int64)
        self.columns = np.zeros((8, n_rows))
        self.factor = np.zeros((8, 8))
        self.between: np.ndarray | None = None

    @property
    def rows(self) -> np.ndarray:
        """The active columns, one after another."""
        return self.columns[: self.n]

    def add(self, j: int, column: np.ndarray) -> bool:
        """Let a column join; False if the others span it."""
        if self.n == len(self.columns):
            self.columns = np.concatenate([self.columns, np.zeros_like(self.columns)])
        if self.between is None:
            if self.n == len(self.factor):
                self.factor = np.pad(self.factor, ((0, self.n), (0, self.n)))
            left = factor_append(self.factor, self.n, self.rows @ column, 1.0 + self.l2)
            if left <= NOTHING * (1.0 + self.l2):
                return False
        else:
            self.between += np.outer(column, column)
        self.columns[self.n] = column
        self.features = np.append(self.features, j)
        self.n += 1
        if self.between is None and self.l2 > 0 and self.n > len(column) and self.n**2 > len(column) ** 3 / 3:
            self.between = self.rows.T @ self.rows + self.l2 * np.eye(len(column))
        return True

    def remove(self, place: int) -> None:
        """Let a column leave."""
        if self.between is None:
            factor_delete(self.factor, self.n, place)
        else:
            self.between -= np.outer(self.columns[place], self.columns[place])
        self.columns[place : self.n - 1] = self.columns[place + 1 : self.n]
        self.features = np.delete(self.features, place)
        self.n -= 1

    def solve(self, right: np.ndarray) -> np.ndarray:
        """Return what the products of the active columns, plus l2 on the diagonal, map to the right side."""
        if self.between is None:
            return factor_solve(self.factor, self.n, right)
        inner = scipy.linalg.cho_solve(scipy.linalg.cho_factor(self.between), right @ self.rows)
        return (right - self.rows @ inner) / self.l2


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
    return ElasticNetPath(
        l2, len(rows), 2.0 * np.array(walk.l1), walk.actives, walk.values, walk.moves, sorted(walk.spanned)
    )


class _Walk:
    """State of the path between two knots."""

    def __init__(self, rows: np.ndarray, target: np.ndarray, l2: float) -> None:
        self.rows, self.target, self.l2 = rows, target, l2
        self.n_features, n_rows = rows.shape
        self.most = self.n_features if l2 > 0 else min(self.n_features, n_rows - 1)
        self.active = ActiveColumns(n_rows, l2)
        self.free: np.ndarray = np.any(rows, axis=1)
        self.beta, self.signs = np.zeros(0), np.zeros(0)
        self.spanned: list[int] = []
        self.barred = np.zeros(self.n_features)
        self.c = rows @ target
        self.top = float(np.abs(self.c).max(initial=0.0))
        self.first = self.top
        self.l1, self.actives, self.values = [self.top], [np.zeros(0, np.int64)], [np.zeros(0)]
        self.moves: list[tuple[int, int, bool]] = []
        if self.top > NOTHING * np.linalg.norm(target):
            self._join(int(np.argmax(np.abs(self.c) >= self.top * (1.0 - NOTHING))))

    def step(self, end: float) -> None:
        """Go on until a feature joins or leaves, or to the end."""
        active, ridge = self.active, 1.0 + self.l2
        direction = ridge * active.solve(self.signs)
        a = self.rows @ (direction @ active.rows) / ridge
        a[active.features] = self.signs
        joins = -1
        length = self.top - end
        if active.n < self.most:
            step, found = next_join(self.c, a, self.top, self.free, self.barred)
            # Columns that the active ones span would join at the very end.
            if step < length * (1.0 - NOTHING):
                length, joins = step, found
        step, leaves = first_zero(self.beta, direction, self.signs)
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
        left = -1 if leaves < 0 else self._leave(leaves)
        if moved:
            self._record()
        if left >= 0:
            self.moves.append((len(self.l1) - 1, left, False))
        if joins >= 0:
            self._join(joins)

    def _record(self) -> None:
        if len(self.l1) % FRESH == 0:
            fit = self.beta @ self.active.rows
            self.c = self.rows @ (self.target - fit / (1.0 + self.l2))
        self.c[self.active.features] = self.top * self.signs
        self.l1.append(self.top)
        self.actives.append(self.active.features.copy())
        self.values.append(self.beta.copy())

    def _join(self, j: int) -> None:
        self.free[j] = False
        if not self.active.add(j, self.rows[j]):
            self.spanned.append(j)
            return
        self.beta = np.append(self.beta, 0.0)
        self.signs = np.append(self.signs, np.sign(self.c[j]))
        self.moves.append((len(self.l1), j, True))

    def _leave(self, place: int) -> int:
        """Take a feature out; it may not come back with this sign before the next knot."""
        j = int(self.active.features[place])
        self.free[j], self.barred[j] = True, self.signs[place]
        self.active.remove(place)
        self.beta, self.signs = np.delete(self.beta, place), np.delete(self.signs, place)
        return j


def grouping_bound(correlation: np.ndarray | float, l2: float, length: float, naive: bool = False) -> np.ndarray:
    """Return how far coefficients of two features can be apart (eq. 20.12), in columns of length 1.

    With minus the correlation it bounds the absolute sum of the two (eq. 20.13).

    Parameters
    ----------
    correlation : ndarray or float
        Sample correlation of the two features.
    l2 : float
        The second penalty, above 0.
    length : float
        Euclidean length of the centred target.
    naive : bool
        Whether coefficients are those of the naive elastic net.
    """
    apart = np.sqrt(2.0 * np.maximum(1.0 - np.asarray(correlation, dtype=float), 0.0))
    return (1.0 if naive else 1.0 + l2) / l2 * length * apart
