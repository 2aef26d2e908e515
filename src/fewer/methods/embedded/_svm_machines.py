"""Support vector machines on a kernel matrix, solved again from where the last solution was."""

from __future__ import annotations

from contextlib import suppress
from itertools import combinations

import numpy as np

from fewer.core.kernels.svm_dual import solve
from fewer.core.kernels.svm_follow import follow
from fewer.core.views.spread import check_varies
from fewer.core.views.view import View

# Most fits before an inverse that served none is tried again.
MOST_PATIENCE = 64


class Machine:
    """One machine, of two classes or of numbers.

    Parameters
    ----------
    rows : ndarray of int64
        The rows it is trained on.
    signs, cost : ndarray
        Sign and linear cost of every dual variable; there may be two per row.
    C : float
        Upper bound of the dual variables.
    target : ndarray
        -1 and 1 of the rows, or numbers.

    Attributes
    ----------
    gap : float
        By how much the last solution misses optimality, in units of the margin.
    most_steps : int
        Most steps that a fit has taken.
    inverse : ndarray or None
        That of the kernel matrix among the free variables, `free`, while it is worth its while.
    """

    def __init__(self, rows: np.ndarray, signs: np.ndarray, cost: np.ndarray, C: float, target: np.ndarray) -> None:
        self.rows, self.signs, self.cost, self.target = rows, signs, cost, target
        self.at = np.tile(np.arange(len(rows)), len(signs) // len(rows))
        self.upper, self.alpha = np.full(len(signs), C), np.zeros(len(signs))
        self.gap, self.most_steps = np.inf, 0
        self.inverse: np.ndarray | None = None
        self.free, self.served, self.wait, self.patience = np.empty(0, np.int64), 0, 0, 1

    def fit(self, K: np.ndarray, tol: float, max_iter: int, lost: np.ndarray | None = None) -> np.ndarray:
        """Return the weights of all rows of K, y_k alpha_k, with those of rows that it is not trained on 0.

        ``lost`` is the feature whose products K has lost since the last fit, if that is all that has changed and K has
        an inverse.
        """
        some = len(self.rows) < len(K)
        block = K[np.ix_(self.rows, self.rows)] if some else K
        problem = (self.at, self.signs, self.cost, self.upper, self.alpha)
        followed = False
        if lost is not None and self.inverse is not None:
            followed = follow(block, lost[self.rows] if some else lost, *problem, self.free, self.inverse)
        self.gap, steps = solve(block, *problem, tol, max_iter)
        self.most_steps = max(self.most_steps, steps)
        if lost is None:
            self.inverse = None
        elif followed and steps == 0:
            self.served += 1
        else:
            self._renew(block)
        weights = self.signs * self.alpha
        if len(weights) > len(self.rows):
            weights = weights.reshape(-1, len(self.rows)).sum(axis=0)
        if not some:
            return weights
        spread = np.zeros(len(K))
        spread[self.rows] = weights
        return spread

    def _renew(self, K: np.ndarray) -> None:
        """Make the inverse again, of the entries that are free now; where the last served no fit, after a while."""
        if self.inverse is not None:
            self.patience = 1 if self.served else min(2 * self.patience, MOST_PATIENCE)
        self.inverse, self.wait = None, self.wait + 1
        if self.wait < self.patience:
            return
        self.free, self.wait, self.served = np.flatnonzero((self.alpha > 0) & (self.alpha < self.upper)), 0, 0
        rows = self.at[self.free]
        with suppress(np.linalg.LinAlgError):
            self.inverse = np.linalg.inv(K[np.ix_(rows, rows)])


def machines_of(name: str, view: View, C: float, epsilon: float, unit: bool) -> list[Machine]:
    """Return one machine per pair of classes, or the one of a numeric target.

    Parameters
    ----------
    name : str
        Of the method, for what is said of targets.
    view : View
        The data.
    C : float
        Cost of errors.
    epsilon : float
        Errors of numbers up to this cost nothing.
    unit : bool
        Whether a numeric target is brought to mean 0 and variance 1.
    """
    y = view.whole().y
    if view.classes is None:
        target = np.asarray(y, dtype=np.float64)
        check_varies(name, target)
        if unit:
            target = target - target[0]
            target = (target - target.mean()) / target.std()
        n = len(target)
        cost = np.concatenate([epsilon - target, -epsilon - target])
        return [Machine(np.arange(n), np.repeat([1.0, -1.0], n), cost, C, target)]
    out = []
    for first, second in combinations(range(view.n_classes), 2):
        rows = np.flatnonzero((y == first) | (y == second))
        signs = np.where(y[rows] == second, 1.0, -1.0)
        out.append(Machine(rows, signs, -signs, C, signs))
    return out
