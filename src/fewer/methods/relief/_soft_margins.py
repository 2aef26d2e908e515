"""Soft nearest neighbours: every row is a neighbour with a probability that falls with its distance."""

from __future__ import annotations

from functools import partial

import numpy as np

from fewer.core.kernels import margins
from fewer.core.runners.runner import Runner
from fewer.methods.relief._weights import weighted_columns

# Results of this many stretches of rows, or of as many as fit into so many bytes, wait to be added up.
WAITING, WAITING_BYTES = 16, 2**25
# Stretches of candidates of a single row; one piece of work for a thread.
CANDIDATES = 4096


def pair_scales(log_sums: np.ndarray, y: np.ndarray, shares: np.ndarray, average: bool) -> tuple[np.ndarray, ...]:
    """Return how a pair of rows counts, beyond its distance, and how far each row is trusted.

    Parameters
    ----------
    log_sums : ndarray of shape (n_rows, n_classes)
        Logarithm of the sum of the kernel over all other rows of each class; -inf where there are none.
    y : ndarray of int of shape (n_rows,)
        Class numbers.
    shares : ndarray of shape (n_classes,)
        Fractions of the classes.
    average : bool
        Whether each class has its own nearest miss (eq. 12.7) or all other classes one (eq. 12.8).

    Returns
    -------
    log_scale : ndarray of shape (n_rows, n_classes)
        Logarithm of gamma over the kernel sum that a row of that class belongs to; times the kernel this is
        gamma * alpha or gamma * beta of eq. 12.4. -inf for a row without a hit.
    trust : ndarray of shape (n_rows,)
        gamma, the probability that the row is no outlier (eq. 12.3); NaN for a row without a hit.
    """
    rows = np.arange(len(y))
    hits = log_sums[rows, y]
    misses = log_sums.copy()
    misses[rows, y] = -np.inf
    all_misses = np.logaddexp.reduce(misses, axis=1)
    lonely = np.isneginf(hits)
    hits_or_one = np.where(lonely, 0.0, hits)
    log_trust = hits_or_one - np.logaddexp(hits_or_one, all_misses)
    if average:
        present = np.where(np.isneginf(misses), np.inf, misses)
        log_scale = np.log(shares) - np.log1p(-shares[y])[:, None] - present
    else:
        log_scale = np.repeat(-all_misses[:, None], log_sums.shape[1], axis=1)
    log_scale[rows, y] = -hits_or_one
    log_scale += log_trust[:, None]
    log_scale[lonely] = -np.inf
    return log_scale, np.where(lonely, np.nan, np.exp(log_trust))


class SoftMargins:
    """Expected margins of rows scaled to [0, 1], feature by feature, under given weights.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Features scaled to [0, 1], float64 and C-contiguous.
    y : ndarray of int of shape (n_rows,)
        Class numbers.
    n_classes : int
        Number of classes.
    average : bool
        Whether each class has its own nearest miss.
    sigma : float
        Width of the kernel exp(-d / sigma).
    run : Runner
        Where stretches of rows are worked on.
    """

    def __init__(self, X: np.ndarray, y: np.ndarray, n_classes: int, average: bool, sigma: float, run: Runner) -> None:
        self.X, self.y, self.sigma, self.run = X, y, float(sigma), run
        self.average = average
        self.shares = np.bincount(y, minlength=n_classes) / len(y)

    def all_rows(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return nu of eq. 12.4, the sum over all rows, and gamma of every row."""
        Z = weighted_columns(self.X, weights)
        log_scale, trust = pair_scales(self._log_sums(Z), self.y, self.shares, self.average)

        def stretch(start: int, stop: int) -> np.ndarray:
            out = np.empty(self.X.shape[1])
            margins.weighted_differences(self.X, Z, self.y, log_scale, self.sigma, start, stop, out)
            return out

        return sum(self.run.scan(stretch, len(Z), margins.TILE), np.zeros(self.X.shape[1])), trust

    def _log_sums(self, Z: np.ndarray) -> np.ndarray:
        """Return the logarithms of the kernel sums over the other rows of every class."""
        n, n_classes = len(Z), len(self.shares)
        sums = np.full((n, n_classes), -np.inf)
        waiting = int(np.clip(WAITING_BYTES // sums.nbytes, 2, WAITING)) * margins.TILE

        def stretch(first: int, start: int, stop: int) -> np.ndarray:
            out = np.empty((n - first - start, n_classes))
            margins.class_log_sums(Z, self.y, self.sigma, first + start, first + stop, out)
            return out

        for first in range(0, n, waiting):
            for part in self.run.scan(partial(stretch, first), min(waiting, n - first), margins.TILE):
                np.logaddexp(sums[n - len(part) :], part, out=sums[n - len(part) :])
        return sums

    def one_row(self, i: int, weights: np.ndarray) -> np.ndarray | None:
        """Return pi of one row, its part of nu; None if it has no hit."""
        n, n_features = self.X.shape
        exponents = np.empty(n)

        def measure(start: int, stop: int) -> None:
            margins.row_distances(self.X, weights, i, start, stop, exponents[start:stop])

        self.run.scan(measure, n, CANDIDATES)
        exponents /= -self.sigma
        exponents[i] = -np.inf
        log_sums = np.full((1, len(self.shares)), -np.inf)
        nearest = log_sums[0].copy()
        np.maximum.at(nearest, self.y, exponents)
        shift = np.where(np.isneginf(nearest), 0.0, nearest)
        sums = np.bincount(self.y, np.exp(exponents - shift[self.y]), minlength=len(shift))
        log_sums[0, sums > 0] = shift[sums > 0] + np.log(sums[sums > 0])
        log_scale, trust = pair_scales(log_sums, self.y[i : i + 1], self.shares, self.average)
        if np.isnan(trust[0]):
            return None
        scale = np.exp(log_scale[0, self.y] + exponents)
        scale[self.y == self.y[i]] *= -1.0

        def stretch(start: int, stop: int) -> np.ndarray:
            out = np.empty(n_features)
            margins.row_differences(self.X, i, start, stop, scale[start:stop], out)
            return out

        return sum(self.run.scan(stretch, n, CANDIDATES), np.zeros(n_features))
