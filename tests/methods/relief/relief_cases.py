"""Small data sets that are awkward for neighbours, and the selectors of the family that exist."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import numpy as np
import pytest

import fewer.methods.relief

N_ROWS = 26


def landed(name):
    """Return a selector of the family by its name, or skip if there is none."""
    for module in pkgutil.iter_modules(fewer.methods.relief.__path__, "fewer.methods.relief."):
        found = getattr(import_module(module.name), name, None)
        if found is not None and hasattr(found, "method_tags"):
            return found
    return pytest.skip(f"there is no {name}")


def numbers(rng):
    return rng.normal(size=(N_ROWS, 5)), None


def nominal(rng):
    """Most distances tie."""
    return rng.integers(0, 3, size=(N_ROWS, 5)).astype(float), np.ones(5, bool)


def mixed(rng):
    X = rng.random((N_ROWS, 5))
    X[:, [1, 3]] = rng.integers(0, 4, size=(N_ROWS, 2))
    return X, np.array([False, True, False, True, False])


def missing(rng):
    """Some of all kinds of columns; the first numeric one keeps distances apart."""
    X, kinds = mixed(rng)
    gone = rng.random(X.shape) < 0.15
    gone[:, 0] = False
    X[gone] = np.nan
    X[3], X[4, 1:] = np.nan, np.nan
    X[3, 0] = 0.4
    return X, kinds


def all_missing_column(rng):
    X = rng.random((N_ROWS, 4))
    X[:, 2] = np.nan
    return X, None


def duplicated(rng):
    X = np.repeat(rng.random((N_ROWS // 2, 4)), 2, axis=0)
    return X[rng.permutation(N_ROWS)], None


def tied(rng):
    """Steps of a quarter of the range: all sums are exact, and many are equal."""
    X = rng.integers(0, 5, size=(N_ROWS, 4)).astype(float)
    X[0], X[1] = 0.0, 4.0
    return X, None


def constant_column(rng):
    X = rng.random((N_ROWS, 4))
    X[:, 1] = 5.0
    return X, None


def wide(rng):
    """Distances are found in single precision first."""
    return rng.normal(size=(N_ROWS, 66)), None


def wide_and_tied(rng):
    """Thirds of the range, whose sums are not exact."""
    X = rng.integers(0, 4, size=(N_ROWS, 66)).astype(float)
    X[0], X[1] = 0.0, 3.0
    return X, None


def huge_and_tiny(rng):
    return rng.normal(size=(N_ROWS, 4)) * [1e9, 1e-9, 1.0, 1e3] + [1e9, 0.0, -5.0, 0.0], None


COMPLETE = (numbers, nominal, mixed, duplicated, tied, constant_column, wide, wide_and_tied, huge_and_tiny)
ALL = (*COMPLETE, missing, all_missing_column)


def two_classes(rng):
    return rng.permutation(np.arange(N_ROWS) % 3 == 0).astype(int)


def three_classes(rng):
    """Unequal shares; the third class has two rows, fewer than most numbers of neighbours."""
    return rng.permutation(np.repeat([0, 1, 2], [15, N_ROWS - 17, 2]))


def lonely_class(rng):
    """A class of one row has no hit."""
    return rng.permutation(np.repeat([0, 1, 2], [15, N_ROWS - 16, 1]))


def numeric_target(rng):
    return rng.normal(size=N_ROWS)
