"""Whether chains of a sampler agree, and how many independent draws they are worth."""

from __future__ import annotations

import numpy as np


def lengths_of(n_sweeps: int, n_batches: int) -> np.ndarray:
    """Return how many sweeps each batch holds."""
    return np.bincount(np.arange(n_sweeps) * n_batches // n_sweeps, minlength=n_batches)


def potential_reduction(mean: np.ndarray, variance: np.ndarray, n: float) -> np.ndarray:
    """Return R-hat of pieces of chains: the spread of all draws over that within pieces (Gelman and Rubin 1992).

    Parameters
    ----------
    mean, variance : ndarray of shape (n_pieces, ...)
        Of the draws of every piece.
    n : float
        Draws per piece.

    Examples
    --------
    >>> float(potential_reduction(np.array([0.0, 0.0]), np.array([1.0, 1.0]), 1e9))
    1.0
    """
    within, between = variance.mean(axis=0), mean.var(axis=0, ddof=1)
    # Pieces that never move agree if they stand at the same place.
    still = np.where(between > 0, np.inf, 1.0)
    whole = (n - 1) / n * within + between
    ratio = np.sqrt(np.divide(whole, within, out=np.ones_like(within), where=within > 0))
    return np.where(within > 0, np.maximum(ratio, 1.0), still)


def hits_agreement(hits: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return R-hat and effective number of draws of what is 0 or 1 in every sweep, by counts of batches.

    Parameters
    ----------
    hits : ndarray of shape (n_chains, n_batches, n_features)
        How often each was 1; chains are split in halves, so that the number of batches is even.
    lengths : ndarray of shape (n_batches,)
        Sweeps per batch.
    """
    n_chains, n_batches, n_features = hits.shape
    halves = hits.reshape(2 * n_chains, n_batches // 2, n_features).sum(axis=1)
    n = lengths.sum() / 2
    mean = halves / np.tile(lengths.reshape(2, -1).sum(axis=1), n_chains)[:, None]
    rhat = potential_reduction(mean, mean * (1 - mean) * n / (n - 1), n)
    draws = n_chains * lengths.sum()
    fraction = hits.sum(axis=(0, 1)) / draws
    # Batches of length L of independent draws would vary by f (1 - f) / L about the mean of all.
    moves = ((hits / lengths[:, None] - fraction) ** 2 * lengths[:, None]).sum(axis=(0, 1)) / (n_chains * n_batches - 1)
    varies = fraction * (1 - fraction)
    ess = draws * np.divide(varies, moves, out=np.ones_like(varies), where=moves > 0)
    return rhat, np.minimum(ess, draws)


def series_agreement(series: np.ndarray) -> tuple[float, float]:
    """Return R-hat and effective number of draws of a number followed through all sweeps, (n_chains, n_sweeps).

    Autocorrelations are added up as long as sums of neighbouring ones are positive (Geyer 1992).
    """
    n_chains, n = series.shape
    # Squares of fractions of the largest are in range.
    series = series / (np.abs(series).max() or 1.0)
    half = n // 2
    pieces = np.concatenate([series[:, :half], series[:, n - half :]])
    rhat = float(potential_reduction(pieces.mean(axis=1), pieces.var(axis=1, ddof=1), half))
    left = series - series.mean(axis=1, keepdims=True)
    within = (left**2).mean()
    if within == 0:
        return rhat, float(series.size)
    size = 2 ** int(np.ceil(np.log2(2 * n)))
    spectrum = np.abs(np.fft.rfft(left, size, axis=1)) ** 2
    covariance = np.fft.irfft(spectrum, size, axis=1)[:, :n].mean(axis=0) / n
    whole = within + (series.mean(axis=1).var(ddof=1) if n_chains > 1 else 0.0)
    correlation = 1 - (within - covariance) / whole
    pairs = correlation[: n - n % 2].reshape(-1, 2).sum(axis=1)
    stop = int(np.argmax(pairs <= 0)) if (pairs <= 0).any() else len(pairs)
    return rhat, float(min(series.size, series.size / max(2 * pairs[:stop].sum() - 1, 1e-9)))
