"""Bridge regression: fits along falling penalties, thresholds, and errors on held-out rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fewer.core.kernels.bridge import descend
from fewer.core.records.ranking import Ranking
from fewer.core.stop import Stop
from fewer.methods.embedded._columns import UnitColumns

# The least penalty of the grid, as a fraction of the largest: for q of at most 1, and above.
LEAST, LEAST_CONVEX = 1e-3, 1e-6


@dataclass(frozen=True)
class BridgeFit:
    """Fits bridge regression to columns of length 1, along falling penalties.

    Attributes
    ----------
    q : float
        The power.
    tol : float
        A change of coefficients, as a fraction of the length of the target, below which a fit ends.
    max_iter : int
        The most sweeps of a fit.
    """

    q: float
    tol: float
    max_iter: int

    def path(self, unit: UnitColumns, penalties: np.ndarray) -> tuple[np.ndarray, list[str], int]:
        """Return coefficients by penalty, with which start each was found, and the most sweeps of a fit.

        With q below 1 there may be several minima: the fit goes on from that of the penalty before and from the lasso
        of the same first step, and the better of the two is taken; of equal ones the former.
        """
        out, starts, most = np.zeros((len(penalties), len(unit.rows))), [], 0
        beta, lasso = np.zeros(len(unit.rows)), np.zeros(len(unit.rows))
        for at, penalty in enumerate(penalties):
            beta, sweeps = self.from_start(unit, beta, penalty, self.q)
            most, start = max(most, sweeps), "the penalty before" if at else "zero"
            if self.q < 1:
                lasso, _ = self.from_start(unit, lasso, self._alike(unit, penalty), 1.0)
                other, sweeps = self.from_start(unit, lasso, penalty, self.q)
                most = max(most, sweeps)
                ours, theirs = (self.objective(unit, b, penalty) for b in (beta, other))
                if theirs < ours * (1.0 - 1e-12):
                    beta, start = other, "the lasso"
            out[at] = beta
            starts.append(start)
        return out, starts, most

    def _alike(self, unit: UnitColumns, penalty: float) -> float:
        """Return the penalty of the lasso with the same threshold for a single coefficient."""
        return 2.0 * threshold(penalty, self.q)[0]

    def from_start(self, unit: UnitColumns, beta: np.ndarray, penalty: float, q: float) -> tuple[np.ndarray, int]:
        """Return the coefficients to which descent leads from a start, and the number of sweeps."""
        beta = beta.copy()
        residual = unit.target - beta @ unit.rows
        size = self.tol * float(np.linalg.norm(unit.target))
        sweeps = int(descend(unit.rows, residual, beta, float(penalty), float(q), size, self.max_iter))
        return beta, sweeps

    def cut(self, unit: UnitColumns, beta: np.ndarray, penalty: float, size: Stop) -> np.ndarray:
        """Return coefficients of the features that a rule keeps; where it drops some, the others are fitted again."""
        ranking = Ranking(np.abs(beta))
        kept = np.flatnonzero(size.cut(ranking).kept & (beta != 0))
        if len(kept) == (beta != 0).sum():
            return beta
        out = np.zeros(len(beta))
        out[kept], _ = self.from_start(replace(unit, rows=unit.rows[kept]), beta[kept], penalty, self.q)
        return out

    def objective(self, unit: UnitColumns, beta: np.ndarray, penalty: float) -> float:
        """Return what is minimised."""
        rest = unit.target - beta @ unit.rows
        return float(rest @ rest + penalty * (np.abs(beta[beta != 0]) ** self.q).sum())

    def grid(self, unit: UnitColumns, n: int) -> np.ndarray:
        """Return falling penalties, from the one that empties the model or, for q above 1, from a strong one."""
        size = float(np.abs(unit.rows @ unit.target).max(initial=0.0)) or 1.0
        if self.q < 1:
            # The threshold of one coefficient is the largest product.
            tau, _ = threshold(1.0, self.q)
            largest = (size / tau) ** (2.0 - self.q)
        else:
            # A penalty has the units of y to the power of 2 - q.
            largest = (2.0 if self.q == 1 else 100.0) * size ** (2.0 - self.q)
        return np.geomspace(largest, largest * (LEAST if self.q <= 1 else LEAST_CONVEX), n)


def threshold(penalty: float, q: float) -> tuple[float, float]:
    """Return up to which value a single coefficient is 0 for q of at most 1, and how large it is just beyond.

    Examples
    --------
    >>> [round(value, 6) for value in threshold(1.0, 0.5)]
    [0.944941, 0.629961]
    """
    if q >= 1:
        return (penalty / 2.0 if q == 1 else 0.0), 0.0
    jump = (penalty * (1.0 - q)) ** (1.0 / (2.0 - q))
    return (2.0 - q) / (2.0 * (1.0 - q)) * jump, jump


@dataclass(frozen=True)
class BridgeFolds:
    """Errors on held-out rows by penalty, of the features that are kept, once per fold; what runs on workers."""

    X: np.ndarray
    y: np.ndarray
    splits: list[tuple[np.ndarray, np.ndarray]]
    fit: BridgeFit
    penalties: np.ndarray
    size: Stop

    def __call__(self, number: int) -> np.ndarray:
        """Return the mean squared error of one fold at every penalty."""
        train, test = self.splits[number]
        unit = UnitColumns.of(self.X[train], self.y[train])
        betas = self.fit.path(unit, self.penalties)[0]
        kept = [self.fit.cut(unit, beta, penalty, self.size) for beta, penalty in zip(betas, self.penalties)]
        predicted = unit.predicted(self.X[test], np.array(kept))
        return ((self.y[test, None] - predicted) ** 2).mean(axis=0)
