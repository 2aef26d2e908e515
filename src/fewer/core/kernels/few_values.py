"""Columns of few values, read from rows and written column by column, one byte a value."""

from __future__ import annotations

from math import floor

import numpy as np

from fewer.core.kernels._jit import kernel

# Rows and columns that are turned at once: their numbers stay in the nearest cache.
TILE = 48


@kernel
def refute_steps(X, which, low, width, two, whole):
    """Take away ``two`` where a column has a value between its ends, ``whole`` where one is no whole number above low.

    Missing values refute nothing.
    """
    for i in range(X.shape[0]):
        for at in range(which.shape[0]):
            above = np.float64(X[i, which[at]]) - low[at]
            if above == above:
                two[at] &= (above == 0.0) | (above == width[at])
                whole[at] &= floor(above) == above


@kernel
def _turn(X, which, first, last, top, bottom, tile):
    """Write rows top..bottom of the columns which[first:last] as lines of a tile."""
    for i in range(top, bottom):
        for at in range(first, last):
            tile[at - first, i - top] = X[i, which[at]]


@kernel
def write_levels(X, which, gap, out):
    """Write level numbers of chosen columns as out[column, row], ``gap`` where one is missing."""
    tile = np.empty((TILE, TILE))
    for top in range(0, X.shape[0], TILE):
        bottom = min(top + TILE, X.shape[0])
        for first in range(0, which.shape[0], TILE):
            last = min(first + TILE, which.shape[0])
            _turn(X, which, first, last, top, bottom, tile)
            for at in range(first, last):
                line, levels = tile[at - first], out[at, top:bottom]
                for i in range(bottom - top):
                    levels[i] = np.uint8(line[i]) if line[i] == line[i] else gap


@kernel
def write_above(X, which, low, gap, out):
    """Write whether values of chosen columns are more than s above low[column] as out[s, column, row], or ``gap``.

    Heights are compared, as in `refute_steps`: low + s is rounded, and may lie below a value that is s above low.
    """
    tile = np.empty((TILE, TILE))
    for top in range(0, X.shape[0], TILE):
        bottom = min(top + TILE, X.shape[0])
        for first in range(0, which.shape[0], TILE):
            last = min(first + TILE, which.shape[0])
            _turn(X, which, first, last, top, bottom, tile)
            for s in range(out.shape[0]):
                for at in range(first, last):
                    line, lowest, above = tile[at - first], low[at], out[s, at, top:bottom]
                    for i in range(bottom - top):
                        above[i] = np.uint8(line[i] - lowest > s) if line[i] == line[i] else gap
