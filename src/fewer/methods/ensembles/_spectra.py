"""Spectra: intensities at ordered coordinates such as m/z, normalised and put into bins (book 19.4)."""

from __future__ import annotations

import numpy as np


def normalized_values(X: np.ndarray, axis: int = 1) -> np.ndarray:
    """Return (x - min) / (max - min) of every row (axis 1) or column (axis 0); 0 where all values are alike."""
    X = np.asarray(X, dtype=np.float64)
    low, high = X.min(axis=axis, keepdims=True), X.max(axis=axis, keepdims=True)
    width = high - low
    return (X - low) / np.where(width > 0, width, 1.0)


def z_scores(X: np.ndarray, axis: int = 1) -> np.ndarray:
    """Return (x - mean) / standard deviation of every row (axis 1) or column (axis 0); 0 where all are alike."""
    X = np.asarray(X, dtype=np.float64)
    apart = X - X.mean(axis=axis, keepdims=True)
    alike = X.max(axis=axis, keepdims=True) == X.min(axis=axis, keepdims=True)
    return np.where(alike, 0.0, apart / np.where(alike, 1.0, apart.std(axis=axis, keepdims=True)))


NORMALIZATIONS = {"none": lambda X, axis: np.asarray(X, dtype=np.float64), "nv": normalized_values, "zscore": z_scores}


def gap_bins(coordinates: np.ndarray, gap: float = 1.0) -> np.ndarray:
    """Return the bin of every coordinate, counted from 0 upwards: neighbours closer than the gap share one.

    A chain of such neighbours can be wider than the gap (single linkage).
    """
    coordinates = np.asarray(coordinates, dtype=np.float64)
    order = np.argsort(coordinates, kind="stable")
    out = np.empty(len(order), dtype=np.int64)
    out[order] = np.append(0, np.cumsum(np.diff(coordinates[order]) >= gap))[: len(order)]
    return out


def representatives(bins: np.ndarray, worth: np.ndarray) -> np.ndarray:
    """Return the member of every bin that is worth most, the first of equal ones, in ascending order."""
    order = np.lexsort((np.arange(len(bins)), -worth, bins))
    first = np.unique(bins[order], return_index=True)[1]
    return np.sort(order[first])
